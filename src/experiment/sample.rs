//! Single messages: trials, one message each from its own generators, and one trial in full.

use std::sync::Arc;

use super::{Cell, CubeCell, Experiment, Tally};
use crate::fault::{FaultPattern, Faults};
use crate::random::Key;
use crate::routing::Algorithm;
use crate::switching::{Event, Hop, MessageWalk, Outcome, PathFinder, Switching, Trap, Trapping, Walker};
use crate::topology::NodeId;

/// Sends the messages of one point and one algorithm; under Model A without allocating for each.
pub(super) struct MessageSampler {
    cell: CubeCell,
    carrier: Carrier,
    /// A pattern of Model A to draw again, where the point has one.
    pattern: FaultPattern,
}

/// What brings a message to its end.
enum Carrier {
    /// A local algorithm, and the number that tells its choices from other algorithms'; their faults are the same.
    Walker(Walker<'static>, u64),
    /// A shortest path.
    Finder(PathFinder),
}

/// The number that stands for an algorithm in keys; 0 is the fault pattern's.
pub(super) fn series_number(algorithm: &Algorithm) -> u64 {
    let Algorithm { id, .. } = algorithm;
    id.bytes().fold(1, |number: u64, byte| number.wrapping_mul(257).wrapping_add(u64::from(byte)))
}

impl MessageSampler {
    /// A sampler of `algorithm` at the point `cell`.
    pub(super) fn new(cell: CubeCell, algorithm: &Algorithm) -> Self {
        let carrier = match algorithm.local() {
            Some(routing) => {
                Carrier::Walker(Walker::new(cell.cube, cell.ends, routing, cell.limit), series_number(algorithm))
            }
            None => Carrier::Finder(PathFinder::default()),
        };
        Self { pattern: cell.pattern(cell.trial(0)), cell, carrier }
    }

    /// The most hops that one of its messages can make.
    pub(super) fn limit(&self) -> u32 {
        self.cell.limit
    }

    /// Runs the `count` trials from number `first` on.
    pub(super) fn run(&mut self, first: u64, count: u64, tally: &mut Tally) {
        let Self { cell, carrier, pattern } = self;
        let distance = cell.distance();
        for key in (first..first + count).map(|trial| cell.trial(trial)) {
            match (&mut *carrier, &*pattern) {
                (Carrier::Walker(walker, series), FaultPattern::Hashed(hashed)) => {
                    let mut faults = hashed.redrawn(Cell::pattern_key(key));
                    send(walker.message(&mut faults, key.child(*series).generator()), distance, tally);
                }
                (Carrier::Walker(walker, series), FaultPattern::Other(_)) => {
                    let mut faults = cell.pattern(key);
                    send(walker.message(&mut faults, key.child(*series).generator()), distance, tally);
                }
                (Carrier::Finder(finder), _) => {
                    let hops = finder.find(cell.cube, &mut cell.pattern(key), cell.ends).map(|hops| hops.len() as u32);
                    let excess = hops.unwrap_or(0).saturating_sub(distance);
                    tally.add(global_outcome(hops, cell.limit), excess, Trapping::Open);
                }
            }
        }
    }
}

/// Brings one message to its end and counts it.
#[inline]
fn send<F: Faults>(mut message: MessageWalk<'_, '_, F>, distance: u32, tally: &mut Tally) {
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
    pub algorithm: &'static Algorithm,
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
        let mut routed = |algorithm| Arc::new(trace(&cell, algorithm, trial, &mut faults));
        // Elsewhere no message moves alone, and its ends may be faulty.
        let single = experiment.switching == Switching::Message;
        let traces = experiment.routing.iter().filter(|_| single).map(|&algorithm| routed(algorithm)).collect();
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

fn trace(cell: &CubeCell, algorithm: &'static Algorithm, trial: Key, faults: &mut FaultPattern) -> Trace {
    match algorithm.local() {
        Some(routing) => {
            let mut walker = Walker::new(cell.cube, cell.ends, routing, cell.limit);
            let mut message = walker.message(faults, trial.child(series_number(algorithm)).generator());
            let mut hops = Vec::new();
            let outcome = loop {
                match message.step() {
                    Event::Hop(hop) => hops.push(hop),
                    Event::End(outcome) => break outcome,
                }
            };
            let trap = (outcome == Outcome::LimitReached).then(|| message.trap()).flatten();
            Trace { algorithm, hops, outcome, trap }
        }
        None => {
            let hops = PathFinder::default().find(cell.cube, faults, cell.ends);
            let outcome = global_outcome(hops.as_ref().map(|hops| hops.len() as u32), cell.limit);
            let hops = if outcome == Outcome::Delivered { hops.unwrap_or_default() } else { Vec::new() };
            Trace { algorithm, hops, outcome, trap: None }
        }
    }
}
