//! Faulty nodes of a butterfly, and the fault-free paths between its inputs and outputs.

use rand::RngExt as _;

use std::collections::BTreeSet;

use super::{FaultModel, FaultSpec};
use crate::random::{Key, probability_threshold};
use crate::topology::{Butterfly, NodeId};

/// Faulty nodes of a butterfly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ButterflyFaults {
    butterfly: Butterfly,
    healthy: Vec<bool>,
    count: u32,
}

impl ButterflyFaults {
    /// Returns the set of `nodes`; nodes outside the butterfly are ignored.
    pub fn from_nodes(butterfly: Butterfly, nodes: impl IntoIterator<Item = NodeId>) -> Self {
        let mut healthy = vec![true; butterfly.nodes() as usize];
        for node in nodes.into_iter().filter(|&node| butterfly.contains(node)) {
            healthy[node.0 as usize] = false;
        }
        let count = healthy.iter().filter(|&&node| !node).count() as u32;
        Self { butterfly, healthy, count }
    }

    /// Samples the faulty nodes of `spec` that `key` determines. Models of other faults than nodes
    /// have none.
    pub fn sample(butterfly: Butterfly, spec: &FaultSpec, key: Key) -> Self {
        let all = (0..u64::from(butterfly.nodes())).map(NodeId);
        let drawn: BTreeSet<NodeId> = match spec.model {
            FaultModel::Nodes(p) => {
                let threshold = probability_threshold(p);
                all.filter(|node| key.hash_u53(node.0) < threshold).collect()
            }
            model => sample_count(butterfly, model, key),
        };
        let nodes = (0..u64::from(butterfly.nodes())).map(NodeId);
        let is_faulty = |&node: &NodeId| spec.node_override(node).unwrap_or_else(|| drawn.contains(&node));
        Self::from_nodes(butterfly, nodes.filter(is_faulty))
    }

    /// Returns the butterfly.
    pub fn butterfly(&self) -> Butterfly {
        self.butterfly
    }

    /// Returns whether `node` is faulty. Nodes outside the butterfly count as faulty.
    pub fn contains(&self, node: NodeId) -> bool {
        !self.healthy.get(node.0 as usize).is_some_and(|&healthy| healthy)
    }

    /// Returns the number of faulty nodes.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the faulty nodes, ascending.
    pub fn iter(&self) -> impl Iterator<Item = NodeId> {
        (0..).zip(&self.healthy).filter(|&(_, &healthy)| !healthy).map(|(node, _)| NodeId(node))
    }

    /// Returns whether the input and the output of `row` are healthy.
    pub fn has_healthy_ends(&self, row: u32) -> bool {
        let ends = [0, self.butterfly.levels()];
        ends.into_iter().all(|level| !self.contains(self.butterfly.node(row, level)))
    }

    /// Returns the first faulty node on the path from the input of row `from` to the output of row
    /// `to`, ends included; `None` if the path is fault-free.
    pub fn first_faulty_on_path(&self, from: u32, to: u32) -> Option<NodeId> {
        let start = std::iter::once(self.butterfly.node(from, 0));
        let mut nodes = start.chain(self.butterfly.path(from, to).filter_map(|link| self.butterfly.link_end(link)));
        nodes.find(|&node| self.contains(node))
    }

    /// Returns for each row the number of fault-free paths from its input to all outputs. Cost: n N
    /// additions.
    pub fn fault_free_out(&self) -> Vec<u32> {
        let levels = self.butterfly.levels();
        let mut paths: Vec<u32> = self.ones(levels);
        for level in (0..levels).rev() {
            paths = self.extended(&paths, level, level);
        }
        paths
    }

    /// Returns for each row the number of fault-free paths from all inputs to its output. Cost: n N
    /// additions.
    pub fn fault_free_into(&self) -> Vec<u32> {
        let mut paths: Vec<u32> = self.ones(0);
        for level in 0..self.butterfly.levels() {
            paths = self.extended(&paths, level + 1, level);
        }
        paths
    }

    /// Returns for each row of `level` 1 if the node is healthy, and else 0.
    fn ones(&self, level: u8) -> Vec<u32> {
        let is_healthy = |row| u32::from(!self.contains(self.butterfly.node(row, level)));
        (0..self.butterfly.rows()).map(is_healthy).collect()
    }

    /// Returns for each healthy node of `level` the paths of its two neighbours across the links of
    /// level `links`; 0 for faulty nodes.
    fn extended(&self, paths: &[u32], level: u8, links: u8) -> Vec<u32> {
        let sum = |(row, is_healthy): (usize, u32)| is_healthy * (paths[row] + paths[row ^ 1 << links]);
        self.ones(level).into_iter().enumerate().map(sum).collect()
    }

    /// Returns for each row whether the path from the input of row `from` to its output is
    /// fault-free. Cost: 2N steps.
    pub fn reached_from(&self, from: u32) -> Vec<bool> {
        let mut reached = vec![!self.contains(self.butterfly.node(from, 0))];
        for level in 0..self.butterfly.levels() {
            let high = from >> (level + 1) << (level + 1);
            // The index has the bits that the path has corrected.
            let is_reached = |low: u32| {
                let before = reached[(low & ((1 << level) - 1)) as usize];
                before && !self.contains(self.butterfly.node(high | low, level + 1))
            };
            reached = (0..2u32 << level).map(is_reached).collect();
        }
        reached
    }

    /// Returns for each row whether the path from its input to the output of row `to` is
    /// fault-free. Cost: 2N steps.
    pub fn reaching(&self, to: u32) -> Vec<bool> {
        let levels = self.butterfly.levels();
        let mut reaching = vec![!self.contains(self.butterfly.node(to, levels))];
        for level in (0..levels).rev() {
            let low = to & ((1 << level) - 1);
            // The index has the bits that the path has not corrected.
            let is_reaching = |high: u32| {
                reaching[(high >> 1) as usize] && !self.contains(self.butterfly.node(high << level | low, level))
            };
            reaching = (0..self.butterfly.rows() >> level).map(is_reaching).collect();
        }
        reaching
    }
}

/// Samples as many nodes as `model` makes faulty; all sets of this size are equally likely.
fn sample_count(butterfly: Butterfly, model: FaultModel, key: Key) -> BTreeSet<NodeId> {
    let all = u64::from(butterfly.nodes());
    let count = model.node_count(crate::topology::Network::Butterfly(butterfly)).unwrap_or(0).min(all);
    let mut generator = key.generator();
    let mut drawn = BTreeSet::new();
    // Floyd's algorithm takes one random number per member.
    for last in all - count..all {
        let number = NodeId(generator.random_range(0..=last));
        if !drawn.insert(number) {
            drawn.insert(NodeId(last));
        }
    }
    drawn
}
