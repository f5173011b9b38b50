//! Pairs of nodes cut off by faults: trials, and what follows from their tallies.

use super::estimate::student_t;
use super::{CubeCell, Estimate, Tally};
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
        tally.pairs.add(counter.counts());
        budget.saturating_sub((nodes - before) * nodes * 4)
    }
}

/// The share of live pairs that are cut off: a ratio of sums over fault sets, its interval by the delta method. With one
/// fault set, the same in every trial, it is exact.
pub(super) fn share(tally: &Tally) -> Option<Estimate> {
    let t = &tally.pairs;
    if t.sets == 0 || t.live == 0 {
        return None;
    }
    let ratio = t.cut as f64 / t.live as f64;
    // The sum over sets of (cut - ratio * live)^2.
    let residual = t.cut_cut as f64 - 2.0 * ratio * t.live_cut as f64 + ratio * ratio * t.live_live as f64;
    let half = half_width(residual.max(0.0), t.sets) * t.sets as f64 / t.live as f64;
    Some(Estimate { mean: ratio, low: (ratio - half).max(0.0), high: (ratio + half).min(1.0), n: t.sets })
}

/// The mean number of pairs cut off in a fault set.
pub(super) fn count(tally: &Tally) -> Option<Estimate> {
    let t = &tally.pairs;
    if t.sets == 0 {
        return None;
    }
    let mean = t.cut as f64 / t.sets as f64;
    let squares = t.cut_cut as f64 - mean * t.cut as f64;
    let half = half_width(squares.max(0.0), t.sets);
    Some(Estimate { mean, low: (mean - half).max(0.0), high: mean + half, n: t.sets })
}

/// Half the interval of a mean of `n` values with this sum of squared deviations.
fn half_width(squares: f64, n: u64) -> f64 {
    if n < 2 { 0.0 } else { student_t(n - 1) * (squares / (n - 1) as f64 / n as f64).sqrt() }
}

/// The fault sets after which the interval of the share should be `within`.
pub(super) fn trials_for(tally: &Tally, within: f64) -> u64 {
    let Some(estimate) = share(tally) else { return 1 };
    let ratio = estimate.half_width() / within;
    (estimate.n as f64 * ratio * ratio * 1.05) as u64 + 1
}
