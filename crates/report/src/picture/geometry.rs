//! Points, sizes and texts of pictures.

use std::ops::{Add, Mul, Sub};

use serde::{Deserialize, Serialize};

/// A point of a picture, or an offset between two points: in CSS pixels, unless stated otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
pub struct Point {
    /// The distance from the left edge.
    pub x: f64,
    /// The distance from the upper edge.
    pub y: f64,
}

impl Point {
    /// The left upper corner of a picture, and the offset from a point to itself.
    pub const ORIGIN: Self = Self::new(0.0, 0.0);

    /// Returns the point with the coordinates `x` and `y`.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Returns the point half-way between two points.
    pub fn middle(self, other: Self) -> Self {
        Self::new((self.x + other.x) / 2.0, (self.y + other.y) / 2.0)
    }

    /// Returns the offset turned clockwise by a right angle.
    pub fn turned_right(self) -> Self {
        Self::new(-self.y, self.x)
    }

    /// Returns the length of the offset.
    pub fn length(self) -> f64 {
        libm::sqrt(self.x * self.x + self.y * self.y)
    }
}

impl Add for Point {
    type Output = Self;

    fn add(self, offset: Self) -> Self {
        Self::new(self.x + offset.x, self.y + offset.y)
    }
}

impl Sub for Point {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

/// The size of a picture: in CSS pixels, unless stated otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Size {
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

impl Size {
    /// Returns the size with a width and a height.
    pub const fn new(width: f64, height: f64) -> Self {
        Self { width, height }
    }

    /// Returns the height as a multiple of the width, which counts as one at least.
    pub fn aspect(self) -> f64 {
        self.height / self.width.max(1.0)
    }
}

/// Returns the approximate width of a text, in pixels.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.54
}
