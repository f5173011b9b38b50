//! Distributions as charts: path lengths and setup times, cumulative; link utilization by dimension
//! and direction.

use super::figure::{Curve, CurveStyle, Figure};
use super::stacked;
use crate::picture::scene::Role;
use crate::wording::numbers::varied;
use faultlab_core::topology::Hypercube;
use faultlab_experiment::{
    ChartOptions, DistributionKind, Estimate, Experiment, HistogramFn, PointResult, Sweep, Vary,
};

/// Maximum number of curves of an algorithm; more could not be distinguished.
const MOST: usize = 6;

/// Number of curves of all algorithms above which each algorithm has fewer, but at least two.
const MOST_IN_ALL: usize = 12;

/// Returns the chart of a distribution: for each algorithm and, in a sweep, at some of its values.
/// `only` is the index of the one algorithm to show, if one is chosen.
pub(crate) fn figure(sweep: &Sweep, shape: DistributionKind, only: Option<usize>) -> Figure {
    let series = || series_to_draw(sweep, only);
    match shape {
        DistributionKind::Arrivals(of) => lengths(series(), of),
        DistributionKind::Routes(of) => cumulative_steps(series(), of, ["hops", "routes with at most this many"]),
        DistributionKind::Steps(of, axes) => cumulative_steps(series(), of, axes),
        DistributionKind::Times(of, least, axes) => times(series(), of, least, axes),
        DistributionKind::Dimensions(of) => dimensions(sweep, of),
        DistributionKind::Stack(of) => stacked::figure(sweep, of, only.unwrap_or(0)),
        DistributionKind::TradeOff => Figure::default(),
    }
}

/// Returns the index of the algorithm to which `view` restricts the distributions of a sweep; `None`
/// for every algorithm.
pub(crate) fn only_algorithm(experiment: &Experiment, view: &ChartOptions) -> Option<usize> {
    let chosen = view.algorithm.map(usize::from).filter(|&index| index < experiment.routing.len());
    chosen.filter(|_| experiment.vary.is_some())
}

/// Point of a sweep whose distribution is drawn.
struct Series<'a> {
    /// Name of the curve.
    name: String,
    /// Index of the algorithm, which decides the colour.
    algorithm: usize,
    point: &'a PointResult,
}

/// Returns the share of messages that have arrived, over the number of hops.
fn lengths(series: Vec<Series<'_>>, of: HistogramFn) -> Figure {
    let mut curves: Vec<_> = (0..)
        .zip(&series)
        .map(|(dash, one)| {
            let all = one.point.tally.trials.max(1) as f64;
            curve(dash, one, steps(&cumulative(of(one.point).into_iter(), all)))
        })
        .collect();
    let lengths = || curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.0));
    let (first, last) = lengths().fold((f64::INFINITY, 1.0), |(low, high): (f64, f64), x| (low.min(x), high.max(x)));
    // Around a single length there is room for the share before and after it.
    let (first, last) = match first {
        _ if first < last => (first, last),
        _ if first.is_finite() => (first - 1.0, first + 1.0),
        _ => (0.0, last),
    };
    let room = (last - first) * 0.02;
    // The share stays the same beyond the longest path of an algorithm.
    for curve in &mut curves {
        let end = curve.points.last().map(|&(_, share)| (last, share));
        curve.points.extend(end);
    }
    Figure {
        x_axis: "hops".into(),
        y_axis: "messages that have arrived".into(),
        x_range: (first - room, last + room),
        y_range: (0.0, 1.0),
        percent: true,
        curves,
        ..Figure::default()
    }
}

/// Returns the points to draw: of each algorithm, evenly spread values that include the first and
/// the last one.
fn series_to_draw(sweep: &Sweep, only: Option<usize>) -> Vec<Series<'_>> {
    let experiment = sweep.experiment();
    let algorithms: Vec<_> = only.map_or_else(|| (0..experiment.routing.len()).collect(), |index| vec![index]);
    let most = (MOST_IN_ALL / algorithms.len().max(1)).clamp(2, MOST);
    let values = experiment.vary.as_ref().map(Vary::values).unwrap_or_default();
    let name = |point: &PointResult| {
        let algorithm = &point.algorithm.name;
        match (&experiment.vary, algorithms.len()) {
            (None, _) => algorithm.to_string(),
            (Some(vary), count) => {
                let value = varied(experiment, &values, point.x.unwrap_or_default());
                let at = format!("{} = {value}", vary.parameter.heading);
                if count > 1 { format!("{algorithm}, {at}") } else { at }
            }
        }
    };
    let of_algorithm = |&index: &usize| {
        let points = sweep.points().iter().filter(|point| experiment.routing.get(index) == Some(&point.algorithm));
        let points: Vec<_> = points.collect();
        let drawn = spread_evenly(points.len(), most).into_iter();
        drawn
            .map(|place| Series { name: name(points[place]), algorithm: index, point: points[place] })
            .collect::<Vec<_>>()
    };
    algorithms.iter().flat_map(of_algorithm).collect()
}

/// Returns at most `most` indices below `count`, evenly spread, with the first and the last one.
fn spread_evenly(count: usize, most: usize) -> Vec<usize> {
    let most = most.min(count);
    match most {
        0 | 1 => (0..most).collect(),
        _ => (0..most).map(|place| (place * (count - 1) + (most - 1) / 2) / (most - 1)).collect(),
    }
}

/// Returns the cumulative distribution of whole numbers, as steps.
fn cumulative_steps(series: Vec<Series<'_>>, of: HistogramFn, axes: [&str; 2]) -> Figure {
    let drawn = (0..).zip(&series).map(|(dash, one)| {
        let counts = of(one.point);
        let all = counts.iter().map(|(_, count)| count).sum::<u64>().max(1) as f64;
        curve(dash, one, steps(&cumulative(counts.into_iter(), all)))
    });
    let curves: Vec<_> = drawn.collect();
    let last = curves.iter().filter_map(|curve| curve.points.last()).map(|point| point.0).fold(1.0, f64::max);
    Figure {
        x_axis: axes[0].into(),
        y_axis: axes[1].into(),
        x_range: (-last * 0.02, last * 1.02),
        y_range: (0.0, 1.0),
        percent: true,
        curves,
        ..Figure::default()
    }
}

/// Returns the corners of a step function: a share is constant up to the next value.
fn steps(shares: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut before = 0.0;
    let corners = shares.iter().flat_map(|&(x, share)| [(x, std::mem::replace(&mut before, share)), (x, share)]);
    corners.collect()
}

/// Returns the cumulative share of `all` up to each x.
fn cumulative(counts: impl Iterator<Item = (f64, u64)>, all: f64) -> Vec<(f64, f64)> {
    let mut so_far = 0;
    let shares = counts.map(|(x, count)| {
        so_far += count;
        (x, so_far as f64 / all)
    });
    shares.collect()
}

/// Returns a curve in the colour of its algorithm; `dash` distinguishes it from the others.
fn curve(dash: usize, series: &Series<'_>, points: Vec<(f64, f64)>) -> Curve {
    distribution(dash, series.algorithm, series.name.clone(), points)
}

fn distribution(dash: usize, algorithm: usize, name: String, points: Vec<(f64, f64)>) -> Curve {
    Curve {
        name,
        role: Role::Series(algorithm as u8),
        dash,
        points,
        intervals: Vec::new(),
        marks: Vec::new(),
        kind: CurveStyle::Distribution,
    }
}

/// Returns the cumulative distribution of times. The axis ends where the last curve reaches 99%,
/// but not before `least`.
fn times(series: Vec<Series<'_>>, of: HistogramFn, least: f64, axes: [&str; 2]) -> Figure {
    let curves: Vec<_> = (0..)
        .zip(&series)
        .map(|(dash, one)| {
            let counts = of(one.point);
            let all = counts.iter().map(|(_, count)| count).sum::<u64>().max(1) as f64;
            curve(dash, one, cumulative(counts.into_iter(), all))
        })
        .collect();
    let late = |curve: &Curve| curve.points.iter().find(|point| point.1 >= 0.99).map_or(0.0, |point| point.0);
    let last = curves.iter().map(late).fold(0.0, f64::max).max(least);
    let within =
        |curve: Curve| Curve { points: curve.points.into_iter().filter(|point| point.0 <= last).collect(), ..curve };
    Figure {
        x_axis: axes[0].into(),
        y_axis: axes[1].into(),
        x_range: (-last * 0.02, last * 1.02),
        y_range: (0.0, 1.0),
        percent: true,
        curves: curves.into_iter().map(within).collect(),
        ..Figure::default()
    }
}

/// Returns the utilization of the up-links and down-links of each dimension, for each algorithm at
/// the last of its points that the network can carry.
fn dimensions(sweep: &Sweep, of: fn(&PointResult) -> Vec<[Estimate; 2]>) -> Figure {
    let experiment = sweep.experiment();
    let mut curves = Vec::new();
    for (index, algorithm) in experiment.routing.iter().enumerate() {
        let points = sweep.points().iter().filter(|point| point.algorithm == *algorithm);
        let carried = points.map(|point| (point.x, of(point))).rfind(|(_, found)| !found.is_empty());
        let Some((x, found)) = carried else { continue };
        let at = x.map_or(String::new(), |x| format!(", {x}"));
        for (way, word) in ["up", "down"].into_iter().enumerate() {
            let shares = found.iter().map(|ways| ways[way]).zip(0u8..).map(|(share, dim)| (f64::from(dim), share));
            let points = shares.clone().map(|(dim, share)| (dim, share.mean)).collect();
            let intervals = shares.filter(|(_, share)| share.half_width().is_finite());
            curves.push(Curve {
                intervals: intervals.map(|(dim, share)| (dim, share.low, share.high)).collect(),
                kind: CurveStyle::Measured,
                dash: 2 * index + way,
                ..distribution(index, index, format!("{}{at}, {word}", algorithm.name), points)
            });
        }
    }
    let most = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1).fold(0.0, f64::max);
    let dims = experiment.cube().map_or(0, Hypercube::dimension);
    let last = f64::from(dims) - 1.0;
    Figure {
        x_axis: "dimension".into(),
        y_axis: "link utilization".into(),
        x_range: (-0.5, last + 0.5),
        y_range: (0.0, if most > 0.0 { most * 1.15 } else { 1.0 }),
        percent: true,
        names: (0..dims).map(|dim| dim.to_string()).collect(),
        curves,
        ..Figure::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::run;

    fn shown_as(sweep: &Sweep, id: &str) -> Figure {
        let spreads = sweep.experiment().kind().spreads;
        figure(sweep, spreads.iter().find(|spread| spread.id == id).unwrap().shape, None)
    }

    #[test]
    fn every_algorithm_has_curves_in_its_own_colour() {
        let text = "net=cube:4&faults=nodes:0.1&route=random,sidetracking&vary=p:0..0.4:9&trials=100&plot=lengths";
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        let shape = |only| {
            let spreads = sweep.experiment().kind().spreads;
            figure(&sweep, spreads.iter().find(|spread| spread.id == "lengths").unwrap().shape, only).curves
        };
        let both = shape(None);
        assert_eq!(
            (both.len(), both[0].name.as_str(), both[11].name.as_str()),
            (12, "random, local, p = 0", "sidetracking, p = 0.4")
        );
        assert!((0..12).all(|place| both[place].role == Role::Series((place / 6) as u8) && both[place].dash == place));
        let second = shape(Some(1));
        assert_eq!((second.len(), second[0].name.as_str(), second[0].role), (6, "p = 0", Role::Series(1)));
        assert_eq!(
            [spread_evenly(9, 6), spread_evenly(2, 6), spread_evenly(0, 6)],
            [vec![0, 2, 3, 5, 6, 8], vec![0, 1], vec![]]
        );
    }

    #[test]
    fn channel_loads_and_route_lengths_are_step_curves() {
        let text = "switch=permutation&net=cube:4&faults=none&traffic=complement&route=bit-fixing&trials=4";
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        // The complement crosses every channel once, in four hops.
        assert_eq!(shown_as(&sweep, "channels").curves[0].points, [(1.0, 0.0), (1.0, 1.0)]);
        assert_eq!(shown_as(&sweep, "lengths").curves[0].points, [(4.0, 0.0), (4.0, 1.0)]);
        assert_eq!(shown_as(&sweep, "lengths").x_axis, "hops");
    }

    #[test]
    fn setup_times_are_cumulative_and_loads_match_theory() {
        let mut sweep = Sweep::new(&"switch=circuit&net=cube:3&route=e-cube&rate=0.5&trials=2000".parse().unwrap());
        let (dimensions, setups) =
            (|sweep: &Sweep| shown_as(sweep, "dimensions"), |sweep: &Sweep| shown_as(sweep, "setups"));
        assert!(dimensions(&sweep).curves.is_empty() && setups(&sweep).curves[0].points.is_empty());
        run(&mut sweep);
        let setups = &setups(&sweep).curves[0].points;
        assert!(setups[0].0 == 0.0 && setups.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1));
        assert!((0.98..=1.0).contains(&setups.last().unwrap().1));
        let loads = dimensions(&sweep);
        assert_eq!(loads.curves.iter().map(|curve| curve.points.len()).collect::<Vec<_>>(), [3, 3]);
        // Highest dimension under e-cube: rN / (2(N-1)), because every link of that dimension
        // carries its own message only.
        for curve in &loads.curves {
            let (_, low, high) = curve.intervals[2];
            assert!(low <= 0.5 * 8.0 / 14.0 && 0.5 * 8.0 / 14.0 <= high, "{curve:?}");
        }
    }
}
