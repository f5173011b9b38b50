//! Sums over trials, from which means and ratios follow with their intervals.

use serde::{Deserialize, Serialize};

use super::Estimate;
use super::estimate::student_t;

/// Sums over trials, each with a part and the whole that it is of: integers, from which the mean of the parts and the ratio of
/// both follow with their deviations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatioTally {
    /// Trials.
    pub trials: u64,
    /// The sum of the wholes.
    pub whole: u64,
    /// The sum of the parts.
    pub part: u64,
    /// The sum of the squares of the wholes.
    pub whole_whole: u128,
    /// The sum of the products of wholes and parts.
    pub whole_part: u128,
    /// The sum of the squares of the parts.
    pub part_part: u128,
}

impl RatioTally {
    /// Counts one trial.
    pub(crate) fn add(&mut self, part: u64, whole: u64) {
        self.trials += 1;
        self.whole += whole;
        self.part += part;
        let (whole, part) = (u128::from(whole), u128::from(part));
        self.whole_whole += whole * whole;
        self.whole_part += whole * part;
        self.part_part += part * part;
    }

    /// Adds the sums of `other`.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.whole += other.whole;
        self.part += other.part;
        self.whole_whole += other.whole_whole;
        self.whole_part += other.whole_part;
        self.part_part += other.part_part;
    }

    /// The share that the parts are of the wholes: a ratio of sums over trials, its interval by the delta method. Of one trial
    /// it is exact; `None` without anything to share.
    pub(crate) fn ratio(&self) -> Option<Estimate> {
        if self.trials == 0 || self.whole == 0 {
            return None;
        }
        let ratio = self.part as f64 / self.whole as f64;
        // The sum over trials of (part - ratio * whole)^2.
        let residual =
            self.part_part as f64 - 2.0 * ratio * self.whole_part as f64 + ratio * ratio * self.whole_whole as f64;
        let half = half_width(residual.max(0.0), self.trials) * self.trials as f64 / self.whole as f64;
        // No part is negative, and none that is at most its whole makes a share above 1.
        let most = if self.part <= self.whole { 1.0 } else { f64::INFINITY };
        Some(Estimate { mean: ratio, low: (ratio - half).max(0.0), high: (ratio + half).min(most), n: self.trials })
    }

    /// The mean of the parts; `None` without trials.
    pub(crate) fn mean(&self) -> Option<Estimate> {
        if self.trials == 0 {
            return None;
        }
        let mean = self.part as f64 / self.trials as f64;
        let squares = self.part_part as f64 - mean * self.part as f64;
        let half = half_width(squares.max(0.0), self.trials);
        Some(Estimate { mean, low: (mean - half).max(0.0), high: mean + half, n: self.trials })
    }
}

/// Half the interval of a mean of `n` values with this sum of squared deviations.
fn half_width(squares: f64, n: u64) -> f64 {
    if n < 2 { 0.0 } else { student_t(n - 1) * (squares / (n - 1) as f64 / n as f64).sqrt() }
}
