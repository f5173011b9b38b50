//! Reports: tables, CSV and JSON; charts and pictures; texts.

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod activity;
pub mod answers;
pub mod chart;
pub mod check_report;
pub mod check_verdict;
pub mod circuit;
#[cfg(feature = "threads")]
mod comparison;
pub mod cost;
pub mod cycle;
pub mod deadlock;
pub mod delivery;
pub mod document;
pub mod errata;
pub mod error;
pub mod files;
pub mod findings;
pub mod kinds;
pub mod message;
pub mod pairs;
pub mod paper_rows;
pub mod permutation;
pub mod picture;
pub mod presets;
pub mod refutation;
pub mod share;
#[cfg(feature = "charts")]
pub mod still;
pub mod sweep_charts;
pub mod watch;
pub mod wording;
pub mod worm;
pub mod worst;

/// Returns the note that every exported picture contains: version, seed and the experiment's text.
pub fn source_note(experiment: &faultlab_experiment::Experiment) -> String {
    let seed = experiment.seed;
    format!("Faultlab {}; seed {seed}; {experiment}", faultlab_core::VERSION)
}
