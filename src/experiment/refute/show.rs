//! An experiment that shows a flaw.

use std::sync::Arc;

use super::{Flaw, Flaws};
use crate::experiment::worm::Traffic;
use crate::experiment::worm::trial::{network, terms};
use crate::experiment::{Cell, Experiment, Layout, View};
use crate::fault::BlockFaults;
use crate::routing::Use;
use crate::switching::{WormArrival, WormDeadlock, WormObserver, WormWait};
use crate::theory::{Stranded, mesh_witnesses, way_into_circle, way_to_loss};
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
    /// In this experiment: a message from here to there is lost, or goes round; or these messages wait for each other from this cycle on.
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
    let experiment = still(experiment);
    let shown = match (flaw, flaws.pair(flaw)) {
        (Flaw::Deadlock, _) => deadlock(&experiment, faults, flaws),
        (_, Some(pair)) => {
            let route =
                experiment.routing.first().and_then(|algorithm| algorithm.worm.as_deref()).map(|routing| match flaw {
                    Flaw::Circles => way_into_circle(faults, routing, pair).unwrap_or_default(),
                    _ => (way_to_loss(faults, routing, pair).unwrap_or_default(), 0),
                });
            let route = route.filter(|_| experiment.kind().uses == Use::Worms).unwrap_or_default();
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

/// The experiment as it is to be watched: nothing of how it was looked at before.
fn still(experiment: &Experiment) -> Experiment {
    let view =
        View { sample: experiment.view.sample, layout: Layout::default(), ..(experiment.kind().default)(None).view };
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

/// The cycles of a run in which a deadlock is looked for, and how many runs there are.
const CYCLES: u64 = 20_000;
const RUNS: u64 = 8;

/// The lengths of messages with which a circle may be seen to close: long ones hold more channels.
const LENGTHS: [u16; 3] = [20, 64, 256];

/// Messages that come to wait for each other: first those of the dependency graph's own circle, all at once, then random ones under
/// a heavy load, and of these those alone that wait in the circle.
fn deadlock(experiment: &Experiment, faults: &Arc<BlockFaults>, flaws: &Flaws) -> Shown {
    let unseen = || Shown::Unseen { stranded: flaws.stranded, experiment: Box::new(experiment.clone()) };
    let Some(routing) = experiment.routing.first().and_then(|algorithm| algorithm.worm.as_deref()) else {
        return unseen();
    };
    let circle = flaws.cycle.as_ref().map(|cycle| mesh_witnesses(faults, routing, cycle)).unwrap_or_default();
    let tight = |length: u16| {
        let mut tight = experiment.clone();
        if let Some(setting) = tight.setting.worm_mut() {
            (setting.virtual_channels, setting.buffer, setting.length) = (routing.classes(faults.mesh()), 1, length);
        }
        tight
    };
    let seen = |messages: Vec<Pair>, cycle: u64, experiment: Experiment| Shown::Seen {
        messages,
        cycle,
        route: <_>::default(),
        experiment: Box::new(experiment),
    };
    for length in LENGTHS {
        let mut listed = tight(length);
        with_messages(&mut listed, &circle);
        if let Some((found, messages)) = run(&listed) {
            return seen(messages, found.since, listed);
        }
    }
    for number in 0..RUNS {
        let mut loaded = tight(LENGTHS[number as usize % 2]);
        loaded.seed = experiment.seed.wrapping_add(number);
        if let Some(setting) = loaded.setting.worm_mut() {
            setting.load = [1.0, 0.5, 4.0, 2.0][number as usize % 4];
            setting.injection.limit = [3, 3, 16, 64][number as usize % 4];
        }
        let Some((found, messages)) = run(&loaded) else { continue };
        let mut listed = loaded.clone();
        with_messages(&mut listed, &messages);
        return match run(&listed) {
            Some((found, messages)) => seen(messages, found.since, listed),
            None => {
                loaded.view.time = Some(found.since as f64);
                seen(messages, found.since, loaded)
            }
        };
    }
    unseen()
}

/// Runs the worms of `experiment` as they are watched: the deadlock that they come to, and between whom its messages go.
fn run(experiment: &Experiment) -> Option<(WormDeadlock, Vec<Pair>)> {
    let cell = Cell::new(experiment, None);
    let terms = terms(&cell, experiment.routing.first()?)?;
    let mut worms = network(&cell, terms, experiment.view.sample)?;
    let mut ends = Ends::default();
    while worms.cycle() < CYCLES && worms.outcome().is_none() {
        worms.step(&mut ends);
    }
    let found = worms.outcome()?.clone();
    let pair = |wait: &WormWait| ends.0.get(wait.number as usize).copied().flatten();
    let messages = found.cycle.iter().filter_map(pair).collect();
    Some((found, messages))
}

/// Between whom messages go, by their numbers.
#[derive(Default)]
struct Ends(Vec<Option<Pair>>);

impl WormObserver for Ends {
    fn generated(&mut self, arrival: &WormArrival) {
        self.0.push(arrival.to.map(|to| Pair { from: arrival.from, to }));
    }
}
