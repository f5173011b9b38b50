//! North-last routing on meshes of two dimensions (Glass & Ni 1992): the turn model without the two
//! turns out of North.

use super::MeshAlgorithm;
use crate::fault::BlockFaults;
use crate::routing::worm::{VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormType, check_plane};
use crate::routing::{Algorithm, DeadlockFreedom, Promises, Rule, Unsupported, cost};
use crate::topology::{Mesh, NodeId, Port, iter_ports};

/// A hop other than North; such hops come first, in any order.
static BEFORE: Rule =
    Rule::worm("before-north", |_| "a minimal hop other than North, out of which no turn leads".into());

/// A hop North, when no other hops are left.
static NORTH: Rule = Rule::worm("north-last", |_| "only hops North are left".into());

/// Minimal north-last routing, with one class of virtual channels. Of the eight turns, those from
/// North to the West and to the East are forbidden, one of each cycle of turns.
struct NorthLast;

/// The minimal algorithm.
pub(crate) const ALGORITHM: Algorithm = MeshAlgorithm {
    id: "north-last",
    name: "north-last",
    summary: "Takes all hops North after all others, in any order: any minimal path to the South, one to the North.",
    guarantee: "Shortest paths, never deadlocks, whatever is faulty, with one class of virtual channels. A message \
                whose permitted minimal hops are all faulty is lost.",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "Glass & Ni, The turn model for adaptive routing",
    worm: &NorthLast,
}
.algorithm(cost::mesh::TURNS);

impl WormRouting for NorthLast {
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
        let others = minimal & !Port::NORTH.bit();
        let (ports, rule) = if others != 0 { (others, &BEFORE) } else { (minimal, &NORTH) };
        for port in iter_ports(ports & faults.open_ports(at.here)) {
            choices.add(VcRequest { port, class: 0, header: at.header, rule });
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        faults.is_none()
    }
}
