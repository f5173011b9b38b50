//! Trials of single messages, each with its own generators, and complete traces of single trials.

use std::sync::Arc;

use crate::point_config::algorithm_key;
use crate::sweep::sampler::Sampler;
use crate::{CubePointConfig, Experiment, MessageTally, PointConfig, PointResult, Tally, Task};
use faultlab_core::fault::{FaultSampler, Faults};
use faultlab_core::random::Key;
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{Hop, MessageWalk, Outcome, PathFinder, StepResult, Trap, TrapKind, WalkContext};
use faultlab_core::topology::NodeId;

/// Sampler of the messages of one point and one algorithm. Under Model A it does not allocate per
/// message.
pub(crate) struct MessageSampler {
    cell: CubePointConfig,
    /// Maximum number of hops of a message.
    limit: u32,
    router: MessageRouter,
    /// Fault pattern of trial 0. A pattern of Model A is resampled in place for every trial.
    pattern: FaultSampler,
}

/// Method that routes a message to its end.
enum MessageRouter {
    /// Local algorithm, with the number that separates its random choices from those of other
    /// algorithms. All algorithms share the same faults.
    Local(Arc<Algorithm>, u64),
    /// Search for a shortest path.
    Finder(Box<PathFinder>),
}

impl MessageSampler {
    /// Creates a sampler of `algorithm` at the point `cell`.
    pub(crate) fn new(cell: CubePointConfig, algorithm: &Arc<Algorithm>) -> Self {
        let router = match algorithm.local() {
            Some(_) => MessageRouter::Local(algorithm.clone(), algorithm_key(algorithm)),
            None => MessageRouter::Finder(Box::default()),
        };
        Self { limit: cell.limit(), pattern: cell.pattern(cell.trial(0)), cell, router }
    }

    /// Runs `count` trials, starting with number `first`.
    fn run(&mut self, first: u64, count: u64, tally: &mut MessageTally) {
        let (cell, limit) = (&self.cell, self.limit);
        let trials = (first..first + count).map(|trial| cell.trial(trial));
        match &mut self.router {
            MessageRouter::Local(algorithm, series) => {
                let Some(routing) = algorithm.local() else { return };
                let walker = WalkContext::new(cell.cube, cell.ends, routing, limit);
                walk(cell, walker, *series, &self.pattern, trials, tally);
            }
            MessageRouter::Finder(finder) => trials.for_each(|key| find(cell, limit, finder, key, tally)),
        }
    }
}

/// Sends one message for each key of `trials`; `pattern` is the pattern of some trial.
fn walk(
    cell: &CubePointConfig,
    mut walker: WalkContext<'_>,
    series: u64,
    pattern: &FaultSampler,
    trials: impl Iterator<Item = Key>,
    tally: &mut MessageTally,
) {
    let distance = cell.distance();
    for key in trials {
        let generator = key.child(series).generator();
        match pattern {
            FaultSampler::Hashed(hashed) => {
                let mut faults = hashed.with_key(PointConfig::pattern_key(key));
                send(walker.message(&mut faults, generator), distance, tally);
            }
            FaultSampler::General(_) => send(walker.message(&mut cell.pattern(key), generator), distance, tally),
        }
    }
}

/// Finds one shortest path and counts it.
fn find(cell: &CubePointConfig, limit: u32, finder: &mut PathFinder, key: Key, tally: &mut MessageTally) {
    let hops = finder.find(cell.cube, &mut cell.pattern(key), cell.ends).map(|hops| hops.len() as u32);
    let excess = hops.unwrap_or(0).saturating_sub(cell.distance());
    tally.add(global_outcome(hops, limit), excess, TrapKind::NoTrap);
}

/// Maximum number of messages per batch.
const AT_ONCE: u64 = 1024;

impl Sampler for MessageSampler {
    fn advance(&mut self, task: Task, tally: &mut Tally, budget: &mut u64) -> bool {
        // Messages are too short to check the budget for each one.
        let hops = u64::from(self.limit.max(1));
        while tally.trials < task.count && *budget > 0 {
            let count = (*budget / hops).clamp(1, AT_ONCE).min(task.count - tally.trials);
            self.run(task.first + tally.trials, count, tally.messages_mut());
            tally.trials += count;
            *budget = budget.saturating_sub(count * hops);
        }
        tally.trials >= task.count
    }
}

/// Returns the number of messages that arrived for each number of hops.
pub(super) fn distribution(point: &PointResult) -> Vec<(f64, u64)> {
    let counted = |tally: &MessageTally| tally.histogram(point.config.distance()).collect::<Vec<_>>();
    let lengths = point.tally.messages().map(counted).unwrap_or_default();
    lengths.into_iter().map(|(length, count)| (f64::from(length), count)).collect()
}

/// Returns the share of messages for each outcome.
pub(super) fn ends(point: &PointResult) -> Vec<(&'static str, f64)> {
    let all = point.tally.trials.max(1) as f64;
    let counted = point.tally.messages().filter(|tally| tally.exact.is_none());
    let shares =
        |tally: &MessageTally| tally.outcomes_by_name().map(|(name, count)| (name, count as f64 / all)).to_vec();
    counted.map(shares).unwrap_or_default()
}

/// Routes one message to its end and counts it.
#[inline]
fn send<F: Faults>(mut message: MessageWalk<'_, '_, F>, distance: u32, tally: &mut MessageTally) {
    let outcome = message.run();
    let trapping = match outcome {
        Outcome::LimitReached => Trap::kind(message.trap().as_ref()),
        _ => TrapKind::NoTrap,
    };
    tally.add(outcome, message.hops().saturating_sub(distance), trapping);
}

fn global_outcome(hops: Option<u32>, limit: u32) -> Outcome {
    match hops {
        None => Outcome::Disconnected,
        Some(hops) if hops > limit => Outcome::LimitReached,
        Some(_) => Outcome::Delivered,
    }
}

/// Complete trace of one message, for Watch.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Algorithm that routes the message.
    pub algorithm: Arc<Algorithm>,
    /// Hops in order.
    pub hops: Vec<Hop>,
    /// Outcome of the message.
    pub outcome: Outcome,
    /// Closed set in which the message reached the path limit, if there is one.
    pub trap: Option<Trap>,
}

impl Trace {
    /// Returns the node of the message after `hops` hops, or its last node if it made fewer.
    pub fn at(&self, hops: usize, from: NodeId) -> NodeId {
        let made = hops.min(self.hops.len());
        made.checked_sub(1).and_then(|last| self.hops.get(last)).map_or(from, |hop| hop.to)
    }
}

/// Complete trial for Watch: the fault pattern, and the message of every compared algorithm in it.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Point of the experiment at which the trial runs.
    pub cell: CubePointConfig,
    /// Messages in the order of the experiment's algorithms; empty in other kinds of experiments.
    pub traces: Vec<Arc<Trace>>,
    /// True if no live path leads from the source to the destination; found in cubes of up to
    /// [`Instance::MAX_SEARCHED_DIMENSION`] dimensions.
    pub is_cut_off: bool,
    faults: FaultSampler,
}

impl Instance {
    /// Largest dimension of a cube in which every live path is searched.
    pub const MAX_SEARCHED_DIMENSION: u8 = 10;

    /// Creates trial number `experiment.view.sample` of the experiment, of which `cell` is the
    /// point on its hypercube.
    ///
    /// The messages are exactly those that a measurement counts.
    pub fn new(experiment: &Experiment, cell: CubePointConfig) -> Self {
        let trial = cell.trial(experiment.view.sample);
        let mut faults = cell.pattern(trial);
        let mut routed = |algorithm: &Arc<Algorithm>| Arc::new(trace(&cell, algorithm, trial, &mut faults));
        // In other kinds no message moves alone, and its ends may be faulty.
        let single = experiment.setting.message().is_some();
        let traces: Vec<_> = experiment.routing.iter().filter(|_| single).map(&mut routed).collect();
        let may_be_cut_off = single && traces.iter().all(|trace| trace.outcome != Outcome::Delivered);
        let is_cut_off = may_be_cut_off
            && cell.cube.dimension() <= Self::MAX_SEARCHED_DIMENSION
            && PathFinder::default().find(cell.cube, &mut faults, cell.ends).is_none();
        Self { cell, traces, is_cut_off, faults }
    }

    /// Returns the fault pattern.
    pub fn faults(&mut self) -> &mut FaultSampler {
        &mut self.faults
    }

    /// Returns whether `node` is faulty in this trial.
    pub fn is_faulty(&mut self, node: NodeId) -> bool {
        self.faults.is_faulty(node)
    }
}

fn trace(cell: &CubePointConfig, algorithm: &Arc<Algorithm>, trial: Key, faults: &mut FaultSampler) -> Trace {
    let limit = cell.limit();
    match algorithm.local() {
        Some(routing) => {
            let mut walker = WalkContext::new(cell.cube, cell.ends, routing, limit);
            let mut message = walker.message(faults, trial.child(algorithm_key(algorithm)).generator());
            let mut hops = Vec::new();
            let outcome = loop {
                match message.step() {
                    StepResult::Hop(hop) => hops.push(hop),
                    StepResult::End(outcome) => break outcome,
                }
            };
            let trap = (outcome == Outcome::LimitReached).then(|| message.trap()).flatten();
            Trace { algorithm: algorithm.clone(), hops, outcome, trap }
        }
        None => {
            let hops = PathFinder::default().find(cell.cube, faults, cell.ends);
            let outcome = global_outcome(hops.as_ref().map(|hops| hops.len() as u32), limit);
            let hops = if outcome == Outcome::Delivered { hops.unwrap_or_default() } else { Vec::new() };
            Trace { algorithm: algorithm.clone(), hops, outcome, trap: None }
        }
    }
}
