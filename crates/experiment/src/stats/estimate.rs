//! Estimates with 95% confidence intervals, by arithmetic that gives identical bits on every
//! target.

use serde::Serialize;

use super::score_interval::{Sample, score_interval};
use super::student::{NORMAL_95, rare_event_bound, student_t};
use faultlab_core::switching::SetupHistogram;

/// Estimate with its 95% confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Point estimate.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Number of messages from which the estimate is computed.
    pub n: u64,
    /// Number of independent trials from which the interval is computed.
    ///
    /// Depending on the kind, the trials are messages, runs, fault sets or message sets.
    pub runs: u64,
}

impl Estimate {
    /// Creates an estimate of a value that is known exactly.
    pub(crate) fn exact(mean: f64) -> Self {
        Self { mean, low: mean, high: mean, n: 1, runs: 1 }
    }

    /// Returns half the width of the interval.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Returns this estimate as an exact value, for values without randomness.
    pub(crate) fn as_exact(self) -> Self {
        Self { low: self.mean, high: self.mean, ..self }
    }

    /// Returns this estimate with an unbounded interval, for runs that have not settled.
    pub(crate) fn without_interval(self) -> Self {
        Self { low: f64::NEG_INFINITY, high: f64::INFINITY, ..self }
    }

    /// Returns this estimate with its interval limited to the possible values. Unbounded ends stay
    /// unbounded.
    pub(crate) fn clamped(self, least: f64, most: f64) -> Self {
        let cut = |end: f64| if end.is_finite() { end.clamp(least, most) } else { end };
        Self { low: cut(self.low).min(self.mean), high: cut(self.high).max(self.mean), ..self }
    }

    /// Returns the reason why the interval is unbounded, in words.
    pub fn why_unbounded(&self) -> &'static str {
        if self.runs > 1 { "not settled" } else { "one trial" }
    }

    /// Returns whether the estimate is exact, that is, its interval has no width.
    pub fn is_exact(&self) -> bool {
        self.low == self.high
    }

    /// Returns the estimate times `factor` (above 0) plus `shift`.
    pub fn scaled(self, factor: f64, shift: f64) -> Self {
        let map = |value: f64| value * factor + shift;
        Self { mean: map(self.mean), low: map(self.low), high: map(self.high), ..self }
    }
}

/// Merges histograms of times and returns the upper end of each bucket that is not empty,
/// ascending, with its count.
///
/// The bucket of times that are exactly 0 has the end 0.
pub(crate) fn distribution<'a>(histograms: impl Iterator<Item = &'a SetupHistogram>) -> Vec<(f64, u64)> {
    let mut all = SetupHistogram::default();
    histograms.for_each(|histogram| all.merge(histogram));
    let buckets = (0u64..).zip(&all.counts).map(|(bucket, &count)| (SetupHistogram::bounds(bucket).1, count));
    std::iter::once((0.0, all.zero)).chain(buckets).filter(|&(_, count)| count > 0).collect()
}

/// Smallest mean of a Poisson number under which at least 1, 2 or 3 events have probability 5%.
const RARE_EVENT_MEANS: [f64; 3] = [0.051_293_294_387_550_58, 0.355_361_510_698_662_4, 0.817_691_447_163_953];

/// Estimates a probability from `hits` of `n`, with Wilson's score interval, which is valid near 0
/// and 1 too; `None` for n = 0.
///
/// For up to three hits or misses, where Wilson's interval fails, it is modified (L. D. Brown, T.
/// T. Cai, A. DasGupta, "Interval estimation for a binomial proportion", Statistical Science 16,
/// 2001, section 4.1.1).
pub fn proportion(hits: u64, n: u64) -> Option<Estimate> {
    if n == 0 {
        return None;
    }
    let (total, mean) = (n as f64, hits as f64 / n as f64);
    let spread = NORMAL_95 * NORMAL_95 / total;
    let center = (mean + spread / 2.0) / (1.0 + spread);
    let half = NORMAL_95 / (1.0 + spread) * (mean * (1.0 - mean) / total + spread / (4.0 * total)).sqrt();
    // The interval ends exactly at 0 or 1; rounding must not change that.
    let rare = |hits: u64, end: f64| match hits {
        0 => 0.0,
        1..=3 => end.min(RARE_EVENT_MEANS[hits as usize - 1] / total),
        _ => end,
    };
    let low = rare(hits, center - half);
    let high = 1.0 - rare(n - hits, 1.0 - (center + half));
    Some(Estimate { mean, low, high, n, runs: n })
}

/// Central moments of the values of a histogram.
struct Moments {
    n: u64,
    mean: f64,
    /// Sum of the squares of the deviations.
    second: f64,
    /// Sum of the third powers of the deviations.
    third: f64,
    /// Sum of the fourth powers of the deviations.
    fourth: f64,
}

fn moments(histogram: impl Iterator<Item = (u32, u64)> + Clone) -> Moments {
    let (n, sum) = histogram
        .clone()
        .fold((0u64, 0u128), |(n, sum), (value, count)| (n + count, sum + u128::from(value) * u128::from(count)));
    let mean = sum as f64 / n as f64;
    let [second, third, fourth] = histogram.fold([0.0; 3], |[second, third, fourth], (value, count)| {
        let (count, deviation) = (count as f64, f64::from(value) - mean);
        let square = deviation * deviation;
        [second + count * square, third + count * square * deviation, fourth + count * square * square]
    });
    Moments { n, mean, second, third, fourth }
}

/// Estimates the mean of a histogram's values, with the score interval. `None` without values; with
/// one value the interval is unbounded.
pub fn mean_estimate(histogram: impl Iterator<Item = (u32, u64)> + Clone) -> Option<Estimate> {
    let m = moments(histogram);
    if m.n == 0 {
        return None;
    }
    let Moments { n, mean, second: squares, third: cubes, .. } = m;
    let [low, high] = score_interval(&Sample { n, mean, squares, cubes, unseen: [mean, mean.max(1.0)] });
    Some(Estimate { mean, low, high, n, runs: n })
}

/// Estimates the standard deviation of a histogram's values; `None` below two values.
///
/// The interval follows from the fourth moment (delta method), but is never narrower than for
/// normal values.
pub fn sigma_estimate(histogram: impl Iterator<Item = (u32, u64)> + Clone) -> Option<Estimate> {
    let m = moments(histogram);
    if m.n < 2 {
        return None;
    }
    let n = m.n as f64;
    let variance = m.second / (n - 1.0);
    let sigma = variance.sqrt();
    // With few values the fourth moment is unreliable: use at least the variance of normal values.
    let normal = 2.0 * variance * variance / (n - 1.0);
    let of_variance = ((m.fourth / n - variance * variance) / n).max(normal).sqrt();
    // If all values are equal, a value that was not seen may deviate by as much as their mean.
    let half = if sigma > 0.0 {
        student_t(m.n - 1) * of_variance / (2.0 * sigma)
    } else {
        m.mean.max(1.0) * rare_event_bound(m.n).sqrt()
    };
    Some(Estimate { mean: sigma, low: (sigma - half).max(0.0), high: sigma + half, n: m.n, runs: m.n })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_interval_matches_published_examples() {
        // Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20.
        for (hits, n, low, high) in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)] {
            let estimate = proportion(hits, n).unwrap();
            assert!((estimate.low - low).abs() < 6e-5 && (estimate.high - high).abs() < 6e-5, "{estimate:?}");
        }
    }

    /// Coverage of exact binomial probabilities for which the unmodified Wilson interval covers
    /// 92.2% at worst.
    #[test]
    fn intervals_cover_rare_events() {
        for expected in [0.05, 0.06, 0.09, 0.2, 0.36, 0.5, 0.82, 1.5] {
            let (n, p) = (1000u64, expected / 1000.0);
            let mut probability = libm::pow(1.0 - p, n as f64);
            let mut covered = 0.0;
            for hits in 0..60 {
                let found = proportion(hits, n).unwrap();
                let mirrored = proportion(n - hits, n).unwrap();
                assert!((found.low - (1.0 - mirrored.high)).abs() < 1e-12);
                covered += if (found.low..=found.high).contains(&p) { probability } else { 0.0 };
                probability *= (n - hits) as f64 / (hits + 1) as f64 * p / (1.0 - p);
            }
            assert!(covered > 0.93, "{expected}: {covered}");
        }
    }
}
