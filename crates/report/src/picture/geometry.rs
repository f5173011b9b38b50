//! Points and texts of pictures, in pixels.

/// Point of the picture, in pixels.
pub(crate) type Point = (f64, f64);

/// Returns the approximate width of a text, in pixels.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.54
}
