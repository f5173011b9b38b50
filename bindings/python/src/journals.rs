//! Journals of shards, and the shard of a run.

use std::path::{Path, PathBuf};

use faultlab::api::native::{self, Error, Execution, JournalWriter};
use faultlab::experiment::Shard;
use faultlab::experiment::journal::JournalHeader;
use pyo3::prelude::*;

use crate::errors;
use crate::sweep::Sweep;

/// Maximum number of shards of a run.
const MAX_SHARDS: u32 = 100_000;

/// Combines the journals of all shards of a run, like `faultlab merge`.
#[pyfunction]
pub(crate) fn merge(py: Python<'_>, journals: Vec<PathBuf>) -> PyResult<Sweep> {
    let sweep = py.detach(|| native::merge(&journals)).map_err(|error| errors::failure(py, error))?;
    Ok(Sweep { sweep })
}

/// Opens a journal, and notes that it resumes a stored run.
pub(crate) fn open_journal(path: &Path, head: &JournalHeader, execution: &Execution) -> Result<JournalWriter, Error> {
    let journal = JournalWriter::at(path, head)?;
    if let Some(note) = journal.note() {
        execution.host.note(note);
    }
    Ok(journal)
}

/// Returns the shard `(number, count)`.
pub(crate) fn parse_shard(py: Python<'_>, shard: Option<(u32, u32)>, has_journal: bool) -> PyResult<Option<Shard>> {
    let Some((number, count)) = shard else { return Ok(None) };
    let value = format!("({number}, {count})");
    if !(1..=count).contains(&number) || count > MAX_SHARDS {
        let accepted = format!("(I, N), N up to {MAX_SHARDS} and I from 1 to N");
        return Err(errors::bad_value(py, "shard", &value, &accepted));
    }
    if !has_journal {
        return Err(errors::bad_value(py, "shard", &value, "a shard with a journal, which merge() reads"));
    }
    Ok(Some(Shard { number, count }))
}
