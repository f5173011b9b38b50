//! Meshes with block faults and wormhole routing on them, against the examples, the lemmas and the counterexamples of
//! Boppana & Chalasani.

mod blocks;
mod dependencies;
mod dimensions;
mod examples;
mod journeys;

use faultlab::random::{Generator, Key};

use crate::common::{mesh, mesh_faults as faults, random_faults};

/// A generator for test number `number`.
fn generator(number: u64) -> Generator {
    Key::from_seed(4).child(number).generator()
}
