//! Set of faulty nodes of a hypercube, stored as a table, with the faulty one-way links if there
//! are any.

use super::link_table::LinkTable;
use crate::fault::Faults;
use crate::topology::{Hypercube, Link, NodeId, set_dimensions};

/// The faulty nodes of a hypercube, and its faulty one-way links. A node fault removes the node and
/// its 2n channels. In the thesis links alone do not fail (section 1.1); faulty links are an
/// extension of this project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultyNodes {
    cube: Hypercube,
    healthy: Vec<bool>,
    count: u32,
    /// Faulty links; `None` if no link is faulty.
    links: Option<LinkTable>,
}

/// A fault on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathFault {
    /// A faulty node.
    Node(NodeId),
    /// A faulty link, whose start is healthy.
    Link(Link),
}

impl FaultyNodes {
    /// Largest cube dimension for which a table is allowed.
    pub const MAX_DIMENSION: u8 = 24;

    /// Returns an empty set of faults; `None` above [`FaultyNodes::MAX_DIMENSION`].
    pub fn empty(cube: Hypercube) -> Option<Self> {
        let fits = cube.dimension() <= Self::MAX_DIMENSION;
        fits.then(|| Self { cube, healthy: vec![true; cube.mask() as usize + 1], count: 0, links: None })
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

    /// Adds the faulty links of `faults`. Cost: 2^n n queries, and memory for 2^n masks if a link
    /// is faulty.
    pub fn with_links_from(self, faults: &mut impl Faults) -> Self {
        if !faults.has_link_faults() {
            return self;
        }
        let (nodes, dims) = (0..=self.cube.mask(), self.cube.dimension());
        let links = nodes.flat_map(|node| (0..dims).map(move |dim| Link { from: NodeId(node), dim }));
        self.with_links(links.filter(|&link| faults.is_link_faulty(link)))
    }

    /// Adds the faulty links `links`; links outside the cube are ignored. A link fails in one
    /// direction only.
    pub fn with_links(mut self, links: impl IntoIterator<Item = Link>) -> Self {
        for link in links.into_iter().filter(|link| link.dim < self.cube.dimension() && link.from.0 <= self.cube.mask())
        {
            self.links.get_or_insert_with(|| LinkTable::empty(self.cube)).insert(link);
        }
        self
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

    /// Returns whether `link` itself is faulty, whatever the state of its ends.
    #[inline]
    pub fn is_link_faulty(&self, link: Link) -> bool {
        self.links.as_ref().is_some_and(|links| links.contains(link))
    }

    /// Returns the node across `dim` from `node`; `None` if that node or the link to it is faulty.
    #[inline]
    pub fn live_hop(&self, node: NodeId, dim: u8) -> Option<NodeId> {
        let link = Link { from: node, dim };
        (!self.contains(link.end()) && !self.is_link_faulty(link)).then_some(link.end())
    }

    /// Returns whether any link is faulty.
    pub fn has_faulty_links(&self) -> bool {
        self.links.is_some()
    }

    /// Returns the number of faulty one-way links, including links of faulty nodes.
    pub fn link_count(&self) -> u32 {
        self.links.as_ref().map_or(0, LinkTable::len)
    }

    /// Returns the faulty links, ascending, including links of faulty nodes.
    pub fn links(&self) -> impl Iterator<Item = Link> {
        self.links.iter().flat_map(LinkTable::iter)
    }

    /// Returns a flag by node that is true for healthy nodes.
    pub(super) fn healthy(&self) -> &[bool] {
        &self.healthy
    }

    /// Returns the marked squares in their (n-2)-cube (Algorithm B, thesis section 3.3.2); `None`
    /// below n = 3.
    ///
    /// A square is four nodes that agree in all dimensions except the first two. A square is marked
    /// if any of its nodes is faulty, or any of the eight one-way links inside it. A link from one
    /// square to another is faulty if any of the four links that it stands for is.
    pub fn squares(&self) -> Option<Self> {
        let cube = Hypercube::new(self.cube.dimension().checked_sub(2)?)?;
        let mut healthy: Vec<_> = self.healthy.chunks_exact(4).map(|square| square.iter().all(|&node| node)).collect();
        let mut links: Option<LinkTable> = None;
        for link in self.links() {
            let square = link.from.0 >> 2;
            match link.dim.checked_sub(2) {
                None => healthy.iter_mut().skip(square as usize).take(1).for_each(|square| *square = false),
                Some(dim) => {
                    let link = Link { from: NodeId(square), dim };
                    links.get_or_insert_with(|| LinkTable::empty(cube)).insert(link);
                }
            }
        }
        let count = healthy.iter().filter(|&&square| !square).count() as u32;
        Some(Self { cube, healthy, count, links })
    }

    /// Returns the first fault on the bit-fixing path from `from` to `to`, endpoints included;
    /// `None` if the path is fault-free. Cost: the length of the path.
    #[inline]
    pub fn first_faulty_on_path(&self, from: NodeId, to: NodeId) -> Option<PathFault> {
        match &self.links {
            None => self.first_faulty_node_on_path(from, to).map(PathFault::Node),
            Some(links) => self.first_fault_with_links(links, from, to),
        }
    }

    #[inline]
    fn first_faulty_node_on_path(&self, from: NodeId, to: NodeId) -> Option<NodeId> {
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

    fn first_fault_with_links(&self, links: &LinkTable, from: NodeId, to: NodeId) -> Option<PathFault> {
        let mut here = from;
        for dim in set_dimensions(from.0 ^ to.0) {
            let link = Link { from: here, dim };
            if self.contains(here) {
                return Some(PathFault::Node(here));
            } else if links.contains(link) {
                return Some(PathFault::Link(link));
            }
            here = link.end();
        }
        self.contains(here).then_some(PathFault::Node(here))
    }
}

impl Faults for FaultyNodes {
    fn is_faulty(&mut self, node: NodeId) -> bool {
        self.contains(node)
    }

    fn has_link_faults(&self) -> bool {
        self.links.is_some()
    }

    fn is_link_faulty(&mut self, link: Link) -> bool {
        FaultyNodes::is_link_faulty(self, link)
    }
}
