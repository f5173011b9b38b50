//! What is asked in words and answered in words, by whoever asks: the command line, or a script by the module. What is wrong is a sentence.

use super::document::Document;
use super::kinds::{is_followed, proved, route_of};
use faultlab_experiment::presets::{preset, presets};
use faultlab_experiment::{Experiment, ExperimentError, Infeasible, KINDS, Kind, Version};

/// The experiment of a text, a page's link, or `preset:ID`, with `rules` in place of its own.
///
/// # Errors
/// What is wrong with it, and what is accepted.
pub fn experiment(text: &str, rules: Option<&str>) -> Result<Experiment, String> {
    let parse = |text: &str| {
        let read = rules.map_or_else(|| text.parse(), |rules| Experiment::with_rules(text, rules));
        read.map_err(|error: ExperimentError| error.to_string())
    };
    if text.trim().is_empty() {
        return Err("empty; accepted: an experiment's text, such as net=cube:6&faults=nodes:0.3".into());
    }
    let Some(id) = text.strip_prefix("preset:") else { return parse(text) };
    let ids = || presets().iter().map(|preset| preset.id.as_str()).collect::<Vec<_>>().join(", ");
    let preset = preset(id).ok_or_else(|| format!("preset:{id}: no such preset; accepted: {}", ids()))?;
    parse(&preset.experiment)
}

/// Says that nothing of `experiment` can be run, because of `why`.
pub fn impossible(experiment: &Experiment, why: &Infeasible) -> String {
    format!("{experiment}: nothing of it can be run: {why}")
}

/// Says why there is no picture of what is watched: its run has nothing to move, or its network is too large.
pub fn not_drawn(experiment: &Experiment) -> String {
    match experiment.check_watchable() {
        Err(why) => format!(
            "{experiment}: run {} cannot be drawn: {why}; another one may (sample=1, 2, ..., or another seed)",
            experiment.view.sample
        ),
        Ok(()) => format!("{experiment}: too large to be drawn"),
    }
}

/// Returns the experiment, if anything of it can be run.
///
/// # Errors
/// Returns the reason if nothing of it can be run.
pub fn possible(experiment: Experiment) -> Result<Experiment, String> {
    match experiment.check_feasible() {
        Ok(()) => Ok(experiment),
        Err(why) => Err(impossible(&experiment, &why)),
    }
}

/// Its message, hop by hop, with reasons; of fat-trees all messages, cycle by cycle. Cost: as one run.
///
/// # Errors
/// Where messages of its kind are not followed, and what is wrong with it.
pub fn routed(experiment: &Experiment) -> Result<Box<dyn Document>, String> {
    let route = route_of(experiment).ok_or_else(|| {
        let has_routes = |kind: &&Kind| is_followed(&kind.behavior.default_experiment(Version::LATEST, None));
        let accepted: Vec<_> = KINDS.into_iter().filter(has_routes).map(|kind| kind.id).collect();
        format!(
            "switch={}: its messages are not followed hop by hop; accepted: switch={}; faultlab check says what this kind of \
             experiment permits",
            experiment.kind().id,
            accepted.join(", ")
        )
    })?;
    experiment.validate().map_err(|error| error.to_string())?;
    route(experiment).map_err(|error| error.to_string())
}

/// What is proved of it, by somebody who has the patience. Cost: seconds at most, of large networks.
///
/// # Errors
/// Why nothing is reported of it.
pub fn checked(experiment: &Experiment) -> Result<Box<dyn Document>, String> {
    proved(experiment, true).map(|found| found as Box<dyn Document>).map_err(|error| error.to_string())
}

/// A document in the format of this name: text, csv or json.
///
/// # Errors
/// Which formats there are, if it is none of them.
pub fn written(document: &dyn Document, format: &str) -> Result<String, String> {
    match format {
        "text" => Ok(document.text()),
        "csv" => Ok(document.csv()),
        "json" => Ok(document.json()),
        _ => Err(format!("format {format}; accepted: text, csv, json")),
    }
}
