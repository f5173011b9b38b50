//! Means over independent runs, each with many messages that depend on each other.

use super::Estimate;
use super::score_interval::{Sample, score_interval};
use super::student::{rare_event_bound, student_t};
use faultlab_core::switching::SetupHistogram;

/// Estimates a ratio of sums over independent runs, each given as (part, whole), with a total of
/// `n` messages; `None` if the wholes are 0.
///
/// The interval is Student's, for the ratio's linearization; it is unbounded for one run. Runs of
/// different lengths have different wholes, and longer runs vary less. The deviation is known as
/// well as from (sum of wholes)^2 / (sum of squared wholes) runs of equal length (F. E.
/// Satterthwaite, "An approximate distribution of estimates of variance components", Biometrics
/// Bulletin 2, 1946).
pub(crate) fn ratio_of_runs(runs: &[(f64, f64)], n: u64) -> Option<Estimate> {
    let whole: f64 = runs.iter().map(|(_, whole)| whole).sum();
    if whole <= 0.0 {
        return None;
    }
    let mean = runs.iter().map(|(part, _)| part).sum::<f64>() / whole;
    let squared: f64 = runs.iter().map(|(_, whole)| whole * whole).sum();
    let squares: f64 = runs.iter().map(|(part, whole)| (part - mean * whole) * (part - mean * whole)).sum();
    let equal = effective_run_count(runs);
    let half = match equal as u64 {
        0 | 1 => f64::INFINITY,
        // If all runs are equal, the remaining deviation is a rounding error.
        runs if squares <= mean * mean * squared * 1e-24 => {
            rare_event_bound(runs) * mean.abs().max(1.0 / n.max(1) as f64)
        }
        runs => student_t(runs - 1) * (squares * equal / (equal - 1.0)).sqrt() / whole,
    };
    Some(Estimate { mean, low: mean - half, high: mean + half, n, runs: runs.len() as u64 })
}

/// Returns the number of runs of equal length that determine the deviation as well as `runs`, which
/// have different lengths.
fn effective_run_count(runs: &[(f64, f64)]) -> f64 {
    let whole: f64 = runs.iter().map(|(_, whole)| whole).sum();
    (whole * whole / runs.iter().map(|(_, whole)| whole * whole).sum::<f64>()).round()
}

/// Estimates a ratio as [`ratio_of_runs`], with an interval that allows for early stopping.
///
/// A rule that checks the interval after few runs stops as soon as it is narrow enough. It
/// therefore stops more often where the deviation is underestimated. Intervals of 95% then cover 92
/// to 94% (N. Starr, "The performance of a sequential procedure for the fixed-width interval
/// estimation of the mean", Annals of Mathematical Statistics 37, 1966). The intervals are
/// therefore widened by a share of 1 / (k - 1) for k runs.
///
/// Simulations with the rule of circuits give this coverage:
///
/// - 95.2 to 96.5% for means of runs without much skewness, which stop after 10 to 90 times the
///   length of a run;
/// - 94.5% and more where the skewness of a run is up to one, and less beyond.
pub(crate) fn ratio_of_runs_stopped_early(runs: &[(f64, f64)], n: u64) -> Option<Estimate> {
    ratio_of_runs(runs, n).map(|found| widen_for_early_stopping(found, effective_run_count(runs), EARLY_STOPPING_SHARE))
}

/// Estimates a ratio of sums over independent steady runs of equal length, with a total of `n`
/// messages; `None` if the wholes are 0.
///
/// The interval is Johnson's for skewed values, widened for early stopping (see
/// [`ratio_of_runs_stopped_early`]). Mean waiting times near saturation are skewed: for simulated
/// Geo/D/1 queues that are busy 90% of the time, Student's intervals alone covered 91% (200 seeds).
/// The coverage of these intervals is in `docs/coverage.md`. If all runs are equal, the interval
/// allows for a rare event that none of the messages has shown.
pub(crate) fn mean_of_steady_runs(runs: &[(f64, f64)], n: u64) -> Option<Estimate> {
    let found = ratio_of_runs(runs, n)?;
    let (mean, count) = (found.mean, runs.len() as u64);
    let length = runs.iter().map(|(_, whole)| whole).sum::<f64>() / count as f64;
    let sum = |power: i32| {
        let deviation = |(part, whole): &(f64, f64)| (part - mean * whole) / length;
        runs.iter().map(|run| (0..power).fold(1.0, |product, _| product * deviation(run))).sum::<f64>()
    };
    if count > 1 && sum(2) <= mean * mean * 1e-24 {
        let half = rare_event_bound(n) * mean.abs().max(1.0);
        return Some(Estimate { low: mean - half, high: mean + half, ..found });
    }
    let [low, high] = score_interval(&Sample { n: count, mean, squares: sum(2), cubes: sum(3), unseen: [0.0; 2] });
    Some(widen_for_early_stopping(Estimate { low, high, ..found }, count as f64, EARLY_STOPPING_SHARE))
}

/// Widens the interval of an estimate from `runs` runs of equal length by `share` / (runs - 1).
pub(crate) fn widen_for_early_stopping(found: Estimate, runs: f64, share: f64) -> Estimate {
    let more = share / (runs - 1.0).max(1.0);
    Estimate {
        low: found.low - more * (found.mean - found.low),
        high: found.high + more * (found.high - found.mean),
        ..found
    }
}

/// Argument `share` of [`widen_for_early_stopping`] for [`ratio_of_runs_stopped_early`].
pub(crate) const EARLY_STOPPING_SHARE: f64 = 1.0;

/// Estimates the mean of a quantity over runs of equal length, as [`ratio_of_runs`] does; `None`
/// without runs.
pub(crate) fn mean_of_runs(values: &[f64], n: u64) -> Option<Estimate> {
    ratio_of_runs(&values.iter().map(|&value| (value, 1.0)).collect::<Vec<_>>(), n)
}

/// Estimates the `q` quantile of the times of all messages, with an interval from the quantiles of
/// the runs; `None` without messages.
pub(crate) fn quantile_of_runs(histograms: &[&SetupHistogram], q: f64) -> Option<Estimate> {
    let mut all = SetupHistogram::default();
    histograms.iter().for_each(|histogram| all.merge(histogram));
    let mean = all.quantile(q)?;
    let weighted = |histogram: &&SetupHistogram| {
        let count = histogram.count() as f64;
        (histogram.quantile(q).unwrap_or(0.0) * count, count)
    };
    let of_runs = ratio_of_runs(&histograms.iter().map(weighted).collect::<Vec<_>>(), all.count())?;
    let half = of_runs.half_width();
    Some(Estimate { mean, low: (mean - half).max(0.0), high: mean + half, ..of_runs })
}
