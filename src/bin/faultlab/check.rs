//! Command `check`: checks the theorems on this instance.

use faultlab::api;

use crate::arguments::CheckArgs;
use crate::input;
use crate::output::{CliError, print_document};
use crate::work::{Spinner, configure_global_pool};

/// Runs `faultlab check`.
pub(crate) fn check(arguments: &CheckArgs) -> Result<(), CliError> {
    // Infeasible faults are checked too: the report then states that nothing can be run.
    let experiment = input::experiment(&arguments.given)?;
    configure_global_pool(&experiment)?;
    let waiting = Spinner::new("checking");
    let found = api::check(&experiment).map_err(CliError::BadInput)?;
    drop(waiting);
    print_document(&*found, arguments.json, arguments.csv)
}
