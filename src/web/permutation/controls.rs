//! Controls of whole permutations and of batches.

use yew::prelude::*;

use crate::switching::FlowControl;
use crate::traffic::Permutation;
use crate::web::app_context::AppContext;
use crate::web::form::field::{ChoiceField, TextField};
use crate::web::form::keys::{collapsed, fieldset, hint, number_field, setter, value};

/// Renders the controls of the messages that are routed together.
pub(crate) fn relation(context: &AppContext) -> Html {
    let known = Permutation::ALL.map(|permutation| permutation.id());
    let current = value(context, "traffic");
    let mut rules: Vec<(AttrValue, AttrValue)> =
        Permutation::ALL.into_iter().map(|permutation| (permutation.id().into(), permutation.name().into())).collect();
    if !known.contains(&current.as_str()) {
        rules.push((current.clone().into(), "the list below".into()));
    }
    let flows: Vec<(AttrValue, AttrValue)> =
        FlowControl::ALL.into_iter().map(|flow| (flow.id().into(), flow.name().into())).collect();
    let rare = html! {
        <>
            <TextField label="List of pairs" value={if known.contains(&current.as_str()) { String::new() } else { current.clone() }}
                commit={setter(context, "traffic")} hint={hint(context, "traffic")} />
            { number_field(context, "Messages per node", "h") }
            { number_field(context, "Tolerance", "tolerance") }
            if context.experiment.setting.batch().is_some_and(|batch| batch.flow != FlowControl::Wormhole) {
                { number_field(context, "Faults arrive in cycle", "onset") }
            }
        </>
    };
    fieldset(
        "Messages",
        html! {
            <>
                <ChoiceField label="Destinations" options={rules} value={current} commit={setter(context, "traffic")} hint={hint(context, "traffic")} />
                if context.experiment.setting.batch().is_some() {
                    { number_field(context, "Length, flits", "length") }
                    <ChoiceField label="Flow control" options={flows} value={value(context, "flow")} commit={setter(context, "flow")} hint={hint(context, "flow")} />
                }
                { collapsed(context, "More settings", &["h", "tolerance", "onset"], rare) }
            </>
        },
    )
}
