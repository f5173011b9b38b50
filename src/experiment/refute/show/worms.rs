//! Worms that come to wait for each other.

use std::sync::Arc;

use super::{Flaws, Shown, with_messages};
use crate::experiment::worm::trial::{network, terms};
use crate::experiment::worm::watch::horizon;
use crate::experiment::{Cell, Experiment};
use crate::fault::BlockFaults;
use crate::switching::{WormArrival, WormObserver, WormWait};
use crate::theory::mesh_witnesses;
use crate::traffic::Pair;

/// The runs in which a deadlock is looked for, each for as long as can be watched.
const RUNS: u64 = 8;

/// The lengths of messages with which a circle may be seen to close: long ones hold more channels.
const LENGTHS: [u16; 3] = [20, 64, 256];

/// Messages that come to wait for each other: first those of the dependency graph's own circle, all at once, then random ones under
/// a heavy load, and of these those alone that wait in the circle.
pub(super) fn deadlock(experiment: &Experiment, faults: &Arc<BlockFaults>, flaws: &Flaws) -> Shown {
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
    // It opens when nobody of the circle can move any more, and it is known.
    let seen = |found: Found, mut experiment: Experiment| {
        experiment.view.time = Some(found.known as f64);
        Shown::Seen {
            messages: found.messages,
            cycle: found.since,
            route: <_>::default(),
            experiment: Box::new(experiment),
        }
    };
    for length in LENGTHS {
        let mut listed = tight(length);
        with_messages(&mut listed, &circle);
        if let Some(found) = run(&listed) {
            return seen(found, listed);
        }
    }
    for number in 0..RUNS {
        let mut loaded = tight(LENGTHS[number as usize % 2]);
        loaded.seed = experiment.seed.wrapping_add(number);
        if let Some(setting) = loaded.setting.worm_mut() {
            setting.load = [1.0, 0.5, 4.0, 2.0][number as usize % 4];
            setting.injection.limit = [3, 3, 16, 64][number as usize % 4];
        }
        let Some(found) = run(&loaded) else { continue };
        let mut listed = loaded.clone();
        with_messages(&mut listed, &found.messages);
        return match run(&listed) {
            Some(found) => seen(found, listed),
            None => seen(found, loaded),
        };
    }
    unseen()
}

/// A deadlock that was seen.
struct Found {
    /// Between whom the messages of its circle go.
    messages: Vec<Pair>,
    /// The cycle since which they wait, and the one in which it is known that they do for good.
    since: u64,
    known: u64,
}

/// Runs the worms of `experiment` as they are watched: the deadlock that they come to.
fn run(experiment: &Experiment) -> Option<Found> {
    let cell = Cell::new(experiment, None);
    let terms = terms(&cell, experiment.routing.first()?)?;
    let mut worms = network(&cell, terms, experiment.view.sample)?;
    let mut ends = Ends::default();
    let horizon = horizon(worms.mesh());
    while worms.cycle() < horizon && worms.outcome().is_none() {
        worms.step(&mut ends);
    }
    let found = worms.outcome()?;
    let pair = |wait: &WormWait| ends.0.get(wait.number as usize).copied().flatten();
    let messages = found.cycle.iter().filter_map(pair).collect();
    Some(Found { messages, since: found.since, known: worms.cycle() })
}

/// Between whom messages go, by their numbers.
#[derive(Default)]
struct Ends(Vec<Option<Pair>>);

impl WormObserver for Ends {
    fn generated(&mut self, arrival: &WormArrival) {
        self.0.push(arrival.to.map(|to| Pair { from: arrival.from, to }));
    }
}
