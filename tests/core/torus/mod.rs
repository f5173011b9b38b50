//! Tests of tori: links and distances, blocks and rings that wrap around, e-cube, f-cube
//! and adaptive routing, and simulated worms.

mod adaptive;
mod blocks;
mod engine;
mod routing;
mod topology;

use faultlab::random::{Generator, Key};
use faultlab::topology::Mesh;

use crate::common::{mesh_faults as faults, mesh_with_radices, sample_raw_faults};

/// Returns the torus of these radices, highest dimension first.
fn torus(radices: &[u16]) -> Mesh {
    mesh_with_radices(radices).to_torus()
}

/// Returns the generator of test `number`.
fn generator(number: u64) -> Generator {
    Key::from_seed(7).child(number).generator()
}
