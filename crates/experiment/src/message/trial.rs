//! Single messages: trials, one message each from its own generators, and one trial in full.

use std::sync::Arc;

use crate::cell::series_number;
use crate::sweep::sampler::Sampler;
use crate::{Cell, CubeCell, Experiment, MessageTally, PointResult, Tally, Task};
use faultlab_core::fault::{FaultPattern, Faults};
use faultlab_core::random::Key;
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{Event, Hop, MessageWalk, Outcome, PathFinder, Trap, Trapping, Walker};
use faultlab_core::topology::NodeId;

/// Sends the messages of one point and one algorithm; under Model A without allocating for each.
pub(crate) struct MessageSampler {
    cell: CubeCell,
    /// The most hops that a message can make.
    limit: u32,
    carrier: Carrier,
    /// A pattern of Model A to draw again, where the point has one.
    pattern: FaultPattern,
}

/// What brings a message to its end.
enum Carrier {
    /// A local algorithm, and the number that tells its choices from other algorithms'; their faults are the same.
    Local(Arc<Algorithm>, u64),
    /// A shortest path.
    Finder(Box<PathFinder>),
}

impl MessageSampler {
    /// A sampler of `algorithm` at the point `cell`.
    pub(crate) fn new(cell: CubeCell, algorithm: &Arc<Algorithm>) -> Self {
        let carrier = match algorithm.local() {
            Some(_) => Carrier::Local(algorithm.clone(), series_number(algorithm)),
            None => Carrier::Finder(Box::default()),
        };
        Self { limit: cell.limit(), pattern: cell.pattern(cell.trial(0)), cell, carrier }
    }

    /// Runs the `count` trials from number `first` on.
    fn run(&mut self, first: u64, count: u64, tally: &mut MessageTally) {
        let (cell, limit) = (&self.cell, self.limit);
        let trials = (first..first + count).map(|trial| cell.trial(trial));
        match &mut self.carrier {
            Carrier::Local(algorithm, series) => {
                let Some(routing) = algorithm.local() else { return };
                let walker = Walker::new(cell.cube, cell.ends, routing, limit);
                walk(cell, walker, *series, &self.pattern, trials, tally);
            }
            Carrier::Finder(finder) => trials.for_each(|key| find((cell, limit), finder, key, tally)),
        }
    }
}

/// Sends one message for each key of `trials`; `pattern` is that of any trial.
fn walk(
    cell: &CubeCell,
    mut walker: Walker<'_>,
    series: u64,
    pattern: &FaultPattern,
    trials: impl Iterator<Item = Key>,
    tally: &mut MessageTally,
) {
    let distance = cell.distance();
    for key in trials {
        let generator = key.child(series).generator();
        match pattern {
            FaultPattern::Hashed(hashed) => {
                let mut faults = hashed.redrawn(Cell::pattern_key(key));
                send(walker.message(&mut faults, generator), distance, tally);
            }
            FaultPattern::Other(_) => send(walker.message(&mut cell.pattern(key), generator), distance, tally),
        }
    }
}

/// Finds one shortest path and counts it.
fn find((cell, limit): (&CubeCell, u32), finder: &mut PathFinder, key: Key, tally: &mut MessageTally) {
    let hops = finder.find(cell.cube, &mut cell.pattern(key), cell.ends).map(|hops| hops.len() as u32);
    let excess = hops.unwrap_or(0).saturating_sub(cell.distance());
    tally.add(global_outcome(hops, limit), excess, Trapping::Open);
}

/// The most messages that are sent at one go.
const AT_ONCE: u64 = 1024;

impl Sampler for MessageSampler {
    fn advance(&mut self, task: Task, tally: &mut Tally, budget: &mut u64) -> bool {
        // Messages are too quick to be asked for one by one.
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

/// How many messages arrived after how many hops.
pub(super) fn distribution(point: &PointResult) -> Vec<(f64, u64)> {
    let counted = |tally: &MessageTally| tally.histogram(point.cell.distance()).collect::<Vec<_>>();
    let lengths = point.tally.messages().map(counted).unwrap_or_default();
    lengths.into_iter().map(|(length, count)| (f64::from(length), count)).collect()
}

/// The shares of the ways in which messages ended.
pub(super) fn ends(point: &PointResult) -> Vec<(&'static str, f64)> {
    let all = point.tally.trials.max(1) as f64;
    let counted = point.tally.messages().filter(|tally| tally.exact.is_none());
    let shares = |tally: &MessageTally| tally.ends().map(|(name, count)| (name, count as f64 / all)).to_vec();
    counted.map(shares).unwrap_or_default()
}

/// Brings one message to its end and counts it.
#[inline]
fn send<F: Faults>(mut message: MessageWalk<'_, '_, F>, distance: u32, tally: &mut MessageTally) {
    let outcome = message.run();
    let trapping = match outcome {
        Outcome::LimitReached => Trap::kind(message.trap().as_ref()),
        _ => Trapping::Open,
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

/// One message in full, as it is watched.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The algorithm.
    pub algorithm: Arc<Algorithm>,
    /// Its hops in order.
    pub hops: Vec<Hop>,
    /// How it ended.
    pub outcome: Outcome,
    /// The closed set it is caught in, if it ran into the limit in one.
    pub trap: Option<Trap>,
}

impl Trace {
    /// Where the message is after `hops` hops; where it ended, if it made fewer.
    pub fn at(&self, hops: usize, from: NodeId) -> NodeId {
        let made = hops.min(self.hops.len());
        made.checked_sub(1).and_then(|last| self.hops.get(last)).map_or(from, |hop| hop.to)
    }
}

/// One trial in full, as it is watched: the fault pattern and the message of every compared algorithm in it.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The point.
    pub cell: CubeCell,
    /// Its messages, in the order of the experiment's algorithms; of experiments with single messages only.
    pub traces: Vec<Arc<Trace>>,
    faults: FaultPattern,
}

impl Instance {
    /// Trial number `experiment.view.sample` of the experiment as it stands, of which `cell` is the point on its hypercube: the
    /// very messages that a measurement counts.
    pub fn new(experiment: &Experiment, cell: CubeCell) -> Self {
        let trial = cell.trial(experiment.view.sample);
        let mut faults = cell.pattern(trial);
        let mut routed = |algorithm: &Arc<Algorithm>| Arc::new(trace(&cell, algorithm, trial, &mut faults));
        // Elsewhere no message moves alone, and its ends may be faulty.
        let single = experiment.setting.message().is_some();
        let traces = experiment.routing.iter().filter(|_| single).map(&mut routed).collect();
        Self { cell, traces, faults }
    }

    /// The fault pattern.
    pub fn faults(&mut self) -> &mut FaultPattern {
        &mut self.faults
    }

    /// Whether `node` is faulty in this trial.
    pub fn is_faulty(&mut self, node: NodeId) -> bool {
        self.faults.is_faulty(node)
    }
}

fn trace(cell: &CubeCell, algorithm: &Arc<Algorithm>, trial: Key, faults: &mut FaultPattern) -> Trace {
    let limit = cell.limit();
    match algorithm.local() {
        Some(routing) => {
            let mut walker = Walker::new(cell.cube, cell.ends, routing, limit);
            let mut message = walker.message(faults, trial.child(series_number(algorithm)).generator());
            let mut hops = Vec::new();
            let outcome = loop {
                match message.step() {
                    Event::Hop(hop) => hops.push(hop),
                    Event::End(outcome) => break outcome,
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
