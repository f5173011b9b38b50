//! Tests of faults that arrive while messages move: messages are cut, drained and sent again.

use std::collections::BTreeSet;
use std::sync::Arc;

use faultlab::fault::BlockFaults;
use faultlab::random::{Key, below};
use faultlab::switching::{Injection, InjectionPolicy, WormDelivery, WormObserver, WormholeConfig, WormholeNetwork};
use faultlab::topology::NodeId;

use super::{config, intact, network, send_single};
use crate::common::mesh;

/// Numbers of delivered and of lost messages.
#[derive(Default)]
struct Ends {
    delivered: Vec<WormDelivery>,
    lost: Vec<u64>,
}

impl WormObserver for Ends {
    fn delivered(&mut self, message: &WormDelivery) {
        self.delivered.push(*message);
    }

    fn lost(&mut self, number: u64) {
        self.lost.push(number);
    }
}

/// Every message ends exactly once: it is delivered, or given up because an end has become faulty. The
/// network becomes empty, and its counts add up.
#[test]
fn every_message_ends_once() {
    let (mut cut, mut drained) = (0, 0);
    for seed in 0..60 {
        let generator = &mut Key::from_seed(seed).generator();
        let id = ["f-cube2", "f-cube4", "lh4", "up-down", "weak-f-cube4"][seed as usize % 5];
        let nodes: Vec<_> = (0..1 + below(generator, 2)).map(|_| NodeId(u64::from(below(generator, 64)))).collect();
        let faults = Arc::new(BlockFaults::new(mesh(8, 8), &nodes, &[]));
        let injection = Injection { limit: 3, policy: InjectionPolicy::Queue };
        let config = WormholeConfig { load: 0.6, injection, ..config(id) };
        if id == "f-cube2" && !config.routing.is_proved(&faults) {
            continue;
        }
        let mut worms = network(config, &intact(8, 8), seed);
        worms.add_onset(700, faults.clone());
        let mut ends = Ends::default();
        for _ in 0..1500 {
            worms.step(&mut ends);
        }
        assert!(worms.outcome().is_none(), "{id} {nodes:?}");
        let found = worms.transition().expect("faults have arrived");
        assert_eq!(worms.generated(), worms.delivered() + worms.in_flight() + worms.lost() + worms.discarded());
        assert_eq!(worms.lost(), found.given_up, "{id} {nodes:?}");
        assert_eq!(found.status_messages, faults.formation_messages().total);
        // Rings form in two cycles and one for each round of closure; draining is bounded.
        let forming = faults.rounds().len() as u64 + 2;
        assert!((forming..=forming + 14 + 20).contains(&found.cycles), "{found:?}");
        let numbers: BTreeSet<_> = ends.delivered.iter().map(|it| it.number).chain(ends.lost.iter().copied()).collect();
        assert_eq!(numbers.len(), ends.delivered.len() + ends.lost.len());
        assert!(ends.delivered.iter().all(|it| it.finished <= 701 || faults.is_member(it.to)));
        cut += found.cut;
        drained += found.drained;
    }
    assert!(cut > 20 && drained > 20, "{cut} {drained}");
}

/// Faults that arrive twice, the second time also during the first transition: every message ends
/// exactly once, nothing deadlocks, and only the final members receive at the end.
#[test]
fn every_message_ends_once_after_two_onsets() {
    let mut cut = 0;
    for seed in 0..60 {
        let generator = &mut Key::from_seed(seed).generator();
        let id = ["f-cube4", "lh4", "up-down", "weak-f-cube4"][seed as usize % 4];
        let nodes: Vec<_> = (0..3).map(|_| NodeId(u64::from(below(generator, 64)))).collect();
        let faults = |count: usize| Arc::new(BlockFaults::new(mesh(8, 8), &nodes[..count], &[]));
        let injection = Injection { limit: 3, policy: InjectionPolicy::Queue };
        let config = WormholeConfig { load: 0.6, injection, ..config(id) };
        let mut worms = network(config, &faults(1), seed);
        let second = [703, 1000][seed as usize / 4 % 2];
        worms.add_onset(700, faults(2));
        worms.add_onset(second, faults(3));
        assert_eq!(worms.onsets(), [700, second]);
        let mut ends = Ends::default();
        for _ in 0..2000 {
            worms.step(&mut ends);
        }
        assert!(worms.outcome().is_none(), "{id} {nodes:?}");
        let found = worms.transition().expect("faults have arrived");
        assert_eq!(worms.generated(), worms.delivered() + worms.in_flight() + worms.lost() + worms.discarded());
        assert_eq!(worms.lost(), found.given_up, "{id} {nodes:?}");
        let formed = [2, 3].map(|count| faults(count).formation_messages().total);
        assert_eq!(found.status_messages, formed.iter().sum::<u64>());
        let numbers: BTreeSet<_> = ends.delivered.iter().map(|it| it.number).chain(ends.lost.iter().copied()).collect();
        assert_eq!(numbers.len(), ends.delivered.len() + ends.lost.len());
        let last = faults(3);
        assert!(ends.delivered.iter().all(|it| it.finished <= second + 1 || last.is_member(it.to)));
        cut += found.cut;
    }
    assert!(cut > 40, "{cut}");
}

/// A single message that a fault cuts: it is sent again after twice the time of a message alone,
/// diameter + length = 27 cycles, and takes the way around the fault.
#[test]
fn a_cut_message_arrives_later() {
    let (at, length) = (|row, column| mesh(4, 8).node(row, column).expect("a node"), 17.into());
    let faults = Arc::new(BlockFaults::new(mesh(4, 8), &[at(1, 4)], &[]));
    let config = WormholeConfig { load: 0.0, length, ..config("f-cube4") };
    let alone = send_single(network(config.clone(), &faults, 1), at(1, 1), at(1, 7));
    let mut worms: WormholeNetwork = network(config, &intact(4, 8), 1);
    worms.add_onset(6, faults);
    worms.offer(at(1, 1), at(1, 7)).expect("a message");
    let mut ends = Ends::default();
    while worms.in_flight() > 0 {
        worms.step(&mut ends);
    }
    let found = worms.transition().expect("faults have arrived");
    assert_eq!((found.cut, found.resent, found.given_up, found.undrained), (1, 1, 0, 0));
    let arrived = ends.delivered[0];
    assert_eq!((arrived.number, arrived.hops), (0, alone.1));
    assert_eq!(arrived.latency(), 6 + 2 * 27 + alone.0);
}
