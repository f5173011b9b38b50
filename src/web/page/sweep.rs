//! Controls of the sweep.

use yew::prelude::*;

use crate::experiment::{Experiment, Metric, Values, Vary};
use crate::report::wording::numbers::plain;
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
    let values = experiment.vary.as_ref().map(|vary| values(context, vary));
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
                <p class="hint" id="deciding">{deciding_metrics(experiment)}</p>
                <TextField label={most} value={experiment.trials.to_string()} commit={setter(context, "trials").reform(|text: String| parse_number(&text))}
                    hint={format!("A point stops at the latest after this many {}.", experiment.kind().budget)} mode="numeric" />
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

/// Returns a sentence that names the metrics to which the precision applies.
fn deciding_metrics(experiment: &Experiment) -> String {
    // The unit follows a comma.
    let name = |metric: &Metric| metric.axis.split(',').next().unwrap_or(metric.axis);
    let (deciding, plotted) = (experiment.deciding_metrics(), experiment.plotted_metric());
    let names: Vec<_> = deciding.iter().map(|metric| name(metric)).collect();
    let text = format!("The precision applies to: {}.", names.join(", "));
    if deciding.iter().any(|metric| metric.id == plotted.id) {
        return text;
    }
    format!("{text} The chart shows {}, from the same runs: its intervals may be wider.", name(plotted))
}

/// Renders the fields of evenly spaced values, and their text, which may list any values.
fn values(context: &AppContext, vary: &Vary) -> Html {
    let known = vary.values();
    let [first, last] = [known.first(), known.last()].map(|value| value.copied().map_or(String::new(), plain));
    // An edited end or number of points spaces all values evenly.
    let respace = |accepted: &'static str, change: fn(&Vary, &str) -> Option<Vary>| {
        let (context, vary) = (context.clone(), vary.clone());
        Callback::from(move |text: String| {
            let next = change(&vary, &parse_number(&text)).ok_or_else(|| format!("{text} is not {accepted}"))?;
            context.apply(context.experiment.with_key("vary", &next.to_string()))
        })
    };
    let [from, to, points] = [
        respace("a number", |vary, text| Some(vary.respaced(Some(finite(text)?), None, None))),
        respace("a number", |vary, text| Some(vary.respaced(None, Some(finite(text)?), None))),
        respace("a whole number", |vary, text| Some(vary.respaced(None, None, Some(text.parse().ok()?)))),
    ];
    let text = vary.to_string();
    let change = setter(context, "vary").reform({
        let id = vary.parameter.id;
        move |values: String| {
            let values: Vec<_> = values.split(',').map(|value| parse_number(value.trim())).collect();
            format!("{id}:{}", values.join(","))
        }
    });
    let shown = text.split_once(':').map_or(text.clone(), |(_, values)| values.to_owned());
    let is_list = matches!(vary.values, Values::List(_));
    html! {
        <>
            <div class="sweep-range">
                <TextField label="First" value={first} commit={from} hint="First value of the sweep." mode="decimal" />
                <TextField label="Last" value={last} commit={to} hint="Last value of the sweep." mode="decimal" />
                <TextField label="Points" value={known.len().to_string()} commit={points} hint="Number of values, evenly spaced." mode="numeric" />
            </div>
            <details class="collapsed" open={is_list}>
                <summary>{"Values as text"}</summary>
                <TextField label="Values" value={shown} commit={change} hint="FIRST..LAST:COUNT, or a list such as 0.1,0.2,0.5." />
            </details>
        </>
    }
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}
