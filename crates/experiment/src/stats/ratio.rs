//! Sums over trials, with estimates of means and ratios and their intervals.

use serde::{Deserialize, Serialize};

use super::Estimate;
use super::score_interval::{Sample, score_interval};

/// Sums over trials, each with a part and a whole. They determine the mean of the parts and the
/// ratio of both, with their deviations. All sums are integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatioTally {
    /// Number of trials.
    pub trials: u64,
    /// Sum of the wholes.
    pub whole: u64,
    /// Sum of the parts.
    pub part: u64,
    /// Sum of the squares of the wholes.
    pub whole_whole: u128,
    /// Sum of the products of wholes and parts.
    pub whole_part: u128,
    /// Sum of the squares of the parts.
    pub part_part: u128,
    /// Sums of the products of three wholes, of two wholes and a part, of a whole and two parts,
    /// and of three parts.
    ///
    /// The sums saturate at 2^128 - 1, with parts of 2^40 after a few trials. Only the skewness is
    /// then lost.
    pub cubes: [u128; 4],
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
        let three = [(whole * whole, whole), (whole * whole, part), (part * part, whole), (part * part, part)];
        self.add_cubes(three.map(|(pair, third)| pair.saturating_mul(third)));
    }

    /// Adds the sums of `other`.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.whole += other.whole;
        self.part += other.part;
        self.whole_whole += other.whole_whole;
        self.whole_part += other.whole_part;
        self.part_part += other.part_part;
        self.add_cubes(other.cubes);
    }

    fn add_cubes(&mut self, cubes: [u128; 4]) {
        self.cubes.iter_mut().zip(cubes).for_each(|(sum, more)| *sum = sum.saturating_add(more));
    }

    /// Estimates the ratio of parts to wholes where it is a share from 0 to 1; see
    /// [`RatioTally::ratio`].
    pub(crate) fn share(&self) -> Option<Estimate> {
        self.estimate(|mean, _| [mean, 1.0 - mean]).map(|share| share.clamped(0.0, 1.0))
    }

    /// Estimates the ratio of the sums of parts and wholes, with the score interval of its
    /// linearization.
    ///
    /// The interval is unbounded for one trial. `None` if the wholes are 0.
    pub(crate) fn ratio(&self) -> Option<Estimate> {
        self.estimate(|mean, unit| [mean, mean.max(unit)]).map(|ratio| ratio.clamped(0.0, f64::INFINITY))
    }

    /// Estimates the mean of the parts; `None` without trials.
    pub(crate) fn mean(&self) -> Option<Estimate> {
        let (trials, part) = (u128::from(self.trials), u128::from(self.part));
        let cubes = [trials, part, self.part_part, self.cubes[3]];
        Self { whole: self.trials, whole_whole: trials, whole_part: part, cubes, ..*self }.ratio()
    }

    /// Estimates the ratio with its interval.
    ///
    /// `unseen` returns the possible deviations, below and above, of trials that are too rare to
    /// have been seen. Its arguments are the mean and the effect of one more part in a trial.
    fn estimate(&self, unseen: impl Fn(f64, f64) -> [f64; 2]) -> Option<Estimate> {
        if self.trials == 0 || self.whole == 0 {
            return None;
        }
        let mean = self.part as f64 / self.whole as f64;
        let size = self.whole as f64 / self.trials as f64;
        // Sums over trials of (part - mean * whole), squared and cubed, in units of the mean whole.
        let squares =
            self.part_part as f64 - 2.0 * mean * self.whole_part as f64 + mean * mean * self.whole_whole as f64;
        // If all trials are equal, the remaining deviation is a rounding error.
        let squares = if squares > self.part_part as f64 * 1e-12 { squares } else { 0.0 };
        let [www, wwp, wpp, ppp] = self.cubes.map(|sum| sum as f64);
        let cubes = ppp - 3.0 * mean * wpp + 3.0 * mean * mean * wwp - mean * mean * mean * www;
        let sample = Sample {
            n: self.trials,
            mean,
            squares: squares / (size * size),
            cubes: if self.cubes.contains(&u128::MAX) { 0.0 } else { cubes / (size * size * size) },
            unseen: unseen(mean, 1.0 / size),
        };
        let [low, high] = score_interval(&sample);
        Some(Estimate { mean, low, high, n: self.trials, runs: self.trials })
    }
}
