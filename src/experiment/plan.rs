//! How many trials a point gets: from its merged tally alone, so that nothing depends on who ran them.

use super::estimate::Z;
use super::{Cell, Estimate, Experiment, Metric, Status, Tally, circuit, delivery, pairs, relation, worm};
use crate::switching::Switching;

/// The first round of messages; a power of two for no other reason than that it is about a thousand.
const FIRST_MESSAGES: u64 = 1024;

/// The smallest and largest task, in messages.
const TASK: (u64, u64) = (256, 16_384);

/// The first round of fault sets.
const FIRST_SETS: u64 = 64;

/// What is to be done with a point all of whose trials are in.
pub(super) enum Verdict {
    /// It has ended.
    Ended(Status),
    /// It needs so many trials in all.
    Goal(u64),
}

/// The trials of the first round.
pub(super) fn first_goal(experiment: &Experiment) -> u64 {
    match experiment.switching {
        Switching::Message => FIRST_MESSAGES.min(experiment.trials),
        Switching::Circuit => circuit::COARSE_RUNS,
        Switching::Permutation | Switching::Batch => relation::first_goal(experiment),
        Switching::Delivery => delivery::first_goal(experiment),
        Switching::Wormhole => worm::COARSE_RUNS,
        // Without chance one set says all.
        Switching::Pairs if experiment.faults_are_fixed() => 1,
        Switching::Pairs => FIRST_SETS.min(experiment.trials),
    }
}

/// The trials of one task of a round that goes up to `goal`.
pub(super) fn task_size(switching: Switching, goal: u64) -> u64 {
    match switching {
        Switching::Message => (goal / 8).clamp(TASK.0, TASK.1),
        Switching::Circuit | Switching::Wormhole => 1,
        Switching::Permutation | Switching::Batch | Switching::Delivery => (goal / 16).clamp(1, 64),
        Switching::Pairs => (goal / 16).clamp(4, 256),
    }
}

/// Whether a point is done after `goal` trials, or how many it needs.
pub(super) fn judge(experiment: &Experiment, cell: &Cell, tally: &Tally, goal: u64) -> Verdict {
    match experiment.switching {
        Switching::Circuit => return circuit::judge(experiment, tally, goal),
        Switching::Wormhole => return worm::judge(experiment, cell, tally, goal),
        Switching::Permutation | Switching::Batch => return relation::judge(experiment, tally, goal),
        Switching::Delivery => return delivery::judge(experiment, tally, goal),
        Switching::Message | Switching::Pairs => {}
    }
    if experiment.switching == Switching::Pairs && experiment.faults_are_fixed() {
        return Verdict::Ended(Status::Converged);
    }
    let estimate = (Metric::first(experiment.switching).of)(tally, cell);
    if estimate.map_or(1.0, |estimate| estimate.half_width()) <= experiment.within {
        Verdict::Ended(Status::Converged)
    } else if goal >= experiment.trials {
        Verdict::Ended(Status::OutOfBudget)
    } else {
        let (low, high) = (goal + goal / 8 + 1, goal.saturating_mul(8));
        Verdict::Goal(trials_for(experiment, cell, tally).clamp(low, high).min(experiment.trials))
    }
}

/// How many trials the point will need, as far as can be foreseen.
pub(super) fn needed(experiment: &Experiment, cell: &Cell, tally: &Tally) -> u64 {
    match experiment.switching {
        Switching::Circuit => circuit::runs_for(experiment, tally),
        Switching::Wormhole => worm::runs_for(experiment, cell, tally),
        Switching::Permutation | Switching::Batch => relation::trials_for(experiment, tally).min(experiment.trials),
        Switching::Delivery => delivery::trials_for(experiment, tally).min(experiment.trials),
        Switching::Message | Switching::Pairs => trials_for(experiment, cell, tally).min(experiment.trials),
    }
}

/// The runs after which the interval of a mean over runs should be as narrow a share of it as asked, within the budget of
/// messages, from its `estimate` by so many `runs`; 0 where that says nothing.
pub(super) fn runs_wanted(experiment: &Experiment, runs: u64, estimate: Option<Estimate>) -> u64 {
    let Some(found) = estimate.filter(|found| found.mean > 0.0 && found.half_width().is_finite()) else { return 0 };
    let ratio = found.half_width() / (experiment.within * found.mean);
    let wanted = runs as f64 * ratio * ratio * 1.05;
    let most = experiment.trials as f64 * runs as f64 / found.n as f64;
    wanted.min(most) as u64 + 1
}

/// The trials after which the interval should be as narrow as asked, and a little more, from the estimate so far.
fn trials_for(experiment: &Experiment, cell: &Cell, tally: &Tally) -> u64 {
    let within = experiment.within;
    if experiment.switching == Switching::Pairs {
        return pairs::trials_for(tally, within);
    }
    let p = (Metric::first(experiment.switching).of)(tally, cell).map_or(0.5, |estimate| estimate.mean);
    trials_of_share(p, within)
}

/// The trials after which an interval should be `within`, or that share of its mean, from the estimate by so many `trials`; 0 if
/// it is already, or nothing is known.
pub(super) fn trials_within(estimate: Option<Estimate>, trials: u64, within: f64, relative: bool) -> u64 {
    let Some(found) = estimate.filter(|found| found.half_width() > 0.0) else { return 0 };
    let goal = within * if relative { found.mean } else { 1.0 };
    if found.half_width() <= goal {
        return 0;
    }
    let ratio = found.half_width() / goal;
    (trials as f64 * (ratio * ratio * 1.05).min(1e6)) as u64 + 1
}

/// The trials after which the interval of a probability of about `p` should be `within`, and a little more.
pub(super) fn trials_of_share(p: f64, within: f64) -> u64 {
    // Wilson's half-width is about Z sqrt(p(1-p)/n + Z^2/4n^2).
    let ratio = Z / within;
    let variance = p * (1.0 - p);
    let root = (variance * variance + within * within).sqrt();
    (ratio * ratio * (variance + root) / 2.0 * 1.02) as u64 + 1
}
