//! Tori: their links and distances, blocks and rings that go around them, e-cube and f-cube there, and worms in time.

#[path = "torus/blocks.rs"]
mod blocks;
mod common;
#[path = "torus/engine.rs"]
mod engine;
#[path = "torus/routing.rs"]
mod routing;
#[path = "torus/topology.rs"]
mod topology;

use common::{mesh_faults as faults, some_faults};
use faultlab::random::{Generator, Key};
use faultlab::topology::Mesh;

/// The torus of these radices, the highest dimension first.
fn torus(radices: &[u16]) -> Mesh {
    Mesh::of(radices).expect("a size").wrapped()
}

/// A generator for test number `number`.
fn generator(number: u64) -> Generator {
    Key::from_seed(7).child(number).generator()
}
