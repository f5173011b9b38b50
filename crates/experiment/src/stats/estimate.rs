//! Estimates with 95% confidence intervals, by arithmetic that is the same on every target.

use serde::Serialize;

use super::score::{Sample, score_interval};
use super::student::{NORMAL_95, never, student_t};
use faultlab_core::switching::Histogram;

/// An estimate and its 95% confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate.
    pub mean: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
    /// The number of messages it rests on.
    pub n: u64,
    /// The number of independent trials behind the interval: the messages themselves where each is a trial, else the runs that carried
    /// them, or the sets of faults or of messages.
    pub runs: u64,
}

impl Estimate {
    /// What is known without chance.
    pub(crate) fn exact(mean: f64) -> Self {
        Self { mean, low: mean, high: mean, n: 1, runs: 1 }
    }

    /// Half the interval's width.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// The same as an exact value, which it is where chance has no part in it.
    pub(crate) fn settled(self) -> Self {
        Self { low: self.mean, high: self.mean, ..self }
    }

    /// The estimate without an interval, which is unbounded then: of what has not come to rest.
    pub(crate) fn without_interval(self) -> Self {
        Self { low: f64::NEG_INFINITY, high: f64::INFINITY, ..self }
    }

    /// The same with an interval that does not go beyond what can be; an unbounded one stays so.
    pub(crate) fn cut_to(self, least: f64, most: f64) -> Self {
        let cut = |end: f64| if end.is_finite() { end.clamp(least, most) } else { end };
        Self { low: cut(self.low).min(self.mean), high: cut(self.high).max(self.mean), ..self }
    }

    /// Returns the reason why the interval is unbounded, in words.
    pub fn why_unbounded(&self) -> &'static str {
        if self.runs > 1 { "not settled" } else { "one trial" }
    }

    /// Whether it is exact: without an interval.
    pub fn is_exact(&self) -> bool {
        self.low == self.high
    }

    /// The estimate times `factor` (above 0) plus `shift`.
    pub fn scaled(self, factor: f64, shift: f64) -> Self {
        let map = |value: f64| value * factor + shift;
        Self { mean: map(self.mean), low: map(self.low), high: map(self.high), ..self }
    }
}

/// How often times occurred: the upper end of each bucket that is not empty (0 for those that are exactly 0), ascending, with its
/// count.
pub(crate) fn distribution<'a>(histograms: impl Iterator<Item = &'a Histogram>) -> Vec<(f64, u64)> {
    let mut all = Histogram::default();
    histograms.for_each(|histogram| all.merge(histogram));
    let buckets = (0u64..).zip(&all.counts).map(|(bucket, &count)| (Histogram::bounds(bucket).1, count));
    std::iter::once((0.0, all.zero)).chain(buckets).filter(|&(_, count)| count > 0).collect()
}

/// The least mean of a Poisson number under which 1, 2 or 3 events or more have probability 5%.
const RARE: [f64; 3] = [0.051_293_294_387_550_58, 0.355_361_510_698_662_4, 0.817_691_447_163_953];

/// A probability estimated by `hits` of `n`, with Wilson's score interval, which holds near 0 and 1 too, as modified for up to three
/// hits or misses, where it would not (L. D. Brown, T. T. Cai, A. DasGupta, "Interval estimation for a binomial proportion",
/// Statistical Science 16, 2001, section 4.1.1). `None` for n = 0.
pub fn proportion(hits: u64, n: u64) -> Option<Estimate> {
    if n == 0 {
        return None;
    }
    let (total, mean) = (n as f64, hits as f64 / n as f64);
    let spread = NORMAL_95 * NORMAL_95 / total;
    let center = (mean + spread / 2.0) / (1.0 + spread);
    let half = NORMAL_95 / (1.0 + spread) * (mean * (1.0 - mean) / total + spread / (4.0 * total)).sqrt();
    // At the ends the interval closes exactly; rounding must not leave it open.
    let rare = |hits: u64, end: f64| match hits {
        0 => 0.0,
        1..=3 => end.min(RARE[hits as usize - 1] / total),
        _ => end,
    };
    let low = rare(hits, center - half);
    let high = 1.0 - rare(n - hits, 1.0 - (center + half));
    Some(Estimate { mean, low, high, n, runs: n })
}

/// The values of a histogram as moments about their mean.
struct Moments {
    n: u64,
    mean: f64,
    /// Sums of the second, third and fourth powers of the deviations.
    second: f64,
    third: f64,
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

/// The mean of a histogram's values, with their score interval. `None` without values; with one the interval is
/// unbounded.
pub fn mean_estimate(histogram: impl Iterator<Item = (u32, u64)> + Clone) -> Option<Estimate> {
    let m = moments(histogram);
    if m.n == 0 {
        return None;
    }
    let Moments { n, mean, second: squares, third: cubes, .. } = m;
    let [low, high] = score_interval(&Sample { n, mean, squares, cubes, unseen: [mean, mean.max(1.0)] });
    Some(Estimate { mean, low, high, n, runs: n })
}

/// The standard deviation of a histogram's values, with the interval that follows from the fourth moment (delta
/// method), but never narrower than for normal values. `None` below two values.
pub fn sigma_estimate(histogram: impl Iterator<Item = (u32, u64)> + Clone) -> Option<Estimate> {
    let m = moments(histogram);
    if m.n < 2 {
        return None;
    }
    let n = m.n as f64;
    let variance = m.second / (n - 1.0);
    let sigma = variance.sqrt();
    // With few values the fourth moment says too little: at least the variance that normal values would have.
    let normal = 2.0 * variance * variance / (n - 1.0);
    let of_variance = ((m.fourth / n - variance * variance) / n).max(normal).sqrt();
    // Of values that are all alike another one may be as far off as they are large.
    let half = if sigma > 0.0 {
        student_t(m.n - 1) * of_variance / (2.0 * sigma)
    } else {
        m.mean.max(1.0) * never(m.n).sqrt()
    };
    Some(Estimate { mean: sigma, low: (sigma - half).max(0.0), high: sigma + half, n: m.n, runs: m.n })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_interval_of_published_examples() {
        // Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20.
        for (hits, n, low, high) in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)] {
            let estimate = proportion(hits, n).unwrap();
            assert!((estimate.low - low).abs() < 6e-5 && (estimate.high - high).abs() < 6e-5, "{estimate:?}");
        }
    }

    /// Coverage of exact binomial probabilities where Wilson's own interval covers 92.2% at worst.
    #[test]
    fn rare_events_are_covered() {
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
