//! Fully-adaptive routing on meshes (Linder & Harden) and its fault-tolerant versions (Boppana &
//! Chalasani section IV).

use std::borrow::Cow;

use super::planes::{self, Planes};
use super::ring::{ENTER_RING, FOLLOW_RING, TURN_BACK, ring_step};
use crate::fault::BlockFaults;
use crate::fault::block::{Orientation, PlaneFamily, RegionId};
use crate::rich;
use crate::routing::wording;
use crate::routing::worm::{
    AlgorithmState, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormStatus, WormType, check_borders,
};
use crate::routing::{Algorithm, DeadlockFreedom, Method, Promises, Rule, Shared, Unsupported};
use crate::topology::{Mesh, NodeId, Port, PortMask, iter_ports};

/// Returns the number of classes of the base algorithm, one for each virtual network: 2^(n - 1).
///
/// A virtual network is a choice of directions in all dimensions but the first. In dimension d > 0,
/// bit d - 1 of its number is set if coordinates grow.
#[inline]
const fn base(mesh: Mesh) -> u8 {
    1 << (mesh.dimensions() - 1)
}

/// A live hop on a minimal path (Fig. 10, rule 1).
static MINIMAL: Rule = Rule::worm("minimal", |why| rich!["a minimal hop; ", network(why.mesh(), why.header())]);

/// The legal hop of an affected message (definition 5; Fig. 10, rule 2).
static LEGAL: Rule = Rule::worm("legal", |why| {
    let kind = wording::kind(why.mesh(), why.header());
    rich!["only its own dimension is left and the link is live: legal hop; ", kind]
});

/// Returns the name of the virtual network of an unaffected message: in two dimensions "virtual
/// network 1, South", in more dimensions "virtual network 2, for 1- and 2+".
fn network(mesh: Mesh, header: &WormHeader) -> String {
    let AlgorithmState::Network(network) = header.memory else { return String::new() };
    let ways: Vec<_> =
        (1..mesh.dimensions()).map(|dim| wording::direction(Port::along(dim, network >> (dim - 1) & 1 == 1))).collect();
    match ways.as_slice() {
        [] => format!("virtual network {network}"),
        [_] => format!("virtual network {network}, {}", if network == 0 { "North" } else { "South" }),
        [most @ .., last] => format!("virtual network {network}, for {} and {last}", most.join(", ")),
    }
}

/// Assignment of the additional classes to affected messages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClassSharing {
    /// No additional classes: a message without a live minimal hop is lost.
    Lost,
    /// A class for each dimension (section IV.A).
    ByDimension,
    /// A class for each type (Fig. 10).
    ByType,
}

/// The strongly adaptive algorithm of Linder & Harden and its fault-tolerant versions.
struct Adaptive {
    affected: ClassSharing,
}

/// Linder-Harden, the base algorithm.
pub(crate) const LH: Algorithm = Algorithm {
    id: Cow::Borrowed("lh"),
    name: Cow::Borrowed("Linder-Harden"),
    summary: "Takes any minimal hop, in one of two virtual networks: one for messages that go North, one for South.",
    guarantee: "Fully adaptive and free of deadlock; two classes of virtual channels. A message whose minimal hops are \
                all faulty is lost.",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "Linder & Harden; Boppana & Chalasani, section V",
    method: Method::Mesh,
    dimension: None,
    worm: Some(Shared::Static(&Adaptive { affected: ClassSharing::Lost })),
};

/// LH2: Linder-Harden with two more classes, for messages that faults affect.
pub(crate) const LH2: Algorithm = Algorithm {
    id: Cow::Borrowed("lh2"),
    name: Cow::Borrowed("LH2"),
    summary: "Takes any minimal hop, as Linder-Harden; a message whose minimal hops are all faulty goes around the \
              faults in one of two more classes, one for each dimension.",
    guarantee: "Delivers, and never deadlocks, among isolated faults; four classes of virtual channels.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, sections IV.A and V",
    method: Method::Mesh,
    dimension: None,
    worm: Some(Shared::Static(&Adaptive { affected: ClassSharing::ByDimension })),
};

/// LH4: Linder-Harden with four more classes, for messages that faults affect.
pub(crate) const LH4: Algorithm = Algorithm {
    id: Cow::Borrowed("lh4"),
    name: Cow::Borrowed("LH4"),
    summary: "Takes any minimal hop, as Linder-Harden; a message whose minimal hops are all faulty goes around the \
              faults in one of four more classes, one for each of the types 0+, 0-, 1+, 1-; in more than two \
              dimensions, as in Table II and Fig. 17.",
    guarantee: "Delivers between all connected nodes, and never deadlocks: in two dimensions whatever is faulty, in \
                more dimensions if no plane in which it goes around faults is cut. 2^(n-1) classes of virtual channels \
                for Linder-Harden, and four more.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, section IV, Fig. 10 and Theorem 1",
    method: Method::Mesh,
    dimension: None,
    worm: Some(Shared::Static(&Adaptive { affected: ClassSharing::ByType })),
};

impl WormRouting for Adaptive {
    fn vc_classes(&self, mesh: Mesh) -> u8 {
        base(mesh)
            + match self.affected {
                ClassSharing::Lost => 0,
                ClassSharing::ByDimension => 2,
                ClassSharing::ByType => planes::CLASSES,
            }
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_borders(mesh)?;
        match self.affected {
            _ if mesh.dimensions() > Mesh::MAX_DIMENSIONS => {
                Err(Unsupported::NetworkRequirement("at most five dimensions: it needs 2^(n-1) virtual channels"))
            }
            ClassSharing::ByDimension if !mesh.is_plane() => Err(Unsupported::NetworkRequirement("two dimensions")),
            _ => Ok(()),
        }
    }

    fn initial_header_count(&self, faults: &BlockFaults, from: NodeId, to: NodeId) -> u32 {
        // A dimension without hops permits the networks of both directions.
        let rest = faults.mesh().minimal_ports(from, to);
        let equal = (1..faults.mesh().dimensions()).filter(|dim| rest >> (2 * dim) & 3 == 0);
        1 << equal.count()
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        let rest = faults.mesh().minimal_ports(from, to);
        let (mut network, mut number) = (0, number);
        for dim in 1..faults.mesh().dimensions() {
            let grows = match rest >> (2 * dim) & 3 {
                0 => {
                    let drawn = number & 1 != 0;
                    number >>= 1;
                    drawn
                }
                ports => ports & 2 != 0,
            };
            network |= u8::from(grows) << (dim - 1);
        }
        WormHeader { memory: AlgorithmState::Network(network), ..WormHeader::normal(WormType::WE) }
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        if at.header.status == WormStatus::Affected {
            return self.add_detour(faults, at, choices);
        }
        let ports = faults.mesh().minimal_ports(at.here, at.to) & faults.open_ports(at.here);
        if ports == 0 && self.affected != ClassSharing::Lost {
            return self.add_detour(faults, at, choices);
        }
        let AlgorithmState::Network(class) = at.header.memory else { return };
        for port in iter_ports(ports) {
            choices.add(VcRequest { port, class, header: at.header, rule: &MINIMAL });
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        match self.affected {
            ClassSharing::Lost => faults.is_none(),
            ClassSharing::ByDimension => faults.are_isolated(),
            ClassSharing::ByType => {
                faults.mesh().is_plane() || faults.are_planes_connected(&Planes::Paired.used(faults.mesh()))
            }
        }
    }
}

impl Adaptive {
    /// Adds the hops of a message that is affected, or becomes affected at this node (Fig. 10,
    /// rules 1 to 3; Fig. 17).
    fn add_detour(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let mesh = faults.mesh();
        let minimal = mesh.minimal_ports(at.here, at.to);
        let newly = at.header.status != WormStatus::Affected;
        let kind = if newly { type_of_ports(minimal) } else { at.header.message_type };
        let affected = kind.dim();
        let Some(plane) = Planes::Paired.plane(mesh, affected) else { return };
        let class = |port: Port| {
            base(mesh)
                + match self.affected {
                    ClassSharing::ByType => Planes::Paired.class(mesh, kind, port.dim()),
                    _ => affected,
                }
        };
        let header = |way: Option<(RegionId, Orientation)>| WormHeader {
            message_type: kind,
            status: WormStatus::Affected,
            orientation: way.map(|(_, way)| way),
            region: way.map(|(region, _)| region),
            ..at.header
        };
        let free = minimal & (3 << (2 * plane.other_dimension(affected)));
        let ahead = minimal & (3 << (2 * affected));
        let ahead = (ahead != 0).then(|| Port(ahead.trailing_zeros() as u8));
        let on_ring = at.header.region.zip(at.header.orientation).filter(|_| !newly);
        let blocking = ahead.filter(|_| free == 0).and_then(|port| faults.blocking(plane, at.here, port));
        if let (0, Some(port), None) = (free, ahead, blocking) {
            choices.add(VcRequest { port, class: class(port), header: header(None), rule: &LEGAL });
            return;
        }
        let mut add = |region: RegionId, way: Orientation, rule: &'static Rule| {
            let Some((port, way, turned)) = ring_step(faults, region, plane, at.here, way) else { return };
            let rule = if turned { &TURN_BACK } else { rule };
            choices.add(VcRequest { port, class: class(port), header: header(Some((region, way))), rule });
        };
        match (on_ring, blocking) {
            (Some((region, way)), None) => add(region, way, &FOLLOW_RING),
            (Some((region, way)), Some(blocking)) if region == blocking => add(region, way, &FOLLOW_RING),
            // Another region blocks the message, which enters that region's ring, in the direction
            // of the last hop if that hop was along the free dimension. The paper omits this case,
            // which occurs where rings overlap.
            (_, Some(region)) => match continuing_orientation(faults, at, region, plane, affected).filter(|_| !newly) {
                Some(way) => add(region, way, &ENTER_RING),
                None => Orientation::ALL.into_iter().for_each(|way| add(region, way, &ENTER_RING)),
            },
            (None, None) => {}
        }
    }
}

/// Returns the type of a message whose minimal hops are along the ports `minimal`, all of one
/// dimension (Lemmas 3 and 4).
fn type_of_ports(minimal: PortMask) -> WormType {
    // If both ports of the dimension are minimal, the choice between them has no effect.
    WormType::from_port(Port(minimal.trailing_zeros() as u8 & 31))
}

/// Returns the orientation around `region` that continues the last hop, if that hop was along the
/// free dimension.
fn continuing_orientation(
    faults: &BlockFaults,
    at: &WormPosition,
    region: RegionId,
    plane: PlaneFamily,
    affected: u8,
) -> Option<Orientation> {
    let came = at.input_port.filter(|came| came.dim() != affected)?;
    Orientation::ALL.into_iter().find(|&way| faults.ring_port(region, plane, at.here, way) == Some(came))
}
