//! What a chart shows, before anybody draws it.

use super::scene::Role;
use super::trade_off::Label;
use crate::experiment::{
    CHANNELS, DIMENSIONS, Experiment, LATENCIES, LENGTHS, Metric, Parameter, PointResult, SETUPS, Status, Sweep,
    TRADE_OFF,
};
use crate::sort;
use crate::switching::Switching;

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its colour.
    pub role: Role,
    /// The number of its dashes and of its marker.
    pub dash: usize,
    /// Its points, by ascending x.
    pub points: Vec<(f64, f64)>,
    /// The 95% intervals: x, low, high. None for a curve that is computed, not measured.
    pub intervals: Vec<(f64, f64, f64)>,
    /// Points without a mean, by ascending x: the curve ends before them, a mark at the upper edge stands for them.
    pub marks: Vec<(f64, Mark)>,
    /// How it is drawn.
    pub kind: Kind,
}

impl Curve {
    /// Its points in pieces: a curve ends where a mark says that it has no mean.
    pub fn pieces(&self) -> Vec<&[(f64, f64)]> {
        let mut rest = self.points.as_slice();
        let mut pieces = Vec::new();
        for (x, _) in &self.marks {
            let (before, after) = rest.split_at(rest.partition_point(|point| point.0 < *x));
            pieces.push(before);
            rest = after;
        }
        pieces.push(rest);
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }
}

/// Why a point has no mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The network jams for good at some time.
    Unstable,
    /// Messages wait for each other in a circle.
    Deadlocked,
}

impl Mark {
    /// What stands beside it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unstable => "unstable",
            Self::Deadlocked => "deadlock",
        }
    }

    /// The mark of `point`, which has no estimate.
    fn of(point: &PointResult) -> Option<Self> {
        match point.status {
            Status::Unstable => Some(Self::Unstable),
            Status::Deadlocked => Some(Self::Deadlocked),
            _ => None,
        }
    }
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Measured along an axis: a line with markers and intervals.
    Measured,
    /// Measured for things without order: markers and intervals.
    Apart,
    /// A distribution: a line.
    Distribution,
    /// Computed from a closed form: a thin line.
    ClosedForm,
}

/// A place on the x axis that something is said of: a vertical line with its words.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Where it is.
    pub x: f64,
    /// What is said.
    pub label: String,
    /// Its colour.
    pub role: Role,
    /// Whether it is measured; else it is proved, and drawn in dashes.
    pub measured: bool,
}

/// A chart: axes, curves, published values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// What x is.
    pub x_axis: String,
    /// What y is.
    pub y_axis: String,
    /// The range of x.
    pub x_range: (f64, f64),
    /// The range of y.
    pub y_range: (f64, f64),
    /// Whether y is a probability, written as a percentage.
    pub percent: bool,
    /// Names at x = 0, 1, 2, ... where x is no number.
    pub names: Vec<String>,
    /// The curves.
    pub curves: Vec<Curve>,
    /// Published values, drawn as rings.
    pub published: Vec<(f64, f64)>,
    /// The mesh whose nodes x counts: then every curve is drawn as a map.
    pub grid: Option<Grid>,
    /// Where the ticks of a logarithmic x axis stand; empty if the axis is linear.
    pub powers: Vec<f64>,
    /// What is said of places on the x axis.
    pub limits: Vec<Limit>,
    /// What stands beside points; of charts with linear axes.
    pub labels: Vec<Label>,
}

/// The rows and columns of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Rows.
    pub rows: u16,
    /// Columns.
    pub columns: u16,
}

impl Figure {
    /// The chart of one of the metrics of a sweep, or the distribution of its path lengths; of the first metric for
    /// `None`.
    pub fn of(sweep: &Sweep, plot: Option<&str>) -> Self {
        match plot {
            Some(LENGTHS) => super::spread::lengths(sweep),
            Some(SETUPS) => super::spread::setups(sweep),
            Some(LATENCIES) => super::spread::latencies(sweep),
            Some(CHANNELS) => super::spread::channels(sweep),
            Some(TRADE_OFF) => super::trade_off::trade_off(sweep),
            Some(DIMENSIONS) => super::spread::dimensions(sweep),
            plot => Self::of_metric(sweep, Metric::find(sweep.experiment().switching, plot.unwrap_or_default())),
        }
    }

    /// The chart of one metric of a sweep, as far as it is.
    fn of_metric(sweep: &Sweep, metric: &Metric) -> Self {
        let experiment = sweep.experiment();
        let names: Vec<_> = match experiment.vary {
            Some(_) => Vec::new(),
            None => experiment.routing.iter().map(|algorithm| algorithm.name.to_owned()).collect(),
        };
        let mut curves: Vec<_> = (0..experiment.routing.len()).map(|index| measured(sweep, metric, index)).collect();
        let sizes = experiment.vary.as_ref().is_some_and(|vary| vary.parameter == Parameter::Leaves);
        let powers = powers(&experiment.vary.as_ref().map(|vary| vary.values()).unwrap_or_default(), sizes);
        let x_range = x_range(sweep, names.len(), !powers.is_empty());
        curves.extend(super::overlay::closed_forms(sweep, metric));
        let published = super::overlay::published(sweep, metric);
        let y_range = y_range(metric, &curves, &published);
        let x_axis = experiment.vary.as_ref().map_or("algorithm", |vary| vary.parameter.axis()).to_owned();
        Self {
            x_axis,
            y_axis: metric.axis.to_owned(),
            x_range,
            y_range,
            percent: metric.probability,
            names,
            curves,
            published,
            grid: grid(experiment),
            powers,
            limits: super::overlay::limits(sweep, metric),
            labels: Vec::new(),
        }
    }

    /// It with every x as its logarithm, if the axis is logarithmic: for drawing along a linear one.
    pub fn unrolled(&self) -> Self {
        let mut figure = self.clone();
        if self.powers.is_empty() {
            return figure;
        }
        let along = |x: &mut f64| *x = libm::log10(*x);
        for curve in &mut figure.curves {
            curve.points.iter_mut().for_each(|point| along(&mut point.0));
            curve.intervals.iter_mut().for_each(|interval| along(&mut interval.0));
            curve.marks.iter_mut().for_each(|mark| along(&mut mark.0));
        }
        figure.published.iter_mut().for_each(|point| along(&mut point.0));
        figure.limits.iter_mut().for_each(|limit| along(&mut limit.x));
        along(&mut figure.x_range.0);
        along(&mut figure.x_range.1);
        figure
    }

    /// The number of names on the x axis, if it has names.
    pub fn categories(&self) -> Option<usize> {
        (!self.names.is_empty()).then_some(self.names.len())
    }

    /// What stands at `x` on the axis.
    pub fn x_label(&self, x: f64) -> String {
        match self.categories() {
            None => plain(x),
            Some(_) if x.fract().abs() > 1e-6 || x < 0.0 => String::new(),
            Some(_) => self.names.get(x as usize).cloned().unwrap_or_default(),
        }
    }

    /// What stands at `y` on the axis.
    pub fn y_label(&self, y: f64) -> String {
        if self.percent { format!("{}%", plain(y * 100.0)) } else { plain(y) }
    }
}

/// A number without needless digits.
pub(super) fn plain(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// The mesh on which a sweep moves a faulty node.
fn grid(experiment: &Experiment) -> Option<Grid> {
    let mesh = experiment.mesh()?;
    let moved = experiment.vary.as_ref().is_some_and(|vary| vary.parameter == Parameter::Place);
    moved.then(|| Grid { rows: mesh.rows(), columns: mesh.columns() })
}

fn measured(sweep: &Sweep, metric: &Metric, index: usize) -> Curve {
    let experiment = sweep.experiment();
    let algorithm = experiment.routing[index];
    let points = sweep.points().iter().filter(|point| point.algorithm == algorithm);
    let points: Vec<_> = points.map(|point| (point.x.unwrap_or(index as f64), point, point.estimate(metric))).collect();
    let marks = points.iter().filter(|(.., estimate)| estimate.is_none());
    let marks = marks.filter_map(|(x, point, _)| Some((*x, Mark::of(point)?))).collect();
    let estimates: Vec<_> = points.iter().filter_map(|(x, _, estimate)| Some((*x, (*estimate)?))).collect();
    let intervals = estimates.iter().filter(|(_, e)| e.low.is_finite() && e.high.is_finite());
    Curve {
        name: algorithm.name.to_owned(),
        role: Role::Series(index as u8),
        dash: index,
        points: estimates.iter().map(|(x, estimate)| (*x, estimate.mean)).collect(),
        intervals: intervals.map(|(x, estimate)| (*x, estimate.low, estimate.high)).collect(),
        marks,
        kind: if experiment.vary.is_none() { Kind::Apart } else { Kind::Measured },
    }
}

/// The most values at which all ticks of a logarithmic axis stand.
const MOST_TICKS: usize = 16;

/// The ticks of a logarithmic axis for `values`, which are `sizes`, powers of two, or span two decades or more and crowd towards the
/// smaller ones: at the values themselves if they are few, else at 1, 10, 100. Empty if a linear axis is better.
fn powers(values: &[f64], sizes: bool) -> Vec<f64> {
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

/// The range of x, with a little room on both sides.
fn x_range(sweep: &Sweep, names: usize, by_powers: bool) -> (f64, f64) {
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

/// The range of y: from 0 to 100% for probabilities that are not all small, else what the values need.
fn y_range(metric: &Metric, curves: &[Curve], published: &[(f64, f64)]) -> (f64, f64) {
    let values = curves.iter().flat_map(|curve| curve.points.iter()).chain(published);
    let values = values.map(|point| point.1).filter(|value| value.is_finite());
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if !high.is_finite() {
        return (0.0, 1.0);
    }
    if metric.probability {
        return (0.0, if high > 0.3 { 1.0 } else { (high * 1.25).max(0.001) });
    }
    let high = if metric.switching == Switching::Circuit { high.min(ceiling(curves)) } else { high };
    let low = if low >= 0.0 && low < high * 0.6 { 0.0 } else { low - (high - low).max(0.1) * 0.15 };
    (low, high + (high - low).max(0.1) * 0.1)
}

/// By how much values may exceed the middle one before they are cut off at the upper edge.
const STEEP: f64 = 10.0;

/// Towards saturation times grow without bound: one point there must not flatten all others.
fn ceiling(curves: &[Curve]) -> f64 {
    let mut values: Vec<f64> = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1).collect();
    values.retain(|value| value.is_finite());
    sort::by(&mut values, f64::total_cmp);
    let middle = values.get(values.len() / 2).map_or(0.0, |middle| middle * STEEP);
    // The largest value that is not cut off.
    let last = values.iter().rev().find(|&&value| value <= middle);
    match last {
        Some(&last) if values.last() != Some(&last) => middle.min(last * 2.0),
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: &[(f64, f64)], marks: &[f64]) -> Curve {
        Curve {
            name: String::new(),
            role: Role::Ink,
            dash: 0,
            points: points.to_vec(),
            intervals: Vec::new(),
            marks: marks.iter().map(|&x| (x, Mark::Unstable)).collect(),
            kind: Kind::Measured,
        }
    }

    #[test]
    fn a_curve_ends_before_a_mark() {
        let curve = curve(&[(1.0, 1.0), (2.0, 1.0), (4.0, 1.0)], &[3.0, 5.0]);
        assert_eq!(curve.pieces(), [&[(1.0, 1.0), (2.0, 1.0)][..], &[(4.0, 1.0)]]);
    }

    #[test]
    fn powers_have_a_logarithmic_axis() {
        let doubling: Vec<f64> = (0..11).map(|exponent| f64::from(1 << exponent)).collect();
        let powers_of = |values: &[f64]| powers(values, false);
        assert_eq!(powers_of(&doubling), doubling);
        assert_eq!(powers(&doubling[..4], true), doubling[..4]);
        assert!(powers_of(&doubling[..6]).is_empty(), "32 times is no two decades");
        let even: Vec<f64> = (0..11).map(|step| 1.0 + 100.0 * f64::from(step)).collect();
        assert!(powers_of(&even).is_empty() && powers_of(&[0.0, 1.0, 1000.0]).is_empty() && powers_of(&[]).is_empty());
        let many: Vec<f64> = (0..40).map(|exponent| libm::pow(10.0, 0.075 * f64::from(exponent))).collect();
        assert_eq!(powers_of(&many), [1.0, 10.0, 100.0]);
        let figure = Figure { x_range: (1.0, 1000.0), powers: vec![1.0], ..Figure::default() }.unrolled();
        assert!(figure.x_range.0 == 0.0 && (figure.x_range.1 - 3.0).abs() < 1e-12);
    }

    #[test]
    fn one_point_near_saturation_flattens_nothing() {
        let steep = curve(&[(1.0, 0.2), (2.0, 0.5), (3.0, 1.0), (4.0, 90.0)], &[]);
        assert_eq!(ceiling(std::slice::from_ref(&steep)), 2.0);
        assert_eq!(ceiling(&[curve(&[(1.0, 0.2), (2.0, 0.5), (3.0, 1.5)], &[])]), f64::INFINITY);
        assert_eq!(ceiling(&[]), f64::INFINITY);
    }

    #[test]
    fn a_point_that_jams_has_a_mark_and_no_mean() {
        let text = "net=cube:2&switch=circuit&route=e-cube,minimal&vary=rate:0.2,3&within=0.5&trials=1000";
        let mut sweep = Sweep::new(&text.parse().unwrap());
        crate::experiment::run(&mut sweep);
        let figure = Figure::of(&sweep, None);
        assert_eq!(figure.curves[0].points.len(), 1);
        assert_eq!(figure.curves[0].marks, [(3.0, Mark::Unstable)]);
        assert_eq!(figure.curves[1].marks.last().map(|mark| mark.1), Some(Mark::Deadlocked));
    }
}
