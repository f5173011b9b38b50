//! Tests of deadlock and saturation of circuits.

use std::collections::BTreeSet;

use faultlab::routing;
use faultlab::switching::{
    CircuitConfig, CircuitEnd, CircuitMeasurement, CircuitOutcome, CircuitWindow, LinkSelection, Refusal, WaitPolicy,
};
use faultlab::theory::cut_off;
use faultlab::topology::NodeId;
use faultlab::traffic::Pair;

use super::log::Log;
use super::state_tracker::assert_deadlock;
use super::{ManualFaults, config, network};

#[test]
fn criteria_never_deadlock() {
    let ids =
        ["e-cube", "up", "dp", "restricted-up", "1f+1f", "2e+1f", "1e+2f", "2d+2f", "2f+2e", "2r+2r", "2f+3f", "2e+3d"];
    let broken = ManualFaults { nodes: [3].into(), links: [(0, 1), (6, 0)].into() };
    for id in ids {
        let algorithm = routing::find(id).unwrap();
        for n in algorithm.dimension.map_or(2..=5, |n| n..=n) {
            for (seed, faults) in [(1, &ManualFaults::default()), (2, &broken)] {
                for (avail, wait) in LinkSelection::ALL.into_iter().zip(WaitPolicy::ALL.into_iter().cycle()) {
                    let config = CircuitConfig { avail, wait, ..config(n, id, 1.5) };
                    let mut circuits = network(config, faults, seed);
                    circuits.set_detection(true);
                    while circuits.run_until(500, &mut ()).is_none() && circuits.generated() < 6_000 {
                        assert_eq!(circuits.find_deadlock(), None);
                    }
                    let deadlock = matches!(circuits.outcome(), Some(CircuitOutcome::Deadlock(_)));
                    assert!(!deadlock, "{id} n={n}: {:?}", circuits.outcome());
                }
            }
        }
    }
}

#[test]
fn unrestricted_routings_deadlock() {
    for (id, wait) in
        [("minimal", WaitPolicy::First), ("up-dp-mix", WaitPolicy::First), ("minimal", WaitPolicy::ShortestQueue)]
    {
        for n in 3..=5 {
            let config = CircuitConfig { wait, ..config(n, id, 0.6) };
            for seed in 0..5 {
                let mut circuits = network(config.clone(), &ManualFaults::default(), seed);
                match circuits.run_until(3_000_000, &mut ()).cloned() {
                    Some(CircuitOutcome::Deadlock(deadlock)) => assert_deadlock(&deadlock, &circuits),
                    other => panic!("{id} {wait} n={n} seed {seed}: {other:?}"),
                }
                let time = circuits.time();
                circuits.run_until(1, &mut ());
                assert_eq!(circuits.time(), time);
            }
        }
    }
}

#[test]
fn up_collapses_past_its_range_and_ecube_does_not() {
    for seed in 0..5 {
        let mut up = network(config(5, "up", 0.45), &ManualFaults::default(), seed);
        match up.run_until(4_000_000, &mut ()) {
            Some(&CircuitOutcome::Unstable { since, time, backlog, throughput }) => {
                assert!(since > 0.0 && time > since && backlog == 2049);
                // The backlog is the offered minus the transmitted messages, except for the initial
                // backlog of 32 and unfinished circuits.
                let grown = (0.45 * 32.0 - throughput) * (time - since);
                let messages = 0.45 * 32.0 * (time - since);
                assert!((grown - 2017.0).abs() < 4.0 * messages.sqrt() + 80.0, "{grown} of {messages}");
            }
            other => panic!("seed {seed}: {other:?}"),
        }
        // Saturation is not deadlock: every message can still move.
        assert_eq!(up.find_deadlock(), None);
        let window = CircuitWindow { from: 0.0, until: 1e9, batches: 1 };
        let run = CircuitMeasurement::new(network(config(5, "up", 0.45), &ManualFaults::default(), seed), window)
            .run_until(4_000_000);
        assert!(matches!(run.unwrap().end, CircuitEnd::Unstable { backlog: 2049, .. }));
        let mut ecube = network(config(5, "e-cube", 0.45), &ManualFaults::default(), seed);
        assert_eq!(ecube.run_until(1_000_000, &mut ()), None);
    }
}

/// Sources refuse exactly the pairs that are counted as cut off, also under the UP/DP mix, whose
/// sources have information on all faults.
#[test]
fn sources_refuse_exactly_the_cut_off_pairs() {
    let broken = ManualFaults { nodes: [9].into(), links: [(0, 0), (1, 2), (3, 3), (6, 1), (12, 2), (8, 2)].into() };
    for id in ["e-cube", "up", "dp", "restricted-up", "minimal", "up-dp-mix", "2e+2f"] {
        let algorithm = routing::find(id).unwrap();
        let config = config(4, id, 0.01);
        let cut = cut_off(config.cube, &mut broken.clone(), &algorithm).unwrap();
        let mut log = Log::default();
        let mut circuits = network(config, &broken, 3);
        while circuits.generated() < 20_000 && circuits.run_until(10_000, &mut log).is_none() {}
        let is_cut = |from, to| cut.contains(Pair { from: NodeId(from), to: NodeId(to) });
        let refused = log.refused.iter().filter(|(.., why)| *why == Refusal::CutOff).map(|&(from, to, _)| (from, to));
        let refused = BTreeSet::from_iter(refused);
        let counted = BTreeSet::from_iter(cut.pairs().map(|pair| (pair.from.0, pair.to.0)));
        assert!(!counted.is_empty() && refused == counted, "{id}: {refused:?}, not {counted:?}");
        let sent = log.given.iter().filter(|message| !message.path.is_empty());
        assert!(sent.clone().count() > 1000 && sent.clone().all(|message| !is_cut(message.from, message.to)), "{id}");
    }
}
