//! Command `check`: checks the theorems on this instance.

use faultlab::report::asked;

use crate::arguments::Check;
use crate::input;
use crate::output::{CliError, print_document};
use crate::work::{Spinner, configure_global_pool};

/// Runs `faultlab check`.
pub(crate) fn check(arguments: &Check) -> Result<(), CliError> {
    // Infeasible faults are checked too: the facts then say that nothing can run.
    let experiment = input::experiment(&arguments.given)?;
    configure_global_pool(&experiment)?;
    let waiting = Spinner::new("checking");
    let found = asked::checked(&experiment).map_err(CliError::BadInput)?;
    drop(waiting);
    print_document(&*found, arguments.json, arguments.csv)
}
