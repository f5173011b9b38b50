//! Command `worst`: searches in parallel for the worst-case faults, with progress.

use faultlab::api::native::{self, Error, WorstOptions};

use crate::arguments::WorstArgs;
use crate::input;
use crate::output::{CliError, print_document};
use crate::work::execution;

/// Runs `faultlab worst`.
pub(crate) fn worst(arguments: &WorstArgs) -> Result<(), CliError> {
    let experiment = input::experiment(&arguments.given)?;
    let WorstArgs { faults, links, sets, trials, .. } = *arguments;
    let options = WorstOptions { metric: arguments.metric.clone(), faults, links, sets, trials };
    let found = native::worst(&experiment, &options, &execution(&arguments.effort)).map_err(|error| match error {
        // The results of a stopped search are incomplete and would be misleading.
        Error::Cancelled => CliError::Stopped("stopped: the search did not finish; nothing is stored".into()),
        error => error.into(),
    })?;
    print_document(&found, arguments.json, arguments.csv)
}
