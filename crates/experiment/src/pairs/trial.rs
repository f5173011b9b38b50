//! Trials that count the pairs of nodes cut off by faults.

use std::sync::Arc;

use crate::sweep::sampler::{Sampler, each_trial};
use crate::{CubePointConfig, Tally, Task};
use faultlab_core::routing::Algorithm;
use faultlab_core::theory::PairCounter;

/// Sampler that counts pairs in one fault set at a time.
pub(crate) struct PairSampler {
    cell: CubePointConfig,
    algorithm: Arc<Algorithm>,
    /// Current fault set, with its number.
    counter: Option<(u64, PairCounter)>,
}

impl PairSampler {
    pub(crate) fn new(cell: CubePointConfig, algorithm: Arc<Algorithm>) -> Self {
        Self { cell, algorithm, counter: None }
    }

    /// Continues fault set number `trial` for about `budget` steps and adds it to `tally` when it
    /// is complete.
    fn advance_trial(&mut self, trial: u64, tally: &mut Tally, budget: &mut u64) {
        let counter = match self.counter.take() {
            Some((under_way, counter)) if under_way == trial => Some(counter),
            _ => PairCounter::new(self.cell.cube, &mut self.cell.fault_pattern(trial), &self.algorithm),
        };
        let Some(mut counter) = counter else {
            tally.trials += 1;
            return;
        };
        let nodes = counter.destinations();
        let (before, at_once) = (counter.done(), (*budget / (nodes * 4).max(1)).max(1));
        if counter.step(at_once) {
            self.counter = Some((trial, counter));
            *budget = 0;
            return;
        }
        tally.trials += 1;
        let counts = counter.counts();
        tally.pairs_mut().add(counts.cut_off, counts.live, counter.isolated_pairs());
        *budget = budget.saturating_sub((nodes - before) * nodes * 4);
    }
}

impl Sampler for PairSampler {
    fn advance(&mut self, task: Task, tally: &mut Tally, budget: &mut u64) -> bool {
        each_trial(task, tally, budget, |number, tally, budget| self.advance_trial(number, tally, budget))
    }
}
