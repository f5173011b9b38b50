//! Active nodes of Algorithms A and B: nodes to and from which few paths are faulty.

use super::{FaultyNodes, fault_free_into, fault_free_out};
use crate::topology::{Hypercube, NodeId};

/// The fraction of the bit-fixing paths out of an active node, and of the paths into it, that may
/// be faulty.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Tolerance {
    /// 1/(3n), where n is the dimension of the cube to which the rule applies: under Algorithm B,
    /// the cube of squares (thesis figures 3-2 and 3-6).
    #[default]
    Thesis,
    /// A fixed share, 0 to 1.
    Share(f64),
}

impl Tolerance {
    /// Returns the largest tolerated number of faulty paths among the 2^n paths out of a node of
    /// `cube`.
    ///
    /// The result is exact: a share times a power of two is not rounded.
    pub fn limit(self, cube: Hypercube) -> u32 {
        let (nodes, n) = (1u64 << cube.dimension().min(FaultyNodes::MAX_DIMENSION), u64::from(cube.dimension()));
        match self {
            Self::Thesis => (nodes / (3 * n)) as u32,
            // The cast rounds down, saturates and maps NaN to 0.
            Self::Share(share) => ((share * nodes as f64) as u64).min(nodes) as u32,
        }
    }

    /// Returns the tolerated share of the paths in `cube`.
    pub fn share(self, cube: Hypercube) -> f64 {
        match self {
            Self::Thesis => 1.0 / (3.0 * f64::from(cube.dimension())),
            Self::Share(share) => share,
        }
    }
}

/// Status of a node: active, or the reason why it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeStatus {
    /// The node is active: its numbers of faulty paths are within the limit.
    Active,
    /// The node itself is faulty.
    Faulty,
    /// Under Algorithm B, the node is healthy, but another node or a link of its square is faulty.
    Marked,
    /// This number of paths out of the node is faulty, more than the limit.
    TooManyFaultyOut(u32),
    /// This number of paths into the node is faulty, more than the limit. The paths out of the node
    /// are within the limit.
    TooManyFaultyInto(u32),
}

/// The set A of nodes that may be sources and destinations, with the number of fault-free paths of
/// each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActiveSet {
    faulty: FaultyNodes,
    /// Marked squares, to which the rule applies under Algorithm B; `None` under Algorithm A.
    squares: Option<FaultyNodes>,
    out: Vec<u32>,
    into: Vec<u32>,
    limit: u32,
    count: u32,
}

impl ActiveSet {
    /// Computes the active set of Algorithm A: at most N/(3n) of the paths out of a node, and of
    /// those into it, are faulty (thesis figure 3-2).
    ///
    /// `tolerance` may set another limit. Cost: two sweeps of n N additions.
    pub fn algorithm_a(faulty: FaultyNodes, tolerance: Tolerance) -> Self {
        Self::new(faulty, None, tolerance)
    }

    /// Computes the active set of Algorithm B: the rule of Algorithm A for squares in their cube of
    /// n-2 dimensions, with the limit N/(12(n-2)) (thesis figure 3-6).
    ///
    /// Returns `None` below n = 3, where squares do not form a cube.
    pub fn algorithm_b(faulty: FaultyNodes, tolerance: Tolerance) -> Option<Self> {
        let squares = faulty.squares()?;
        Some(Self::new(faulty, Some(squares), tolerance))
    }

    fn new(faulty: FaultyNodes, squares: Option<FaultyNodes>, tolerance: Tolerance) -> Self {
        let core = squares.as_ref().unwrap_or(&faulty);
        let (out, into, limit) = (fault_free_out(core), fault_free_into(core), tolerance.limit(core.cube()));
        let mut set = Self { faulty, squares, out, into, limit, count: 0 };
        let nodes = (0..=set.core().cube().mask()).map(NodeId);
        set.count =
            nodes.filter(|&node| set.is_core_active(node)).count() as u32 * if set.has_squares() { 4 } else { 1 };
        set
    }

    /// Returns the cube.
    pub fn cube(&self) -> Hypercube {
        self.faulty.cube()
    }

    /// Returns the faulty nodes.
    pub fn faulty(&self) -> &FaultyNodes {
        &self.faulty
    }

    /// Returns the faulty elements to which the rule of Algorithm A applies: the faulty nodes or,
    /// under Algorithm B, the marked squares.
    pub fn core(&self) -> &FaultyNodes {
        self.squares.as_ref().unwrap_or(&self.faulty)
    }

    /// Returns whether the set is the active set of Algorithm B.
    pub fn has_squares(&self) -> bool {
        self.squares.is_some()
    }

    /// Returns the node of the [core](ActiveSet::core) to which `node` belongs: `node` itself, or
    /// its square under Algorithm B.
    #[inline]
    pub fn to_core(&self, node: NodeId) -> NodeId {
        NodeId(if self.has_squares() { node.0 >> 2 } else { node.0 })
    }

    /// Returns whether `node` is active.
    #[inline]
    pub fn contains(&self, node: NodeId) -> bool {
        self.is_core_active(self.to_core(node))
    }

    #[inline]
    fn is_core_active(&self, node: NodeId) -> bool {
        let few =
            |counts: &[u32]| counts.get(node.0 as usize).is_some_and(|&free| self.faulty_count(free) <= self.limit);
        !self.core().contains(node) && few(&self.out) && few(&self.into)
    }

    fn faulty_count(&self, free: u32) -> u32 {
        self.out.len() as u32 - free
    }

    /// Returns the status of `node`: active, or the reason why it is not.
    pub fn status(&self, node: NodeId) -> NodeStatus {
        let core = self.to_core(node);
        let faulty = |counts: &[u32]| self.faulty_count(counts.get(core.0 as usize).map_or(0, |&free| free));
        let (out, into) = (faulty(&self.out), faulty(&self.into));
        if self.faulty.contains(node) {
            NodeStatus::Faulty
        } else if self.core().contains(core) {
            NodeStatus::Marked
        } else if out > self.limit {
            NodeStatus::TooManyFaultyOut(out)
        } else if into > self.limit {
            NodeStatus::TooManyFaultyInto(into)
        } else {
            NodeStatus::Active
        }
    }

    /// Returns |A|, the number of active nodes; 0 if the faults leave no node active.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the active nodes, ascending.
    pub fn iter(&self) -> impl Iterator<Item = NodeId> {
        (0..=self.cube().mask()).map(NodeId).filter(|&node| self.contains(node))
    }

    /// Returns the largest tolerated number of faulty paths out of a node of the core, and into
    /// such a node.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Returns the number of ordered pairs of nodes of the core whose bit-fixing path is faulty,
    /// which Lemma 1 bounds.
    pub fn faulty_paths(&self) -> u64 {
        self.out.iter().map(|&free| u64::from(self.faulty_count(free))).sum()
    }
}
