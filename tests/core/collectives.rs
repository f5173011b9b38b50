//! Messages of collective operations: closed forms of their numbers, rounds and times, and their
//! semantics.

use std::collections::BTreeSet;

use faultlab::experiment::PointResult;
use faultlab::topology::{Network, NodeId};
use faultlab::traffic::{Collective, MessageSchedule};

use crate::common::measure;

fn messages(operation: Collective, net: &str, length: u32) -> MessageSchedule {
    operation.messages(network(net), length, 3).expect("messages")
}

fn network(net: &str) -> Network {
    Network::parse(net).expect("a network")
}

fn ceil_lg(n: usize) -> u32 {
    n.next_power_of_two().ilog2()
}

const NETWORKS: [&str; 9] =
    ["mesh:2", "mesh:5", "mesh:2x3", "mesh:4x4", "torus:8", "torus:4x6", "mesh:3x3x3", "cube:1", "cube:5"];

#[test]
fn numbers_of_messages_and_rounds_are_the_closed_forms() {
    for net in NETWORKS {
        let n = network(net).last_node().0 as usize + 1;
        let of = |operation| {
            let schedule = messages(operation, net, 16);
            (schedule.messages().len(), schedule.depth())
        };
        assert_eq!(of(Collective::AllReduceRing), (2 * n * (n - 1), 2 * (n as u32 - 1)), "{net}");
        assert_eq!(of(Collective::AllToAll), (n * (n - 1), 1), "{net}");
        assert_eq!(of(Collective::Broadcast), (n - 1, ceil_lg(n)), "{net}");
        let (count, depth) = of(Collective::AllReduceTree);
        assert_eq!(count, 2 * (n - 1), "{net}");
        assert!(depth == 2 * ceil_lg(n) || !n.is_power_of_two() && depth < 2 * ceil_lg(n), "{net}: {depth}");
        let doubling = Collective::AllReduceDoubling.messages(network(net), 16, 1);
        let found = doubling.ok().map(|schedule| (schedule.messages().len(), schedule.depth()));
        assert_eq!(found, n.is_power_of_two().then_some((n * ceil_lg(n) as usize, ceil_lg(n))), "{net}");
        let links = network(net).wormhole_mesh().expect("a mesh").iter_links().count();
        assert_eq!(of(Collective::Halo), (3 * 2 * links, 3), "{net}");
    }
}

/// Returns what the sender of each message knows for certain: its own data, and those of the
/// messages that have arrived at it, or that it has sent, before.
fn carried(schedule: &MessageSchedule) -> Vec<BTreeSet<NodeId>> {
    let mut carried: Vec<BTreeSet<NodeId>> = Vec::new();
    for message in schedule.messages() {
        let mut data = BTreeSet::from([message.from]);
        for &before in &message.after {
            let known = &schedule.messages()[before as usize];
            assert!(known.to == message.from || known.from == message.from, "a node waits for its own messages");
            data.extend(&carried[before as usize]);
        }
        carried.push(data);
    }
    carried
}

#[test]
fn every_node_ends_with_everything() {
    for net in NETWORKS {
        let n = network(net).last_node().0 as usize + 1;
        let nodes: Vec<_> = (0..n as u64).map(NodeId).collect();
        for operation in [Collective::AllReduceTree, Collective::AllReduceDoubling, Collective::AllToAll] {
            let Ok(schedule) = operation.messages(network(net), 16, 1) else { continue };
            let carried = carried(&schedule);
            for &node in &nodes {
                let arrived = schedule.messages().iter().zip(&carried).filter(|(message, _)| message.to == node);
                let known: BTreeSet<_> = arrived.flat_map(|(_, data)| data).chain([&node]).collect();
                assert_eq!(known.len(), n, "{net} {operation} {node}");
            }
        }
        let broadcast = messages(Collective::Broadcast, net, 16);
        let root = broadcast.messages()[0].from;
        let receivers: BTreeSet<_> = broadcast.messages().iter().map(|message| message.to).collect();
        assert!(carried(&broadcast).iter().all(|data| data.contains(&root)));
        assert_eq!((receivers.len(), receivers.contains(&root)), (n - 1, false), "{net}");
        // Around a ring a message has one of n chunks: in round r that with the number of its place
        // less r.
        let ring = messages(Collective::AllReduceRing, net, 16);
        let carried = carried(&ring);
        for node in nodes {
            for chunk in 0..n {
                let is_chunk = |index: usize| (index % n + 2 * n - index / n) % n == chunk;
                let arrived = (0..).zip(ring.messages()).filter(|(index, it)| it.to == node && is_chunk(*index));
                let known: BTreeSet<_> = arrived.flat_map(|(index, _)| &carried[index]).chain([&node]).collect();
                assert_eq!(known.len(), n, "{net} {node} {chunk}");
            }
        }
    }
}

fn finish(text: &str) -> f64 {
    value(&measure(text)[0], "finish").expect("an end")
}

fn value(point: &PointResult, id: &str) -> Option<f64> {
    let kind = point.config.setting.kind();
    let metric = kind.metrics.iter().find(|metric| metric.id == id).expect("a metric");
    point.estimate(metric).map(|estimate| estimate.mean)
}

fn with_messages(text: &str, net: &str, schedule: &MessageSchedule) -> String {
    format!("v=2&net={net}&switch=wormhole&faults=none&inject=64&{text}&messages={}", schedule.to_text(network(net)))
}

/// On an otherwise empty network a round of messages of L flits between neighbours takes L cycles.
#[test]
fn times_between_neighbours_are_the_closed_forms() {
    let torus = "torus:8";
    for (length, chunk) in [(8, 1.0), (100, 13.0)] {
        let ring = messages(Collective::AllReduceRing, torus, length);
        assert_eq!(finish(&with_messages("route=e-cube", torus, &ring)), 14.0 * chunk);
    }
    let doubling = messages(Collective::AllReduceDoubling, "cube:4", 24);
    assert_eq!(finish(&with_messages("route=e-cube", "cube:4", &doubling)), 4.0 * 24.0);
    let halo = messages(Collective::Halo, "mesh:4x5", 7);
    assert_eq!(finish(&with_messages("route=e-cube", "mesh:4x5", &halo)), 3.0 * 7.0);
    // Along a chain of neighbours, with a pause of 5 cycles before each hop but the first.
    let text = "0.0-0.1:9,5:0.1-0.2:9@1,5:0.2-0.3:9@2,5:0.3-0.4:9@3";
    let chain = MessageSchedule::parse(network("mesh:1x5"), text).expect("messages");
    assert_eq!(finish(&with_messages("route=e-cube", "mesh:1x5", &chain)), 4.0 * 9.0 + 3.0 * 5.0);
}

/// Messages alone, in given cycles and with lengths of their own, take hops + length - 1 cycles.
#[test]
fn a_message_starts_in_its_cycle() {
    let text = "100:0.0-0.3:20,1000:3.0-0.3:256,2000:1.1-1.2:1";
    let schedule = MessageSchedule::parse(network("mesh:4x4"), text).expect("messages");
    let points = measure(&with_messages("route=e-cube", "mesh:4x4", &schedule));
    assert_eq!(value(&points[0], "finish"), Some(2001.0));
    assert_eq!(value(&points[0], "latency"), Some((22.0 + 261.0 + 1.0) / 3.0));
    assert_eq!(value(&points[0], "unstarted"), Some(0.0));
    let throughput = value(&points[0], "throughput").expect("a throughput");
    assert!((throughput - 277.0 / (16.0 * 2001.0)).abs() < 1e-12);
}

/// Messages that depend on lost ones never start. They are counted, and the run ends.
#[test]
fn dependents_of_lost_messages_never_start() {
    let text = "0.0-1.1:4,1.1-2.2:4@1,2.2-3.3:4@2,0.0-0.3:4,0.3-3.3:4@4";
    let messages = MessageSchedule::parse(network("mesh:4x4"), text).expect("messages");
    let points = measure(&with_messages("route=e-cube&break=1.1", "mesh:4x4", &messages));
    let of = |id| value(&points[0], id);
    assert_eq!((of("unstarted"), of("lost")), (Some(2.0), Some(1.0 / 3.0)));
    assert_eq!(of("finish"), Some((3.0 + 3.0) + (3.0 + 3.0)));
}
