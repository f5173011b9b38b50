//! Comparison of two routings run by run, and the rate at which one stops being better (Chiu,
//! Chalasani & Raghavendra section V: "outperforms until a message generation rate of 0.51").
//!
//! Runs of equal number share their messages, at every rate and under every algorithm (common
//! random numbers). Differences of two algorithms are therefore taken run by run, so that common
//! randomness cancels.

use std::sync::Arc;

use super::stats::paired::{self, PairUnit, PairedValues};
use super::stats::student::student_t;
use crate::circuit::trial::runs;
use crate::kind::CrossingMethod;
use crate::sweep::Phase;
use crate::{Estimate, Metric, PointResult, Status, Sweep};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::CircuitRun;

/// Crossover of two routings along a sweep over message rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crossover {
    /// The challenger is better below this rate and worse above it.
    At(Estimate),
    /// The challenger jams permanently, unlike the reference, before it becomes worse.
    Collapse {
        /// Last rate at which the challenger is significantly better.
        from: f64,
        /// First rate at which the challenger jams.
        until: f64,
    },
    /// The challenger is significantly better up to this rate, and significantly worse nowhere.
    Beyond(f64),
    /// The challenger is significantly better nowhere, and significantly worse at this rate.
    Never(f64),
}

/// Mean setup times of two algorithms in their common runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paired {
    /// Numbers of the runs with their mean setup times, weighted by their length.
    pub runs: Vec<(u64, PairedValues)>,
    /// Number of messages in the common runs of both algorithms.
    pub messages: u64,
}

impl Paired {
    /// Pairs the runs of two points, of one sweep or of two sweeps with the same messages.
    ///
    /// `None` if either point jams or deadlocks, or they have no common run.
    pub fn new(challenger: &PointResult, other: &PointResult) -> Option<Self> {
        let (ours, theirs) = (runs(&challenger.tally)?, runs(&other.tally)?);
        let mut paired = Self::default();
        for (number, run) in ours {
            // Runs with the same index are comparable: in a later phase, more messages follow the
            // same ones.
            let Ok(place) = theirs.binary_search_by_key(&Phase::index(*number), |(other, _)| Phase::index(*other))
            else {
                continue;
            };
            let times =
                [Some(run), theirs.get(place).map(|(_, run)| run)].map(|run| run.and_then(CircuitRun::mean_setup));
            if let [Some(ours), Some(theirs)] = times {
                paired.runs.push((*number, PairedValues { weight: run.observed, ours, theirs }));
                paired.messages += 2 * run.completed;
            }
        }
        (!paired.runs.is_empty()).then_some(paired)
    }

    fn pairs(&self) -> Vec<PairedValues> {
        self.runs.iter().map(|(_, pair)| *pair).collect()
    }

    fn length(&self) -> f64 {
        self.runs.iter().map(|(_, pair)| pair.weight).sum()
    }

    /// Returns the challenger's mean setup time minus the reference's; negative where the
    /// challenger is better.
    pub fn difference(&self) -> Option<Estimate> {
        paired::difference(&self.pairs(), PairUnit::Run).map(|found| Estimate { n: self.messages, ..found })
    }

    /// Returns the share of the reference's mean setup time that the challenger saves; negative
    /// where the challenger is worse.
    pub fn gain(&self) -> Option<Estimate> {
        paired::relative_saving(&self.pairs(), PairUnit::Run).map(|found| Estimate { n: self.messages, ..found })
    }
}

/// Returns the point of the algorithm called `series` at `x`.
pub fn point<'s>(sweep: &'s Sweep, series: &str, x: f64) -> Option<&'s PointResult> {
    sweep.points().iter().find(|point| point.algorithm.id == series && point.x.is_some_and(|at| (at - x).abs() < 1e-9))
}

/// Returns the share of the setup time of `other` that `challenger` saves at the rate `x`, from
/// paired runs. `None` if either algorithm jams, or nothing is measured yet.
pub fn gain(sweep: &Sweep, challenger: &str, other: &str, x: f64) -> Option<Estimate> {
    Paired::new(point(sweep, challenger, x)?, point(sweep, other, x)?)?.gain()
}

/// Returns whether the algorithm called `series` jams or deadlocks at `x`.
pub fn jams_at(sweep: &Sweep, series: &str, x: f64) -> bool {
    point(sweep, series, x).is_some_and(jams)
}

/// Returns the crossover at which `challenger` stops being better than `other` in `sweep`, which
/// varies the message rate.
///
/// `None` while its points are running, and if the differences are not significant. The search
/// starts at the last rate at which the challenger is significantly better. It ends at the next
/// rate at which the challenger is significantly worse. The first change of sign in between counts,
/// with linear interpolation of the differences.
pub fn crossover(sweep: &Sweep, challenger: &str, other: &str) -> Option<Crossover> {
    let of = |series: &str| {
        let points = sweep.points().iter().filter(|point| point.algorithm.id == series);
        points.cloned().collect::<Vec<_>>()
    };
    let (ours, theirs) = (of(challenger), of(other));
    if ours.iter().chain(&theirs).any(|point| matches!(point.status, Status::Running)) {
        return None;
    }
    let mut curve = Vec::new();
    let mut collapse = None;
    for (point, base) in ours.iter().zip(&theirs) {
        let x = point.x?;
        match Paired::new(point, base) {
            Some(paired) => curve.push((x, paired)),
            // No comparison is possible from the first rate on at which one of the algorithms jams.
            None => {
                collapse = (jams(point) && !jams(base)).then_some(x);
                break;
            }
        }
    }
    find_crossover(&curve, collapse)
}

fn jams(point: &PointResult) -> bool {
    matches!(point.status, Status::Unstable | Status::Deadlocked)
}

/// Returns the crossover at which the differences along `curve` become positive; the challenger
/// jams at `collapse`.
fn find_crossover(curve: &[(f64, Paired)], collapse: Option<f64>) -> Option<Crossover> {
    let differences: Vec<_> = curve.iter().filter_map(|(_, paired)| paired.difference()).collect();
    let better = differences.iter().rposition(|difference| difference.high < 0.0);
    let worse = differences.iter().rposition(|difference| difference.low > 0.0);
    match (better, worse) {
        (Some(first), Some(last)) if first < last => {
            let worse = (first..=last).find(|&at| differences[at].low > 0.0)?;
            let change = (first..worse).find(|&at| differences[at].mean < 0.0 && differences[at + 1].mean >= 0.0)?;
            Some(Crossover::At(interpolate(&curve[change], &curve[change + 1])))
        }
        (Some(better), _) => {
            let last = curve[better].0;
            Some(collapse.map_or(Crossover::Beyond(last), |until| Crossover::Collapse { from: last, until }))
        }
        (None, Some(worse)) => Some(Crossover::Never(curve[worse].0)),
        (None, None) => None,
    }
}

/// Returns the zero of the line through two mean differences, with the interval of the
/// infinitesimal jackknife over runs. A run that both points share changes both differences.
fn interpolate(before: &(f64, Paired), after: &(f64, Paired)) -> Estimate {
    let difference = |pair: &PairedValues| pair.ours - pair.theirs;
    let mean = |paired: &Paired| {
        paired.runs.iter().map(|(_, pair)| difference(pair) * pair.weight).sum::<f64>() / paired.length()
    };
    let (x, width) = (before.0, after.0 - before.0);
    let (low, high) = (mean(&before.1), mean(&after.1));
    let rise = high - low;
    let mean = x - width * low / rise;
    // The derivatives of the crossing by the two differences, and the contribution of each run to
    // its point's mean.
    let slopes = [-width * high / (rise * rise), width * low / (rise * rise)];
    let share = |paired: &Paired, mean: f64, number: u64| {
        let place = paired.runs.binary_search_by_key(&number, |(run, ..)| *run).ok();
        place
            .and_then(|place| paired.runs.get(place))
            .map_or(0.0, |(_, pair)| (difference(pair) - mean) * pair.weight / paired.length())
    };
    let mut numbers: Vec<u64> = before.1.runs.iter().chain(&after.1.runs).map(|(number, ..)| *number).collect();
    numbers.sort();
    numbers.dedup();
    let influence = |number| slopes[0] * share(&before.1, low, number) + slopes[1] * share(&after.1, high, number);
    let squares: f64 = numbers.iter().map(|&number| influence(number) * influence(number)).sum();
    let fewest = before.1.runs.len().min(after.1.runs.len()) as u64;
    let half = match fewest {
        0 | 1 => f64::INFINITY,
        runs => student_t(runs - 1) * (squares * runs as f64 / (runs - 1) as f64).sqrt(),
    };
    Estimate { mean, low: mean - half, high: mean + half, n: before.1.messages + after.1.messages, runs: fewest }
}

/// Returns the rate at which the mean setup time of `series` reaches `threshold`, the end of its
/// operational range.
///
/// `None` while its points are running, and if the sweep does not reach that rate. The
/// interpolation is linear in 1/(1 + setup time), which is close to a straight line towards
/// saturation. If the network jams before, the range ends between the last stable rate and the
/// first unstable one.
pub fn range(sweep: &Sweep, series: &str, threshold: f64) -> Option<Estimate> {
    let points = sweep.points().iter().filter(|point| point.algorithm.id == series);
    let setup = sweep.experiment().kind().first_metric();
    let mut before: Option<(f64, Estimate)> = None;
    for point in points {
        let x = point.x?;
        if point.status == Status::Running {
            return None;
        }
        match (point.estimate(setup), before) {
            (Some(time), Some((last, earlier))) if time.mean > threshold => {
                return Some(threshold_rate((last, earlier), (x, time), threshold));
            }
            (Some(time), _) if time.mean <= threshold => before = Some((x, time)),
            (None, Some((last, earlier))) if jams(point) => {
                return Some(Estimate { mean: (last + x) / 2.0, low: last, high: x, ..earlier });
            }
            _ => return None,
        }
    }
    None
}

/// Returns the rate at which the line through two setup times, in 1/(1 + setup time), meets the
/// threshold. The ends of the interval follow from the ends of both setup times' intervals.
fn threshold_rate(before: (f64, Estimate), after: (f64, Estimate), threshold: f64) -> Estimate {
    let speed = |setup: f64| 1.0 / (1.0 + setup);
    let at = |first: f64, second: f64| {
        let share = (speed(first) - speed(threshold)) / (speed(first) - speed(second));
        before.0 + (after.0 - before.0) * share.clamp(0.0, 1.0)
    };
    let mean = at(before.1.mean, after.1.mean);
    let (low, high) = (at(before.1.high, after.1.high), at(before.1.low, after.1.low));
    Estimate { mean, low: low.min(mean), high: high.max(mean), ..with_combined_sizes(before.1, after.1) }
}

/// Returns an estimate with the combined sample sizes of two estimates.
fn with_combined_sizes(one: Estimate, other: Estimate) -> Estimate {
    Estimate { n: one.n + other.n, runs: one.runs.min(other.runs), ..one }
}

/// Crossing of two curves of a chart, which differ significantly in opposite directions before and
/// after.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// Algorithm compared with the reference.
    pub challenger: Arc<Algorithm>,
    /// Reference: the first algorithm of the experiment.
    pub other: Arc<Algorithm>,
    /// Position of the crossing.
    pub at: Estimate,
    /// Direction: true if the challenger is below the reference after the crossing.
    pub below: bool,
}

/// Returns the crossings of the curves of `metric` with the curve of the first algorithm.
///
/// Empty while points are running, for other metrics than the first of the kind, and for kinds
/// without a method.
pub fn crossings(sweep: &Sweep, metric: &Metric) -> Vec<Crossing> {
    let experiment = sweep.experiment();
    let (Some(first), Some(_)) = (experiment.routing.first(), &experiment.vary) else { return Vec::new() };
    let running = sweep.points().iter().any(|point| point.status == Status::Running);
    let others = experiment.routing.iter().skip(1).filter(|_| !running);
    let first_metric = *metric == *experiment.kind().first_metric();
    let found = |challenger: &Arc<Algorithm>| match experiment.kind().crossings {
        CrossingMethod::Interpolated if first_metric => sign_changes(&differences(sweep, metric, challenger, first)),
        CrossingMethod::PairedRuns if first_metric => match crossover(sweep, &challenger.id, &first.id) {
            Some(Crossover::At(at)) => vec![(at, false)],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    let crossing = |challenger: &Arc<Algorithm>, (at, below)| Crossing {
        challenger: challenger.clone(),
        other: first.clone(),
        at,
        below,
    };
    others.flat_map(|challenger| found(challenger).into_iter().map(|place| crossing(challenger, place))).collect()
}

/// Returns the challenger's mean minus the reference's mean, at every value where both have an
/// estimate. The intervals are combined as independent ones, although they share faults, which is
/// conservative.
fn differences(sweep: &Sweep, metric: &Metric, challenger: &Algorithm, other: &Algorithm) -> Vec<(f64, Estimate)> {
    let of = |series: &str, x: f64| point(sweep, series, x)?.estimate(metric);
    let values = sweep.experiment().vary.as_ref().map(|vary| vary.values()).unwrap_or_default();
    let difference = |x: f64| {
        let (ours, theirs) = (of(&challenger.id, x)?, of(&other.id, x)?);
        let half = (ours.half_width() * ours.half_width() + theirs.half_width() * theirs.half_width()).sqrt();
        let mean = ours.mean - theirs.mean;
        Some((x, Estimate { mean, low: mean - half, high: mean + half, ..with_combined_sizes(ours, theirs) }))
    };
    values.into_iter().filter_map(difference).collect()
}

/// Returns the positions at which differences change sign, with a flag for negative differences
/// after the change.
///
/// A change lies between two significant differences, at the first change of sign of their means,
/// interpolated linearly.
pub(super) fn sign_changes(curve: &[(f64, Estimate)]) -> Vec<(Estimate, bool)> {
    let mut before: Option<(usize, bool)> = None;
    let mut found = Vec::new();
    for (place, (_, difference)) in curve.iter().enumerate() {
        let below = match difference {
            difference if difference.high < 0.0 => true,
            difference if difference.low > 0.0 => false,
            _ => continue,
        };
        if let Some((last, was_below)) = before
            && was_below != below
        {
            let changes = |at: &usize| (curve[*at].1.mean < 0.0) != (curve[*at + 1].1.mean < 0.0);
            found.extend((last..place).find(changes).map(|at| (zero_crossing(curve[at], curve[at + 1]), below)));
        }
        before = Some((place, below));
    }
    found
}

/// Returns the zero of the line through two differences. The ends of the interval follow from the
/// ends of both differences' intervals.
fn zero_crossing(before: (f64, Estimate), after: (f64, Estimate)) -> Estimate {
    let at = |first: f64, second: f64| {
        let share = if first == second { 0.5 } else { first / (first - second) };
        before.0 + (after.0 - before.0) * share.clamp(0.0, 1.0)
    };
    let mean = at(before.1.mean, after.1.mean);
    let ends = [at(before.1.low, after.1.low), at(before.1.high, after.1.high)];
    let [low, high] = [ends[0].min(ends[1]).min(mean), ends[0].max(ends[1]).max(mean)];
    Estimate { mean, low, high, ..with_combined_sizes(before.1, after.1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run;

    /// Returns sixteen runs whose differences lie around `difference`, with the same noise at every
    /// rate.
    fn paired(difference: f64) -> Paired {
        let noise = |run: u64| ((run * 7 + 3) % 16) as f64 / 16.0 - 15.0 / 32.0;
        let run = |number| {
            let (ours, theirs) = (1.0 + 0.1 * noise(number) + difference, 1.0 + 0.08 * noise(number));
            (number + 2, PairedValues { weight: 1.0, ours, theirs })
        };
        Paired { runs: (0..16).map(run).collect(), messages: 1600 }
    }

    fn curve(differences: &[f64]) -> Vec<(f64, Paired)> {
        differences.iter().enumerate().map(|(i, &d)| (0.1 * (i + 1) as f64, paired(d))).collect()
    }

    #[test]
    fn crossing_is_interpolated_with_its_interval() {
        let Some(Crossover::At(found)) = find_crossover(&curve(&[-0.2, -0.1, 0.3, 0.9]), None) else {
            panic!("a crossing")
        };
        assert!((found.mean - 0.225).abs() < 1e-9, "{found:?}");
        // The difference of one run deviates by 0.02 * noise at both rates; the line rises by 4 per
        // unit of rate.
        let deviation = (0..16).map(|run| ((run * 7 + 3) % 16) as f64 / 16.0 - 15.0 / 32.0).map(|n| n * n).sum::<f64>();
        let half = student_t(15) * 0.02 * (deviation / 15.0 / 16.0).sqrt() / 4.0;
        assert!((found.half_width() - half).abs() < 1e-9, "{found:?} {half}");
    }

    #[test]
    fn classifies_curves_without_a_crossing() {
        assert_eq!(
            find_crossover(&curve(&[-0.2, -0.1]), Some(0.3)),
            Some(Crossover::Collapse { from: 0.2, until: 0.3 })
        );
        assert_eq!(find_crossover(&curve(&[-0.2, -0.1]), None), Some(Crossover::Beyond(0.2)));
        assert_eq!(find_crossover(&curve(&[0.1, 0.2]), None), Some(Crossover::Never(0.2)));
        assert_eq!(find_crossover(&curve(&[0.0, 0.0]), None), None);
        assert_eq!(find_crossover(&[], Some(0.3)), None);
        // Noise alone changes the sign twice before the true crossing.
        let noisy = curve(&[-0.2, -0.001, 0.001, -0.001, 0.2]);
        assert!(matches!(find_crossover(&noisy, None), Some(Crossover::At(at)) if at.mean > 0.2 && at.mean < 0.3));
    }

    #[test]
    fn sign_changes_ignore_differences_within_chance() {
        let at = |x: f64, mean: f64| (x, Estimate { mean, low: mean - 0.5, high: mean + 0.5, n: 10, runs: 10 });
        let found = sign_changes(&[at(4.0, 2.0), at(6.0, 0.4), at(8.0, -1.2), at(10.0, -9.0)]);
        let [(crossing, true)] = found.as_slice() else { panic!("one crossing, {found:?}") };
        assert!((crossing.mean - 6.5).abs() < 1e-12 && crossing.low < 6.5 && crossing.high > 6.5, "{crossing:?}");
        assert!(sign_changes(&[at(4.0, 2.0), at(6.0, -0.4), at(8.0, 3.0)]).is_empty());
    }

    #[test]
    fn gain_is_relative_to_the_other_algorithm() {
        let gain = paired(-0.25).gain().unwrap();
        assert!((gain.mean - 0.25).abs() < 1e-9 && gain.half_width() < 0.01, "{gain:?}");
    }

    #[test]
    fn range_ends_where_setup_time_reaches_the_threshold() {
        let setup = |mean: f64| Estimate { mean, low: mean * 0.98, high: mean * 1.02, n: 100, runs: 100 };
        // 1/(1+t) falls from 1/5 to 1/21; 1/11 lies 5/7 of the way.
        let found = threshold_rate((0.4, setup(4.0)), (0.5, setup(20.0)), 10.0);
        assert!((found.mean - (0.4 + 0.1 * 5.0 / 7.0 * 1.0022)).abs() < 2e-3 && found.low < found.mean, "{found:?}");
    }

    #[test]
    fn e_cube_never_crosses_itself_and_ends_at_saturation() {
        let text = "net=cube:2&switch=circuit&route=e-cube,up&vary=rate:0.2,1.6&within=0.2&trials=100000";
        let mut sweep = Sweep::new(&text.parse().unwrap());
        assert_eq!((crossover(&sweep, "up", "e-cube"), range(&sweep, "e-cube", 1.0)), (None, None));
        run(&mut sweep);
        assert_eq!(crossover(&sweep, "e-cube", "e-cube"), None);
        let gain = gain(&sweep, "up", "e-cube", 0.2).unwrap();
        assert!(gain.low > 0.0 && gain.high < 0.5, "{gain:?}");
        // The utilization of the highest dimension is 2/3 of the rate: it saturates at 1.5.
        let end = range(&sweep, "e-cube", 10.0).unwrap();
        assert!(end.low >= 0.2 && end.high <= 1.6, "{end:?}");
    }
}
