//! Deadlocks of batches of worms on fixed routes.

use super::{ChannelWait, DeadlockAttempts, DeadlockVerdict, DeadlockedMessage, ObservedDeadlock};
use crate::permutation::PermutationTrial;
use crate::{CubePointConfig, Experiment};
use faultlab_core::fault::{FaultSpec, FaultyNodes, Tolerance};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::BatchOutcome;
use faultlab_core::topology::Hypercube;
use faultlab_core::traffic::{BatchTraffic, ListedMessage, Pair};
use std::sync::Arc;

/// Message lengths to try.
const LENGTHS: [u16; 3] = [2, 1, 8];
/// Number of seeds to try. The seed decides which of two messages gets a channel first.
const SEEDS: u64 = 16;

/// Maximum number of cycles of a run.
const CYCLES: u32 = 1 << 16;

/// Returns the verdict on batches under `algorithm` with the faulty nodes and links `faulty`.
///
/// `messages` realise a cycle of its dependencies. Cost: some runs of these messages alone.
pub fn batch_verdict(
    cube: Hypercube,
    algorithm: &Arc<Algorithm>,
    faulty: &FaultyNodes,
    tolerance: Tolerance,
    messages: &[ListedMessage],
) -> DeadlockVerdict {
    let mut runs = 0;
    for (seed, length) in (0..SEEDS).flat_map(|seed| LENGTHS.map(move |length| (seed, length))) {
        let text = format!("v=1&net=cube:{}&switch=batch&faults=none", cube.dimension());
        let Ok(mut experiment) = text.parse::<Experiment>() else { break };
        let (faulty_nodes, faulty_links) = (faulty.iter().collect(), faulty.links().collect());
        experiment.faults = FaultSpec { faulty_nodes, faulty_links, ..FaultSpec::NONE };
        experiment.routing = vec![algorithm.clone()];
        experiment.seed = experiment.seed.wrapping_add(seed);
        if let Some(batch) = experiment.setting.batch_mut() {
            (batch.length, batch.relation.tolerance) = (length, tolerance);
            batch.relation.demand = BatchTraffic::List(messages.to_vec());
        }
        runs += 1;
        if let Some(seen) = run(&experiment) {
            return DeadlockVerdict::Deadlocks(Box::new(seen));
        }
    }
    let tried = DeadlockAttempts { open: None, proposed: messages.len(), runs };
    DeadlockVerdict::Undecided { tried }
}

/// Runs the batch; `None` if it does not deadlock.
fn run(experiment: &Experiment) -> Option<ObservedDeadlock> {
    let cell = CubePointConfig::new(experiment, None)?;
    let trial = PermutationTrial::new(&cell, experiment.routing.first()?, experiment.view.sample)?;
    let mut batch = trial.batch(experiment.setting.batch()?)?;
    let BatchOutcome::Deadlock(cycle) = batch.run_until(CYCLES)? else { return None };
    let routed = trial.routed();
    let message = |(index, wait): (usize, &faultlab_core::switching::BatchWait)| {
        let route = trial.route(*routed.get(wait.message as usize)?).ok()?;
        let holder = (index + 1) % cycle.len();
        let wants = ChannelWait { from: wait.wants.from, to: wait.wants.end(), virtual_channel: None, holder };
        Some(DeadlockedMessage {
            number: wait.message.into(),
            pair: Pair { from: route.from(), to: route.to() },
            via: route.via(),
            waits: vec![wants],
        })
    };
    let messages: Vec<_> = cycle.iter().enumerate().filter_map(message).collect();
    let mut shown = experiment.clone();
    shown.view.time = Some(f64::from(batch.cycle()));
    Some(ObservedDeadlock { messages, since: f64::from(batch.cycle()), experiment: shown })
}
