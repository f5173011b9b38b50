//! Tests of the criteria's dependency graphs: Theorem 1 and its counterexamples.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::collections::BTreeSet;

use faultlab::fault::BlockFaults;
use faultlab::random::Key;
use faultlab::theory::{
    ChannelId, DependencyGraph, circuit_dependencies, hypercube_dependencies, hypercube_link, hypercube_witnesses,
};
use faultlab::topology::Mesh;

use super::enumeration::{ManualFaults, algorithm, all_pairs, levels, link, paths};
use crate::common::cube;

#[test]
fn restricted_criteria_are_acyclic_and_others_cyclic() {
    let mut generator = Key::from_seed(3).generator();
    for n in 2..=6 {
        let cube = cube(n);
        let hierarchies = [format!("1f+{}e", n - 1), format!("{}d+1f", n - 1), format!("1r+{}f", n - 1)];
        let free = ["e-cube", "up", "dp", "restricted-up"].into_iter().chain(hierarchies.iter().map(String::as_str));
        for id in free {
            for broken in
                [ManualFaults::default(), ManualFaults::draw(n, &mut generator), ManualFaults::draw(n, &mut generator)]
            {
                let algorithm = algorithm(id);
                let routing = algorithm.local().unwrap();
                let graph = hypercube_dependencies(cube, &mut broken.clone(), routing).unwrap();
                let order = graph.acyclic_order().unwrap();
                let mut rank = vec![0; order.len()];
                order.iter().enumerate().for_each(|(place, channel)| rank[channel.0 as usize] = place);
                let forward = |held: ChannelId| {
                    graph.successors(held).iter().all(|wanted| rank[held.0 as usize] < rank[wanted.0 as usize])
                };
                assert!((0..graph.channels()).map(ChannelId).all(forward), "{id}");
            }
            assert!(algorithm(id).criterion().unwrap().is_deadlock_free());
        }
        for (id, marks) in [("minimal", "a"), ("up-dp-mix", "fd")] {
            // In the 2-cube the only cycles need all four nodes.
            let broken = [ManualFaults::default(), ManualFaults::node(0), ManualFaults::link(link(0, n - 1))];
            for broken in &broken[..if n == 2 { 1 } else { 3 }] {
                assert_cycle(n, id, marks, broken);
            }
            assert!(!algorithm(id).criterion().unwrap().is_deadlock_free());
        }
    }
}

/// Asserts that the dependencies are cyclic and that each witness can hold a channel of the cycle
/// and request the next.
fn assert_cycle(n: u8, id: &str, marks: &str, broken: &ManualFaults) {
    let algorithm = algorithm(id);
    let routing = algorithm.local().expect("local decisions");
    let graph = hypercube_dependencies(cube(n), &mut broken.clone(), routing).expect("a small cube");
    let cycle = graph.acyclic_order().expect_err("a cycle");
    let witnesses = hypercube_witnesses(cube(n), &mut broken.clone(), routing, &cycle);
    assert_eq!(witnesses.len(), cycle.channels.len());
    let end = |channel| hypercube_link(cube(n), channel);
    for (place, witness) in witnesses.iter().enumerate() {
        let (from, through) = end(cycle.channels[place]);
        let (again, to) = end(cycle.channels[(place + 1) % witnesses.len()]);
        assert_eq!((through, witness.from), (again, from));
        let holds =
            |path: &Vec<u64>| path.windows(3).any(|hops| hops == [from.0, through.0, to.0]) && !broken.stop(&path[..3]);
        let permitted = |mark| paths(n, &[(n, mark)], witness.from.0, witness.to.0);
        assert!(marks.chars().any(|mark| permitted(mark).iter().any(holds)), "{id}");
    }
}

/// A message that is blocked at its source is lost, so no witness may be blocked there, although
/// sidetracking may step back at any other node.
#[test]
fn witnesses_of_sidetracking_are_not_blocked_at_their_source() {
    let algorithm = algorithm("sidetracking");
    let routing = algorithm.local().unwrap();
    let mut from_elsewhere = 0;
    for faults in 0..1u64 << 8 {
        let broken =
            ManualFaults { nodes: (0..8).filter(|node| faults >> node & 1 == 1).collect(), ..ManualFaults::default() };
        let graph = hypercube_dependencies(cube(3), &mut broken.clone(), routing).unwrap();
        let Err(cycle) = graph.acyclic_order() else { continue };
        let witnesses = hypercube_witnesses(cube(3), &mut broken.clone(), routing, &cycle);
        assert_eq!(witnesses.len(), cycle.channels.len());
        for (witness, &channel) in witnesses.iter().zip(&cycle.channels) {
            let (from, to) = (witness.from.0, witness.to.0);
            let forward = (0..3).map(|dim| 1 << dim).filter(|bit| (from ^ to) & bit != 0);
            assert!(forward.map(|bit| from ^ bit).any(|next| !broken.nodes.contains(&next)));
            from_elsewhere += u32::from(witness.from != hypercube_link(cube(3), channel).0);
        }
    }
    assert!(from_elsewhere > 0);
}

/// Without faults, the dependencies are the pairs of consecutive hops on the permitted paths, found
/// by enumeration.
#[test]
fn dependencies_agree_with_enumerated_paths() {
    for (n, id) in
        [(3, "e-cube"), (4, "up"), (4, "dp"), (4, "restricted-up"), (4, "minimal"), (4, "2r+2f"), (5, "1e+3r+1d")]
    {
        let levels = levels(id, n);
        let mut expected = BTreeSet::new();
        for (s, d) in all_pairs(n) {
            for path in paths(n, &levels, s, d) {
                expected.extend(path.windows(3).map(|hops| [hops[0], hops[1], hops[2]]));
            }
        }
        let algorithm = algorithm(id);
        let graph = hypercube_dependencies(cube(n), &mut ManualFaults::default(), algorithm.local().unwrap()).unwrap();
        let whole = BlockFaults::new(Mesh::from_cube(n).expect("a cube"), &[], &[]);
        let (circuits, _) = circuit_dependencies(&whole, &algorithm.circuits().unwrap()).expect("a cube");
        for graph in [graph, circuits] {
            let found = (0..graph.channels()).map(ChannelId).flat_map(|held| {
                let (from, through) = hypercube_link(cube(n), held);
                let to = |wanted| hypercube_link(cube(n), wanted).1.0;
                graph.successors(held).into_iter().map(move |wanted| [from.0, through.0, to(wanted)])
            });
            assert_eq!(found.collect::<BTreeSet<_>>(), expected, "{id} {n}");
        }
    }
}

/// The shortest cycle is returned, even if a longer one is found first. Dependencies of channels
/// outside the graph are ignored.
#[test]
fn acyclic_order_returns_the_shortest_cycle() {
    for order in [[0, 1, 2, 3, 4], [3, 4, 0, 1, 2], [4, 2, 1, 0, 3]] {
        let mut graph = DependencyGraph::new(5);
        let three = [(order[0], order[1]), (order[1], order[2]), (order[2], order[0])];
        let two = [(order[3], order[4]), (order[4], order[3]), (order[2], order[3])];
        three.into_iter().chain(two).for_each(|(held, wanted)| graph.add(ChannelId(held), ChannelId(wanted)));
        for beyond in [(5, 0), (0, 5), (5, 5), (6, 6)] {
            graph.add(ChannelId(beyond.0), ChannelId(beyond.1));
        }
        assert_eq!(graph.dependencies(), 6);
        let mut circle = graph.acyclic_order().expect_err("two circles").channels;
        circle.sort_unstable();
        let mut shorter = [ChannelId(order[3]), ChannelId(order[4])];
        shorter.sort_unstable();
        assert_eq!(circle, shorter);
    }
}

/// Returns the hops that sidetracking permits at a live node: to live neighbours nearer to the
/// destination, else, except at the source, to any live neighbour.
fn sidetracks(live: &dyn Fn(u64) -> bool, here: u64, to: u64, at_source: bool) -> Vec<u64> {
    let neighbours = || (0..3).map(|dim| here ^ 1 << dim).filter(|&next| live(next));
    let towards: Vec<_> = neighbours().filter(|next| (next ^ to).count_ones() < (here ^ to).count_ones()).collect();
    if towards.is_empty() && !at_source && here != to { neighbours().collect() } else { towards }
}

/// Each witness of a cycle reaches the channel that it must hold and may request the next one. It
/// starts at that channel's source node if any message from there is a witness.
#[test]
fn witnesses_reach_the_held_channel_and_request_the_next() {
    let (mut own, mut others) = (0, 0);
    for faults in 0..1u64 << 8 {
        let live = |node: u64| faults >> node & 1 == 0;
        let broken = ManualFaults { nodes: (0..8).filter(|&node| !live(node)).collect(), ..ManualFaults::default() };
        let algorithm = algorithm("sidetracking");
        let routing = algorithm.local().expect("of messages");
        let graph = hypercube_dependencies(cube(3), &mut broken.clone(), routing).expect("a small cube");
        let Err(cycle) = graph.acyclic_order() else { continue };
        // Returns whether a message can visit these three nodes consecutively.
        let comes_by = |from: u64, to: u64, way: [u64; 3]| {
            let (mut known, mut rest) = (vec![from], sidetracks(&live, from, to, true));
            let mut comes = from == way[0] && rest.contains(&way[1]);
            while let Some(here) = rest.pop() {
                let next = sidetracks(&live, here, to, false);
                comes |= here == way[0] && next.contains(&way[1]);
                if !known.contains(&here) {
                    known.push(here);
                    rest.extend(next);
                }
            }
            comes && way[1] != to && sidetracks(&live, way[1], to, false).contains(&way[2])
        };
        let witnesses = hypercube_witnesses(cube(3), &mut broken.clone(), routing, &cycle);
        for (place, witness) in witnesses.iter().enumerate() {
            let ends = |place: usize| hypercube_link(cube(3), cycle.channels[place % witnesses.len()]);
            let way = [ends(place).0.0, ends(place).1.0, ends(place + 1).1.0];
            assert!(comes_by(witness.from.0, witness.to.0, way), "{witness:?} {way:?} {broken:?}");
            let starts = |to: u64| {
                let first = sidetracks(&live, way[0], to, true).contains(&way[1]);
                live(to) && first && way[1] != to && sidetracks(&live, way[1], to, false).contains(&way[2])
            };
            let any_starts = (0..8).any(starts);
            assert_eq!(witness.from.0 == way[0], any_starts, "{witness:?} {way:?} {broken:?}");
            *(if any_starts { &mut own } else { &mut others }) += 1;
        }
    }
    assert!(own > 0 && others > 0, "{own} {others}");
}
