//! Meshes with block faults and wormhole routing on them, against the examples, the lemmas and the counterexamples of
//! Boppana & Chalasani.

#[path = "mesh/blocks.rs"]
mod blocks;
#[path = "mesh/dependencies.rs"]
mod dependencies;
#[path = "mesh/dimensions.rs"]
mod dimensions;
#[path = "mesh/examples.rs"]
mod examples;
#[path = "mesh/journeys.rs"]
mod journeys;

use faultlab::fault::BlockFaults;
use faultlab::random::{Generator, Key, below};
use faultlab::topology::{Link, Mesh, NodeId};

/// The mesh of this size.
fn mesh(rows: u16, columns: u16) -> Mesh {
    Mesh::new(rows, columns).expect("a size")
}

/// The faults of a mesh from a text such as `1.2,3.4-4.4`.
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

/// A random fault set: up to `most` nodes and up to `most` links anywhere.
fn random_faults(mesh: Mesh, most: u32, generator: &mut Generator) -> BlockFaults {
    let all: Vec<Link> = mesh.all_links().collect();
    let nodes: Vec<_> =
        (0..below(generator, most + 1)).map(|_| NodeId(u64::from(below(generator, mesh.nodes())))).collect();
    let links: Vec<_> =
        (0..below(generator, most + 1)).map(|_| all[below(generator, all.len() as u32) as usize]).collect();
    BlockFaults::new(mesh, &nodes, &links)
}

/// A generator for test number `number`.
fn generator(number: u64) -> Generator {
    Key::from_seed(4).child(number).generator()
}
