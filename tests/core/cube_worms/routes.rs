//! Tests of the route of a single worm.

use std::sync::Arc;

use faultlab::fault::{BlockFaults, FaultyNodes, Tolerance};
use faultlab::random::Key;
use faultlab::routing::oblivious::{AlgorithmB, BitFixing, KimShin, ObliviousRouting};
use faultlab::routing::{self, AlgorithmState, LocalRouting as _, Shared, VcRequests, WormPosition};
use faultlab::switching::worm_walk;
use faultlab::switching::{WormOutcome, WormholeConfig, WormholeNetwork};
use faultlab::topology::{Mesh, NodeId, Port};
use faultlab::traffic::{Bisection, NamedPermutation, Pair, Pattern};

use super::{all, cube, faults, generator, random_faults, worm};

/// Returns all pairs of different nodes of the n-cube.
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
        let config = WormholeConfig { load: 0.0, length: 7.into(), ..WormholeConfig::new(Shared::Static(worm(id))) };
        let none = Arc::new(faults(n, &[], &[]));
        for pair in pairs(n).step_by(3) {
            let mut worms = WormholeNetwork::new(config.clone(), none.clone(), Key::from_seed(pair.to.0)).unwrap();
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
fn e_cube_equals_bit_fixing_and_e_cube_on_radix_2_mesh() {
    let grid = faultlab::fault::BlockFaults::new(Mesh::from_radices(&[2; 5]).unwrap(), &[], &[]);
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
        // Bit-fixing corrects dimensions in ascending order.
        assert!(on_cube.is_sorted_by_key(|(_, port)| port.dim()));
    }
}

#[test]
fn worm_choices_equal_criterion_links() {
    let none = faults(5, &[], &[]);
    for id in ["up", "dp", "minimal", "2e+3f"] {
        let criterion = routing::find(id).unwrap().criterion().unwrap();
        for pair in pairs(5) {
            let header = worm(id).initial_header(&none, pair.from, pair.to, 0);
            let choices =
                worm(id).choices(&none, &WormPosition { here: pair.from, to: pair.to, input_port: None, header });
            let wrong = pair.from.0 ^ pair.to.0;
            let (low, free) =
                criterion.legal(routing::Position { here: pair.from, wrong, header: routing::Header::default() });
            let asked = choices.iter().fold(0, |mask, choice| mask | 1u64 << choice.port.dim());
            assert_eq!(asked, low | free, "{id} {pair:?}");
            assert!(criterion.knowledge() == routing::Knowledge::Neighbors);
        }
    }
}

/// Returns the nodes of a route.
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
            for pair in pairs(5).filter(|pair| found.is_member(pair.from) && found.is_member(pair.to)) {
                let (hops, outcome) = worm_walk(worm(id), &found, pair, &mut generator);
                match scheme.route_via(pair.from, pair.to, None) {
                    Ok(route) => {
                        let mut wanted: Vec<_> = route.nodes().collect();
                        wanted.truncate(1 + wanted.iter().position(|&node| node == pair.to).unwrap());
                        assert_eq!((outcome, nodes(&hops)), (WormOutcome::Delivered, wanted), "{id}");
                    }
                    Err(_) => assert_eq!(outcome, WormOutcome::NoRoute, "{id}"),
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
        // Headers correspond to intermediate squares one to one.
        let routing = worm("algorithm-b");
        let valid = scheme.choice(from, to).unwrap().valid;
        assert_eq!(routing.initial_header_count(&found, from, to) as usize, valid.len());
        for (number, via) in valid.into_iter().enumerate() {
            let mut at = WormPosition {
                here: from,
                to,
                input_port: None,
                header: routing.initial_header(&found, from, to, number as u32),
            };
            let mut way = vec![from];
            while at.here != to {
                let choice = routing.choices(&found, &at).get(0).unwrap();
                let here = found.mesh().neighbor(at.here, choice.port).unwrap();
                way.push(here);
                at = WormPosition { here, input_port: Some(choice.port), header: choice.header, ..at };
            }
            let mut wanted: Vec<_> = scheme.route_via(from, to, Some(via)).unwrap().nodes().collect();
            wanted.truncate(1 + wanted.iter().position(|&node| node == to).unwrap());
            assert_eq!(way, wanted, "{from} {via} {to}");
        }
    }
}

#[test]
fn mesh_of_cube_keeps_labels_patterns_and_bisection() {
    for n in [1, 3, 6, 10] {
        let (cube, mesh) = (cube(n), Mesh::from_cube(n).unwrap());
        let last = NodeId(cube.mask());
        assert_eq!((mesh.format_node(last), mesh.parse_node("0b1")), (last.to_string(), Some(NodeId(1))));
        for node in mesh.iter_nodes() {
            for pattern in [
                Pattern::Named(NamedPermutation::Complement),
                Pattern::Named(NamedPermutation::Transpose),
                Pattern::Named(NamedPermutation::BitReversal),
            ] {
                assert_eq!(pattern.image(mesh, node), pattern.image(cube, node));
            }
            assert_eq!(mesh.distance(node, last), cube.distance(node, last));
        }
        // There are N/2 links between two halves; uniform traffic crosses them with N/2 of N-1
        // messages.
        let (bisection, nodes) = (Bisection::new(mesh), f64::from(mesh.nodes()));
        assert_eq!((bisection.links().count() as u32 * 2, bisection.channels().count() as u32), (1 << n, 1 << n));
        assert!((bisection.saturation_load() - 2.0 * (nodes - 1.0) / nodes).abs() < 1e-12);
    }
    // A cube differs from the mesh of the same shape, whose nodes are written as coordinates.
    assert_ne!(Mesh::from_cube(3), Mesh::from_radices(&[2; 3]));
}

/// Worms use the same intermediate nodes as messages of whole permutations, between the same active
/// nodes. Other pairs have no route.
#[test]
fn worms_use_the_intermediate_nodes_of_permutations() {
    let tolerance = Tolerance::Share(0.4);
    let (mut active, mut inactive) = (0, 0);
    for (id, broken) in ["valiant-brebner", "general", "algorithm-a", "algorithm-b"]
        .into_iter()
        .flat_map(|id| [&[][..], &[6], &[9, 12], &[1, 30]].map(|broken| (id, broken)))
    {
        let nodes: Vec<_> = broken.iter().copied().map(NodeId).collect();
        let found = BlockFaults::on_cube(cube(5), &nodes, &[], tolerance).expect("a small cube");
        let faulty = FaultyNodes::from_nodes(cube(5), nodes.iter().copied()).expect("a small cube");
        let scheme = (routing::find(id).unwrap().oblivious().unwrap().build)(faulty, tolerance).expect("it applies");
        let mut generator = generator(7);
        for pair in pairs(5).filter(|pair| found.is_member(pair.from) && found.is_member(pair.to)) {
            let count = worm(id).initial_header_count(&found, pair.from, pair.to);
            let starts: Vec<_> =
                (0..count).map(|number| worm(id).initial_header(&found, pair.from, pair.to, number).memory).collect();
            let drawn = worm(id).draw_initial_header(&found, pair.from, pair.to, &mut generator).memory;
            let vias: Vec<_> = if !scheme.is_active(pair.from) || !scheme.is_active(pair.to) {
                Vec::new()
            } else if id == "valiant-brebner" {
                (0..32).map(NodeId).collect()
            } else {
                scheme.choice(pair.from, pair.to).unwrap().valid
            };
            let expected: Vec<_> = vias.iter().map(|via| AlgorithmState::ToIntermediate(via.0 as u16)).collect();
            if expected.is_empty() {
                assert_eq!((starts, drawn), (vec![AlgorithmState::NoRoute], AlgorithmState::NoRoute), "{id} {pair:?}");
                inactive += 1;
            } else {
                assert!(expected.contains(&drawn), "{id} {pair:?}: {drawn:?}");
                assert_eq!(starts, expected, "{id} {pair:?}");
                active += 1;
            }
        }
    }
    assert!(active > 1000 && inactive > 1000, "{active} {inactive}");
}

/// Under restricted UP, a worm that has left the order of dimensions once keeps to it afterwards
/// (Chiu, Chalasani & Raghavendra, section V.A).
#[test]
fn a_restricted_worm_leaves_the_order_once() {
    let mut generator = generator(9);
    let restricted = worm("restricted-up");
    for _ in 0..6 {
        let found = random_faults(4, 2, 1, &mut generator);
        for pair in pairs(4).filter(|pair| found.is_member(pair.from) && found.is_member(pair.to)) {
            let mut left = vec![(pair.from, None, restricted.initial_header(&found, pair.from, pair.to, 0), false)];
            while let Some((here, came, header, used)) = left.pop() {
                let choices = restricted.choices(&found, &WormPosition { here, to: pair.to, input_port: came, header });
                let wrong: Vec<u8> = (0..4).filter(|dim| (here.0 ^ pair.to.0) >> dim & 1 == 1).collect();
                let up = |dim: &u8| here.0 >> dim & 1 == 0;
                let legal = wrong.iter().copied().filter(|dim| *dim == wrong[0] || !used && up(dim));
                let open: Vec<u8> = legal.filter(|&dim| found.is_open(here, Port::along(dim, up(&dim)))).collect();
                let mut asked: Vec<_> = choices.iter().map(|choice| choice.port.dim()).collect();
                asked.sort_unstable();
                assert_eq!(asked, open, "{pair:?} at {here}, used {used}");
                for choice in choices.iter() {
                    let (dim, next) = (choice.port.dim(), NodeId(here.0 ^ 1 << choice.port.dim()));
                    if next != pair.to {
                        left.push((next, Some(choice.port), choice.header, used || dim != wrong[0]));
                    }
                }
            }
        }
    }
}

/// Each memory state of a header has a distinct number.
#[test]
fn memory_codes_are_distinct() {
    let mut memories =
        std::collections::BTreeSet::from([AlgorithmState::Nothing, AlgorithmState::Committed, AlgorithmState::NoRoute]);
    memories.insert(AlgorithmState::FromIntermediate);
    for small in 0..=255 {
        let header = routing::Header(small);
        memories.extend([
            AlgorithmState::Network(small),
            AlgorithmState::Reversals(small),
            AlgorithmState::OffBorder(small),
        ]);
        memories.extend([AlgorithmState::Criterion(header), AlgorithmState::State(small)]);
    }
    for word in [0, 1, 2, 3, 4, 255, 256, 4095, 65535] {
        memories.extend([AlgorithmState::Marks(word), AlgorithmState::ToIntermediate(word)]);
    }
    let mut generator = generator(13);
    let mut subcubes = std::collections::BTreeSet::new();
    for number in 0..400 {
        let found = random_faults(2 + (number % 5) as u8, 4, 0, &mut generator);
        for pair in found.members().zip(found.members().skip(1)) {
            if let AlgorithmState::BySubcube(_, subcube) =
                worm("kim-shin").initial_header(&found, pair.0, pair.1, 0).memory
            {
                subcubes.insert(subcube);
                use routing::SubcubePart::{Approach, Inside, Leave};
                memories.extend([Approach, Inside, Leave].map(|part| AlgorithmState::BySubcube(part, subcube)));
            }
        }
    }
    assert!(subcubes.len() > 20, "{}", subcubes.len());
    let numbers: std::collections::BTreeSet<_> = memories.iter().map(|memory| memory.number()).collect();
    assert_eq!(numbers.len(), memories.len());
    assert!(numbers.last().is_some_and(|&last| last < 1 << 22));
}

/// Choices are equal if they permit the same channels in the same order and prefer the same ones.
#[test]
fn choices_are_compared_in_order() {
    let none = faults(3, &[], &[]);
    let at = WormPosition {
        here: NodeId(0),
        to: NodeId(7),
        input_port: None,
        header: worm("minimal").initial_header(&none, NodeId(0), NodeId(7), 0),
    };
    let three = worm("minimal").choices(&none, &at);
    assert!(three == worm("minimal").choices(&none, &at) && three.len() == 3);
    let built = |order: [usize; 3], preferred: usize| {
        let mut choices = VcRequests::NONE;
        for (place, &index) in order.iter().enumerate() {
            if place == preferred {
                choices.prefer();
            }
            choices.add(three.get(index).expect("three"));
        }
        choices
    };
    assert!(built([0, 1, 2], 0) == three && !built([0, 1, 2], 0).is_ordered() && !three.is_ordered());
    assert!(
        built([0, 1, 2], 1) != three && built([0, 1, 2], 1) != built([0, 1, 2], 2) && built([0, 1, 2], 1).is_ordered()
    );
    assert!(built([0, 2, 1], 0) != three && VcRequests::NONE != three && VcRequests::NONE == VcRequests::NONE);
    let mut ranked = three;
    ranked.rank();
    assert!(ranked.is_ordered());
}
