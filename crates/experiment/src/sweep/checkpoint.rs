//! Checkpoints of a sweep, as bytes: the merged tally of each point, and the tasks in flight.
//!
//! The size of a checkpoint grows with the number of points. A journal grows with the work, because
//! it has a record for each task. Checkpoints suit limited storage that is rewritten completely.
//!
//! The CRC-32 of the bytes (32 bits, little endian) precedes them, as in a journal.

use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::checksum::crc32;
use super::{Phase, Sweep, Task};
use crate::Tally;

/// State of one point.
#[derive(Serialize, Deserialize)]
struct PointCheckpoint {
    goal: u64,
    issued: u64,
    phase: Phase,
    tally: Tally,
}

/// State of a sweep.
#[derive(Serialize, Deserialize)]
struct SweepCheckpoint {
    points: Vec<PointCheckpoint>,
    /// Tasks in flight: handed out, without a tally.
    out: Vec<Task>,
}

impl SweepCheckpoint {
    /// Returns whether the missing trials of every point are exactly those in flight.
    fn is_whole(&self) -> bool {
        let has_place = |task: &Task| {
            let point = self.points.get(task.slot as usize);
            point.is_some_and(|point| point.phase.issued(task.first).saturating_add(task.count) <= point.issued)
        };
        let adds_up = |(point, slot): (&PointCheckpoint, u32)| {
            let out = self.out.iter().filter(|task| task.slot == slot);
            let all = out.fold(point.tally.trials, |sum, task| sum.saturating_add(task.count));
            all == point.issued && point.issued <= point.goal
        };
        self.out.iter().all(has_place) && self.points.iter().zip(0..).all(adds_up)
    }
}

/// Error of bytes that are not a valid checkpoint: damaged, or written for another experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidCheckpoint;

impl fmt::Display for InvalidCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the saved state of the sweep is damaged")
    }
}

impl Error for InvalidCheckpoint {}

/// Returns the bytes after their checksum, if they match it.
fn verify_checksum(bytes: &[u8]) -> Option<&[u8]> {
    let (sum, rest) = bytes.split_first_chunk()?;
    (u32::from_le_bytes(*sum) == crc32(rest)).then_some(rest)
}

impl Sweep {
    /// Returns a checkpoint of the sweep as bytes, while the tasks `out` are in flight. Must not be
    /// called on a cancelled sweep.
    pub fn checkpoint(&self, out: &[Task]) -> Vec<u8> {
        let point = |point: &super::PointResult| PointCheckpoint {
            goal: point.target,
            issued: point.dispatched,
            phase: point.phase,
            tally: point.tally.clone(),
        };
        let points = self.points.iter().map(point).collect();
        // Sequences of known length, numbers and strings can always be serialized.
        let bytes =
            postcard::to_allocvec(&SweepCheckpoint { points, out: [out, &self.requeued].concat() }).unwrap_or_default();
        [&crc32(&bytes).to_le_bytes()[..], &bytes].concat()
    }

    /// Resumes from a checkpoint of a sweep of the same experiment. Must be called before any task
    /// runs.
    ///
    /// # Errors
    /// Returns an error if the bytes are damaged, or recognizably of another experiment. The sweep
    /// is then unchanged.
    pub fn resume_from(&mut self, bytes: &[u8]) -> Result<(), InvalidCheckpoint> {
        let bytes = verify_checksum(bytes).ok_or(InvalidCheckpoint)?;
        let Ok((halfway, [])) = postcard::take_from_bytes::<SweepCheckpoint>(bytes) else {
            return Err(InvalidCheckpoint);
        };
        if halfway.points.len() != self.points.len() || !halfway.is_whole() {
            return Err(InvalidCheckpoint);
        }
        for (point, known) in self.points.iter_mut().zip(halfway.points) {
            (point.target, point.dispatched, point.phase) = (known.goal, known.issued, known.phase);
            point.tally = known.tally;
            point.apply_stopping_rule(&self.experiment);
        }
        self.requeued = halfway.out;
        Ok(())
    }

    /// Returns the number of completed trials.
    pub fn trials(&self) -> u64 {
        self.points.iter().map(|point| point.tally.trials).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Experiment, run};

    fn tally(sweep: &Sweep, task: Task) -> Tally {
        Sweep::sampler(sweep.experiment(), task.slot).unwrap().run(task.first, task.count)
    }

    /// Experiments of each kind, including exact and impossible points.
    const TEXTS: [&str; 6] = [
        "net=cube:5&faults=nodes:0.3&vary=p:0,0.4,0.99&route=sidetracking,backtracking&within=0.05",
        "net=cube:5&switch=circuit&vary=rate:0.1,0.3&within=0.2&trials=20000",
        "net=mesh:5x5&switch=wormhole&vary=load:0.1,0.5&within=0.2&trials=2000",
        "net=cube:5&switch=permutation&vary=n:4,5&within=0.1",
        "net=tree:32&switch=delivery&within=0.1",
        "net=cube:5&faults=nodes:0.2&switch=pairs&within=0.1",
    ];

    #[test]
    fn resumed_sweep_ends_with_identical_tallies() {
        for text in TEXTS {
            let experiment: Experiment = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            let mut whole = Sweep::new(&experiment);
            run(&mut whole);
            let (mut sweep, mut out, mut interrupted) = (Sweep::new(&experiment), Vec::new(), 0u32);
            loop {
                // Like workers, hold several tasks and complete them in another order.
                while out.len() < 3
                    && let Some(task) = sweep.next_task()
                {
                    out.push(task);
                }
                if out.is_empty() {
                    break;
                }
                let task = out.remove(interrupted as usize % out.len());
                sweep.submit(task, &tally(&sweep, task));
                let bytes = sweep.checkpoint(&out);
                let mut next = Sweep::new(&experiment);
                assert_eq!(next.resume_from(&bytes), Ok(()), "{text}");
                assert_eq!(next.trials(), sweep.trials());
                assert_eq!(next.checkpoint(&[]).len(), bytes.len(), "it can be interrupted at once again");
                (sweep, interrupted) = (next, interrupted + 1);
                out.clear();
            }
            assert!(sweep.is_done(), "{text}");
            for (one, other) in sweep.points().iter().zip(whole.points()) {
                assert_eq!(
                    (&one.tally, one.status, one.reason()),
                    (&other.tally, other.status, other.reason()),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn invalid_checkpoints_are_rejected_without_effect() {
        let experiment: Experiment = TEXTS[0].parse().unwrap();
        let mut sweep = Sweep::new(&experiment);
        let mut out = Vec::new();
        for number in 0..8 {
            let task = sweep.next_task().unwrap();
            if number % 3 == 0 {
                out.push(task);
            } else {
                sweep.submit(task, &tally(&sweep, task));
            }
        }
        let bytes = sweep.checkpoint(&out);
        let untouched = Sweep::new(&experiment).checkpoint(&[]);
        let refuses = |bytes: &[u8]| {
            let mut sweep = Sweep::new(&experiment);
            sweep.resume_from(bytes) == Err(InvalidCheckpoint) && sweep.checkpoint(&[]) == untouched
        };
        for cut in 0..bytes.len() {
            assert!(refuses(&bytes[..cut]), "{cut}");
        }
        assert!(refuses(&[&bytes[..], &[0]].concat()));
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(refuses(&flipped), "bit {bit}");
        }
        assert!(refuses(&sweep.checkpoint(&out[1..])), "a task is missing");
        assert!(refuses(&sweep.checkpoint(&[&out[..], &out[..1]].concat())), "a task is out twice");
        let other: Experiment = TEXTS[4].parse().unwrap();
        assert!(refuses(&Sweep::new(&other).checkpoint(&[])), "it has other points");
    }
}
