//! Tests of worms on hypercubes against independent results: arithmetic, the papers' theorems, the
//! other engines.
#![cfg(not(target_arch = "wasm32"))]

mod agreement;
mod arrivals;
mod dependencies;
mod experiments;
mod routes;

use faultlab::fault::{BlockFaults, Tolerance};
use faultlab::random::{Generator, Key, below};
use faultlab::routing::{self, UseCase, WormRouting, suitable};
use faultlab::topology::{Hypercube, Link, Network, NodeId};

/// Returns every algorithm that supports worms on hypercubes of four dimensions, the limit of
/// backtracking.
fn all() -> Vec<&'static str> {
    suitable(UseCase::Worms, Network::Hypercube(cube(4)))
}

/// Returns the n-cube.
fn cube(n: u8) -> Hypercube {
    Hypercube::new(n).expect("a cube")
}

/// Returns the worm routing of algorithm `id`.
fn worm(id: &str) -> &'static dyn WormRouting {
    // Hierarchies are built on demand, so leak them to obtain a static reference.
    let algorithm = Box::leak(Box::new(routing::find(id).expect("an algorithm")));
    algorithm.worm.as_deref().expect("worms")
}

/// Returns these faults of the n-cube.
fn faults(n: u8, nodes: &[u64], links: &[Link]) -> BlockFaults {
    let nodes: Vec<_> = nodes.iter().copied().map(NodeId).collect();
    BlockFaults::on_cube(cube(n), &nodes, links, Tolerance::Thesis).expect("at most 12 dimensions")
}

/// Samples `nodes` faulty nodes and `links` faulty one-way links of the n-cube; draws may coincide.
fn random_faults(n: u8, nodes: u32, links: u32, generator: &mut Generator) -> BlockFaults {
    let nodes: Vec<_> = (0..nodes).map(|_| u64::from(below(generator, 1 << n))).collect();
    let link = |generator: &mut Generator| Link {
        from: NodeId(u64::from(below(generator, 1 << n))),
        dim: below(generator, n.into()) as u8,
    };
    let links: Vec<_> = (0..links).map(|_| link(generator)).collect();
    faults(n, &nodes, &links)
}

/// Returns the generator of test `number`.
fn generator(number: u64) -> Generator {
    Key::from_seed(11).child(number).generator()
}
