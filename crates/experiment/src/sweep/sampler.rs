//! Common interface of all kinds for running the trials of one point and one algorithm.

use std::sync::Arc;

use crate::{Experiment, PointConfig, Tally, Task};
use faultlab_core::routing::Algorithm;

/// Incremental executor of the trials of one point and one algorithm.
pub trait Sampler {
    /// Continues `task`, whose completed trials are in `tally`, until it is complete or `budget` is
    /// used. Returns whether it is complete.
    ///
    /// The budget counts steps (hops, events, flits or pairs). The call subtracts the steps that it
    /// makes: at least those of one trial, or else the whole budget. A task that is abandoned is
    /// restarted with an empty tally.
    fn advance(&mut self, task: Task, tally: &mut Tally, budget: &mut u64) -> bool;
}

/// Creates the sampler of `algorithm` at the value `x` of the parameter that `experiment` varies.
pub fn sampler(experiment: &Experiment, x: Option<f64>, algorithm: &Arc<Algorithm>) -> Box<dyn Sampler> {
    let sampler = experiment.kind().behavior.sampler(&PointConfig::new(experiment, x), algorithm);
    sampler.unwrap_or_else(|| Box::new(Nothing))
}

impl dyn Sampler {
    /// Runs `count` trials, starting with number `first`.
    pub fn run(&mut self, first: u64, count: u64) -> Tally {
        let mut tally = Tally::default();
        while !self.advance(Task { slot: 0, first, count }, &mut tally, &mut { u64::MAX }) {}
        tally
    }
}

/// Runs the trials of a task while the budget lasts. Returns whether the task is complete.
///
/// `advance` continues the trial with the given number, counts it when it is complete, and
/// subtracts its steps from the budget.
pub(crate) fn each_trial(
    task: Task,
    tally: &mut Tally,
    budget: &mut u64,
    mut advance: impl FnMut(u64, &mut Tally, &mut u64),
) -> bool {
    while tally.trials < task.count && *budget > 0 {
        advance(task.first + tally.trials, tally, budget);
    }
    tally.trials >= task.count
}

/// Sampler without anything to run: its trials count nothing.
struct Nothing;

impl Sampler for Nothing {
    fn advance(&mut self, task: Task, tally: &mut Tally, _budget: &mut u64) -> bool {
        tally.trials = task.count;
        true
    }
}
