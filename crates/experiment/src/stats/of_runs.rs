//! Means over independent runs, each of which carried many messages that depend on each other.

use super::Estimate;
use super::score::{Sample, score_interval};
use super::student::{never, student_t};
use faultlab_core::switching::Histogram;

/// A ratio of sums over independent runs, each a part and the whole that it is of, with the interval of the ratio's linearization:
/// Student's, unbounded for one run; `n` messages are behind it. `None` without anything to share.
///
/// Runs of different lengths have different wholes, and vary the less the longer they are: they say as much of the deviation as
/// (sum of wholes)^2 / (sum of squared wholes) runs of equal length would (F. E. Satterthwaite, "An approximate distribution of
/// estimates of variance components", Biometrics Bulletin 2, 1946).
pub(crate) fn ratio_of_runs(runs: &[(f64, f64)], n: u64) -> Option<Estimate> {
    let whole: f64 = runs.iter().map(|(_, whole)| whole).sum();
    if whole <= 0.0 {
        return None;
    }
    let mean = runs.iter().map(|(part, _)| part).sum::<f64>() / whole;
    let squared: f64 = runs.iter().map(|(_, whole)| whole * whole).sum();
    let squares: f64 = runs.iter().map(|(part, whole)| (part - mean * whole) * (part - mean * whole)).sum();
    let equal = as_many_equal(runs);
    let half = match equal as u64 {
        0 | 1 => f64::INFINITY,
        // What is left by rounding alone, where all runs are alike, is nothing.
        runs if squares <= mean * mean * squared * 1e-24 => never(runs) * mean.abs().max(1.0 / n.max(1) as f64),
        runs => student_t(runs - 1) * (squares * equal / (equal - 1.0)).sqrt() / whole,
    };
    Some(Estimate { mean, low: mean - half, high: mean + half, n, runs: runs.len() as u64 })
}

/// The runs of equal length that say as much of the deviation as these of different ones.
fn as_many_equal(runs: &[(f64, f64)]) -> f64 {
    let whole: f64 = runs.iter().map(|(_, whole)| whole).sum();
    (whole * whole / runs.iter().map(|(_, whole)| whole * whole).sum::<f64>()).round()
}

/// The same for a rule that looks at the interval after few runs, and stops as soon as it is narrow enough: it does so more often where
/// the deviation is taken for too small, so that intervals of 95% cover 92 to 94% (N. Starr, "The performance of a sequential procedure
/// for the fixed-width interval estimation of the mean", Annals of Mathematical Statistics 37, 1966). They are widened by a share of
/// 1 / (k - 1), k being the runs: simulated, with the rule of circuits, they cover 95.2 to 96.5% of means of runs without much skewness,
/// which stop after 10 to 90 times the length of a run, 94.5% and more where the skewness of a run is up to one, and less beyond.
pub(crate) fn ratio_of_runs_stopped_early(runs: &[(f64, f64)], n: u64) -> Option<Estimate> {
    ratio_of_runs(runs, n).map(|found| stopped_early(found, as_many_equal(runs), EARLY))
}

/// A ratio of sums over independent steady runs of equal length, with Johnson's interval for skewed values, wider for a rule that
/// stops early (see [`ratio_of_runs_stopped_early`]); `n` messages are behind it. `None` without anything to share.
///
/// Mean waits near saturation are skewed: of simulated Geo/D/1 queues that are busy 90% of the time, Student's intervals alone
/// covered 91% (200 seeds), and these cover what `docs/coverage.md` says. Where all runs are alike, any of the messages may have shown what none has shown yet.
pub(crate) fn mean_of_steady_runs(runs: &[(f64, f64)], n: u64) -> Option<Estimate> {
    let found = ratio_of_runs(runs, n)?;
    let (mean, count) = (found.mean, runs.len() as u64);
    let length = runs.iter().map(|(_, whole)| whole).sum::<f64>() / count as f64;
    let sum = |power: i32| {
        let deviation = |(part, whole): &(f64, f64)| (part - mean * whole) / length;
        runs.iter().map(|run| (0..power).fold(1.0, |product, _| product * deviation(run))).sum::<f64>()
    };
    if count > 1 && sum(2) <= mean * mean * 1e-24 {
        let half = never(n) * mean.abs().max(1.0);
        return Some(Estimate { low: mean - half, high: mean + half, ..found });
    }
    let [low, high] = score_interval(&Sample { n: count, mean, squares: sum(2), cubes: sum(3), unseen: [0.0; 2] });
    Some(stopped_early(Estimate { low, high, ..found }, count as f64, EARLY))
}

/// The estimate of so many runs of equal length with an interval that is wider by `share` / (runs - 1).
pub(crate) fn stopped_early(found: Estimate, runs: f64, share: f64) -> Estimate {
    let more = share / (runs - 1.0).max(1.0);
    Estimate {
        low: found.low - more * (found.mean - found.low),
        high: found.high + more * (found.high - found.mean),
        ..found
    }
}

/// See [`ratio_of_runs_stopped_early`].
pub(crate) const EARLY: f64 = 1.0;

/// The mean of a number that each of several runs of equal length has, as [`ratio_of_runs`] has it. `None` without runs.
pub(crate) fn mean_of_runs(values: &[f64], n: u64) -> Option<Estimate> {
    ratio_of_runs(&values.iter().map(|&value| (value, 1.0)).collect::<Vec<_>>(), n)
}

/// The time that a share `q` of all messages does not exceed; the interval from the quantiles of the runs. `None` without
/// messages.
pub(crate) fn quantile_of_runs(histograms: &[&Histogram], q: f64) -> Option<Estimate> {
    let mut all = Histogram::default();
    histograms.iter().for_each(|histogram| all.merge(histogram));
    let mean = all.quantile(q)?;
    let weighted = |histogram: &&Histogram| {
        let count = histogram.count() as f64;
        (histogram.quantile(q).unwrap_or(0.0) * count, count)
    };
    let of_runs = ratio_of_runs(&histograms.iter().map(weighted).collect::<Vec<_>>(), all.count())?;
    let half = of_runs.half_width();
    Some(Estimate { mean, low: (mean - half).max(0.0), high: mean + half, ..of_runs })
}
