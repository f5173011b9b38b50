//! Sweeps: division of an experiment into tasks, and accumulation of their tallies into results.
//!
//! Results are deterministic wherever the tasks run. The stopping rule is applied to a point only
//! when all requested trials are complete, and the next request depends on their merged counts
//! alone.

mod checkpoint;
mod checksum;
mod cost;
#[cfg(feature = "threads")]
pub mod journal;
mod parallel;
mod phase;
pub(crate) mod sampler;
mod shard;
pub(crate) mod stopping_rule;

pub use cost::{Cost, Memory};
pub use parallel::run;
#[cfg(feature = "threads")]
pub use parallel::{NoopObserver, SweepObserver, run_on_all_threads, run_parallel};
pub(crate) use phase::Phase;
pub use sampler::{Sampler, sampler};
pub use shard::Shard;
pub use stopping_rule::{Demand, StoppingRule};

use faultlab_core::names;
use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::metric::DistributionKind;
use super::{Estimate, Experiment, Infeasible, Metric, PointConfig, Tally, ViewOptions};
use crate::saturation::{TrafficPoint, traffic_points};
use crate::sweep::stopping_rule::PointDecision;
use faultlab_core::routing::Algorithm;

/// Range of trials of one point and one algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Index of the point and algorithm in the sweep.
    pub slot: u32,
    /// Number of the first trial.
    pub first: u64,
    /// Number of trials.
    pub count: u64,
}

/// Status of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Trials of the point remain.
    Running,
    /// The interval is narrow enough.
    Converged,
    /// The result is not random: one trial determines it.
    Exact,
    /// All requested trials are complete.
    Complete,
    /// The trials were used before the interval was narrow enough.
    OutOfBudget,
    /// The number of waiting messages grows without bound, so that mean times are undefined.
    ///
    /// A network of circuits jams permanently at some time. The queues of wormhole sources grow
    /// with the simulated time.
    Unstable,
    /// Circuit or wormhole network in a deadlock: messages form a cyclic wait.
    Deadlocked,
    /// Nothing can be measured: no node is left to send to, the scheme does not apply to the
    /// faults, or such faults do not exist.
    Impossible,
    /// No run of delivery cycles completes.
    Unfinished,
    /// The budget was used before the runs were long enough for reliable intervals.
    NotSettled,
    /// The user stopped the point: the numbers are those of the completed trials.
    Cancelled,
}

impl Status {
    /// Returns the meaning of the status for the numbers of a point. [`PointResult::reason`] adds
    /// details of the point.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Running => "still running",
            Self::Converged => "the interval is as narrow as requested",
            Self::Exact => "nothing is random: one trial is exact",
            Self::Complete => "all requested trials are complete",
            Self::OutOfBudget => "all trials used before the interval was as narrow as requested",
            Self::Unstable => "queues grow without bound: mean times are undefined",
            Self::Deadlocked => "messages form a cyclic wait",
            Self::Impossible => "no trial had anything to measure",
            Self::Unfinished => "no run finishes",
            Self::NotSettled => {
                "the runs were still too short when the budget was used, so the means have no interval; a larger `trials` allows \
                 longer runs"
            }
            Self::Cancelled => "cancelled before the interval was as narrow as requested",
        }
    }
}

// The order is that of the help text.
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

/// Point of one algorithm with its results.
#[derive(Clone, Debug)]
pub struct PointResult {
    /// Algorithm of the point.
    pub algorithm: Arc<Algorithm>,
    /// Value of the varied parameter; `None` if nothing is varied.
    pub x: Option<f64>,
    /// Resolved configuration of the point.
    pub config: PointConfig,
    /// Status of the point.
    pub status: Status,
    /// Results of the trials.
    pub tally: Tally,
    /// Reason why the point is impossible, if it is.
    obstacle: Option<Infeasible>,
    /// Number of trials requested so far.
    target: u64,
    /// Number of trials handed out so far.
    dispatched: u64,
    /// Phase of the point, which decides the length of its runs.
    phase: Phase,
    /// Number of trials to run in this shard, if other shards run the rest.
    shard_quota: Option<u64>,
}

impl PointResult {
    /// Returns the number of messages or routes for each number of hops, ascending; empty for kinds
    /// that do not count them.
    pub fn lengths(&self) -> Vec<(f64, u64)> {
        let counts = self.config.setting.kind().spreads.iter().find_map(|spread| match spread.shape {
            DistributionKind::Arrivals(counts) | DistributionKind::Routes(counts) => Some(counts),
            _ => None,
        });
        counts.map_or_else(Vec::new, |counts| counts(self))
    }

    /// Returns the values of a distribution of the point's kind with their counts, ascending; empty
    /// if there is no such distribution.
    pub fn counts(&self, spread: &str) -> Vec<(f64, u64)> {
        match self.shape(spread) {
            Some(DistributionKind::Arrivals(counts) | DistributionKind::Routes(counts)) => counts(self),
            Some(DistributionKind::Steps(counts, _) | DistributionKind::Times(counts, ..)) => counts(self),
            _ => Vec::new(),
        }
    }

    /// Returns the utilization of the up-links and down-links of each dimension; empty for kinds
    /// that do not measure it.
    pub fn utilization(&self) -> Vec<[Estimate; 2]> {
        match self.shape("dimensions") {
            Some(DistributionKind::Dimensions(of)) => of(self),
            _ => Vec::new(),
        }
    }

    fn shape(&self, spread: &str) -> Option<DistributionKind> {
        let spreads = self.config.setting.kind().spreads;
        spreads.iter().find(|known| known.id == spread).map(|spread| spread.shape)
    }

    /// Returns the estimate of `metric`, with an interval limited to values from 0, and to 1 for
    /// probabilities.
    pub fn estimate(&self, metric: &Metric) -> Option<Estimate> {
        let estimate = (metric.estimate)(&self.tally, &self.config)?;
        let most = if metric.probability { 1.0 } else { f64::INFINITY };
        let settled = || (self.config.setting.kind().stopping_rule.has_long_enough_runs)(&self.tally, &self.config);
        Some(match self.is_exact() {
            true => estimate.as_exact(),
            // An exact estimate, or one without an upper bound, needs no test of the runs.
            false if estimate.is_exact() || estimate.high.is_infinite() || settled() => estimate.clamped(0.0, most),
            false => estimate.without_interval(),
        })
    }

    /// Returns an explanation of the status, with the reason of impossible points and remarks of
    /// the kind.
    pub fn reason(&self) -> Cow<'static, str> {
        let (kind, reason) = (self.config.setting.kind(), self.status.reason());
        let own = match self.status {
            Status::Impossible => {
                return self.obstacle.clone().map_or(reason.into(), Infeasible::into_words);
            }
            Status::Running => None,
            _ => kind.behavior.status_note(&self.tally, &self.config),
        };
        own.map_or(reason.into(), |own| format!("{reason}; {own}").into())
    }

    /// Hands out the next trials of the point that belong to `shard`.
    fn issue(&mut self, slot: u32, shard: Option<Shard>, experiment: &Experiment) -> Task {
        let size = experiment.kind().stopping_rule.task_size(self.target);
        let first = self.phase.trial(self.dispatched);
        let task = Task { slot, first, count: size.min(self.target - self.dispatched) };
        self.dispatched += task.count;
        self.skip_to_shard(slot, shard, experiment);
        task
    }

    /// Applies the stopping rule once all requested trials are complete: ends the point or requests
    /// more trials.
    fn apply_stopping_rule(&mut self, experiment: &Experiment) {
        if self.status != Status::Running || self.tally.trials != self.target {
            return;
        }
        let plan = &experiment.kind().stopping_rule;
        let verdict = match self.is_exact() {
            true => PointDecision::Ended(plan.final_status(experiment, &self.config, &self.tally)),
            false => plan.apply(experiment, &self.config, &self.tally, self.target),
        };
        match verdict {
            PointDecision::Ended(status) => self.end(status),
            PointDecision::Goal(goal) => self.target = goal,
            PointDecision::Longer(runs) => {
                self.phase = self.phase.next(self.target);
                self.target += runs;
            }
        }
    }

    fn end(&mut self, status: Status) {
        self.status = status;
        if status == Status::Impossible {
            self.obstacle = self.config.setting.kind().behavior.check_trial(&self.config, &self.algorithm, 0).err();
        }
    }

    /// Returns whether the result is not random.
    fn is_exact(&self) -> bool {
        !self.config.setting.kind().behavior.is_random(&self.config, &self.algorithm)
    }
}

/// Number of trials of a point to check before a run.
const FEASIBILITY_TRIALS: u64 = 16;

impl Experiment {
    /// Checks that the experiment can run: some trial at some point has something to move.
    ///
    /// The first 16 trials are checked if faults are sampled. Cost: usually that of one trial.
    ///
    /// # Errors
    /// Returns the reason of the first trial if none of the checked trials can run.
    pub fn check_feasible(&self) -> Result<(), Infeasible> {
        let mut first = Ok(());
        for point in self.points() {
            let config = PointConfig::new(&point, None);
            let trials = if config.faults_are_fixed() { 1 } else { FEASIBILITY_TRIALS };
            for (algorithm, trial) in
                self.routing.iter().flat_map(|algorithm| (0..trials).map(move |trial| (algorithm, trial)))
            {
                let trial = self.kind().behavior.check_trial(&config, algorithm, trial);
                if trial.is_ok() {
                    return trial;
                }
                first = first.and(trial);
            }
        }
        first
    }

    /// Checks that the watched run, number `view.sample`, has something to move under some
    /// algorithm. Cost: usually that of one trial.
    ///
    /// # Errors
    /// Returns the reason under the first algorithm if the run has nothing to move under any.
    pub fn check_watchable(&self) -> Result<(), Infeasible> {
        let config = PointConfig::new(self, None);
        let mut first = Ok(());
        for algorithm in &self.routing {
            let trial = self.kind().behavior.check_trial(&config, algorithm, self.view.sample);
            if trial.is_ok() {
                return trial;
            }
            first = first.and(trial);
        }
        first
    }
}

/// Progress of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Number of points that have ended.
    pub done: usize,
    /// Number of all points.
    pub points: usize,
    /// Estimated share of completed work, 0 to 1.
    pub share: f64,
}

/// Sweep in progress. Callers take tasks, run them anywhere with [`Sweep::sampler`], and return
/// their tallies.
#[derive(Clone, Debug)]
pub struct Sweep {
    experiment: Experiment,
    points: Vec<PointResult>,
    requeued: Vec<Task>,
    /// Order of the points: one after the other, once every point has completed its first round.
    in_turn: bool,
    /// Number of points that belong to other shards.
    left_out: usize,
    /// Shard of the trials to run; `None` for all trials.
    shard: Option<Shard>,
    /// Further points from which the saturation is computed.
    refined_points: Vec<TrafficPoint>,
}

impl Sweep {
    /// Returns this sweep with another view.
    pub fn viewed(&self, view: &ViewOptions) -> Self {
        let mut sweep = self.clone();
        sweep.experiment.view = view.clone();
        sweep
    }

    /// Creates the sweep of `experiment`: every algorithm at every value of the varied parameter.
    pub fn new(experiment: &Experiment) -> Self {
        let values: Vec<Option<f64>> = match &experiment.vary {
            Some(vary) => vary.values().into_iter().map(Some).collect(),
            None => vec![None],
        };
        let point = |algorithm: Arc<Algorithm>, x| {
            let (kind, config) = (experiment.kind(), PointConfig::new(experiment, x));
            let draws = kind.behavior.is_random(&config, &algorithm);
            let fixed = kind.stopping_rule.fixed(experiment);
            let goal = if draws { fixed.unwrap_or_else(|| (kind.stopping_rule.first)(experiment)) } else { 1 };
            PointResult {
                algorithm,
                x,
                config,
                status: Status::Running,
                tally: Tally::default(),
                obstacle: None,
                target: goal,
                dispatched: 0,
                phase: Phase::default(),
                shard_quota: None,
            }
        };
        let points = experiment
            .routing
            .iter()
            .flat_map(|algorithm| values.iter().map(move |&x| (algorithm.clone(), x)))
            .map(|(algorithm, x)| point(algorithm, x))
            .collect();
        Self {
            experiment: experiment.clone(),
            points,
            requeued: Vec::new(),
            in_turn: false,
            left_out: 0,
            shard: None,
            refined_points: Vec::new(),
        }
    }

    /// Returns this sweep with points that finish one after the other, once every point has
    /// completed its first round.
    ///
    /// If the sweep is stopped early, some points are then complete. The order does not change any
    /// result.
    #[must_use]
    pub fn in_turn(self) -> Self {
        Self { in_turn: true, ..self }
    }

    /// Returns the text of everything that decides the numbers of `experiment`, without its view.
    pub fn cache_key(experiment: &Experiment) -> String {
        Experiment {
            view: ViewOptions { sample: experiment.view.sample, ..ViewOptions::default() },
            ..experiment.clone()
        }
        .to_string()
    }

    /// Returns the experiment.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// Returns the points: for each algorithm in turn, by ascending x.
    pub fn points(&self) -> &[PointResult] {
        &self.points
    }

    /// Adds the points of `more`, a finished sweep of a [`crate::saturation::SaturationSearch`] of
    /// this sweep's experiment, to those from which the saturation is computed.
    pub fn refine(&mut self, more: &Self) {
        self.refined_points.extend(traffic_points(more));
    }

    /// Returns the points that [`Sweep::refine`] added.
    pub(crate) fn refined_points(&self) -> &[TrafficPoint] {
        &self.refined_points
    }

    /// Returns the sampler for the tasks of `slot`; `None` if there is no such slot.
    pub fn sampler(experiment: &Experiment, slot: u32) -> Option<Box<dyn Sampler>> {
        let values = experiment.vary.as_ref().map(|vary| vary.values());
        let per_series = values.as_ref().map_or(1, Vec::len);
        let algorithm = experiment.routing.get(slot as usize / per_series)?;
        let x = values.and_then(|values| values.get(slot as usize % per_series).copied());
        Some(sampler(experiment, x, algorithm))
    }

    /// Returns the next task; `None` while none is available, which may change when tallies arrive.
    ///
    /// Points with the fewest trials come first, so that every curve appears quickly and then
    /// becomes more precise. After [`Sweep::in_turn`], this order applies only until every point
    /// has completed its first round.
    pub fn next_task(&mut self) -> Option<Task> {
        if let Some(task) = self.requeued.pop() {
            return Some(task);
        }
        let waiting = |point: &PointResult| point.status == Status::Running && point.dispatched < point.target;
        let points = self.points.iter_mut().zip(0u32..);
        let first =
            if self.in_turn { (self.experiment.kind().stopping_rule.first)(&self.experiment) } else { u64::MAX };
        let (point, slot) =
            points.filter(|(point, _)| waiting(point)).min_by_key(|(point, _)| point.dispatched.min(first))?;
        Some(point.issue(slot, self.shard, &self.experiment))
    }

    /// Returns the next task of this point, like [`Sweep::next_task`]; `None` while there is none.
    pub fn point_task(&mut self, slot: u32) -> Option<Task> {
        let point = self.points.get_mut(slot as usize)?;
        (point.status == Status::Running && point.dispatched < point.target)
            .then(|| point.issue(slot, self.shard, &self.experiment))
    }

    /// Requeues a task that could not be run, unless its point has been stopped.
    pub fn requeue(&mut self, task: Task) {
        if self.points.get(task.slot as usize).is_some_and(|point| point.status == Status::Running) {
            self.requeued.push(task);
        }
    }

    /// Adds the tally of a completed task.
    pub fn submit(&mut self, task: Task, tally: &Tally) {
        let Some(point) = self.points.get_mut(task.slot as usize) else { return };
        point.tally.merge(tally);
        if point.shard_quota.is_some_and(|own| own < point.target && own == point.tally.trials)
            && point.status == Status::Running
        {
            // The status is known only once all shards are merged.
            point.status = Status::Cancelled;
        } else {
            point.apply_stopping_rule(&self.experiment);
        }
    }

    /// Stops one point if it is still running, and keeps its completed trials.
    pub fn stop(&mut self, slot: u32) {
        self.requeued.retain(|task| task.slot != slot);
        if let Some(point) = self.points.get_mut(slot as usize).filter(|point| point.status == Status::Running) {
            point.status = Status::Cancelled;
        }
    }

    /// Stops every point that is still running, and keeps the completed trials.
    pub fn cancel(&mut self) {
        self.requeued.clear();
        for point in self.points.iter_mut().filter(|point| point.status == Status::Running) {
            point.status = Status::Cancelled;
        }
    }

    /// Checks that something was measured.
    ///
    /// If faults leave no node active, nothing can be routed, but the share of active nodes is
    /// still measured as 0.
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

    /// Returns whether every point has ended.
    pub fn is_done(&self) -> bool {
        self.points.iter().all(|point| point.status != Status::Running)
    }

    /// Returns the expected final number of trials of a point, at least that of the mandatory
    /// rounds.
    pub(crate) fn expected_trials(&self, point: &PointResult) -> u64 {
        if point.is_exact() {
            return 1;
        }
        let plan = &self.experiment.kind().stopping_rule;
        let known = if point.tally.trials > 0 { plan.needed(&self.experiment, &point.config, &point.tally) } else { 0 };
        let rounds = ((plan.first)(&self.experiment)).max(plan.coarse + (plan.counted)(&point.config));
        known.max(rounds).max(plan.fewest.min(self.experiment.trials)).max(point.target)
    }

    /// Returns the progress of the sweep.
    pub fn progress(&self) -> Progress {
        let share = |point: &PointResult| match point.status {
            Status::Running => {
                let needed = self
                    .experiment
                    .kind()
                    .stopping_rule
                    .needed(&self.experiment, &point.config, &point.tally)
                    .max(point.target);
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
