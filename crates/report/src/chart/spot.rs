//! What can be pointed at in a chart.

use crate::picture::geometry::Point;

/// A point of a chart that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The number of its curve.
    pub curve: usize,
    /// What is drawn there, as in the figure: x and y. Without a y: something is said instead.
    pub point: (f64, Option<f64>),
    /// Its pixel.
    pub at: Point,
}

impl Spot {
    /// Whether it is at most `far` pixels from a pixel.
    pub fn is_within(&self, at: Point, far: f64) -> bool {
        libm::hypot(self.at.x - at.x, self.at.y - at.y) <= far
    }
}
