//! Tests of faults that arrive while probes search and circuits are held.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use faultlab::fault::BlockFaults;
use faultlab::random::Key;
use faultlab::switching::{
    CircuitError, CircuitObserver, CompletedCircuit, InterruptedCircuit, LinkSelection, ProbeConfig, ProbeEvent,
    ProbeNetwork, ProbeState, SetupPolicy,
};
use faultlab::topology::{Link, Port};
use faultlab::traffic::Arrival;

use super::{ECUBE, any, backtracking, faults, network};
use crate::common::{mesh, sample_raw_faults};

/// Reserved links and outcomes, from the observed events alone.
#[derive(Default)]
struct Ledger {
    held: BTreeMap<Link, u64>,
    open: BTreeSet<u64>,
    generated: u64,
    completed: Vec<(u64, u64)>,
    lost: u64,
    torn: u64,
}

impl CircuitObserver for Ledger {
    fn generated(&mut self, number: u64, _: &Arrival) {
        self.open.insert(number);
        self.generated += 1;
    }

    fn reserved(&mut self, number: u64, link: Link, _: f64) {
        assert_eq!(self.held.insert(link, number), None, "{link} is reserved twice");
    }

    fn released(&mut self, link: Link, _: f64) {
        assert!(self.held.remove(&link).is_some(), "{link} is released twice");
    }

    fn completed(&mut self, circuit: &CompletedCircuit) {
        self.completed.push((circuit.number, circuit.time.to_bits()));
    }

    fn interrupted(&mut self, circuit: &InterruptedCircuit) {
        if circuit.is_lost {
            assert!(self.open.remove(&circuit.number), "{} ends twice", circuit.number);
            self.lost += 1;
        } else {
            self.torn += 1;
        }
    }

    fn transmitted(&mut self, number: u64, _: f64) {
        assert!(self.open.remove(&number), "{number} ends twice");
    }
}

/// Asserts that the network holds exactly the links of the observed events, none of them faulty,
/// that no probe waits for a free link, and that the backlog is the number of messages that wait.
fn assert_consistent(ledger: &Ledger, circuits: &ProbeNetwork) {
    let mut held = BTreeMap::new();
    for message in circuits.messages() {
        for (from, port) in message.path() {
            assert!(circuits.config().faults.is_open(from, port), "{from} {port:?} is faulty");
            assert_eq!(held.insert(Link { from, dim: port.0 }, message.number()), None);
        }
        if let ProbeState::Waiting(port) = message.state() {
            assert!(circuits.holder(message.here(), port).is_some(), "a probe waits for a free link");
        }
    }
    assert_eq!(held, ledger.held);
    let waiting = circuits.messages().filter(|message| message.waits()).count() as u64;
    assert_eq!((circuits.backlog(), circuits.in_network()), (waiting, ledger.open.len() as u64));
}

#[test]
fn every_message_ends_once_and_nothing_leaks() {
    let (mut torn, mut lost, mut restored) = (0, 0, 0);
    for seed in 0..60 {
        let generator = &mut Key::from_seed(seed).generator();
        let mesh = [mesh(5, 5), mesh(4, 4).to_torus()][seed as usize % 2];
        let routing = [ECUBE, backtracking(0), backtracking(2), any()][seed as usize / 2 % 4];
        let setup = [SetupPolicy::Hold, SetupPolicy::Retry { backoff: 0.4 }][seed as usize / 8 % 2];
        let (mut nodes, mut links) = sample_raw_faults(mesh, 2, generator);
        let first = Arc::new(BlockFaults::unclosed(mesh, &nodes, &links));
        let (more_nodes, more_links) = sample_raw_faults(mesh, 3, generator);
        nodes.extend(more_nodes);
        links.extend(more_links);
        let both = Arc::new(BlockFaults::unclosed(mesh, &nodes, &links));
        let avail = LinkSelection::Random;
        let config = ProbeConfig { setup, avail, ..ProbeConfig::new(faults(mesh, ""), routing, 0.25) };
        let mut circuits = network(config, seed);
        circuits.add_onset(20.0, first).expect("an onset");
        circuits.add_onset(21.5, both).expect("a later onset");
        let mut ledger = Ledger::default();
        while circuits.time() < 60.0 && circuits.step(&mut ledger) != ProbeEvent::Ended {
            assert_consistent(&ledger, &circuits);
        }
        let Some(found) = circuits.transition() else { panic!("no onset") };
        assert_eq!((found.torn, found.lost), (ledger.torn, ledger.lost), "{routing:?} {seed}");
        assert!(found.retried <= found.torn && found.restored <= found.retried);
        (torn, lost, restored) = (torn + found.torn, lost + found.lost, restored + found.restored);
    }
    assert!(torn > 30 && lost > 60 && restored > 20, "{torn} {lost} {restored}");
}

/// Faults that arrive at time 0 are those of a network that has them from the start, and until
/// faults arrive the network is that without faults.
#[test]
fn onsets_at_the_start_and_at_the_end_change_nothing() {
    let run = |mut circuits: ProbeNetwork, until: f64| {
        let mut ledger = Ledger::default();
        while circuits.next_time() <= until {
            circuits.step(&mut ledger);
        }
        (ledger.completed, ledger.generated)
    };
    for seed in 0..30 {
        let mesh = mesh(4, 5);
        let (nodes, links) = sample_raw_faults(mesh, 3, &mut Key::from_seed(seed).generator());
        let broken = Arc::new(BlockFaults::unclosed(mesh, &nodes, &links));
        let routing = [ECUBE, backtracking(1), any()][seed as usize % 3];
        let healthy = ProbeConfig::new(faults(mesh, ""), routing, 0.2);
        let fresh = network(ProbeConfig { faults: broken.clone(), ..healthy.clone() }, seed);
        let mut at_start = network(healthy.clone(), seed);
        at_start.add_onset(0.0, broken.clone()).expect("an onset");
        assert_eq!(run(at_start, 60.0), run(fresh, 60.0), "{routing:?} {seed}");
        let mut at_end = network(healthy.clone(), seed);
        at_end.add_onset(61.0, broken).expect("an onset");
        assert_eq!(run(at_end, 60.0), run(network(healthy, seed), 60.0), "{routing:?} {seed}");
    }
}

/// A circuit alone, cut while it transmits: its source starts again after an exponential time of
/// mean BACKOFF, and the new set-up takes two hops for each of its links.
#[test]
fn recovery_takes_the_backoff_and_a_set_up() {
    let (mesh, hop, backoff) = (mesh(3, 3), 0.05, 0.5);
    let (mut waits, mut lost) = (Vec::new(), 0);
    for seed in 0..600 {
        let setup = SetupPolicy::Retry { backoff };
        let config = ProbeConfig { setup, hop, ..ProbeConfig::new(faults(mesh, ""), any(), 1e-4) };
        let mut circuits = network(config.clone(), seed);
        while !matches!(circuits.step(&mut ()), ProbeEvent::Completed { .. }) {}
        let message = circuits.messages().next().expect("a message");
        let (from, port) = message.path().last().expect("a link");
        let (time, end) = (circuits.time(), message.next());
        let onset = (time + end) / 2.0;
        let distance = mesh.distance(message.from(), message.to());
        let link = mesh.link(from, port).expect("a link");
        let mut circuits = network(config, seed);
        let broken = Arc::new(BlockFaults::unclosed(mesh, &[], &[link]));
        circuits.add_onset(onset, broken.clone()).expect("an onset");
        while circuits.step(&mut ()) != (ProbeEvent::FaultsArrived { torn: 1, lost: 0 }) {
            assert!(circuits.time() < onset);
        }
        let number = circuits.messages().next().expect("a message").number();
        assert_eq!(circuits.torn_since(number), Some(onset));
        assert!(circuits.holder(from, port).is_none());
        while circuits.torn_since(number).is_some() {
            circuits.step(&mut ());
        }
        let message = circuits.message(number).expect("the message");
        assert!(message.path().all(|(node, port)| broken.is_open(node, port)) && message.attempts() == 2);
        let least = f64::from(distance) * 2.0 * hop;
        let recovery = circuits.transition().expect("faults").recovery;
        assert!(recovery >= least, "{recovery} {least}");
        // A path without another hop back: the search takes two hops for each link.
        if message.path().count() as u32 == distance {
            let hops = 2.0 * hop * f64::from(distance);
            waits.push(recovery - hops);
        }
        lost += circuits.transition().map_or(0, |found| found.lost);
    }
    assert!(lost == 0 && waits.len() > 60, "{}", waits.len());
    let mean = waits.iter().sum::<f64>() / waits.len() as f64;
    assert!(mean >= backoff - 4.0 * backoff / (waits.len() as f64).sqrt(), "{mean}");
}

/// Both ends of a message, or the only path under e-cube: it is lost, and the probe that waits for
/// its link is granted the link.
#[test]
fn a_waiting_probe_gets_the_link_of_a_lost_message() {
    let mesh = mesh(1, 4);
    let mut granted = 0;
    for seed in 0..200 {
        let config = ProbeConfig::new(faults(mesh, ""), ECUBE, 0.3);
        let mut circuits = network(config.clone(), seed);
        let mut ledger = Ledger::default();
        // A probe that waits at node 1 for the link to node 2, held by a message to node 3.
        let east = Port::EAST;
        let (node1, node3) = (mesh.node(0, 1).expect("a node"), mesh.node(0, 3).expect("a node"));
        let is_there = |circuits: &ProbeNetwork| {
            let waits = circuits
                .messages()
                .any(|it| it.state() == ProbeState::Waiting(east) && it.here() == node1 && it.to() != node3);
            let holder = circuits.holder(node1, east).and_then(|it| circuits.message(it.number));
            // No other event is at the same time.
            let waits = waits && circuits.next_time() > circuits.time() + 1e-9;
            waits && circuits.queue(node1, east) == 1 && holder.is_some_and(|it| it.to() == node3)
        };
        while circuits.time() < 100.0 && !is_there(&circuits) {
            circuits.step(&mut ledger);
        }
        if !is_there(&circuits) {
            continue;
        }
        let onset = (circuits.time() + circuits.next_time()) / 2.0;
        let number = circuits
            .messages()
            .find(|it| it.state() == ProbeState::Waiting(east) && it.here() == node1)
            .expect("a probe")
            .number();
        let mut circuits = network(config, seed);
        circuits.add_onset(onset, faults(mesh, "0.3")).expect("an onset");
        while circuits.time() < onset {
            circuits.step(&mut ());
        }
        assert_eq!(circuits.holder(node1, east).map(|it| it.number), Some(number));
        assert_eq!((circuits.queue(node1, east), circuits.torn_since(number)), (0, None));
        granted += 1;
    }
    assert!(granted > 30, "{granted}");
}

#[test]
fn onsets_must_ascend_in_the_same_mesh() {
    let mut circuits = network(ProbeConfig::new(faults(mesh(3, 3), ""), ECUBE, 0.1), 1);
    assert_eq!(
        circuits.add_onset(f64::NAN, faults(mesh(3, 3), "")).map_err(|it| it.to_string().is_empty()),
        Err(false)
    );
    assert_eq!(circuits.add_onset(1.0, faults(mesh(3, 4), "")), Err(CircuitError::OtherMesh));
    assert_eq!(circuits.add_onset(1.0, faults(mesh(3, 3), "1.1")), Ok(()));
    assert_eq!(circuits.add_onset(0.5, faults(mesh(3, 3), "1.1")), Err(CircuitError::Onset(0.5)));
}
