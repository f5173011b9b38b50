//! How many trials a point gets: one rule for all kinds, from its merged tally alone, so that nothing depends on who ran them.

use crate::stats::student::NORMAL_95;
use crate::{Cell, Estimate, Experiment, Status, Tally};

/// The constants of a kind in the rule by which a point ends.
pub struct Plan {
    /// The trials of the first round, which shows every curve at once.
    pub first: fn(&Experiment) -> u64,
    /// The fewest trials of a point that converges, for values so rare that fewer trials would hardly show them.
    pub fewest: u64,
    /// The trials up to which none is counted once there are others, see [`Plan::counted`]; 0 where all count.
    pub coarse: u64,
    /// The trials that count of the first round after the coarse ones.
    pub counted: fn(&Cell) -> u64,
    /// How much longer trial number so-and-so is than others.
    pub weight: fn(u64) -> f64,
    /// The share of a round that is one task, as a divisor, and its least and most trials.
    pub task: (u64, u64, u64),
    /// By how much the trials of a point grow at least, as a divisor, and by which factor at most.
    pub growth: (u64, u64),
    /// The most trials of a point, whatever its budget.
    pub most: u64,
    /// What the tally has spent of the budget of an experiment, the value of `trials`; `None` where that counts trials.
    pub spent: Option<fn(&Tally) -> u64>,
    /// Checks that a point can go on. The error is the status with which it has to end: a network
    /// that cannot be, a jam. The flag says whether the round was one of coarse trials.
    pub check: fn(&Tally, bool) -> Result<(), Status>,
    /// Whether what it measures has a mean, as far as these trials tell. Where it has not, a point ends as unstable when what decides
    /// its end, which has one, is as narrow as asked or its budget is used.
    pub steady: fn(&Tally, &Cell) -> bool,
    /// Returns whether the runs that count were long enough for honest intervals. If not, the point begins a new phase, whose runs are
    /// twice as long and replace those of the phase before.
    pub settled: fn(&Tally, &Cell) -> bool,
    /// What the interval of the point asks for.
    pub need: fn(&Experiment, &Cell, &Tally) -> Need,
}

/// What the interval of a point asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nothing: it is narrow enough.
    Met,
    /// About so many trials in all.
    Trials(u64),
    /// What no number of trials would bring.
    Hopeless,
}

/// What is to be done with a point all of whose trials are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It has ended.
    Ended(Status),
    /// It needs so many trials in all.
    Goal(u64),
    /// The point needs longer runs; the first round has so many of them.
    Longer(u64),
}

/// What happens once in fifty trials is missed by 128 of them in one case of thirteen (0.98^128), and the allowance that an interval
/// makes for it (`stats/score.rs`) is 2.2% of the mean.
const FEWEST: u64 = 128;

/// How many times the fewest trials are made before a point of which none had anything to measure counts as impossible.
const PATIENCE: u64 = 8;

impl Plan {
    /// Every trial counts, and a round grows to eight times its trials at most.
    pub(crate) const fn of_trials(
        first: fn(&Experiment) -> u64,
        task: (u64, u64, u64),
        check: fn(&Tally, bool) -> Result<(), Status>,
        need: fn(&Experiment, &Cell, &Tally) -> Need,
    ) -> Self {
        Self {
            first,
            fewest: FEWEST,
            coarse: 0,
            counted: |_| 0,
            weight: |_| 1.0,
            task,
            growth: (8, 8),
            most: u64::MAX,
            spent: None,
            check,
            steady: |_, _| true,
            settled: |_, _| true,
            need,
        }
    }

    /// The trials of one task of a round that goes up to `goal`.
    pub(crate) fn task_size(&self, goal: u64) -> u64 {
        let (parts, least, most) = self.task;
        (goal / parts).clamp(least, most)
    }

    /// Whether a point is done after `goal` trials, or how many it needs.
    pub(crate) fn judge(&self, experiment: &Experiment, cell: &Cell, tally: &Tally, goal: u64) -> Verdict {
        let spent = self.spent.map_or(goal, |spent| spent(tally)) >= experiment.trials || goal >= self.most;
        let coarse = goal <= self.coarse && !spent;
        if let Err(status) = (self.check)(tally, coarse) {
            return Verdict::Ended(status);
        }
        if coarse {
            return Verdict::Goal(self.coarse + (self.counted)(cell));
        }
        let first = (experiment.kind().first_metric().of)(tally, cell);
        if first.is_none_or(|found| found.n == 0) {
            // Nothing so far: what there is to measure may be rare.
            let most = (self.fewest * PATIENCE).min(self.limit(experiment));
            return if goal < most { Verdict::Goal(most.min(goal * 8)) } else { Verdict::Ended(Status::Impossible) };
        }
        if !(self.settled)(tally, cell) {
            return match self.longer_runs_fit(experiment, tally) {
                true => Verdict::Longer((self.counted)(cell)),
                false => Verdict::Ended(Status::NotSettled),
            };
        }
        if experiment.within == Experiment::ALL_TRIALS {
            let next = goal.saturating_add(goal / self.growth.0).saturating_add(1);
            return if spent {
                self.ended(tally, cell, Status::Complete)
            } else {
                Verdict::Goal(next.min(self.limit(experiment)))
            };
        }
        match (self.need)(experiment, cell, tally) {
            Need::Met if goal < self.fewest && !spent => Verdict::Goal(self.fewest.min(self.limit(experiment))),
            Need::Met => self.ended(tally, cell, Status::Converged),
            Need::Hopeless => self.ended(tally, cell, Status::OutOfBudget),
            Need::Trials(_) if spent => self.ended(tally, cell, Status::OutOfBudget),
            Need::Trials(wanted) => {
                let (least, most) = self.growth;
                let next = wanted.clamp(goal + goal / least + 1, goal.saturating_mul(most));
                Verdict::Goal(next.min(self.limit(experiment)))
            }
        }
    }

    /// The trials that every point gets whatever they bring, where that is known before any of them is made.
    pub(crate) fn fixed(&self, experiment: &Experiment) -> Option<u64> {
        (experiment.within == Experiment::ALL_TRIALS && self.spent.is_none())
            .then_some(experiment.trials.min(self.most))
    }

    fn ended(&self, tally: &Tally, cell: &Cell, status: Status) -> Verdict {
        Verdict::Ended(if (self.steady)(tally, cell) { status } else { Status::Unstable })
    }

    /// Returns whether the budget allows a phase of longer runs: at most half of it is spent.
    fn longer_runs_fit(&self, experiment: &Experiment, tally: &Tally) -> bool {
        let spent = self.spent.map_or(tally.trials, |spent| spent(tally));
        spent.saturating_mul(2) < experiment.trials
    }

    /// Checks that nothing speaks against a mean of what `tally` measures.
    ///
    /// # Errors
    /// Returns the status that a point with this tally has, if there may be no mean.
    pub(crate) fn check_mean(&self, tally: &Tally, cell: &Cell) -> Result<(), Status> {
        (self.check)(tally, false)?;
        if (self.steady)(tally, cell) { Ok(()) } else { Err(Status::Unstable) }
    }

    /// How a point has ended in which chance has no part, after its only trial.
    pub(crate) fn settle(&self, experiment: &Experiment, cell: &Cell, tally: &Tally) -> Status {
        match (self.check)(tally, false) {
            Err(status) => status,
            Ok(()) if (experiment.kind().first_metric().of)(tally, cell).is_none() => Status::Impossible,
            Ok(()) => Status::Exact,
        }
    }

    /// How many trials the point will need, as far as can be foreseen.
    pub(crate) fn needed(&self, experiment: &Experiment, cell: &Cell, tally: &Tally) -> u64 {
        if experiment.within == Experiment::ALL_TRIALS {
            let spent = self.spent.map_or(tally.trials, |spent| spent(tally)).max(1) as f64;
            return (tally.trials as f64 * experiment.trials as f64 / spent) as u64;
        }
        match (self.need)(experiment, cell, tally) {
            Need::Trials(wanted) => wanted.min(self.limit(experiment)),
            Need::Met | Need::Hopeless => 0,
        }
    }

    /// The most trials that a point can get.
    fn limit(&self, experiment: &Experiment) -> u64 {
        if self.spent.is_none() { experiment.trials } else { u64::MAX }
    }
}

impl Need {
    /// So many trials in all, of which `made` are made.
    pub(crate) fn of(wanted: u64, made: u64) -> Self {
        if wanted <= made { Self::Met } else { Self::Trials(wanted) }
    }

    /// What the interval of a probability asks for that is to be `within` on both sides.
    pub(crate) fn of_share(estimate: Option<Estimate>, within: f64) -> Self {
        match estimate {
            Some(found) if found.half_width() <= within => Self::Met,
            found => Self::Trials(trials_of_share(found.map_or(0.5, |found| found.mean), within)),
        }
    }
}

/// The runs after which the interval of a mean over runs should be as narrow a share of it as asked, within the budget of
/// messages, from its `estimate` by so many `runs`; 0 where that says nothing.
pub(crate) fn runs_wanted(experiment: &Experiment, runs: u64, estimate: Option<Estimate>) -> u64 {
    let Some(found) = estimate.filter(|found| found.mean > 0.0 && found.half_width().is_finite()) else { return 0 };
    let ratio = found.half_width() / (experiment.within * found.mean);
    let wanted = runs as f64 * ratio * ratio * 1.05;
    let most = experiment.trials as f64 * runs as f64 / found.n as f64;
    wanted.min(most) as u64 + 1
}

/// The trials after which an interval should be `within`, or that share of its mean, from the estimate by so many `trials`; 0 if
/// it is already, or nothing is known.
pub(crate) fn trials_within(estimate: Option<Estimate>, trials: u64, within: f64, relative: bool) -> u64 {
    let Some(found) = estimate.filter(|found| found.half_width() > 0.0) else { return 0 };
    let goal = within * if relative { found.mean } else { 1.0 };
    if found.half_width() <= goal {
        return 0;
    }
    let ratio = found.half_width() / goal;
    (trials as f64 * (ratio * ratio * 1.05).min(1e6)) as u64 + 1
}

/// The trials after which the interval of a probability of about `p` should be `within`, and a little more.
pub(crate) fn trials_of_share(p: f64, within: f64) -> u64 {
    // Wilson's half-width is about z sqrt(p(1-p)/n + z^2/4n^2).
    let ratio = NORMAL_95 / within;
    let variance = p * (1.0 - p);
    let root = (variance * variance + within * within).sqrt();
    (ratio * ratio * (variance + root) / 2.0 * 1.02) as u64 + 1
}
