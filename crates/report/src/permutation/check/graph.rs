//! Channel dependency graph of an oblivious scheme: its order, or the messages that realise a
//! cycle.

use crate::wording;
use faultlab_core::routing::oblivious::ObliviousRouting;
use faultlab_core::theory::oblivious::{ObliviousWitness, oblivious_dependencies, oblivious_witnesses};
use faultlab_core::theory::{ChannelId, hypercube_link};
use faultlab_core::topology::{Hypercube, Link};

/// Channel dependency graph: the channels that messages may hold while they wait for others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermutationGraph {
    /// Number of channels of the cube.
    pub channels: u32,
    /// Number of dependencies between channels.
    pub dependencies: usize,
    /// Channels of the cube in an order in which every dependency points forward; empty if there is
    /// a cycle.
    pub order: Vec<Link>,
    /// Shortest cycle; empty if there is none.
    pub cycle: Vec<Link>,
    /// Message for each channel of the cycle; it holds the channel and waits for the next one.
    pub witnesses: Vec<ObliviousWitness>,
}

impl PermutationGraph {
    /// Builds the graph of `routing`, over every route that the scheme may choose. Returns `None`
    /// above n = 7.
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

/// Returns a sentence for each message that realises the cycle of `graph` on `cube`.
pub(super) fn witnesses(cube: Hypercube, graph: &PermutationGraph) -> Vec<String> {
    let node = |node| wording::node(cube, node);
    let next = graph.cycle.iter().cycle().skip(1);
    let told = |(place, ((held, wanted), message)): (usize, ((&Link, &Link), &ObliviousWitness))| {
        let via = message.via.map_or(String::new(), |via| format!(" by way of {}", node(via)));
        let (from, to) = (node(message.from), node(message.to));
        format!("channel {}: a message from {from}{via} to {to} holds {held} and waits for {wanted}", place + 1)
    };
    graph.cycle.iter().zip(next).zip(&graph.witnesses).enumerate().map(told).collect()
}
