//! Phases of a point, in each of which the runs are twice as long as in the one before.

use serde::{Deserialize, Serialize};

/// Phase of a point, with the number of trials made before it.
///
/// A trial's number contains its phase and its index in that phase, so that it alone determines the
/// length of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Phase {
    number: u32,
    before: u64,
}

/// Number of bits of a trial's number that count trials within a phase.
const BITS: u32 = 40;

impl Phase {
    /// Returns the next phase, after a total of `trials` trials.
    pub(crate) fn next(self, trials: u64) -> Self {
        Self { number: self.number + 1, before: trials }
    }

    /// Returns the number of trials made before the phase.
    pub(crate) fn before(self) -> u64 {
        self.before
    }

    /// Returns the number of the trial that follows `issued` trials, those of earlier phases
    /// included.
    pub(crate) fn trial(self, issued: u64) -> u64 {
        (u64::from(self.number) << BITS) + (issued - self.before)
    }

    /// Returns the number of trials that were handed out before the one with this number, those of
    /// earlier phases included.
    pub(crate) fn issued(self, trial: u64) -> u64 {
        self.before + Self::index(trial)
    }

    /// Returns the index of trial number `trial` within its phase.
    pub(crate) fn index(trial: u64) -> u64 {
        trial & ((1 << BITS) - 1)
    }

    /// Returns the phase of trial number `trial`; 0 is the first.
    pub(crate) fn number_at(trial: u64) -> u32 {
        (trial >> BITS) as u32
    }
}
