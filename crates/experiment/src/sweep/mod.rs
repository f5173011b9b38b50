//! An experiment unfolded into tasks, and their tallies folded into results.
//!
//! Deterministic whatever runs the tasks: a point is judged only when all the trials it asked for are in, and what it
//! asks for next depends on their merged counts alone.

mod checksum;
mod cost;
mod halfway;
#[cfg(feature = "threads")]
pub mod journal;
mod parallel;
mod phase;
pub(crate) mod plan;
pub(crate) mod sampler;
mod share;

pub use cost::{Cost, Memory};
pub use parallel::run;
#[cfg(feature = "threads")]
pub use parallel::{Company, Nobody, run_on_all_threads, run_parallel};
pub(crate) use phase::Phase;
pub use plan::{Need, Plan};
pub use sampler::{Sampler, sampler};

use faultlab_core::names;
use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::metric::SpreadShape;
use super::{Cell, Estimate, Experiment, Infeasible, Metric, Tally, View};
use crate::sweep::plan::Verdict;
use faultlab_core::routing::Algorithm;

/// A range of trials of one point and one algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The place of point and algorithm in the sweep.
    pub slot: u32,
    /// The first trial.
    pub first: u64,
    /// How many trials.
    pub count: u64,
}

/// How far a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Trials are still to come.
    Running,
    /// Its interval is narrow enough.
    Converged,
    /// Chance has no part in it: one trial says all.
    Exact,
    /// All the trials that it was to have are made.
    Complete,
    /// It has used its trials before its interval was narrow enough.
    OutOfBudget,
    /// What waits grows without end, so that the mean of a time has no meaning: circuits jam for good at some time, sources of worms
    /// have more in their queues the longer one looks.
    Unstable,
    /// Circuits and worms: messages wait for each other in a circle.
    Deadlocked,
    /// Nothing can be measured: nobody is left to send to, the scheme does not apply to the faults, no such faults are found.
    Impossible,
    /// Delivery cycles: no run comes to an end.
    Unfinished,
    /// The budget was used before the runs were long enough for honest intervals.
    NotSettled,
    /// It was stopped by hand: its numbers rest on the trials that were in.
    Cancelled,
}

impl Status {
    /// What it says of the numbers of a point, and why; what only the point itself knows is in [`PointResult::reason`].
    pub fn reason(self) -> &'static str {
        match self {
            Self::Running => "still sharpening",
            Self::Converged => "the interval is as narrow as asked",
            Self::Exact => "nothing is drawn at random: one trial says all",
            Self::Complete => "all trials that were asked for are made",
            Self::OutOfBudget => "all trials used before the interval was as narrow as asked",
            Self::Unstable => "what waits grows without end: the mean of a time has no meaning",
            Self::Deadlocked => "messages wait for each other in a circle",
            Self::Impossible => "no trial had anything to measure",
            Self::Unfinished => "no run comes to an end",
            Self::NotSettled => {
                "the runs were still too short when the budget was used: the means have no interval; a larger `trials` allows longer runs"
            }
            Self::Cancelled => "cancelled before the interval was as narrow as asked",
        }
    }
}

// In the order in which help lists them.
names! {
    Status {
        Running: "running",
        Converged: "converged",
        Exact: "exact",
        Complete: "complete",
        OutOfBudget: "out-of-budget",
        Unstable: "unstable",
        Deadlocked: "deadlocked",
        Impossible: "impossible",
        Unfinished: "unfinished",
        NotSettled: "not-settled",
        Cancelled: "cancelled",
    }
}

/// One point of one algorithm.
#[derive(Clone, Debug)]
pub struct PointResult {
    /// The algorithm.
    pub algorithm: Arc<Algorithm>,
    /// The value of what is varied; `None` if nothing is.
    pub x: Option<f64>,
    /// The point in full.
    pub cell: Cell,
    /// How far it is.
    pub status: Status,
    /// What its messages came to.
    pub tally: Tally,
    /// The reason why it is impossible, if it is.
    obstacle: Option<Infeasible>,
    /// Trials asked for so far.
    goal: u64,
    /// Trials handed out so far.
    issued: u64,
    /// The phase of the point, which decides the length of its runs.
    phase: Phase,
    /// The trials that are to be run here, if others run the rest.
    own: Option<u64>,
}

impl PointResult {
    /// How many messages or routes have so many hops, ascending; empty for kinds that do not count them.
    pub fn lengths(&self) -> Vec<(f64, u64)> {
        let counts = self.cell.setting.kind().spreads.iter().find_map(|spread| match spread.shape {
            SpreadShape::Arrivals(counts) | SpreadShape::Routes(counts) => Some(counts),
            _ => None,
        });
        counts.map_or_else(Vec::new, |counts| counts(self))
    }

    /// How often the values of one of its kind's distributions occurred, ascending; empty if its kind has none of this name.
    pub fn counts(&self, spread: &str) -> Vec<(f64, u64)> {
        match self.shape(spread) {
            Some(SpreadShape::Arrivals(counts) | SpreadShape::Routes(counts)) => counts(self),
            Some(SpreadShape::Steps(counts, _) | SpreadShape::Times(counts, ..)) => counts(self),
            _ => Vec::new(),
        }
    }

    /// For each dimension the utilization of its up-links and of its down-links; empty where nobody measures it.
    pub fn utilization(&self) -> Vec<[Estimate; 2]> {
        match self.shape("dimensions") {
            Some(SpreadShape::Dimensions(of)) => of(self),
            _ => Vec::new(),
        }
    }

    fn shape(&self, spread: &str) -> Option<SpreadShape> {
        let spreads = self.cell.setting.kind().spreads;
        spreads.iter().find(|known| known.id == spread).map(|spread| spread.shape)
    }

    /// The estimate of `metric`; nothing that is measured is negative, and no share above 1.
    pub fn estimate(&self, metric: &Metric) -> Option<Estimate> {
        let estimate = (metric.of)(&self.tally, &self.cell)?;
        let most = if metric.probability { 1.0 } else { f64::INFINITY };
        let settled = || (self.cell.setting.kind().plan.settled)(&self.tally, &self.cell);
        Some(match self.is_exact() {
            true => estimate.settled(),
            // What is exact, or has no end above, says so by itself.
            false if estimate.is_exact() || estimate.high.is_infinite() || settled() => estimate.cut_to(0.0, most),
            false => estimate.without_interval(),
        })
    }

    /// How it ended and why, in words: of what is impossible the reason, of a network that may jam how long it did not.
    pub fn reason(&self) -> Cow<'static, str> {
        let (kind, reason) = (self.cell.setting.kind(), self.status.reason());
        let own = match self.status {
            Status::Impossible => {
                return self.obstacle.clone().map_or(reason.into(), Infeasible::into_words);
            }
            Status::Running => None,
            _ => kind.behavior.remark(&self.tally, &self.cell),
        };
        own.map_or(reason.into(), |own| format!("{reason}; {own}").into())
    }

    /// Hands out the next of its trials, of those of `share`.
    fn issue(&mut self, slot: u32, share: Option<(u32, u32)>, experiment: &Experiment) -> Task {
        let size = experiment.kind().plan.task_size(self.goal);
        let first = self.phase.trial(self.issued);
        let task = Task { slot, first, count: size.min(self.goal - self.issued) };
        self.issued += task.count;
        self.skip(slot, share, experiment);
        task
    }

    /// Ends it, or asks for more trials, if all that were asked for are in.
    fn judge(&mut self, experiment: &Experiment) {
        if self.status != Status::Running || self.tally.trials != self.goal {
            return;
        }
        let plan = &experiment.kind().plan;
        let verdict = match self.is_exact() {
            true => Verdict::Ended(plan.settle(experiment, &self.cell, &self.tally)),
            false => plan.judge(experiment, &self.cell, &self.tally, self.goal),
        };
        match verdict {
            Verdict::Ended(status) => self.end(status),
            Verdict::Goal(goal) => self.goal = goal,
            Verdict::Longer(runs) => {
                self.phase = self.phase.next(self.goal);
                self.goal += runs;
            }
        }
    }

    fn end(&mut self, status: Status) {
        self.status = status;
        if status == Status::Impossible {
            self.obstacle = self.cell.setting.kind().behavior.check_trial(&self.cell, &self.algorithm, 0).err();
        }
    }

    /// Whether chance has no part in it.
    fn is_exact(&self) -> bool {
        !self.cell.setting.kind().behavior.draws(&self.cell, &self.algorithm)
    }
}

/// The trials that are looked at before anything is run.
const FIRST_ONES: u64 = 16;

impl Experiment {
    /// Checks that anything of it can be run: some trial at some point has something to move.
    ///
    /// Of points whose faults are drawn, it looks at the first 16 trials. Cost: as one trial, as a
    /// rule.
    ///
    /// # Errors
    /// Returns the reason of the first trial if no trial that it looks at can be run.
    pub fn check_feasible(&self) -> Result<(), Infeasible> {
        let mut first = Ok(());
        for point in self.points() {
            let cell = Cell::new(&point, None);
            let trials = if cell.faults_are_fixed() { 1 } else { FIRST_ONES };
            for (algorithm, trial) in
                self.routing.iter().flat_map(|algorithm| (0..trials).map(move |trial| (algorithm, trial)))
            {
                let trial = self.kind().behavior.check_trial(&cell, algorithm, trial);
                if trial.is_ok() {
                    return trial;
                }
                first = first.and(trial);
            }
        }
        first
    }

    /// Checks that the run that is watched, number `view.sample`, has something to move under some
    /// algorithm. Cost: as one trial, as a rule.
    ///
    /// # Errors
    /// Returns the reason under the first algorithm if the run has nothing to move under any.
    pub fn check_watchable(&self) -> Result<(), Infeasible> {
        let cell = Cell::new(self, None);
        let mut first = Ok(());
        for algorithm in &self.routing {
            let trial = self.kind().behavior.check_trial(&cell, algorithm, self.view.sample);
            if trial.is_ok() {
                return trial;
            }
            first = first.and(trial);
        }
        first
    }
}

/// How far a sweep is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Points that have ended.
    pub done: usize,
    /// All points.
    pub points: usize,
    /// The share of the work that is done, 0 to 1, as far as can be foreseen.
    pub share: f64,
}

/// A sweep under way. Take tasks, run them anywhere with [`Sweep::sampler`], hand in their tallies.
#[derive(Clone, Debug)]
pub struct Sweep {
    experiment: Experiment,
    points: Vec<PointResult>,
    returned: Vec<Task>,
    /// Whether points are finished one after the other once all have been looked at.
    in_turn: bool,
    /// How many points are somebody else's.
    left_out: usize,
    /// The share of the trials that is run here, from 1, of so many; all without one.
    share: Option<(u32, u32)>,
}

impl Sweep {
    /// The same sweep, looked at as `view` says.
    pub fn viewed(&self, view: &View) -> Self {
        let mut sweep = self.clone();
        sweep.experiment.view = view.clone();
        sweep
    }

    /// The sweep of `experiment`: every algorithm at every value of what is varied.
    pub fn new(experiment: &Experiment) -> Self {
        let values: Vec<Option<f64>> = match &experiment.vary {
            Some(vary) => vary.values().into_iter().map(Some).collect(),
            None => vec![None],
        };
        let point = |algorithm: Arc<Algorithm>, x| {
            let (kind, cell) = (experiment.kind(), Cell::new(experiment, x));
            let draws = kind.behavior.draws(&cell, &algorithm);
            let fixed = kind.plan.fixed(experiment);
            let goal = if draws { fixed.unwrap_or_else(|| (kind.plan.first)(experiment)) } else { 1 };
            PointResult {
                algorithm,
                x,
                cell,
                status: Status::Running,
                tally: Tally::default(),
                obstacle: None,
                goal,
                issued: 0,
                phase: Phase::default(),
                own: None,
            }
        };
        let points = experiment
            .routing
            .iter()
            .flat_map(|algorithm| values.iter().map(move |&x| (algorithm.clone(), x)))
            .map(|(algorithm, x)| point(algorithm, x))
            .collect();
        Self { experiment: experiment.clone(), points, returned: Vec::new(), in_turn: false, left_out: 0, share: None }
    }

    /// The same, whose points are finished one after the other once all have been looked at: what is stopped half-way then has some that
    /// are done. Decides no result.
    #[must_use]
    pub fn in_turn(self) -> Self {
        Self { in_turn: true, ..self }
    }

    /// The text of what decides the numbers of `experiment`: all of it but how it is looked at.
    pub fn question(experiment: &Experiment) -> String {
        Experiment { view: View { sample: experiment.view.sample, ..View::default() }, ..experiment.clone() }
            .to_string()
    }

    /// The experiment.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// The points: for each algorithm in turn, by ascending x.
    pub fn points(&self) -> &[PointResult] {
        &self.points
    }

    /// What runs the tasks of `slot`; `None` if there is no such slot.
    pub fn sampler(experiment: &Experiment, slot: u32) -> Option<Box<dyn Sampler>> {
        let values = experiment.vary.as_ref().map(|vary| vary.values());
        let per_series = values.as_ref().map_or(1, Vec::len);
        let algorithm = experiment.routing.get(slot as usize / per_series)?;
        let x = values.and_then(|values| values.get(slot as usize % per_series).copied());
        Some(sampler(experiment, x, algorithm))
    }

    /// The next task; `None` while nothing can be handed out, which may change when tallies come in. Points with the
    /// fewest trials come first, so that every curve appears at once, coarse, and sharpens; of a sweep [`Sweep::in_turn`] only until
    /// every point has been looked at.
    pub fn next_task(&mut self) -> Option<Task> {
        if let Some(task) = self.returned.pop() {
            return Some(task);
        }
        let waiting = |point: &PointResult| point.status == Status::Running && point.issued < point.goal;
        let points = self.points.iter_mut().zip(0u32..);
        let first = if self.in_turn { (self.experiment.kind().plan.first)(&self.experiment) } else { u64::MAX };
        let (point, slot) =
            points.filter(|(point, _)| waiting(point)).min_by_key(|(point, _)| point.issued.min(first))?;
        Some(point.issue(slot, self.share, &self.experiment))
    }

    /// The next task of this point, as [`Sweep::next_task`]; `None` while there is none.
    pub fn point_task(&mut self, slot: u32) -> Option<Task> {
        let point = self.points.get_mut(slot as usize)?;
        (point.status == Status::Running && point.issued < point.goal)
            .then(|| point.issue(slot, self.share, &self.experiment))
    }

    /// Takes a task back that could not be run, to hand it out again unless its point has been stopped.
    pub fn give_back(&mut self, task: Task) {
        if self.points.get(task.slot as usize).is_some_and(|point| point.status == Status::Running) {
            self.returned.push(task);
        }
    }

    /// Takes the tally of a task that has been run.
    pub fn finish(&mut self, task: Task, tally: &Tally) {
        let Some(point) = self.points.get_mut(task.slot as usize) else { return };
        point.tally.merge(tally);
        if point.own.is_some_and(|own| own < point.goal && own == point.tally.trials) && point.status == Status::Running
        {
            // What it comes to is known only where all shares are put together.
            point.status = Status::Cancelled;
        } else {
            point.judge(&self.experiment);
        }
    }

    /// Stops one point, if it is still running; what is in stays.
    pub fn stop(&mut self, slot: u32) {
        self.returned.retain(|task| task.slot != slot);
        if let Some(point) = self.points.get_mut(slot as usize).filter(|point| point.status == Status::Running) {
            point.status = Status::Cancelled;
        }
    }

    /// Stops every point that is still running; what is in stays.
    pub fn cancel(&mut self) {
        self.returned.clear();
        for point in self.points.iter_mut().filter(|point| point.status == Status::Running) {
            point.status = Status::Cancelled;
        }
    }

    /// Checks that something was measured. Faults that leave no node active are impossible to route
    /// among, but the share of active nodes is measured: it is 0.
    ///
    /// # Errors
    /// Returns the reason if every point is impossible and no metric has a number.
    pub fn check_measured(&self) -> Result<(), Infeasible> {
        let metrics = self.experiment.kind().metrics;
        let is_measured = |point: &PointResult| {
            metrics.iter().any(|metric| point.estimate(metric).is_some_and(|estimate| estimate.n > 0))
        };
        match self.check_ran() {
            Err(_) if self.points.iter().any(is_measured) => Ok(()),
            checked => checked,
        }
    }

    /// Checks that something ran.
    ///
    /// # Errors
    /// Returns the reason of the first point if every point is impossible.
    pub fn check_ran(&self) -> Result<(), Infeasible> {
        let impossible = self.points.iter().all(|point| point.status == Status::Impossible);
        match self.points.first() {
            Some(first) if impossible => Err(first.reason().into()),
            _ => Ok(()),
        }
    }

    /// Whether every point has ended.
    pub fn is_done(&self) -> bool {
        self.points.iter().all(|point| point.status != Status::Running)
    }

    /// How many trials a point will have had in the end, as far as can be foreseen; at least those of the rounds that it gets in any case.
    pub(crate) fn expected_trials(&self, point: &PointResult) -> u64 {
        if point.is_exact() {
            return 1;
        }
        let plan = &self.experiment.kind().plan;
        let known = if point.tally.trials > 0 { plan.needed(&self.experiment, &point.cell, &point.tally) } else { 0 };
        let rounds = ((plan.first)(&self.experiment)).max(plan.coarse + (plan.counted)(&point.cell));
        known.max(rounds).max(plan.fewest.min(self.experiment.trials)).max(point.goal)
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let share = |point: &PointResult| match point.status {
            Status::Running => {
                let needed =
                    self.experiment.kind().plan.needed(&self.experiment, &point.cell, &point.tally).max(point.goal);
                point.tally.trials as f64 / needed as f64
            }
            _ => 1.0,
        };
        let points = self.points.len() - self.left_out;
        Progress {
            done: self.points.iter().filter(|point| point.status != Status::Running).count() - self.left_out,
            points,
            share: (self.points.iter().map(share).sum::<f64>() - self.left_out as f64) / points.max(1) as f64,
        }
    }
}
