//! Tests of the thesis on oblivious deadlock-free routing: its lemmas, theorems and examples,
//! against plain enumeration by its definitions.

mod active;
mod adversaries;
mod batches;
mod butterfly;
mod claims;
mod congestion;
mod dependencies;
mod intermediates;
mod kim_shin;
mod links;
mod naive;
mod onset;
mod permutations;
mod routes;
mod worst_faults;

use faultlab::fault::{FaultyNodes, Tolerance};
use faultlab::random::Key;
use faultlab::routing::ALGORITHMS;
use faultlab::routing::oblivious::{Oblivious, ObliviousRouting, Unavailable};
use faultlab::topology::NodeId;

use crate::common::cube;

fn no_faults(n: u8) -> FaultyNodes {
    FaultyNodes::empty(cube(n)).expect("a cube and its faults")
}

fn faulty_nodes(n: u8, nodes: &[u64]) -> FaultyNodes {
    FaultyNodes::from_nodes(cube(n), nodes.iter().copied().map(NodeId)).expect("a cube and its faults")
}

/// Samples a fault set in which every node is faulty with probability `p`.
fn sample_faults(n: u8, p: f64, seed: u64) -> FaultyNodes {
    let threshold = (p * (1u64 << 53) as f64) as u64;
    let key = Key::from_seed(seed);
    FaultyNodes::from_nodes(cube(n), nodes(n).filter(|node| key.hash_u53(node.0) < threshold))
        .expect("a cube and its faults")
}

fn nodes(n: u8) -> impl Iterator<Item = NodeId> + Clone {
    (0..1u64 << n).map(NodeId)
}

/// Returns every oblivious scheme with its id.
fn schemes() -> impl Iterator<Item = (&'static str, &'static Oblivious)> {
    ALGORITHMS.iter().filter_map(|algorithm| Some((&*algorithm.id, algorithm.oblivious()?)))
}

fn try_scheme(id: &str, faulty: FaultyNodes) -> Result<Box<dyn ObliviousRouting>, Unavailable> {
    let algorithm = schemes().find(|(other, _)| *other == id).expect("in the list").1;
    (algorithm.build)(faulty, Tolerance::Thesis)
}

fn scheme(id: &str, faulty: FaultyNodes) -> Box<dyn ObliviousRouting> {
    try_scheme(id, faulty).unwrap_or_else(|why| unreachable!("{id}: {why}"))
}
