//! Interface that the command line and the packages for other languages share: the npm package
//! (`module`) and the Python package (`bindings/python`).
//!
//! Requests are experiment texts and options; answers are texts in the formats of the command line;
//! errors are sentences. A package adds the types, threads and errors of its language, and nothing
//! else.

#[cfg(feature = "charts")]
mod figure;
mod graph;
#[cfg(feature = "native")]
pub mod native;
mod reports;
mod results;

#[cfg(feature = "charts")]
pub use figure::{chart, draw, draw_results};
pub use graph::{GraphChannel, GraphNode, NetworkGraph, network_graph};
pub use reports::{REPORTS, ReportFunction, check, cost, find_report, render, route};
pub use results::{RESULT_FORMATS, check_measured, results};

use crate::experiment::presets::{preset, presets};
use crate::experiment::{Experiment, Infeasible, TextReading, read_messages};

/// Reads an experiment from its text, a link to the page, or `preset:ID`, with the errors of its
/// keys. `rules` adds user-defined routings.
///
/// # Errors
/// Returns a sentence if the text is empty or names no preset.
pub fn read_experiment(text: &str, rules: Option<&str>) -> Result<TextReading, String> {
    let read = |text: &str| match rules {
        Some(rules) => Experiment::read_text_with_rules(text, rules),
        None => Experiment::read_text(text),
    };
    if text.trim().is_empty() {
        return Err("empty; accepted: an experiment's text, such as net=cube:6&faults=nodes:0.3".into());
    }
    let Some(id) = text.strip_prefix("preset:") else { return Ok(read(text)) };
    let ids = || presets().iter().map(|preset| preset.id.as_str()).collect::<Vec<_>>().join(", ");
    let preset = preset(id).ok_or_else(|| format!("preset:{id}: no such preset; accepted: {}", ids()))?;
    Ok(read(&preset.experiment))
}

/// Returns the experiment of [`read_experiment`].
///
/// # Errors
/// Returns a sentence with the problems and the accepted values.
pub fn experiment(text: &str, rules: Option<&str>) -> Result<Experiment, String> {
    read_experiment(text, rules)?.into_result_with_all_errors()
}

/// Returns the experiment with the messages of a file, CSV or JSON lines, instead of its traffic.
///
/// # Errors
/// Returns a sentence that names the line and the field, or says that the kind has no such
/// messages.
pub fn with_messages(experiment: &Experiment, file: &str) -> Result<Experiment, String> {
    // The kind is checked before the file is read.
    let without = experiment.with_key("messages", "none").map_err(|error| error.to_string())?;
    let schedule = read_messages(experiment.network, file).map_err(|error| error.to_string())?;
    without.with_key("messages", &schedule.to_text(experiment.network)).map_err(|error| error.to_string())
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

/// Returns `text` as the command line prints it: with a line break at its end.
pub fn printed(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
