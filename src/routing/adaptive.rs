//! Fully-adaptive routing on meshes (Linder & Harden) and what makes it fault-tolerant (Boppana & Chalasani section IV).

use super::fcube::ring_step;
use super::worm::{WormAt, WormChoice, WormChoices, WormHeader, WormRouting, WormRule, WormStatus, WormType};
use super::{Algorithm, Method};
use crate::fault::BlockFaults;
use crate::fault::block::{Orientation, RegionId};
use crate::topology::{Mesh, NodeId, Port};

/// The classes that the base algorithm takes: one for each virtual network.
const BASE: u8 = 2;

/// How affected messages share the classes above the base's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Affected {
    /// There are none: a message that faults leave no minimal hop is lost.
    Lost,
    /// One class for each dimension (section IV.A).
    ByDimension,
    /// One class for each type (Fig. 10).
    ByType,
}

/// The strongly adaptive algorithm of Linder & Harden and its fault-tolerant versions.
struct Adaptive {
    affected: Affected,
}

/// The base algorithm.
pub(super) const LH: Algorithm = Algorithm {
    id: "lh",
    name: "Linder-Harden",
    summary: "Any minimal hop, in one of two virtual networks: one for messages that go North, one for South.",
    guarantee: "Fully adaptive and free of deadlock; two classes of virtual channels. A message that faults leave no \
                minimal hop is lost.",
    paper: "Linder & Harden; Boppana & Chalasani, section V",
    method: Method::Mesh,
    dimension: None,
    worm: Some(&Adaptive { affected: Affected::Lost }),
};

/// With two more classes.
pub(super) const LH2: Algorithm = Algorithm {
    id: "lh2",
    name: "LH2",
    summary: "Linder-Harden; a message that faults leave no minimal hop goes around them in one of two more classes, one for \
              each dimension.",
    guarantee: "Delivers, and never deadlocks, among isolated faults; four classes of virtual channels.",
    paper: "Boppana & Chalasani, sections IV.A and V",
    method: Method::Mesh,
    dimension: None,
    worm: Some(&Adaptive { affected: Affected::ByDimension }),
};

/// With four more classes.
pub(super) const LH4: Algorithm = Algorithm {
    id: "lh4",
    name: "LH4",
    summary: "Linder-Harden; a message that faults leave no minimal hop goes around them in one of four more classes, one for \
              each of the types 0+, 0-, 1+, 1-.",
    guarantee: "Delivers between all connected nodes, and never deadlocks, whatever is faulty; six classes of virtual \
                channels.",
    paper: "Boppana & Chalasani, section IV, Fig. 10 and Theorem 1",
    method: Method::Mesh,
    dimension: None,
    worm: Some(&Adaptive { affected: Affected::ByType }),
};

impl WormRouting for Adaptive {
    fn classes(&self) -> u8 {
        match self.affected {
            Affected::Lost => BASE,
            Affected::ByDimension => BASE + 2,
            Affected::ByType => BASE + 4,
        }
    }

    fn starts(&self, mesh: Mesh, from: NodeId, to: NodeId) -> (WormHeader, Option<WormHeader>) {
        let ((a1, _), (b1, _)) = (mesh.place(from), mesh.place(to));
        let kind = if a1 > b1 { WormType::Sn } else { WormType::Ns };
        let network =
            |network| WormHeader { kind, status: WormStatus::Normal, orientation: None, region: None, network };
        match () {
            () if a1 > b1 => (network(0), None),
            () if a1 < b1 => (network(1), None),
            // No column hop: either network.
            () => (network(0), Some(network(1))),
        }
    }

    fn choices(&self, faults: &BlockFaults, at: &WormAt) -> WormChoices {
        if at.header.status == WormStatus::Affected {
            return self.around(faults, at);
        }
        let ports = faults.mesh().minimal_ports(at.here, at.to) & faults.open(at.here);
        if ports == 0 && self.affected != Affected::Lost {
            return self.around(faults, at);
        }
        let mut choices = WormChoices::NONE;
        for port in Port::ALL.into_iter().filter(|port| ports & port.bit() != 0) {
            choices.add(WormChoice { port, class: at.header.network, header: at.header, rule: WormRule::Minimal });
        }
        choices
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        match self.affected {
            Affected::Lost => faults.is_none(),
            Affected::ByDimension => faults.are_isolated(),
            Affected::ByType => true,
        }
    }
}

impl Adaptive {
    /// The hop of an affected message, or of one that is affected here (Fig. 10, rules 1 to 3).
    fn around(&self, faults: &BlockFaults, at: &WormAt) -> WormChoices {
        let mesh = faults.mesh();
        let minimal = mesh.minimal_ports(at.here, at.to);
        let newly = at.header.status != WormStatus::Affected;
        let kind = if newly { kind_of(minimal) } else { at.header.kind };
        let affected = kind.port().dim();
        let class = match self.affected {
            Affected::ByType => BASE + kind as u8,
            _ => BASE + affected,
        };
        let header = |way: Option<(RegionId, Orientation)>| WormHeader {
            kind,
            status: WormStatus::Affected,
            orientation: way.map(|(_, way)| way),
            region: way.map(|(region, _)| region),
            network: at.header.network,
        };
        let free = minimal & (3 << (2 * (1 - affected)));
        let ahead = Port::ALL.into_iter().find(|port| minimal & !free & port.bit() != 0);
        let on_ring = at.header.region.zip(at.header.orientation).filter(|_| !newly);
        let blocking = ahead.filter(|_| free == 0).and_then(|port| faults.blocking(at.here, port));
        if let (0, Some(port), None) = (free, ahead, blocking) {
            return WormChoices::one(WormChoice { port, class, header: header(None), rule: WormRule::Legal });
        }
        let mut choices = WormChoices::NONE;
        let mut add = |region: RegionId, way: Orientation, rule: WormRule| {
            let Some((port, way, turned)) = ring_step(faults, region, at.here, way) else { return };
            let rule = if turned { WormRule::TurnBack } else { rule };
            choices.add(WormChoice { port, class, header: header(Some((region, way))), rule });
        };
        match (on_ring, blocking) {
            (Some((region, way)), None) => add(region, way, WormRule::FollowRing),
            (Some((region, way)), Some(blocking)) if region == blocking => add(region, way, WormRule::FollowRing),
            // Another region is in the way: over to its ring, in the direction of the last hop if that was along the
            // free dimension. Not printed; needed where rings overlap.
            (_, Some(region)) => match onward(faults, at, region, affected).filter(|_| !newly) {
                Some(way) => add(region, way, WormRule::EnterRing),
                None => Orientation::ALL.into_iter().for_each(|way| add(region, way, WormRule::EnterRing)),
            },
            (None, None) => {}
        }
        choices
    }
}

/// The type of a message whose only minimal hops are along these ports, all of one dimension (Lemma 3).
fn kind_of(minimal: u8) -> WormType {
    WormType::ALL.into_iter().find(|kind| minimal & kind.port().bit() != 0).unwrap_or(WormType::We)
}

/// The way around `region` that goes on as the last hop did, if that was along the free dimension.
fn onward(faults: &BlockFaults, at: &WormAt, region: RegionId, affected: u8) -> Option<Orientation> {
    let came = at.came.filter(|came| came.dim() != affected)?;
    let (row, column) = faults.mesh().place(at.here);
    let ring = faults.region(region)?.ring;
    Orientation::ALL.into_iter().find(|&way| ring.step(row, column, way) == Some(came))
}
