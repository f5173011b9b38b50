//! Tests of batches of worms on static routes: deadlock and completion.

use std::collections::BTreeMap;

use faultlab::random::Key;
use faultlab::routing::oblivious::{FIGURE_3_3, ObliviousRoute, U_TURN_PAIR};
use faultlab::switching::{BatchOutcome, BatchRun, FlowControl, StaticCongestion, WormBatchRun};
use faultlab::topology::{Link, NodeId};
use faultlab::traffic::{HRelation, Permutation};

use super::{cube, no_faults, sample_faults, scheme, try_scheme};

/// Runs a batch to its end, and asserts in every cycle that each channel has at most one owner.
fn run(n: u8, routes: &[ObliviousRoute], flits: u16, seed: u64) -> WormBatchRun {
    let mut batch = WormBatchRun::new(cube(n), routes, flits, Key::from_seed(seed)).expect("a small batch");
    while batch.outcome().is_none() {
        batch.step();
        let mut owners: BTreeMap<Link, u32> = BTreeMap::new();
        for message in 0..routes.len() as u32 {
            for link in batch.held_channels(message) {
                assert_eq!(owners.insert(link, message), None, "{link} has two owners");
            }
        }
        assert!(batch.cycle() < 1_000_000);
    }
    batch
}

fn pair(pair: [[NodeId; 3]; 2]) -> Vec<ObliviousRoute> {
    let routing = scheme("algorithm-a", no_faults(2));
    pair.into_iter().map(|[s, i, d]| routing.route_via(s, d, Some(i)).expect("no faults")).collect()
}

/// Returns the existing routes of a random permutation.
fn permuted(n: u8, id: &str, seed: u64) -> Vec<ObliviousRoute> {
    let routing = scheme(id, no_faults(n));
    let key = Key::from_seed(seed);
    let active = super::nodes(n).filter(|&node| routing.is_active(node));
    let relation = HRelation::new(cube(n), Permutation::Random, 1, active, key.child(1)).expect("a small relation");
    let routes = relation.iter().zip(10..);
    routes.filter_map(|((from, to), number)| routing.route(from, to, &mut key.child(number).generator()).ok()).collect()
}

#[test]
fn a_worm_alone_takes_its_hops_and_its_flits() {
    for route in permuted(6, "algorithm-b", 1).iter().take(20) {
        for flits in [1, 2, 7, 40] {
            let batch = run(6, std::slice::from_ref(route), flits, 1);
            assert_eq!(batch.finished(), [Some(route.length() + u32::from(flits) - 1)]);
        }
    }
}

/// The pair of Fig. 3-3 deadlocks exactly if its messages have two flits or more; the U-turn pair
/// always deadlocks.
#[test]
fn two_messages_can_deadlock() {
    for seed in 0..5 {
        assert_eq!(run(2, &pair(FIGURE_3_3), 1, seed).outcome(), Some(&BatchOutcome::Delivered));
        for flits in 1..6 {
            let mut frozen = vec![pair(U_TURN_PAIR)];
            frozen.extend((flits > 1).then(|| pair(FIGURE_3_3)));
            for routes in frozen {
                let batch = run(2, &routes, flits, seed);
                let Some(BatchOutcome::Deadlock(circle)) = batch.outcome() else { panic!("{flits} flits") };
                assert_eq!(circle.len(), 2);
                for (wait, holder) in circle.iter().zip([circle[1].message, circle[0].message]) {
                    assert!(batch.held_channels(holder).any(|link| link == wait.wants));
                }
            }
        }
    }
}

/// Schemes with a channel order never deadlock: every message arrives. None arrives before its hops
/// and flits allow, or before the busiest channel has transmitted its messages.
#[test]
fn ordered_schemes_always_deliver() {
    for id in ["bit-fixing", "algorithm-b"] {
        for (n, flits, seed) in [(3, 1, 1), (4, 5, 2), (5, 20, 3), (6, 3, 4), (7, 30, 5)] {
            let routes = permuted(n, id, seed);
            let batch = run(n, &routes, flits, seed);
            assert_eq!(batch.outcome(), Some(&BatchOutcome::Delivered), "{id} n={n}");
            let mut crossings: BTreeMap<Link, u32> = BTreeMap::new();
            for (route, finished) in routes.iter().zip(batch.finished()) {
                let least = (route.length() + u32::from(flits)).saturating_sub(1);
                assert!(route.length() == 0 || finished.is_some_and(|finished| finished >= least));
                route.hops().for_each(|hop| *crossings.entry(hop.link).or_default() += 1);
            }
            let busiest = crossings.values().max().copied().unwrap_or(0);
            assert!(batch.cycle() >= busiest * u32::from(flits));
        }
    }
    for seed in 0..10 {
        let Ok(routing) = try_scheme("kim-shin", sample_faults(6, 0.06, seed)) else { continue };
        let key = Key::from_seed(seed);
        let nodes: Vec<_> = super::nodes(6).filter(|&node| routing.is_active(node)).collect();
        let routes: Vec<_> = nodes
            .iter()
            .zip(nodes.iter().rev())
            .filter_map(|(&from, &to)| routing.route(from, to, &mut key.generator()).ok())
            .collect();
        assert_eq!(run(6, &routes, 9, seed).outcome(), Some(&BatchOutcome::Delivered));
    }
}

/// A full permutation under Algorithm A deadlocks if messages are long, and the reported cyclic
/// wait is correct.
#[test]
fn algorithm_a_deadlocks_with_long_messages() {
    let mut frozen = 0;
    for seed in 0..10 {
        let batch = run(6, &permuted(6, "algorithm-a", seed), 20, seed);
        let Some(BatchOutcome::Deadlock(circle)) = batch.outcome() else { continue };
        frozen += 1;
        assert!(circle.len() >= 2);
        for (place, wait) in circle.iter().enumerate() {
            let holder = circle[(place + 1) % circle.len()].message;
            assert!(batch.held_channels(holder).any(|link| link == wait.wants));
        }
    }
    assert!(frozen >= 8, "{frozen} of 10");
}

#[test]
fn rejects_batches_out_of_range() {
    assert!(WormBatchRun::new(cube(3), &[], 0, Key::from_seed(1)).is_none());
    assert!(WormBatchRun::new(cube(21), &[], 1, Key::from_seed(1)).is_none());
    // The routes of Figure 3.3 need two dimensions.
    assert!(WormBatchRun::new(cube(1), &pair(FIGURE_3_3), 1, Key::from_seed(1)).is_none());
    let mut empty = BatchRun::new(cube(3), &[], FlowControl::Wormhole, 4, Key::from_seed(1)).unwrap();
    assert_eq!(empty.run_until(1), Some(&BatchOutcome::Delivered));
}

/// Runs a batch of messages that wait in the nodes, and asserts in every cycle that no two messages
/// cross a channel.
fn run_queued(n: u8, routes: &[ObliviousRoute], flow: FlowControl, flits: u16, seed: u64) -> BatchRun {
    let mut batch = BatchRun::new(cube(n), routes, flow, flits, Key::from_seed(seed)).expect("a small batch");
    while batch.outcome().is_none() {
        batch.step();
        let mut crossing: BTreeMap<Link, u32> = BTreeMap::new();
        for message in 0..routes.len() as u32 {
            for link in batch.held_channels(message) {
                assert_eq!(crossing.insert(link, message), None, "two messages cross {link}");
            }
        }
        assert!(batch.cycle() < 1_000_000);
    }
    batch
}

const QUEUED: [FlowControl; 2] = [FlowControl::CutThrough, FlowControl::StoreAndForward];

#[test]
fn a_stored_message_alone_takes_its_hops_times_its_flits() {
    for route in permuted(6, "algorithm-b", 1).iter().take(20) {
        for flits in [1, 2, 7, 40] {
            let finished = |flow| run_queued(6, std::slice::from_ref(route), flow, flits, 1).finished().to_vec();
            let (hops, flits) = (route.length(), u32::from(flits));
            assert_eq!(finished(FlowControl::StoreAndForward), [Some(hops * flits)]);
            assert_eq!(finished(FlowControl::CutThrough), [Some(if hops == 0 { 0 } else { hops + flits - 1 })]);
        }
    }
}

/// Under complement traffic no two routes of bit-fixing share a channel, so no message waits. In a
/// 1-cube all h messages of a node cross its only channel, one after another.
#[test]
fn stored_messages_wait_only_for_shared_channels() {
    let routing = scheme("bit-fixing", no_faults(5));
    let mut generator = Key::from_seed(1).generator();
    let complement: Vec<_> = super::nodes(5)
        .map(|node| routing.route(node, NodeId(31 - node.0), &mut generator).expect("a route"))
        .collect();
    for flits in [1, 3, 8] {
        let cycles = |flow| run_queued(5, &complement, flow, flits, 1).cycle();
        let flits = u32::from(flits);
        assert_eq!(cycles(FlowControl::StoreAndForward), 5 * flits);
        assert_eq!(cycles(FlowControl::CutThrough), 5 + flits - 1);
    }
    let routing = scheme("bit-fixing", no_faults(1));
    let route =
        |from| routing.route(NodeId(from), NodeId(1 - from), &mut Key::from_seed(1).generator()).expect("a route");
    let copies: Vec<_> = (0..12).map(|number| route(number % 2)).collect();
    for flow in QUEUED {
        assert_eq!(run_queued(1, &copies, flow, 4, 1).cycle(), 6 * 4, "{flow:?}");
    }
}

/// Greedy schedules: a channel that C messages of M flits cross is busy for C M cycles, and at each
/// of at most D hops a message waits for at most C - 1 others. Nothing deadlocks, not even the pair
/// of Fig. 3-3.
#[test]
fn stored_permutations_finish_between_congestion_and_its_product_with_the_length() {
    for (id, seed) in [("bit-fixing", 1), ("valiant-brebner", 2), ("algorithm-a", 3), ("algorithm-b", 4)] {
        let routes = permuted(6, id, seed);
        let mut paths = StaticCongestion::new(cube(6)).expect("a small cube");
        routes.iter().for_each(|&route| paths.count(&Ok(route)));
        let (congestion, longest) = (paths.max_congestion(), paths.max_length().expect("routes"));
        for (flow, flits) in QUEUED.into_iter().flat_map(|flow| [1, 5].map(|flits| (flow, flits))) {
            let batch = run_queued(6, &routes, flow, flits, seed);
            let flits = u32::from(flits);
            assert!(batch.cycle() >= congestion * flits, "{id} {flow:?} {flits}");
            assert!(batch.cycle() <= congestion * longest * flits, "{id} {flow:?} {flits}");
            assert!(batch.finished().iter().all(Option::is_some));
        }
    }
    for flow in QUEUED {
        assert_eq!(run_queued(2, &pair(FIGURE_3_3), flow, 9, 1).outcome(), Some(&BatchOutcome::Delivered));
    }
}

/// Times worked out by hand for messages of 4 flits that meet on the way to node 7.
#[test]
fn a_stored_message_waits_until_the_channel_is_idle() {
    let routing = scheme("bit-fixing", no_faults(3));
    let route =
        |from, to| routing.route(NodeId(from), NodeId(to), &mut Key::from_seed(1).generator()).expect("a route");
    // Bit-fixing from 0 to 7 crosses 0 -> 1 -> 3 -> 7; from 1 to 7 it crosses 1 -> 3 -> 7.
    let routes = [route(0, 7), route(1, 7)];
    assert_eq!(routes.map(|route| route.length()), [3, 2]);
    let batch = run_queued(3, &routes, FlowControl::StoreAndForward, 4, 1);
    assert_eq!(batch.finished(), [Some(12), Some(8)], "the second is always one channel ahead");
    let routes = [route(0, 7), route(3, 7), route(3, 7)];
    let batch = run_queued(3, &routes, FlowControl::StoreAndForward, 4, 1);
    let mut times: Vec<_> = batch.finished().iter().flatten().copied().collect();
    times.sort_unstable();
    assert_eq!(times, [4, 8, 12], "both short messages are gone when the long one asks");
    let routes = [route(1, 7), route(3, 7), route(3, 7)];
    let batch = run_queued(3, &routes, FlowControl::StoreAndForward, 4, 1);
    let mut times: Vec<_> = batch.finished().iter().flatten().copied().collect();
    times.sort_unstable();
    assert_eq!(times, [4, 8, 12], "three messages share the last channel");
}
