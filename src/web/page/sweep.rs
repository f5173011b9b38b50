//! Controls of the sweep.

use yew::prelude::*;

use crate::experiment::Experiment;
use crate::web::app_context::AppContext;
use crate::web::form::field::{ChoiceField, TextField};
use crate::web::form::keys::{collapsed, fieldset, hint, parse_number, setter};

/// Value of the half-width field if all trials run.
const NO_HALF_WIDTH: &str = "none";

pub(crate) fn sweep(context: &AppContext) -> Html {
    let experiment = &context.experiment;
    let parameters = experiment.kind().parameters.iter();
    let options: Vec<(AttrValue, AttrValue)> = std::iter::once(("".into(), "nothing, only compare".into()))
        .chain(parameters.map(|parameter| (parameter.id.into(), parameter.axis.into())))
        .collect();
    let current = experiment.vary.as_ref().map_or("", |vary| vary.parameter.id);
    let choose = {
        let context = context.clone();
        Callback::from(move |id: String| context.apply(Ok(context.experiment.varying(&id))))
    };
    let values = experiment.vary.as_ref().map(|vary| {
        let text = vary.to_string();
        let change = setter(context, "vary").reform(move |values: String| {
            let values: Vec<_> = values.split(',').map(|value| parse_number(value.trim())).collect();
            format!("{current}:{}", values.join(","))
        });
        let shown = text.split_once(':').map_or(text.clone(), |(_, values)| values.to_owned());
        html! { <TextField label="Values" value={shown} commit={change} hint={hint(context, "vary")} /> }
    });
    let within = match experiment.within {
        Experiment::ALL_TRIALS => NO_HALF_WIDTH.to_owned(),
        share => format!("{}", share * 100.0),
    };
    let until = if experiment.kind().is_within_relative { "Precision, ± % of mean" } else { "Precision, ± points" };
    let most = format!("Maximum {}", experiment.kind().budget);
    // The field is in percent, with or without a percent sign.
    let set_within = setter(context, "within").reform(|text: String| match text.trim().trim_end_matches('%') {
        NO_HALF_WIDTH => NO_HALF_WIDTH.to_owned(),
        share => parse_number(&(share.to_owned() + "%")),
    });
    let rare = html! {
        <>
                <TextField label={until} value={within} commit={set_within} hint={hint(context, "within")} mode="decimal" />
                <TextField label={most} value={experiment.trials.to_string()} commit={setter(context, "trials").reform(|text: String| parse_number(&text))}
                    hint={hint(context, "trials")} mode="numeric" />
        </>
    };
    fieldset(
        "Sweep",
        html! {
            <>
                <ChoiceField label="Vary" {options} value={current} commit={choose} hint={hint(context, "vary")} />
                { for values }
                { collapsed(context, "When to stop", &["within", "trials"], rare) }
            </>
        },
    )
}
