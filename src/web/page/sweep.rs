//! Controls of the sweep.

use yew::prelude::*;

use crate::experiment::Experiment;
use crate::web::bench::AppContext;
use crate::web::form::field::{ChoiceField, TextField};
use crate::web::form::keys::{collapsed, fieldset, hint, parse_number, setter};

/// Value of the half-width field if all trials run.
const NO_HALF_WIDTH: &str = "none";

pub(crate) fn sweep(bench: &AppContext) -> Html {
    let experiment = &bench.experiment;
    let parameters = experiment.kind().parameters.iter();
    let options: Vec<(AttrValue, AttrValue)> = std::iter::once(("".into(), "nothing: compare".into()))
        .chain(parameters.map(|parameter| (parameter.id.into(), parameter.axis.into())))
        .collect();
    let current = experiment.vary.as_ref().map_or("", |vary| vary.parameter.id);
    let choose = {
        let bench = bench.clone();
        Callback::from(move |id: String| bench.apply(Ok(bench.experiment.varying(&id))))
    };
    let values = experiment.vary.as_ref().map(|vary| {
        let text = vary.to_string();
        let change = setter(bench, "vary").reform(move |values: String| {
            let values: Vec<_> = values.split(',').map(|value| parse_number(value.trim())).collect();
            format!("{current}:{}", values.join(","))
        });
        let shown = text.split_once(':').map_or(text.clone(), |(_, values)| values.to_owned());
        html! { <TextField label="Values" value={shown} commit={change} hint={hint(bench, "vary")} /> }
    });
    let within = match experiment.within {
        Experiment::ALL_TRIALS => NO_HALF_WIDTH.to_owned(),
        share => format!("{}", share * 100.0),
    };
    let until = if experiment.kind().is_within_relative { "Until ± % of mean" } else { "Until ± points" };
    let most = format!("At most, {}", experiment.kind().budget);
    // The field is in percent, with or without a percent sign.
    let set_within = setter(bench, "within").reform(|text: String| match text.trim().trim_end_matches('%') {
        NO_HALF_WIDTH => NO_HALF_WIDTH.to_owned(),
        share => parse_number(&(share.to_owned() + "%")),
    });
    let rare = html! {
        <>
                <TextField label={until} value={within} commit={set_within} hint={hint(bench, "within")} mode="decimal" />
                <TextField label={most} value={experiment.trials.to_string()} commit={setter(bench, "trials").reform(|text: String| parse_number(&text))}
                    hint={hint(bench, "trials")} mode="numeric" />
        </>
    };
    fieldset(
        "Sweep",
        html! {
            <>
                <ChoiceField label="Vary" {options} value={current} commit={choose} hint={hint(bench, "vary")} />
                { for values }
                { collapsed(bench, "Until when", &["within", "trials"], rare) }
            </>
        },
    )
}
