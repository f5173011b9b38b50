//! Points of a chart that can be pointed at.

/// Point of a chart that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Index of the curve.
    pub curve: usize,
    /// Coordinates as in the figure, x and y; no y at a mark, which has a word instead.
    pub point: (f64, Option<f64>),
    /// Position in pixels.
    pub at: (f64, f64),
}

impl Spot {
    /// Returns whether the spot is at most `far` pixels from a pixel.
    pub fn is_within(&self, at: (f64, f64), far: f64) -> bool {
        libm::hypot(self.at.0 - at.0, self.at.1 - at.1) <= far
    }
}
