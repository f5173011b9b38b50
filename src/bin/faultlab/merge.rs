//! Command `merge`: combines the journals of all shards of a run.

use std::io::{self, BufRead as _};
use std::path::{Path, PathBuf};

use faultlab::experiment::journal::{JournalHeader, TaskResults};
use faultlab::experiment::{Experiment, Status, Sweep};

use crate::arguments::MergeArgs;
use crate::measure::print_sweep;
use crate::output::CliError;
use crate::output_target::{OutputTarget, check_distinct_files};
use crate::work::{check_version, read_journal};

/// Maximum number of journals that are read from standard input.
const MAX_JOURNALS: usize = 1_000_000;

/// Maximum number of missing points that the error message names.
const MAX_NAMED_POINTS: usize = 12;

/// Runs `faultlab merge`.
pub(crate) fn merge(arguments: &MergeArgs) -> Result<(), CliError> {
    let place = arguments.printed.svg.as_deref().map(OutputTarget::at).transpose()?;
    let (mut head, mut known): (Option<JournalHeader>, TaskResults) = (None, TaskResults::default());
    let journals = journal_paths(&arguments.journals)?;
    if let Some(svg) = &arguments.printed.svg {
        journals.iter().try_for_each(|journal| check_distinct_files(("--svg", svg), ("JOURNAL", journal)))?;
    }
    for path in &journals {
        let bad = |why: String| CliError::BadInput(format!("journal {}: {why}", path.display()));
        let journal = read_journal(path)?;
        check_version(path, &journal.head)?;
        let first = head.get_or_insert_with(|| journal.head.clone());
        if journal.head.about != first.about {
            return Err(bad(format!(
                "it was recorded for {}, the others for {}; give only journals of one run",
                journal.head.about, first.about
            )));
        }
        if let Some(slot) = known.merge(journal.known) {
            return Err(bad(format!(
                "its results at point {slot} contradict another journal: one of them was not written by this program"
            )));
        }
    }
    let text = head.map(|head| head.text).unwrap_or_default();
    let experiment: Experiment = text
        .parse()
        .map_err(|_| CliError::BadInput(format!("the journals were recorded for {text}, which has no shards")))?;
    let mut sweep = Sweep::new(&experiment);
    known.replay(&mut sweep);
    if !sweep.is_done() {
        return Err(missing_points_failure(&sweep));
    }
    print_sweep(&sweep, &arguments.printed, place)
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

/// Returns the failure that names the points that no journal completes.
fn missing_points_failure(sweep: &Sweep) -> CliError {
    let points = sweep.points().iter().zip(0..).filter(|(point, _)| point.status == Status::Running);
    let named = |(point, slot): (&faultlab::experiment::PointResult, u32)| {
        let at = point.x.map_or(String::new(), |x| format!(" at {x}"));
        format!("{slot} ({}{at})", point.algorithm.id)
    };
    let all: Vec<_> = points.map(named).collect();
    let more = if all.len() > MAX_NAMED_POINTS {
        format!(" and {} more", all.len() - MAX_NAMED_POINTS)
    } else {
        String::new()
    };
    let first = all.iter().take(MAX_NAMED_POINTS).map(String::as_str).collect::<Vec<_>>().join(", ");
    CliError::System(format!(
        "{} of {} points are missing or not finished: {first}{more}; run their shards again",
        all.len(),
        sweep.points().len()
    ))
}
