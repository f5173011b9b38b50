//! e-cube on meshes and what makes it fault-tolerant: f-cube2 and f-cube4 (Boppana & Chalasani section III).

use super::worm::{WormAt, WormChoice, WormChoices, WormHeader, WormRouting, WormRule, WormStatus, WormType};
use super::{Algorithm, Method};
use crate::fault::BlockFaults;
use crate::fault::block::{Orientation, Region, RegionId};
use crate::topology::{Mesh, NodeId, Port};

/// How virtual channels are shared by the types of messages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Classes {
    /// One for all.
    One,
    /// 0 for row messages, 1 for column messages.
    Two,
    /// One for each type.
    Four,
}

/// Which way around a region a blocked column message may go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnWay {
    /// NS clockwise, SN counter-clockwise (Fig. 3); either around a single faulty node or link (section III.A.2).
    FixedUnlessSingle,
    /// Either, around any region.
    Either,
    /// On in the direction of its last hop if that was along a row, else either (Fig. 8).
    Onward,
}

/// f-cube: the e-cube hop where it is live, else around the fault region.
struct Fcube {
    classes: Classes,
    column_way: ColumnWay,
}

/// f-cube2: two classes, for rings that do not overlap.
pub(super) const FCUBE2: Algorithm = Algorithm {
    id: "f-cube2",
    name: "f-cube2",
    summary: "e-cube; around a fault region along its ring, row messages towards their destination's side, column messages \
              always the same way.",
    guarantee: "Delivers, and never deadlocks, where fault rings are whole and do not overlap; two classes of virtual channels.",
    paper: "Boppana & Chalasani, section III.A, Fig. 3",
    method: Method::Mesh,
    dimension: None,
    worm: Some(&Fcube { classes: Classes::Two, column_way: ColumnWay::FixedUnlessSingle }),
};

/// f-cube4: four classes, for any faults.
pub(super) const FCUBE4: Algorithm = Algorithm {
    id: "f-cube4",
    name: "f-cube4",
    summary: "As f-cube2 with a class for each type of message; column messages go on in the direction they have, and turn \
              back at the end of a fault chain.",
    guarantee: "Delivers between all connected nodes, and never deadlocks, whatever is faulty; four classes of virtual \
                channels.",
    paper: "Boppana & Chalasani, section III.B, Fig. 8",
    method: Method::Mesh,
    dimension: None,
    worm: Some(&Fcube { classes: Classes::Four, column_way: ColumnWay::Onward }),
};

/// f-cube2 without its fixed directions: unsafe.
pub(super) const FCUBE2_EITHER: Algorithm = Algorithm {
    id: "f-cube2-either",
    name: "f-cube2, either way",
    summary: "f-cube2 whose column messages take either way around every region.",
    guarantee: "None: around regions larger than a single fault column messages can wait for each other in a circle.",
    paper: "Boppana & Chalasani, section III.A.2 (what it must not do)",
    method: Method::Mesh,
    dimension: None,
    worm: Some(&Fcube { classes: Classes::Two, column_way: ColumnWay::Either }),
};

/// f-cube with one class: unsafe.
pub(super) const FCUBE1: Algorithm = Algorithm {
    id: "f-cube1",
    name: "f-cube, one class",
    summary: "f-cube2 with a single class of virtual channels for row and column messages.",
    guarantee: "None among faults: misrouted messages close the circle that the second class is there to open.",
    paper: "Boppana & Chalasani, section III.A (why two classes)",
    method: Method::Mesh,
    dimension: None,
    worm: Some(&Fcube { classes: Classes::One, column_way: ColumnWay::FixedUnlessSingle }),
};

/// e-cube without fault tolerance.
pub(super) struct EcubeWorm;

/// The header that a message starts with.
fn start(mesh: Mesh, from: NodeId, to: NodeId) -> WormHeader {
    let ((a1, a0), (b1, b0)) = (mesh.place(from), mesh.place(to));
    let kind = match () {
        () if a0 < b0 => WormType::We,
        () if a0 > b0 => WormType::Ew,
        () if a1 < b1 => WormType::Ns,
        () => WormType::Sn,
    };
    WormHeader { kind, status: WormStatus::Normal, orientation: None, region: None, network: 0 }
}

/// The e-cube hop: along the row while the columns differ, for column messages too.
#[inline]
fn ecube_port(mesh: Mesh, here: NodeId, to: NodeId) -> Port {
    let ((a1, a0), (b1, b0)) = (mesh.place(here), mesh.place(to));
    if a0 != b0 { Port::along(0, a0 < b0) } else { Port::along(1, a1 < b1) }
}

impl WormRouting for EcubeWorm {
    fn classes(&self) -> u8 {
        1
    }

    fn starts(&self, mesh: Mesh, from: NodeId, to: NodeId) -> (WormHeader, Option<WormHeader>) {
        (start(mesh, from, to), None)
    }

    fn choices(&self, faults: &BlockFaults, at: &WormAt) -> WormChoices {
        let port = ecube_port(faults.mesh(), at.here, at.to);
        if !faults.is_open(at.here, port) {
            return WormChoices::NONE;
        }
        let header = WormHeader { kind: self::kind(faults.mesh(), at), ..at.header };
        WormChoices::one(WormChoice { port, class: 0, header, rule: WormRule::Ecube })
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        faults.is_none()
    }
}

/// A row message in its destination's column becomes a column message, and never goes back (Fig. 3, Route-Message step 1).
#[inline]
fn kind(mesh: Mesh, at: &WormAt) -> WormType {
    let ((a1, a0), (b1, b0)) = (mesh.place(at.here), mesh.place(at.to));
    match at.header.kind {
        WormType::We | WormType::Ew if a0 == b0 => {
            if a1 < b1 {
                WormType::Ns
            } else {
                WormType::Sn
            }
        }
        kind => kind,
    }
}

impl Fcube {
    fn class(&self, kind: WormType) -> u8 {
        match self.classes {
            Classes::One => 0,
            Classes::Two => u8::from(matches!(kind, WormType::Ns | WormType::Sn)),
            Classes::Four => kind as u8,
        }
    }

    /// The way that a message that has just been blocked takes; `None` for either (Fig. 3, Set-Direction, and Fig. 8).
    fn way(&self, mesh: Mesh, kind: WormType, at: &WormAt, region: &Region) -> Option<Orientation> {
        use Orientation::{Clockwise, CounterClockwise};
        let ((a1, _), (b1, _)) = (mesh.place(at.here), mesh.place(at.to));
        let clockwise = |yes: bool| Some(if yes { Clockwise } else { CounterClockwise });
        match (kind, self.column_way) {
            (WormType::We | WormType::Ew, _) if a1 == b1 => None,
            (WormType::We, _) => clockwise(a1 > b1),
            (WormType::Ew, _) => clockwise(a1 < b1),
            (_, ColumnWay::Either) => None,
            (_, ColumnWay::FixedUnlessSingle) if region.is_single() => None,
            (kind, ColumnWay::FixedUnlessSingle) => clockwise(kind == WormType::Ns),
            // The ring runs East above the region and West below it.
            (kind, ColumnWay::Onward) => match at.came {
                Some(Port::EAST) => clockwise(kind == WormType::Ns),
                Some(Port::WEST) => clockwise(kind == WormType::Sn),
                _ => None,
            },
        }
    }
}

/// A step along the ring of `region` that way or, at the end of a chain, back.
pub(super) fn ring_step(
    faults: &BlockFaults,
    region: RegionId,
    here: NodeId,
    way: Orientation,
) -> Option<(Port, Orientation, bool)> {
    let step = |way| faults.ring_step(region, here, way).map(|port| (port, way));
    let ahead = step(way).map(|(port, way)| (port, way, false));
    ahead.or_else(|| step(way.reversed()).map(|(port, way)| (port, way, true)))
}

impl WormRouting for Fcube {
    fn classes(&self) -> u8 {
        match self.classes {
            Classes::One => 1,
            Classes::Two => 2,
            Classes::Four => 4,
        }
    }

    fn starts(&self, mesh: Mesh, from: NodeId, to: NodeId) -> (WormHeader, Option<WormHeader>) {
        (start(mesh, from, to), None)
    }

    fn choices(&self, faults: &BlockFaults, at: &WormAt) -> WormChoices {
        let mesh = faults.mesh();
        let kind = kind(mesh, at);
        let class = self.class(kind);
        let port = ecube_port(mesh, at.here, at.to);
        let misrouted = at.header.status == WormStatus::Misrouted;
        // A misrouted message whose e-cube hop leads back to where it came from is still blocked: else the message of
        // Fig. 5 would bounce for ever.
        let back = misrouted && at.came.is_some_and(|came| came.opposite() == port);
        let blocking = faults.blocking(at.here, port);
        if blocking.is_none() && !back {
            let header = WormHeader { kind, status: WormStatus::Normal, orientation: None, region: None, network: 0 };
            return WormChoices::one(WormChoice { port, class, header, rule: WormRule::Ecube });
        }
        let mut choices = WormChoices::NONE;
        let mut add = |region: RegionId, way: Orientation, rule: WormRule| {
            let Some((port, way, turned)) = ring_step(faults, region, at.here, way) else { return };
            let header = WormHeader {
                kind,
                status: WormStatus::Misrouted,
                orientation: Some(way),
                region: Some(region),
                network: 0,
            };
            let rule = if turned { WormRule::TurnBack } else { rule };
            choices.add(WormChoice { port, class, header, rule });
        };
        match (at.header.region.zip(at.header.orientation).filter(|_| misrouted), blocking) {
            (Some((region, way)), _) => add(region, way, WormRule::FollowRing),
            (None, Some(region)) => match faults.region(region).and_then(|it| self.way(mesh, kind, at, it)) {
                Some(way) => add(region, way, WormRule::EnterRing),
                None => Orientation::ALL.into_iter().for_each(|way| add(region, way, WormRule::EnterRing)),
            },
            (None, None) => {}
        }
        choices
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        let whole = || faults.regions().iter().all(|region| !faults.is_chain(region)) && !faults.overlap();
        match (self.classes, self.column_way) {
            (Classes::Four, _) => true,
            (Classes::One, _) => faults.is_none(),
            (Classes::Two, ColumnWay::Either) => faults.are_isolated(),
            (Classes::Two, _) => whole(),
        }
    }
}
