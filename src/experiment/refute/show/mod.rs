//! An experiment that shows a flaw.

mod circuits;
mod worms;

use std::sync::Arc;

use super::{Flaw, Flaws};
use crate::experiment::worm::Traffic;
use crate::experiment::{Experiment, Layout, View};
use crate::fault::BlockFaults;
use crate::routing::Use;
use crate::theory::{Stranded, way_into_circle, way_to_loss};
use crate::topology::NodeId;
use crate::traffic::{Listed, Pair};

/// A flaw with what shows it.
#[derive(Clone, Debug)]
pub struct Witness {
    /// What goes wrong.
    pub flaw: Flaw,
    /// The faults besides those that the experiment had, as its text names them.
    pub faults: Vec<String>,
    /// Ordered pairs of connected nodes, and those of them that it may happen to; of a deadlock the channels of a shortest circle of
    /// dependencies.
    pub pairs: u64,
    /// See `pairs`.
    pub struck: u64,
    /// How it is seen.
    pub shown: Shown,
}

/// How a flaw is seen.
#[derive(Clone, Debug)]
pub enum Shown {
    /// In this experiment: a message from here to there is lost, refused, or goes round; or these messages wait for each other from this
    /// cycle, of circuits this time, on.
    Seen {
        /// The messages.
        messages: Vec<Pair>,
        /// The cycle in which they wait for good; 0 of one alone.
        cycle: u64,
        /// Of a worm that is lost, or goes round, the nodes on such a way, with the place from which it is a circle; empty of others.
        route: (Vec<NodeId>, usize),
        /// The experiment.
        experiment: Box<Experiment>,
    },
    /// There is a circle of dependencies, or this message waits at this node for adaptive channels alone, and no run that was tried came to wait
    /// for good.
    Unseen {
        /// The message that escape channels fail, and where.
        stranded: Option<Stranded>,
        /// The experiment with these faults.
        experiment: Box<Experiment>,
    },
}

impl Shown {
    /// The experiment.
    pub fn experiment(&self) -> &Experiment {
        match self {
            Self::Seen { experiment, .. } | Self::Unseen { experiment, .. } => experiment,
        }
    }
}

/// What shows `flaw` among `faults`, those of `experiment`, to which those called `names` were added.
pub(super) fn witness(
    experiment: &Experiment,
    faults: &Arc<BlockFaults>,
    flaws: &Flaws,
    flaw: Flaw,
    names: Vec<String>,
) -> Witness {
    let (experiment, uses) = (still(experiment), experiment.kind().uses);
    let shown = match (flaw, flaws.pair(flaw)) {
        (Flaw::Deadlock, _) if uses == Use::Circuits => circuits::deadlock(&experiment, flaws),
        (Flaw::Deadlock, _) => worms::deadlock(&experiment, faults, flaws),
        (_, Some(pair)) if uses == Use::Circuits => {
            let experiment = Box::new(circuits::refused(&experiment, pair));
            Shown::Seen { messages: vec![pair], cycle: 0, route: <_>::default(), experiment }
        }
        (_, Some(pair)) => {
            let pair = if flaw == Flaw::Lost { farthest(&experiment, faults, pair) } else { pair };
            let route =
                experiment.routing.first().and_then(|algorithm| algorithm.worm.as_deref()).map(|routing| match flaw {
                    Flaw::Circles => way_into_circle(faults, routing, pair).unwrap_or_default(),
                    _ => (way_to_loss(faults, routing, pair).unwrap_or_default(), 0),
                });
            let route = route.filter(|_| uses == Use::Worms).unwrap_or_default();
            Shown::Seen { messages: vec![pair], cycle: 0, route, experiment: Box::new(alone(&experiment, pair)) }
        }
        (_, None) => Shown::Unseen { stranded: None, experiment: Box::new(experiment) },
    };
    let (pairs, struck) = match flaw {
        Flaw::Deadlock => (flaws.arrivals.pairs, flaws.cycle.as_ref().map_or(0, |cycle| cycle.channels.len() as u64)),
        Flaw::Lost => (flaws.arrivals.pairs, flaws.arrivals.lost),
        Flaw::Circles => (flaws.arrivals.pairs, flaws.arrivals.circling),
    };
    Witness { flaw, faults: names, pairs, struck, shown }
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

/// The experiment as it is to be watched: nothing of how it was looked at before.
fn still(experiment: &Experiment) -> Experiment {
    let view = View {
        sample: experiment.view.sample,
        layout: Layout::default(),
        ..(experiment.kind().default)(experiment.version, None).view
    };
    Experiment { view, ..experiment.clone() }
}

/// One message alone.
fn alone(experiment: &Experiment, pair: Pair) -> Experiment {
    let mut shown = experiment.clone();
    (shown.from, shown.to) = (Some(pair.from), Some(pair.to));
    with_messages(&mut shown, &[pair]);
    shown
}

fn with_messages(experiment: &mut Experiment, messages: &[Pair]) {
    if let Some(setting) = experiment.setting.worm_mut() {
        let listed = |pair: &Pair| Listed { from: pair.from, to: pair.to, via: None };
        setting.traffic = Traffic::List(messages.iter().map(listed).collect());
    }
}
