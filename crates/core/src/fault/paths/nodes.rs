//! Set of faulty nodes of a hypercube, stored as a table.

use crate::fault::Faults;
use crate::topology::{Hypercube, NodeId};

/// The faulty nodes of a hypercube. A node fault removes the node and its 2n channels; links alone
/// do not fail (thesis section 1.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultyNodes {
    cube: Hypercube,
    healthy: Vec<bool>,
    count: u32,
}

impl FaultyNodes {
    /// Largest cube dimension for which a table is allowed.
    pub const MAX_DIMENSION: u8 = 24;

    /// Returns an empty set of faults; `None` above [`FaultyNodes::MAX_DIMENSION`].
    pub fn empty(cube: Hypercube) -> Option<Self> {
        let fits = cube.dimension() <= Self::MAX_DIMENSION;
        fits.then(|| Self { cube, healthy: vec![true; cube.mask() as usize + 1], count: 0 })
    }

    /// Collects the faulty nodes of `faults`; link faults are ignored.
    ///
    /// Returns `None` above [`FaultyNodes::MAX_DIMENSION`]. Cost: 2^n queries.
    pub fn from_faults(cube: Hypercube, faults: &mut impl Faults) -> Option<Self> {
        let mut all = Self::empty(cube)?;
        for node in (0..=cube.mask()).map(NodeId) {
            all.set(node, faults.is_faulty(node));
        }
        Some(all)
    }

    /// Returns the set of `nodes`; nodes outside the cube are ignored. Returns `None` above
    /// [`FaultyNodes::MAX_DIMENSION`].
    pub fn from_nodes(cube: Hypercube, nodes: impl IntoIterator<Item = NodeId>) -> Option<Self> {
        let mut all = Self::empty(cube)?;
        nodes.into_iter().for_each(|node| all.set(node, true));
        Some(all)
    }

    /// Returns the nodes (37 j^2 + 11 j + 5) mod N for j below `count`: a scattered set that is the
    /// same on all targets. There are fewer than `count` nodes if two coincide.
    pub fn scattered(cube: Hypercube, count: u32) -> Option<Self> {
        Self::from_nodes(cube, (0..u64::from(count)).map(|j| NodeId((37 * j * j + 11 * j + 5) & cube.mask())))
    }

    /// Returns the cube.
    pub fn cube(&self) -> Hypercube {
        self.cube
    }

    /// Makes `node` faulty or healthy.
    pub fn set(&mut self, node: NodeId, faulty: bool) {
        if let Some(healthy) = usize::try_from(node.0).ok().and_then(|place| self.healthy.get_mut(place))
            && std::mem::replace(healthy, !faulty) == faulty
        {
            self.count = if faulty { self.count + 1 } else { self.count - 1 };
        }
    }

    /// Returns whether `node` is faulty. Nodes outside the cube count as faulty.
    #[inline(always)]
    pub fn contains(&self, node: NodeId) -> bool {
        !usize::try_from(node.0).is_ok_and(|place| self.healthy.get(place).is_some_and(|&healthy| healthy))
    }

    /// Returns the number of faulty nodes, F.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the faulty nodes, ascending.
    pub fn iter(&self) -> impl Iterator<Item = NodeId> {
        (0..).zip(&self.healthy).filter(|&(_, &healthy)| !healthy).map(|(node, _)| NodeId(node))
    }

    /// Returns a flag by node that is true for healthy nodes.
    pub(super) fn healthy(&self) -> &[bool] {
        &self.healthy
    }

    /// Returns the marked squares in their (n-2)-cube (Algorithm B, thesis section 3.3.2); `None`
    /// below n = 3.
    ///
    /// A square is four nodes that agree in all dimensions except the first two. A square is marked
    /// if any of its nodes is faulty.
    pub fn squares(&self) -> Option<Self> {
        let cube = Hypercube::new(self.cube.dimension().checked_sub(2)?)?;
        let healthy: Vec<_> = self.healthy.chunks_exact(4).map(|square| square.iter().all(|&node| node)).collect();
        let count = healthy.iter().filter(|&&square| !square).count() as u32;
        Some(Self { cube, healthy, count })
    }

    /// Returns the first faulty node on the bit-fixing path from `from` to `to`, endpoints
    /// included; `None` if the path is fault-free. Cost: the length of the path.
    #[inline]
    pub fn first_faulty_on_path(&self, from: NodeId, to: NodeId) -> Option<NodeId> {
        let (mut here, mut rest) = (from.0, from.0 ^ to.0);
        while !self.contains(NodeId(here)) {
            if rest == 0 {
                return None;
            }
            here ^= rest & rest.wrapping_neg();
            rest &= rest - 1;
        }
        Some(NodeId(here))
    }
}

impl Faults for FaultyNodes {
    fn is_faulty(&mut self, node: NodeId) -> bool {
        self.contains(node)
    }
}
