//! Content of a chart, independent of how it is drawn.

use serde::{Deserialize, Serialize};

use super::curve_style;
use crate::picture::scene::Role;
use crate::wording::numbers::plain;

/// Curve of a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Name of the curve.
    pub name: String,
    /// Colour of the curve.
    pub role: Role,
    /// Number that selects the dashes and the marker.
    pub dash: usize,
    /// Points, by ascending x.
    pub points: Vec<(f64, f64)>,
    /// 95% intervals: x, low, high. Empty for a curve that is computed, not measured.
    pub intervals: Vec<(f64, f64, f64)>,
    /// Points without a mean, by ascending x. The curve ends before them, and a mark at the upper
    /// edge represents them.
    pub marks: Vec<(f64, MissingMean)>,
    /// Style of drawing.
    pub kind: CurveStyle,
}

#[cfg(test)]
impl Curve {
    /// Returns a measured curve, for tests.
    pub(crate) fn through(name: &str, points: &[(f64, f64)]) -> Self {
        let (intervals, marks) = (Vec::new(), Vec::new());
        Self {
            name: name.into(),
            role: Role::Ink,
            dash: 0,
            points: points.to_vec(),
            intervals,
            marks,
            kind: CurveStyle::Measured,
        }
    }
}

impl Curve {
    /// Returns whether the markers are hollow.
    pub fn is_hollow(&self) -> bool {
        matches!(self.kind, CurveStyle::Published | CurveStyle::Kept) || curve_style::is_hollow(self.dash)
    }

    /// Returns the opacity and the width of the line. Measured curves are emphasised.
    pub fn stroke(&self) -> (f64, f64) {
        match self.kind {
            CurveStyle::ClosedForm | CurveStyle::Kept => (0.75, 1.2),
            _ => (1.0, 2.4),
        }
    }

    /// Returns the points in pieces: the curve is interrupted at each mark.
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

/// Reason why a point has no mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MissingMean {
    /// Unstable point: queues grow without bound.
    Unstable,
    /// Deadlocked point: messages are in a cyclic wait.
    Deadlocked,
}

impl MissingMean {
    /// Returns the word beside the mark.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unstable => "unstable",
            Self::Deadlocked => "deadlock",
        }
    }
}

/// Style in which a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CurveStyle {
    /// Measured along an axis: a line with markers and intervals.
    Measured,
    /// Measured for unordered categories: markers and intervals.
    Apart,
    /// Distribution: a line.
    Distribution,
    /// Closed form: a thin line.
    ClosedForm,
    /// Published in a paper: rings.
    Published,
    /// Share of a whole: the filled area between the two ends of its intervals.
    Band,
    /// Measured in a pinned experiment: a thin line with hollow markers.
    Kept,
}

/// Marked position on the x axis: a vertical line with its label; in a map, the frame of a square.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerticalMarker {
    /// Position on the x axis.
    pub x: f64,
    /// Label of the line.
    pub label: String,
    /// Colour of the line.
    pub role: Role,
    /// True if the limit is measured; else it is proved, and drawn dashed.
    pub measured: bool,
}

/// Chart: axes, curves, published values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Title of the x axis.
    pub x_axis: String,
    /// Title of the y axis.
    pub y_axis: String,
    /// Range of x.
    pub x_range: (f64, f64),
    /// Range of y.
    pub y_range: (f64, f64),
    /// True if y is a probability, written as a percentage.
    pub percent: bool,
    /// Names at x = 0, 1, 2, ... where x is not a number.
    pub names: Vec<String>,
    /// Curves of the chart.
    pub curves: Vec<Curve>,
    /// Mesh whose node numbers are the x values; if set, every curve is drawn as a map.
    pub grid: Option<Grid>,
    /// Ticks of a logarithmic x axis; empty if the axis is linear.
    pub powers: Vec<f64>,
    /// Ticks of a logarithmic y axis; empty if the axis is linear.
    pub y_powers: Vec<f64>,
    /// True if the names of curves are elsewhere, as in a legend; the plot then takes their space.
    pub unnamed: bool,
    /// Marked positions on the x axis.
    pub limits: Vec<VerticalMarker>,
    /// Labels beside points, for charts with linear axes.
    pub labels: Vec<PointLabel>,
}

/// Label beside a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointLabel {
    /// Labelled point.
    pub at: (f64, f64),
    /// Text of the label.
    pub text: String,
    /// Colour of the label.
    pub role: Role,
}

/// Rows and columns of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// Number of rows.
    pub rows: u16,
    /// Number of columns.
    pub columns: u16,
}

impl Figure {
    /// Returns the titles of the axes; the title of a logarithmic axis mentions it.
    pub fn titles(&self) -> [String; 2] {
        let title = |name: &str, log: bool| if log { format!("{name}, logarithmic") } else { name.to_owned() };
        [title(&self.x_axis, !self.powers.is_empty()), title(&self.y_axis, !self.y_powers.is_empty())]
    }

    /// Returns the number of names on the x axis, if it has names.
    pub fn category_count(&self) -> Option<usize> {
        (!self.names.is_empty()).then_some(self.names.len())
    }

    /// Returns the label at `x` on the axis.
    pub fn x_label(&self, x: f64) -> String {
        match self.category_count() {
            None => plain(x),
            Some(_) if x.fract().abs() > 1e-6 || x < 0.0 => String::new(),
            Some(_) => self.names.get(x as usize).cloned().unwrap_or_default(),
        }
    }

    /// Returns the label at `y` on the axis.
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
            marks: marks.iter().map(|&x| (x, MissingMean::Unstable)).collect(),
            kind: CurveStyle::Measured,
        }
    }

    #[test]
    fn curves_are_interrupted_at_marks() {
        let curve = curve(&[(1.0, 1.0), (2.0, 1.0), (4.0, 1.0)], &[3.0, 5.0]);
        assert_eq!(curve.pieces(), [&[(1.0, 1.0), (2.0, 1.0)][..], &[(4.0, 1.0)]]);
    }
}
