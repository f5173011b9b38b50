//! Command `compare`: compares routings on the same faults and messages.

use faultlab::experiment::{Comparison, Memory, Status, compare_parallel};

use crate::arguments::CompareArgs;
use crate::input;
use crate::output::{CliError, print_document};
use crate::work::{pool, progress_bar, threads_within_memory};

/// Runs `faultlab compare`.
pub(crate) fn compare(arguments: &CompareArgs) -> Result<(), CliError> {
    let experiment = input::feasible_experiment(&arguments.given)?;
    let kind = experiment.kind();
    let metric = match &arguments.metric {
        None => Comparison::usual_metric(&experiment),
        Some(id) => kind.metric(id).ok_or_else(|| {
            let ids: Vec<_> = kind.metrics.iter().map(|metric| metric.id).collect();
            CliError::BadInput(format!(
                "--metric {id}: not measured by switch={}; accepted: {}",
                kind.id,
                ids.join(", ")
            ))
        })?,
    };
    let mut comparison = Comparison::new(&experiment, metric).map_err(|error| CliError::BadInput(error.to_string()))?;
    let Memory { least, most } = experiment.memory();
    // Every thread runs two routings side by side.
    let memory = Memory { least: least.saturating_mul(2), most: most.saturating_mul(2) };
    let pool = pool(threads_within_memory(memory, &experiment, &arguments.effort)?)?;
    let bar = progress_bar(arguments.effort.quiet);
    pool.install(|| {
        compare_parallel(&mut comparison, |comparison| {
            let points = comparison.points();
            let done = points.iter().filter(|point| point.status != Status::Running).count();
            bar.set_position((done * 1000 / points.len().max(1)) as u64);
            bar.set_message(format!("{done} of {} points", points.len()));
        });
    });
    bar.finish_and_clear();
    print_document(&comparison, arguments.json, arguments.csv)
}
