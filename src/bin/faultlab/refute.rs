//! Command `refute`: searches in parallel for the fewest faults with which a routing fails, with
//! progress.

use faultlab::api::native::{self, RefuteOptions};

use crate::arguments::RefuteArgs;
use crate::interrupt::{self, SignalGuard};
use crate::output::{CliError, print_document};
use crate::{input, work};

/// Runs `faultlab refute`.
pub(crate) fn refute(arguments: &RefuteArgs) -> Result<(), CliError> {
    let experiment = input::experiment(&arguments.given)?;
    let options = RefuteOptions { faults: arguments.faults, links: arguments.links, sets: arguments.sets };
    let _hearing = SignalGuard::begin();
    let found = native::refute(&experiment, options, &work::execution(&arguments.effort))?;
    print_document(&found, arguments.json, arguments.csv)?;
    match interrupt::is_stop_requested() {
        true => Err(CliError::Stopped("stopped: the output covers the sets examined so far; nothing is stored".into())),
        false => Ok(()),
    }
}
