//! Checks of captions about Watch: single messages and networks of worms. The unit tests of
//! `presets.rs` check outcomes and times.

use faultlab::experiment::presets::preset;
use faultlab::experiment::{Experiment, Instance, WormWatch};
use faultlab::switching::Outcome;
use faultlab::topology::{NodeId, set_dimensions};

use crate::common::{experiment, instance};

fn watched(id: &str) -> Instance {
    instance(&preset(id).expect("a preset").experiment)
}

/// Counts the neighbours of a node on minimal paths to node 11..1, and the faulty ones among them.
fn ahead(instance: &mut Instance, node: NodeId) -> (usize, usize) {
    let cube = instance.cell.cube;
    let next: Vec<_> = set_dimensions(node.0 ^ cube.mask()).map(|dim| cube.neighbor(node, dim)).collect();
    (next.len(), next.iter().filter(|&&node| instance.is_faulty(node)).count())
}

/// Presets "around" ("At 110011 both neighbours nearer to the destination are faulty"),
/// "four-algorithms" ("neither takes more than six hops"), "closed-set" ("Three blocked nodes
/// surround one that is not blocked") and "blocked-at-source".
#[test]
fn blocked_nodes_are_as_quoted() {
    assert_eq!(ahead(&mut watched("around"), NodeId(0b110011)), (2, 2));
    assert!(watched("four-algorithms").traces.iter().all(|trace| trace.hops.len() <= 6));
    let mut instance = watched("closed-set");
    let trap = instance.traces[0].trap.clone().expect("a closed set");
    let blocked = trap.nodes.iter().filter(|&&node| {
        let (all, faulty) = ahead(&mut instance, node);
        all == faulty
    });
    assert_eq!((trap.nodes.len(), blocked.count()), (4, 3));
    assert_eq!(ahead(&mut watched("blocked-at-source"), NodeId(0)), (5, 5));
}

/// Preset "dead-end": "Blocked at 11010, the message marks the node and sidetracks into a region
/// whose only exit is this node."
#[test]
fn backtracking_marks_the_only_exit() {
    let mut instance = watched("dead-end");
    let trace = instance.traces[0].clone();
    let [.., last] = trace.hops.as_slice() else { unreachable!("hops") };
    assert_eq!((trace.outcome, last.from, last.rule.is_detour()), (Outcome::Blocked, NodeId(0b11010), true));
    let cube = instance.cell.cube;
    let exits = set_dimensions(cube.mask()).map(|dim| cube.neighbor(last.to, dim));
    let exits: Vec<_> = exits.filter(|&node| !instance.is_faulty(node)).collect();
    assert_eq!(exits, [NodeId(0b11010)]);
}

/// Simulates the networks of a preset to their end.
fn worms(id: &str) -> WormWatch {
    let experiment: Experiment = experiment(&preset(id).expect("a preset").experiment);
    let mut watch = WormWatch::new(&experiment).expect("a network");
    while watch.work(1 << 20) {}
    watch.seek(u64::MAX);
    while !watch.is_at_target() {
        watch.work(1 << 20);
    }
    watch
}

/// Preset "worm-overlap": "After a thousand cycles two messages wait for each other forever".
#[test]
fn two_messages_wait_after_a_thousand_cycles() {
    let watch = worms("worm-overlap");
    let deadlock = watch.networks()[0].known_outcome().expect("a deadlock");
    assert_eq!(deadlock.cycle.len(), 2);
    assert!((500..1500).contains(&deadlock.since), "{}", deadlock.since);
}

/// Preset "cube-worms": one virtual channel "is enough" for UP, and any minimal hop "deadlocks".
#[test]
fn one_channel_is_enough_for_up() {
    let watch = worms("cube-worms");
    assert!(watch.networks()[0].known_outcome().is_none() && watch.networks()[1].known_outcome().is_some());
    assert_eq!(watch.networks()[0].worms().config().virtual_channels, 1);
}
