//! Command `cost`: counts what routers know and do, without simulating.

use faultlab::report::cost::CostReport;
use faultlab::report::error::ReportError;

use crate::arguments::CostArgs;
use crate::input;
use crate::output::{CliError, print_document};

/// Runs `faultlab cost`.
pub(crate) fn cost(asked: &CostArgs) -> Result<(), CliError> {
    let experiment = input::experiment(&asked.given)?;
    if experiment.network.butterfly().is_some() {
        let accepted = "hypercubes, meshes, tori and fat-trees";
        return Err(ReportError::UnsupportedNetwork { network: experiment.network, accepted }.into());
    }
    print_document(&CostReport::from_experiment(&experiment), asked.json, asked.csv)
}
