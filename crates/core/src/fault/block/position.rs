//! Where nodes stand on rings, and how they find out from their neighbours (Boppana & Chalasani section II.C, Table I).

use super::BlockFaults;
use crate::topology::{NodeId, Port};

/// One of the eight positions of a node on a ring, clockwise from the North.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RingPosition {
    /// Above the region.
    North,
    /// The corner up and right of it.
    NorthEast,
    /// Right of it.
    East,
    /// The corner down and right of it.
    SouthEast,
    /// Below it.
    South,
    /// The corner down and left of it.
    SouthWest,
    /// Left of it.
    West,
    /// The corner up and left of it.
    NorthWest,
}

impl RingPosition {
    /// All, clockwise from the North.
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

    /// Its short name.
    pub fn label(self) -> &'static str {
        ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][self as usize]
    }

    /// The sides of the region that the node is on: away from it, one for a side, two for a corner.
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

/// The positions of live `node` on the rings of all regions, by geometry, in the order of [`RingPosition::ALL`], each once:
/// no two regions give a node the same one. Empty for faulty nodes.
pub fn positions(faults: &BlockFaults, node: NodeId) -> Vec<RingPosition> {
    let of_ring = |region: &super::Region| {
        let ring = region.ring(super::Plane::FLAT);
        let (row, column) = faults.ring_place(&ring, super::Plane::FLAT, node)?;
        ring.has(row, column).then(|| {
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
    let mut found: Vec<_> = faults.regions().iter().filter_map(of_ring).collect();
    found.sort();
    found
}

/// What `node` can learn: the state of its own links, and what live neighbours over live links tell of theirs.
struct Heard<'f>(&'f BlockFaults, NodeId);

impl Heard<'_> {
    fn own_down(&self, port: Port) -> bool {
        self.0.down(self.1) & port.bit() != 0
    }

    fn any_own_down(&self) -> bool {
        self.0.down(self.1) != 0
    }

    /// Whether the neighbour at `via` says that its link at `port` is down.
    fn told(&self, via: Port, port: Port) -> bool {
        let neighbor = self.0.mesh().neighbor(self.1, via).filter(|_| self.0.is_open(self.1, via));
        neighbor.is_some_and(|neighbor| self.0.down(neighbor) & port.bit() != 0)
    }
}

/// The positions of live `node`, from its links and its neighbours' messages alone: Table I, corrected. A node is North of a
/// region iff its own South link is down; a corner, here North East, iff the West neighbour's South link is down
/// and its own is up, or the South neighbour's West link is down and its own is up.
pub fn positions_from_messages(faults: &BlockFaults, node: NodeId) -> Vec<RingPosition> {
    let heard = Heard(faults, node);
    let is_at = |position: &RingPosition| match position.sides() {
        (side, None) => heard.own_down(side.opposite()),
        (a, Some(b)) => {
            let (to_a, to_b) = (a.opposite(), b.opposite());
            heard.told(to_b, to_a) && !heard.own_down(to_a) || heard.told(to_a, to_b) && !heard.own_down(to_b)
        }
    };
    if faults.is_faulty(node) { Vec::new() } else { RingPosition::ALL.into_iter().filter(is_at).collect() }
}

/// The same by Table I as printed: a side wants a neighbour beside it that is on the same side, and a corner wants
/// all links up. So it misses most positions of regions one wide, and corners that are on another ring's side.
pub fn positions_from_printed_table(faults: &BlockFaults, node: NodeId) -> Vec<RingPosition> {
    let heard = Heard(faults, node);
    let is_at = |position: &RingPosition| match position.sides() {
        (side, None) => {
            let along = 1 - side.dim();
            let beside = [false, true].map(|grows| heard.told(Port::along(along, grows), side.opposite()));
            heard.own_down(side.opposite()) && (beside[0] || beside[1])
        }
        (a, Some(b)) => {
            let (to_a, to_b) = (a.opposite(), b.opposite());
            !heard.any_own_down() && (heard.told(to_b, to_a) || heard.told(to_a, to_b))
        }
    };
    if faults.is_faulty(node) { Vec::new() } else { RingPosition::ALL.into_iter().filter(is_at).collect() }
}
