//! What a chart shows, before anybody draws it.

use serde::{Deserialize, Serialize};

use super::look;
use crate::picture::scene::Role;
use crate::words::numbers::plain;

/// One curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

#[cfg(test)]
impl Curve {
    /// A measured curve, for tests.
    pub(crate) fn through(name: &str, points: &[(f64, f64)]) -> Self {
        let (intervals, marks) = (Vec::new(), Vec::new());
        Self {
            name: name.into(),
            role: Role::Ink,
            dash: 0,
            points: points.to_vec(),
            intervals,
            marks,
            kind: Kind::Measured,
        }
    }
}

impl Curve {
    /// Whether its markers are hollow.
    pub fn is_hollow(&self) -> bool {
        matches!(self.kind, Kind::Published | Kind::Kept) || look::is_hollow(self.dash)
    }

    /// How opaque and how wide its line is: what is measured stands out.
    pub fn stroke(&self) -> (f64, f64) {
        match self.kind {
            Kind::ClosedForm | Kind::Kept => (0.75, 1.2),
            _ => (1.0, 2.4),
        }
    }

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    /// What waits grows without end.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Measured along an axis: a line with markers and intervals.
    Measured,
    /// Measured for things without order: markers and intervals.
    Apart,
    /// A distribution: a line.
    Distribution,
    /// Computed from a closed form: a thin line.
    ClosedForm,
    /// Printed in a paper: rings.
    Published,
    /// A share of a whole: what lies between the two ends of its intervals, filled.
    Band,
    /// Measured in another experiment, and kept: a thin line with hollow markers.
    Kept,
}

/// A place on the x axis that something is said of: a vertical line with its words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// The mesh whose nodes x counts: then every curve is drawn as a map.
    pub grid: Option<Grid>,
    /// Where the ticks of a logarithmic x axis stand; empty if the axis is linear.
    pub powers: Vec<f64>,
    /// The same of the y axis.
    pub y_powers: Vec<f64>,
    /// Whether the names of curves stand elsewhere, as in a legend: the plot then has their room.
    pub unnamed: bool,
    /// What is said of places on the x axis.
    pub limits: Vec<Limit>,
    /// What stands beside points; of charts with linear axes.
    pub labels: Vec<Label>,
}

/// What stands beside a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Label {
    /// The point.
    pub at: (f64, f64),
    /// The words.
    pub text: String,
    /// Their colour.
    pub role: Role,
}

/// The rows and columns of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// Rows.
    pub rows: u16,
    /// Columns.
    pub columns: u16,
}

impl Figure {
    /// What its axes are, and which of them are logarithmic.
    pub fn titles(&self) -> [String; 2] {
        let title = |name: &str, log: bool| if log { format!("{name}, logarithmic") } else { name.to_owned() };
        [title(&self.x_axis, !self.powers.is_empty()), title(&self.y_axis, !self.y_powers.is_empty())]
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
}
