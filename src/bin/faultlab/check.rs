//! `check`: the theorems on this instance.

use faultlab::report::asked;

use crate::arguments::Check;
use crate::input;
use crate::output::{Failure, document};
use crate::work::{Waiting, allow_threads};

/// `faultlab check`.
pub(crate) fn check(arguments: &Check) -> Result<(), Failure> {
    // Faults that leave nothing to run are checked too: that is what the facts say then.
    let experiment = input::experiment(&arguments.given)?;
    allow_threads(&experiment)?;
    let waiting = Waiting::new("checking");
    let found = asked::checked(&experiment).map_err(Failure::BadInput)?;
    drop(waiting);
    document(&*found, arguments.json, arguments.csv)
}
