//! Tests of embeddings of a healthy cube in a faulty one, against enumeration of all maps.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::fault::FaultyNodes;
use faultlab::random::Key;
use faultlab::theory::{Embedding, EmbeddingMethod, least_dilation, least_load};
use faultlab::topology::NodeId;

use crate::common::cube;

fn faulty(n: u8, nodes: &[u64]) -> FaultyNodes {
    FaultyNodes::from_nodes(cube(n), nodes.iter().copied().map(NodeId)).expect("a small cube")
}

/// Returns the distances between all live nodes, by Floyd and Warshall.
fn distances(faulty: &FaultyNodes) -> Vec<Vec<u32>> {
    let nodes = 1usize << faulty.cube().dimension();
    let live = |node: usize| !faulty.contains(NodeId(node as u64));
    let first = |a: usize, b: usize| match (a ^ b).count_ones() {
        bits @ 0..=1 if live(a) && live(b) => bits,
        _ => 1000,
    };
    let mut all: Vec<Vec<u32>> = (0..nodes).map(|a| (0..nodes).map(|b| first(a, b)).collect()).collect();
    for middle in 0..nodes {
        for (a, b) in (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))) {
            all[a][b] = all[a][b].min(all[a][middle] + all[middle][b]);
        }
    }
    all
}

/// Returns the dilation of a map, by the definition.
fn dilation(hosts: &[usize], distances: &[Vec<u32>]) -> u32 {
    let edges = (0..hosts.len()).flat_map(|a| (0..hosts.len()).map(move |b| (a, b)));
    edges.filter(|(a, b)| (a ^ b).count_ones() == 1).map(|(a, b)| distances[hosts[a]][hosts[b]]).max().unwrap_or(0)
}

/// Checks the map, its load and dilation by their definitions, and the congestion by the number of
/// hops on all live channels.
fn check(faulty: &FaultyNodes, found: &Embedding) {
    let (n, distances) = (u32::from(faulty.cube().dimension()), distances(faulty));
    let hosts: Vec<_> = found.hosts.iter().map(|host| host.0 as usize).collect();
    assert!(hosts.iter().all(|&host| !faulty.contains(NodeId(host as u64))));
    let load = |host: usize| hosts.iter().filter(|&&other| other == host).count() as u32;
    assert_eq!(Some(found.load), (0..hosts.len()).map(load).max());
    assert_eq!(found.dilation, dilation(&hosts, &distances));
    let pairs = (0..hosts.len()).flat_map(|a| (0..n).map(move |dim| (a, a ^ 1 << dim)));
    let hops: u32 = pairs.map(|(a, b)| distances[hosts[a]][hosts[b]]).sum();
    assert!(found.congestion * n * (hosts.len() as u32 - faulty.count()) >= hops);
    match found.method {
        EmbeddingMethod::Identity => assert_eq!(found.load, 1),
        EmbeddingMethod::Subcube(missing) => {
            let copies = 1 << missing;
            assert_eq!((found.load, found.dilation, found.congestion), (copies, 1, copies));
        }
        EmbeddingMethod::Neighbours => {
            let moved = |(node, &host): (usize, &usize)| (node ^ host).count_ones() <= 1;
            assert!(found.load == 2 && hosts.iter().enumerate().all(moved));
        }
    }
}

/// All sets of one and two faulty nodes of the 3-cube. Unless the two are opposite, they agree in a
/// bit, and a fault-free square gives load 2, dilation 1 and congestion 2.
#[test]
fn all_sets_of_one_and_two_faults_of_the_3_cube_are_embedded_with_the_least_load() {
    for (a, b) in (0..8).flat_map(|a| (a..8).map(move |b| (a, b))) {
        let set = faulty(3, &[a, b]);
        let found = Embedding::construct(&set).expect("live neighbours");
        check(&set, &found);
        assert_eq!((found.load, least_load(&set)), (2, Some(2)));
        let least = least_dilation(&set, 2, 1_000_000).expect("a small search");
        assert!(least <= found.dilation);
        if a ^ b == 0b111 {
            assert_eq!(found.method, EmbeddingMethod::Neighbours);
        } else {
            assert_eq!((found.dilation, found.congestion, least), (1, 2, 1), "{a} {b}");
        }
    }
}

/// Enumerates all maps of the 3-cube to the six live nodes that two opposite faults leave.
#[test]
fn least_dilation_matches_the_enumeration_of_all_maps() {
    let set = faulty(3, &[0, 7]);
    let distances = distances(&set);
    let mut best = u32::MAX;
    for number in 0..6usize.pow(8) {
        let (mut rest, mut counts, mut hosts) = (number, [0; 6], [0; 8]);
        for host in &mut hosts {
            counts[rest % 6] += 1;
            *host = rest % 6 + 1;
            rest /= 6;
        }
        if counts.iter().all(|&count| count <= 2) {
            best = best.min(dilation_of_3_cube(&hosts, &distances));
        }
    }
    assert_eq!(least_dilation(&set, 2, 1_000_000), Some(best));
}

fn dilation_of_3_cube(hosts: &[usize; 8], distances: &[Vec<u32>]) -> u32 {
    let mut most = 0;
    for node in 0..8usize {
        for bit in [1, 2, 4] {
            most = most.max(distances[hosts[node]][hosts[node ^ bit]]);
        }
    }
    most
}

/// Random faults of larger cubes: a constructed embedding keeps its definition, and its load is the
/// least one if it is not that of a subcube of n-2 dimensions.
#[test]
fn random_faults_keep_the_definitions() {
    for (n, seed) in (2..=6).flat_map(|n| (0..8).map(move |seed| (n, seed))) {
        let key = Key::from_seed(seed);
        let nodes: Vec<_> = (0..1u64 << n).filter(|&node| key.hash_u53(node) < 1 << 50).collect();
        let set = faulty(n, &nodes);
        let Some(found) = Embedding::construct(&set) else { continue };
        check(&set, &found);
        assert!(found.load >= least_load(&set).unwrap());
        assert!(found.load == least_load(&set).unwrap() || found.method == EmbeddingMethod::Subcube(2));
    }
}

/// Faulty links alone leave every node on itself; the route across the link takes three hops.
#[test]
fn a_faulty_link_costs_a_detour() {
    let set = faulty(4, &[]);
    let whole = Embedding::construct(&set).unwrap();
    assert_eq!((whole.method, whole.load, whole.dilation, whole.congestion), (EmbeddingMethod::Identity, 1, 1, 1));
    let set = set.with_links([faultlab::topology::Link { from: NodeId(5), dim: 2 }]);
    let found = Embedding::construct(&set).unwrap();
    assert_eq!((found.method, found.load, found.dilation), (EmbeddingMethod::Identity, 1, 3));
}

/// Nodes whose neighbours are all faulty have no host beside them, and no live node remains in a
/// cube of faults.
#[test]
fn cubes_without_an_embedding_have_none() {
    assert_eq!(Embedding::construct(&faulty(2, &[0, 1, 2, 3])), None);
    assert_eq!(least_load(&faulty(2, &[0, 1, 2, 3])), None);
    let even: Vec<u64> = (0..16u64).filter(|node| node.count_ones() % 2 == 0).collect();
    // The eight live nodes have no live links between them.
    assert_eq!(Embedding::construct(&faulty(4, &even)), None);
}
