//! Answers as files: tables, CSV, JSON, notes inside pictures.

pub mod csv;
pub mod json;
#[cfg(feature = "charts")]
pub mod png;
pub(crate) mod record;
pub(crate) mod rows;
pub mod table;

/// `value`, or 0 in place of negative zero, which readers take for a small negative number.
pub(crate) fn unsigned_zero(value: f64) -> f64 {
    value + 0.0
}
