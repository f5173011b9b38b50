//! Weakly adaptive routing on meshes and Duato's condition for it, against Boppana & Chalasani section IV.A, against a second
//! way of counting dependencies, and against routings that break it.

mod common;
#[path = "duato/condition.rs"]
mod condition;
#[path = "duato/figure_12.rs"]
mod figure_12;
#[path = "duato/naive.rs"]
mod naive;

use faultlab::fault::BlockFaults;
use faultlab::random::Key;
use faultlab::routing::{self, WormRouting};
use faultlab::topology::Mesh;

/// How the algorithm called `id` decides for worms.
fn worm(id: &str) -> &'static dyn WormRouting {
    routing::find(id).expect("an algorithm").worm.expect("of worms")
}

/// The mesh of these radices.
fn mesh(radices: &[u16]) -> Mesh {
    Mesh::of(radices).expect("a mesh")
}

/// A mesh with faulty links, such as `3.4-4.4`.
fn broken(mesh: Mesh, links: &[&str]) -> BlockFaults {
    let links: Vec<_> = links.iter().map(|text| mesh.parse_link(text).expect("a link")).collect();
    BlockFaults::new(mesh, &[], &links)
}

/// Random fault set number `number`: up to `most` nodes and up to `most` links anywhere.
fn random_faults(mesh: Mesh, most: u32, number: u64) -> BlockFaults {
    let (nodes, links) = common::some_faults(mesh, most, &mut Key::from_seed(12).child(number).generator());
    BlockFaults::new(mesh, &nodes, &links)
}
