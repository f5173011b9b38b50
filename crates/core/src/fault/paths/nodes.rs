//! A set of faulty nodes of a hypercube, as a table.

use crate::fault::Faults;
use crate::topology::{Hypercube, NodeId};

/// Which nodes of a cube are faulty. A node fault removes the node and its 2n channels; links alone do not fail (thesis
/// section 1.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultyNodes {
    cube: Hypercube,
    healthy: Vec<bool>,
    count: u32,
}

impl FaultyNodes {
    /// The largest cube that has such a table.
    pub const MAX_DIMENSION: u8 = 24;

    /// No faults; `None` above [`FaultyNodes::MAX_DIMENSION`].
    pub fn none(cube: Hypercube) -> Option<Self> {
        let fits = cube.dimension() <= Self::MAX_DIMENSION;
        fits.then(|| Self { cube, healthy: vec![true; cube.mask() as usize + 1], count: 0 })
    }

    /// The nodes that `faults` names; its link faults do not count. `None` above [`FaultyNodes::MAX_DIMENSION`]. Cost:
    /// 2^n questions.
    pub fn new(cube: Hypercube, faults: &mut impl Faults) -> Option<Self> {
        let mut all = Self::none(cube)?;
        for node in (0..=cube.mask()).map(NodeId) {
            all.set(node, faults.is_faulty(node));
        }
        Some(all)
    }

    /// These nodes; those that the cube does not have are ignored. `None` above [`FaultyNodes::MAX_DIMENSION`].
    pub fn of(cube: Hypercube, nodes: impl IntoIterator<Item = NodeId>) -> Option<Self> {
        let mut all = Self::none(cube)?;
        nodes.into_iter().for_each(|node| all.set(node, true));
        Some(all)
    }

    /// The nodes (37 j^2 + 11 j + 5) mod N for j below `count`: scattered, the same everywhere, and fewer where two
    /// coincide.
    pub fn scattered(cube: Hypercube, count: u32) -> Option<Self> {
        Self::of(cube, (0..u64::from(count)).map(|j| NodeId((37 * j * j + 11 * j + 5) & cube.mask())))
    }

    /// The cube.
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

    /// Whether `node` is faulty; what the cube does not have counts as faulty.
    #[inline(always)]
    pub fn contains(&self, node: NodeId) -> bool {
        !usize::try_from(node.0).is_ok_and(|place| self.healthy.get(place).is_some_and(|&healthy| healthy))
    }

    /// The number of faulty nodes, F.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The faulty nodes, ascending.
    pub fn iter(&self) -> impl Iterator<Item = NodeId> {
        (0..).zip(&self.healthy).filter(|&(_, &healthy)| !healthy).map(|(node, _)| NodeId(node))
    }

    /// For every node, whether it is healthy.
    pub(super) fn healthy(&self) -> &[bool] {
        &self.healthy
    }

    /// The (n-2)-cube of squares, four nodes each that agree in all but the first two dimensions; a square is marked if
    /// any of its nodes is faulty (Algorithm B, thesis section 3.3.2). `None` below n = 3.
    pub fn squares(&self) -> Option<Self> {
        let cube = Hypercube::new(self.cube.dimension().checked_sub(2)?)?;
        let healthy: Vec<_> = self.healthy.chunks_exact(4).map(|square| square.iter().all(|&node| node)).collect();
        let count = healthy.iter().filter(|&&square| !square).count() as u32;
        Some(Self { cube, healthy, count })
    }

    /// The first faulty node that the bit-fixing path from `from` to `to` meets, ends included; `None` if it is
    /// fault-free. Cost: its length.
    #[inline]
    pub fn first_on_path(&self, from: NodeId, to: NodeId) -> Option<NodeId> {
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
