//! Positions of nodes on rings, by geometry and from messages of the neighbours (Boppana &
//! Chalasani section II.C, Table I).

use super::BlockFaults;
use crate::topology::{NodeId, Port};

/// One of the eight positions of a node on a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RingPosition {
    /// Above the region.
    North,
    /// Corner above and right of the region.
    NorthEast,
    /// Right of the region.
    East,
    /// Corner below and right of the region.
    SouthEast,
    /// Below the region.
    South,
    /// Corner below and left of the region.
    SouthWest,
    /// Left of the region.
    West,
    /// Corner above and left of the region.
    NorthWest,
}

impl RingPosition {
    /// All positions, clockwise from the North.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];

    /// Returns the abbreviation of the position.
    pub fn label(self) -> &'static str {
        ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][self as usize]
    }

    /// Returns the sides of the region on which the node lies, as ports away from the region: one
    /// for a side, two for a corner.
    fn sides(self) -> (Port, Option<Port>) {
        match self {
            Self::North => (Port::NORTH, None),
            Self::East => (Port::EAST, None),
            Self::South => (Port::SOUTH, None),
            Self::West => (Port::WEST, None),
            Self::NorthEast => (Port::NORTH, Some(Port::EAST)),
            Self::SouthEast => (Port::SOUTH, Some(Port::EAST)),
            Self::SouthWest => (Port::SOUTH, Some(Port::WEST)),
            Self::NorthWest => (Port::NORTH, Some(Port::WEST)),
        }
    }
}

/// Returns the positions of live `node` on the rings of all regions, by geometry, in the order of
/// [`RingPosition::ALL`].
///
/// No two regions give a node the same position. The result is empty for faulty nodes, and without the
/// regions that are not boxes.
pub fn positions(faults: &BlockFaults, node: NodeId) -> Vec<RingPosition> {
    let of_ring = |region: &super::Region| {
        let ring = region.ring(super::PlaneFamily::FLAT);
        let (row, column) = faults.ring_position(&ring, super::PlaneFamily::FLAT, node)?;
        ring.contains(row, column).then(|| {
            use RingPosition::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
            match (row == ring.top, row == ring.bottom, column == ring.left, column == ring.right) {
                (true, _, true, _) => NorthWest,
                (true, _, _, true) => NorthEast,
                (_, true, true, _) => SouthWest,
                (_, true, _, true) => SouthEast,
                (true, ..) => North,
                (_, true, ..) => South,
                (_, _, true, _) => West,
                _ => East,
            }
        })
    };
    let mut found: Vec<_> = faults.regions().iter().filter(|region| region.is_box()).filter_map(of_ring).collect();
    found.sort();
    found
}

/// Local information of a node: the state of its own links, and the link states that live
/// neighbours send over live links.
struct LocalStatus<'f>(&'f BlockFaults, NodeId);

impl LocalStatus<'_> {
    fn is_own_link_down(&self, port: Port) -> bool {
        self.0.faulty_ports(self.1) & port.bit() != 0
    }

    fn has_own_link_down(&self) -> bool {
        self.0.faulty_ports(self.1) != 0
    }

    /// Returns whether the neighbour at `via` reports that its link at `port` is down.
    fn neighbour_reports_down(&self, via: Port, port: Port) -> bool {
        let neighbor = self.0.mesh().neighbor(self.1, via).filter(|_| self.0.is_open(self.1, via));
        neighbor.is_some_and(|neighbor| self.0.faulty_ports(neighbor) & port.bit() != 0)
    }
}

/// Returns the positions of live `node`, from its links and its neighbours' messages alone: Table
/// I, corrected.
///
/// A node is North of a region iff its own South link is down. It is a North East corner iff the
/// West neighbour's South link is down and its own is up, or the South neighbour's West link is
/// down and its own is up. Other sides and corners follow by symmetry.
pub fn positions_from_messages(faults: &BlockFaults, node: NodeId) -> Vec<RingPosition> {
    let heard = LocalStatus(faults, node);
    let is_at = |position: &RingPosition| match position.sides() {
        (side, None) => heard.is_own_link_down(side.opposite()),
        (a, Some(b)) => {
            let (to_a, to_b) = (a.opposite(), b.opposite());
            heard.neighbour_reports_down(to_b, to_a) && !heard.is_own_link_down(to_a)
                || heard.neighbour_reports_down(to_a, to_b) && !heard.is_own_link_down(to_b)
        }
    };
    if faults.is_faulty(node) { Vec::new() } else { RingPosition::ALL.into_iter().filter(is_at).collect() }
}

/// Returns the positions of `node` by Table I as printed.
///
/// In the printed table, a node on a side needs a neighbour on the same side, and all links of a
/// node at a corner must be up. The table therefore misses most positions around regions of width
/// one, and corners that lie on a side of another ring.
pub fn positions_from_printed_table(faults: &BlockFaults, node: NodeId) -> Vec<RingPosition> {
    let heard = LocalStatus(faults, node);
    let is_at = |position: &RingPosition| match position.sides() {
        (side, None) => {
            let along = 1 - side.dim();
            let beside =
                [false, true].map(|grows| heard.neighbour_reports_down(Port::along(along, grows), side.opposite()));
            heard.is_own_link_down(side.opposite()) && (beside[0] || beside[1])
        }
        (a, Some(b)) => {
            let (to_a, to_b) = (a.opposite(), b.opposite());
            !heard.has_own_link_down()
                && (heard.neighbour_reports_down(to_b, to_a) || heard.neighbour_reports_down(to_a, to_b))
        }
    };
    if faults.is_faulty(node) { Vec::new() } else { RingPosition::ALL.into_iter().filter(is_at).collect() }
}
