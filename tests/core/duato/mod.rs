//! Weakly adaptive routing on meshes and Duato's condition for it, against Boppana & Chalasani section IV.A, against a second
//! way of counting dependencies, and against routings that break it.

mod condition;
mod figure_12;
mod naive;

use faultlab::fault::BlockFaults;
use faultlab::random::Key;
use faultlab::topology::Mesh;

use crate::common::{self, mesh_of as mesh, worm};

/// A mesh with faulty links, such as `3.4-4.4`.
fn broken(mesh: Mesh, links: &[&str]) -> BlockFaults {
    let links: Vec<_> = links.iter().map(|text| mesh.parse_link(text).expect("a link")).collect();
    BlockFaults::new(mesh, &[], &links)
}

/// Random fault set number `number`: up to `most` nodes and up to `most` links anywhere.
fn random_faults(mesh: Mesh, most: u32, number: u64) -> BlockFaults {
    common::random_faults(mesh, most, &mut Key::from_seed(12).child(number).generator())
}
