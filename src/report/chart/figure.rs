//! What a chart shows, before anybody draws it.

use crate::report::picture::scene::Role;

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
    /// A share of a whole: what lies between the two ends of its intervals, filled.
    Band,
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

/// What stands beside a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The point.
    pub at: (f64, f64),
    /// The words.
    pub text: String,
    /// Their colour.
    pub role: Role,
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
pub(crate) fn plain(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
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
    fn a_logarithmic_axis_is_unrolled() {
        let figure = Figure { x_range: (1.0, 1000.0), powers: vec![1.0], ..Figure::default() }.unrolled();
        assert!(figure.x_range.0 == 0.0 && (figure.x_range.1 - 3.0).abs() < 1e-12);
    }
}
