//! Tests of meshes with block faults and their wormhole routing, against the examples, lemmas and
//! counterexamples of Boppana & Chalasani.

mod blocks;
mod dependencies;
mod dimensions;
mod examples;
mod global;
mod journeys;
mod randomized;
mod shapes;

use faultlab::random::{Generator, Key};

use crate::common::{mesh, mesh_faults as faults, random_faults};

/// Returns the generator of test `number`.
fn generator(number: u64) -> Generator {
    Key::from_seed(4).child(number).generator()
}
