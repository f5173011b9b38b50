//! Command `merge`: combines the journals of all shards of a run.

use std::io::{self, BufRead as _};
use std::path::{Path, PathBuf};

use faultlab::api::native;

use crate::arguments::MergeArgs;
use crate::measure::print_sweep;
use crate::output::CliError;
use crate::output_target::{OutputTarget, check_distinct_files};

/// Maximum number of journals that are read from standard input.
const MAX_JOURNALS: usize = 1_000_000;

/// Runs `faultlab merge`.
pub(crate) fn merge(arguments: &MergeArgs) -> Result<(), CliError> {
    let place = arguments.printed.svg.as_deref().map(OutputTarget::at).transpose()?;
    let journals = journal_paths(&arguments.journals)?;
    if let Some(svg) = &arguments.printed.svg {
        journals.iter().try_for_each(|journal| check_distinct_files(("--svg", svg), ("JOURNAL", journal)))?;
    }
    print_sweep(&native::merge(&journals)?, &arguments.printed, place)
}

/// Returns the paths of the journals; `-` means the list on standard input.
fn journal_paths(named: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    if named != [Path::new("-")] {
        return Ok(named.to_vec());
    }
    let lines = io::stdin().lock().lines().take(MAX_JOURNALS).collect::<Result<Vec<_>, _>>();
    let lines = lines.map_err(|error| CliError::BadInput(format!("standard input: {error}")))?;
    let listed: Vec<PathBuf> = lines.iter().filter(|line| !line.trim().is_empty()).map(PathBuf::from).collect();
    match listed.is_empty() {
        true => Err(CliError::BadInput("standard input: empty; accepted: the paths of journals, one per line".into())),
        false => Ok(listed),
    }
}
