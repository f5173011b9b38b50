//! Deadlocks of circuits.

use super::{
    ChannelWait, DeadlockVerdict, DeadlockedMessage, ObservedDeadlock, attempts, with_fixed_faults, without_view,
};
use crate::circuit::trial::{config, network};
use crate::{CubePointConfig, Experiment};
use faultlab_core::fault::BlockFaults;
use faultlab_core::switching::{CircuitNetwork, CircuitOutcome, LinkSelection, WaitingCircuit};
use faultlab_core::theory::DeadlockAnalysis;
use faultlab_core::topology::Link;
use faultlab_core::traffic::Pair;

/// Maximum number of events per run in the search for a deadlock.
const EVENTS: u32 = 200_000;
/// Maximum number of runs in the search for a deadlock, each with another seed.
const RUNS: u64 = 8;
/// Message rates of the runs, used in turn.
const RATES: [f64; 4] = [0.5, 2.0, 1.0, 5.0];

/// Maximum simulated time, below that of Watch with some margin.
const WATCHED: f64 = 900.0;

/// Returns the verdict on circuits of the first routing of `experiment` with `faults`, those of its
/// watched trial.
///
/// `case` is the result of the theory for the same faults. Cost: up to some seconds of runs under
/// heavy load.
pub fn circuit_verdict(experiment: &Experiment, faults: &BlockFaults, case: &DeadlockAnalysis) -> DeadlockVerdict {
    if let DeadlockAnalysis::Free(by) = case {
        return DeadlockVerdict::ProvedFree { by: by.clone() };
    }
    let (fixed, is_fixed) = with_fixed_faults(&without_view(experiment), faults);
    let runs = if is_fixed { RUNS } else { 1 };
    for number in 0..runs {
        let mut loaded = fixed.clone();
        loaded.seed = fixed.seed.wrapping_add(number);
        if let Some(setting) = loaded.setting.circuit_mut() {
            (setting.rate, setting.avail) = (RATES[number as usize % RATES.len()], LinkSelection::Random);
        }
        if let Some(seen) = run(&loaded) {
            return DeadlockVerdict::Deadlocks(Box::new(seen));
        }
    }
    DeadlockVerdict::Undecided { tried: attempts(case, runs as u32) }
}

/// Runs the circuits of `experiment` as Watch does; `None` if they do not deadlock.
fn run(experiment: &Experiment) -> Option<ObservedDeadlock> {
    let cell = CubePointConfig::new(experiment, None)?;
    let config = config(&cell, experiment.routing.first()?)?;
    let mut circuits = network(&cell, config, experiment.view.sample)?;
    for _ in 0..EVENTS {
        if circuits.outcome().is_some() || circuits.time() > WATCHED {
            break;
        }
        circuits.step(&mut ());
    }
    let Some(CircuitOutcome::Deadlock(found)) = circuits.outcome() else { return None };
    let wait = |&(link, holder): &(Link, u64)| {
        let holder = found.knot.iter().position(|member| member.number == holder)?;
        Some(ChannelWait { from: link.from, to: link.end(), virtual_channel: None, holder })
    };
    let message = |member: &WaitingCircuit| {
        let waits = member.wants.iter().filter_map(wait).collect();
        let pair = message_ends(&circuits, member.number)?;
        Some(DeadlockedMessage { number: member.number, pair, via: None, waits })
    };
    let messages = found.knot.iter().filter_map(message).collect();
    let mut shown = experiment.clone();
    shown.view.time = Some(circuits.time());
    Some(ObservedDeadlock { messages, since: found.time, experiment: shown })
}

/// Returns source and destination of the message with this number.
fn message_ends(circuits: &CircuitNetwork, number: u64) -> Option<Pair> {
    let message = circuits.messages().find(|message| message.number() == number)?;
    Some(Pair { from: message.from(), to: message.to() })
}
