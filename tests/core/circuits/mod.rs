//! Tests of circuits against independent results: queueing theory, the paper's theorems, a second
//! simulator.
#![cfg(not(target_arch = "wasm32"))]

mod log;
mod naive;
mod onset;
mod outcomes;
mod retry;
mod state_tracker;

use std::collections::BTreeSet;

use faultlab::fault::Faults;
use faultlab::random::Key;
use faultlab::routing::{self, Header, Links, Position};
use faultlab::switching::{
    CircuitConfig, CircuitEnd, CircuitError, CircuitMeasurement, CircuitNetwork, CircuitOutcome, CircuitRun,
    CircuitWindow, LinkSelection, Refusal, WaitPolicy,
};
use faultlab::topology::{Hypercube, Link, NodeId};
use faultlab::traffic::{NamedPermutation, Pattern};
use log::Log;
use naive::{Edge, Naive};
use state_tracker::{StateObserver, assert_state};

/// Manual faults.
#[derive(Clone, Debug, Default)]
struct ManualFaults {
    nodes: BTreeSet<u64>,
    links: BTreeSet<Edge>,
}

impl Faults for ManualFaults {
    fn is_faulty(&mut self, node: NodeId) -> bool {
        self.nodes.contains(&node.0)
    }

    fn has_link_faults(&self) -> bool {
        !self.links.is_empty()
    }

    fn is_link_faulty(&mut self, link: Link) -> bool {
        self.links.contains(&(link.from.0, link.dim))
    }
}

fn config(n: u8, id: &str, rate: f64) -> CircuitConfig {
    let criterion = routing::find(id).expect("an algorithm").criterion().expect("a criterion");
    CircuitConfig::new(Hypercube::new(n).expect("a cube"), criterion, rate)
}

fn network(config: CircuitConfig, broken: &ManualFaults, seed: u64) -> CircuitNetwork {
    CircuitNetwork::new(config, &mut broken.clone(), Key::from_seed(seed)).expect("a network")
}

fn measure(config: CircuitConfig, seed: u64, length: f64) -> CircuitRun {
    let window = CircuitWindow { from: 200.0, until: 200.0 + length, batches: 10 };
    let circuits = network(config, &ManualFaults::default(), seed);
    let run = CircuitMeasurement::new(circuits, window).run_until(u64::MAX).expect("an end");
    assert_eq!(run.end, CircuitEnd::Complete);
    run
}

/// Asserts that the mean of `values` is `wanted` to four standard errors, and that the error is
/// small.
fn assert_mean(values: &[f64], wanted: f64, what: &str) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0);
    let error = (variance / count).sqrt();
    assert!((mean - wanted).abs() < 4.0 * error, "{what}: {mean} +- {error}, not {wanted}");
    assert!(error < 0.02 * wanted.abs().max(0.05), "{what}: {mean} +- {error} is too coarse");
}

#[test]
fn one_dimension_is_an_m_m_1_queue() {
    for rate in [0.2, 0.5, 0.7] {
        let runs: Vec<_> = (0..30).map(|seed| measure(config(1, "up", rate), seed, 20_000.0)).collect();
        let setups: Vec<_> = runs.iter().map(|run| run.mean_setup().unwrap()).collect();
        assert_mean(&setups, rate / (1.0 - rate), "setup time");
        let busy: Vec<_> = runs.iter().flat_map(|run| run.utilization.clone()).collect();
        assert_mean(&busy, rate, "utilization");
        let sent: Vec<_> = runs.iter().map(|run| run.throughput).collect();
        assert_mean(&sent, rate, "throughput");
        // The wait exceeds t with probability rate * exp(-(1 - rate) t); a share of 1 - rate does
        // not wait at all.
        let free: Vec<_> = runs.iter().map(|run| run.histogram.zero as f64 / run.completed as f64).collect();
        assert_mean(&free, 1.0 - rate, "messages that do not wait");
        let mut all = runs[0].histogram.clone();
        runs[1..].iter().for_each(|run| all.merge(&run.histogram));
        for tail in [0.1, 0.01] {
            let wanted = libm::log(rate / tail) / (1.0 - rate);
            let quantile = all.quantile(1.0 - tail).unwrap();
            assert!((quantile / wanted - 1.0).abs() < 0.05, "{rate} {tail}: {quantile}, not {wanted}");
        }
    }
}

#[test]
fn highest_dimension_has_exact_utilization_under_ecube() {
    for (n, rate) in [(2, 0.4), (3, 0.5), (5, 0.4), (7, 0.3)] {
        let nodes = f64::from(1u32 << n);
        let runs: Vec<_> = (0..20).map(|seed| measure(config(n, "e-cube", rate), seed, 1_000.0)).collect();
        let highest = |run: &CircuitRun| run.dimensions[usize::from(n) - 1];
        let busy: Vec<_> = runs.iter().flat_map(highest).collect();
        assert_mean(&busy, rate * nodes / (2.0 * (nodes - 1.0)), "utilization of the highest dimension");
    }
}

#[test]
fn littles_law_holds() {
    for (n, id, rate) in [(3, "up", 0.4), (4, "e-cube", 0.5), (5, "2f+3f", 0.4), (4, "dp", 0.3)] {
        let ratios: Vec<_> = (0..20)
            .map(|seed| {
                let run = measure(config(n, id, rate), seed, 4_000.0);
                run.backlog / (run.generated as f64 / run.observed * run.mean_setup().unwrap())
            })
            .collect();
        assert_mean(&ratios, 1.0, "backlog / (rate * setup time)");
    }
}

#[test]
fn batches_and_histogram_count_what_the_run_counts() {
    let run = measure(config(4, "up", 0.4), 5, 2_000.0);
    assert_eq!(run.generated, run.completed);
    assert_eq!(run.histogram.count(), run.completed);
    assert_eq!(run.batches.iter().map(|batch| batch.count).sum::<u64>(), run.completed);
    assert_eq!((run.refused(), run.nodes, run.observed, run.batches.len()), (0, 16, 2_000.0, 10));
    assert!(run.most_waiting as f64 > run.backlog && run.queues.iter().all(|&queue| queue >= 0.0));
    let text = serde_json::to_string(&run).unwrap();
    let read: CircuitRun = serde_json::from_str(&text).unwrap();
    assert_eq!((read.end, read.completed, read.histogram), (run.end, run.completed, run.histogram));
}

#[test]
fn messages_are_conserved_and_served_in_order() {
    let broken = ManualFaults { nodes: [5].into(), links: [(0, 1), (9, 2)].into() };
    let ids = ["e-cube", "up", "dp", "restricted-up", "2e+2f", "minimal", "up-dp-mix"];
    for (seed, id) in ids.into_iter().enumerate() {
        for avail in LinkSelection::ALL {
            for wait in WaitPolicy::ALL {
                for faults in [&ManualFaults::default(), &broken] {
                    let config = CircuitConfig { avail, wait, cap: Some(100), ..config(4, id, 0.6) };
                    let mut circuits = network(config, faults, seed as u64);
                    let mut state = StateObserver::default();
                    for _ in 0..400 {
                        circuits.run_until(5, &mut state);
                        assert_state(&state, &circuits);
                    }
                    assert!(state.gone > 50);
                }
            }
        }
    }
}

#[test]
fn agrees_with_naive_simulator() {
    let cases: &[(&str, &[(u8, char)])] = &[
        ("e-cube", &[(3, 'e')]),
        ("up", &[(3, 'f')]),
        ("up", &[(4, 'f')]),
        ("dp", &[(4, 'd')]),
        ("restricted-up", &[(4, 'r')]),
        ("2e+2f", &[(2, 'e'), (2, 'f')]),
        ("2r+3r", &[(2, 'r'), (3, 'r')]),
    ];
    let faults = [
        ManualFaults::default(),
        ManualFaults { nodes: [6].into(), links: BTreeSet::new() },
        ManualFaults { nodes: [1].into(), links: [(0, 1), (7, 0), (4, 1)].into() },
    ];
    for (case, &(id, levels)) in cases.iter().enumerate() {
        for (avail, wait) in LinkSelection::ALL.into_iter().flat_map(|avail| WaitPolicy::ALL.map(|wait| (avail, wait)))
        {
            for (set, broken) in faults.iter().enumerate() {
                let n = levels.iter().map(|level| level.0).sum();
                let mut circuits =
                    network(CircuitConfig { avail, wait, ..config(n, id, 0.5) }, broken, (case + set) as u64);
                let mut log = Log::default();
                while log.given.len() < 600 {
                    circuits.step(&mut log);
                }
                let mut naive = Naive::new(levels, avail.id(), wait == WaitPolicy::ShortestQueue, log.given.clone());
                (naive.dead_nodes, naive.dead_links) = (broken.nodes.clone(), broken.links.clone());
                naive.run();
                let bits = |times: &[Option<f64>]| times.iter().map(|time| time.map(f64::to_bits)).collect::<Vec<_>>();
                assert_eq!(bits(&log.completed), bits(&naive.completed), "{id} {avail} {wait} {broken:?}");
                assert!(log.completed.iter().flatten().count() > 300);
            }
        }
    }
}

#[test]
fn faults_cut_off_the_pairs_of_the_theorems() {
    // Chiu, Chalasani & Raghavendra, Theorems 2, 3 and 5 and the formulas for e-cube, in the
    // 5-cube.
    let link = |link: Edge| ManualFaults { nodes: BTreeSet::new(), links: [link].into() };
    let node = ManualFaults { nodes: [11].into(), links: BTreeSet::new() };
    let cases = [
        ("up", link((24, 1)), 4, 0),
        ("e-cube", link((24, 1)), 16, 0),
        ("up", link((26, 1)), 8, 0),
        ("up", node.clone(), 9, 31),
        ("e-cube", node, 49, 31),
    ];
    for (id, broken, cut_off, faulty) in cases {
        let mut circuits = network(config(5, id, 0.2), &broken, 1);
        let mut log = Log::default();
        circuits.run_until(60_000, &mut log);
        let pairs =
            |why| log.refused.iter().filter(|it| it.2 == why).map(|it| (it.0, it.1)).collect::<BTreeSet<_>>().len();
        // Uniform traffic never draws an unreachable node as destination.
        assert_eq!((pairs(Refusal::CutOff), pairs(Refusal::FaultyDestination)), (cut_off, 0), "{id}");
        let hot = Pattern::hot_spot(NodeId(11), 0.5);
        let mut circuits = network(CircuitConfig { pattern: hot, ..config(5, id, 0.02) }, &broken, 1);
        let mut log = Log::default();
        circuits.run_until(60_000, &mut log);
        let to_faulty = log.refused.iter().filter(|it| it.2 == Refusal::FaultyDestination);
        assert_eq!(to_faulty.map(|it| it.0).collect::<BTreeSet<_>>().len(), faulty, "{id}");
    }
}

#[test]
fn traffic_is_independent_of_routing() {
    let log = |id: &str, avail| {
        let mut circuits = network(CircuitConfig { avail, ..config(4, id, 0.4) }, &ManualFaults::default(), 3);
        let mut log = Log::default();
        while log.given.len() < 2_000 {
            circuits.step(&mut log);
        }
        log
    };
    let ecube = log("e-cube", LinkSelection::Lowest);
    for (id, avail) in [("up", LinkSelection::Lowest), ("up", LinkSelection::Random), ("2f+2f", LinkSelection::Highest)]
    {
        let other = log(id, avail);
        assert_eq!(other.messages(), ecube.messages());
        assert_ne!(other.completed, ecube.completed);
    }
}

/// The lowest required dimension is legal under every criterion, so waiting for that link only is
/// e-cube routing.
#[test]
fn waiting_for_the_lowest_dimension_alone_is_e_cube() {
    let log = |id: &str, avail| {
        let mut circuits = network(CircuitConfig { avail, ..config(4, id, 0.4) }, &ManualFaults::default(), 3);
        let mut log = Log::default();
        while log.given.len() < 2_000 {
            circuits.step(&mut log);
        }
        log.completed
    };
    let ecube = log("e-cube", LinkSelection::Lowest);
    for id in ["up", "dp", "restricted-up", "2f+2f", "minimal"] {
        assert_eq!(log(id, LinkSelection::LowestOnly), ecube, "{id}");
        assert_ne!(log(id, LinkSelection::LowestFree), ecube, "{id}");
    }
    // A level of two dimensions has at most one other free link when the lower one is taken.
    assert_eq!(log("2f+2f", LinkSelection::LowestFree), log("2f+2f", LinkSelection::Lowest));
    assert_ne!(log("up", LinkSelection::LowestFree), log("up", LinkSelection::Lowest));
}

#[test]
fn the_same_seed_gives_the_same_bits() {
    let window = CircuitWindow { from: 50.0, until: 400.0, batches: 7 };
    let start =
        |seed| CircuitMeasurement::new(network(config(5, "2f+3f", 0.45), &ManualFaults::default(), seed), window);
    let whole = start(9).run_until(u64::MAX).unwrap();
    let mut pieces = start(9);
    let mut checkpoint = pieces.clone();
    let run = loop {
        if let Some(run) = pieces.run_until(997) {
            break run;
        }
        checkpoint = pieces.clone();
    };
    assert_eq!(run, whole);
    assert_eq!(checkpoint.run_until(u64::MAX).unwrap(), whole);
    assert_ne!(start(10).run_until(u64::MAX).unwrap(), whole);
}

#[test]
fn permutation_traffic_matches_pattern() {
    for (pattern, senders) in [
        (Pattern::Named(NamedPermutation::Complement), 16),
        (Pattern::Named(NamedPermutation::Transpose), 12),
        (Pattern::Named(NamedPermutation::BitReversal), 12),
    ] {
        let mut circuits =
            network(CircuitConfig { pattern: pattern.clone(), ..config(4, "up", 0.1) }, &ManualFaults::default(), 1);
        let mut log = Log::default();
        circuits.run_until(4_000, &mut log);
        let pairs: BTreeSet<_> = log.given.iter().map(|given| (given.from, given.to)).collect();
        assert_eq!(pairs.len(), senders);
        let cube = circuits.cube();
        assert!(pairs.iter().all(|pair| pattern.image(cube, NodeId(pair.0)) == Some(NodeId(pair.1))));
    }
    // In a single dimension a transpose sends no message.
    let still = CircuitConfig { pattern: Pattern::Named(NamedPermutation::Transpose), ..config(1, "up", 0.5) };
    let mut circuits = network(still.clone(), &ManualFaults::default(), 1);
    assert_eq!(circuits.run_until(9, &mut ()), Some(&CircuitOutcome::Idle { time: 0.0 }));
    let window = CircuitWindow { from: 0.0, until: 10.0, batches: 1 };
    let run = CircuitMeasurement::new(network(still, &ManualFaults::default(), 1), window).run_until(9).unwrap();
    assert_eq!((run.end, run.mean_setup()), (CircuitEnd::Complete, None));
}

#[test]
fn rejects_invalid_configuration() {
    let wrong = |config| CircuitNetwork::new(config, &mut ManualFaults::default(), Key::from_seed(1)).err();
    assert_eq!(wrong(config(13, "up", 0.1)), Some(CircuitError::TooManyDimensions(13)));
    assert_eq!(wrong(config(64, "up", 0.1)), Some(CircuitError::TooManyDimensions(64)));
    assert_eq!(wrong(config(3, "up", -0.1)), Some(CircuitError::Rate(-0.1)));
    assert!(matches!(wrong(config(3, "up", f64::NAN)), Some(CircuitError::Rate(_))));
    let pattern = Pattern::hot_spot(NodeId(8), 0.1);
    assert_eq!(
        wrong(CircuitConfig { pattern: pattern.clone(), ..config(3, "up", 0.1) }),
        Some(CircuitError::Pattern(pattern))
    );
    assert_eq!(wrong(config(12, "up", 0.1)), None);
    // If every node is faulty, no event occurs.
    let all = ManualFaults { nodes: (0..8).collect(), links: BTreeSet::new() };
    assert!(matches!(network(config(3, "up", 0.1), &all, 1).run_until(9, &mut ()), Some(CircuitOutcome::Idle { .. })));
}

/// Each legal link has its own rule: the lowest required link by itself, the others by the free
/// direction of the criterion (section III).
#[test]
fn legal_links_have_matching_rules() {
    for (id, free) in [("e-cube", None), ("up", Some(true)), ("dp", Some(false)), ("minimal", None)] {
        let circuits = routing::find(id).expect("built in").circuits().expect("of circuits");
        let mut others = 0;
        for (here, to) in (0..16u64).flat_map(|here| (0..16).map(move |to| (here, to))) {
            let at = Position { here: NodeId(here), wrong: here ^ to, header: Header::default() };
            let legal = circuits.legal(at, Links::ALL, |legal| legal);
            for dim in (0..4u8).filter(|dim| legal >> dim & 1 == 1) {
                let leads_up = here >> dim & 1 == 0;
                let rule = circuits.rule(at, Links::ALL, dim).id;
                if u32::from(dim) == at.wrong.trailing_zeros() {
                    assert_eq!(rule, "lowest-required", "{id} {here} {to}");
                    continue;
                }
                others += 1;
                assert!(free.is_none_or(|up| up == leads_up), "{id} {here} {to}");
                let expected = match id {
                    "up" => "up-transition",
                    "dp" => "down-transition",
                    _ => "any-required",
                };
                assert_eq!(rule, expected, "{id} {here} {to}");
            }
        }
        assert_eq!(others > 0, id != "e-cube", "{id}");
    }
}
