//! Tests of deadlock in oblivious routing: the channel order of Figure 3-7, and the cycles of
//! schemes without an order.

use faultlab::random::Key;
use faultlab::routing::oblivious::{
    FIGURE_3_3, GeneralRandomized, ObliviousRoute, ObliviousRouting as _, U_TURN_PAIR, edge_rank,
};
use faultlab::theory::oblivious::{oblivious_dependencies, oblivious_witnesses};
use faultlab::theory::{ChannelCycle, hypercube_channel, hypercube_link};
use faultlab::topology::{Hypercube, Link, NodeId};

use super::{cube, faulty_nodes, no_faults, nodes, sample_faults, scheme, schemes, try_scheme};

fn link(cube: Hypercube, channel: faultlab::theory::ChannelId) -> Link {
    let (from, to) = hypercube_link(cube, channel);
    Link { from, dim: (from.0 ^ to.0).trailing_zeros() as u8 }
}

#[test]
fn figure_3_7_orders_all_dependencies_of_algorithm_b() {
    for n in 3..=6 {
        let graph = oblivious_dependencies(&*scheme("algorithm-b", no_faults(n))).unwrap();
        assert!(graph.acyclic_order().is_ok());
        for held in (0..graph.channels()).map(faultlab::theory::ChannelId) {
            let rank = edge_rank(link(cube(n), held));
            let wanted = graph.successors(held);
            assert!(rank.is_some() || wanted.is_empty());
            assert!(wanted.into_iter().all(|wanted| rank < edge_rank(link(cube(n), wanted))), "n = {n}");
        }
    }
}

/// Figure 3-7 ranks exactly the channels that routes use.
#[test]
fn figure_3_7_ranks_exactly_the_used_channels() {
    for n in 3..=5 {
        let routing = scheme("algorithm-b", no_faults(n));
        let ends = nodes(n).flat_map(|from| nodes(n).map(move |to| (from, to)));
        let routes = ends.flat_map(|(from, to)| {
            let valid = routing.choice(from, to).expect("intermediate nodes").valid;
            valid.into_iter().map(|via| routing.route_via(from, to, Some(via)).expect("no faults")).collect::<Vec<_>>()
        });
        let taken: std::collections::BTreeSet<_> =
            routes.flat_map(|route| route.hops().map(|hop| hop.link).collect::<Vec<_>>()).collect();
        for link in nodes(n).flat_map(|from| (0..n).map(move |dim| Link { from, dim })) {
            assert_eq!(edge_rank(link).is_some(), taken.contains(&link), "{link:?}, n = {n}");
        }
    }
}

#[test]
fn deadlock_free_schemes_have_no_cycle_among_faults() {
    for (id, _) in schemes().filter(|(_, scheme)| scheme.deadlock_free) {
        for n in 2..=6 {
            for (seed, p) in [(1, 0.0), (2, 0.03), (3, 0.1)] {
                let Ok(routing) = try_scheme(id, sample_faults(n, p, seed)) else { continue };
                assert!(oblivious_dependencies(&*routing).unwrap().acyclic_order().is_ok(), "{id}");
            }
        }
    }
}

/// Randomized routing has a cycle of two opposite channels: a message can turn back at its
/// intermediate node.
#[test]
fn randomized_routing_has_a_cycle_of_two_channels() {
    for id in ["algorithm-a", "valiant-brebner"] {
        for n in 2..=5 {
            let graph = oblivious_dependencies(&*scheme(id, no_faults(n))).unwrap();
            let cycle = graph.acyclic_order().unwrap_err();
            let links: Vec<_> = cycle.channels.iter().map(|&channel| link(cube(n), channel)).collect();
            assert_eq!(links.len(), 2, "{id}, n = {n}");
            assert_eq!(links[0], links[1].reverse());
        }
    }
}

/// Returns the channels of a pair of the thesis's messages under Algorithm A.
fn channels(pair: [[NodeId; 3]; 2]) -> [Vec<Link>; 2] {
    let routing = scheme("algorithm-a", no_faults(2));
    pair.map(|[s, i, d]| {
        assert!(routing.choice(s, d).is_some_and(|choice| choice.valid.contains(&i)));
        let route = routing.route_via(s, d, Some(i)).expect("no faults");
        route.hops().map(|hop| hop.link).collect()
    })
}

/// At n = 1 the cycle needs messages from a node to itself, but at n = 2 it does not.
#[test]
fn two_messages_to_other_nodes_may_turn_against_each_other() {
    let [first, second] = channels(U_TURN_PAIR);
    assert_eq!((first[0], first[1]), (second[1], second[0]));
    assert!(U_TURN_PAIR.iter().all(|[s, _, d]| s != d));
}

/// Each message holds two channels of its first path and then requests the channel that the other
/// one took first.
#[test]
fn figure_3_3_is_a_cyclic_wait() {
    let [first, second] = channels(FIGURE_3_3);
    assert_eq!((first.len(), second.len()), (3, 3));
    assert_eq!((first[2], second[2]), (second[0], first[0]));
    let all: std::collections::BTreeSet<_> = first.iter().chain(&second).collect();
    assert_eq!(all.len(), 4, "all four edges, in one direction");
}

/// The witness of a step of a cycle goes to a node other than its source if any such message
/// exists, and has the shortest route.
#[test]
fn witnesses_are_the_simplest_messages() {
    for (id, n, broken) in [
        ("algorithm-a", 2, &[][..]),
        ("algorithm-a", 3, &[]),
        ("algorithm-a", 1, &[]),
        ("valiant-brebner", 4, &[]),
        ("general", 3, &[]),
    ] {
        let routing = scheme(id, faulty_nodes(n, broken));
        let cycle = oblivious_dependencies(&*routing).unwrap().acyclic_order().unwrap_err();
        let witnesses = oblivious_witnesses(&*routing, &cycle);
        assert_eq!(witnesses.len(), cycle.channels.len(), "{id} {n}");
        for (place, witness) in witnesses.iter().enumerate() {
            let step = [place, (place + 1) % witnesses.len()].map(|place| link(cube(n), cycle.channels[place]));
            // Returns the sort key of this witness if its route uses the two channels
            // consecutively.
            let shows = |from, to, via| {
                let route = routing.route_via(from, to, via).ok()?;
                let hops: Vec<_> = route.hops().map(|hop| hop.link).collect();
                hops.windows(2).any(|two| two == step).then_some((from == to, hops.len()))
            };
            let ends = nodes(n).flat_map(|from| nodes(n).map(move |to| (from, to)));
            let all = ends.flat_map(|(from, to)| nodes(n).filter_map(move |via| shows(from, to, Some(via))));
            assert_eq!(shows(witness.from, witness.to, witness.via), all.min(), "{id} {n} {witness:?}");
        }
    }
}

#[test]
fn rejects_cubes_above_7_dimensions() {
    assert!(oblivious_dependencies(&*scheme("bit-fixing", no_faults(8))).is_none());
    assert!(oblivious_dependencies(&*scheme("bit-fixing", no_faults(7))).is_some());
}

/// In the largest cube that is searched, the two messages that turn back against each other are
/// found; in a larger one, none.
#[test]
fn witnesses_are_looked_for_as_far_as_dependencies() {
    for (n, found) in [(7, 2), (8, 0)] {
        let turns = [Link { from: NodeId(0), dim: 0 }, Link { from: NodeId(1), dim: 0 }];
        let cycle =
            ChannelCycle { channels: turns.map(|link| hypercube_channel(cube(n), link.from, link.dim)).to_vec() };
        assert_eq!(oblivious_witnesses(&*scheme("valiant-brebner", no_faults(n)), &cycle).len(), found, "n = {n}");
    }
}

/// With arbitrary active sets and intermediate nodes, a witness is still a simple message if any
/// exists.
#[test]
fn witnesses_of_any_active_set_are_easy_to_see() {
    let n = 3;
    let mut cycles = 0;
    for seed in 0..400u64 {
        let draw = move |purpose: u64, of: u64| Key::from_seed(seed).child(purpose).hash_u53(of) >> 51;
        let active: Vec<_> = nodes(n).map(|node| draw(1, node.0) < 2).collect();
        let sets = move |s: NodeId, d: NodeId| nodes(n).filter(|via| draw(2, 64 * s.0 + 8 * d.0 + via.0) < 2).collect();
        let routing = GeneralRandomized::new(no_faults(n), active, sets);
        let Err(cycle) = oblivious_dependencies(&routing).unwrap().acyclic_order() else { continue };
        cycles += 1;
        let ends = nodes(n).flat_map(|s| nodes(n).map(move |d| (s, d)));
        let ends = ends.filter(|&(s, d)| routing.is_active(s) && routing.is_active(d));
        let routes: Vec<_> = ends
            .flat_map(|(s, d)| routing.choice(s, d).unwrap().valid.into_iter().map(move |via| (s, via, d)))
            .map(|(s, via, d)| routing.route_via(s, d, Some(via)).unwrap())
            .collect();
        let places = cycle.channels.iter().zip(cycle.channels.iter().cycle().skip(1));
        let witnesses = oblivious_witnesses(&routing, &cycle);
        assert_eq!(witnesses.len(), cycle.channels.len());
        for ((&held, &wanted), witness) in places.zip(witnesses) {
            let step = [link(cube(n), held), link(cube(n), wanted)];
            let shows = |route: &ObliviousRoute| {
                let hops: Vec<_> = route.hops().map(|hop| hop.link).collect();
                hops.windows(2).any(|two| two == step).then_some((route.from() == route.to(), route.length()))
            };
            let found = shows(&routing.route_via(witness.from, witness.to, witness.via).unwrap());
            // Three hops to another node are short enough.
            let least = routes.iter().filter_map(shows).min().expect("a message").max((false, 3));
            assert!(found.is_some_and(|found| found <= least), "seed {seed}: {witness:?}");
        }
    }
    assert!(cycles > 50, "{cycles}");
}
