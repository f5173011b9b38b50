//! The papers: their items measured again, their errors, and the list of their statements.

use std::path::PathBuf;

use faultlab::api::native::{Error, item_sweeps, item_text, select_items};
use faultlab::experiment::Shard;
use faultlab::experiment::journal::JournalHeader;
use faultlab::report::document::Document;
use faultlab::report::errata::Errata;
use faultlab::report::files::{csv, json};
use faultlab::report::paper_rows::PaperRows;
use faultlab::report::presets::Presets;
use pyo3::prelude::*;

use crate::errors;
use crate::experiment::{Texts, texts_of};
use crate::interruptible::run;
use crate::journals::open_journal;

/// Measures items of the papers again, like `faultlab papers`: text, CSV and JSON.
#[pyfunction]
pub(crate) fn papers(
    py: Python<'_>,
    id: Option<String>,
    within: Option<f64>,
    threads: Option<usize>,
    journal: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Texts> {
    if let Some(within) = within.filter(|within| !(0.0001..=0.5).contains(within)) {
        return Err(errors::bad_value(py, "within", &within.to_string(), "a number from 0.0001 to 0.5"));
    }
    let work = move |execution: &_| -> Result<Texts, Error> {
        let items = select_items(id.as_deref(), &[])?;
        let note = within.map_or(String::new(), |within| format!(" --within {within}"));
        let about = format!("papers {}{note}", id.as_deref().unwrap_or("(all)"));
        let head = JournalHeader::about(about, Shard::WHOLE);
        let journal = journal.map(|path| open_journal(&path, &head, execution)).transpose()?;
        let (mut text, mut cells) = (String::new(), Vec::new());
        for item in items {
            let sweeps = item_sweeps(item, within, execution, journal.as_ref())?;
            let found = item.cells(&sweeps);
            text.push_str(&item_text(item, within, &found));
            cells.extend(found);
        }
        Ok((text, csv::papers(&cells), json::papers(&cells)))
    };
    run(py, threads, progress, work)?.complete()
}

/// Returns the errors of the papers: text, CSV and JSON.
#[pyfunction]
pub(crate) fn errata() -> Texts {
    texts_of(&Errata)
}

/// Returns the statements of the papers that match all words: text, CSV and JSON.
#[pyfunction]
pub(crate) fn paper_rows(py: Python<'_>, words: Vec<String>) -> PyResult<Texts> {
    let rows = PaperRows::matching(&words).map_err(|error| errors::bad_input(py, &error))?;
    Ok(texts_of(&rows as &dyn Document))
}

/// Returns the presets: text, CSV and JSON.
#[pyfunction]
pub(crate) fn presets() -> Texts {
    texts_of(&Presets)
}
