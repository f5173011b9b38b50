//! Points of a chart at which the user can point.

use crate::picture::geometry::Point;

/// A point of a chart that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChartPoint {
    /// Index of the curve.
    pub curve: usize,
    /// Coordinates as in the figure, x and y; no y at a mark, which has a word instead.
    pub value: (f64, Option<f64>),
    /// Position in pixels.
    pub pixel: Point,
}

impl ChartPoint {
    /// Returns whether the spot is at most `far` pixels from a pixel.
    pub fn is_within(&self, at: Point, far: f64) -> bool {
        libm::hypot(self.pixel.x - at.x, self.pixel.y - at.y) <= far
    }
}
