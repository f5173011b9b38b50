//! Searches of single jobs: for the worst faults, and for flaws of a routing.

use std::convert::Infallible;

use super::BUDGET;
use super::protocol::{FlawReport, FromWorker};
use crate::experiment::fault_sets::BatchSearch as _;
use crate::experiment::refute::{self, RefuteSearch, Witness};
use crate::experiment::worst::{WorstQuery, WorstSearch, WorstSearchResult};
use crate::experiment::{Experiment, Sweep, Tally};
use crate::report::refutation::Refutation;
use crate::report::worst;

/// Searches for the worst faults to the end. Messages go to `tell`, and `alive` is called
/// repeatedly meanwhile. Only the termination of the worker stops the search.
pub(super) fn run_worst_search(text: &str, faults: u32, links: bool, tell: &dyn Fn(FromWorker), alive: &dyn Fn()) {
    tell(match find_worst(text, faults, links, tell, alive) {
        Ok((text, told)) => FromWorker::Worst { text, told },
        Err(problem) => FromWorker::Failed { id: None, problem },
    });
}

/// Returns the experiment with the worst faults, and sentences that describe the result.
fn find_worst(
    text: &str,
    faults: u32,
    links: bool,
    tell: &dyn Fn(FromWorker),
    alive: &dyn Fn(),
) -> Result<(String, Vec<String>), String> {
    let experiment: Experiment = text.parse().map_err(|error| format!("{error}"))?;
    let question = WorstQuery { faults, links, ..WorstQuery::usual(&experiment) };
    let mut search = WorstSearch::new(&experiment, question).map_err(|problem| problem.reason)?;
    while let Some(round) = search.next_round() {
        let measured = round.iter().map(|candidate| search.evaluate(candidate, alive)).collect();
        search.finish(measured);
        tell(FromWorker::Searched { share: search.progress() });
    }
    let measure = |experiment: &Experiment| {
        let mut sweep = Sweep::new(experiment);
        while let Some(task) = sweep.next_task() {
            let mut tally = Tally::default();
            let Some(mut sampler) = Sweep::sampler(experiment, task.slot) else { break };
            while !sampler.advance(task, &mut tally, &mut { BUDGET }) {
                alive();
            }
            sweep.submit(task, &tally);
        }
        Ok::<_, Infallible>(sweep)
    };
    let worst: WorstSearchResult =
        search.measure_final(measure).ok().flatten().ok_or("no examined set of faults can be measured")?;
    let broken = Experiment { faults: worst.experiment.faults.clone(), ..experiment };
    Ok((broken.to_string(), worst::sentences(&worst)))
}

/// Searches for flaws of the first routing of an experiment, and reports intermediate results. Only
/// the termination of the worker stops the search.
pub(super) fn run_refutation(text: &str, tell: &dyn Fn(FromWorker), alive: &dyn Fn()) {
    if let Err(problem) = refute_experiment(text, tell, alive) {
        tell(FromWorker::Failed { id: None, problem });
    }
}

fn refute_experiment(text: &str, tell: &dyn Fn(FromWorker), alive: &dyn Fn()) -> Result<(), String> {
    let experiment: Experiment = text.parse().map_err(|error| format!("{error}"))?;
    let question = refute::RefuteQuery::live(&experiment);
    let mut search = RefuteSearch::new(&experiment, question).map_err(|problem| problem.reason)?;
    let mut refutation = Refutation::begin(&search);
    let mut flaws = Vec::new();
    let told = |refutation: &Refutation, flaws: &Vec<FlawReport>, share: f64| FromWorker::Refuted {
        verdict: refutation.verdict(),
        class: refutation.class(),
        coverage: refutation.coverage(),
        flaws: flaws.clone(),
        share,
    };
    while let Some(round) = search.next_round() {
        let look = |candidate| {
            alive();
            search.evaluate(candidate, alive)
        };
        let found = round.iter().map(look).collect();
        search.finish(found);
        if refutation.update(&search) {
            let report = |witness: &Witness| FlawReport {
                description: refutation.describe_flaw(experiment.network, witness),
                text: witness.shown.experiment().to_string(),
                is_undecided: witness.is_undecided(),
            };
            flaws = refutation.witnesses.iter().flatten().map(report).collect();
        }
        // The final result is reported once, after the loop.
        let share = search.progress();
        if share < 1.0 {
            tell(told(&refutation, &flaws, share));
        }
    }
    tell(told(&refutation, &flaws, 1.0));
    Ok(())
}
