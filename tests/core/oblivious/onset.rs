//! Tests of faults that arrive while the messages of a batch move.

use faultlab::experiment::Experiment;
use faultlab::fault::FaultyNodes;
use faultlab::random::{Key, below};
use faultlab::routing::oblivious::{ObliviousRoute, ObliviousRouting};
use faultlab::switching::{BatchOnset, BatchRun, FlowControl, TransitionCounts};
use faultlab::topology::{Link, NodeId};

use super::{cube, no_faults, scheme};
use crate::common::{experiment, measure};

const FLOWS: [FlowControl; 2] = [FlowControl::CutThrough, FlowControl::StoreAndForward];

fn faulty(n: u8, nodes: &[u64]) -> FaultyNodes {
    FaultyNodes::from_nodes(cube(n), nodes.iter().copied().map(NodeId)).expect("a small cube")
}

/// Runs a single message of 4 flits from 0 to 7 in a 3-cube, by way of 1 and 3, and of 4 and 5
/// after `fault` fails in cycle `onset`. Returns the cycle in which it arrives.
fn alone(flow: FlowControl, onset: u32, fault: u64) -> (Option<u32>, TransitionCounts) {
    let route = scheme("bit-fixing", no_faults(3)).route_via(NodeId(0), NodeId(7), None).expect("a route");
    let way = scheme("valiant-brebner", no_faults(3));
    let around = way.route_via(NodeId(0), NodeId(7), Some(NodeId(4))).expect("a route");
    let run = BatchRun::new(cube(3), [&route], flow, 4, Key::from_seed(1)).expect("a small batch");
    let (faulty, new_routes) = (faulty(3, &[fault]), [Some(around)]);
    let onset = BatchOnset { cycle: onset, faulty: &faulty, new_routes: &new_routes };
    let mut run = run.with_onset(&onset).expect("an onset");
    run.run_until(1000);
    (run.finished()[0], run.transition().expect("an onset"))
}

/// Times worked out by hand. The message crosses 0 -> 1 in cycles 0 to 3, 1 -> 3 in cycles 4 to 7,
/// and 3 -> 7 in cycles 8 to 11. Alone it takes 12 cycles, so that its source waits for 24.
#[test]
fn a_stored_message_is_cut_or_dropped_before_the_fault() {
    let stored = FlowControl::StoreAndForward;
    let counts = |cut, undrained, cycles| TransitionCounts { cut, undrained, resent: 1, cycles, ..Default::default() };
    assert_eq!(alone(stored, 2, 3), (Some(4 + 24 + 12), counts(0, 1, 2)), "it reaches node 1 first");
    assert_eq!(alone(stored, 5, 3), (Some(5 + 24 + 12), counts(1, 0, 0)), "it is on its way into the fault");
    assert_eq!(alone(stored, 8, 3), (Some(8 + 24 + 12), counts(1, 0, 0)), "it is in the faulty node");
    assert_eq!(alone(stored, 9, 3), (Some(9 + 24 + 12), counts(1, 0, 0)), "it is on its way out of the fault");
    assert_eq!(alone(stored, 9, 1), (Some(12), TransitionCounts::default()), "it has left the faulty node");
    assert_eq!(alone(stored, 12, 3), (Some(12), TransitionCounts::default()), "it has arrived");
    assert_eq!(alone(stored, 0, 3), (Some(12), TransitionCounts::default()), "it has not left its source");
    for end in [0, 7] {
        let given_up = TransitionCounts { given_up: 1, ..Default::default() };
        assert_eq!(alone(stored, 5, end), (None, given_up), "its end is faulty");
    }
}

/// With cut-through the header is in node 3 after 2 cycles, and the flits follow until cycle 5.
/// Alone the message takes 6 cycles.
#[test]
fn a_cut_through_message_is_cut_in_all_its_channels() {
    let flow = FlowControl::CutThrough;
    for (onset, fault) in [(3, 1), (3, 3), (2, 1), (4, 3)] {
        let (finished, found) = alone(flow, onset, fault);
        assert_eq!((finished, found.cut, found.resent), (Some(onset + 12 + 6), 1, 1), "{onset} {fault}");
    }
    assert_eq!(alone(flow, 5, 1), (Some(6), TransitionCounts::default()), "the last flit has left node 1");
}

/// Messages of a random permutation of a 5-cube among random faults that arrive: their routes
/// before and after.
fn batch(id: &str, seed: u64) -> (FaultyNodes, Vec<ObliviousRoute>, Vec<Option<ObliviousRoute>>) {
    let generator = &mut Key::from_seed(seed).generator();
    let nodes: Vec<_> = (0..1 + below(generator, 4)).map(|_| u64::from(below(generator, 32))).collect();
    let links = (0..below(generator, 4)).map(|_| Link { from: NodeId(below(generator, 32).into()), dim: 2 });
    let faulty = faulty(5, &nodes).with_links(links.collect::<Vec<_>>());
    let (before, after): (Box<dyn ObliviousRouting>, Box<dyn ObliviousRouting>) =
        (scheme(id, no_faults(5)), scheme(id, faulty.clone()));
    let shift = u64::from(below(generator, 31)) + 1;
    let to = |node: u64| NodeId((node + shift) & 31);
    let routes = (0..32).map(|node| before.route(NodeId(node), to(node), generator).expect("no faults")).collect();
    let new_routes = (0..32).map(|node| after.route(NodeId(node), to(node), generator).ok()).collect();
    (faulty, routes, new_routes)
}

/// Every message arrives, or is given up because an end is faulty or no route avoids the faults.
/// From the onset on no flit crosses a fault, and messages that are dropped are sent again or given
/// up.
#[test]
fn every_message_arrives_or_is_given_up() {
    let (mut dropped, mut given_up) = (0, 0);
    for seed in 0..240 {
        let id = ["bit-fixing", "valiant-brebner", "general", "algorithm-a"][seed as usize % 4];
        let (faulty, routes, new_routes) = batch(id, seed);
        let (flow, flits) = (FLOWS[seed as usize / 4 % 2], [1, 3, 8][seed as usize % 3]);
        let onset = seed as u32 % 13;
        let run = BatchRun::new(cube(5), &routes, flow, flits, Key::from_seed(seed)).expect("a small batch");
        let arriving = BatchOnset { cycle: onset, faulty: &faulty, new_routes: &new_routes };
        let mut run = run.with_onset(&arriving).expect("an onset");
        while run.outcome().is_none() {
            run.step();
            let held = (0..32).flat_map(|message| run.held_channels(message).collect::<Vec<_>>());
            let is_dead =
                |link: Link| faulty.contains(link.from) || faulty.contains(link.end()) || faulty.is_link_faulty(link);
            assert!(run.cycle() <= onset || !held.into_iter().any(is_dead), "{seed}");
            assert!(run.cycle() < 10_000);
        }
        let found = run.transition().expect("an onset");
        for message in 0..32 {
            let (index, is_given_up) = (message as usize, run.is_given_up(message));
            assert_eq!(run.finished()[index].is_none(), is_given_up, "{seed} {message}");
            let has_faulty_end = faulty.contains(routes[index].from()) || faulty.contains(routes[index].to());
            assert!(!is_given_up || has_faulty_end || new_routes[index].is_none(), "{seed} {message}");
            assert!(!run.has_new_route(message) || new_routes[index].is_some());
        }
        assert_eq!(found.given_up, (0..32).filter(|&message| run.is_given_up(message)).count() as u64);
        assert!(found.resent <= found.cut + found.undrained);
        assert!(found.cut + found.undrained <= found.resent + found.given_up);
        // In these cycles some message crosses a channel or waits for one: with congestion C each
        // of its at most 10 hops takes at most C messages of M flits.
        assert!(found.cycles <= 10 * 32 * u64::from(flits));
        (dropped, given_up) = (dropped + found.cut + found.undrained, given_up + found.given_up);
    }
    assert!(dropped > 200 && given_up > 200, "{dropped} {given_up}");
}

/// Faults that arrive after the last message change nothing: the batch takes the time that it takes
/// without faults.
#[test]
fn later_faults_change_nothing() {
    let finish = |text: &str| {
        let text = format!("switch=batch&net=cube:5&faults=none&flow=store-and-forward&length=3&trials=40&{text}");
        let points = measure(&text);
        let metric = |id| points[0].estimate(experiment(&text).kind().metric(id).expect("a metric"));
        (metric("finish").map(|found| found.mean), metric("dropped").map(|found| found.mean))
    };
    let (without, dropped) = finish("route=valiant-brebner");
    assert!(without.is_some() && dropped.is_none());
    assert_eq!(finish("route=valiant-brebner&break=3,9&onset=100000"), (without, Some(0.0)));
}

#[test]
fn worms_in_channels_have_no_onset() {
    let text = "switch=batch&net=cube:5&faults=count:1&onset=4";
    let why = text.parse::<Experiment>().expect_err("flow=wormhole").to_string();
    assert!(why.contains("onset") && why.contains("flow=store-and-forward"), "{why}");
    assert!(format!("{text}&flow=cut-through").parse::<Experiment>().is_ok());
    let route = scheme("bit-fixing", no_faults(3)).route_via(NodeId(0), NodeId(7), None).expect("a route");
    let run = BatchRun::new(cube(3), [&route], FlowControl::Wormhole, 4, Key::from_seed(1)).expect("a small batch");
    let onset = BatchOnset { cycle: 1, faulty: &faulty(3, &[3]), new_routes: &[None] };
    assert!(run.with_onset(&onset).is_none());
}
