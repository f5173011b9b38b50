//! Command `check`: checks the theorems on this instance.

use faultlab::report::asked;

use crate::arguments::Check;
use crate::input;
use crate::output::{Failure, document};
use crate::work::{Waiting, allow_threads};

/// Runs `faultlab check`.
pub(crate) fn check(arguments: &Check) -> Result<(), Failure> {
    // Infeasible faults are checked too: the facts then say that nothing can run.
    let experiment = input::experiment(&arguments.given)?;
    allow_threads(&experiment)?;
    let waiting = Waiting::new("checking");
    let found = asked::checked(&experiment).map_err(Failure::BadInput)?;
    drop(waiting);
    document(&*found, arguments.json, arguments.csv)
}
