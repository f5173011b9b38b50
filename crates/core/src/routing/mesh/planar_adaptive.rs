//! Planar-adaptive routing and its fault tolerance (Chien & Kim 1992; Boppana & Chalasani, Table
//! III).

use super::MeshAlgorithm;
use super::torus::first_port;
use crate::fault::BlockFaults;
use crate::rich;
use crate::routing::worm::{
    AlgorithmState, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormStatus, WormType, check_borders,
};
use crate::routing::{Algorithm, DeadlockFreedom, Promises, Rule, Unsupported, cost};
use crate::topology::{Mesh, NodeId, Port, PortMask, iter_ports};

/// A minimal hop in the current plane.
static PLANAR: Rule = Rule::worm("planar", |why| {
    let first = why.header().message_type.dim();
    let second = (first + 1) % why.mesh().dimensions();
    rich!["a minimal hop in plane A", first, " of dimensions ", first, " and ", second]
});

/// A hop along the second dimension of the plane, because no minimal hop is live.
static MISROUTE: Rule = Rule::worm("misroute", |_| "no minimal hop is live: around the fault".into()).detour();

/// Planar-adaptive routing: adaptive in one plane after the other. A_0 has dimensions 0 and 1, A_1
/// has 1 and 2, and so on. The last plane, only for faults, has dimensions n - 1 and 0. A message
/// stays in A_i until its offset in dimension i is 0.
///
/// The algorithm has three classes. Plane A_i uses class 2 in dimension i. In dimension i + 1, it
/// uses class 0 for messages that go up in dimension i, and class 1 for messages that go down. A
/// message whose hop along i is blocked misroutes along i + 1, in its current direction, until it
/// can take the hop. No plane follows the last one, so in the last plane the message comes back
/// behind the region.
///
/// The algorithm does not support fault chains: nodes for which [`BlockFaults::is_deactivated`] is
/// true neither send nor receive. A message from or to such a node is lost at its source.
struct PlanarAdaptive;

/// The fault-tolerant version, with the extra plane.
pub(crate) const ALGORITHM: Algorithm = MeshAlgorithm {
    id: "planar-adaptive",
    name: "planar-adaptive",
    summary: "Takes any minimal hop in a plane of two dimensions, one plane after the other. A message that is blocked along \
              the first dimension takes the second one until it is free.",
    guarantee: "Delivers, and never deadlocks, where no fault region touches the border: rows and columns of the \
                border are deactivated until none does. Three classes of virtual channels.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Chien & Kim; Boppana & Chalasani, Table III",
    worm: &PlanarAdaptive,
}
.algorithm(cost::mesh::PLANAR_ADAPTIVE);

/// Returns the ports along dimension `dim`.
#[inline]
const fn ports_along(dim: u8) -> PortMask {
    3 << (2 * dim)
}

/// Returns the plane and direction of a message at `at` with the minimal ports `rest`: those of its
/// header, until it has finished that plane.
#[inline]
fn kind(mesh: Mesh, at: &WormPosition, rest: PortMask) -> WormType {
    let own = at.header.message_type;
    // In the last plane the message may have to come back along dimension 0.
    let stays = rest & ports_along(own.dim()) != 0 || own.dim() + 1 == mesh.dimensions();
    if stays { own } else { WormType::from_port(first_port(rest, AlgorithmState::Nothing)) }
}

impl WormRouting for PlanarAdaptive {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        3
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_borders(mesh)
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, _number: u32) -> WormHeader {
        WormHeader::normal(WormType::from_port(first_port(
            faults.mesh().minimal_ports(from, to),
            AlgorithmState::Nothing,
        )))
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        if faults.is_deactivated(at.here) || faults.is_deactivated(at.to) {
            return;
        }
        let mesh = faults.mesh();
        let rest = mesh.minimal_ports(at.here, at.to);
        let kind = kind(mesh, at, rest);
        let free = ports_along((kind.dim() + 1) % mesh.dimensions());
        // Exclude the hop straight back: a misrouted message continues until it is around the
        // region.
        let open = faults.open_ports(at.here) & !at.input_port.map_or(0, |came| came.opposite().bit());
        let minimal = rest & open & (ports_along(kind.dim()) | free);
        let is_last = kind.dim() + 1 == mesh.dimensions();
        let (ports, status) = match minimal {
            0 => {
                let onward = at.input_port.map_or(0, Port::bit) & free;
                (open & if onward != 0 { onward } else { free }, WormStatus::Misrouted)
            }
            // No plane follows the last one, so the message comes back now.
            _ if is_last && minimal & free != 0 => (minimal & free, WormStatus::Normal),
            _ => (minimal, WormStatus::Normal),
        };
        let header = WormHeader { status, ..WormHeader::normal(kind) };
        for port in iter_ports(ports) {
            let class = if port.dim() == kind.dim() { 2 } else { u8::from(!kind.port().grows()) };
            let rule = if status == WormStatus::Normal { &PLANAR } else { &MISROUTE };
            choices.add(VcRequest { port, class, header, rule });
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        faults.are_boxes()
            && faults.deactivated_count() == 0
            && faults.regions().iter().all(|region| !faults.is_chain(region))
    }
}
