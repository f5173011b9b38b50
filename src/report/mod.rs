//! How an answer is written: tables, CSV, JSON; charts and scenes; words.

#[cfg(feature = "charts")]
pub mod chart;
pub mod check;
pub mod circuits;
pub mod csv;
pub mod cube;
pub mod cycle;
pub mod facts;
pub mod figure;
pub mod json;
pub mod layout;
pub mod matrix;
pub mod network;
pub mod overlay;
pub mod pairs;
pub mod palette;
#[cfg(feature = "charts")]
pub mod png;
pub mod scene;
pub mod snapshot;
mod spread;
pub mod table;
pub mod words;

/// What every exported picture carries: the version, and the experiment's text, seed included.
pub fn notes(experiment: &crate::experiment::Experiment) -> String {
    let seed = experiment.seed;
    format!("Faultlab {}; seed {seed}; {experiment}", crate::VERSION)
}
