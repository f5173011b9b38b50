//! What runs the trials of one point and one algorithm, whatever a trial is: one protocol for all kinds.

use std::sync::Arc;

use crate::{Cell, Experiment, Tally, Task};
use faultlab_core::routing::Algorithm;

/// Runs the trials of one point and one algorithm, as much at a time as is asked.
pub trait Sampler {
    /// Goes on with `task`, of which `tally` holds what is done, until it is done or `budget` is spent: steps (hops, events, flits,
    /// pairs), of which it takes off what it needs, at least one trial or that many steps of one. Whether the task is done. A task
    /// that is given up half-way is begun anew with an empty tally.
    fn advance(&mut self, task: Task, tally: &mut Tally, budget: &mut u64) -> bool;
}

/// The sampler of `algorithm` at the value `x` of what `experiment` varies.
pub fn sampler(experiment: &Experiment, x: Option<f64>, algorithm: &Arc<Algorithm>) -> Box<dyn Sampler> {
    let sampler = experiment.kind().behavior.sampler(&Cell::new(experiment, x), algorithm);
    sampler.unwrap_or_else(|| Box::new(Nothing))
}

impl dyn Sampler {
    /// Runs the `count` trials from number `first` on.
    pub fn run(&mut self, first: u64, count: u64) -> Tally {
        let mut tally = Tally::default();
        while !self.advance(Task { slot: 0, first, count }, &mut tally, &mut { u64::MAX }) {}
        tally
    }
}

/// Trial after trial of a task while there is something left of the budget; `advance` goes on with the one of a number, counts it
/// when it is done, and takes what it needs off the budget. Whether the task is done.
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

/// Where nothing can be run: every trial comes to nothing.
struct Nothing;

impl Sampler for Nothing {
    fn advance(&mut self, task: Task, tally: &mut Tally, _budget: &mut u64) -> bool {
        tally.trials = task.count;
        true
    }
}
