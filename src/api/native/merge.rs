//! Combination of the journals of all shards of a run.

use std::path::PathBuf;

use super::{Error, check_version, read_journal};
use crate::experiment::journal::{JournalHeader, TaskResults};
use crate::experiment::{Experiment, PointResult, Status, Sweep};

/// Maximum number of missing points that the error message names.
const MAX_NAMED_POINTS: usize = 12;

/// Returns the sweep whose shards are in the journals at `paths`, like `faultlab merge`.
///
/// # Errors
/// Returns an error if a journal cannot be read, if the journals are not of one run, or if points
/// are missing.
pub fn merge(paths: &[PathBuf]) -> Result<Sweep, Error> {
    let (mut head, mut known): (Option<JournalHeader>, TaskResults) = (None, TaskResults::default());
    for path in paths {
        let bad = |why: String| Error::BadInput(format!("journal {}: {why}", path.display()));
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
        .map_err(|_| Error::BadInput(format!("the journals were recorded for {text}, which has no shards")))?;
    let mut sweep = Sweep::new(&experiment);
    known.replay(&mut sweep);
    if sweep.is_done() { Ok(sweep) } else { Err(missing_points_error(&sweep)) }
}

/// Returns the error that names the points that no journal completes.
fn missing_points_error(sweep: &Sweep) -> Error {
    let points = sweep.points().iter().zip(0..).filter(|(point, _)| point.status == Status::Running);
    let named = |(point, slot): (&PointResult, u32)| {
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
    Error::System(format!(
        "{} of {} points are missing or not finished: {first}{more}; run their shards again",
        all.len(),
        sweep.points().len()
    ))
}
