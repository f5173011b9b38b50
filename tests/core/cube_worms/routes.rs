//! One worm alone: where it goes.

use std::sync::Arc;

use faultlab::random::Key;
use faultlab::routing::oblivious::{AlgorithmB, BitFixing, KimShin, ObliviousRouting};
use faultlab::routing::{self, LocalRouting as _, Shared, WormAt};
use faultlab::switching::worm_walk;
use faultlab::switching::{WormOutcome, WormTerms, Worms};
use faultlab::topology::{Mesh, NodeId};
use faultlab::traffic::{Bisection, Pair, Pattern};

use super::{all, cube, faults, generator, random_faults, worm};

/// All pairs of different nodes of the n-cube.
fn pairs(n: u8) -> impl Iterator<Item = Pair> {
    let all = move || (0..1u64 << n).map(NodeId);
    all().flat_map(move |from| all().map(move |to| Pair { from, to })).filter(|pair| pair.from != pair.to)
}

#[test]
fn the_shortest_path_algorithms_make_no_detour() {
    let none = faults(5, &[], &[]);
    for id in ["e-cube", "up", "dp", "restricted-up", "minimal", "up-dp-mix", "random", "deterministic", "2e+3f"] {
        let mut generator = generator(1);
        for pair in pairs(5) {
            let (hops, outcome) = worm_walk(worm(id), &none, pair, &mut generator);
            assert_eq!(outcome, WormOutcome::Delivered, "{id}");
            assert_eq!(hops.len() as u32, cube(5).distance(pair.from, pair.to), "{id}");
        }
    }
}

#[test]
fn a_message_alone_takes_hops_and_length_less_one() {
    for id in all() {
        let n = 4;
        let terms = WormTerms { load: 0.0, length: 7, ..WormTerms::new(Shared::Fixed(worm(id))) };
        let none = Arc::new(faults(n, &[], &[]));
        for pair in pairs(n).step_by(3) {
            let mut worms = Worms::new(terms.clone(), none.clone(), Key::from_seed(pair.to.0)).unwrap();
            let number = worms.offer(pair.from, pair.to).unwrap();
            let mut hops = 0;
            while worms.in_flight() > 0 {
                hops = worms.message(number).map_or(hops, |message| message.hops());
                worms.step(&mut ());
            }
            assert_eq!(worms.delivered(), 1, "{id}");
            assert_eq!(worms.cycle(), u64::from(hops) + 7 - 1, "{id}");
        }
    }
}

#[test]
fn e_cube_is_that_of_the_mesh_of_two_coordinates_and_bit_fixing_is_e_cube() {
    let grid = faultlab::fault::BlockFaults::new(Mesh::of(&[2; 5]).unwrap(), &[], &[]);
    let none = faults(5, &[], &[]);
    let mut generator = generator(2);
    for pair in pairs(5) {
        let mut ports = |id, faults| {
            let (hops, _) = worm_walk(worm(id), faults, pair, &mut generator);
            hops.iter().map(|hop| (hop.from, hop.choice.port)).collect::<Vec<_>>()
        };
        let on_cube = ports("e-cube", &none);
        assert_eq!(on_cube, ports("e-cube", &grid));
        assert_eq!(on_cube, ports("bit-fixing", &none));
        // The dimensions ascend.
        assert!(on_cube.is_sorted_by_key(|(_, port)| port.dim()));
    }
}

#[test]
fn what_a_criterion_permits_a_worm_may_ask_for() {
    let none = faults(5, &[], &[]);
    for id in ["up", "dp", "minimal", "2e+3f"] {
        let criterion = routing::find(id).unwrap().criterion().unwrap();
        for pair in pairs(5) {
            let header = worm(id).start(&none, pair.from, pair.to, 0);
            let choices = worm(id).choices(&none, &WormAt { here: pair.from, to: pair.to, came: None, header });
            let wrong = pair.from.0 ^ pair.to.0;
            let (low, free) =
                criterion.legal(routing::Position { here: pair.from, wrong, header: routing::Header::default() });
            let asked = choices.iter().fold(0, |mask, choice| mask | 1u64 << choice.port.dim());
            assert_eq!(asked, low | free, "{id} {pair:?}");
            assert!(criterion.knowledge() == routing::Knowledge::Neighbors);
        }
    }
}

/// The nodes of a worm's way.
fn nodes(hops: &[faultlab::switching::WormHop]) -> Vec<NodeId> {
    hops.iter().map(|hop| hop.from).chain(hops.last().map(|hop| hop.to)).collect()
}

#[test]
fn oblivious_worms_follow_the_routes_of_permutations_until_they_meet_their_destination() {
    let mut generator = generator(3);
    for _ in 0..8 {
        let found = random_faults(5, 2, 0, &mut generator);
        let sets = found.cube_sets().unwrap().clone();
        let schemes: [(&str, Box<dyn ObliviousRouting>); 2] = [
            ("bit-fixing", Box::new(BitFixing::new(sets.faulty().clone()))),
            ("kim-shin", Box::new(KimShin::new(sets.faulty().clone()).unwrap())),
        ];
        for (id, scheme) in schemes {
            for pair in pairs(5).filter(|pair| found.takes_part(pair.from) && found.takes_part(pair.to)) {
                let (hops, outcome) = worm_walk(worm(id), &found, pair, &mut generator);
                match scheme.through(pair.from, pair.to, None) {
                    Ok(route) => {
                        let mut wanted: Vec<_> = route.nodes().collect();
                        wanted.truncate(1 + wanted.iter().position(|&node| node == pair.to).unwrap());
                        assert_eq!((outcome, nodes(&hops)), (WormOutcome::Delivered, wanted), "{id}");
                    }
                    Err(_) => assert_eq!(outcome, WormOutcome::NoWay, "{id}"),
                }
            }
        }
    }
}

#[test]
fn every_way_of_algorithm_b_is_one_of_its_routes() {
    let found = faults(6, &[45], &[]);
    let sets = found.cube_sets().unwrap();
    let scheme = AlgorithmB::new(sets.faulty().clone(), faultlab::fault::Tolerance::Thesis).unwrap();
    let active: Vec<_> = (0..64).map(NodeId).filter(|&node| scheme.is_active(node)).collect();
    assert!(!active.is_empty());
    for (from, to) in active.iter().flat_map(|&from| active.iter().map(move |&to| (from, to))).step_by(5) {
        if from == to {
            continue;
        }
        // Each header is one intermediate square, each of the scheme's squares one header.
        let routing = worm("algorithm-b");
        let valid = scheme.choice(from, to).unwrap().valid;
        assert_eq!(routing.start_count(&found, from, to) as usize, valid.len());
        for (number, via) in valid.into_iter().enumerate() {
            let mut at = WormAt { here: from, to, came: None, header: routing.start(&found, from, to, number as u32) };
            let mut way = vec![from];
            while at.here != to {
                let choice = routing.choices(&found, &at).get(0).unwrap();
                let here = found.mesh().neighbor(at.here, choice.port).unwrap();
                way.push(here);
                at = WormAt { here, came: Some(choice.port), header: choice.header, ..at };
            }
            let mut wanted: Vec<_> = scheme.through(from, to, Some(via)).unwrap().nodes().collect();
            wanted.truncate(1 + wanted.iter().position(|&node| node == to).unwrap());
            assert_eq!(way, wanted, "{from} {via} {to}");
        }
    }
}

#[test]
fn a_cube_keeps_its_names_its_patterns_and_its_halves() {
    for n in [1, 3, 6, 10] {
        let (cube, mesh) = (cube(n), Mesh::of_cube(n).unwrap());
        let last = NodeId(cube.mask());
        assert_eq!((mesh.label(last), mesh.parse_node("0b1")), (last.to_string(), Some(NodeId(1))));
        for node in mesh.all() {
            for pattern in [Pattern::Complement, Pattern::Transpose, Pattern::BitReversal] {
                assert_eq!(pattern.image(mesh, node), pattern.image(cube, node));
            }
            assert_eq!(mesh.distance(node, last), cube.distance(node, last));
        }
        // N/2 links between two halves: uniform traffic crosses them with N/2 of N-1 messages.
        let (bisection, nodes) = (Bisection::new(mesh), f64::from(mesh.nodes()));
        assert_eq!((bisection.links().count() as u32 * 2, bisection.channels().count() as u32), (1 << n, 1 << n));
        assert!((bisection.saturation() - 2.0 * (nodes - 1.0) / nodes).abs() < 1e-12);
    }
    // Not the mesh of that shape, whose nodes are written as coordinates.
    assert_ne!(Mesh::of_cube(3), Mesh::of(&[2; 3]));
}
