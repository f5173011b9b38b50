//! Points and texts of pictures, in pixels.

/// A point of the picture, in pixels.
pub(crate) type Point = (f64, f64);

/// About how wide a text is, in pixels.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.54
}
