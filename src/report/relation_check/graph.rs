//! The channel dependency graph of an oblivious scheme: its order, or the messages that make a cycle, and their picture.

use super::RelationChecks;
use crate::experiment::Layout;
use crate::report::cycle;
use crate::report::scene::Scene;
use crate::routing::oblivious::ObliviousRouting;
use crate::theory::oblivious::{ObliviousWitness, oblivious_dependencies, oblivious_witnesses};
use crate::theory::{ChannelId, hypercube_link};
use crate::topology::Link;

/// The channels, and which of them messages may hold while they wait for which other ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationGraph {
    /// All channels of the cube.
    pub channels: u32,
    /// The dependencies between them.
    pub dependencies: usize,
    /// All channels of the cube in an order in which every dependency points forward; empty if there is a cycle.
    pub order: Vec<Link>,
    /// A shortest cycle; empty if there is none.
    pub cycle: Vec<Link>,
    /// For each channel of the cycle a message that holds it and waits for the next.
    pub witnesses: Vec<ObliviousWitness>,
}

impl RelationGraph {
    /// That of `routing`, over every route it may choose. `None` above n = 7.
    pub(super) fn build(routing: &dyn ObliviousRouting) -> Option<Self> {
        let graph = oblivious_dependencies(routing)?;
        let link = |channel: ChannelId| {
            let (from, to) = hypercube_link(routing.cube(), channel);
            Link { from, dim: (from.0 ^ to.0).trailing_zeros() as u8 }
        };
        let (order, cycle) = match graph.acyclic_order() {
            Ok(order) => (order.into_iter().map(link).collect(), None),
            Err(cycle) => (Vec::new(), Some(cycle)),
        };
        Some(Self {
            channels: graph.channels(),
            dependencies: graph.dependencies(),
            order,
            witnesses: cycle.as_ref().map(|cycle| oblivious_witnesses(routing, cycle)).unwrap_or_default(),
            cycle: cycle.map(|cycle| cycle.channels.into_iter().map(link).collect()).unwrap_or_default(),
        })
    }
}

/// The cycle of algorithm number `number`, drawn on the cube; empty if there is none.
pub fn scene(checks: &RelationChecks, number: usize, layout: Layout, size: (f64, f64)) -> Scene {
    let found = checks.algorithms.get(number).and_then(|check| check.found.as_ref().ok());
    let graph = found.and_then(|found| found.graph.as_ref());
    let links = graph.map(|graph| graph.cycle.as_slice()).unwrap_or_default();
    let nodes: Vec<_> = checks.faulty.iter().collect();
    let ground = cycle::Ground { cell: &checks.cell, faulty_nodes: &nodes, faulty_links: &[] };
    cycle::on(&ground, links, layout, size)
}
