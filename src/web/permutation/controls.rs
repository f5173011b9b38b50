//! Controls of whole permutations and of batches.

use yew::prelude::*;

use crate::traffic::Permutation;
use crate::web::bench::Bench;
use crate::web::form::field::{ChoiceField, TextField};
use crate::web::form::keys::{folded, group, hint, number, set, value};

/// Renders the controls of the messages that are routed together.
pub(crate) fn relation(bench: &Bench) -> Html {
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
                commit={set(bench, "traffic")} hint={hint(bench, "traffic")} />
            { number(bench, "Times, h", "h") }
            { number(bench, "Tolerance", "tolerance") }
        </>
    };
    group(
        "Messages",
        html! {
            <>
                <ChoiceField label="To" options={rules} value={current} commit={set(bench, "traffic")} hint={hint(bench, "traffic")} />
                if bench.experiment.setting.batch().is_some() { { number(bench, "Length, flits", "length") } }
                { folded(bench, "More", &["h", "tolerance"], rare) }
            </>
        },
    )
}
