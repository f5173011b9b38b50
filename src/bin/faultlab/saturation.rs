//! Command `saturation`: finds the offered traffic at which networks saturate.

use faultlab::api::native::{self, Error};

use crate::arguments::SaturationArgs;
use crate::input;
use crate::interrupt::SignalGuard;
use crate::output::{CliError, print_document};
use crate::work::execution;

/// Runs `faultlab saturation`.
pub(crate) fn saturation(arguments: &SaturationArgs) -> Result<(), CliError> {
    let experiment = input::experiment(&arguments.given)?;
    let _hearing = SignalGuard::begin();
    let search = native::saturation(&experiment, arguments.resolution, &execution(&arguments.effort));
    let search = search.map_err(|error| match error {
        Error::Cancelled => CliError::Stopped("stopped: the saturation is not known yet; nothing is stored".into()),
        error => error.into(),
    })?;
    print_document(&search, arguments.json, arguments.csv)
}
