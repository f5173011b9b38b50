//! Networks with messages whose load factor is wanted.

use crate::topology::{Mesh, NodeId};
use crate::traffic::{LiveNodes, Pattern};

/// Channel of a network, seen from one of its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfChannel {
    /// Node at the other end.
    pub(super) node: u32,
    /// Number of the channel.
    pub(super) channel: u32,
}

/// Directed channels of one wire between nodes that are numbered from 0, and messages between the
/// nodes.
#[derive(Clone, Debug)]
pub struct LoadProblem {
    channels: u32,
    outgoing: Vec<Vec<HalfChannel>>,
    incoming: Vec<Vec<HalfChannel>>,
    /// Number of messages of every ordered pair of nodes.
    base: f64,
    /// Further messages by source: destination and number, which may be negative.
    sent: Vec<Vec<(u32, f64)>>,
    /// Further messages by destination: source and number.
    received: Vec<Vec<(u32, f64)>>,
}

impl LoadProblem {
    /// Creates a network of `nodes` nodes with channels from the first node of a pair to the
    /// second, and no messages. Several channels may join the same nodes. Pairs with an end that is
    /// not a node, or with equal ends, are ignored.
    pub fn new(nodes: usize, channels: &[[u32; 2]]) -> Self {
        let lists = || vec![Vec::new(); nodes];
        let mut outgoing: Vec<Vec<HalfChannel>> = lists();
        let mut incoming: Vec<Vec<HalfChannel>> = lists();
        let is_node = |node: u32| (node as usize) < nodes;
        let proper = channels.iter().filter(|[from, to]| from != to && is_node(*from) && is_node(*to));
        let mut count = 0;
        for &[from, to] in proper {
            outgoing[from as usize].push(HalfChannel { node: to, channel: count });
            incoming[to as usize].push(HalfChannel { node: from, channel: count });
            count += 1;
        }
        let none = vec![Vec::new(); nodes];
        Self { channels: count, outgoing, incoming, base: 0.0, sent: none.clone(), received: none }
    }

    /// Adds `count` messages from one node to another; none if an end is not a node, or the ends
    /// are equal.
    pub fn add_messages(&mut self, from: u32, to: u32, count: f64) {
        let (nodes, from, to) = (self.nodes(), from as usize, to as usize);
        if from != to && from < nodes && to < nodes {
            self.sent[from].push((to as u32, count));
            self.received[to].push((from as u32, count));
        }
    }

    /// Adds `count` messages for every ordered pair of nodes.
    pub fn add_messages_of_all_pairs(&mut self, count: f64) {
        self.base += count;
    }

    /// Adds a message from each of the `live` nodes of `mesh`, which are the nodes of this network,
    /// by `pattern`. Cost: one probability for each pair of nodes.
    pub(super) fn add_pattern(&mut self, mesh: Mesh, pattern: &Pattern, live: &LiveNodes) {
        let nodes: Vec<NodeId> = live.iter().collect();
        let pairs = || (0..nodes.len()).flat_map(|from| (0..nodes.len()).map(move |to| (from, to)));
        let others = || pairs().filter(|(from, to)| from != to);
        let probability = |(from, to): (usize, usize)| pattern.probability(mesh, nodes[from], nodes[to], live);
        // The smallest probability is added for all pairs at once, and the rest for each pair.
        let base = others().map(probability).fold(f64::INFINITY, f64::min);
        if base == f64::INFINITY {
            return;
        }
        self.add_messages_of_all_pairs(base);
        for (from, to) in others() {
            let more = probability((from, to)) - base;
            if more > 0.0 {
                self.add_messages(from as u32, to as u32, more);
            }
        }
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.outgoing.len()
    }

    /// Returns the number of channels.
    pub(super) fn channels(&self) -> usize {
        self.channels as usize
    }

    /// Returns the channels out of a node.
    pub(super) fn outgoing(&self, node: usize) -> &[HalfChannel] {
        &self.outgoing[node]
    }

    /// Returns the channels into a node.
    pub(super) fn incoming(&self, node: usize) -> &[HalfChannel] {
        &self.incoming[node]
    }

    /// Returns the number of messages of every ordered pair, without further messages.
    pub(super) fn base(&self) -> f64 {
        self.base
    }

    /// Returns the further messages that a node sends: destination and number.
    pub(super) fn sent(&self, node: usize) -> &[(u32, f64)] {
        &self.sent[node]
    }

    /// Returns the further messages that a node receives: source and number.
    pub(super) fn received(&self, node: usize) -> &[(u32, f64)] {
        &self.received[node]
    }

    /// Returns the number of messages from `node` to each node.
    pub(super) fn messages_from(&self, node: usize) -> Vec<f64> {
        let mut messages = vec![self.base; self.nodes()];
        self.sent(node).iter().for_each(|&(to, count)| messages[to as usize] += count);
        messages[node] = 0.0;
        messages
    }
}
