//! The distribution of path lengths, as a chart: cumulative, so that it also says what another path limit would give.

use super::figure::{Curve, Figure, Kind};
use super::scene::Role;
use crate::experiment::{PointResult, Sweep};

/// The most curves: more could not be told apart.
const MOST: usize = 6;

/// How many of the messages have arrived after how many hops: for each algorithm; or, where something is varied, for the
/// first algorithm at up to six of its values.
pub(super) fn figure(sweep: &Sweep) -> Figure {
    let curves: Vec<_> =
        shown(sweep).into_iter().enumerate().map(|(index, (name, point))| curve(index, name, point)).collect();
    let lengths = || curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.0));
    let (first, last) = lengths().fold((f64::INFINITY, 1.0), |(low, high): (f64, f64), x| (low.min(x), high.max(x)));
    let first = if first < last { first } else { 0.0 };
    let room = (last - first) * 0.02;
    Figure {
        x_axis: "hops".into(),
        y_axis: "messages that have arrived".into(),
        x_range: (first - room, last + room),
        y_range: (0.0, 1.0),
        percent: true,
        names: Vec::new(),
        curves,
        published: Vec::new(),
    }
}

fn shown(sweep: &Sweep) -> Vec<(String, &PointResult)> {
    let experiment = sweep.experiment();
    let Some(vary) = &experiment.vary else {
        return sweep.points().iter().map(|point| (point.algorithm.name.to_owned(), point)).collect();
    };
    let first: Vec<_> =
        sweep.points().iter().filter(|point| experiment.routing.first() == Some(&point.algorithm)).collect();
    let every = first.len().div_ceil(MOST).max(1);
    let name = |point: &PointResult| format!("{} = {}", vary.parameter.id(), point.x.unwrap_or_default());
    first.into_iter().step_by(every).map(|point| (name(point), point)).collect()
}

fn curve(index: usize, name: String, point: &PointResult) -> Curve {
    let all = point.tally.trials.max(1) as f64;
    let mut arrived = 0;
    let arrivals = point.tally.histogram(point.cell.distance()).map(|(length, count)| {
        arrived += count;
        (f64::from(length), arrived as f64 / all)
    });
    Curve {
        name,
        role: Role::Series(index as u8),
        dash: index,
        points: arrivals.collect(),
        intervals: Vec::new(),
        kind: Kind::Distribution,
    }
}
