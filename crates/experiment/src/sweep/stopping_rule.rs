//! Stopping rule, common to all kinds, which decides the number of trials of a point from its
//! merged tally alone. The result does not depend on the order or place of execution.

use crate::stats::student::NORMAL_95;
use crate::{Estimate, Experiment, PointConfig, Status, Tally};

/// Parameters of the stopping rule for a kind.
pub struct StoppingRule {
    /// Number of trials of the first round, which makes every curve appear quickly.
    pub first: fn(&Experiment) -> u64,
    /// Minimum number of trials of a converged point, because fewer trials would miss rare values.
    pub fewest: u64,
    /// Number of coarse trials, which are ignored once there are counted ones, see
    /// [`StoppingRule::counted`]; 0 where all trials count.
    pub coarse: u64,
    /// Number of counted trials in the first round after the coarse ones.
    pub counted: fn(&PointConfig) -> u64,
    /// Function from a trial's number to its length, relative to other trials.
    pub weight: fn(u64) -> f64,
    /// Divisor of a round that gives the size of a task, then the minimum and maximum size in
    /// trials.
    pub task: (u64, u64, u64),
    /// Growth of the trials of a point per round: the minimum as a divisor, the maximum as a
    /// factor.
    pub growth: (u64, u64),
    /// Maximum number of trials of a point, independent of its budget.
    pub max_trials: u64,
    /// Function that returns the part of the budget, the value of `trials`, that a tally has used;
    /// `None` where the budget counts trials.
    pub spent: Option<fn(&Tally) -> u64>,
    /// Checks that a point can continue. The error is the status with which it must end, for
    /// example a jam. The flag marks a round of coarse trials.
    pub check: fn(&Tally, bool) -> Result<(), Status>,
    /// Returns whether the measured quantities appear to have means.
    ///
    /// If not, the point ends as unstable, once the quantity that decides its end is precise enough
    /// or its budget is used.
    pub has_mean: fn(&Tally, &PointConfig) -> bool,
    /// Returns whether the counted runs were long enough for reliable intervals.
    ///
    /// If not, the point begins a new phase, whose runs are twice as long and replace those of the
    /// earlier phase.
    pub has_long_enough_runs: fn(&Tally, &PointConfig) -> bool,
    /// Function that returns the trials required by the interval of a point.
    pub need: fn(&Experiment, &PointConfig, &Tally) -> Demand,
}

/// Trials required by the interval of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// No more trials: the interval is narrow enough.
    Satisfied,
    /// Approximate total number of trials.
    MoreTrials(u64),
    /// Precision that no number of trials can reach.
    Unreachable,
}

/// Decision on a point whose requested trials are all complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointDecision {
    /// End of the point.
    Ended(Status),
    /// Total number of trials to request.
    Goal(u64),
    /// Number of runs in the first round of a new phase, with longer runs.
    Longer(u64),
}

/// Minimum number of trials of a converged point in kinds where every trial counts.
///
/// An event with probability 1/50 is missed by 128 trials in one case of thirteen (0.98^128). The
/// allowance of an interval for such events (`stats/score_interval.rs`) is then 2.2% of the mean.
const FEWEST: u64 = 128;

/// Multiple of the minimum number of trials after which a point without anything to measure counts
/// as impossible.
const IMPOSSIBLE_FACTOR: u64 = 8;

impl StoppingRule {
    /// Creates a rule under which every trial counts, and a round multiplies the trials of a point
    /// by at most eight.
    pub(crate) const fn of_trials(
        first: fn(&Experiment) -> u64,
        task: (u64, u64, u64),
        check: fn(&Tally, bool) -> Result<(), Status>,
        need: fn(&Experiment, &PointConfig, &Tally) -> Demand,
    ) -> Self {
        Self {
            first,
            fewest: FEWEST,
            coarse: 0,
            counted: |_| 0,
            weight: |_| 1.0,
            task,
            growth: (8, 8),
            max_trials: u64::MAX,
            spent: None,
            check,
            has_mean: |_, _| true,
            has_long_enough_runs: |_, _| true,
            need,
        }
    }

    /// Returns the number of trials of one task in a round that goes up to `goal`.
    pub(crate) fn task_size(&self, goal: u64) -> u64 {
        let (parts, least, most) = self.task;
        (goal / parts).clamp(least, most)
    }

    /// Decides whether a point ends after `goal` trials, or how many trials it needs.
    pub(crate) fn apply(&self, experiment: &Experiment, cell: &PointConfig, tally: &Tally, goal: u64) -> PointDecision {
        let spent = self.spent.map_or(goal, |spent| spent(tally)) >= experiment.trials || goal >= self.max_trials;
        let coarse = goal <= self.coarse && !spent;
        if let Err(status) = (self.check)(tally, coarse) {
            return PointDecision::Ended(status);
        }
        if coarse {
            return PointDecision::Goal(self.coarse + (self.counted)(cell));
        }
        let first = (experiment.kind().first_metric().estimate)(tally, cell);
        if first.is_none_or(|found| found.n == 0) {
            // Nothing is measured so far: the measured events may be rare.
            let most = (self.fewest * IMPOSSIBLE_FACTOR).min(self.limit(experiment));
            return if goal < most {
                PointDecision::Goal(most.min(goal * 8))
            } else {
                PointDecision::Ended(Status::Impossible)
            };
        }
        if !(self.has_long_enough_runs)(tally, cell) {
            return match self.longer_runs_fit(experiment, tally) {
                true => PointDecision::Longer((self.counted)(cell)),
                false => PointDecision::Ended(Status::NotSettled),
            };
        }
        if experiment.within == Experiment::ALL_TRIALS {
            let next = goal.saturating_add(goal / self.growth.0).saturating_add(1);
            return if spent {
                self.ended(tally, cell, Status::Complete)
            } else {
                PointDecision::Goal(next.min(self.limit(experiment)))
            };
        }
        match (self.need)(experiment, cell, tally) {
            Demand::Satisfied if goal < self.fewest && !spent => {
                PointDecision::Goal(self.fewest.min(self.limit(experiment)))
            }
            Demand::Satisfied => self.ended(tally, cell, Status::Converged),
            Demand::Unreachable => self.ended(tally, cell, Status::OutOfBudget),
            Demand::MoreTrials(_) if spent => self.ended(tally, cell, Status::OutOfBudget),
            Demand::MoreTrials(wanted) => {
                let (least, most) = self.growth;
                let next = wanted.clamp(goal + goal / least + 1, goal.saturating_mul(most));
                PointDecision::Goal(next.min(self.limit(experiment)))
            }
        }
    }

    /// Returns the number of trials of every point, where it is known before any trial runs.
    pub(crate) fn fixed(&self, experiment: &Experiment) -> Option<u64> {
        (experiment.within == Experiment::ALL_TRIALS && self.spent.is_none())
            .then_some(experiment.trials.min(self.max_trials))
    }

    fn ended(&self, tally: &Tally, cell: &PointConfig, status: Status) -> PointDecision {
        PointDecision::Ended(if (self.has_mean)(tally, cell) { status } else { Status::Unstable })
    }

    /// Returns whether the budget allows a phase of longer runs: at most half of it is used.
    fn longer_runs_fit(&self, experiment: &Experiment, tally: &Tally) -> bool {
        let spent = self.spent.map_or(tally.trials, |spent| spent(tally));
        spent.saturating_mul(2) < experiment.trials
    }

    /// Checks that the quantities in `tally` may have means.
    ///
    /// # Errors
    /// Returns the status of a point with this tally, if there may be no mean.
    pub(crate) fn check_mean(&self, tally: &Tally, cell: &PointConfig) -> Result<(), Status> {
        (self.check)(tally, false)?;
        if (self.has_mean)(tally, cell) { Ok(()) } else { Err(Status::Unstable) }
    }

    /// Returns the final status of a point without randomness, after its only trial.
    pub(crate) fn final_status(&self, experiment: &Experiment, cell: &PointConfig, tally: &Tally) -> Status {
        match (self.check)(tally, false) {
            Err(status) => status,
            Ok(()) if (experiment.kind().first_metric().estimate)(tally, cell).is_none() => Status::Impossible,
            Ok(()) => Status::Exact,
        }
    }

    /// Returns the expected number of trials that the point needs.
    pub(crate) fn needed(&self, experiment: &Experiment, cell: &PointConfig, tally: &Tally) -> u64 {
        if experiment.within == Experiment::ALL_TRIALS {
            let spent = self.spent.map_or(tally.trials, |spent| spent(tally)).max(1) as f64;
            return (tally.trials as f64 * experiment.trials as f64 / spent) as u64;
        }
        match (self.need)(experiment, cell, tally) {
            Demand::MoreTrials(wanted) => wanted.min(self.limit(experiment)),
            Demand::Satisfied | Demand::Unreachable => 0,
        }
    }

    /// Returns the maximum number of trials of a point.
    fn limit(&self, experiment: &Experiment) -> u64 {
        if self.spent.is_none() { experiment.trials } else { u64::MAX }
    }
}

impl Demand {
    /// Creates the requirement of a total of `wanted` trials, of which `made` are complete.
    pub(crate) fn from_wanted(wanted: u64, made: u64) -> Self {
        if wanted <= made { Self::Satisfied } else { Self::MoreTrials(wanted) }
    }

    /// Returns the trials required by the interval of a probability with half-width `within`.
    pub(crate) fn for_probability(estimate: Option<Estimate>, within: f64) -> Self {
        match estimate {
            Some(found) if found.half_width() <= within => Self::Satisfied,
            found => Self::MoreTrials(trials_of_share(found.map_or(0.5, |found| found.mean), within)),
        }
    }
}

/// Returns the number of runs that should reduce the interval of a mean to the requested share of
/// the mean, within the budget of messages.
///
/// The prediction uses the `estimate` from `runs` runs; 0 if it is not usable.
pub(crate) fn runs_wanted(experiment: &Experiment, runs: u64, estimate: Option<Estimate>) -> u64 {
    let Some(found) = estimate.filter(|found| found.mean > 0.0 && found.half_width().is_finite()) else { return 0 };
    let ratio = found.half_width() / (experiment.within * found.mean);
    let wanted = runs as f64 * ratio * ratio * 1.05;
    let most = experiment.trials as f64 * runs as f64 / found.n as f64;
    wanted.min(most) as u64 + 1
}

/// Returns the number of trials that should reduce an interval to `within` or, if `relative`, to
/// that share of its mean.
///
/// The prediction uses the estimate from `trials` trials; 0 if the interval is narrow enough
/// already, or nothing is known.
pub(crate) fn trials_within(estimate: Option<Estimate>, trials: u64, within: f64, relative: bool) -> u64 {
    let Some(found) = estimate.filter(|found| found.half_width() > 0.0) else { return 0 };
    let goal = within * if relative { found.mean } else { 1.0 };
    if found.half_width() <= goal {
        return 0;
    }
    let ratio = found.half_width() / goal;
    (trials as f64 * (ratio * ratio * 1.05).min(1e6)) as u64 + 1
}

/// Returns the number of trials that should reduce the interval of a probability of about `p` to
/// `within`, with a small margin.
pub(crate) fn trials_of_share(p: f64, within: f64) -> u64 {
    // Wilson's half-width is about z sqrt(p(1-p)/n + z^2/4n^2).
    let ratio = NORMAL_95 / within;
    let variance = p * (1.0 - p);
    let root = (variance * variance + within * within).sqrt();
    (ratio * ratio * (variance + root) / 2.0 * 1.02) as u64 + 1
}
