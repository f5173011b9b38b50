//! Hops of one message as CSV: `series,message,hop,time,from,to,channel,class,reason`, a line for each
//! hop.
//!
//! Fields that the kind does not have are empty: only worms have times (the cycle in which the hop
//! was granted), virtual channels and their classes.

use std::fmt::Display;

use super::csv::{line, source_header};
use faultlab_core::rich_text::RichText;
use faultlab_experiment::Experiment;

/// Hop of a message.
#[derive(Default)]
pub(crate) struct TraceRow {
    pub(crate) time: String,
    pub(crate) from: String,
    pub(crate) to: String,
    /// Virtual channel.
    pub(crate) channel: String,
    /// Class of the virtual channel.
    pub(crate) class: String,
    pub(crate) reason: RichText,
}

/// Returns the CSV of the hops of a message under the algorithm with the id `series`; `message` is
/// its number.
pub(crate) fn csv(experiment: &Experiment, series: &str, message: &dyn Display, rows: &[TraceRow]) -> String {
    let mut csv = source_header([experiment]);
    csv.push_str("series,message,hop,time,from,to,channel,class,reason\n");
    for (row, hop) in rows.iter().zip(1..) {
        let TraceRow { time, from, to, channel, class, reason } = row;
        line(&mut csv, &[&series, message, &hop, time, from, to, channel, class, reason]);
    }
    csv
}
