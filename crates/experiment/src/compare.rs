//! Comparison of two routings trial by trial, on the same faults and the same messages, in every
//! kind of experiment.
//!
//! All algorithms meet the same faults and the same messages in a trial of equal number (common
//! random numbers), so the differences of the trials vary less than the trials themselves.

use std::sync::Arc;

use super::crossover::sign_changes;
use super::metric::Direction;
use super::stats::paired::{self, PairUnit, PairedValues};
use super::sweep::Phase;
use super::{Estimate, Experiment, ExperimentError, Metric, PointConfig, Status, Tally, Version};
use faultlab_core::routing::Algorithm;

/// Comparison of one routing with the first one of an experiment, at one value of the varied
/// parameter.
#[derive(Clone, Debug)]
pub struct ComparedPoint {
    /// Compared routing.
    pub challenger: Arc<Algorithm>,
    /// Reference routing.
    pub other: Arc<Algorithm>,
    /// Value of the varied parameter; `None` if nothing is varied.
    pub x: Option<f64>,
    /// Resolved configuration of the point.
    pub config: PointConfig,
    /// Direction in which the metric improves.
    pub better: Direction,
    /// Status of the comparison at this point.
    pub status: Status,
    /// Results of the trials in which both have a value, by trial.
    pub pairs: Vec<PairedValues>,
    /// Number of trials in which at most one of the routings has a value: messages that do not
    /// arrive have no length.
    pub unpaired_trials: u64,
    /// Number of trials made, including the coarse ones that are skipped.
    next: u64,
    /// Phase of the point, which decides the length of its runs.
    phase: Phase,
    /// Runs of both routings in this phase, if tests of their length need them.
    runs: [Tally; 2],
    /// Number of messages from which the values of the reference are computed.
    messages: u64,
}

impl ComparedPoint {
    /// Starts a phase with runs twice as long, which replace the earlier ones.
    fn begin_phase(&mut self) {
        self.phase = self.phase.next(self.next);
        self.runs = <[Tally; 2]>::default();
        self.pairs.clear();
        self.unpaired_trials = 0;
    }

    /// Returns the challenger's mean minus the reference's mean.
    pub fn difference(&self) -> Option<Estimate> {
        self.settled(paired::difference(&self.pairs, self.pair_unit()))
    }

    /// Returns the improvement over the reference's mean, as a share of that mean: the saving, or
    /// the excess if larger values are better.
    pub fn gain(&self) -> Option<Estimate> {
        let saved = self.settled(paired::relative_saving(&self.pairs, self.pair_unit()))?;
        Some(match self.better {
            Direction::LowerIsBetter => saved,
            Direction::HigherIsBetter => Estimate { mean: -saved.mean, low: -saved.high, high: -saved.low, ..saved },
        })
    }

    /// Returns the number of trials made in this phase, without the coarse ones, which a comparison
    /// skips.
    fn trials_made(&self, coarse: u64) -> u64 {
        self.next - self.phase.before().max(coarse)
    }

    fn pair_unit(&self) -> PairUnit {
        if self.config.setting.kind().stopping_rule.coarse > 0 { PairUnit::Run } else { PairUnit::Trial }
    }

    fn settled(&self, found: Option<Estimate>) -> Option<Estimate> {
        found.filter(|_| !matches!(self.status, Status::Unstable | Status::Deadlocked)).map(|found| match self.status {
            Status::Exact => found.as_exact(),
            Status::NotSettled => found.without_interval(),
            _ => found,
        })
    }

    /// Returns the reference's mean over the same trials.
    pub fn base(&self) -> f64 {
        let weight: f64 = self.pairs.iter().map(|pair| pair.weight).sum();
        self.pairs.iter().map(|pair| pair.theirs * pair.weight).sum::<f64>() / weight
    }
}

/// Comparison in progress of every routing of an experiment with the first, by one metric.
///
/// Callers take the requested trials, run them anywhere, and return the results.
#[derive(Clone, Debug)]
pub struct Comparison {
    experiment: Experiment,
    metric: &'static Metric,
    points: Vec<ComparedPoint>,
}

/// Range of trials of one point of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairTask {
    point: usize,
    first: u64,
    count: u64,
}

/// Results of the trials of a task, by trial.
#[derive(Clone, Debug, Default)]
pub struct PairedTrials {
    pairs: Vec<Option<PairedValues>>,
    messages: u64,
    failed: Option<Status>,
    runs: [Tally; 2],
}

/// Number of trials of one task, in kinds whose trials are not runs.
const TASK: u64 = 64;

/// Returns the error of an experiment whose key `route` names fewer than two routings.
fn too_few(routing: &str, problem: &str) -> ExperimentError {
    ExperimentError::new("route", routing, problem, "route=ONE,ANOTHER")
}

impl Comparison {
    /// Returns the metric by which an experiment is compared if none is named: the first of its kind
    /// in version 1, and the plotted one from version 2 on.
    pub fn usual_metric(experiment: &Experiment) -> &'static Metric {
        match experiment.version {
            Version::V1 => experiment.kind().first_metric(),
            Version::V2 => experiment.plotted_metric(),
        }
    }

    /// Creates the comparison of `experiment` by `metric`, one of its kind.
    ///
    /// # Errors
    /// Returns the error of the key `route` if the experiment has fewer than two routings.
    pub fn new(experiment: &Experiment, metric: &'static Metric) -> Result<Self, ExperimentError> {
        let [other, challengers @ ..] = experiment.routing.as_slice() else {
            return Err(too_few("", "no routing"));
        };
        if challengers.is_empty() {
            return Err(too_few(&other.id, "a comparison needs at least two routings"));
        }
        let values = experiment.vary.as_ref().map_or(vec![None], |vary| vary.values().into_iter().map(Some).collect());
        let point = |challenger: &Arc<Algorithm>, x| ComparedPoint {
            challenger: challenger.clone(),
            other: other.clone(),
            x,
            config: PointConfig::new(experiment, x),
            better: metric.better,
            status: Status::Running,
            pairs: Vec::new(),
            unpaired_trials: 0,
            next: experiment.kind().stopping_rule.coarse,
            phase: Phase::default(),
            runs: <[Tally; 2]>::default(),
            messages: 0,
        };
        let points = challengers.iter().flat_map(|challenger| values.iter().map(move |&x| point(challenger, x)));
        Ok(Self { experiment: experiment.clone(), metric, points: points.collect() })
    }

    /// Returns the experiment.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// Returns the compared metric.
    pub fn metric(&self) -> &'static Metric {
        self.metric
    }

    /// Returns the points: for each challenger in turn, by ascending x.
    pub fn points(&self) -> &[ComparedPoint] {
        &self.points
    }

    /// Returns the tasks of the next round; none if every point has ended.
    pub fn round(&self) -> Vec<PairTask> {
        let task = if self.experiment.kind().is_under_load() { 1 } else { TASK };
        let running = self.points.iter().enumerate().filter(|(_, point)| point.status == Status::Running);
        let of_point = |(place, point): (usize, &ComparedPoint)| {
            let goal = self.goal(point);
            let firsts = (point.next..goal).step_by(task as usize);
            let of_phase =
                |first| PairTask { point: place, first: point.phase.trial(first), count: task.min(goal - first) };
            firsts.map(of_phase).collect::<Vec<_>>()
        };
        running.flat_map(of_point).collect()
    }

    /// Returns the number of trials of a point after the next round.
    fn goal(&self, point: &ComparedPoint) -> u64 {
        let plan = &self.experiment.kind().stopping_rule;
        let made = point.trials_made(plan.coarse);
        let first = if self.is_exact(point) { 1 } else { plan.fewest.max((plan.counted)(&point.config)).max(2) };
        let more = match point.difference() {
            _ if made == 0 => first,
            // Runs become longer from round to round.
            _ if plan.coarse > 0 => (made / 2).max(1),
            Some(found) if found.half_width().is_finite() => {
                let ratio = found.half_width() / self.target_half_width(point);
                ((made as f64 * ratio * ratio * 1.05) as u64).saturating_add(1).clamp(made + made / 8 + 1, made * 8)
                    - made
            }
            _ => made,
        };
        let most = if plan.spent.is_none() { plan.coarse + self.experiment.trials } else { u64::MAX };
        (point.next + more).min(most)
    }

    /// Runs the trials of `task`.
    pub fn run(&self, task: PairTask) -> PairedTrials {
        let mut found = PairedTrials::default();
        let Some(point) = self.points.get(task.point) else { return found };
        let make = |algorithm| self.experiment.kind().behavior.sampler(&point.config, algorithm);
        let (Some(mut ours), Some(mut theirs)) = (make(&point.challenger), make(&point.other)) else { return found };
        for number in task.first..task.first + task.count {
            let tallies = [&mut ours, &mut theirs].map(|sampler| sampler.run(number, 1));
            let [ours, theirs] = [&tallies[0], &tallies[1]].map(|tally| self.value(point, tally, &mut found.failed));
            let pair = ours.zip(theirs).map(|(ours, theirs)| {
                found.messages += theirs.n;
                PairedValues { weight: self.weight(number), ours: ours.mean, theirs: theirs.mean }
            });
            if self.has_phases() {
                found.runs.iter_mut().zip(&tallies).for_each(|(all, run)| all.merge(run));
            }
            found.pairs.push(pair);
        }
        found
    }

    /// Returns whether points continue with longer runs until the runs have settled.
    fn has_phases(&self) -> bool {
        self.experiment.version >= Version::V2 && self.experiment.kind().is_under_load()
    }

    /// Returns the weight of trial number `number`; runs of one phase have equal weights.
    fn weight(&self, number: u64) -> f64 {
        if self.has_phases() { 1.0 } else { (self.experiment.kind().stopping_rule.weight)(number) }
    }

    /// Returns the value of a single trial.
    fn value(&self, point: &ComparedPoint, tally: &Tally, failed: &mut Option<Status>) -> Option<Estimate> {
        let found = (self.metric.estimate)(tally, &point.config).filter(|found| found.mean.is_finite());
        // An overloaded network still has a throughput.
        let ended =
            self.experiment.kind().stopping_rule.check_mean(tally, &point.config).err().filter(|_| found.is_none());
        *failed = failed.or(ended.filter(|status| matches!(status, Status::Unstable | Status::Deadlocked)));
        found
    }

    /// Accepts the results of the tasks of a round, in their order.
    pub fn finish(&mut self, tasks: &[PairTask], found: &[PairedTrials]) {
        for (task, trials) in tasks.iter().zip(found) {
            let Some(point) = self.points.get_mut(task.point) else { continue };
            let both = trials.pairs.iter().flatten();
            point.unpaired_trials += (trials.pairs.len() - both.clone().count()) as u64;
            point.pairs.extend(both);
            point.messages += trials.messages;
            point.next += task.count;
            point.runs.iter_mut().zip(&trials.runs).for_each(|(all, more)| all.merge(more));
            if let Some(status) = trials.failed {
                point.status = status;
            }
        }
        for place in 0..self.points.len() {
            let status = self.status_after_trials(&self.points[place]);
            self.points[place].status = status;
            if status == Status::Running && self.needs_longer_runs(&self.points[place]) {
                self.points[place].begin_phase();
            }
        }
    }

    /// Returns the target half-width: absolute for a probability, otherwise as a share of the
    /// reference's mean.
    fn target_half_width(&self, point: &ComparedPoint) -> f64 {
        self.experiment.within * if self.metric.probability { 1.0 } else { point.base() }
    }

    fn status_after_trials(&self, point: &ComparedPoint) -> Status {
        let plan = &self.experiment.kind().stopping_rule;
        let made = point.trials_made(plan.coarse);
        // Runs are expensive: a first round without a pair of values is enough to end the point.
        let patience = if plan.coarse > 0 { (plan.counted)(&point.config) } else { PATIENCE };
        let spent = if plan.spent.is_some() { point.messages } else { made } >= self.experiment.trials;
        match point.difference() {
            _ if point.status != Status::Running => point.status,
            Some(_) if self.is_exact(point) => Status::Exact,
            _ if self.needs_longer_runs(point) => match point.messages.saturating_mul(2) < self.experiment.trials {
                true => Status::Running,
                false => Status::NotSettled,
            },
            Some(found) if made >= plan.fewest && found.half_width() <= self.target_half_width(point) => {
                Status::Converged
            }
            None if self.is_exact(point) || spent || made >= patience => Status::Impossible,
            _ if spent || made >= plan.max_trials => Status::OutOfBudget,
            _ => Status::Running,
        }
    }

    /// Returns whether the runs of either routing were too short for a reliable interval.
    fn needs_longer_runs(&self, point: &ComparedPoint) -> bool {
        let settled = self.experiment.kind().stopping_rule.has_long_enough_runs;
        self.has_phases() && point.runs.iter().any(|runs| runs.trials > 0 && !settled(runs, &point.config))
    }

    fn is_exact(&self, point: &ComparedPoint) -> bool {
        let behavior = self.experiment.kind().behavior;
        !behavior.is_random(&point.config, &point.challenger) && !behavior.is_random(&point.config, &point.other)
    }

    /// Returns the values of the varied parameter at which a challenger's mean crosses that of the
    /// reference.
    ///
    /// A crossing lies between two significant differences of opposite sign, at the first change of
    /// sign of the means. The flag is true if the challenger's mean is the lower one after the
    /// crossing.
    pub fn crossings(&self, challenger: &Algorithm) -> Vec<(Estimate, bool)> {
        let points = self.points.iter().filter(|point| *point.challenger == *challenger);
        sign_changes(&points.filter_map(|point| Some((point.x?, point.difference()?))).collect::<Vec<_>>())
    }
}

/// Number of trials after which a point without any pair of values counts as impossible.
const PATIENCE: u64 = 1024;

/// Runs a comparison to its end, task by task.
pub fn compare(comparison: &mut Comparison) {
    loop {
        let tasks = comparison.round();
        if tasks.is_empty() {
            return;
        }
        let found: Vec<_> = tasks.iter().map(|&task| comparison.run(task)).collect();
        comparison.finish(&tasks, &found);
    }
}

/// Runs a comparison on the threads of the current rayon pool, as long as `goes_on`, which is called
/// after every round, returns true.
#[cfg(feature = "threads")]
pub fn compare_parallel(comparison: &mut Comparison, mut goes_on: impl FnMut(&Comparison) -> bool) {
    use rayon::prelude::*;

    loop {
        let tasks = comparison.round();
        if tasks.is_empty() {
            return;
        }
        let seen = &*comparison;
        let found: Vec<_> = tasks.par_iter().map(|&task| seen.run(task)).collect();
        comparison.finish(&tasks, &found);
        if !goes_on(comparison) {
            return;
        }
    }
}
