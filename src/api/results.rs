//! Results of a measurement in the formats of the command line.

use crate::experiment::Sweep;
use crate::report::files::{csv, json, table};

/// Formats of the results of a measurement.
pub const RESULT_FORMATS: [&str; 4] = ["text", "csv", "json", "lengths"];

/// Formats the results like `faultlab run`: text (tables), csv, json or lengths.
///
/// # Errors
/// Returns a sentence if nothing of the experiment can be run, or if the format is unknown.
pub fn results(sweep: &Sweep, format: &str) -> Result<String, String> {
    check_measured(sweep)?;
    match format {
        "text" => Ok(table::text(sweep)),
        "csv" => Ok(csv::csv(&table::table(sweep))),
        "json" => Ok(json::run(sweep)),
        "lengths" => Ok(csv::lengths(sweep)),
        _ => Err(format!("format {format}; accepted: {}", RESULT_FORMATS.join(", "))),
    }
}

/// Checks that something was measured.
///
/// # Errors
/// Returns a sentence with the reason if nothing of the experiment can be run.
pub fn check_measured(sweep: &Sweep) -> Result<(), String> {
    sweep.check_measured().map_err(|why| super::infeasible_message(sweep.experiment(), &why))
}
