//! `check`: the theorems on this instance.

use faultlab::report::kinds::reports_of;

use crate::arguments::Check;
use crate::input;
use crate::output::{Failure, document};
use crate::work::Waiting;

/// `faultlab check`.
pub(crate) fn check(arguments: &Check) -> Result<(), Failure> {
    let experiment = input::possible(&arguments.given)?;
    let waiting = Waiting::new("checking");
    let found = (reports_of(&experiment).check)(&experiment, true)?;
    drop(waiting);
    document(&*found, arguments.json, arguments.csv)
}
