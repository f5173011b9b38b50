//! Command `compare`: compares routings on the same faults and messages.

use faultlab::api::native;

use crate::arguments::CompareArgs;
use crate::input;
use crate::output::{CliError, print_document};
use crate::work::execution;

/// Runs `faultlab compare`.
pub(crate) fn compare(arguments: &CompareArgs) -> Result<(), CliError> {
    let experiment = input::experiment(&arguments.given)?;
    let comparison = native::compare(&experiment, arguments.metric.as_deref(), &execution(&arguments.effort))?;
    print_document(&comparison, arguments.json, arguments.csv)
}
