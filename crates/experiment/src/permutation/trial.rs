//! Trials of whole permutations and h-relations, and the estimates from their tallies. A trial
//! consists of a fault set, the scheme built for these faults, and the messages of its active
//! nodes.

use std::sync::Arc;

use super::BatchSetting;
use super::butterfly::ButterflyTrial;
use super::instance::PermutationTrial;
use crate::stats::histogram::add_counts;
use crate::sweep::sampler::{Sampler, each_trial};
use crate::sweep::stopping_rule;
use crate::sweep::stopping_rule::Demand;
use crate::{CubePointConfig, Estimate, Experiment, PermutationTally, PointConfig, Status, Tally, Task, proportion};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{BatchOutcome, BatchRun};
use faultlab_core::topology::Network;
use faultlab_core::traffic::HRelation;

/// Number of trials in the first round.
pub(super) const FIRST_TRIALS: u64 = 32;

/// Dimension of the largest hypercube in which every trial counts the smallest set of intermediate
/// nodes, in 6 N^2 steps.
const MAX_CHOICE_DIMENSION: u8 = 8;

/// Sampler that routes the messages of one trial at a time.
pub(crate) struct PermutationSampler {
    cell: PointConfig,
    algorithm: Arc<Algorithm>,
    /// Current batch, with the number of its trial.
    run: Option<(u64, BatchRun)>,
}

impl PermutationSampler {
    pub(crate) fn new(cell: PointConfig, algorithm: Arc<Algorithm>) -> Self {
        Self { cell, algorithm, run: None }
    }

    /// Continues trial number `number` for about `budget` hops and adds it to `tally` when it is
    /// complete.
    fn advance_trial(&mut self, number: u64, tally: &mut Tally, budget: &mut u64) {
        match self.run.take() {
            Some((under_way, run)) if under_way == number => return self.advance_batch(number, run, tally, budget),
            _ => {}
        }
        let (nodes, dimensions) = size(self.cell.network);
        let copies = self.cell.setting.permutation().map_or(1, |setting| setting.h);
        let cost = nodes * dimensions * (2 + u64::from(copies));
        let Some(trial) = TrialMessages::new(&self.cell, &self.algorithm, number) else {
            tally.trials += 1;
            tally.relations_mut().unavailable += 1;
            *budget = budget.saturating_sub(cost);
            return;
        };
        let (relation, active) = (trial.relation(), trial.active_count());
        tally.relations_mut().active.add(active, nodes);
        tally
            .relations_mut()
            .kept_back
            .add(relation.excluded_count().into(), u64::from(relation.len() + relation.excluded_count()));
        *budget = budget.saturating_sub(cost);
        let Some(batch) = self.cell.setting.batch() else {
            tally.trials += 1;
            return trial.count(tally.relations_mut());
        };
        match trial.batch(batch) {
            Some(run) => {
                *budget = (*budget).max(1);
                self.advance_batch(number, run, tally, budget);
            }
            None => tally.trials += 1,
        }
    }

    fn advance_batch(&mut self, number: u64, mut run: BatchRun, tally: &mut Tally, budget: &mut u64) {
        let messages = run.finished().len() as u64;
        let (before, at_once) = (run.cycle(), (*budget / (messages + 1)).clamp(1, 1 << 20));
        let Some(outcome) = run.run_until(at_once as u32).cloned() else {
            self.run = Some((number, run));
            *budget = 0;
            return;
        };
        let relations = tally.relations_mut();
        let cycles = u64::from(run.cycle());
        match outcome {
            BatchOutcome::Delivered if messages > 0 => relations.finish.add(cycles, 1),
            BatchOutcome::Delivered => {}
            BatchOutcome::Deadlock(_) => relations.freeze.add(cycles, 1),
        }
        let arrived = run.finished().iter().flatten().count() as u64;
        relations.arrived.add(arrived, messages);
        if let Some(found) = run.transition().filter(|_| messages > 0) {
            relations.dropped.add(found.cut + found.undrained, 1);
            relations.resent.add(found.resent, 1);
            relations.transition.add(found.cycles, 1);
        }
        tally.trials += 1;
        *budget = budget.saturating_sub(u64::from(run.cycle() - before) * (messages + 1));
    }
}

impl Sampler for PermutationSampler {
    fn advance(&mut self, task: Task, tally: &mut Tally, budget: &mut u64) -> bool {
        each_trial(task, tally, budget, |number, tally, budget| self.advance_trial(number, tally, budget))
    }
}

/// Returns the number of nodes that may send, and the number of dimensions: of the hypercube, or of the rows of
/// the butterfly.
fn size(network: Network) -> (u64, u64) {
    match network.butterfly() {
        Some(butterfly) => (butterfly.rows().into(), butterfly.levels().into()),
        None => (network.last_node().0.saturating_add(1), network.diameter().into()),
    }
}

/// Messages of one trial on either network.
enum TrialMessages {
    Cube(PermutationTrial),
    Butterfly(ButterflyTrial),
}

impl TrialMessages {
    /// Creates trial number `number`; `None` if the scheme does not apply to its faults.
    fn new(cell: &PointConfig, algorithm: &Algorithm, number: u64) -> Option<Self> {
        if cell.network.butterfly().is_some() {
            return ButterflyTrial::new(cell, algorithm, number).map(Self::Butterfly);
        }
        let cell = CubePointConfig::from_point(cell.clone())?;
        PermutationTrial::new(&cell, algorithm, number).map(Self::Cube)
    }

    fn relation(&self) -> &HRelation {
        match self {
            Self::Cube(trial) => &trial.relation,
            Self::Butterfly(trial) => &trial.relation,
        }
    }

    fn active_count(&self) -> u64 {
        match self {
            Self::Cube(trial) => trial.active_count(),
            Self::Butterfly(trial) => trial.routing.active_count().into(),
        }
    }

    fn batch(&self, setting: &BatchSetting) -> Option<BatchRun> {
        match self {
            Self::Cube(trial) => trial.batch(setting),
            Self::Butterfly(trial) => trial.batch(setting),
        }
    }

    fn count(&self, tally: &mut PermutationTally) {
        match self {
            Self::Cube(trial) => count(trial, tally),
            Self::Butterfly(trial) => count_on_butterfly(trial, tally),
        }
    }
}

/// Counts the routes of one trial on a butterfly.
fn count_on_butterfly(trial: &ButterflyTrial, tally: &mut PermutationTally) {
    let messages = u64::from(trial.relation.len());
    if messages == 0 {
        return;
    }
    let paths = trial.congestion();
    let delivered = u64::from(paths.delivered());
    tally.undelivered.add(messages - delivered, messages);
    tally.congestion.add(paths.max_congestion().into(), 1);
    if paths.max_load() > 0 {
        tally.load.add(paths.max_load().into(), 1);
    }
    tally.longest.add(paths.max_length().into(), 1);
    tally.length.add(paths.hops(), delivered);
    // Under one scheme all routes have the same length.
    let mut lengths = vec![0; paths.max_length() as usize + 1];
    lengths[paths.max_length() as usize] = paths.delivered();
    add_counts(&mut tally.lengths, &lengths);
    add_counts(&mut tally.channels, &paths.congestion_histogram());
    if paths.butterfly().levels() <= MAX_CHOICE_DIMENSION
        && let Some(smallest) = trial.smallest_choice()
    {
        tally.choice.add(smallest, paths.butterfly().rows().into());
    }
}

/// Counts the routes of one trial.
fn count(trial: &PermutationTrial, tally: &mut PermutationTally) {
    let messages = u64::from(trial.relation.len());
    // Without messages the congestion would be 0, and a scheme without active nodes would look
    // best.
    let Some(paths) = trial.paths().filter(|_| messages > 0) else { return };
    tally.undelivered.add(messages - u64::from(paths.delivered()), messages);
    tally.congestion.add(paths.max_congestion().into(), 1);
    // Schemes without intermediate nodes have no load.
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
        // The intermediate nodes of Algorithm B are squares.
        let core = trial.routing.active_set().map_or(paths.cube(), |active| active.core().cube());
        tally.choice.add(smallest, core.mask() + 1);
    }
}

/// Returns the number of fault sets to which the scheme does not apply.
fn unavailable(tally: &Tally) -> u64 {
    tally.relations().map_or(0, |counts| counts.unavailable)
}

/// Marks an estimate that depends on the faults alone as exact, if the faults are the same in every
/// trial.
pub(crate) fn exact_for_fixed_faults(cell: &PointConfig, estimate: Option<Estimate>) -> Option<Estimate> {
    estimate.map(|estimate| if cell.faults_are_fixed() { estimate.as_exact() } else { estimate })
}

/// Returns the share of fault sets to which the scheme applies.
pub(crate) fn applies(tally: &Tally) -> Option<Estimate> {
    proportion(tally.trials - unavailable(tally), tally.trials)
}

/// Returns the share of batches that deadlock, of those with at least one message.
pub(crate) fn deadlock(tally: &Tally) -> Option<Estimate> {
    let counts = tally.relations()?;
    let (frozen, finished) = (counts.freeze.trials, counts.finish.trials);
    proportion(frozen, frozen + finished)
}

/// Converts a histogram to the values that occurred, ascending, with their counts.
pub(crate) fn distribution(counts: &[u64]) -> Vec<(f64, u64)> {
    (0u32..).zip(counts).filter(|&(_, &count)| count > 0).map(|(value, &count)| (f64::from(value), count)).collect()
}

/// Checks that the scheme applied to the faults of at least one trial.
pub(super) fn check_tally(tally: &Tally) -> Result<(), Status> {
    if unavailable(tally) == tally.trials { Err(Status::Impossible) } else { Ok(()) }
}

/// Returns the trials required for the intervals of the congestion, as a share of its mean, and of
/// the active nodes.
///
/// For batches, the interval is that of the probability of deadlock.
pub(super) fn need(experiment: &Experiment, cell: &PointConfig, tally: &Tally) -> Demand {
    let wanted = match cell.setting.batch() {
        Some(_) => deadlock(tally).map_or(0, |found| stopping_rule::trials_of_share(found.mean, experiment.within)),
        None => {
            let within =
                |estimate, relative| stopping_rule::trials_within(estimate, tally.trials, experiment.within, relative);
            let counts = |of: fn(&PermutationTally) -> Option<Estimate>| tally.relations().and_then(of);
            let congestion = within(counts(|counts| counts.congestion.mean()), true);
            congestion.max(within(exact_for_fixed_faults(cell, counts(|counts| counts.active.share())), false))
        }
    };
    Demand::from_wanted(wanted, tally.trials)
}
