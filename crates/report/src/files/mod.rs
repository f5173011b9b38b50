//! Files: tables, CSV, JSON, descriptions inside pictures.

pub(crate) mod bound_rows;
pub mod csv;
mod csv_records;
pub mod decimal_comma;
pub mod file_name;
pub mod json;
pub mod opened;
#[cfg(feature = "charts")]
pub mod png;
pub(crate) mod record;
pub mod saturation;
pub mod table;
pub mod trace;

/// Returns `value`, or 0 for negative zero, which readers take for a small negative number.
pub(crate) fn without_negative_zero(value: f64) -> f64 {
    value + 0.0
}
