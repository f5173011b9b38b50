//! Tests of single routes: the thesis's examples, and invariants of every route.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::fault::Tolerance;
use faultlab::random::Key;
use faultlab::routing::oblivious::{
    AlgorithmB, Endpoint, NoRoute, ObliviousPhase, ObliviousRoute, ObliviousRouting, bit_fixing_path, edge_rank,
    length_cap, parse_thesis_label, thesis_label,
};
use faultlab::topology::NodeId;

use super::naive::path;
use super::{cube, faulty_nodes, no_faults, nodes, sample_faults, scheme, schemes, try_scheme};

fn labels(n: u8, route: &ObliviousRoute) -> String {
    route.nodes().map(|node| thesis_label(cube(n), node)).collect::<Vec<_>>().join(" ")
}

fn node(n: u8, text: &str) -> NodeId {
    parse_thesis_label(cube(n), text).expect("a label")
}

#[test]
fn labels_read_the_first_dimension_first() {
    assert_eq!(node(6, "010110"), NodeId(0b011010));
    for text in ["01011", "0101100", "01x110", ""] {
        assert_eq!(parse_thesis_label(cube(6), text), None, "{text}");
    }
    assert!(nodes(5).all(|x| node(5, &thesis_label(cube(5), x)) == x));
}

/// Section 2.2: source 1010, destination 0111.
#[test]
fn the_example_of_bit_fixing() {
    let route = scheme("bit-fixing", no_faults(4)).route_via(node(4, "1010"), node(4, "0111"), None).unwrap();
    assert_eq!(labels(4, &route), "1010 0010 0110 0111");
    let links: Vec<_> = bit_fixing_path(node(4, "1010"), node(4, "0111")).collect();
    assert_eq!(links, route.hops().map(|hop| hop.link).collect::<Vec<_>>());
}

#[test]
fn the_examples_of_algorithm_b() {
    let routing = AlgorithmB::new(no_faults(6), Tolerance::Thesis).unwrap();
    let example = |s, via, d| routing.route_via(node(6, s), node(6, d), Some(node(6, via))).unwrap();
    let route = example("010110", "001010", "111001");
    assert_eq!(
        labels(6, &route),
        "010110 110110 100110 000110 001110 001010 011010 011000 011001 001001 101001 111001"
    );
    let ranks: Vec<_> = route.hops().map(|hop| hop.rank.unwrap()).map(|rank| (rank.class, rank.dim)).collect();
    assert_eq!(ranks, [(1, 0), (2, 0), (3, 0), (4, 2), (4, 3), (5, 0), (6, 4), (6, 5), (7, 0), (8, 0), (9, 0)]);
    let route = example("101101", "001101", "101101");
    assert_eq!(labels(6, &route), "101101 001101 011101 001101 101101");
    let phases: Vec<_> = route.hops().map(|hop| hop.phase).collect();
    use ObliviousPhase::{Clockwise, CounterClockwise, Crossing};
    assert_eq!(phases, [Clockwise, Crossing, CounterClockwise, CounterClockwise]);
}

/// Checks the invariants of a route: it leads from s to d through live nodes, one of them its
/// intermediate node. Its ranks ascend if the scheme has an order.
fn check(routing: &dyn ObliviousRouting, ordered: bool, s: NodeId, d: NodeId, route: &ObliviousRoute) {
    assert_eq!((route.from(), route.to()), (s, d));
    let visited: Vec<_> = route.nodes().collect();
    assert_eq!(visited.len() as u32, route.length() + 1);
    assert_eq!((visited.first(), visited.last()), (Some(&s), Some(&d)));
    assert!(visited.iter().all(|&node| !routing.faulty().contains(node)), "{visited:?}");
    assert!(route.via().is_none_or(|via| visited.contains(&via)));
    assert!(route.hops().zip(visited.windows(2)).all(|(hop, ends)| [hop.link.from, hop.link.end()] == *ends));
    assert_eq!(route.ascends() == Some(true), ordered || route.length() == 0);
}

#[test]
fn every_route_satisfies_the_invariants() {
    for n in 3..=9 {
        for (seed, p) in [(1, 0.0), (2, 0.01), (3, 0.05)] {
            let faulty = sample_faults(n, p, seed);
            for (id, oblivious) in schemes() {
                let Ok(routing) = try_scheme(id, faulty.clone()) else { continue };
                let mut generator = Key::from_seed(seed).named(id).generator();
                for (s, d) in nodes(n).zip(nodes(n).map(|s| NodeId((s.0 * 29 + 3) & cube(n).mask()))) {
                    match routing.route(s, d, &mut generator) {
                        Ok(route) => check(&*routing, oblivious.deadlock_free, s, d, &route),
                        Err(NoRoute::Inactive(Endpoint::Source, node)) => assert!(node == s && !routing.is_active(s)),
                        Err(NoRoute::Inactive(Endpoint::Destination, node)) => {
                            assert!(node == d && !routing.is_active(d))
                        }
                        Err(NoRoute::Faulty(node)) => assert!(routing.faulty().contains(node)),
                        Err(NoRoute::FaultyLink(link)) => unreachable!("{id}: no link is faulty, not even {link}"),
                        Err(NoRoute::Enclosed(..)) => assert_eq!(id, "kim-shin"),
                        // The thesis's tolerance leaves an intermediate node for every pair.
                        // Without an active set, faults may leave none.
                        Err(NoRoute::NoIntermediate) => assert_eq!(id, "general"),
                    }
                }
            }
        }
    }
}

/// Any two active nodes have a valid intermediate node: no message of A or B is lost, and no route
/// exceeds its cap.
#[test]
fn messages_between_active_nodes_arrive() {
    for n in 5..=10 {
        let faulty = sample_faults(n, 2.0 / f64::from(1 << n), 8);
        for (id, cap) in [("algorithm-a", length_cap(cube(n))), ("algorithm-b", length_cap(cube(n - 2)) + 7)] {
            let routing = scheme(id, faulty.clone());
            let active: Vec<_> = nodes(n).filter(|&node| routing.is_active(node)).collect();
            let mut generator = Key::from_seed(4).generator();
            for (&s, &d) in active.iter().zip(active.iter().rev()) {
                let route = routing.route(s, d, &mut generator).unwrap();
                assert!(route.length() <= cap, "{id}: {} hops, {cap} at most", route.length());
            }
        }
    }
}

#[test]
fn ranks_depend_on_the_channel_alone() {
    let routing = scheme("algorithm-b", no_faults(5));
    for (s, d) in nodes(5).flat_map(|s| nodes(5).map(move |d| (s, d))) {
        for via in routing.choice(s, d).unwrap().valid {
            let route = routing.route_via(s, d, Some(via)).unwrap();
            check(&*routing, true, s, d, &route);
            assert!(route.hops().all(|hop| hop.rank == edge_rank(hop.link)));
        }
    }
}

/// Algorithm B permits no route through a square with a fault, even if the route misses the faulty
/// node. The error names that node.
#[test]
fn algorithm_b_avoids_faulty_squares() {
    for faulty in [&[0b10110][..], &[0b00011, 0b11001], &[0b01000, 0b10100, 0b11111]] {
        let faulty = faulty_nodes(5, faulty);
        let routing = AlgorithmB::new(faulty.clone(), Tolerance::Share(1.0)).unwrap();
        let square = |square: u64| (0..4).map(move |corner| NodeId(4 * square + corner));
        let is_marked = |&place: &u64| square(place).any(|node| faulty.contains(node));
        let mut faulty_routes = 0;
        for (s, d, via) in
            nodes(5).flat_map(|s| nodes(5).flat_map(move |d| (0..8).map(move |via| (s, d, NodeId(4 * via)))))
        {
            let legs = [(s, via), (via, d)].map(|(from, to)| path(3, NodeId(from.0 / 4), NodeId(to.0 / 4)));
            let marked = legs.iter().flatten().map(|node| node.0).find(is_marked);
            match (routing.route_via(s, d, Some(via)), marked) {
                (Ok(route), None) => assert_eq!(route.via(), Some(via)),
                (Err(NoRoute::Faulty(node)), Some(marked)) => {
                    assert!(faulty.contains(node) && square(marked).any(|corner| corner == node));
                    faulty_routes += 1;
                }
                (found, marked) => panic!("{s} by {via} to {d}: {found:?}, {marked:?}"),
            }
        }
        assert!(faulty_routes > 100);
    }
}

/// Route phases have the names that exported files contain, and missing routes have texts.
#[test]
fn parts_of_routes_and_missing_routes_have_their_words() {
    use ObliviousPhase::*;
    let named = [
        (Direct, "direct"),
        (Clockwise, "clockwise"),
        (ToIntermediate, "to-intermediate"),
        (Crossing, "crossing"),
        (FromIntermediate, "from-intermediate"),
        (CounterClockwise, "counter-clockwise"),
        (Approach, "approach"),
        (Inside, "inside"),
        (Leave, "leave"),
    ];
    assert!(named.iter().all(|(phase, name)| phase.id() == *name));
    let node = NodeId(6);
    for (why, words) in [
        (NoRoute::Inactive(Endpoint::Source, node), "its source 6 is not active"),
        (NoRoute::Inactive(Endpoint::Destination, node), "its destination 6 is not active"),
        (NoRoute::NoIntermediate, "no intermediate node is valid: the set I_sd is empty"),
        (NoRoute::Faulty(node), "its route runs into the faulty node 6"),
        (
            NoRoute::Enclosed(Endpoint::Source, node),
            "both ways between its source 6 and the healthy subcube are faulty",
        ),
    ] {
        assert_eq!(why.to_string(), words);
    }
}

#[test]
fn unavailable_schemes_have_reasons() {
    let why = |id, faulty| try_scheme(id, faulty).err().map(|why| why.to_string()).unwrap_or_default();
    assert!(why("algorithm-b", no_faults(2)).contains("at least 3 dimensions"));
    assert!(why("kim-shin", no_faults(1)).contains("at least 2 dimensions"));
    assert!(why("kim-shin", faulty_nodes(3, &[0, 1, 2, 3, 4, 5, 6, 7])).contains("fault-free"));
    assert!(schemes().all(|(id, _)| {
        ["kim-shin", "algorithm-b"].contains(&id) || try_scheme(id, faulty_nodes(1, &[0, 1])).is_ok()
    }));
}
