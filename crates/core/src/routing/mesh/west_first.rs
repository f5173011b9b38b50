//! West-first routing on meshes of two dimensions (Glass & Ni 1992): the turn model without the two
//! turns to the West.

use super::MeshAlgorithm;
use crate::fault::BlockFaults;
use crate::routing::worm::{VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormType, check_plane};
use crate::routing::{Algorithm, DeadlockFreedom, Promises, Rule, Unsupported, cost};
use crate::topology::{Mesh, NodeId, Port, iter_ports};

/// A hop West; such hops come first, because no turn leads to the West later.
static WEST: Rule = Rule::worm("west-first", |_| "first the hops West: no turn leads there later".into());

/// Any other minimal hop, when no hop West is left.
static THEN: Rule = Rule::worm("after-west", |_| "no hop West is left: any minimal hop".into());

/// Minimal west-first routing, with one class of virtual channels. Of the eight turns, those from
/// North and from South to the West are forbidden, one of each cycle of turns.
struct WestFirst;

/// The minimal algorithm.
pub(crate) const ALGORITHM: Algorithm = MeshAlgorithm {
    id: "west-first",
    name: "west-first",
    summary: "Takes all hops West before all others, in any order: any minimal path to the East, one to the West.",
    guarantee: "Shortest paths, never deadlocks, whatever is faulty, with one class of virtual channels. A message \
                whose permitted minimal hops are all faulty is lost.",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "Glass & Ni, The turn model for adaptive routing",
    worm: &WestFirst,
}
.algorithm(cost::mesh::TURNS);

impl WormRouting for WestFirst {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_plane(mesh)
    }

    fn initial_header(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId, _number: u32) -> WormHeader {
        WormHeader::normal(WormType::WE)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let minimal = faults.mesh().minimal_ports(at.here, at.to);
        let west = minimal & Port::WEST.bit();
        let (ports, rule) = if west != 0 { (west, &WEST) } else { (minimal, &THEN) };
        for port in iter_ports(ports & faults.open_ports(at.here)) {
            choices.add(VcRequest { port, class: 0, header: at.header, rule });
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        faults.is_none()
    }
}
