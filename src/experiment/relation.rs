//! Whole permutations and h-relations: trials, and what follows from their tallies. A trial is a fault set, the scheme built
//! among its faults, and the messages of its active nodes.

use super::plan::{self, Verdict};
use super::relation_instance::RelationTrial;
use super::tally::add_counts;
use super::{CubeCell, Estimate, Experiment, RelationTally, Status, Tally, proportion};
use crate::routing::Algorithm;
use crate::switching::{BatchOutcome, RouteBatch, Switching};

/// The first round of trials.
const FIRST_TRIALS: u64 = 16;

/// The largest cube in which the smallest set of intermediate nodes is counted in every trial: it takes 6 N^2 steps.
const MAX_CHOICE_DIMENSION: u8 = 8;

/// Routes the messages of one trial after the other.
pub(super) struct RelationSampler {
    cell: CubeCell,
    algorithm: &'static Algorithm,
    /// Whether they are sent as worms.
    batch: bool,
    /// The batch under way, with the number of its trial.
    run: Option<(u64, RouteBatch)>,
}

impl RelationSampler {
    pub(super) fn new(cell: CubeCell, algorithm: &'static Algorithm, switching: Switching) -> Self {
        Self { cell, algorithm, batch: switching == Switching::Batch, run: None }
    }

    /// Goes on with trial number `number` for about `budget` steps, hops; adds it to `tally` when it is done. The steps that are
    /// left of the budget.
    pub(super) fn advance(&mut self, number: u64, tally: &mut Tally, budget: u64) -> u64 {
        match self.run.take() {
            Some((under_way, run)) if under_way == number => return self.go_on(number, run, tally, budget),
            _ => {}
        }
        let nodes = self.cell.cube.mask() + 1;
        let cost = nodes * u64::from(self.cell.cube.dimension()) * (2 + u64::from(self.cell.relation.h));
        let Some(trial) = RelationTrial::new(&self.cell, self.algorithm, number) else {
            tally.trials += 1;
            tally.relations.unavailable += 1;
            return budget.saturating_sub(cost);
        };
        tally.relations.active.add(trial.active_count(), nodes);
        tally
            .relations
            .kept_back
            .add(trial.relation.kept_back().into(), u64::from(trial.relation.len() + trial.relation.kept_back()));
        if !self.batch {
            tally.trials += 1;
            count(&trial, &mut tally.relations);
            return budget.saturating_sub(cost);
        }
        match trial.batch(self.cell.worms.length) {
            Some(run) => self.go_on(number, run, tally, budget.saturating_sub(cost).max(1)),
            None => {
                tally.trials += 1;
                budget.saturating_sub(cost)
            }
        }
    }

    fn go_on(&mut self, number: u64, mut run: RouteBatch, tally: &mut Tally, budget: u64) -> u64 {
        let messages = run.finished().len() as u64;
        let (before, at_once) = (run.cycle(), (budget / (messages + 1)).clamp(1, 1 << 20));
        let Some(outcome) = run.run_until(at_once as u32).cloned() else {
            self.run = Some((number, run));
            return 0;
        };
        let relations = &mut tally.relations;
        let cycles = u64::from(run.cycle());
        match outcome {
            BatchOutcome::Delivered if messages > 0 => relations.finish.add(cycles, 1),
            BatchOutcome::Delivered => {}
            BatchOutcome::Deadlock(_) => relations.freeze.add(cycles, 1),
        }
        let arrived = run.finished().iter().flatten().count() as u64;
        relations.arrived.add(arrived, messages);
        tally.trials += 1;
        budget.saturating_sub(u64::from(run.cycle() - before) * (messages + 1))
    }
}

/// Counts the routes of one trial.
fn count(trial: &RelationTrial, tally: &mut RelationTally) {
    let messages = u64::from(trial.relation.len());
    // Of no messages the congestion would be 0, and a scheme that lets nobody send the best.
    let Some(paths) = trial.paths().filter(|_| messages > 0) else { return };
    tally.undelivered.add(messages - u64::from(paths.delivered()), messages);
    tally.congestion.add(paths.max_congestion().into(), 1);
    // Schemes without intermediate nodes load none.
    if paths.max_load() > 0 {
        tally.load.add(paths.max_load().into(), 1);
    }
    tally.longest.add(paths.max_length().unwrap_or(0).into(), 1);
    let hops = (0..).zip(paths.lengths()).map(|(length, &count)| length * u64::from(count)).sum();
    tally.length.add(hops, paths.delivered().into());
    add_counts(&mut tally.lengths, paths.lengths());
    add_counts(&mut tally.channels, &paths.congestion_histogram());
    if paths.cube().dimension() <= MAX_CHOICE_DIMENSION
        && let Some(smallest) = trial.smallest_choice()
    {
        // Algorithm B's are squares.
        let core = trial.routing.active_set().map_or(paths.cube(), |active| active.core().cube());
        tally.choice.add(smallest, core.mask() + 1);
    }
}

/// The share of fault sets to which the scheme applies.
pub(super) fn applies(tally: &Tally) -> Option<Estimate> {
    proportion(tally.trials - tally.relations.unavailable, tally.trials)
}

/// The share of batches that deadlock, of those in which there was a message.
pub(super) fn deadlock(tally: &Tally) -> Option<Estimate> {
    let (frozen, finished) = (tally.relations.freeze.trials, tally.relations.finish.trials);
    proportion(frozen, frozen + finished)
}

/// A histogram as the values that occurred, ascending, with their counts.
pub(super) fn distribution(counts: &[u64]) -> Vec<(f64, u64)> {
    (0u32..).zip(counts).filter(|&(_, &count)| count > 0).map(|(value, &count)| (f64::from(value), count)).collect()
}

/// The trials of the first round.
pub(super) fn first_goal(experiment: &Experiment) -> u64 {
    FIRST_TRIALS.min(experiment.trials)
}

/// Whether a point is done after `goal` trials, or how many it needs.
pub(super) fn judge(experiment: &Experiment, tally: &Tally, goal: u64) -> Verdict {
    if tally.relations.unavailable == tally.trials {
        return Verdict::Ended(Status::NotApplicable);
    }
    let missing = trials_for(experiment, tally);
    if missing <= goal {
        Verdict::Ended(Status::Converged)
    } else if goal >= experiment.trials {
        Verdict::Ended(Status::OutOfBudget)
    } else {
        Verdict::Goal(missing.clamp(goal + goal / 8 + 1, goal * 8).min(experiment.trials))
    }
}

/// The trials after which the intervals of the congestion, as a share of it, and of the active nodes should be as narrow as
/// asked; of batches, that of the probability of deadlock.
pub(super) fn trials_for(experiment: &Experiment, tally: &Tally) -> u64 {
    match experiment.switching {
        Switching::Batch => match deadlock(tally) {
            Some(found) => plan::trials_of_share(found.mean, experiment.within),
            None => 0,
        },
        _ => {
            let within = |estimate, relative| plan::trials_within(estimate, tally.trials, experiment.within, relative);
            within(tally.relations.congestion.mean(), true).max(within(tally.relations.active.ratio(), false))
        }
    }
}
