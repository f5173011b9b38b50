//! Tori: their links and distances, blocks and rings that go around them, e-cube and f-cube there, and worms in time.

mod blocks;
mod engine;
mod routing;
mod topology;

use faultlab::random::{Generator, Key};
use faultlab::topology::Mesh;

use crate::common::{mesh_faults as faults, mesh_of, some_faults};

/// The torus of these radices, the highest dimension first.
fn torus(radices: &[u16]) -> Mesh {
    mesh_of(radices).wrapped()
}

/// A generator for test number `number`.
fn generator(number: u64) -> Generator {
    Key::from_seed(7).child(number).generator()
}
