use super::*;
use crate::random::{Key, below};
use crate::traffic::NamedPermutation;

fn mesh(rows: u16, columns: u16) -> Mesh {
    Mesh::new(rows, columns).expect("a mesh")
}

/// Returns the load factor of a pattern without faults.
fn found(mesh: Mesh, pattern: Pattern) -> NetworkLoadFactor {
    MeshLoadFactor::from_pattern(&BlockFaults::new(mesh, &[], &[]), &pattern).expect("messages").found
}

fn assert_exact(mesh: Mesh, pattern: Pattern, value: f64) {
    let found = found(mesh, pattern.clone());
    assert!(found.is_exact(), "{mesh} {pattern}: {found:?}");
    assert!((found.value() - value).abs() < 1e-9, "{mesh} {pattern}: {} is not {value}", found.value());
    assert!(found.routed >= found.value() * (1.0 - 1e-9), "{found:?}");
}

/// All k^2/2 messages of a half cross the k links of the bisection, and row-first routing loads no
/// channel more.
#[test]
fn complement_on_square_meshes_is_half_the_side() {
    for side in [4, 6, 8, 16] {
        assert_exact(mesh(side, side), Pattern::Named(NamedPermutation::Complement), f64::from(side) / 2.0);
    }
}

/// Each of the 2^(n-1) messages of a half crosses one of as many links, and n 2^n hops on n 2^n
/// channels load no channel more than once.
#[test]
fn complement_on_cubes_is_one() {
    for dimensions in [3, 4, 6, 8] {
        assert_exact(Mesh::from_cube(dimensions).expect("a cube"), Pattern::Named(NamedPermutation::Complement), 1.0);
    }
}

/// Uniform traffic: the half of N nodes sends N/2 N/2/(N-1) messages over N/k links of a mesh, 2N/k
/// of a torus, N/2 of a hypercube. Dimension-order routing attains these values (Dally & Towles,
/// section 3.3).
#[test]
fn uniform_traffic_is_limited_by_the_bisection() {
    let half = |nodes: f64| nodes * nodes / 4.0 / (nodes - 1.0);
    assert_exact(mesh(8, 8), Pattern::Uniform, half(64.0) / 8.0);
    assert_exact(mesh(6, 6).to_torus(), Pattern::Uniform, half(36.0) / 12.0);
    let solid = Mesh::from_radices(&[4, 4, 4]).expect("a mesh");
    assert_exact(solid, Pattern::Uniform, half(64.0) / 16.0);
    assert_exact(Mesh::from_cube(6).expect("a cube"), Pattern::Uniform, half(64.0) / 32.0);
}

/// A square of a x a nodes in a corner sends a^2 - max(0, 2a - k)^2 messages over 2a links, a lower
/// bound on transpose traffic; no cut has more than row-first routing, k - 1.
#[test]
fn transpose_is_at_least_that_of_a_square_in_the_corner() {
    for side in [4u16, 6, 8, 12] {
        let found = found(mesh(side, side), Pattern::Named(NamedPermutation::Transpose));
        let square = |a: u16| f64::from(a * a - (2 * a).saturating_sub(side).pow(2)) / f64::from(2 * a);
        let best = (1..side).map(square).fold(0.0, f64::max);
        assert!(found.value() >= best - 1e-9 && found.value() <= f64::from(side - 1), "{side}: {found:?}");
        assert!(found.routed >= found.value() - 1e-9, "{side}: {found:?}");
    }
}

/// Returns the load factor by the definition, for sets of messages listed one by one.
fn by_definition(nodes: u32, channels: &[[u32; 2]], messages: &[[u32; 2]]) -> f64 {
    let crossing = |side: u32, ends: &[[u32; 2]]| {
        ends.iter().filter(|[from, to]| side >> from & 1 == 1 && side >> to & 1 == 0).count() as f64
    };
    let ratio = |side| match crossing(side, messages) {
        0.0 => 0.0,
        load => load / crossing(side, channels),
    };
    (1..(1u32 << nodes) - 1).map(ratio).fold(0.0, f64::max)
}

fn channels(mesh: Mesh) -> Vec<[u32; 2]> {
    let faults = BlockFaults::new(mesh, &[], &[]);
    let of = |from: NodeId| faults.neighbors(from).map(move |to| [from.0 as u32, to.0 as u32]).collect::<Vec<_>>();
    mesh.iter_nodes().flat_map(of).collect()
}

/// Random messages on a 3 x 3 mesh, a 2 x 4 mesh, a 3 x 3 torus and the 3-cube: all cuts of the
/// search and of the definition agree, and so do the cut and the search from below.
#[test]
fn random_messages_on_small_networks_match_the_definition() {
    let networks = [mesh(3, 3), mesh(2, 4), mesh(3, 3).to_torus(), Mesh::from_cube(3).expect("a cube")];
    let mut generator = Key::from_seed(7).generator();
    for network in networks {
        let (nodes, channels) = (network.nodes(), channels(network));
        for _ in 0..8 {
            let mut messages = Vec::new();
            for _ in 0..2 * nodes {
                messages.push([below(&mut generator, nodes), below(&mut generator, nodes)]);
            }
            let mut problem = LoadProblem::new(nodes as usize, &channels);
            messages.iter().for_each(|&[from, to]| problem.add_messages(from, to, 1.0));
            let wanted = by_definition(nodes, &channels, &messages);
            let all = NetworkLoadFactor::new(&problem, std::iter::empty()).expect("messages");
            assert!((all.value() - wanted).abs() < 1e-9, "{network}: {} is not {wanted}", all.value());
            assert!(all.routed >= wanted - 1e-9, "{network}: {all:?}");
            let side = cuts::search(&problem, boxes(network)).expect("messages");
            let searched = Cut::new(&problem, side).ratio();
            assert!(searched <= wanted + 1e-9 && searched >= 0.75 * wanted, "{network}: {searched}, {wanted}");
        }
    }
}

/// On a ring with channels in one direction, the three messages of node 0 cross the one channel out
/// of node 0. The last channel on their way carries a fourth message in every routing, which no cut
/// counts.
#[test]
fn directed_cuts_count_one_direction() {
    let mut problem = LoadProblem::new(4, &[[0, 1], [1, 2], [2, 3], [3, 0]]);
    problem.add_messages(0, 3, 3.0);
    problem.add_messages(1, 0, 1.0);
    let found = NetworkLoadFactor::new(&problem, std::iter::empty()).expect("messages");
    assert_eq!((found.value(), found.routed, found.is_exact()), (3.0, 4.0, true));
    assert_eq!(by_definition(4, &[[0, 1], [1, 2], [2, 3], [3, 0]], &[[0, 3], [0, 3], [0, 3], [1, 0]]), 3.0);
}

/// Faults narrow cuts: on a 3 x 4 mesh with a faulty node, expected messages between the live nodes
/// match the definition.
#[test]
fn faults_and_hot_spots_match_the_definition() {
    let network = mesh(3, 4);
    let faults = BlockFaults::new(network, &[NodeId(5)], &[]);
    for pattern in [Pattern::Uniform, Pattern::hot_spot(NodeId(0), 0.5), Pattern::Named(NamedPermutation::Complement)] {
        let MeshLoadFactor { found, nodes } = MeshLoadFactor::from_pattern(&faults, &pattern).expect("messages");
        let live = LiveNodes::from_flags(network.iter_nodes().map(|node| faults.is_member(node)));
        let ratio = |side: u32| {
            let inside = |node: &NodeId| nodes.binary_search(node).is_ok_and(|number| side >> number & 1 == 1);
            let (mut load, mut wires) = (0.0, 0.0f64);
            for from in nodes.iter().filter(|node| inside(node)) {
                wires += faults.neighbors(*from).filter(|to| !inside(to)).count() as f64;
                let outside = nodes.iter().filter(|node| !inside(node));
                load += outside.map(|&to| pattern.probability(network, *from, to, &live)).sum::<f64>();
            }
            load / wires
        };
        let wanted = (1..(1u32 << nodes.len()) - 1).map(ratio).fold(0.0, f64::max);
        assert!((found.value() - wanted).abs() < 1e-9, "{pattern}: {} is not {wanted}", found.value());
        assert!(found.all_cuts && found.routed >= wanted - 1e-9);
    }
}

/// No message, no cut: a single node, or a permutation that fixes all nodes.
#[test]
fn networks_without_messages_have_none() {
    assert_eq!(NetworkLoadFactor::new(&LoadProblem::new(0, &[]), std::iter::empty()), None);
    assert_eq!(NetworkLoadFactor::new(&LoadProblem::new(3, &[[0, 1], [1, 2]]), std::iter::empty()), None);
    let mut apart = LoadProblem::new(2, &[]);
    apart.add_messages(0, 1, 1.0);
    let found = NetworkLoadFactor::new(&apart, std::iter::empty()).expect("a message");
    assert!(found.value().is_infinite() && found.routed.is_infinite());
}
