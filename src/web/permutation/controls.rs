//! Controls of whole permutations and of batches.

use yew::prelude::*;

use crate::traffic::Permutation;
use crate::web::bench::AppContext;
use crate::web::form::field::{ChoiceField, TextField};
use crate::web::form::keys::{collapsed, fieldset, hint, number_field, setter, value};

/// Renders the controls of the messages that are routed together.
pub(crate) fn relation(bench: &AppContext) -> Html {
    let known = Permutation::ALL.map(|permutation| permutation.id());
    let current = value(bench, "traffic");
    let mut rules: Vec<(AttrValue, AttrValue)> =
        Permutation::ALL.into_iter().map(|permutation| (permutation.id().into(), permutation.name().into())).collect();
    if !known.contains(&current.as_str()) {
        rules.push((current.clone().into(), "a list, below".into()));
    }
    let rare = html! {
        <>
            <TextField label="Or a list" value={if known.contains(&current.as_str()) { String::new() } else { current.clone() }}
                commit={setter(bench, "traffic")} hint={hint(bench, "traffic")} />
            { number_field(bench, "Times, h", "h") }
            { number_field(bench, "Tolerance", "tolerance") }
        </>
    };
    fieldset(
        "Messages",
        html! {
            <>
                <ChoiceField label="To" options={rules} value={current} commit={setter(bench, "traffic")} hint={hint(bench, "traffic")} />
                if bench.experiment.setting.batch().is_some() { { number_field(bench, "Length, flits", "length") } }
                { collapsed(bench, "More", &["h", "tolerance"], rare) }
            </>
        },
    )
}
