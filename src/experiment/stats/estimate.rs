//! Estimates with 95% confidence intervals, by arithmetic that is the same on every target.

use serde::Serialize;

use crate::switching::Histogram;

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
}

impl Estimate {
    /// Half the interval's width.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// The estimate times `factor` (above 0) plus `shift`.
    pub fn scaled(self, factor: f64, shift: f64) -> Self {
        let map = |value: f64| value * factor + shift;
        Self { mean: map(self.mean), low: map(self.low), high: map(self.high), n: self.n }
    }
}

/// The 97.5% quantile of the normal distribution.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// The 97.5% quantiles of Student's t distribution with 1 to 12 degrees of freedom; the tests compare them with a
/// library, whose own functions are not the same bits on every target.
const T: [f64; 12] = [
    12.706_204_736_174_7,
    4.302_652_729_749_46,
    3.182_446_305_283_71,
    2.776_445_105_197_79,
    2.570_581_835_636_31,
    2.446_911_851_144_97,
    2.364_624_251_592_78,
    2.306_004_135_204_17,
    2.262_157_162_798_2,
    2.228_138_851_986_27,
    2.200_985_160_091_64,
    2.178_812_829_667_23,
];

/// The 97.5% quantile of Student's t distribution; beyond the table by the Cornish-Fisher expansion, whose error is
/// below 10^-5 there.
pub(crate) fn student_t(degrees: u64) -> f64 {
    match degrees {
        0 => f64::INFINITY,
        1..=12 => T[degrees as usize - 1],
        _ => {
            let v = degrees as f64;
            let z2 = Z * Z;
            let g1 = (z2 + 1.0) / 4.0;
            let g2 = ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
            let g3 = (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
            let g4 = ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92160.0;
            Z * (1.0 + (g1 + (g2 + (g3 + g4 / v) / v) / v) / v)
        }
    }
}

/// The mean of a number that each of several independent runs has, with Student's interval, unbounded for one run; `n` messages
/// are behind it. `None` without runs.
pub(crate) fn mean_of_runs(values: &[f64], n: u64) -> Option<Estimate> {
    let k = values.len() as f64;
    let mean = values.iter().sum::<f64>() / k;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let half = match values.len() as u64 {
        0 => return None,
        1 => f64::INFINITY,
        runs => student_t(runs - 1) * (squares / (k - 1.0) / k).sqrt(),
    };
    Some(Estimate { mean, low: mean - half, high: mean + half, n })
}

/// A mean over messages: of each run the sum over its messages and their number. The interval is that of a ratio of means over
/// runs, unbounded for one run. `None` without messages.
pub(crate) fn ratio_of_runs(runs: &[(f64, u64)]) -> Option<Estimate> {
    let messages: u64 = runs.iter().map(|(_, messages)| messages).sum();
    let mean = runs.iter().map(|(sum, _)| sum).sum::<f64>() / messages as f64;
    let deviation = |(sum, messages): &(f64, u64)| sum - mean * *messages as f64;
    let squares: f64 = runs.iter().map(|run| deviation(run) * deviation(run)).sum();
    let k = runs.len() as f64;
    let half = match runs.len() as u64 {
        0 | 1 => f64::INFINITY,
        runs => student_t(runs - 1) * (squares * k / (k - 1.0)).sqrt() / messages as f64,
    };
    (messages > 0).then_some(Estimate { mean, low: (mean - half).max(0.0), high: mean + half, n: messages })
}

/// The time that a share `q` of all messages does not exceed; the interval from the quantiles of the runs. `None` without
/// messages.
pub(crate) fn quantile_of_runs(histograms: &[&Histogram], q: f64) -> Option<Estimate> {
    let mut all = Histogram::default();
    histograms.iter().for_each(|histogram| all.merge(histogram));
    let mean = all.quantile(q)?;
    let values: Vec<_> = histograms.iter().map(|histogram| histogram.quantile(q).unwrap_or(0.0)).collect();
    let half = mean_of_runs(&values, 0)?.half_width();
    Some(Estimate { mean, low: (mean - half).max(0.0), high: mean + half, n: all.count() })
}

/// How often times occurred: the upper end of each bucket that is not empty (0 for those that are exactly 0), ascending, with its
/// count.
pub(crate) fn distribution<'a>(histograms: impl Iterator<Item = &'a Histogram>) -> Vec<(f64, u64)> {
    let mut all = Histogram::default();
    histograms.for_each(|histogram| all.merge(histogram));
    let buckets = (0u64..).zip(&all.counts).map(|(bucket, &count)| (Histogram::bounds(bucket).1, count));
    std::iter::once((0.0, all.zero)).chain(buckets).filter(|&(_, count)| count > 0).collect()
}

/// A probability estimated by `hits` of `n`, with Wilson's score interval, which holds near 0 and 1 too. `None` for
/// n = 0.
pub fn proportion(hits: u64, n: u64) -> Option<Estimate> {
    if n == 0 {
        return None;
    }
    let (total, mean) = (n as f64, hits as f64 / n as f64);
    let spread = Z * Z / total;
    let center = (mean + spread / 2.0) / (1.0 + spread);
    let half = Z / (1.0 + spread) * (mean * (1.0 - mean) / total + spread / (4.0 * total)).sqrt();
    // At the ends the interval closes exactly; rounding must not leave it open.
    let low = if hits == 0 { 0.0 } else { center - half };
    let high = if hits == n { 1.0 } else { center + half };
    Some(Estimate { mean, low, high, n })
}

/// The values of a histogram as moments about their mean.
struct Moments {
    n: u64,
    mean: f64,
    /// Sums of the second and fourth powers of the deviations.
    second: f64,
    fourth: f64,
}

fn moments(histogram: impl Iterator<Item = (u32, u64)> + Clone) -> Moments {
    let (n, sum) = histogram
        .clone()
        .fold((0u64, 0u128), |(n, sum), (value, count)| (n + count, sum + u128::from(value) * u128::from(count)));
    let mean = sum as f64 / n as f64;
    let (second, fourth) = histogram.fold((0.0, 0.0), |(second, fourth), (value, count)| {
        let square = (f64::from(value) - mean) * (f64::from(value) - mean);
        (second + count as f64 * square, fourth + count as f64 * square * square)
    });
    Moments { n, mean, second, fourth }
}

/// The mean of a histogram's values, with Student's interval. `None` without values; with one the interval is
/// unbounded.
pub fn mean_estimate(histogram: impl Iterator<Item = (u32, u64)> + Clone) -> Option<Estimate> {
    let m = moments(histogram);
    if m.n == 0 {
        return None;
    }
    let half = match m.n {
        1 => f64::INFINITY,
        n => student_t(n - 1) * (m.second / (n - 1) as f64 / n as f64).sqrt(),
    };
    Some(Estimate { mean: m.mean, low: m.mean - half, high: m.mean + half, n: m.n })
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
    let half = if sigma > 0.0 { student_t(m.n - 1) * of_variance / (2.0 * sigma) } else { 0.0 };
    Some(Estimate { mean: sigma, low: (sigma - half).max(0.0), high: sigma + half, n: m.n })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(not(target_arch = "wasm32"))]
    fn student_t_is_the_librarys() {
        use statrs::distribution::{ContinuousCDF, StudentsT};
        for degrees in (1..60).chain([100, 1000, 100_000]) {
            let exact = StudentsT::new(0.0, 1.0, degrees as f64).unwrap().inverse_cdf(0.975);
            assert!((student_t(degrees) - exact).abs() < 1e-5, "{degrees}: {} {exact}", student_t(degrees));
        }
    }

    #[test]
    fn wilson_interval_of_published_examples() {
        // Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        for (hits, n, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let estimate = proportion(hits, n).unwrap();
            assert!((estimate.low - low).abs() < 6e-5 && (estimate.high - high).abs() < 6e-5, "{estimate:?}");
        }
    }
}
