//! An experiment that shows a flaw.

use std::sync::Arc;

use super::{Flaw, Flaws};
use crate::Experiment;
use crate::deadlock::{DeadlockVerdict, circuit_verdict, with_messages, without_view, worm_verdict};
use faultlab_core::fault::BlockFaults;
use faultlab_core::routing::Use;
use faultlab_core::theory::{way_into_circle, way_to_loss};
use faultlab_core::topology::NodeId;
use faultlab_core::traffic::{Pair, Pattern};

/// A flaw with what shows it.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The kind of flaw.
    pub flaw: Flaw,
    /// The faults besides those that the experiment had, as its text names them.
    pub faults: Vec<String>,
    /// Ordered pairs of connected nodes.
    pub pairs: u64,
    /// The pairs whose messages it may happen to; of a deadlock the messages of the set, 0 while undecided.
    pub struck: u64,
    /// The message or the run in which the flaw is seen.
    pub shown: Shown,
}

/// The evidence for a flaw.
#[derive(Clone, Debug)]
pub enum Shown {
    /// A message is lost, refused, or goes round.
    Message {
        /// Its source and destination.
        pair: Pair,
        /// Of a worm that is lost, or goes round, the nodes on such a way, with the index from which it is a circle; empty of others.
        route: (Vec<NodeId>, usize),
        /// The experiment.
        experiment: Box<Experiment>,
    },
    /// Messages wait for each other, or it is undecided whether they can.
    Deadlock {
        /// The verdict, deadlocks or undecided.
        verdict: DeadlockVerdict,
        /// The experiment: the run that ends in the deadlock, or the one with these faults.
        experiment: Box<Experiment>,
    },
}

impl Shown {
    /// The experiment.
    pub fn experiment(&self) -> &Experiment {
        match self {
            Self::Message { experiment, .. } | Self::Deadlock { experiment, .. } => experiment,
        }
    }

    /// The verdict on deadlock, of a witness of that.
    pub fn verdict(&self) -> Option<&DeadlockVerdict> {
        match self {
            Self::Deadlock { verdict, .. } => Some(verdict),
            Self::Message { .. } => None,
        }
    }
}

impl Witness {
    /// Returns whether nothing shows the flaw: a deadlock that is undecided.
    pub fn is_undecided(&self) -> bool {
        self.shown.verdict().is_some_and(|verdict| verdict.seen().is_none())
    }
}

/// What shows `flaw` among `faults`, those of `experiment`, to which those called `names` were added. `None` if there is no such flaw.
pub(super) fn witness(
    experiment: &Experiment,
    faults: &Arc<BlockFaults>,
    flaws: &Flaws,
    flaw: Flaw,
    names: Vec<String>,
) -> Option<Witness> {
    let (experiment, uses) = (without_view(experiment), experiment.kind().uses);
    let (shown, struck) = match flaw {
        Flaw::Deadlock => {
            let (graph, case) = flaws.deadlock.as_ref()?;
            let verdict = match uses {
                Use::Circuits => circuit_verdict(&experiment, faults, case),
                _ => worm_verdict(&experiment, faults, graph, case),
            };
            let struck = verdict.seen().map_or(0, |seen| seen.messages.len() as u64);
            let experiment = Box::new(verdict.seen().map_or(experiment, |seen| seen.experiment.clone()));
            (Shown::Deadlock { verdict, experiment }, struck)
        }
        Flaw::Lost | Flaw::Circles => {
            let (pair, struck) = match flaw {
                Flaw::Lost => (flaws.arrivals.loser?, flaws.arrivals.lost),
                _ => (flaws.arrivals.circler?, flaws.arrivals.circling),
            };
            (message(&experiment, faults, flaw, pair), struck)
        }
    };
    Some(Witness { flaw, faults: names, pairs: flaws.arrivals.pairs, struck, shown })
}

/// A message that is lost, refused, or goes round.
fn message(experiment: &Experiment, faults: &BlockFaults, flaw: Flaw, pair: Pair) -> Shown {
    let uses = experiment.kind().uses;
    if uses == Use::Circuits {
        return Shown::Message { pair, route: <_>::default(), experiment: Box::new(refused(experiment, pair)) };
    }
    let pair = if flaw == Flaw::Lost { farthest(experiment, faults, pair) } else { pair };
    let worm = experiment.routing.first().and_then(|algorithm| algorithm.worm.as_deref());
    let route = worm.filter(|_| uses == Use::Worms).map(|routing| match flaw {
        Flaw::Circles => way_into_circle(faults, routing, pair).unwrap_or_default(),
        _ => (way_to_loss(faults, routing, pair).unwrap_or_default(), 0),
    });
    Shown::Message { pair, route: route.unwrap_or_default(), experiment: Box::new(alone(experiment, pair)) }
}

/// Every source sends to the destination of a pair that is cut off: the circuits of its source are refused.
fn refused(experiment: &Experiment, pair: Pair) -> Experiment {
    let mut shown = experiment.clone();
    if let Some(setting) = shown.setting.circuit_mut() {
        setting.traffic = Pattern::HotSpot { node: pair.to, share: 1.0 };
    }
    shown
}

/// The most sources that are looked at for one whose message goes far before it is lost.
const SOURCES: usize = 64;

/// Of the worms to the destination of `pair` that are lost, the one that goes farthest before: one that is lost at its source is hardly seen.
fn farthest(experiment: &Experiment, faults: &BlockFaults, pair: Pair) -> Pair {
    let worm = experiment.routing.first().and_then(|algorithm| algorithm.worm.as_deref());
    let Some(routing) = worm.filter(|_| experiment.kind().uses == Use::Worms) else { return pair };
    let hops = |from: NodeId| way_to_loss(faults, routing, Pair { from, ..pair }).map_or(0, |nodes| nodes.len());
    let sources = faults.members().filter(|&from| from != pair.to).take(SOURCES);
    let (mut best, mut most) = (pair, hops(pair.from));
    for from in sources {
        let goes = hops(from);
        if goes > most {
            (best, most) = (Pair { from, ..pair }, goes);
        }
    }
    best
}

/// One message alone.
fn alone(experiment: &Experiment, pair: Pair) -> Experiment {
    let mut shown = experiment.clone();
    (shown.from, shown.to) = (Some(pair.from), Some(pair.to));
    with_messages(&mut shown, &[pair]);
    shown
}
