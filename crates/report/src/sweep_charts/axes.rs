//! Axes of the chart of a sweep: their ranges, and the ticks of logarithmic axes.

use crate::chart::figure::Curve;
use faultlab_experiment::{Metric, Sweep};

/// Maximum number of values that all become ticks of a logarithmic axis.
const MOST_TICKS: usize = 16;

/// Returns the ticks of a logarithmic axis for `values`; empty if a linear axis is better. The axis
/// is logarithmic for `sizes`, which are powers of two. It is also logarithmic if the values span
/// two decades or more and at least half of them lie in the lowest tenth of the range. Few values
/// are themselves the ticks; otherwise the ticks are 1, 10, 100.
pub(crate) fn log_ticks(values: &[f64], sizes: bool) -> Vec<f64> {
    let (Some(&first), Some(&last)) = (values.first(), values.last()) else { return Vec::new() };
    let low = values.iter().filter(|&&value| value <= first + (last - first) * 0.1).count();
    let wide = last >= 100.0 * first && 2 * low >= values.len();
    if first <= 0.0 || !(wide || sizes && last >= 8.0 * first) {
        return Vec::new();
    }
    if values.len() <= MOST_TICKS {
        return values.to_vec();
    }
    let start = libm::pow(10.0, libm::ceil(libm::log10(first) - 1e-9));
    std::iter::successors(Some(start), |tick| Some(tick * 10.0)).take_while(|&tick| tick <= last).collect()
}

/// Returns the range of x, with a small margin on both sides.
pub(crate) fn x_range(sweep: &Sweep, names: usize, by_powers: bool) -> (f64, f64) {
    let values = sweep.experiment().vary.as_ref().map(|vary| vary.values()).unwrap_or_default();
    match (values.first(), values.last()) {
        (Some(&first), Some(&last)) if by_powers => {
            let room = libm::pow(last / first, 0.02);
            (first / room, last * room)
        }
        (Some(&first), Some(&last)) if last > first => (first - (last - first) * 0.02, last + (last - first) * 0.02),
        (Some(&only), _) => (only - 0.5, only + 0.5),
        _ => (-0.5, names as f64 - 0.5),
    }
}

/// Returns the range of y: 0 to 100% for probabilities that are not all small, otherwise the range
/// of the values. It contains the intervals of the values that are not cut off.
pub(crate) fn y_range(metric: &Metric, has_missing_means: bool, curves: &[Curve]) -> (f64, f64) {
    let (low, high) = mean_range(metric, has_missing_means, curves);
    let intervals = curves.iter().flat_map(|curve| {
        let is_shown = move |x: f64| curve.points.iter().any(|point| point.0 == x && point.1 <= high);
        curve.intervals.iter().filter(move |interval| is_shown(interval.0))
    });
    let ends = intervals.fold((low, high), |(l, h), interval| (l.min(interval.1), h.max(interval.2)));
    let room = (ends.1 - ends.0) * 0.04;
    (if ends.0 < low { ends.0 - room } else { low }, if ends.1 > high { ends.1 + room } else { high })
}

/// Returns the range of y for the means.
fn mean_range(metric: &Metric, has_missing_means: bool, curves: &[Curve]) -> (f64, f64) {
    let values = curves.iter().flat_map(|curve| curve.points.iter());
    let values = values.map(|point| point.1).filter(|value| value.is_finite());
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if !high.is_finite() {
        return (0.0, 1.0);
    }
    if metric.probability {
        return (0.0, if high > 0.3 { 1.0 } else { (high * 1.25).max(0.001) });
    }
    let high = if has_missing_means { high.min(y_limit(curves)) } else { high };
    let low = if low >= 0.0 && low < high * 0.6 { 0.0 } else { low - (high - low).max(0.1) * 0.15 };
    (low, high + (high - low).max(0.1) * 0.1)
}

/// Returns the title of the y axis of a metric: its name, with the unit unless the name contains it.
pub(crate) fn y_title(metric: &Metric) -> String {
    let Metric { axis, unit, probability, .. } = *metric;
    let has_unit = probability || axis.contains(unit) || axis.contains([',', '/']);
    if has_unit { axis.to_owned() } else { format!("{axis}, {unit}") }
}

/// Factor by which values may exceed the median before they are cut off at the upper edge.
const OUTLIER_FACTOR: f64 = 10.0;

/// Returns the upper limit of y. Times grow without bound towards saturation: one such point must
/// not flatten all others.
fn y_limit(curves: &[Curve]) -> f64 {
    let mut values: Vec<f64> = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1).collect();
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    let middle = values.get(values.len() / 2).map_or(0.0, |middle| middle * OUTLIER_FACTOR);
    // `last` is the largest value that is not cut off.
    let last = values.iter().rev().find(|&&value| value <= middle);
    match last {
        Some(&last) if values.last() != Some(&last) => middle.min(last * 2.0),
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::KINDS;

    #[test]
    fn geometric_values_have_logarithmic_ticks() {
        let doubling: Vec<f64> = (0..11).map(|exponent| f64::from(1 << exponent)).collect();
        let powers_of = |values: &[f64]| log_ticks(values, false);
        assert_eq!(powers_of(&doubling), doubling);
        assert_eq!(log_ticks(&doubling[..4], true), doubling[..4]);
        assert!(powers_of(&doubling[..6]).is_empty(), "32 times is no two decades");
        let even: Vec<f64> = (0..11).map(|step| 1.0 + 100.0 * f64::from(step)).collect();
        assert!(powers_of(&even).is_empty() && powers_of(&[0.0, 1.0, 1000.0]).is_empty() && powers_of(&[]).is_empty());
        let many: Vec<f64> = (0..40).map(|exponent| libm::pow(10.0, 0.075 * f64::from(exponent))).collect();
        assert_eq!(powers_of(&many), [1.0, 10.0, 100.0]);
    }

    #[test]
    fn y_titles_have_a_unit() {
        let title = |switch: &str, id: &str| {
            let kind = KINDS.iter().find(|kind| kind.id == switch).unwrap();
            y_title(kind.metric(id).unwrap())
        };
        assert_eq!(title("circuit", "setup"), "mean setup time, mean transmission times");
        assert_eq!(title("wormhole", "latency"), "mean latency, cycles");
        assert_eq!(title("message", "success"), "success probability");
    }

    #[test]
    fn range_of_y_contains_the_intervals() {
        let kind = KINDS.iter().find(|kind| kind.id == "wormhole").unwrap();
        let metric = kind.metric("latency").unwrap();
        let mut only = Curve::through("", &[(0.0, 80.25)]);
        only.intervals = vec![(0.0, 79.17, 81.33)];
        let (low, high) = y_range(metric, true, std::slice::from_ref(&only));
        assert!(low < 79.17 && high > 81.33 && high - low < 3.0, "{low} {high}");
        // The interval of a point that is cut off does not count.
        let mut steep = Curve::through("", &[(1.0, 0.2), (2.0, 0.5), (3.0, 1.0), (4.0, 90.0)]);
        steep.intervals = vec![(1.0, 0.19, 0.21), (4.0, 10.0, 170.0)];
        assert!(y_range(metric, true, std::slice::from_ref(&steep)).1 < 5.0);
        steep.points.pop();
        steep.intervals.pop();
        assert_eq!(y_range(metric, true, std::slice::from_ref(&steep)), (0.0, 1.1), "means have space enough");
    }

    #[test]
    fn y_limit_ignores_a_point_near_saturation() {
        let steep = Curve::through("", &[(1.0, 0.2), (2.0, 0.5), (3.0, 1.0), (4.0, 90.0)]);
        assert_eq!(y_limit(std::slice::from_ref(&steep)), 2.0);
        assert_eq!(y_limit(&[Curve::through("", &[(1.0, 0.2), (2.0, 0.5), (3.0, 1.5)])]), f64::INFINITY);
        assert_eq!(y_limit(&[]), f64::INFINITY);
    }
}
