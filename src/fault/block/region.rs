//! Fault regions and the rings around them (Boppana & Chalasani section II.B).

use super::NONE;
use super::closure::Closed;
use crate::sort;
use crate::topology::{Link, Mesh, NodeId, Port};

/// The number of a region among those of its fault set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(pub u16);

/// The way around a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Orientation {
    /// East along the top, South on the right, West along the bottom, North on the left.
    Clockwise,
    /// The other way.
    CounterClockwise,
}

impl Orientation {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Clockwise, Self::CounterClockwise];

    /// The other one.
    pub fn reversed(self) -> Self {
        match self {
            Self::Clockwise => Self::CounterClockwise,
            Self::CounterClockwise => Self::Clockwise,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clockwise => "clockwise",
            Self::CounterClockwise => "counter-clockwise",
        }
    }
}

/// What a region is made of: after closure there are no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// A full rectangle of faulty nodes.
    Nodes,
    /// Faulty row links in consecutive rows, between the same two columns.
    RowLinks,
    /// Faulty column links in consecutive columns, between the same two rows.
    ColumnLinks,
}

/// The rectangle of nodes around a region; parts of it may lie outside of the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// The northern row.
    pub top: i32,
    /// The western column.
    pub left: i32,
    /// The southern row.
    pub bottom: i32,
    /// The eastern column.
    pub right: i32,
}

impl Ring {
    /// Whether the place is on it.
    pub fn has(&self, row: i32, column: i32) -> bool {
        let within = (self.top..=self.bottom).contains(&row) && (self.left..=self.right).contains(&column);
        within && (row == self.top || row == self.bottom || column == self.left || column == self.right)
    }

    /// The port to its next place; `None` for places that are not on it.
    #[inline]
    pub fn step(&self, row: i32, column: i32, orientation: Orientation) -> Option<Port> {
        if !self.has(row, column) {
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

    /// Its places (row, column), clockwise from the north-western corner, those outside of the mesh included.
    pub fn places(&self) -> Vec<(i32, i32)> {
        let top = (self.left..self.right).map(|column| (self.top, column));
        let right = (self.top..self.bottom).map(|row| (row, self.right));
        let bottom = (self.left + 1..=self.right).rev().map(|column| (self.bottom, column));
        let left = (self.top + 1..=self.bottom).rev().map(|row| (row, self.left));
        top.chain(right).chain(bottom).chain(left).collect()
    }

    /// Its links in `mesh`, in the same order.
    pub fn links(&self, mesh: Mesh) -> Vec<Link> {
        let step = |(row, column): (i32, i32)| {
            let port = self.step(row, column, Orientation::Clockwise)?;
            mesh.link(mesh.node(row, column)?, port)
        };
        self.places().into_iter().filter_map(step).collect()
    }
}

/// One fault region: an island of faults that messages sail around.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// What it is made of.
    pub kind: RegionKind,
    /// The rectangle around it.
    pub ring: Ring,
    /// Its faulty nodes, ascending.
    pub nodes: Vec<NodeId>,
    /// Its faulty links between live nodes, ascending.
    pub links: Vec<Link>,
}

impl Region {
    /// Whether it is a single faulty node or link.
    #[inline]
    pub fn is_single(&self) -> bool {
        self.nodes.len() + self.links.len() == 1
    }
}

/// The regions of a closed fault set, in the order of their first nodes, blocks before links; and for each channel the
/// region that blocks it.
pub(super) fn find(mesh: Mesh, closed: &Closed) -> (Vec<Region>, Vec<u16>) {
    let mut regions = blocks(mesh, closed);
    regions.extend(link_runs(mesh, closed, 0));
    regions.extend(link_runs(mesh, closed, 1));
    let mut region_of = vec![NONE; mesh.channels() as usize];
    for (number, region) in (0..NONE).zip(&regions) {
        let of_links = region.links.iter().map(|link| (link.from, Port::along(link.dim, true)));
        let of_nodes = region.nodes.iter().flat_map(|&node| Port::ALL.map(|port| (node, port)));
        for (node, port) in of_links.chain(of_nodes) {
            if let Some(other) = mesh.neighbor(node, port) {
                region_of[mesh.channel(node, port) as usize] = number;
                region_of[mesh.channel(other, port.opposite()) as usize] = number;
            }
        }
    }
    (regions, region_of)
}

/// Connected faulty nodes: after closure, full rectangles.
fn blocks(mesh: Mesh, closed: &Closed) -> Vec<Region> {
    let mut seen = vec![false; closed.faulty.len()];
    let mut regions = Vec::new();
    for start in mesh.all().filter(|node| closed.faulty[node.0 as usize]) {
        if std::mem::replace(&mut seen[start.0 as usize], true) {
            continue;
        }
        let (mut nodes, mut next) = (vec![start], 0);
        while next < nodes.len() {
            for port in Port::ALL {
                let Some(other) = mesh.neighbor(nodes[next], port) else { continue };
                if closed.faulty[other.0 as usize] && !std::mem::replace(&mut seen[other.0 as usize], true) {
                    nodes.push(other);
                }
            }
            next += 1;
        }
        sort::ascending(&mut nodes);
        let ((top, left), (bottom, right)) = (mesh.place(nodes[0]), mesh.place(nodes[nodes.len() - 1]));
        let ring = Ring { top: top - 1, left: left - 1, bottom: bottom + 1, right: right + 1 };
        regions.push(Region { kind: RegionKind::Nodes, ring, nodes, links: Vec::new() });
    }
    regions
}

/// Faulty links along `dim` between live nodes, those side by side in one region.
fn link_runs(mesh: Mesh, closed: &Closed, dim: u8) -> Vec<Region> {
    let live = |node: NodeId| !closed.faulty[node.0 as usize];
    let is_faulty = |link: Link| {
        let down = closed.down[link.from.0 as usize] & Port::along(dim, true).bit() != 0;
        down && live(link.from) && mesh.link_end(link).is_some_and(live)
    };
    let beside = |link: Link, grows: bool| {
        let from = mesh.neighbor(link.from, Port::along(1 - dim, grows))?;
        Some(Link { from, dim }).filter(|&link| is_faulty(link))
    };
    let kind = if dim == 0 { RegionKind::RowLinks } else { RegionKind::ColumnLinks };
    let links = mesh.all().map(|from| Link { from, dim });
    let firsts = links.filter(|&link| is_faulty(link) && beside(link, false).is_none());
    let region = |first: Link| {
        let links: Vec<_> = std::iter::successors(Some(first), |&link| beside(link, true)).collect();
        let ((r1, c1), (r2, c2)) = (mesh.place(first.from), mesh.place(links[links.len() - 1].from));
        let ring = match kind {
            RegionKind::RowLinks => Ring { top: r1 - 1, left: c1, bottom: r2 + 1, right: c1 + 1 },
            _ => Ring { top: r1, left: c1 - 1, bottom: r1 + 1, right: c2 + 1 },
        };
        Region { kind, ring, nodes: Vec::new(), links }
    };
    firsts.map(region).collect()
}
