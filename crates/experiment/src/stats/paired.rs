//! Paired comparisons of two algorithms on the same faults and messages, in which common randomness
//! cancels.

use super::Estimate;
use super::run_estimates::ratio_of_runs;
use super::score_interval::{Sample, score_interval};

/// Results of one trial under two algorithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedValues {
    /// Weight of the trial, for example the length of a run.
    pub weight: f64,
    /// Result of the challenger.
    pub ours: f64,
    /// Result of the reference algorithm.
    pub theirs: f64,
}

/// Returns the weighted mean of a quantity of the pairs.
fn mean(pairs: &[PairedValues], of: impl Fn(&PairedValues) -> f64) -> f64 {
    let weight: f64 = pairs.iter().map(|pair| pair.weight).sum();
    pairs.iter().map(|pair| of(pair) * pair.weight).sum::<f64>() / weight
}

/// Origin of a pair, which decides the form of the interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairUnit {
    /// Single trial, whose values can be discrete or rare.
    Trial,
    /// Run, whose value is a mean over many messages.
    Run,
}

/// Returns the 95% interval around `mean` from the deviations of the pairs.
///
/// `unseen` is the possible deviation of trials that are too rare to have been seen.
fn interval(
    pairs: &[PairedValues],
    grain: PairUnit,
    mean: f64,
    unseen: f64,
    deviation: impl Fn(&PairedValues) -> f64,
) -> Estimate {
    let n = pairs.len() as u64;
    if grain == PairUnit::Run {
        let sums: Vec<_> = pairs.iter().map(|pair| (deviation(pair) * pair.weight, pair.weight)).collect();
        let half = ratio_of_runs(&sums, n).map_or(f64::INFINITY, |rest| rest.half_width());
        return Estimate { mean, low: mean - half, high: mean + half, n, runs: n };
    }
    let sum =
        |power: i32| pairs.iter().map(|pair| (0..power).fold(1.0, |product, _| product * deviation(pair))).sum::<f64>();
    let squares = if sum(2) > 1e-24 * unseen * unseen { sum(2) } else { 0.0 };
    let [low, high] = score_interval(&Sample { n, mean, squares, cubes: sum(3), unseen: [unseen; 2] });
    Estimate { mean, low, high, n, runs: n }
}

/// Estimates the challenger's mean minus the reference's mean; `None` without pairs.
pub fn difference(pairs: &[PairedValues], grain: PairUnit) -> Option<Estimate> {
    let by = mean(pairs, |pair| pair.ours - pair.theirs);
    let unseen = mean(pairs, |pair| pair.ours.max(pair.theirs));
    (!pairs.is_empty()).then(|| interval(pairs, grain, by, unseen, |pair| pair.ours - pair.theirs - by))
}

/// Estimates the share of the reference's mean that the challenger saves; negative where the
/// challenger needs more.
///
/// The estimate is a ratio of means with an interval by linearization. `None` without pairs, or if
/// the reference's mean is 0.
pub fn relative_saving(pairs: &[PairedValues], grain: PairUnit) -> Option<Estimate> {
    let base = mean(pairs, |pair| pair.theirs);
    let ratio = mean(pairs, |pair| pair.ours) / base;
    let saved = || interval(pairs, grain, 1.0 - ratio, ratio.max(1.0), |pair| (ratio * pair.theirs - pair.ours) / base);
    (!pairs.is_empty() && base > 0.0).then(saved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_randomness_cancels() {
        let pair =
            |i: u64| PairedValues { weight: 1.0, theirs: 10.0 + (i * 7 % 16) as f64, ours: 8.0 + (i * 7 % 16) as f64 };
        let pairs: Vec<_> = (0..64).map(pair).collect();
        let (by, share) =
            (difference(&pairs, PairUnit::Trial).unwrap(), relative_saving(&pairs, PairUnit::Trial).unwrap());
        assert!((by.mean + 2.0).abs() < 1e-12 && by.low < -2.0 && by.high > -2.0, "{by:?}");
        // The mean of `theirs` is 17.5.
        assert!((share.mean - 2.0 / 17.5).abs() < 1e-12 && share.half_width() < 0.1, "{share:?}");
        assert_eq!((difference(&[], PairUnit::Trial), relative_saving(&[], PairUnit::Run)), (None, None));
        // Intervals of runs make no allowance for rare events. The common part cancels up to
        // rounding.
        let half = |grain| difference(&pairs, grain).unwrap().half_width();
        assert!(half(PairUnit::Run) < half(PairUnit::Trial));
    }

    #[test]
    fn longer_runs_count_more() {
        let pairs =
            [(1.0, 4.0, 2.0), (3.0, 2.0, 2.0)].map(|(weight, ours, theirs)| PairedValues { weight, ours, theirs });
        assert!((difference(&pairs, PairUnit::Run).unwrap().mean - 0.5).abs() < 1e-12);
        assert!((relative_saving(&pairs, PairUnit::Run).unwrap().mean + 0.25).abs() < 1e-12);
    }
}
