//! Block closure: the near-neighbour rule that extends any fault set to rectangular regions.

use super::RegionForm;
use super::region::touching;
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

/// Extends faulty `nodes` and `links` by the closure rule of `form`, round by round.
pub(super) fn close(mesh: Mesh, nodes: &[NodeId], links: &[Link], form: RegionForm) -> FaultTables {
    let mut closed = without_closure(mesh, nodes, links);
    loop {
        let gaps = if form == RegionForm::Solid { closed.gaps(mesh) } else { Vec::new() };
        let becomes_faulty = |&node: &NodeId| match form {
            RegionForm::Blocks => closed.becomes_faulty(mesh, node),
            _ => {
                closed.becomes_faulty(mesh, node) && closed.spoils_region(mesh, node)
                    || gaps.binary_search(&node).is_ok()
            }
        };
        let round: Vec<_> = mesh.iter_nodes().filter(becomes_faulty).collect();
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

    /// Returns whether the live `node` has a faulty link to a live node, or no live link.
    ///
    /// Without this rule a run of faulty links could touch a region of nodes.
    fn spoils_region(&self, mesh: Mesh, node: NodeId) -> bool {
        let down = self.down[node.0 as usize];
        let ends = || mesh.ports().map(|port| (port, mesh.neighbor(node, port)));
        ends().any(|(port, end)| down & port.bit() != 0 && end.is_some_and(|end| !self.faulty[end.0 as usize]))
            || ends().all(|(port, end)| down & port.bit() != 0 || end.is_none())
    }

    /// Returns the live nodes between two nodes of one region in a row or column, ascending.
    fn gaps(&self, mesh: Mesh) -> Vec<NodeId> {
        let (mut seen, mut gaps) = (vec![false; self.faulty.len()], Vec::new());
        for start in mesh.iter_nodes().filter(|node| self.faulty[node.0 as usize]) {
            if std::mem::replace(&mut seen[start.0 as usize], true) {
                continue;
            }
            let (mut region, mut next) = (vec![start], 0);
            while next < region.len() {
                let touching = touching(mesh, region[next]).filter(|other| self.faulty[other.0 as usize]);
                region.extend(touching.filter(|other| !std::mem::replace(&mut seen[other.0 as usize], true)));
                next += 1;
            }
            gaps.extend(self.gaps_of(mesh, &region));
        }
        gaps.sort();
        gaps.dedup();
        gaps
    }

    /// Returns the live nodes between two nodes of `region` in a row or column.
    fn gaps_of(&self, mesh: Mesh, region: &[NodeId]) -> Vec<NodeId> {
        let mut gaps = Vec::new();
        for dim in 0..2 {
            // Lowest and highest coordinate along `dim` in each line.
            let mut lines = std::collections::BTreeMap::new();
            for &node in region {
                let (line, at) = (mesh.coordinate(node, 1 - dim), mesh.coordinate(node, dim));
                let (low, high, _) = lines.entry(line).or_insert((at, at, node));
                (*low, *high) = ((*low).min(at), (*high).max(at));
            }
            let between = lines
                .into_values()
                .flat_map(|(low, high, node)| (low..=high).map(move |at| mesh.with_coordinate(node, dim, at)));
            gaps.extend(between.filter(|node| !self.faulty[node.0 as usize]));
        }
        gaps
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
