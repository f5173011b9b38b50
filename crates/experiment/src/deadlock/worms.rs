//! Deadlocks of wormhole networks.

use std::sync::Arc;

use super::{
    ChannelWait, DeadlockVerdict, DeadlockedMessage, ObservedDeadlock, attempts, with_fixed_faults, with_messages,
    without_view,
};
use crate::worm::trial::{config, network};
use crate::worm::watch::horizon;
use crate::{Experiment, PointConfig};
use faultlab_core::fault::BlockFaults;
use faultlab_core::routing::WormRouting;
use faultlab_core::switching::{HeldChannel, WormArrival, WormKnotMember, WormObserver};
use faultlab_core::theory::{DeadlockAnalysis, DeadlockSet, DependencyGraph, mesh_witnesses};
use faultlab_core::traffic::Pair;

/// Number of runs under heavy load, each for as many cycles as Watch shows.
const LOADED_RUNS: u64 = 8;

/// Message lengths to try: long messages hold more channels.
const LENGTHS: [u16; 3] = [20, 64, 256];

/// Maximum number of cycles of runs with listed messages.
const LISTED_CYCLES: u64 = 4096;

/// Returns the verdict on the first wormhole routing of `experiment` with `faults`, those of its
/// watched trial.
///
/// `case` and `graph` are the results of the theory for the same faults. Cost: up to some seconds
/// of runs.
pub fn worm_verdict(
    experiment: &Experiment,
    faults: &Arc<BlockFaults>,
    graph: &DependencyGraph,
    case: &DeadlockAnalysis,
) -> DeadlockVerdict {
    if let DeadlockAnalysis::Free(by) = case {
        return DeadlockVerdict::ProvedFree { by: by.clone() };
    }
    let (fixed, is_fixed) = with_fixed_faults(&without_view(experiment), faults);
    let mut player = DeadlockSearch { experiment: fixed, faults, is_fixed, runs: 0 };
    let Some(routing) = experiment.routing.first().and_then(|algorithm| algorithm.worm.as_deref()) else {
        return DeadlockVerdict::Undecided { tried: attempts(case, 0) };
    };
    let proposed = match case {
        DeadlockAnalysis::Set(set) => Some(set),
        _ => None,
    };
    match player.play(routing, graph, proposed) {
        Some(seen) => DeadlockVerdict::Deadlocks(Box::new(seen)),
        None => DeadlockVerdict::Undecided { tried: attempts(case, player.runs) },
    }
}

/// Search for a deadlock in runs of one experiment.
struct DeadlockSearch<'f> {
    experiment: Experiment,
    faults: &'f BlockFaults,
    /// Flag for faults that do not depend on the seed.
    is_fixed: bool,
    /// Number of runs so far.
    runs: u32,
}

impl DeadlockSearch<'_> {
    /// Searches for messages that end in a deadlock.
    ///
    /// The search tries the proposed messages first, then those of a shortest dependency cycle,
    /// then random ones under heavy load. From a random run, it returns only the deadlocked
    /// messages if they also deadlock alone.
    fn play(
        &mut self,
        routing: &dyn WormRouting,
        graph: &DependencyGraph,
        proposed: Option<&DeadlockSet>,
    ) -> Option<ObservedDeadlock> {
        if let Some(set) = proposed {
            let pairs: Vec<_> = set.messages.iter().map(|message| message.pair).collect();
            let chain = set.messages.iter().map(|message| message.holds.len()).max().unwrap_or(1);
            let lengths: Vec<_> = LENGTHS.into_iter().chain([chain.min(256) as u16]).collect();
            let (few, many) = self.seeds();
            if let Some(seen) = self.play_listed(routing, &pairs, &lengths, 0..few) {
                return Some(seen);
            }
            // Messages that choose among several channels seldom all choose the channels of the
            // set.
            let chooses = set.messages.iter().any(|message| message.requests.len() > 1);
            if chooses && let Some(seen) = self.play_listed(routing, &pairs, &LENGTHS[..1], few..many) {
                return Some(seen);
            }
        }
        if let Some(cycle) = graph.acyclic_order().err() {
            let pairs = mesh_witnesses(self.faults, routing, &cycle);
            if let Some(seen) = self.play_listed(routing, &pairs, &LENGTHS, 0..self.seeds().0) {
                return Some(seen);
            }
        }
        self.play_loaded(routing)
    }

    /// Returns the number of seeds for listed messages, for all lengths and for one length. The
    /// seed decides the random choices of the messages.
    fn seeds(&self) -> (u64, u64) {
        match self.faults.mesh().nodes() {
            _ if !self.is_fixed => (1, 1),
            ..=64 => (8, 6000),
            65..=256 => (4, 1000),
            _ => (2, 2),
        }
    }

    fn play_listed(
        &mut self,
        routing: &dyn WormRouting,
        pairs: &[Pair],
        lengths: &[u16],
        seeds: std::ops::Range<u64>,
    ) -> Option<ObservedDeadlock> {
        for (seed, &length) in { seeds }.flat_map(|seed| lengths.iter().map(move |length| (seed, length))) {
            let mut listed = self.with_minimal_buffers(routing, length);
            listed.seed = self.experiment.seed.wrapping_add(seed);
            with_messages(&mut listed, pairs);
            if let Some(seen) = self.run(&listed, Some(pairs.len() as u64)) {
                return Some(seen);
            }
        }
        None
    }

    fn play_loaded(&mut self, routing: &dyn WormRouting) -> Option<ObservedDeadlock> {
        let runs = if self.is_fixed { LOADED_RUNS } else { 1 };
        for number in 0..runs {
            let mut loaded = self.with_minimal_buffers(routing, LENGTHS[number as usize % 2]);
            loaded.seed = self.experiment.seed.wrapping_add(number);
            if let Some(setting) = loaded.setting.worm_mut() {
                setting.load = [1.0, 0.5, 4.0, 2.0][number as usize % 4];
                setting.injection.limit = [3, 3, 16, 64][number as usize % 4];
            }
            let Some(seen) = self.run(&loaded, None) else { continue };
            let pairs: Vec<_> = seen.messages.iter().map(|message| message.pair).collect();
            let mut listed = loaded.clone();
            with_messages(&mut listed, &pairs);
            return self.run(&listed, Some(pairs.len() as u64)).or(Some(seen));
        }
        None
    }

    /// Returns the experiment with one virtual channel for each class, buffers of one flit and
    /// messages of this length.
    fn with_minimal_buffers(&self, routing: &dyn WormRouting, length: u16) -> Experiment {
        let mut tight = self.experiment.clone();
        if let Some(setting) = tight.setting.worm_mut() {
            (setting.virtual_channels, setting.buffer, setting.length) =
                (routing.vc_classes(self.faults.mesh()), 1, length.into());
        }
        tight
    }

    /// Runs the messages of `experiment` as Watch does; `None` if they do not deadlock.
    ///
    /// `listed` is the number of listed messages; `None` for random ones.
    fn run(&mut self, experiment: &Experiment, listed: Option<u64>) -> Option<ObservedDeadlock> {
        self.runs += 1;
        let cell = PointConfig::new(experiment, None);
        let config = config(&cell, experiment.routing.first()?)?;
        let mut worms = network(&cell, config, experiment.view.sample)?;
        let mut ends = Ends::default();
        let horizon = horizon(worms.mesh()).min(if listed.is_some() { LISTED_CYCLES } else { u64::MAX });
        let is_over = |ended: u64| listed.is_some_and(|listed| ended >= listed);
        while worms.cycle() < horizon && worms.outcome().is_none() && !is_over(worms.delivered() + worms.lost()) {
            worms.step(&mut ends);
        }
        let found = worms.outcome()?;
        let mut shown = experiment.clone();
        shown.view.time = Some(worms.cycle() as f64);
        let messages = found.knot.iter().filter_map(|member| {
            let pair = ends.0.get(member.number as usize).copied().flatten()?;
            let waits = self.waits(&found.knot, &member.wants);
            Some(DeadlockedMessage { number: member.number, pair, via: None, waits })
        });
        Some(ObservedDeadlock { messages: messages.collect(), since: found.since as f64, experiment: shown })
    }

    fn waits(&self, knot: &[WormKnotMember], wants: &[(HeldChannel, u64)]) -> Vec<ChannelWait> {
        let mesh = self.faults.mesh();
        let wait = |&(held, holder): &(HeldChannel, u64)| {
            let (from, port) = mesh.channel_ends(held.channel);
            Some(ChannelWait {
                from,
                to: mesh.neighbor(from, port)?,
                virtual_channel: Some(held.virtual_channel),
                holder: knot.iter().position(|member| member.number == holder)?,
            })
        };
        wants.iter().filter_map(wait).collect()
    }
}

/// Sources and destinations of messages, by message number.
#[derive(Default)]
struct Ends(Vec<Option<Pair>>);

impl WormObserver for Ends {
    fn generated(&mut self, arrival: &WormArrival) {
        self.0.push(arrival.to.map(|to| Pair { from: arrival.from, to }));
    }
}
