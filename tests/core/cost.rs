//! Costs of routing algorithms, compared with closed forms, with the papers' statements, and with
//! all headers that messages have on small networks.

use std::collections::BTreeSet;

use faultlab::fault::BlockFaults;
use faultlab::routing::cost::{CostNetwork, CostSource, FaultKnowledge, RoutingCost};
use faultlab::routing::rules::RuleText;
use faultlab::routing::{self, ALGORITHMS, UseCase, VcRequests, WormHeader, WormPosition, WormRouting};
use faultlab::theory::oblivious::intermediate_table_bits;
use faultlab::topology::{Mesh, Network, NodeId, Port};

fn network(text: &str) -> CostNetwork {
    CostNetwork::new(Network::parse(text).expect("a network"))
}

fn cost(id: &str, on: &str, use_case: UseCase) -> RoutingCost {
    routing::find(id).expect("an algorithm").routing_cost(&network(on), use_case).expect("a routing")
}

/// e-cube needs log2 k bits for each dimension of the destination, and no knowledge of faults.
#[test]
fn e_cube_needs_the_destination_only() {
    for (on, bits, n) in [("mesh:16x16", 8, 2), ("mesh:5x9", 7, 2), ("mesh:4x4x4", 6, 3), ("cube:10", 10, 10)] {
        let found = cost("e-cube", on, UseCase::Worms);
        assert_eq!((found.header_bits(), found.comparisons_per_hop(), found.state_bits()), (bits, n, 0), "{on}");
        assert_eq!((found.knowledge, found.classes), (FaultKnowledge::Nothing, 1));
    }
    assert_eq!(cost("e-cube", "torus:8x8", UseCase::Worms).classes, 2);
}

/// Section VII: a few bits of the header besides the destination, and costs that grow linearly with
/// the dimensions: f-cube4 adds a constant number of comparisons to those of e-cube.
#[test]
fn f_cube_grows_linearly_with_dimensions() {
    let of = |n: u32, id| cost(id, &format!("mesh:{}", vec!["8"; n as usize].join("x")), UseCase::Worms);
    for n in 2..=4 {
        let (fcube, ecube) = (of(n, "f-cube4"), of(n, "e-cube"));
        assert_eq!(fcube.comparisons_per_hop() - ecube.comparisons_per_hop(), 5);
        let type_bits = u128::from((2 * n).next_power_of_two().trailing_zeros());
        assert_eq!(fcube.header_bits() - ecube.header_bits(), type_bits + 1 + 2);
        assert!(fcube.header_bits() <= u128::from(n) * of(1, "f-cube4").header_bits(), "more than linear");
        let rings = 4 * 2 * u128::from(n);
        assert_eq!(fcube.state_bits(), 2 * u128::from(n) + rings);
    }
}

/// A list of at most all nodes and one node for each hop, against O(n) bits of sidetracking.
#[test]
fn backtracking_carries_visited_nodes() {
    let of = |id: &str, n: u8, path_limit| {
        let at = CostNetwork { path_limit: Some(path_limit), ..network(&format!("cube:{n}")) };
        routing::find(id).unwrap().routing_cost(&at, UseCase::Messages).unwrap().header_bits()
    };
    for n in 2..=20u8 {
        let history = |limit| of("backtracking", n, limit) - of("sidetracking", n, limit);
        assert_eq!(history(u64::from(5 * n)), u128::from(n) * (5 * u128::from(n)).min(1 << n));
        assert_eq!(history(u64::MAX), u128::from(n) << n);
        assert!(of("sidetracking", n, u64::from(5 * n)) <= 5 * u128::from(n), "O(n) bits");
    }
}

/// Algorithms A and B store the tables whose bits Papers computes from active nodes.
#[test]
fn algorithms_a_and_b_store_sets_for_every_destination() {
    for n in 3..=20u8 {
        let tables = |id: &str| {
            let found = cost(id, &format!("cube:{n}"), UseCase::Permutations);
            assert_eq!(found.knowledge, FaultKnowledge::Network);
            found.state_bits() - (1 << n)
        };
        assert_eq!(tables("algorithm-a"), intermediate_table_bits(n, 1 << n).into());
        assert_eq!(tables("algorithm-b"), intermediate_table_bits(n - 2, 1 << (n - 2)).into());
    }
}

/// Circuits assume that every node knows all n 2^n one-way links.
#[test]
fn circuits_know_all_links() {
    for id in ["e-cube", "up", "restricted-up"] {
        let found = cost(id, "cube:5", UseCase::Circuits);
        assert_eq!((found.state_bits(), found.knowledge), (160, FaultKnowledge::Network), "{id}");
        assert_eq!(found.classes, 0);
    }
    assert_eq!(cost("up", "cube:5", UseCase::Messages).state_bits(), 5);
}

/// Relative addresses have a sign on meshes, none on tori and hypercubes, and 2 lg n turns on
/// trees.
#[test]
fn relative_addresses_follow_the_network() {
    let bits = |text: &str| {
        let at = network(text);
        (at.address_bits(), at.relative_address_bits())
    };
    assert_eq!(bits("mesh:16x16"), (8, 10));
    assert_eq!(bits("torus:16x16"), (8, 8));
    assert_eq!(bits("cube:7"), (7, 7));
    assert_eq!(bits("tree:64"), (6, 12));
    let tree = cost("random-guess", "tree:64", UseCase::Deliveries);
    assert_eq!((tree.header_bits(), tree.state_bits()), (12, 0));
    assert_eq!(tree.header[0].source, CostSource::Stated("Greenberg & Leiserson, section 2"));
}

/// Returns the bit times of a delivery cycle, and those with sorting networks.
fn bit_times(on: &str) -> [Option<u128>; 2] {
    let found = cost("greedy", on, UseCase::Deliveries);
    [found.cycle_bit_times(), found.sorting_cycle_bit_times()]
}

/// Sums by hand. The concentrators of `tree:4` (1, 1 and 2 wires) have 2 inputs going up, then 3 and
/// 2 inputs going down: 2 + 5 + 2 levels with butterflies, 1 + 3 + 1 with sorting networks, and 4
/// bits of address. Those of `tree:16` have 2, 2 and 4 inputs, then 6, 4, 3 and 2.
#[test]
fn bit_times_of_small_trees_match_hand_sums() {
    assert_eq!(bit_times("tree:2"), [Some(2 + 2), Some(1 + 2)]);
    assert_eq!(bit_times("tree:4"), [Some(9 + 4), Some(5 + 4)]);
    let butterflies = 2 + 2 + 5 + 8 + 5 + 5 + 2;
    assert_eq!(bit_times("tree:16"), [Some(butterflies + 8), Some(1 + 1 + 3 + 6 + 3 + 3 + 1 + 8)]);
    // Switches of 4 inputs up and 5 inputs down: 2 and 3 levels. Addresses have 2 lg n bits, and a
    // random bit for each level.
    assert_eq!(bit_times("tree2:4"), [Some(3 + 4 + 1), None]);
    assert_eq!(bit_times("tree2:16"), [Some(2 + 3 + 3 + 8 + 2), None]);
    assert_eq!(cost("greedy", "tree2:16", UseCase::Deliveries).header_bits(), 10);
    assert_eq!(cost("e-cube", "mesh:4x4", UseCase::Worms).cycle_bit_times(), None);
}

/// Section 2: a delivery cycle takes O(lg^2 n) bit times with switches of logarithmic depth, and
/// O(lg n) on the second network (section 6). Batcher's networks are of depth O(lg^2 n), and a cycle
/// takes O(lg^3 n). The inputs of the standard tree's switches grow by 2 every two levels, so the
/// sums have closed forms for even lg n.
#[test]
fn bit_times_grow_as_claimed() {
    for lg_n in (2..=20u32).step_by(2) {
        let (lg, n) = (u128::from(lg_n), 1u64 << lg_n);
        let [butterflies, sorting] = bit_times(&format!("tree:{n}"));
        assert_eq!(butterflies, Some(3 * lg * lg / 2 + 3 * lg + 1), "n = {n}");
        let cubic = sorting.expect("concentrators") as f64 / (lg * lg * lg) as f64;
        assert!(cubic > 1.0 / 12.0 && cubic < 1.2, "n = {n}: {cubic} lg^3 n");
        assert_eq!(bit_times(&format!("tree2:{n}")), [Some(5 * lg - 2), None], "n = {n}");
        if lg_n % 3 == 0 {
            // 8 inputs up and 11 down: 3 and 4 levels.
            assert_eq!(bit_times(&format!("tree2-3d:{n}")), [Some(5 * lg - 3), None], "n = {n}");
        }
    }
}

/// Every built-in algorithm has a header and comparisons, and knowledge exactly if a node stores
/// it.
#[test]
fn all_algorithms_have_costs() {
    for algorithm in ALGORITHMS.iter().filter(|algorithm| !algorithm.is_bound()) {
        for (on, use_case) in [
            ("mesh:6x6", UseCase::Worms),
            ("cube:4", UseCase::Messages),
            ("cube:4", UseCase::Permutations),
            ("tree:16", UseCase::Deliveries),
        ] {
            let at = network(on);
            if algorithm.check_use_on(use_case, at.network).is_err() {
                continue;
            }
            let found = algorithm.routing_cost(&at, use_case).unwrap();
            assert!(found.header_bits() > 0 && found.comparisons_per_hop() > 0, "{algorithm:?}");
            assert_eq!(found.state.is_empty(), found.knowledge == FaultKnowledge::Nothing, "{algorithm:?}");
        }
    }
    let bound = routing::find("up-or-dp-per-pair").unwrap();
    assert_eq!(bound.routing_cost(&network("cube:4"), UseCase::Pairs), None);
}

/// Returns the number of different headers, apart from regions, that messages have on `faults`.
fn headers(faults: &BlockFaults, routing: &dyn WormRouting) -> usize {
    let (mesh, mut seen, mut open) = (faults.mesh(), BTreeSet::new(), Vec::new());
    let mut visit = |at: (NodeId, NodeId, Option<Port>, WormHeader), open: &mut Vec<_>| {
        if at.0 != at.1 && seen.insert(at) {
            open.push(at);
        }
    };
    for from in mesh.iter_nodes().filter(|&node| faults.is_member(node)) {
        for to in mesh.iter_nodes().filter(|&node| faults.is_member(node) && node != from) {
            for number in 0..routing.initial_header_count(faults, from, to) {
                visit((from, to, None, routing.initial_header(faults, from, to, number)), &mut open);
            }
        }
    }
    while let Some((here, to, input_port, header)) = open.pop() {
        let mut choices = VcRequests::NONE;
        routing.route_compute(faults, &WormPosition { here, to, input_port, header }, &mut choices);
        for choice in choices.iter() {
            let next = mesh.neighbor(here, choice.port).expect("a live link");
            visit((next, to, Some(choice.port), choice.header), &mut open);
        }
    }
    let fields = |(_, _, _, header): &(_, _, _, WormHeader)| {
        (header.message_type, header.status, header.orientation, header.memory)
    };
    seen.iter().map(fields).collect::<BTreeSet<_>>().len()
}

/// The header bits besides the destination distinguish all headers that messages have.
#[test]
fn header_bits_distinguish_all_headers() {
    let plane = BlockFaults::new(Mesh::new(6, 6).unwrap(), &[NodeId(14), NodeId(15), NodeId(6)], &[]);
    let space = BlockFaults::new(Mesh::from_radices(&[4, 4, 4]).unwrap(), &[NodeId(21)], &[]);
    let torus = BlockFaults::new(Mesh::new(6, 6).unwrap().to_torus(), &[NodeId(14)], &[]);
    let mut compared = 0;
    for faults in [plane, space, torus] {
        let at = CostNetwork::new(Network::Mesh(faults.mesh()));
        for algorithm in ALGORITHMS {
            if algorithm.check_use_on(UseCase::Worms, at.network).is_err() {
                continue;
            }
            let cost = algorithm.routing_cost(&at, UseCase::Worms).unwrap();
            let routing = algorithm.worm.as_deref().unwrap();
            assert_eq!(cost.classes, routing.vc_classes(faults.mesh()));
            let state_bits = (cost.header_bits() - at.address_bits()) as u32;
            let derived = derived_types(&algorithm.id, faults.mesh());
            let found = headers(&faults, routing);
            assert!(found <= derived << state_bits, "{algorithm:?}: {found} headers in {state_bits} bits");
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared}");
}

/// Returns the number of message types that a node derives from the destination, and which the
/// engine stores all the same: those of e-cube's hop, and of the header of unaffected messages.
fn derived_types(id: &str, mesh: Mesh) -> usize {
    match id {
        "e-cube" | "weak" | "dr-static" | "dr-dynamic" | "o1turn" | "valiant-mesh" | "romm" => {
            2 * usize::from(mesh.dimensions())
        }
        _ => 1,
    }
}

/// The costs of rules are counted from their text: conditions until a rule without one, states,
/// rings.
#[test]
fn costs_of_rules_are_counted_from_the_text() {
    let of = |text: &str, on: &str, use_case| {
        let rules = RuleText::parse(text).unwrap();
        rules.routings()[0].routing_cost(&network(on), use_case).unwrap()
    };
    let west_first = "routing w on mesh 2\nwhen West is minimal take West\notherwise take minimal";
    let found = of(west_first, "mesh:8x8", UseCase::Worms);
    assert_eq!((found.comparisons_per_hop(), found.header_bits(), found.state_bits()), (1, 6, 4));
    assert_eq!(found.knowledge, FaultKnowledge::OwnLinks);

    let example = routing::rules::EXAMPLES.iter().find(|example| example.text.contains("ring")).unwrap();
    let found = of(example.text, "mesh:8x8", UseCase::Worms);
    assert_eq!(found.knowledge, FaultKnowledge::Rings);
    assert!(found.header_bits() >= 6 + 3 && found.classes == RuleText::parse(example.text).unwrap().trees()[0].classes);
}
