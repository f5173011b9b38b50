//! Sums over trials, from which means and ratios follow with their intervals.

use serde::{Deserialize, Serialize};

use super::Estimate;
use super::score::{Sample, score_interval};

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
    /// The sums of the products of three: wholes, then one part more and one whole less each. Beyond 2^128 they stay there: parts of
    /// 2^40 are too large for more than a few trials, and then only skewness goes unnoticed.
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
        self.gain(three.map(|(pair, third)| pair.saturating_mul(third)));
    }

    /// Adds the sums of `other`.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.whole += other.whole;
        self.part += other.part;
        self.whole_whole += other.whole_whole;
        self.whole_part += other.whole_part;
        self.part_part += other.part_part;
        self.gain(other.cubes);
    }

    fn gain(&mut self, cubes: [u128; 4]) {
        self.cubes.iter_mut().zip(cubes).for_each(|(sum, more)| *sum = sum.saturating_add(more));
    }

    /// The share that the parts are of the wholes, 0 to 1; see [`RatioTally::ratio`].
    pub(crate) fn share(&self) -> Option<Estimate> {
        self.estimate(|mean, _| [mean, 1.0 - mean]).map(|share| share.cut_to(0.0, 1.0))
    }

    /// The ratio of the sums of parts and wholes over trials, with the score interval of its linearization; unbounded for one
    /// trial. `None` without anything to share.
    pub(crate) fn ratio(&self) -> Option<Estimate> {
        self.estimate(|mean, unit| [mean, mean.max(unit)]).map(|ratio| ratio.cut_to(0.0, f64::INFINITY))
    }

    /// The mean of the parts; `None` without trials.
    pub(crate) fn mean(&self) -> Option<Estimate> {
        let (trials, part) = (u128::from(self.trials), u128::from(self.part));
        let cubes = [trials, part, self.part_part, self.cubes[3]];
        Self { whole: self.trials, whole_whole: trials, whole_part: part, cubes, ..*self }.ratio()
    }

    /// The ratio with its interval; `unseen` says from the mean, and what one more part would change in a trial, how far below
    /// and above it a trial may lie that is too rare to have been seen.
    fn estimate(&self, unseen: impl Fn(f64, f64) -> [f64; 2]) -> Option<Estimate> {
        if self.trials == 0 || self.whole == 0 {
            return None;
        }
        let mean = self.part as f64 / self.whole as f64;
        let size = self.whole as f64 / self.trials as f64;
        // The sums over trials of (part - mean * whole), squared and cubed, in shares of the mean whole.
        let squares =
            self.part_part as f64 - 2.0 * mean * self.whole_part as f64 + mean * mean * self.whole_whole as f64;
        // What is left of it by rounding alone, where all trials are alike, is nothing.
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
