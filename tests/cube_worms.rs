//! Worms on hypercubes against what is known of them from elsewhere: arithmetic, the theorems of the papers, the other engines.
#![cfg(not(target_arch = "wasm32"))]

#[path = "cube_worms/agreement.rs"]
mod agreement;
#[path = "cube_worms/arrivals.rs"]
mod arrivals;
#[path = "cube_worms/dependencies.rs"]
mod dependencies;
#[path = "cube_worms/experiments.rs"]
mod experiments;
#[path = "cube_worms/routes.rs"]
mod routes;

use faultlab::fault::{BlockFaults, Tolerance};
use faultlab::random::{Generator, Key, below};
use faultlab::routing::{self, WormRouting};
use faultlab::topology::{Hypercube, Link, NodeId};

/// Every algorithm that sends worms on hypercubes of any dimension from 3 on.
const ALL: [&str; 17] = [
    "e-cube",
    "up",
    "dp",
    "restricted-up",
    "minimal",
    "up-dp-mix",
    "sidetracking",
    "random",
    "deterministic",
    "deterministic-blind",
    "bit-fixing",
    "valiant-brebner",
    "general",
    "algorithm-a",
    "algorithm-b",
    "kim-shin",
    "backtracking",
];

/// The n-cube.
fn cube(n: u8) -> Hypercube {
    Hypercube::new(n).expect("a cube")
}

/// How the algorithm called `id` decides.
fn worm(id: &str) -> &'static dyn WormRouting {
    routing::find(id).expect("an algorithm").worm.expect("worms")
}

/// These faults of the n-cube.
fn faults(n: u8, nodes: &[u64], links: &[Link]) -> BlockFaults {
    let nodes: Vec<_> = nodes.iter().copied().map(NodeId).collect();
    BlockFaults::on_cube(cube(n), &nodes, links, Tolerance::Thesis).expect("at most 12 dimensions")
}

/// A random fault set of the n-cube: exactly so many draws of nodes and one-way links, which may coincide.
fn random_faults(n: u8, nodes: u32, links: u32, generator: &mut Generator) -> BlockFaults {
    let nodes: Vec<_> = (0..nodes).map(|_| u64::from(below(generator, 1 << n))).collect();
    let link = |generator: &mut Generator| Link {
        from: NodeId(u64::from(below(generator, 1 << n))),
        dim: below(generator, n.into()) as u8,
    };
    let links: Vec<_> = (0..links).map(|_| link(generator)).collect();
    faults(n, &nodes, &links)
}

/// A generator for test number `number`.
fn generator(number: u64) -> Generator {
    Key::from_seed(11).child(number).generator()
}
