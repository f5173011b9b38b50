//! Tori: their links and distances, blocks and rings that go around them, e-cube and f-cube there, and worms in time.

#[path = "torus/blocks.rs"]
mod blocks;
#[path = "torus/engine.rs"]
mod engine;
#[path = "torus/routing.rs"]
mod routing;
#[path = "torus/topology.rs"]
mod topology;

use faultlab::fault::BlockFaults;
use faultlab::random::{Generator, Key, below};
use faultlab::topology::{Link, Mesh, NodeId};

/// The torus of these radices, the highest dimension first.
fn torus(radices: &[u16]) -> Mesh {
    Mesh::of(radices).expect("a size").wrapped()
}

/// The faults of a torus from a text such as `1.2,3.4-4.4`.
fn faults(mesh: Mesh, text: &str) -> BlockFaults {
    let (mut nodes, mut links) = (Vec::new(), Vec::new());
    for text in text.split(',').filter(|text| !text.is_empty()) {
        match mesh.parse_link(text) {
            Some(link) => links.push(link),
            None => nodes.push(mesh.parse_node(text).expect("a node")),
        }
    }
    BlockFaults::new(mesh, &nodes, &links)
}

/// Up to `most` nodes and up to `most` links anywhere, as drawn.
fn some_faults(mesh: Mesh, most: u32, generator: &mut Generator) -> (Vec<NodeId>, Vec<Link>) {
    let all: Vec<Link> = mesh.all_links().collect();
    let nodes = (0..below(generator, most + 1)).map(|_| NodeId(u64::from(below(generator, mesh.nodes())))).collect();
    let links = (0..below(generator, most + 1)).map(|_| all[below(generator, all.len() as u32) as usize]).collect();
    (nodes, links)
}

/// A generator for test number `number`.
fn generator(number: u64) -> Generator {
    Key::from_seed(7).child(number).generator()
}
