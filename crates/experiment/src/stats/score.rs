//! The interval of a mean of independent values, whatever their distribution: lumpy, skewed, or all alike so far.

use super::student::{never, student_t};

/// Independent values, as far as an interval needs them.
pub(super) struct Sample {
    /// How many.
    pub(super) n: u64,
    /// Their mean.
    pub(super) mean: f64,
    /// The sum of the squares of their deviations from the mean.
    pub(super) squares: f64,
    /// The sum of the cubes of their deviations from the mean.
    pub(super) cubes: f64,
    /// How far below and above the mean values may lie that are too rare to have been seen.
    pub(super) unseen: [f64; 2],
}

/// How much of the interval of values that are all alike any interval has at least, for what is rare enough not to have been seen
/// may move the mean even where all else hardly varies. Of 256 times of which one in fifty is up to three times as long, as RANDOM
/// takes on 256 processors, a half, three quarters and all of it cover the mean in 92.1, 93.0 and 97.4% of 4,000 samples; but all
/// of it widens intervals that need it least.
const RARE: f64 = 0.75;

/// The 95% score interval of a mean, unbounded for one value.
///
/// The means m at most `t` standard errors from the observed one, where the standard error is that which the values would have *at m*
/// (E. B. Wilson, "Probable inference, the law of succession, and statistical inference", J. Am. Stat. Assoc. 22, 1927, for values 0
/// and 1). Where the mean of a distribution moves along its exponential family, its variance changes at the rate of the third
/// cumulant over the second one; this is the first-order correction for skewness of N. J. Johnson, "Modified t tests and
/// confidence intervals for asymmetrical populations", J. Am. Stat. Assoc. 73, 1978. Without skewness it is Student's interval. Of
/// values that are all alike the interval is Wilson's of an event that has never occurred, times the distance at which such a
/// value may lie.
pub(super) fn score_interval(sample: &Sample) -> [f64; 2] {
    let &Sample { n, mean, squares, cubes, unseen } = sample;
    if n < 2 {
        return [f64::NEG_INFINITY, f64::INFINITY];
    }
    let out = |share: f64| [mean - unseen[0] * share, mean + unseen[1] * share];
    if squares <= 0.0 {
        return out(never(n));
    }
    let t = student_t(n - 1);
    let variance = squares / (n - 1) as f64;
    // The roots d of d^2 = t^2 / n (variance + slope d).
    let scale = t * t / n as f64;
    let lean = scale * (cubes / n as f64 / variance);
    let width = (lean * lean + 4.0 * scale * variance).sqrt();
    let [low, high] = out(RARE * never(n));
    [low.min(mean + (lean - width) / 2.0), high.max(mean + (lean + width) / 2.0)]
}
