//! Comparison tables in Markdown.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{CaseResults, ComparedProgram, Load, LoadResult, ProgramResults, TIMED_SHARE, booksim, caminos, faultlab};
use crate::answers::date;

/// Returns the tables of the measurements, with their date.
pub(super) fn text(programs: &[ComparedProgram], rows: &[CaseResults], took: Duration) -> String {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let names: Vec<_> = programs.iter().map(ComparedProgram::name).collect();
    let mut text = format!(
        "Measured on {} in {} seconds: Faultlab {}, CAMINOS {}{}, one after the other for each\nrow, each with one thread.\n",
        date(days),
        took.as_secs(),
        env!("CARGO_PKG_VERSION"),
        caminos::VERSION,
        if programs.len() > 2 { ", BookSim2" } else { "" },
    );
    let each = |what: &str| format!("{what}: {}", names.join(" | "));
    header(&mut text, &[&each("alone, beyond hops"), "capacity", &each("saturation")]);
    text.extend(rows.iter().map(saturation_row));
    header(&mut text, &["load", &each("latency"), "Faultlab, oldest first"]);
    text.extend(rows.iter().map(latencies));
    header(&mut text, &[&each("Mflit hops per second"), &times(&names), &each("memory")]);
    text.extend(rows.iter().map(costs));
    if let Some(row) = rows.first() {
        configuration(&mut text, row);
    }
    text
}

/// Begins a table, with `columns` after the columns of the case; a text may contain several
/// columns.
fn header(text: &mut String, columns: &[&str]) {
    let columns = format!("| network | traffic | channels | {} |", columns.join(" | "));
    let line = "---|".repeat(columns.matches('|').count() - 1);
    let _ = writeln!(text, "\n{columns}\n|{line}");
}

/// Returns the columns for the speed ratios to the other programs.
fn times(names: &[&str]) -> String {
    names[1..].iter().map(|name| format!("times {name}")).collect::<Vec<_>>().join(" | ")
}

/// Returns the row of zero-load latencies and saturation loads.
pub(super) fn saturation_row(row: &CaseResults) -> String {
    let alone = cells(row, |side| format!("{:.2}", side.alone.latency - side.alone.hops));
    let saturation = cells(row, |side| format!("{:.3}", side.saturation));
    format!("{}{alone} {:.3} |{saturation}\n", name(row), row.case.capacity())
}

/// Returns the rows of latencies, by load.
pub(super) fn latencies(row: &CaseResults) -> String {
    let at = |(number, (rate, oldest)): (usize, (&f64, &LoadResult))| {
        let found = cells(row, |side| latency(&side.at[number]));
        format!("{} {rate:.3} |{found} {} |\n", name(row), latency(oldest))
    };
    row.rates.iter().zip(&row.oldest).enumerate().map(at).collect()
}

/// Returns the row of speeds and memory.
pub(super) fn costs(row: &CaseResults) -> String {
    let speed = |side: &ProgramResults| side.at[TIMED_SHARE].flit_hops_per_second(row.case) / 1e6;
    let ours = row.sides.iter().flatten().next().map_or(f64::NAN, speed);
    let rounded = |speed: f64| if speed < 10.0 { format!("{speed:.2}") } else { format!("{speed:.0}") };
    let speeds = cells(row, |side| rounded(speed(side)));
    let times = cells(row, |side| format!("{:.0}", ours / speed(side)));
    // The ratio of Faultlab to itself is left out.
    let times = times.split_once('|').map_or("", |(_, others)| others);
    let memory = cells(row, |side| format!("{:.1} MB", side.at[TIMED_SHARE].cost.peak as f64 / 1024.0));
    format!("{}{speeds}{times}{memory}\n", name(row))
}

/// Returns a cell for each program; a dash if it does not support the network.
fn cells(row: &CaseResults, text: impl Fn(&ProgramResults) -> String) -> String {
    let cell = |side: &Option<ProgramResults>| format!(" {} |", side.as_ref().map_or("–".to_owned(), &text));
    row.sides.iter().map(cell).collect()
}

fn name(row: &CaseResults) -> String {
    format!("| {} | {} | {} |", row.case.network.name(), row.case.traffic(), row.case.channels)
}

/// Formats a latency, which is NaN if queues grew.
fn latency(found: &LoadResult) -> String {
    if found.latency.is_nan() { "grows".to_owned() } else { format!("{:.1} ± {:.1}", found.latency, found.half_width) }
}

/// Compares the lengths of the configurations.
fn configuration(text: &mut String, row: &CaseResults) {
    let load = Load::new(row.case, row.rates[TIMED_SHARE], 4);
    let (ours, theirs) =
        (faultlab::configuration(row.case, load, "round-robin"), caminos::configuration(row.case, load, 1));
    let lines = theirs.lines().filter(|line| !line.trim().is_empty());
    let keys = lines.clone().filter(|line| line.contains(':')).count();
    let _ = write!(
        text,
        "\nInput for the first row: for Faultlab 1 line of {} characters with {} keys, for CAMINOS {} lines\nwith {keys} keys",
        ours.len(),
        ours.split('&').count(),
        lines.count(),
    );
    if row.sides.len() > 2 {
        let _ = write!(
            text,
            ", for BookSim2 {} lines with a key each",
            booksim::configuration(row.case, load, 1).lines().count()
        );
    }
    *text += ".\n";
}
