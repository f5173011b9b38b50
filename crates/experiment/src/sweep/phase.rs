//! Phases of a point: in each one, the same runs are twice as long as in the one before.

use serde::{Deserialize, Serialize};

/// A phase of a point, and the number of trials that were made before it.
///
/// A trial's number names its phase and its place in it, so that the length of a run follows from its number alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Phase {
    number: u32,
    before: u64,
}

/// The bits of a trial's number that count trials within a phase.
const BITS: u32 = 40;

impl Phase {
    /// The next phase, after `trials` trials in all.
    pub(crate) fn next(self, trials: u64) -> Self {
        Self { number: self.number + 1, before: trials }
    }

    /// The trials that were made before the phase.
    pub(crate) fn before(self) -> u64 {
        self.before
    }

    /// The number of the trial before which `issued` others were handed out, those of earlier phases included.
    pub(crate) fn trial(self, issued: u64) -> u64 {
        (u64::from(self.number) << BITS) + (issued - self.before)
    }

    /// Returns the number of trials that were handed out before the one with this number, those of earlier phases included.
    pub(crate) fn issued(self, trial: u64) -> u64 {
        self.before + Self::index(trial)
    }

    /// The place of trial number `trial` among those of its phase.
    pub(crate) fn index(trial: u64) -> u64 {
        trial & ((1 << BITS) - 1)
    }

    /// The number of the phase to which trial number `trial` belongs; 0 is the first.
    pub(crate) fn number_at(trial: u64) -> u32 {
        (trial >> BITS) as u32
    }
}
