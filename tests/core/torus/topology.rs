//! Tests of links, distances and names of tori against coordinate arithmetic.

use std::collections::{BTreeSet, VecDeque};

use faultlab::topology::{Mesh, Network, NodeId, Port};

use super::torus;

const SIZES: [&[u16]; 14] = [
    &[3],
    &[8],
    &[2],
    &[5, 4],
    &[4, 4],
    &[2, 5],
    &[3, 2],
    &[1, 6],
    &[3, 3, 3],
    &[2, 4, 3],
    &[4, 1, 5],
    &[2, 2, 2],
    &[3, 3, 2, 4],
    &[3, 3, 3, 3],
];

/// Parses the coordinates of a label, lowest dimension first.
fn coordinates(mesh: Mesh, node: NodeId) -> Vec<u16> {
    mesh.format_node(node).split('.').rev().map(|part| part.parse().expect("a coordinate")).collect()
}

/// Returns the neighbour with one more (or less) in dimension `dim`, modulo the radix. With radix 2
/// only up from 0 and down from 1 exist.
fn around(mesh: Mesh, radices: &[u16], node: NodeId, dim: usize, grows: bool) -> Option<NodeId> {
    let mut at = coordinates(mesh, node);
    let radix = radices[radices.len() - 1 - dim];
    let leaves = if grows { at[dim] == radix - 1 } else { at[dim] == 0 };
    at[dim] = (at[dim] + if grows { 1 } else { radix - 1 }) % radix;
    let text: Vec<_> = at.iter().rev().map(ToString::to_string).collect();
    if leaves && radix <= 2 { None } else { mesh.parse_node(&text.join(".")) }
}

/// Returns the hops to every node, by breadth-first search.
fn hops(mesh: Mesh, from: NodeId) -> Vec<u32> {
    let mut hops = vec![u32::MAX; mesh.nodes() as usize];
    let mut rest = VecDeque::from([from]);
    hops[from.0 as usize] = 0;
    while let Some(node) = rest.pop_front() {
        for next in mesh.ports().filter_map(|port| mesh.neighbor(node, port)) {
            if hops[next.0 as usize] == u32::MAX {
                hops[next.0 as usize] = hops[node.0 as usize] + 1;
                rest.push_back(next);
            }
        }
    }
    hops
}

#[test]
fn neighbours_are_one_apart_around_the_torus() {
    for radices in SIZES {
        let mesh = torus(radices);
        for node in mesh.iter_nodes() {
            for port in mesh.ports() {
                let next = mesh.neighbor(node, port);
                assert_eq!(next, around(mesh, radices, node, usize::from(port.dim()), port.grows()), "{mesh}");
                if let Some(next) = next {
                    assert_eq!(mesh.neighbor(next, port.opposite()), Some(node));
                }
            }
        }
    }
}

#[test]
fn links_are_counted_once() {
    for radices in SIZES {
        let mesh = torus(radices);
        let ends = |link| {
            let to = mesh.link_end(link).expect("an end");
            (link.from.min(to), link.from.max(to))
        };
        let links: Vec<_> = mesh.iter_links().collect();
        let pairs: BTreeSet<_> = links.iter().map(|&link| ends(link)).collect();
        let neighbours = |&node: &NodeId| mesh.ports().filter_map(|port| mesh.neighbor(node, port)).count();
        let degrees: usize = mesh.iter_nodes().map(|node| neighbours(&node)).sum();
        assert_eq!((pairs.len(), links.len()), (degrees / 2, degrees / 2), "no link doubles another one: {mesh}");
        assert_eq!(mesh.links() as usize, links.len());
        for dim in 0..mesh.dimensions() {
            let along = links.iter().filter(|link| link.dim == dim).count();
            assert_eq!(mesh.links_along(dim) as usize, along, "{mesh} {dim}");
        }
        // A k-ary n-cube with k > 2 has n links per node.
        if radices.iter().all(|&radix| radix > 2) {
            assert_eq!(links.len(), radices.len() * mesh.nodes() as usize);
        }
    }
}

#[test]
fn distances_are_those_of_a_search() {
    for radices in SIZES {
        let mesh = torus(radices);
        let mut diameter = 0;
        for here in mesh.iter_nodes() {
            let hops = hops(mesh, here);
            for there in mesh.iter_nodes() {
                assert_eq!(mesh.distance(there, here), hops[there.0 as usize], "{mesh} {there} {here}");
                let nearer = |&port: &Port| {
                    let next = mesh.neighbor(there, port);
                    next.is_some_and(|next| hops[next.0 as usize] < hops[there.0 as usize])
                };
                let ports = mesh.ports().filter(nearer).fold(0, |ports, port| ports | port.bit());
                assert_eq!(mesh.minimal_ports(there, here), ports, "{mesh} {there} {here}");
            }
            diameter = diameter.max(hops.into_iter().max().unwrap_or(0));
        }
        assert_eq!(mesh.diameter(), diameter, "{mesh}");
        assert_eq!(diameter, radices.iter().map(|radix| u32::from(radix / 2)).sum::<u32>());
    }
}

#[test]
fn opposite_nodes_have_two_minimal_directions() {
    let mesh = torus(&[8, 6]);
    let node = |text| mesh.parse_node(text).unwrap();
    let both = Port::WEST.bit() | Port::EAST.bit();
    assert_eq!(mesh.minimal_ports(node("2.1"), node("2.4")), both);
    assert_eq!(mesh.minimal_ports(node("2.1"), node("6.4")), both | Port::NORTH.bit() | Port::SOUTH.bit());
    assert_eq!(mesh.minimal_ports(node("2.1"), node("7.5")), Port::WEST.bit() | Port::NORTH.bit());
    assert_eq!((mesh.offset(1, 0, 5), mesh.offset(1, 0, 4)), ((3, [true, false]), (4, [true, true])));
}

#[test]
fn wraparound_links_have_names() {
    let mesh = torus(&[4, 5]);
    let link = mesh.link(mesh.parse_node("2.0").unwrap(), Port::WEST).unwrap();
    assert_eq!((mesh.format_node(link.from), link.dim, mesh.format_link(link)), ("2.4".into(), 0, "2.4-2.0".into()));
    assert_eq!((mesh.parse_link("2.0-2.4"), mesh.parse_link("2.4-2.0")), (Some(link), Some(link)));
    assert_eq!(mesh.format_link(mesh.parse_link("0.3-3.3").unwrap()), "3.3-0.3");
    assert_eq!((mesh.parse_link("0.0-2.0"), mesh.parse_link("0.0-3.4")), (None, None));
    for radices in SIZES {
        let mesh = torus(radices);
        for link in mesh.iter_links() {
            let label = mesh.format_link(link);
            let (a, b) = label.split_once('-').unwrap();
            assert_eq!(mesh.parse_link(&label), Some(link));
            assert_eq!(mesh.parse_link(&format!("{b}-{a}")), Some(link));
        }
    }
}

#[test]
fn radix_2_has_no_wraparound() {
    // 2 x 2 is a square, and every torus of radix 2 is a hypercube.
    let (flat, wrapped) = (Mesh::from_radices(&[2, 2, 2]).unwrap(), torus(&[2, 2, 2]));
    assert_eq!((flat.links(), wrapped.links()), (12, 12));
    assert!(wrapped.is_torus() && (0..3).all(|dim| !wrapped.wraps(dim)));
    assert!(flat.iter_links().eq(wrapped.iter_links()));
    let mixed = torus(&[2, 5]);
    assert_eq!((mixed.wraps(0), mixed.wraps(1), mixed.links()), (true, false, 15));
}

#[test]
fn torus_texts_round_trip() {
    for text in ["torus:8x8", "torus:5", "torus:3x4x5", "torus:2x2x2x2x2"] {
        let network = Network::parse(text).unwrap();
        assert_eq!(network.to_string(), text);
        assert!(matches!(network, Network::Mesh(mesh) if mesh.is_torus()));
    }
    assert_ne!(Network::parse("torus:4x4"), Network::parse("mesh:4x4"));
}

#[test]
fn mean_distances_are_those_of_all_pairs() {
    for radices in SIZES {
        for mesh in [torus(radices), Mesh::from_radices(radices).expect("a mesh")] {
            let pairs = mesh.iter_nodes().flat_map(|a| mesh.iter_nodes().map(move |b| u64::from(mesh.distance(a, b))));
            let nodes = f64::from(mesh.nodes());
            let mean = pairs.sum::<u64>() as f64 / (nodes * nodes);
            assert!((mesh.mean_distance() - mean).abs() < 1e-9, "{mesh}: {} {mean}", mesh.mean_distance());
        }
    }
}
