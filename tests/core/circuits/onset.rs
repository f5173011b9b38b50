//! Tests of faults that arrive while circuits are set up or held: what is torn down, what stays,
//! and that every message ends once.

use std::collections::{BTreeMap, BTreeSet};

use faultlab::experiment::presets::presets;
use faultlab::experiment::{CircuitWatch, CubePointConfig, Experiment};
use faultlab::random::{Generator, Key, below};
use faultlab::switching::{
    CircuitConfig, CircuitError, CircuitEvent, CircuitMeasurement, CircuitNetwork, CircuitObserver, CircuitWindow,
    InterruptedCircuit, LinkSelection, LinkState, SetupPolicy, WaitPolicy,
};
use faultlab::topology::{Link, NodeId};
use faultlab::traffic::{Arrival, NamedPermutation, Pattern};

use super::log::Log;
use super::naive::Edge;
use super::{ManualFaults, config, network};

/// Reserved links and outcomes, from the observed events alone.
#[derive(Default)]
struct Ledger {
    held: BTreeMap<Link, u64>,
    open: BTreeSet<u64>,
    transmitted: u64,
    lost: u64,
    torn: u64,
}

impl CircuitObserver for Ledger {
    fn generated(&mut self, number: u64, _: &Arrival) {
        self.open.insert(number);
    }

    fn reserved(&mut self, number: u64, link: Link, _: f64) {
        assert_eq!(self.held.insert(link, number), None, "{link} is reserved twice");
    }

    fn released(&mut self, link: Link, _: f64) {
        assert!(self.held.remove(&link).is_some(), "{link} is released twice");
    }

    fn interrupted(&mut self, circuit: &InterruptedCircuit) {
        assert!(!circuit.was_complete || circuit.has_completed);
        if circuit.is_lost {
            assert!(self.open.remove(&circuit.number), "{} ends twice", circuit.number);
            self.lost += 1;
        } else {
            self.torn += 1;
        }
    }

    fn transmitted(&mut self, number: u64, _: f64) {
        assert!(self.open.remove(&number), "{number} ends twice");
        self.transmitted += 1;
    }
}

/// Asserts that the network holds exactly the links of the observed events, none of them faulty,
/// and that no message waits for a link that is free.
fn assert_consistent(ledger: &Ledger, circuits: &CircuitNetwork) {
    let mut held = BTreeMap::new();
    for message in circuits.messages() {
        for link in message.path() {
            assert!(circuits.is_live(link), "{link} is faulty");
            assert_eq!(held.insert(link, message.number()), None);
        }
        for link in message.waits_for() {
            assert!(matches!(circuits.link_state(link), LinkState::Reserved(_) | LinkState::Transmitting(_)));
        }
        assert!(message.transmits() || message.next_attempt().is_some() || message.waits_for().next().is_some());
    }
    assert_eq!(held, ledger.held);
    let waiting = circuits.messages().filter(|message| !message.transmits()).count() as u64;
    assert_eq!((circuits.backlog(), circuits.in_network()), (waiting, ledger.open.len() as u64));
}

fn random_faults(n: u8, generator: &mut Generator) -> ManualFaults {
    let nodes = (0..below(generator, 3)).map(|_| u64::from(below(generator, 1 << n))).collect();
    let links = (0..below(generator, 5))
        .map(|_| (u64::from(below(generator, 1 << n)), below(generator, u32::from(n)) as u8))
        .collect();
    ManualFaults { nodes, links }
}

fn union(one: &ManualFaults, other: &ManualFaults) -> ManualFaults {
    let nodes = one.nodes.union(&other.nodes).copied().collect();
    ManualFaults { nodes, links: one.links.union(&other.links).copied().collect() }
}

/// Over random cubes, routings, strategies and two onsets, nothing leaks, nothing is stuck, and
/// every message ends at most once.
#[test]
fn every_message_ends_once_and_nothing_leaks() {
    let (mut torn, mut lost, mut restored) = (0, 0, 0);
    for seed in 0..80 {
        let generator = &mut Key::from_seed(seed).generator();
        let id = ["e-cube", "up", "2e+2f", "restricted-up", "minimal", "up-dp-mix"][seed as usize % 6];
        let setup = [SetupPolicy::Hold, SetupPolicy::Retry { backoff: 0.4 }][seed as usize / 6 % 2];
        let wait = [WaitPolicy::First, WaitPolicy::ShortestQueue][seed as usize / 3 % 2];
        let avail = LinkSelection::ALL[seed as usize % LinkSelection::ALL.len()];
        let [first, more] = [(); 2].map(|()| random_faults(4, generator));
        let both = union(&first, &more);
        let mut circuits =
            network(CircuitConfig { setup, wait, avail, ..config(4, id, 0.5) }, &ManualFaults::default(), seed);
        circuits.add_onset(20.0, &mut first.clone()).expect("an onset");
        circuits.add_onset(21.5, &mut both.clone()).expect("a later onset");
        let mut ledger = Ledger::default();
        while circuits.time() < 60.0 && circuits.step(&mut ledger) != CircuitEvent::Ended {
            assert_consistent(&ledger, &circuits);
        }
        let found = circuits.transition().expect("faults have arrived");
        assert_eq!((found.torn, found.lost), (ledger.torn, ledger.lost), "{id} {seed}");
        assert!(found.retried <= found.torn && found.restored <= found.retried && found.torn_complete <= found.torn);
        torn += found.torn;
        lost += found.lost;
        restored += found.restored;
    }
    assert!(torn > 40 && lost > 80 && restored > 30, "{torn} {lost} {restored}");
}

/// Faults that arrive at time 0 are those of a network that has them from the start.
#[test]
fn faults_at_time_zero_are_there_from_the_start() {
    for seed in 0..30 {
        let faults = random_faults(4, &mut Key::from_seed(seed).generator());
        let id = ["e-cube", "up", "2e+2f", "up-dp-mix"][seed as usize % 4];
        let run = |mut circuits: CircuitNetwork| {
            let mut log = Log::default();
            while circuits.time() < 40.0 && circuits.step(&mut log) != CircuitEvent::Ended {}
            (log.messages(), log.completed, log.refused)
        };
        let mut late = network(config(4, id, 0.4), &ManualFaults::default(), seed);
        late.add_onset(0.0, &mut faults.clone()).expect("an onset");
        assert_eq!(run(late), run(network(config(4, id, 0.4), &faults, seed)), "{id} {seed}");
    }
}

/// Until faults arrive, the network is that without faults.
#[test]
fn the_time_before_an_onset_is_that_of_a_healthy_network() {
    let run = |onset: Option<f64>| {
        let mut circuits = network(config(4, "up", 0.4), &ManualFaults::default(), 3);
        if let Some(time) = onset {
            let mut faults = ManualFaults { nodes: [5].into(), ..ManualFaults::default() };
            circuits.add_onset(time, &mut faults).expect("an onset");
        }
        let mut log = Log::default();
        while circuits.next_time() <= 50.0 {
            circuits.step(&mut log);
        }
        (log.messages(), log.completed)
    };
    assert_eq!(run(Some(50.5)), run(None));
    assert_ne!(run(Some(49.0)), run(None));
}

/// In one dimension, a link that breaks leaves the opposite one and its messages as they are. What
/// waits for it or crosses it is lost, and what comes later is refused.
#[test]
fn the_other_direction_is_undisturbed() {
    let broken = ManualFaults { links: [(0, 0)].into(), ..ManualFaults::default() };
    let lost: u64 = (0..12).map(|seed| lost_in_one_dimension(&broken, seed)).sum();
    assert!(lost > 12, "{lost}");
}

/// Returns the number of messages lost in one dimension when the link out of node 0 breaks at time
/// 100.
fn lost_in_one_dimension(broken: &ManualFaults, seed: u64) -> u64 {
    let run = |onset: Option<f64>| {
        let mut circuits = network(config(1, "e-cube", 0.7), &ManualFaults::default(), seed);
        if let Some(time) = onset {
            circuits.add_onset(time, &mut broken.clone()).expect("an onset");
        }
        let mut log = Log::default();
        while circuits.next_time() < 300.0 {
            circuits.step(&mut log);
        }
        (log, circuits.transition(), circuits.in_network())
    };
    let ((with, found, _), (without, ..)) = (run(Some(100.0)), run(None));
    assert!(with.messages() == without.messages(), "the arrivals differ");
    for (index, message) in with.given.iter().enumerate() {
        let is_undisturbed = message.from == 1 || without.completed[index].is_none_or(|time| time < 100.0);
        let expected = if is_undisturbed { without.completed[index] } else { None };
        assert_eq!(with.completed[index], expected, "{message:?}");
    }
    // The fault ends the messages of node 0 that are in the network at time 100, and no others.
    let in_network = |at: usize| {
        let (message, completed) = (&without.given[at], without.completed[at]);
        let end = completed.map_or(f64::INFINITY, |time| time + message.duration);
        message.from == 0 && message.time < 100.0 && end > 100.0
    };
    let found = found.expect("a fault has arrived");
    assert_eq!(found.lost, (0..with.given.len()).filter(|&at| in_network(at)).count() as u64);
    let refused = with.given.iter().filter(|message| message.from == 0 && message.time >= 100.0).count();
    assert_eq!((with.refused.len(), found.torn), (refused, 0));
    found.lost
}

/// A single circuit from a node to its opposite is cut on its first link while it transmits. Under
/// UP the other way round is permitted from node 0, so the source starts again after an exponential
/// time; the circuit is complete at once and transmits for the whole duration. e-cube has no other
/// path.
#[test]
fn a_cut_circuit_is_set_up_on_the_other_path() {
    let (mut traced, mut recovery) = (0, Vec::new());
    for seed in 0..4000 {
        let alone = CircuitConfig { pattern: Pattern::Named(NamedPermutation::Complement), ..config(2, "up", 1e-4) };
        let mut healthy = network(alone.clone(), &ManualFaults::default(), seed);
        let mut log = Log::default();
        healthy.step(&mut log);
        let first = log.given[0].clone();
        if first.from != 0 {
            continue;
        }
        assert_eq!(first.path, [(0, 0), (1, 1)]);
        let onset = first.time + first.duration / 2.0;
        let mut faults = ManualFaults { links: [(0, 0)].into(), ..ManualFaults::default() };
        let mut circuits = network(alone.clone(), &ManualFaults::default(), seed);
        circuits.add_onset(onset, &mut faults).expect("an onset");
        let mut log = Log::default();
        circuits.step(&mut log);
        let event = circuits.step(&mut log);
        if matches!(event, CircuitEvent::Generated { .. }) {
            continue; // The next message came first.
        }
        assert_eq!(event, CircuitEvent::FaultsArrived { torn: 1, lost: 0 });
        assert_eq!((circuits.time(), circuits.torn_since(0), circuits.backlog()), (onset, Some(onset), 1));
        assert!(circuits.messages().all(|message| message.path().next().is_none() && message.attempts() == 1));
        if circuits.step(&mut log) != (CircuitEvent::Retried { number: 0, complete: true }) {
            continue; // The next message came first.
        }
        let again = circuits.time();
        let path: Vec<_> = circuits.messages().flat_map(|message| message.path().collect::<Vec<_>>()).collect();
        assert_eq!(path, [(0, 1), (2, 0)].map(|(from, dim)| Link { from: NodeId(from), dim }));
        recovery.push(again - onset);
        if circuits.step(&mut log) == (CircuitEvent::Transmitted { number: 0, granted: 0 }) {
            assert_eq!(circuits.time(), again + first.duration);
            traced += 1;
        }
        let found = circuits.transition().expect("a fault has arrived");
        assert_eq!((found.torn, found.torn_complete, found.retried, found.restored, found.lost), (1, 1, 1, 1, 0));
        assert_eq!((found.recovery, found.time), (again - onset, again - onset));
        // e-cube loses the message.
        let mut circuits = network(
            CircuitConfig { pattern: Pattern::Named(NamedPermutation::Complement), ..config(2, "e-cube", 1e-4) },
            &ManualFaults::default(),
            seed,
        );
        let mut faults = ManualFaults { links: [(0, 0)].into(), ..ManualFaults::default() };
        circuits.add_onset(onset, &mut faults).expect("an onset");
        circuits.step(&mut ());
        assert_eq!(circuits.step(&mut ()), CircuitEvent::FaultsArrived { torn: 0, lost: 1 });
        assert_eq!(circuits.in_network(), 0);
    }
    assert!(traced > 800, "{traced}");
    // The mean is 1 under reserve and hold; a thousand exponential times have a standard error of
    // 0.03.
    let mean = recovery.iter().sum::<f64>() / recovery.len() as f64;
    assert!((mean - 1.0).abs() < 4.0 / (recovery.len() as f64).sqrt(), "{mean}");
}

/// A measurement follows a message of the window once: a repeated circuit counts as recovery only,
/// and lost messages do not keep the run from ending.
#[test]
fn a_measurement_ends_and_counts_a_message_once() {
    const LINKS: [Edge; 8] = [(0, 1), (31, 4), (7, 3), (8, 0), (16, 2), (1, 2), (5, 1), (10, 2)];
    let (mut torn, mut during, mut time) = (0, 0, 0.0);
    for seed in 0..20 {
        let setup = [SetupPolicy::Hold, SetupPolicy::Retry { backoff: 0.5 }][seed as usize % 2];
        let mut circuits = network(CircuitConfig { setup, ..config(5, "up", 0.3) }, &ManualFaults::default(), seed);
        let mut faults = ManualFaults { nodes: [3, 12].into(), links: LINKS.into() };
        circuits.add_onset(150.0, &mut faults).expect("an onset");
        let window = CircuitWindow { from: 100.0, until: 200.0, batches: 4 };
        let run = CircuitMeasurement::new(circuits, window).run_until(u64::MAX).expect("an end");
        let found = run.transition.expect("faults have arrived");
        assert!(run.completed <= run.generated && run.generated - run.completed <= found.lost);
        let periods = found.periods;
        assert_eq!(periods.iter().map(|period| period.lost).sum::<u64>(), found.lost);
        for period in periods {
            assert!(period.completed + period.refused <= period.generated, "{period:?}");
        }
        // About 0.3 * 32 messages a unit of time in the second half of the time before.
        assert!((600..850).contains(&periods[0].generated) && periods[2].generated > 300, "{periods:?}");
        assert_eq!(found.restored, found.torn, "{found:?}");
        torn += found.torn;
        during += periods[1].generated;
        time += found.time;
    }
    // Thirty nodes are left, each with a Poisson process.
    let expected = 0.3 * 30.0 * time;
    assert!((during as f64 - expected).abs() < 4.0 * expected.sqrt() && torn > 10, "{during} {expected} {torn}");
}

#[test]
fn onsets_must_ascend() {
    let mut circuits = network(config(3, "up", 0.3), &ManualFaults::default(), 1);
    let none = &mut ManualFaults::default();
    assert_eq!(circuits.add_onset(-1.0, none), Err(CircuitError::Onset(-1.0)));
    assert_eq!(circuits.add_onset(2.0, none), Ok(()));
    assert_eq!(circuits.add_onset(2.0, none), Err(CircuitError::Onset(2.0)));
    assert_eq!(circuits.onsets(), [2.0]);
}

/// The example shows what its sentence says: all torn messages of UP are complete again at time 20,
/// and e-cube gives up every message that the node's failure hits.
#[test]
fn example_shows_torn_circuits_of_up_and_lost_ones_of_ecube() {
    let example = presets().iter().find(|example| example.id == "circuit-breaks").expect("the example");
    let one: Experiment = example.experiment.parse().expect("an experiment");
    let mut watch = CircuitWatch::new(&one, CubePointConfig::new(&one, None).expect("a cube"));
    while watch.work(10_000) {}
    watch.seek(20.0);
    while !watch.is_at_target() {
        watch.work(1000);
    }
    let [ecube, up] = [0, 1].map(|index| watch.networks()[index].circuits().transition().expect("a fault"));
    assert!(up.torn > 0 && up.restored == up.torn && up.lost > 0, "{up:?}");
    assert!(ecube.torn == 0 && ecube.lost > up.lost, "{ecube:?} {up:?}");
}
