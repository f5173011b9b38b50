//! Tests of deadlocks of worms, and of routings that must not deadlock.

use std::sync::Arc;

use faultlab::fault::BlockFaults;
use faultlab::routing::{
    Rule, Shared, Unsupported, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormType,
};
use faultlab::switching::{
    Arbitration, Injection, InjectionPolicy, WormEnd, WormMeasurement, WormWarmUp, WormWindow, WormholeConfig,
};
use faultlab::topology::{Mesh, NodeId, Port};

use super::{config, intact, mesh, network};

/// Rule of the routings in these tests.
static RULE: Rule = Rule::worm("test", |_| "".into());

/// Unsafe routing: clockwise around a 2 x 2 mesh with a single class.
struct ClockwiseRing;

impl WormRouting for ClockwiseRing {
    fn vc_classes(&self, _: Mesh) -> u8 {
        1
    }

    fn check_network(&self, _: Mesh) -> Result<(), Unsupported> {
        Ok(())
    }

    fn initial_header(&self, _: &BlockFaults, _: NodeId, _: NodeId, _: u32) -> WormHeader {
        WormHeader::normal(WormType::WE)
    }

    fn route_compute(&self, _: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let port = [Port::EAST, Port::SOUTH, Port::NORTH, Port::WEST][at.here.0 as usize];
        choices.add(VcRequest { port, class: 0, header: at.header, rule: &RULE });
    }

    fn is_proved(&self, _: &BlockFaults) -> bool {
        false
    }
}

fn carousel(virtual_channels: u8, length: u16) -> WormholeConfig {
    WormholeConfig {
        virtual_channels,
        length: length.into(),
        load: 0.0,
        ..WormholeConfig::new(Shared::Static(&ClockwiseRing))
    }
}

#[test]
fn four_messages_around_a_ring_deadlock() {
    // Each message goes two hops clockwise: all take their first channel in cycle 0 and then
    // request the channel of the next message.
    let clockwise = [0, 1, 3, 2].map(NodeId);
    let mut worms = network(carousel(1, 20), &intact(2, 2), 1);
    for start in 0..4 {
        assert!(worms.offer(clockwise[start], clockwise[(start + 2) % 4]).is_some());
    }
    // Cycles 0 and 1 fill the buffers; nothing moves in cycle 2.
    (0..3).for_each(|_| worms.step(&mut ()));
    let deadlock = worms.outcome().expect("a deadlock").clone();
    assert_eq!((worms.cycle(), deadlock.since, deadlock.messages), (3, 1, 4));
    assert_eq!(deadlock.cycle.len(), 4);
    for (position, wait) in deadlock.cycle.iter().enumerate() {
        let next = &deadlock.cycle[(position + 1) % 4];
        assert_eq!(wait.wants, [(next.holds, next.number)]);
        assert_eq!(worms.holder(wait.holds).unwrap().number(), wait.number);
    }
    worms.step(&mut ());
    assert_eq!(worms.cycle(), 3);
}

#[test]
fn second_virtual_channel_prevents_deadlock() {
    // Even a single flit holds the channel in whose buffer it waits.
    for (virtual_channels, length, ends) in [(2, 20, false), (1, 2, true), (1, 1, true)] {
        let clockwise = [0, 1, 3, 2].map(NodeId);
        let mut worms = network(carousel(virtual_channels, length), &intact(2, 2), 1);
        for start in 0..4 {
            worms.offer(clockwise[start], clockwise[(start + 2) % 4]).unwrap();
        }
        (0..200).for_each(|_| worms.step(&mut ()));
        assert_eq!(worms.outcome().is_some(), ends, "{virtual_channels} {length}");
        assert_eq!(worms.delivered(), if ends { 0 } else { 4 });
    }
}

/// [`ClockwiseRing`] in the four nodes of the north-western corner, e-cube elsewhere.
struct ClockwiseCorner;

impl WormRouting for ClockwiseCorner {
    fn vc_classes(&self, _: Mesh) -> u8 {
        1
    }

    fn check_network(&self, _: Mesh) -> Result<(), Unsupported> {
        Ok(())
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        ClockwiseRing.initial_header(faults, from, to, number)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let ((row, column), (to_row, to_column)) =
            (faults.mesh().row_and_column(at.here), faults.mesh().row_and_column(at.to));
        let port = match (row, column) {
            _ if row.max(column).max(to_row).max(to_column) > 1 => {
                if column == to_column {
                    Port::along(1, to_row > row)
                } else {
                    Port::along(0, to_column > column)
                }
            }
            (0, 0) => Port::EAST,
            (0, _) => Port::SOUTH,
            (_, 0) => Port::NORTH,
            _ => Port::WEST,
        };
        choices.add(VcRequest { port, class: 0, header: at.header, rule: &RULE });
    }

    fn is_proved(&self, _: &BlockFaults) -> bool {
        false
    }
}

#[test]
fn detects_deadlock_while_other_messages_move() {
    let config =
        WormholeConfig { virtual_channels: 1, load: 0.1, ..WormholeConfig::new(Shared::Static(&ClockwiseCorner)) };
    let window = WormWindow { warm_up: WormWarmUp::Fixed(0), batches: 1, batch: 10_000_000 };
    let mut measurement = WormMeasurement::new(network(config, &intact(5, 5), 2), window);
    let run = measurement.run_until(u64::MAX).unwrap();
    let WormEnd::Deadlock { since, cycle } = run.end else { panic!("{:?}", run.end) };
    assert!(since < run.cycles && run.cycles - since < 5_000, "{since} {}", run.cycles);
    assert!((2..=4).contains(&cycle));
    let deadlock = measurement.worms().outcome().unwrap();
    let mesh = mesh(5, 5);
    for wait in &deadlock.cycle {
        let (row, column) = mesh.row_and_column(mesh.channel_ends(wait.holds.channel).0);
        assert!(row <= 1 && column <= 1);
    }
    assert_eq!(run.generated, run.discarded + run.delivered + run.lost + run.in_flight);
}

#[test]
fn ecube_never_deadlocks() {
    for (virtual_channels, policy, arbitration) in [
        (1, InjectionPolicy::Queue, Arbitration::RoundRobin),
        (1, InjectionPolicy::Discard, Arbitration::Random),
        (8, InjectionPolicy::Queue, Arbitration::Oldest),
    ] {
        let injection = Injection { limit: 8, policy };
        let config = WormholeConfig { virtual_channels, injection, arbitration, load: 2.0, ..config("e-cube") };
        let mut worms = network(config, &intact(8, 8), 7);
        (0..30_000).for_each(|_| worms.step(&mut ()));
        assert_eq!(worms.outcome(), None);
        assert_eq!(worms.find_deadlock(), None);
        assert!(worms.delivered() > 20_000);
    }
}

#[test]
fn ecube_loses_messages_blocked_by_faults() {
    let mesh = mesh(5, 5);
    let broken = mesh.node(2, 2).unwrap();
    let faults = Arc::new(BlockFaults::new(mesh, &[broken], &[]));
    let start = network(WormholeConfig { load: 0.0, ..config("e-cube") }, &faults, 1);
    for (from, to, delivered) in [("2.0", "2.4", 0), ("0.0", "4.2", 0), ("0.2", "4.0", 1), ("2.1", "2.3", 0)] {
        let mut worms = start.clone();
        let node = |text| mesh.parse_node(text).unwrap();
        assert!(worms.offer(node(from), node(to)).is_some());
        (0..60).for_each(|_| worms.step(&mut ()));
        assert_eq!((worms.delivered(), worms.lost(), worms.in_flight()), (delivered, 1 - delivered, 0), "{from} {to}");
    }
    let mut worms = start;
    assert_eq!(
        (worms.offer(broken, NodeId(0)), worms.offer(NodeId(0), broken), worms.offer(NodeId(1), NodeId(1))),
        (None, None, None)
    );
}
