//! Pairs of nodes cut off by faults: trials, and what follows from their tallies.

use super::{CubeCell, Tally};
use crate::routing::Algorithm;
use crate::theory::PairCounter;

/// Counts pairs in one fault set after the other.
pub(super) struct PairSampler {
    cell: CubeCell,
    algorithm: &'static Algorithm,
    /// The fault set under way, with its number.
    counter: Option<(u64, PairCounter)>,
}

impl PairSampler {
    pub(super) fn new(cell: CubeCell, algorithm: &'static Algorithm) -> Self {
        Self { cell, algorithm, counter: None }
    }

    /// Goes on with fault set number `trial` for about `budget` steps; adds it to `tally` when it is done. The steps that
    /// are left of the budget.
    pub(super) fn advance(&mut self, trial: u64, tally: &mut Tally, budget: u64) -> u64 {
        let counter = match self.counter.take() {
            Some((under_way, counter)) if under_way == trial => Some(counter),
            _ => PairCounter::new(self.cell.cube, &mut self.cell.faults_of(trial), self.algorithm),
        };
        let Some(mut counter) = counter else {
            tally.trials += 1;
            return budget;
        };
        let nodes = counter.destinations();
        let (before, at_once) = (counter.done(), (budget / (nodes * 4).max(1)).max(1));
        if counter.step(at_once) {
            self.counter = Some((trial, counter));
            return 0;
        }
        tally.trials += 1;
        let counts = counter.counts();
        tally.pairs.add(counts.cut_off, counts.live);
        budget.saturating_sub((nodes - before) * nodes * 4)
    }
}

/// The fault sets after which the interval of the share should be `within`.
pub(super) fn trials_for(tally: &Tally, within: f64) -> u64 {
    let Some(estimate) = tally.pairs.ratio() else { return 1 };
    let ratio = estimate.half_width() / within;
    (estimate.n as f64 * ratio * ratio * 1.05) as u64 + 1
}
