//! Meshes with block faults and wormhole routing on them, against the examples, the lemmas and the counterexamples of
//! Boppana & Chalasani.

#[path = "mesh/blocks.rs"]
mod blocks;
mod common;
#[path = "mesh/dependencies.rs"]
mod dependencies;
#[path = "mesh/dimensions.rs"]
mod dimensions;
#[path = "mesh/examples.rs"]
mod examples;
#[path = "mesh/journeys.rs"]
mod journeys;

use common::mesh_faults as faults;
use faultlab::fault::BlockFaults;
use faultlab::random::{Generator, Key};
use faultlab::topology::Mesh;

/// The mesh of this size.
fn mesh(rows: u16, columns: u16) -> Mesh {
    Mesh::new(rows, columns).expect("a size")
}

/// A random fault set: up to `most` nodes and up to `most` links anywhere.
fn random_faults(mesh: Mesh, most: u32, generator: &mut Generator) -> BlockFaults {
    let (nodes, links) = common::some_faults(mesh, most, generator);
    BlockFaults::new(mesh, &nodes, &links)
}

/// A generator for test number `number`.
fn generator(number: u64) -> Generator {
    Key::from_seed(4).child(number).generator()
}
