//! Descriptions of faults that arrive while circuits are set up or held.

use serde::Serialize;

use crate::watch::{Rows, TimelineEvent};
use crate::wording::{count, join_names};
use faultlab_core::switching::CircuitTransitionCounts;

/// Faults that arrive in a watched network, in files.
#[derive(Serialize)]
pub(crate) struct ArrivingFaultsRecord {
    onsets: Vec<f64>,
    torn: u64,
    retried: u64,
    restored: u64,
    lost: u64,
}

impl ArrivingFaultsRecord {
    /// Returns the record of a network; `None` if no faults arrive.
    pub(crate) fn new(onsets: &[f64], found: Option<CircuitTransitionCounts>) -> Option<Self> {
        let CircuitTransitionCounts { torn, retried, restored, lost, .. } = found?;
        Some(Self { onsets: onsets.to_vec(), torn, retried, restored, lost })
    }
}

/// Returns the marks of the onsets on the time line.
pub(crate) fn timeline_events(onsets: &[f64]) -> impl Iterator<Item = TimelineEvent> {
    onsets.iter().map(|&time| TimelineEvent { time, description: "faults arrive".into() })
}

/// Returns the counts of each network as rows; none if no faults arrive.
pub(crate) fn rows(networks: &[Option<CircuitTransitionCounts>]) -> Rows {
    if networks.iter().all(Option::is_none) {
        return Rows::new();
    }
    let row = |name, value: fn(&CircuitTransitionCounts) -> u64| {
        (name, networks.iter().map(|found| value(&found.unwrap_or_default()).to_string()).collect())
    };
    vec![
        row("Torn down by new faults", |found| found.torn),
        row("Complete again", |found| found.restored),
        row("Lost to new faults", |found| found.lost),
    ]
}

/// Returns the sentence on the times at which faults arrive; empty if none do.
pub(crate) fn note(onsets: &[f64]) -> String {
    let times: Vec<_> = onsets.iter().map(f64::to_string).collect();
    let names: Vec<_> = times.iter().map(String::as_str).collect();
    match names.len() {
        0 => String::new(),
        _ => format!(" Faults arrive at {}; until then circuits cross them.", join_names(&names)),
    }
}

/// Returns the arrival of faults in words.
pub(crate) fn event(torn: u64, lost: u64) -> String {
    let circuits = if torn == 1 { "1 path or circuit".into() } else { format!("{torn} paths and circuits") };
    let messages = count(lost as u32, "message");
    match (torn, lost) {
        (0, 0) => "faults arrive and hit no message".into(),
        (_, 0) => format!("faults arrive and tear down {circuits}"),
        (0, _) => format!("faults arrive; {messages} lost"),
        _ => format!("faults arrive and tear down {circuits}; {messages} lost"),
    }
}

/// Returns what a torn message does, in one sentence.
pub(crate) fn torn_state(since: f64, next: f64) -> String {
    format!(
        "A fault tore down the path at {since:.2}. The message holds no link; its source starts again at {next:.2}."
    )
}
