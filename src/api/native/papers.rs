//! Items of the papers, measured again.

use std::fmt::Write as _;

use super::{Error, Execution, JournalWriter, measure};
use crate::experiment::{Experiment, Sweep};
use crate::papers::{Item, PaperValue, Verdict, errata_of, items, papers};
use crate::report::files::table;
use crate::report::wording::formula::plain;
use crate::report::wording::numbers::fixed;

/// Returns the items that `id` selects: one item, all items of a paper, or all items for `None`.
/// `others` are further names that the caller accepts, for the error message.
///
/// # Errors
/// Returns an error with the accepted names if `id` selects nothing.
pub fn select_items(id: Option<&str>, others: &[&'static str]) -> Result<Vec<&'static Item>, Error> {
    let is_selected = |item: &&Item| id.is_none_or(|id| item.id == id || item.paper.id == id);
    let selected: Vec<_> = items().filter(is_selected).collect();
    match id {
        Some(id) if selected.is_empty() => {
            let names = items().map(|item| item.id).chain(papers().iter().map(|paper| paper.id));
            let accepted: Vec<_> = names.chain(others.iter().copied()).collect();
            Err(Error::BadInput(format!("{id}: no such item; accepted: {}", accepted.join(", "))))
        }
        _ => Ok(selected),
    }
}

/// Measures the experiments of an item to the half-width `within`, `None` for the item's own.
///
/// # Errors
/// Returns the errors of [`measure`], or [`Error::Cancelled`].
pub fn item_sweeps(
    item: &Item,
    within: Option<f64>,
    execution: &Execution,
    journal: Option<&JournalWriter>,
) -> Result<Vec<Sweep>, Error> {
    let measured = |experiment: &Experiment| -> Result<Sweep, Error> {
        let sweep = measure(experiment, execution, item.id, journal)?;
        if execution.host.is_cancelled() { Err(Error::Cancelled) } else { Ok(sweep) }
    };
    item.experiments(within).iter().map(measured).collect()
}

/// Returns an item with its cells as readable text.
pub fn item_text(item: &Item, within: Option<f64>, cells: &[PaperValue]) -> String {
    let mut text = format!("{}\n{}\n", plain(item.title), plain(item.about));
    for experiment in item.experiments(within) {
        let _ = writeln!(text, "  {experiment}");
    }
    let head = ["cell", "published", "measured", "95% interval", "verdict"].map(str::to_owned).to_vec();
    let lines: Vec<_> = std::iter::once(head).chain(cells.iter().map(cell_columns)).collect();
    let remarks = std::iter::once("").chain(cells.iter().map(|cell| cell.remark.as_str()));
    for (line, remark) in table::align_columns(&lines).iter().zip(remarks) {
        let _ = writeln!(text, "{}", format!("  {line}   {remark}").trim_end());
    }
    let counts = [Verdict::Reproduced, Verdict::Close, Verdict::NotReproduced, Verdict::NoNumber, Verdict::Undecided]
        .map(|verdict| (verdict.id(), cells.iter().filter(|cell| cell.verdict == verdict).count()))
        .map(|(id, count)| format!("{count} {id}"));
    let _ = writeln!(text, "{} cells: {}", cells.len(), counts.join(", "));
    for erratum in errata_of(item.id) {
        let _ = writeln!(text, "erratum, {}: {}", plain(erratum.place), plain(erratum.about));
    }
    text.push('\n');
    text
}

fn cell_columns(cell: &PaperValue) -> Vec<String> {
    let dash = |text: Option<String>| text.unwrap_or("-".into());
    let digits = match cell.ci95 {
        _ if cell.is_exact() => 0,
        // Of a number that is computed, and no whole one, three digits are shown.
        Some([low, high]) if low == high => table::significant_digits(low.abs() / 10.0),
        Some([low, high]) => table::significant_digits((high - low) / 2.0),
        None => 2,
    };
    let interval = match cell.ci95 {
        _ if cell.is_exact() => Some("exact".to_owned()),
        Some([low, high]) if low == high => Some("computed".to_owned()),
        ends => ends.map(|ends| ends.map(|end| fixed(end, digits))).map(|[low, high]| format!("[{low}, {high}]")),
    };
    vec![
        cell.cell.clone(),
        dash(Some(cell.printed.clone()).filter(|printed| !printed.is_empty())),
        dash(cell.measured.map(|value| fixed(value, digits))),
        dash(interval),
        cell.verdict.id().into(),
    ]
}
