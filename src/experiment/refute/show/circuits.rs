//! Circuits that come to wait for each other, or are refused.

use super::{Flaws, Shown};
use crate::experiment::circuit::trial::{network, terms};
use crate::experiment::{CubeCell, Experiment};
use crate::switching::{Avail, CircuitOutcome, Circuits};
use crate::topology::NodeId;
use crate::traffic::{Pair, Pattern};

/// The events of a run in which a deadlock is looked for, and the runs: each with another seed and the next of these rates.
const EVENTS: u32 = 200_000;
const RUNS: u64 = 8;
const RATES: [f64; 4] = [0.5, 2.0, 1.0, 5.0];

/// The time up to which circuits are watched, with some room.
const WATCHED: f64 = 900.0;

/// Circuits under heavy load that come to wait for each other.
pub(super) fn deadlock(experiment: &Experiment, flaws: &Flaws) -> Shown {
    for number in 0..RUNS {
        let mut loaded = experiment.clone();
        loaded.seed = experiment.seed.wrapping_add(number);
        if let Some(setting) = loaded.setting.circuit_mut() {
            (setting.rate, setting.avail) = (RATES[number as usize % RATES.len()], Avail::Random);
        }
        if let Some((time, messages)) = run(&loaded) {
            loaded.view.time = Some(time);
            let cycle = time as u64;
            return Shown::Seen { messages, cycle, route: <_>::default(), experiment: Box::new(loaded) };
        }
    }
    Shown::Unseen { stranded: flaws.stranded, experiment: Box::new(experiment.clone()) }
}

/// Everybody sends to the destination of a pair that is cut off: what its source sends is refused.
pub(super) fn refused(experiment: &Experiment, pair: Pair) -> Experiment {
    let mut shown = experiment.clone();
    if let Some(setting) = shown.setting.circuit_mut() {
        setting.traffic = Pattern::HotSpot { node: pair.to, share: 1.0 };
    }
    shown
}

/// Runs the circuits of `experiment` as they are watched: when they come to wait for good, and between whom the messages of the circle go.
fn run(experiment: &Experiment) -> Option<(f64, Vec<Pair>)> {
    let cell = CubeCell::new(experiment, None)?;
    let terms = terms(&cell, experiment.routing.first()?)?;
    let mut circuits = network(&cell, terms, experiment.view.sample)?;
    for _ in 0..EVENTS {
        if circuits.outcome().is_some() || circuits.time() > WATCHED {
            break;
        }
        circuits.step(&mut ());
    }
    let Some(CircuitOutcome::Deadlock(found)) = circuits.outcome() else { return None };
    let messages = found.cycle.iter().filter_map(|wait| ends(&circuits, wait.0)).collect();
    Some((circuits.time(), messages))
}

/// Between whom the message of this number goes.
fn ends(circuits: &Circuits, number: u64) -> Option<Pair> {
    let message = circuits.messages().find(|message| message.number() == number)?;
    let [from, to]: [NodeId; 2] = [message.from(), message.to()];
    Some(Pair { from, to })
}
