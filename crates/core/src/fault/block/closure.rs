//! Block closure: the near-neighbour rule that extends any fault set to rectangular regions.

use crate::topology::{Link, Mesh, NodeId, Port, PortMask};

/// Node and link states of a fault set, by node.
pub(super) struct FaultTables {
    pub(super) faulty: Vec<bool>,
    /// Mask of the ports with faulty links, by node.
    pub(super) down: Vec<PortMask>,
    /// Nodes that became faulty in each round.
    pub(super) rounds: Vec<Vec<NodeId>>,
}

/// Returns the faulty `nodes` and `links` without closure, including the links of the nodes.
pub(super) fn without_closure(mesh: Mesh, nodes: &[NodeId], links: &[Link]) -> FaultTables {
    let count = mesh.nodes() as usize;
    let mut closed = FaultTables { faulty: vec![false; count], down: vec![0; count], rounds: Vec::new() };
    for &link in links {
        if mesh.link_end(link).is_some() {
            closed.mark_link(mesh, link.from, Port::along(link.dim, true));
        }
    }
    nodes.iter().filter(|&&node| mesh.contains(node)).for_each(|&node| closed.mark_node(mesh, node));
    closed
}

pub(super) fn close(mesh: Mesh, nodes: &[NodeId], links: &[Link]) -> FaultTables {
    let mut closed = without_closure(mesh, nodes, links);
    loop {
        let round: Vec<_> = mesh.iter_nodes().filter(|&node| closed.becomes_faulty(mesh, node)).collect();
        if round.is_empty() {
            return closed;
        }
        round.iter().for_each(|&node| closed.mark_node(mesh, node));
        closed.rounds.push(round);
    }
}

impl FaultTables {
    fn mark_link(&mut self, mesh: Mesh, node: NodeId, port: Port) {
        if let Some(other) = mesh.neighbor(node, port) {
            self.down[node.0 as usize] |= port.bit();
            self.down[other.0 as usize] |= port.opposite().bit();
        }
    }

    fn mark_node(&mut self, mesh: Mesh, node: NodeId) {
        self.faulty[node.0 as usize] = true;
        mesh.ports().for_each(|port| self.mark_link(mesh, node, port));
    }

    /// Returns whether the closure rule makes the live `node` faulty, after which it sends no
    /// status signals.
    ///
    /// The rule applies to a node with faulty links in two dimensions, or without a live link.
    fn becomes_faulty(&self, mesh: Mesh, node: NodeId) -> bool {
        let down = self.down[node.0 as usize];
        if down == 0 || self.faulty[node.0 as usize] {
            return false;
        }
        let first = down.trailing_zeros() / 2;
        let alone = || mesh.ports().all(|port| down & port.bit() != 0 || mesh.neighbor(node, port).is_none());
        down & !(3 << (2 * first)) != 0 || alone()
    }
}
