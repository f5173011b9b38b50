//! Fully-adaptive routing on meshes and tori (Linder & Harden) and its fault-tolerant versions
//! (Boppana & Chalasani section IV).

use super::MeshAlgorithm;
use super::planes::{self, Planes};
use super::ring::{ENTER_ONE_WAY, ENTER_RING, ENTER_SHORTER, FOLLOW_RING, TURN_BACK, ring_step};
use super::torus::{is_wrap_ahead, port_back};
use crate::fault::BlockFaults;
use crate::fault::block::{Facing, Orientation, PlaneFamily, RegionId};
use crate::rich;
use crate::routing::wording;
use crate::routing::worm::{
    AlgorithmState, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormStatus, WormType, check_borders,
};
use crate::routing::{Algorithm, DeadlockFreedom, Promises, Rule, Unsupported, cost};
use crate::topology::{Mesh, NodeId, Port, PortMask, iter_ports};

/// Returns the number of virtual networks of the base algorithm: 2^(n - 1).
///
/// A virtual network is a choice of directions in all dimensions but the first. In dimension d > 0,
/// bit d - 1 of its number is set if coordinates grow.
#[inline]
const fn networks(mesh: Mesh) -> u8 {
    1 << (mesh.dimensions() - 1)
}

/// Returns the number of classes of the base algorithm: one for each virtual network and, on tori,
/// for each number of wraparound links ahead of a message, 0 to n (Linder & Harden).
///
/// A message crosses at most one wraparound link in each dimension, so the number never grows.
/// Channels of one virtual network with one number are those of a mesh, followed by wraparound
/// links after which the number is smaller. Hence they close no dependency cycle.
#[inline]
const fn base(mesh: Mesh) -> u8 {
    if mesh.is_torus() { networks(mesh) * (mesh.dimensions() + 1) } else { networks(mesh) }
}

/// Returns the minimal ports that a message in virtual network `network` may take. If both ways
/// around a torus are equally long, the virtual network decides between them, except in the first
/// dimension.
#[inline]
fn ports_in_network(mesh: Mesh, network: u8, here: NodeId, to: NodeId) -> PortMask {
    let minimal = mesh.minimal_ports(here, to);
    if !mesh.is_torus() {
        return minimal;
    }
    let ties = (1..mesh.dimensions()).filter(|dim| minimal >> (2 * dim) & 3 == 3);
    let against = ties.map(|dim| Port::along(dim, network >> (dim - 1) & 1 == 0).bit());
    against.fold(minimal, |ports, port| ports & !port)
}

/// Returns the number of wraparound links ahead of a message that may take the minimal ports
/// `ports`, at most one in each dimension; 0 on a mesh.
#[inline]
fn wraps_ahead(mesh: Mesh, ports: PortMask, here: NodeId, to: NodeId) -> u8 {
    if !mesh.is_torus() {
        return 0;
    }
    let is_ahead = |port: Port| is_wrap_ahead(mesh, WormType::from_port(port), here, to);
    let dimensions = iter_ports(ports).filter(|&port| is_ahead(port)).map(|port| 1u8 << port.dim());
    dimensions.fold(0u8, |seen, dim| seen | dim).count_ones() as u8
}

/// A live hop on a minimal path (Fig. 10, rule 1).
static MINIMAL: Rule = Rule::worm("minimal", |why| {
    let (mesh, AlgorithmState::Network(number)) = (why.mesh(), why.at.header.memory) else { return "".into() };
    let text = network(mesh, why.header());
    if !mesh.is_torus() {
        return rich!["a minimal hop; ", text];
    }
    let ports = ports_in_network(mesh, number, why.at.here, why.at.to);
    let ahead = u32::from(wraps_ahead(mesh, ports, why.at.here, why.at.to));
    rich!["a minimal hop; ", text, ", ", wording::count(ahead, "wraparound link"), " ahead"]
});

/// On a torus, a hop of an affected message beside a region, back to the coordinate of its
/// destination in the free dimension.
static BACK: Rule = Rule::worm("back", |why| {
    let kind = wording::kind(why.mesh(), why.header());
    rich!["no longer blocked: back to the coordinate of its destination; ", kind]
})
.detour();

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

/// The ways that affected messages may take around a region.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RingWay {
    /// Either orientation (Fig. 10, rule 3.1).
    Either,
    /// One orientation for messages in growing direction, the other one for those in shrinking
    /// direction (section IV.A, constraint a).
    Opposite,
    /// The orientation with fewer hops in the free dimension; either one if both have equally many
    /// (section IV.A, constraint b).
    Shorter,
}

/// Most dimensions of a torus: in four dimensions, with the classes for affected messages, 45
/// classes would be needed, more than the flit engine supports.
const MAX_TORUS_DIMENSIONS: u8 = 3;

/// The strongly adaptive algorithm of Linder & Harden and its fault-tolerant versions.
pub(super) struct Adaptive {
    affected: ClassSharing,
    way: RingWay,
}

/// Linder-Harden, the base algorithm.
pub(crate) const LH: Algorithm = MeshAlgorithm {
    id: "lh",
    name: "Linder-Harden",
    summary: "Takes any minimal hop, in one of two virtual networks: one for messages that go North, one for South.",
    guarantee: "Fully adaptive and free of deadlock; two classes of virtual channels. A message whose minimal hops are \
                all faulty is lost. On tori (n+1) 2^(n-1) classes: one for each virtual network and number of \
                wraparound links ahead.",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "Linder & Harden; Boppana & Chalasani, section V",
    worm: &Adaptive { affected: ClassSharing::Lost, way: RingWay::Either },
}
.algorithm(cost::mesh::LH);

/// LH2: Linder-Harden with two more classes, for messages that faults affect.
pub(crate) const LH2: Algorithm = MeshAlgorithm {
    id: "lh2",
    name: "LH2",
    summary: "Takes any minimal hop, as Linder-Harden; a message whose minimal hops are all faulty goes around the \
              faults in one of two more classes, one for each dimension.",
    guarantee: "Delivers, and never deadlocks, among isolated faults; four classes of virtual channels.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, sections IV.A and V",
    worm: &Adaptive { affected: ClassSharing::ByDimension, way: RingWay::Either },
}
.algorithm(cost::mesh::LH_RINGS);

/// LH2 with constraint a of section IV.A.
pub(crate) const LH2_OPPOSITE: Algorithm = MeshAlgorithm {
    id: "lh2-opposite",
    name: "LH2, opposite ways",
    summary: "As LH2; around fault regions of any size, affected messages of opposite directions use opposite \
              orientations, so that both pass on the same side.",
    guarantee: "Delivers, and never deadlocks, where fault rings are whole and do not overlap; four classes of virtual \
                channels.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, section IV.A, constraint a",
    worm: &Adaptive { affected: ClassSharing::ByDimension, way: RingWay::Opposite },
}
.algorithm(cost::mesh::LH_RINGS);

/// LH2 with constraint b of section IV.A.
pub(crate) const LH2_SHORTER: Algorithm = MeshAlgorithm {
    id: "lh2-shorter",
    name: "LH2, shorter way",
    summary: "As LH2; an affected message takes the way around a fault region with fewer hops off its line. For \
              regions larger than a single fault it has to know where their rings end.",
    guarantee: "Delivers, and never deadlocks, where fault rings are whole and do not overlap; four classes of virtual \
                channels.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, section IV.A, constraint b",
    worm: &Adaptive { affected: ClassSharing::ByDimension, way: RingWay::Shorter },
}
.algorithm(cost::mesh::LH_SHORTER);

/// Worm routing of LH4.
pub(super) const LH4_WORM: Adaptive = Adaptive { affected: ClassSharing::ByType, way: RingWay::Either };

/// LH4: Linder-Harden with four more classes, for messages that faults affect.
pub(crate) const LH4: Algorithm = MeshAlgorithm {
    id: "lh4",
    name: "LH4",
    summary: "Takes any minimal hop, as Linder-Harden; a message whose minimal hops are all faulty goes around the \
              faults in one of four more classes, one for each of the types 0+, 0-, 1+, 1-; in more than two \
              dimensions, as in Table II and Fig. 17.",
    guarantee: "Delivers between all connected nodes, and never deadlocks: in two dimensions whatever is faulty, in \
                more dimensions if no plane in which it goes around faults is cut. 2^(n-1) classes of virtual channels \
                for Linder-Harden, and four more. On tori (n+1) 2^(n-1) and five more, if no row or column is faulty \
                and no ring meets itself; this was found by the checker and is not in the paper.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, section IV, Fig. 10 and Theorem 1",
    worm: &LH4_WORM,
}
.algorithm(cost::mesh::LH_RINGS);

impl WormRouting for Adaptive {
    fn vc_classes(&self, mesh: Mesh) -> u8 {
        base(mesh)
            + match self.affected {
                ClassSharing::Lost => 0,
                ClassSharing::ByDimension => 2,
                ClassSharing::ByType if mesh.is_torus() => planes::TORUS_CLASSES,
                ClassSharing::ByType => planes::CLASSES,
            }
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        match self.affected {
            ClassSharing::ByDimension => check_borders(mesh)?,
            _ if mesh.is_torus() && mesh.dimensions() > MAX_TORUS_DIMENSIONS => {
                return Err(Unsupported::NetworkRequirement(
                    "at most three dimensions: on tori it needs (n+1) 2^(n-1) virtual channels",
                ));
            }
            _ => {}
        }
        match self.affected {
            _ if mesh.dimensions() > Mesh::MAX_DIMENSIONS => {
                Err(Unsupported::NetworkRequirement("at most five dimensions: it needs 2^(n-1) virtual channels"))
            }
            ClassSharing::ByDimension if !mesh.is_plane() => Err(Unsupported::NetworkRequirement("two dimensions")),
            _ => Ok(()),
        }
    }

    fn initial_header_count(&self, faults: &BlockFaults, from: NodeId, to: NodeId) -> u32 {
        // A dimension without hops permits the networks of both directions, and so does one in which
        // both ways around a torus are equally long.
        let rest = faults.mesh().minimal_ports(from, to);
        let equal = (1..faults.mesh().dimensions()).filter(|dim| matches!(rest >> (2 * dim) & 3, 0 | 3));
        1 << equal.count()
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        let rest = faults.mesh().minimal_ports(from, to);
        let (mut network, mut number) = (0, number);
        for dim in 1..faults.mesh().dimensions() {
            let grows = match rest >> (2 * dim) & 3 {
                0 | 3 => {
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
        let AlgorithmState::Network(network) = at.header.memory else { return };
        let minimal = ports_in_network(faults.mesh(), network, at.here, at.to);
        let ports = minimal & faults.open_ports(at.here);
        if ports == 0 && self.affected != ClassSharing::Lost {
            return self.add_detour(faults, at, choices);
        }
        let mesh = faults.mesh();
        let class = network + networks(mesh) * wraps_ahead(mesh, minimal, at.here, at.to);
        for port in iter_ports(ports) {
            choices.add(VcRequest { port, class, header: at.header, rule: &MINIMAL });
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        match self.affected {
            ClassSharing::Lost => faults.is_none(),
            ClassSharing::ByDimension if self.way == RingWay::Either => faults.are_isolated(),
            ClassSharing::ByDimension => are_rings_whole(faults),
            ClassSharing::ByType if !faults.are_boxes() => false,
            ClassSharing::ByType if faults.mesh().is_torus() && faults.mesh().dimensions() == 1 => faults.is_none(),
            ClassSharing::ByType => {
                faults.mesh().is_plane() && !faults.mesh().is_torus()
                    || faults.are_planes_connected(&Planes::Paired.used(faults.mesh()))
            }
        }
    }
}

impl Adaptive {
    /// Adds the hops of a message that is affected, or becomes affected at this node (Fig. 10,
    /// rules 1 to 3; Fig. 17).
    fn add_detour(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let mesh = faults.mesh();
        if mesh.is_torus() {
            return Self::add_torus_detour(faults, at, choices);
        }
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
            let is_entering = blocking.filter(|&blocking| on_ring.is_none_or(|(region, _)| region != blocking));
            let enters = ahead.filter(|_| is_entering.is_some()).map(Facing::Region);
            let Some(facing) = enters.or(at.input_port.map(Facing::Ahead)) else { return };
            let Some((port, way, turned)) = ring_step(faults, region, plane, at.here, way, facing) else { return };
            let rule = if turned { &TURN_BACK } else { rule };
            choices.add(VcRequest { port, class: class(port), header: header(Some((region, way))), rule });
        };
        match (on_ring, blocking) {
            (Some((region, way)), None) => add(region, way, &FOLLOW_RING),
            (Some((region, way)), Some(blocking)) if region == blocking => add(region, way, &FOLLOW_RING),
            // Another region blocks the message, which enters that region's ring, in the direction
            // of the last hop if that hop was along the free dimension. The paper omits this case,
            // which occurs where rings overlap.
            (_, Some(region)) => {
                let entered = PortInPlane { plane, port: ahead.unwrap_or(kind.port()) };
                let continuing = || continuing_orientation(faults, at, region, entered).filter(|_| !newly);
                let (way, rule) = match self.way {
                    RingWay::Either => (continuing(), &ENTER_RING),
                    RingWay::Opposite => (Some(fixed_orientation(kind)), &ENTER_ONE_WAY),
                    RingWay::Shorter => (shorter_orientation(faults, at, region, entered), &ENTER_SHORTER),
                };
                match way {
                    Some(way) => add(region, way, rule),
                    None => Orientation::ALL.into_iter().for_each(|way| add(region, way, &ENTER_RING)),
                }
            }
            (None, None) => {}
        }
    }
}

impl Adaptive {
    /// Adds the hop of a message on a torus that is affected, or becomes affected at this node.
    ///
    /// Affected messages are routed like column messages of f-cube4 on tori: they keep their
    /// direction, pass every region on the side of growing coordinates of the free dimension, and
    /// come back. A torus has no chains, so a fixed orientation suffices.
    fn add_torus_detour(faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let (mesh, AlgorithmState::Network(network)) = (faults.mesh(), at.header.memory) else { return };
        let newly = at.header.status != WormStatus::Affected;
        let ports = ports_in_network(mesh, network, at.here, at.to);
        let kind = if newly { type_of_ports(ports) } else { at.header.message_type };
        let Some(free) = Planes::Paired.free(mesh, kind.dim()) else { return };
        let plane = PlaneFamily { column: free, row: kind.dim() };
        let is_beside = ports >> (2 * free) & 3 != 0;
        let port = if is_beside { port_back(mesh, free, at.here, at.to) } else { kind.port() };
        let mut add = |port: Port, way: Option<(RegionId, Orientation)>, rule: &'static Rule| {
            let header = WormHeader {
                message_type: kind,
                status: WormStatus::Affected,
                orientation: way.map(|(_, way)| way),
                region: way.map(|(region, _)| region),
                ..at.header
            };
            let ahead = is_wrap_ahead(mesh, kind, at.here, at.to);
            let class = base(mesh) + planes::torus_class(kind, port.dim(), ahead);
            choices.add(VcRequest { port, class, header, rule });
        };
        let on_ring = at.header.region.zip(at.header.orientation).filter(|_| !newly);
        // A message whose hop leads straight back is still blocked.
        let back = on_ring.is_some() && at.input_port.is_some_and(|came| came.opposite() == port);
        if !back && faults.faulty_ports(at.here) & port.bit() == 0 {
            return add(port, None, if is_beside { &BACK } else { &LEGAL });
        }
        let entered = || faults.blocking(plane, at.here, port).map(|region| (region, fixed_orientation(kind)));
        let Some((region, way)) = on_ring.or_else(entered) else { return };
        let rule = if on_ring.is_some() { &FOLLOW_RING } else { &ENTER_ONE_WAY };
        let facing = on_ring.and(at.input_port).map_or(Facing::Region(port), Facing::Ahead);
        if let Some((port, way, _)) = ring_step(faults, region, plane, at.here, way, facing) {
            add(port, Some((region, way)), rule);
        }
    }
}

/// Returns the type of a message whose minimal hops are along the ports `minimal`, all of one
/// dimension (Lemmas 3 and 4).
fn type_of_ports(minimal: PortMask) -> WormType {
    // If both ports of the dimension are minimal, the choice between them has no effect.
    WormType::from_port(Port(minimal.trailing_zeros() as u8 & 31))
}

/// A port behind which a region blocks a message, and the plane in which the message goes around it.
#[derive(Clone, Copy)]
struct PortInPlane {
    plane: PlaneFamily,
    port: Port,
}

impl PortInPlane {
    /// Returns the first hop around `region` in orientation `way`.
    fn ring_port(self, faults: &BlockFaults, region: RegionId, here: NodeId, way: Orientation) -> Option<Port> {
        faults.ring_port_facing(region, self.plane, here, way, Facing::Region(self.port))
    }
}

/// Returns the orientation around `region` that continues the last hop, if that hop was along the
/// free dimension.
fn continuing_orientation(
    faults: &BlockFaults,
    at: &WormPosition,
    region: RegionId,
    entered: PortInPlane,
) -> Option<Orientation> {
    let came = at.input_port.filter(|came| came.dim() != entered.port.dim())?;
    Orientation::ALL.into_iter().find(|&way| entered.ring_port(faults, region, at.here, way) == Some(came))
}

/// Returns the orientation of messages of type `kind` that opposite types do not share: clockwise
/// for growing coordinates. In both directions the message passes the region on the same side.
fn fixed_orientation(kind: WormType) -> Orientation {
    if kind.port().grows() { Orientation::Clockwise } else { Orientation::CounterClockwise }
}

/// Returns the orientation around `region` with fewer hops in the free dimension; `None` if both
/// have equally many.
fn shorter_orientation(
    faults: &BlockFaults,
    at: &WormPosition,
    region: RegionId,
    entered: PortInPlane,
) -> Option<Orientation> {
    let PortInPlane { plane, port } = entered;
    let free = plane.other_dimension(port.dim());
    let ring = faults.region(region)?.ring(plane);
    let (low, high) = if free == plane.column { (ring.left, ring.right) } else { (ring.top, ring.bottom) };
    let here = i32::from(faults.mesh().coordinate(at.here, free));
    let (down, up) = (here - low, high - here);
    let towards = Some(Port::along(free, up < down)).filter(|_| up != down)?;
    Orientation::ALL.into_iter().find(|&way| entered.ring_port(faults, region, at.here, way) == Some(towards))
}

/// Returns whether all regions have complete rings that share no link.
fn are_rings_whole(faults: &BlockFaults) -> bool {
    faults.are_boxes()
        && faults.regions().iter().all(|region| !faults.is_chain(region))
        && !faults.has_overlapping_rings()
}
