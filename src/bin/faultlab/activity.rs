//! Command `activity`: counts active nodes without routes, and measures the number of faults that
//! leaves half of all nodes active.

use std::sync::atomic::{AtomicU64, Ordering};

use faultlab::experiment::activity::{Activity, faults_to_half};
use faultlab::experiment::{Experiment, Memory};
use faultlab::fault::Tolerance;
use faultlab::report::activity::ActiveNodesReport;
use rayon::prelude::*;

use crate::arguments::ActivityArgs;
use crate::input;
use crate::output::{CliError, print_document};
use crate::work::{BAR_STEPS, execution, progress_bar};

/// Runs `faultlab activity`.
pub(crate) fn activity(asked: &ActivityArgs) -> Result<(), CliError> {
    let experiment = input::experiment(&asked.given)?;
    let pool = execution(&asked.effort).pool(memory(&experiment), &experiment)?;
    let found = Activity::from_experiment(&experiment);
    let mut activity = found.map_err(|problem| CliError::BadInput(format!("{}: {}", problem.key, problem.reason)))?;
    if asked.measure_half {
        let tolerance = experiment.setting.permutation().map_or(Tolerance::Thesis, |setting| setting.tolerance);
        let (bar, done) = (progress_bar(asked.effort.quiet), AtomicU64::new(0));
        let all = u64::from(asked.trials) * activity.rules.len() as u64;
        let rules: Vec<_> = activity.rules.iter().map(|one| one.rule).collect();
        for rule in rules {
            let trial = |number, guess| {
                let found = faults_to_half(activity.cube, rule, tolerance, experiment.seed, number, guess);
                bar.set_position((done.fetch_add(1, Ordering::Relaxed) + 1) * BAR_STEPS / all);
                found
            };
            // The result of the first trial is the starting guess of the others, which end near it.
            let guess = trial(0, None);
            let others = (1..asked.trials).into_par_iter();
            let others: Vec<_> = pool.install(|| others.map(|number| trial(number, guess)).collect());
            let trials: Vec<u32> = std::iter::once(guess).chain(others).flatten().collect();
            activity.record_f50(rule, &trials);
        }
        bar.finish_and_clear();
    }
    print_document(&ActiveNodesReport { experiment, activity }, asked.json, asked.csv)
}

/// Bytes per node for counting active nodes: faults, paths out of and into the node, and the state
/// of the sweeps.
const NODE: u64 = 12;

/// Returns the memory of a thread that counts active nodes; zero for networks that are refused for
/// their size.
fn memory(experiment: &Experiment) -> Memory {
    let nodes = experiment.network.last_node().0.saturating_add(1);
    let bytes = if nodes <= 1 << Activity::MAX_DIMENSION { nodes * NODE } else { 0 };
    Memory { least: bytes, most: bytes }
}
