//! The rows as Markdown.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Found, Load, Row, caminos, faultlab};
use crate::answers::date;

/// The tables of what was measured, with their date.
pub(super) fn text(rows: &[Row], took: Duration) -> String {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let mut text = format!(
        "Measured on {} in {} seconds: Faultlab {} and CAMINOS {}, one after the other for each row, each with one thread.\n\n",
        date(days),
        took.as_secs(),
        env!("CARGO_PKG_VERSION"),
        caminos::VERSION,
    );
    text += "| network | traffic | channels | alone, beyond hops: Faultlab | CAMINOS | capacity | saturation: Faultlab | CAMINOS \
             | half of it | latency: Faultlab | CAMINOS | Faultlab, oldest first |\n\
             |---|---|---|---|---|---|---|---|---|---|---|---|\n";
    text.extend(rows.iter().map(times));
    text += "\n| network | traffic | channels | Mflit hops per second: Faultlab | CAMINOS | times | memory: Faultlab | CAMINOS |\n\
             |---|---|---|---|---|---|---|---|\n";
    text.extend(rows.iter().map(costs));
    if let Some(row) = rows.first() {
        configuration(&mut text, row);
    }
    text
}

/// What messages meet with.
pub(super) fn times(row: &Row) -> String {
    let mut text = name(row);
    for found in &row.alone {
        let _ = write!(text, " {:.2} |", found.latency - found.hops);
    }
    let _ = write!(text, " {:.3} |", row.case.capacity());
    for rate in row.saturation {
        let _ = write!(text, " {rate:.3} |");
    }
    let _ = write!(text, " {:.3} |", row.rate);
    for found in row.half.iter().chain([&row.oldest]) {
        let _ = write!(text, " {} |", latency(found));
    }
    text + "\n"
}

/// What that takes.
pub(super) fn costs(row: &Row) -> String {
    let mut text = name(row);
    let [ours, theirs] = [&row.half[0], &row.half[1]].map(|found| found.flit_hops_per_second(row.case) / 1e6);
    let _ = write!(text, " {ours:.0} | {theirs:.2} | {:.0} |", ours / theirs);
    for found in &row.half {
        let _ = write!(text, " {:.1} MB |", found.cost.peak as f64 / 1024.0);
    }
    text + "\n"
}

fn name(row: &Row) -> String {
    format!("| {} | {} | {} |", row.case.network.name(), row.case.traffic(), row.case.channels)
}

/// Where queues grew there is none.
fn latency(found: &Found) -> String {
    if found.latency.is_nan() { "grows".to_owned() } else { format!("{:.1} ± {:.1}", found.latency, found.half_width) }
}

/// How much one has to write for it.
fn configuration(text: &mut String, row: &Row) {
    let load = Load::new(row.case, row.rate, 4);
    let (ours, theirs) = (faultlab::text(row.case, load, "round-robin"), caminos::text(row.case, load, 1));
    let lines = theirs.lines().filter(|line| !line.trim().is_empty());
    let keys = lines.clone().filter(|line| line.contains(':')).count();
    let _ = write!(
        text,
        "\nTo be written for the first row: for Faultlab 1 line of {} characters with {} keys, for CAMINOS {} lines with {keys} keys.\n",
        ours.len(),
        ours.split('&').count(),
        lines.count(),
    );
}
