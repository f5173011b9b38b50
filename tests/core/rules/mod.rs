//! Tests of user-defined routing: the rule language, equality of the shipped rules with the
//! algorithms they are named after, and the exercises.
#![cfg(not(target_arch = "wasm32"))]

mod circuits;
mod equivalence;
mod exercises;
mod experiments;
mod interpreter;
mod language;
mod messages;
mod preferences;
mod random_rules;
mod turns;

use std::sync::Arc;

use faultlab::fault::{BlockFaults, Tolerance};
use faultlab::random::{Generator, Key};
use faultlab::routing::rules::{EXAMPLES, RuleText};
use faultlab::routing::{Algorithm, Shared, WormRouting};

use crate::common::{cube, mesh, mesh_with_radices, random_faults, sample_raw_faults};

/// Parses a rule text.
fn parse(text: &str) -> RuleText {
    RuleText::parse(text).expect(text)
}

/// Returns routing `id` of the shipped rule file `file`.
fn shipped(file: &str, id: &str) -> Arc<Algorithm> {
    let example = EXAMPLES.iter().find(|example| example.name == file).expect("a file");
    parse(example.text).find(id).expect("a routing").clone()
}

/// Returns the first routing of a rule text.
fn first_routing(text: &str) -> Arc<Algorithm> {
    parse(text).routings()[0].clone()
}

fn worm_routing(algorithm: &Algorithm) -> Shared<dyn WormRouting> {
    algorithm.worm.clone().expect("of worms")
}

fn generator(number: u64) -> Generator {
    Key::from_seed(1801).child(number).generator()
}

/// Returns random fault sets of two-dimensional meshes. The functions below cover other meshes,
/// tori and hypercubes. The first set of each family is empty.
fn plane_sets() -> Vec<BlockFaults> {
    let sizes = [(5, 5), (4, 7), (8, 4), (6, 6)];
    let set = |number: usize| {
        let (rows, columns) = sizes[number % sizes.len()];
        random_faults(mesh(rows, columns), (number / 8) as u32, &mut generator(number as u64))
    };
    (0..40).map(set).collect()
}

fn other_meshes() -> Vec<BlockFaults> {
    let shapes: [&[u16]; 4] = [&[9], &[3, 4, 3], &[2, 3, 2, 2], &[5, 5]];
    let set = |number: usize| {
        let mesh = mesh_with_radices(shapes[number % shapes.len()]);
        random_faults(mesh, (number / 8) as u32, &mut generator(100 + number as u64))
    };
    (0..24).map(set).collect()
}

fn tori() -> Vec<BlockFaults> {
    let shapes: [&[u16]; 4] = [&[5, 5], &[4, 6], &[7], &[3, 4, 3]];
    let set = |number: usize| {
        let mesh = mesh_with_radices(shapes[number % shapes.len()]).to_torus();
        random_faults(mesh, (number / 8) as u32, &mut generator(200 + number as u64))
    };
    (0..24).map(set).collect()
}

fn cubes() -> Vec<BlockFaults> {
    let set = |number: u64| {
        let cube = cube(2 + (number % 4) as u8);
        let none = BlockFaults::on_cube(cube, &[], &[], Tolerance::Thesis).expect("a small cube");
        let (nodes, links) = sample_raw_faults(none.mesh(), (number / 6) as u32, &mut generator(300 + number));
        BlockFaults::on_cube(cube, &nodes, &links, Tolerance::Thesis).expect("a small cube")
    };
    (0..24).map(set).collect()
}
