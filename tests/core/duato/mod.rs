//! Tests of weakly adaptive routing on meshes and of Duato's condition (Boppana & Chalasani,
//! section IV.A). They include a second enumeration of dependencies, and routings that violate the
//! condition.

mod condition;
mod figure_12;
mod naive;

use faultlab::fault::BlockFaults;
use faultlab::random::Key;
use faultlab::topology::Mesh;

use crate::common::{self, mesh_with_radices as mesh, worm};

/// Returns a mesh with faulty links, such as `3.4-4.4`.
fn broken(mesh: Mesh, links: &[&str]) -> BlockFaults {
    let links: Vec<_> = links.iter().map(|text| mesh.parse_link(text).expect("a link")).collect();
    BlockFaults::new(mesh, &[], &links)
}

/// Returns random fault set `number`, with up to `most` nodes and up to `most` links.
fn random_faults(mesh: Mesh, most: u32, number: u64) -> BlockFaults {
    common::random_faults(mesh, most, &mut Key::from_seed(12).child(number).generator())
}
