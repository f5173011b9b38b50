//! Controls of the sweep.

use yew::prelude::*;

use crate::experiment::Experiment;
use crate::web::bench::Bench;
use crate::web::form::field::{ChoiceField, TextField};
use crate::web::form::keys::{folded, group, hint, plain, set};

/// Value of the half-width field if all trials run.
const NONE: &str = "none";

pub(crate) fn sweep(bench: &Bench) -> Html {
    let experiment = &bench.experiment;
    let parameters = experiment.kind().parameters.iter();
    let options: Vec<(AttrValue, AttrValue)> = std::iter::once(("".into(), "nothing: compare".into()))
        .chain(parameters.map(|parameter| (parameter.id.into(), parameter.axis.into())))
        .collect();
    let current = experiment.vary.as_ref().map_or("", |vary| vary.parameter.id);
    let choose = {
        let bench = bench.clone();
        Callback::from(move |id: String| bench.change(Ok(bench.experiment.varying(&id))))
    };
    let values = experiment.vary.as_ref().map(|vary| {
        let text = vary.to_string();
        let change = set(bench, "vary").reform(move |values: String| {
            let values: Vec<_> = values.split(',').map(|value| plain(value.trim())).collect();
            format!("{current}:{}", values.join(","))
        });
        let shown = text.split_once(':').map_or(text.clone(), |(_, values)| values.to_owned());
        html! { <TextField label="Values" value={shown} commit={change} hint={hint(bench, "vary")} /> }
    });
    let within = match experiment.within {
        Experiment::ALL_TRIALS => NONE.to_owned(),
        share => format!("{}", share * 100.0),
    };
    let until = if experiment.kind().relative { "Until ± % of mean" } else { "Until ± points" };
    let most = format!("At most, {}", experiment.kind().budget);
    // The field is in percent, with or without a percent sign.
    let set_within = set(bench, "within").reform(|text: String| match text.trim().trim_end_matches('%') {
        NONE => NONE.to_owned(),
        share => plain(&(share.to_owned() + "%")),
    });
    let rare = html! {
        <>
                <TextField label={until} value={within} commit={set_within} hint={hint(bench, "within")} mode="decimal" />
                <TextField label={most} value={experiment.trials.to_string()} commit={set(bench, "trials").reform(|text: String| plain(&text))}
                    hint={hint(bench, "trials")} mode="numeric" />
        </>
    };
    group(
        "Sweep",
        html! {
            <>
                <ChoiceField label="Vary" {options} value={current} commit={choose} hint={hint(bench, "vary")} />
                { for values }
                { folded(bench, "Until when", &["within", "trials"], rare) }
            </>
        },
    )
}
