//! Fault regions and the rings around them (Boppana & Chalasani section II.B).

use std::num::NonZeroU16;

use super::PlaneFamily;
use super::closure::FaultTables;
use crate::topology::{Link, Mesh, NodeId, Port};

/// Number of a region in a fault set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(NonZeroU16);

impl RegionId {
    /// Returns the id of region number `index`; `None` from 65535 on.
    pub fn new(index: usize) -> Option<Self> {
        u16::try_from(index + 1).ok().and_then(NonZeroU16::new).map(Self)
    }

    /// Returns the number of the region.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0.get()) - 1
    }
}

/// The direction around a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Orientation {
    /// East along the top, South on the right, West along the bottom, North on the left.
    Clockwise,
    /// West along the top, South on the left, East along the bottom, North on the right.
    CounterClockwise,
}

impl Orientation {
    /// Both orientations.
    pub const ALL: [Self; 2] = [Self::Clockwise, Self::CounterClockwise];

    /// Returns the opposite orientation.
    pub fn reversed(self) -> Self {
        match self {
            Self::Clockwise => Self::CounterClockwise,
            Self::CounterClockwise => Self::Clockwise,
        }
    }

    /// Returns the name of the orientation.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clockwise => "clockwise",
            Self::CounterClockwise => "counter-clockwise",
        }
    }
}

/// The kind of faults in a region; closure leaves no other kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// A full box of faulty nodes; in two dimensions, a rectangle.
    Nodes,
    /// Adjacent faulty links between live nodes.
    ///
    /// In two dimensions, the links are row links in consecutive rows, or column links in
    /// consecutive columns. In more dimensions, the region belongs to one family of planes. A link
    /// is in one such region for each dimension other than its own.
    Links {
        /// Dimension along which the links run.
        dim: u8,
        /// Dimension in which the links are adjacent.
        beside: u8,
    },
}

impl RegionKind {
    /// Row links in consecutive rows of a two-dimensional mesh.
    pub const ROW_LINKS: Self = Self::Links { dim: 0, beside: 1 };
    /// Column links in consecutive columns of a two-dimensional mesh.
    pub const COLUMN_LINKS: Self = Self::Links { dim: 1, beside: 0 };
}

/// The rectangle of nodes around a region; parts of it may lie outside of the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Northern row.
    pub top: i32,
    /// Western column.
    pub left: i32,
    /// Southern row.
    pub bottom: i32,
    /// Eastern column.
    pub right: i32,
}

impl Ring {
    /// Returns whether the position is on the ring.
    pub fn contains(&self, row: i32, column: i32) -> bool {
        let within = (self.top..=self.bottom).contains(&row) && (self.left..=self.right).contains(&column);
        within && (row == self.top || row == self.bottom || column == self.left || column == self.right)
    }

    /// Returns the port to the next position; `None` for positions that are not on the ring.
    #[inline]
    pub fn step(&self, row: i32, column: i32, orientation: Orientation) -> Option<Port> {
        if !self.contains(row, column) {
            return None;
        }
        let port = match orientation {
            Orientation::Clockwise if row == self.top && column < self.right => Port::EAST,
            Orientation::Clockwise if column == self.right && row < self.bottom => Port::SOUTH,
            Orientation::Clockwise if row == self.bottom && column > self.left => Port::WEST,
            Orientation::Clockwise => Port::NORTH,
            Orientation::CounterClockwise if row == self.top && column > self.left => Port::WEST,
            Orientation::CounterClockwise if column == self.left && row < self.bottom => Port::SOUTH,
            Orientation::CounterClockwise if row == self.bottom && column < self.right => Port::EAST,
            Orientation::CounterClockwise => Port::NORTH,
        };
        Some(port)
    }

    /// Returns the positions (row, column) of the ring, clockwise from the north-western corner,
    /// including those outside of the mesh.
    pub fn positions(&self) -> Vec<(i32, i32)> {
        let top = (self.left..self.right).map(|column| (self.top, column));
        let right = (self.top..self.bottom).map(|row| (row, self.right));
        let bottom = (self.left + 1..=self.right).rev().map(|column| (self.bottom, column));
        let left = (self.top + 1..=self.bottom).rev().map(|row| (row, self.left));
        top.chain(right).chain(bottom).chain(left).collect()
    }

    /// Returns the links of the ring in the `plane` of `mesh` through `base`, in the order of
    /// [`Ring::positions`].
    pub fn links(&self, mesh: Mesh, plane: PlaneFamily, base: NodeId) -> Vec<Link> {
        let step = |(row, column): (i32, i32)| {
            let port = self.step(row, column, Orientation::Clockwise)?;
            mesh.link(plane.node(mesh, base, row, column)?, plane.port(port))
        };
        self.positions().into_iter().filter_map(step).collect()
    }
}

/// A fault region: adjacent faults that messages go around together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Kind of the region's faults.
    pub kind: RegionKind,
    /// Lowest and highest coordinate, by dimension, of the region's nodes or of the lower ends of
    /// its links.
    ///
    /// On a torus, the highest may exceed the last coordinate: counting continues across the
    /// wraparound.
    pub extent: Vec<(i32, i32)>,
    /// Faulty nodes of the region, ascending.
    pub nodes: Vec<NodeId>,
    /// Faulty links between live nodes, ascending.
    pub links: Vec<Link>,
    /// True for a full box of nodes and for a run of links.
    is_box: bool,
    /// Ring in the plane of dimensions 0 and 1: a fast path for two-dimensional meshes.
    flat_ring: Ring,
}

/// Returns the rectangle in `plane` around a region with this extent.
fn ring(kind: RegionKind, extent: &[(i32, i32)], plane: PlaneFamily) -> Ring {
    let around = |dim: u8| {
        let (low, high) = extent.get(usize::from(dim)).copied().unwrap_or_default();
        match kind {
            // Both ends of the links are on the ring.
            RegionKind::Links { dim: along, .. } if along == dim => (low, high + 1),
            _ => (low - 1, high + 1),
        }
    };
    let ((left, right), (top, bottom)) = (around(plane.column), around(plane.row));
    Ring { top, left, bottom, right }
}

impl Region {
    fn new(kind: RegionKind, extent: Vec<(i32, i32)>, nodes: Vec<NodeId>, links: Vec<Link>) -> Self {
        let flat = ring(kind, &extent, PlaneFamily::FLAT);
        let size: i64 = extent.iter().map(|&(low, high)| i64::from(high - low + 1)).product();
        let is_box = kind != RegionKind::Nodes || nodes.len() as i64 == size;
        Self { kind, extent, nodes, links, is_box, flat_ring: flat }
    }

    /// Returns whether the region is a single faulty node or link.
    #[inline]
    pub fn is_single(&self) -> bool {
        self.nodes.len() + self.links.len() == 1
    }

    /// Returns whether the region is a full box of nodes or a run of links; always after block closure.
    #[inline]
    pub fn is_box(&self) -> bool {
        self.is_box
    }

    /// Returns whether messages in `plane` meet the region. Messages meet a run of links only in
    /// the planes of the run's two dimensions.
    pub fn meets_plane(&self, plane: PlaneFamily) -> bool {
        match self.kind {
            RegionKind::Nodes => true,
            RegionKind::Links { dim, beside } => {
                PlaneFamily::from_dimensions(plane.column, plane.row) == PlaneFamily::from_dimensions(dim, beside)
            }
        }
    }

    /// Returns the rectangle around the region in `plane`; parts of it may lie outside of the mesh.
    #[inline]
    pub fn ring(&self, plane: PlaneFamily) -> Ring {
        if plane == PlaneFamily::FLAT { self.flat_ring } else { ring(self.kind, &self.extent, plane) }
    }

    /// Returns one node of each plane of the family that meets the region: the first node of the
    /// region, or the first of the lower ends of its links.
    pub fn plane_bases(&self, mesh: Mesh, plane: PlaneFamily) -> Vec<NodeId> {
        let low = |node: NodeId, dim: u8| i32::from(mesh.coordinate(node, dim)) == self.extent[usize::from(dim)].0;
        let first = |&node: &NodeId| low(node, plane.column) && low(node, plane.row);
        let nodes = self.nodes.iter().copied().chain(self.links.iter().map(|link| link.from));
        if self.meets_plane(plane) { nodes.filter(first).collect() } else { Vec::new() }
    }
}

/// Regions that block channels, ascending by key.
///
/// The key is channel * dimensions + d. For a box of nodes, d is the dimension of the channel, for
/// a run of links the dimension in which the links are adjacent.
pub(super) type BlockedChannels = Vec<(u64, RegionId)>;

/// Returns the key of a channel in [`BlockedChannels`].
#[inline]
pub(super) fn blocked_key(mesh: Mesh, node: NodeId, port: Port, beside: u8) -> u64 {
    u64::from(mesh.channel(node, port)) * u64::from(mesh.dimensions()) + u64::from(beside)
}

/// Finds the regions of a closed fault set and the channels that they block.
///
/// Boxes come first, in the order of their first nodes, then runs of links by their dimensions and
/// first links.
pub(super) fn find_regions(mesh: Mesh, closed: &FaultTables) -> (Vec<Region>, BlockedChannels) {
    let mut regions = find_boxes(mesh, closed);
    for dim in 0..mesh.dimensions() {
        for beside in (0..mesh.dimensions()).filter(|&beside| beside != dim) {
            regions.extend(link_runs(mesh, closed, dim, beside));
        }
    }
    let mut blocked = Vec::new();
    for (number, region) in regions.iter().enumerate() {
        let Some(id) = RegionId::new(number) else { break };
        let of_links = region.links.iter().map(|link| (link.from, Port::along(link.dim, true)));
        let of_nodes = region.nodes.iter().flat_map(|&node| mesh.ports().map(move |port| (node, port)));
        for (node, port) in of_links.chain(of_nodes) {
            let beside = match region.kind {
                RegionKind::Nodes => port.dim(),
                RegionKind::Links { beside, .. } => beside,
            };
            if let Some(other) = mesh.neighbor(node, port) {
                blocked.push((blocked_key(mesh, node, port, beside), id));
                blocked.push((blocked_key(mesh, other, port.opposite(), beside), id));
            }
        }
    }
    blocked.sort();
    blocked.dedup();
    (regions, blocked)
}

/// Returns the region that blocks each channel, by channel number, in two dimensions; empty in
/// other dimensions.
pub(super) fn by_channel(mesh: Mesh, blocked: &BlockedChannels) -> Vec<Option<RegionId>> {
    let mut regions = vec![None; if mesh.is_plane() { mesh.channel_table_size() as usize } else { 0 }];
    if mesh.is_plane() {
        // In two dimensions, at most one region blocks a channel, whichever dimension its key has.
        blocked.iter().for_each(|&(key, id)| regions[(key / 2) as usize] = Some(id));
    }
    regions
}

/// Returns the connected sets of faulty nodes, which are full boxes after block closure. In two
/// dimensions nodes at a corner of each other are connected too; block closure leaves none.
fn find_boxes(mesh: Mesh, closed: &FaultTables) -> Vec<Region> {
    let mut seen = vec![false; closed.faulty.len()];
    let mut regions = Vec::new();
    for start in mesh.iter_nodes().filter(|node| closed.faulty[node.0 as usize]) {
        if std::mem::replace(&mut seen[start.0 as usize], true) {
            continue;
        }
        let (mut nodes, mut next) = (vec![start], 0);
        while next < nodes.len() {
            for other in touching(mesh, nodes[next]) {
                if closed.faulty[other.0 as usize] && !std::mem::replace(&mut seen[other.0 as usize], true) {
                    nodes.push(other);
                }
            }
            next += 1;
        }
        nodes.sort();
        let extent = extent(mesh, &nodes);
        regions.push(Region::new(RegionKind::Nodes, extent, nodes, Vec::new()));
    }
    regions
}

/// Returns the neighbours of `node` and, in a plane without wraparound links, the nodes at its corners.
pub(super) fn touching(mesh: Mesh, node: NodeId) -> impl Iterator<Item = NodeId> {
    let corners = if mesh.is_plane() && !mesh.is_torus() { &CORNERS[..] } else { &[] };
    let (row, column) = if mesh.is_plane() { mesh.row_and_column(node) } else { (0, 0) };
    let corners = corners.iter().filter_map(move |&(down, right)| mesh.node(row + down, column + right));
    mesh.ports().filter_map(move |port| mesh.neighbor(node, port)).chain(corners)
}

const CORNERS: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// Returns the lowest and highest coordinate of `nodes` in each dimension; on a torus, the ends of
/// the interval of their coordinates.
fn extent(mesh: Mesh, nodes: &[NodeId]) -> Vec<(i32, i32)> {
    let along = |dim: u8| {
        let radix = usize::from(mesh.radix(dim));
        let mut has = vec![false; radix];
        nodes.iter().for_each(|&node| has[usize::from(mesh.coordinate(node, dim))] = true);
        let length = has.iter().filter(|&&has| has).count() as i32;
        let begins = |at: usize| has[at] && (at == 0 && !mesh.wraps(dim) || !has[(at + radix - 1) % radix]);
        let low = (0..radix).find(|&at| begins(at)).unwrap_or(0) as i32;
        (low, low + length - 1)
    };
    (0..mesh.dimensions()).map(along).collect()
}

/// Returns the runs of faulty links along `dim` between live nodes; links adjacent along `beside`
/// are in one region.
fn link_runs(mesh: Mesh, closed: &FaultTables, dim: u8, beside: u8) -> Vec<Region> {
    let live = |node: NodeId| !closed.faulty[node.0 as usize];
    let is_faulty = |link: Link| {
        let down = closed.down[link.from.0 as usize] & Port::along(dim, true).bit() != 0;
        down && live(link.from) && mesh.link_end(link).is_some_and(live)
    };
    let next = |link: Link, grows: bool| {
        let from = mesh.neighbor(link.from, Port::along(beside, grows))?;
        Some(Link { from, dim }).filter(|&link| is_faulty(link))
    };
    let region = |first: Link| {
        let rest = std::iter::successors(Some(first), |&link| next(link, true).filter(|&link| link != first));
        let links: Vec<_> = rest.collect();
        let coordinate = |dim: u8| i32::from(mesh.coordinate(first.from, dim));
        let last = |dim: u8| coordinate(dim) + if dim == beside { links.len() as i32 - 1 } else { 0 };
        let extent = (0..mesh.dimensions()).map(|dim| (coordinate(dim), last(dim))).collect();
        Region::new(RegionKind::Links { dim, beside }, extent, Vec::new(), links)
    };
    // A run of links all around a torus has no first link and starts at the lowest coordinate.
    let all_around = |link: Link| {
        let run = std::iter::successors(Some(link), |&link| next(link, true));
        mesh.coordinate(link.from, beside) == 0
            && mesh.wraps(beside)
            && run.take(usize::from(mesh.radix(beside))).count() == usize::from(mesh.radix(beside))
    };
    let links = mesh.iter_nodes().map(|from| Link { from, dim });
    let firsts = links.filter(|&link| is_faulty(link) && (next(link, false).is_none() || all_around(link)));
    firsts.map(region).collect()
}
