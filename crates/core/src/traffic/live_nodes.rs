//! Live nodes of a network, for random draws.

use super::HotSpot;
use crate::fault::Faults;
use crate::random::{Generator, below};
use crate::topology::{Hypercube, NodeId};

/// Live nodes of a network that is small enough for a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveNodes {
    /// Live nodes, ascending.
    nodes: Vec<u32>,
    /// Number of live nodes below each node of the network.
    ranks: Vec<u32>,
    /// Live flag of each node of the network.
    live: Vec<bool>,
}

impl LiveNodes {
    /// Largest supported dimension of a cube.
    pub const MAX_DIMENSION: u8 = 15;

    /// Lists the nodes of `cube` that are live under `faults`. Returns `None` above 15 dimensions.
    /// Cost: 2^n queries.
    pub fn new(cube: Hypercube, faults: &mut impl Faults) -> Option<Self> {
        if cube.dimension() > Self::MAX_DIMENSION {
            return None;
        }
        Some(Self::from_flags((0..=cube.mask()).map(|node| !faults.is_faulty(NodeId(node)))))
    }

    /// Lists the live nodes from one flag per node, in order; at most 2^31 flags.
    pub fn from_flags(flags: impl IntoIterator<Item = bool>) -> Self {
        let mut all = Self { nodes: Vec::new(), ranks: Vec::new(), live: Vec::new() };
        for (node, live) in (0..1u32 << 31).zip(flags) {
            all.ranks.push(all.nodes.len() as u32);
            all.live.push(live);
            if live {
                all.nodes.push(node);
            }
        }
        all
    }

    /// Returns the memory footprint in bytes.
    pub fn footprint(&self) -> usize {
        4 * (self.nodes.capacity() + self.ranks.capacity()) + self.live.capacity()
    }

    /// Returns the number of live nodes.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the live nodes, ascending.
    pub fn iter(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.iter().map(|&node| NodeId(u64::from(node)))
    }

    /// Returns whether `node` is live.
    pub fn contains(&self, node: NodeId) -> bool {
        self.live.get(node.0 as usize).is_some_and(|&live| live)
    }

    /// Returns the number of live nodes below `node`, or `None` if the node is not live.
    pub(super) fn rank(&self, node: NodeId) -> Option<usize> {
        self.contains(node).then(|| self.ranks.get(node.0 as usize).map(|&rank| rank as usize))?
    }

    /// Draws a uniform live node that is not in `but`, which has at most
    /// [`HotSpot::MAX_NUMBER`] + 1 different nodes. Returns `None` if there is no such node.
    #[inline]
    pub(super) fn random_excluding(&self, but: &[NodeId], generator: &mut Generator) -> Option<NodeId> {
        let mut ranks = [u32::MAX; HotSpot::MAX_NUMBER + 1];
        let mut skipped = 0;
        for node in but {
            if self.contains(*node) {
                ranks[skipped % ranks.len()] = self.ranks[node.0 as usize];
                skipped += 1;
            }
        }
        if self.nodes.len() <= skipped {
            return None;
        }
        let ranks = &mut ranks[..skipped];
        ranks.sort_unstable();
        let mut rank = below(generator, (self.nodes.len() - skipped) as u32);
        for excluded in ranks {
            rank += u32::from(rank >= *excluded);
        }
        self.nodes.get(rank as usize).map(|&node| NodeId(u64::from(node)))
    }
}
