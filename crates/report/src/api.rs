//! Text interface for the command line and the npm package: requests and answers are text, errors
//! are sentences.

use super::document::Document;
use super::kinds::{proved, route_writer, supports_routes};
use faultlab_experiment::presets::{preset, presets};
use faultlab_experiment::{Experiment, Infeasible, KINDS, Kind, Version};

/// Parses an experiment from its text, a link to the page, or `preset:ID`. `rules` replaces the
/// rules in the text.
///
/// # Errors
/// Returns a sentence with the problem and the accepted values.
pub fn experiment(text: &str, rules: Option<&str>) -> Result<Experiment, String> {
    let parse = |text: &str| {
        let read = match rules {
            Some(rules) => Experiment::read_text_with_rules(text, rules),
            None => Experiment::read_text(text),
        };
        read.into_result_with_all_errors()
    };
    if text.trim().is_empty() {
        return Err("empty; accepted: an experiment's text, such as net=cube:6&faults=nodes:0.3".into());
    }
    let Some(id) = text.strip_prefix("preset:") else { return parse(text) };
    let ids = || presets().iter().map(|preset| preset.id.as_str()).collect::<Vec<_>>().join(", ");
    let preset = preset(id).ok_or_else(|| format!("preset:{id}: no such preset; accepted: {}", ids()))?;
    parse(&preset.experiment)
}

/// Returns the message that no point of `experiment` can run, with the reason `why`.
pub fn infeasible_message(experiment: &Experiment, why: &Infeasible) -> String {
    format!("{experiment}: no point can run: {why}")
}

/// Returns the message that the watched run cannot be drawn: nothing moves in it, or its network is
/// too large.
pub fn not_drawable_message(experiment: &Experiment) -> String {
    match experiment.check_watchable() {
        Err(why) => format!(
            "{experiment}: run {} cannot be drawn: {why}; try another run (sample=1, 2, ...) or another seed",
            experiment.view.sample
        ),
        Ok(()) => format!("{experiment}: too large to draw"),
    }
}

/// Returns the experiment if at least one of its points can run.
///
/// # Errors
/// Returns a sentence with the reason if no point can run.
pub fn require_feasible(experiment: Experiment) -> Result<Experiment, String> {
    match experiment.check_feasible() {
        Ok(()) => Ok(experiment),
        Err(why) => Err(infeasible_message(&experiment, &why)),
    }
}

/// Routes the watched message hop by hop, with a reason for each hop; on fat-trees all messages,
/// cycle by cycle. Cost: as one run.
///
/// # Errors
/// Returns a sentence if messages of this kind are not followed, or if the experiment is invalid.
pub fn routed(experiment: &Experiment) -> Result<Box<dyn Document>, String> {
    let route = route_writer(experiment).ok_or_else(|| {
        let has_routes = |kind: &&Kind| supports_routes(&kind.behavior.default_experiment(Version::LATEST, None));
        let accepted: Vec<_> = KINDS.into_iter().filter(has_routes).map(|kind| kind.id).collect();
        format!(
            "switch={}: this kind has no routes to print; accepted: switch={}; faultlab check shows what this kind \
             of experiment permits",
            experiment.kind().id,
            accepted.join(", ")
        )
    })?;
    experiment.validate().map_err(|error| error.to_string())?;
    route(experiment).map_err(|error| error.to_string())
}

/// Runs the thorough check of the watched instance. Cost: seconds at most, on large networks.
///
/// # Errors
/// Returns a sentence with the reason if there is nothing to report.
pub fn checked(experiment: &Experiment) -> Result<Box<dyn Document>, String> {
    proved(experiment, true).map(|found| found as Box<dyn Document>).map_err(|error| error.to_string())
}

/// Renders a document in the named format: text, csv or json.
///
/// # Errors
/// Returns the list of formats if `format` is none of them.
pub fn render(document: &dyn Document, format: &str) -> Result<String, String> {
    match format {
        "text" => Ok(document.text()),
        "csv" => Ok(document.csv()),
        "json" => Ok(document.json()),
        _ => Err(format!("format {format}: unknown; accepted: text, csv, json")),
    }
}
