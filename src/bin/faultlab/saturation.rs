//! Command `saturation`: finds the offered traffic at which networks saturate.

use faultlab::experiment::saturation::SaturationSearch;

use crate::arguments::SaturationArgs;
use crate::output::{CliError, print_document};
use crate::work::measure;
use crate::{input, interrupt};

/// Runs `faultlab saturation`.
pub(crate) fn saturation(arguments: &SaturationArgs) -> Result<(), CliError> {
    let experiment = input::feasible_experiment(&arguments.given)?;
    let mut search = SaturationSearch::new(&experiment, arguments.resolution)
        .map_err(|error| CliError::BadInput(format!("{experiment}: {error}")))?;
    let bad_value = |error| CliError::BadInput(format!("{experiment}: {error}"));
    while let Some(next) = search.next_sweep().map_err(bad_value)? {
        let names: Vec<_> = next.routing.iter().map(|algorithm| &*algorithm.id).collect();
        let sweep = measure(&next, &arguments.effort, &names.join(","), None)?;
        if interrupt::is_stop_requested() {
            return Err(CliError::Stopped("stopped: the saturation is not known yet; nothing is stored".into()));
        }
        sweep.check_measured().map_err(|why| input::infeasible_failure(&next, &why))?;
        search.add(&sweep);
    }
    print_document(&search, arguments.json, arguments.csv)
}
