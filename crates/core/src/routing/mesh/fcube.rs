//! e-cube on meshes and its fault-tolerant versions f-cube2 and f-cube4 (Boppana & Chalasani
//! sections III and VI).

use super::MeshAlgorithm;
use super::planes::{self, Planes};
use super::ring::{ENTER_RING, FOLLOW_RING, TURN_BACK, ring_step};
use super::torus::{first_port, is_wrap_ahead, port_back, tie_count, tie_memory};
use crate::fault::BlockFaults;
use crate::fault::block::{Facing, Orientation, PlaneFamily, Region, RegionId};
use crate::rich;
use crate::routing::wording;
use crate::routing::worm::{
    AlgorithmState, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormStatus, WormType,
};
use crate::routing::{Algorithm, DeadlockFreedom, Promises, Rule, Unsupported, cost};
use crate::topology::{Mesh, NodeId, Port, PortMask};

/// The e-cube hop of a message that is not blocked, along the row first (definition 1).
pub(crate) static ECUBE: Rule = Rule::worm("e-cube", |why| {
    let (mesh, before) = (why.mesh(), why.at.header);
    if mesh.is_cube() {
        return rich![why.hop().link_name(), " is the lowest required one"];
    }
    let kind = wording::kind(mesh, why.header());
    match before.status {
        _ if why.header().message_type != before.message_type && mesh.dimensions() > 2 => {
            rich!["no hop is left in dimension ", before.message_type.dim(), ": now ", kind]
        }
        _ if why.header().message_type != before.message_type => rich!["in its destination's column: now ", kind],
        WormStatus::Misrouted => rich!["no longer blocked; ", kind, ", normal again"],
        _ => rich!["e-cube hop; ", kind],
    }
});

/// Sharing of virtual channels among the types of messages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Classes {
    /// A single class for all types.
    One,
    /// Class 0 for row messages, class 1 for column messages.
    Two,
    /// A class for each type.
    Four,
}

/// Orientation of a blocked column message around a region.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnWay {
    /// NS clockwise, SN counter-clockwise (Fig. 3); either around a single faulty node or link
    /// (section III.A.2).
    FixedUnlessSingle,
    /// Either orientation, around any region.
    Either,
    /// The direction of the last hop if that hop was along a row, otherwise either direction (Fig.
    /// 8).
    KeepDirection,
}

/// f-cube: the e-cube hop if its link is live, otherwise a hop around the fault region.
pub(crate) struct Fcube {
    classes: Classes,
    column_way: ColumnWay,
}

/// f-cube2: two classes, for rings that do not overlap.
pub(crate) const FCUBE2: Algorithm = MeshAlgorithm {
    id: "f-cube2",
    name: "f-cube2",
    summary: "Takes e-cube hops, and goes around a fault region along its ring: row messages on their destination's side, \
              column messages always the same way.",
    guarantee: "Delivers, and never deadlocks, where fault rings are whole and do not overlap; two classes of virtual \
                channels. On tori four, if no ring meets itself; this was found by the checker and is not in the \
                paper.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, section III.A, Fig. 3",
    worm: &FCUBE2_WORM,
}
.algorithm(cost::mesh::FCUBE);

/// Worm routing of f-cube2.
pub(crate) const FCUBE2_WORM: Fcube = Fcube { classes: Classes::Two, column_way: ColumnWay::FixedUnlessSingle };

/// Worm routing of f-cube4.
pub(crate) const FCUBE4_WORM: Fcube = Fcube { classes: Classes::Four, column_way: ColumnWay::KeepDirection };

/// f-cube4: four classes, for any faults. In more than two dimensions it corrects one dimension
/// after the other, each in its own plane (section VI).
///
/// On tori f-cube4 has five classes, and supports any faults that keep every plane of routing open:
/// the live nodes of the plane are connected, no whole row or column is faulty, and every region
/// leaves two lines of nodes beside it. The paper does not cover tori. For every such fault set
/// that was tried, the dependency graph is acyclic and all messages arrive.
///
/// Rationale: messages of one type advance in one direction only, and cross the wraparound link of
/// their dimension at most once. Such messages have separate classes before and after that link.
/// Across their dimension they follow the sides of single regions. Row messages go both ways along
/// one side, but sides of different regions in one line share no link. Column messages go out to
/// the East, and back West on the other side. Where rings overlap, they are back in their column
/// before they leave it again. Hence no dependency cycle closes across a dimension, around the
/// torus or not.
pub(crate) const FCUBE4: Algorithm = MeshAlgorithm {
    id: "f-cube4",
    name: "f-cube4",
    summary: "As f-cube2 with a class for each type of message; column messages keep their direction, and turn back at \
              the end of a fault chain.",
    guarantee: "Delivers between all connected nodes, and never deadlocks: in two dimensions whatever is faulty, in \
                more dimensions if no plane in which it goes around faults is cut. Four classes of virtual channels. \
                On tori five, if no row or column is faulty and no ring meets itself; this was found by the checker \
                and is not in the paper.",
    promises: Promises::detours(DeadlockFreedom::WhereProved),
    paper: "Boppana & Chalasani, section III.B, Fig. 8",
    worm: &FCUBE4_WORM,
}
.algorithm(cost::mesh::FCUBE);

/// f-cube2 without fixed orientations, a counterexample: column messages can deadlock.
pub(crate) const FCUBE2_EITHER: Algorithm = MeshAlgorithm {
    id: "f-cube2-either",
    name: "f-cube2, either way",
    summary: "f-cube2 whose column messages take either way around every region.",
    guarantee: "None: around regions larger than a single fault, column messages can wait for each other in a circle.",
    promises: Promises::detours(DeadlockFreedom::No).counter_example(),
    paper: "Boppana & Chalasani, section III.A.2 (excluded by the paper)",
    worm: &Fcube { classes: Classes::Two, column_way: ColumnWay::Either },
}
.algorithm(cost::mesh::FCUBE);

/// f-cube with one class, a counterexample: misrouted messages can deadlock.
pub(crate) const FCUBE1: Algorithm = MeshAlgorithm {
    id: "f-cube1",
    name: "f-cube, one class",
    summary: "f-cube2 with a single class of virtual channels for row and column messages.",
    guarantee: "None with faults: misrouted messages close the cycle that the second class would break.",
    promises: Promises::detours(DeadlockFreedom::No).counter_example(),
    paper: "Boppana & Chalasani, section III.A (why two classes)",
    worm: &Fcube { classes: Classes::One, column_way: ColumnWay::FixedUnlessSingle },
}
.algorithm(cost::mesh::FCUBE);

/// e-cube without fault tolerance.
///
/// On tori a message takes the shortest way around. If both ways are equally long, the source draws
/// one of them (in version 1 of the experiment text, the growing direction). Tori need two classes:
/// 1 while the wraparound link of the dimension is ahead, 0 when it is behind or not on the path
/// (Dally & Seitz).
pub(crate) struct EcubeWorm;

/// Returns the type of a message whose next hop is along the lowest dimension with hops left.
#[inline]
fn towards(mesh: Mesh, here: NodeId, to: NodeId, memory: AlgorithmState) -> WormType {
    WormType::from_port(first_port(mesh.minimal_ports(here, to), memory))
}

/// Returns the e-cube hop: along the lowest dimension in which the coordinates differ. In two
/// dimensions, the hop is along the row while the columns differ, for column messages too. At the
/// destination, the result is West.
#[inline]
pub(crate) fn ecube_port(mesh: Mesh, here: NodeId, to: NodeId) -> Port {
    first_port(mesh.minimal_ports(here, to), AlgorithmState::Nothing)
}

impl WormRouting for EcubeWorm {
    fn vc_classes(&self, mesh: Mesh) -> u8 {
        1 + u8::from(mesh.is_torus())
    }

    fn check_network(&self, _mesh: Mesh) -> Result<(), Unsupported> {
        Ok(())
    }

    fn initial_header_count(&self, faults: &BlockFaults, from: NodeId, to: NodeId) -> u32 {
        tie_count(faults, from, to)
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        let memory = tie_memory(faults, from, to, number);
        WormHeader::with_memory(towards(faults.mesh(), from, to, memory), memory)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let mesh = faults.mesh();
        let port = first_port(mesh.minimal_ports(at.here, at.to), at.header.memory);
        if faults.is_open(at.here, port) {
            let kind = WormType::from_port(port);
            let class = u8::from(mesh.is_torus() && is_wrap_ahead(mesh, kind, at.here, at.to));
            choices.add(VcRequest {
                port,
                class,
                header: WormHeader { message_type: kind, ..at.header },
                rule: &ECUBE,
            });
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        faults.is_none()
    }
}

/// Returns whether messages of type `kind` behave like row messages of Section III: they go around
/// faults in a dimension that they correct later anyway. Messages that behave like column messages
/// have to come back.
#[inline]
fn is_row(mesh: Mesh, kind: WormType) -> bool {
    Planes::Successive.free(mesh, kind.dim()).is_none_or(|free| free > kind.dim())
}

/// Returns the next type of a message with the minimal ports `rest`.
///
/// A row message in its destination's column becomes a message of the next dimension, and never
/// goes back (Fig. 3, Route-Message step 1). A column message also has to be back in its column
/// first.
#[inline]
fn kind(mesh: Mesh, kind: WormType, rest: PortMask, memory: AlgorithmState) -> WormType {
    let along = |dim: u8| rest >> (2 * dim) & 3 != 0;
    let away = || Planes::Successive.free(mesh, kind.dim()).is_some_and(along);
    let done = !along(kind.dim()) && rest != 0 && (is_row(mesh, kind) || !away());
    if done { WormType::from_port(first_port(rest, memory)) } else { kind }
}

impl Fcube {
    /// Returns the class of a message of type `kind` at `at` for a hop along `dim`.
    #[inline]
    fn class(&self, mesh: Mesh, kind: WormType, at: &WormPosition, dim: u8) -> u8 {
        if mesh.is_torus() {
            return self.torus_class(kind, dim, is_wrap_ahead(mesh, kind, at.here, at.to));
        }
        match self.classes {
            Classes::One => 0,
            Classes::Two => kind.dim(),
            Classes::Four => Planes::Successive.class(mesh, kind, dim),
        }
    }

    /// Returns the class on a torus; `ahead` is true while the wraparound link of the type's
    /// dimension is ahead.
    fn torus_class(&self, kind: WormType, dim: u8, ahead: bool) -> u8 {
        match self.classes {
            Classes::One => u8::from(ahead),
            Classes::Two => 2 * kind.dim() + u8::from(ahead),
            Classes::Four => planes::torus_class(kind, dim, ahead),
        }
    }

    /// Returns the e-cube hop of a message of type `kind` on a torus: in the direction of its type,
    /// except that column messages first return to their column.
    fn torus_port(&self, mesh: Mesh, kind: WormType, at: &WormPosition) -> Port {
        let free = Planes::Successive.free(mesh, kind.dim()).filter(|_| !is_row(mesh, kind));
        let rest = mesh.minimal_ports(at.here, at.to);
        match free.filter(|free| rest >> (2 * free) & 3 != 0) {
            Some(_) if self.column_way == ColumnWay::Either => first_port(rest, at.header.memory),
            Some(free) => port_back(mesh, free, at.here, at.to),
            None => kind.port(),
        }
    }

    /// Returns the orientation that a newly blocked message takes; `None` for either (Fig. 3,
    /// Set-Direction, and Fig. 8).
    fn way(
        &self,
        mesh: Mesh,
        kind: WormType,
        at: &WormPosition,
        region: &Region,
        plane: PlaneFamily,
    ) -> Option<Orientation> {
        let clockwise = |yes: bool| Some(if yes { Orientation::Clockwise } else { Orientation::CounterClockwise });
        let grows = kind.port().grows();
        if is_row(mesh, kind) {
            // In the plane, a message that goes around clockwise goes North on the western side of
            // a region and South on the eastern side.
            let (here, to) = (mesh.coordinate(at.here, plane.row), mesh.coordinate(at.to, plane.row));
            let (_, [north, south]) = mesh.offset(plane.row, here, to);
            return if north == south { None } else { clockwise(north == grows) };
        }
        match self.column_way {
            // A torus has no chains on which messages turn back, so a fixed direction suffices:
            // messages pass every region on the East and come back. If messages kept their
            // direction, a message could go around the torus between two overlapping rings.
            ColumnWay::KeepDirection if mesh.is_torus() => clockwise(grows),
            ColumnWay::Either => None,
            ColumnWay::FixedUnlessSingle if region.is_single() => None,
            ColumnWay::FixedUnlessSingle => clockwise(grows),
            // Clockwise is East above the region and West below it.
            ColumnWay::KeepDirection => {
                let came = at.input_port.filter(|came| came.dim() == plane.column)?;
                clockwise(came.grows() == grows)
            }
        }
    }

    /// Adds the choices of a message of type `kind` that cannot, or must not, take its e-cube hop,
    /// `port`.
    #[inline(never)]
    fn go_around(&self, faults: &BlockFaults, at: &WormPosition, kind: WormType, port: Port, choices: &mut VcRequests) {
        let (mesh, plane) = (faults.mesh(), Self::plane(faults.mesh(), kind));
        let followed = at.header.region.zip(at.header.orientation);
        let followed = followed.filter(|_| at.header.status == WormStatus::Misrouted);
        let facing = followed.and(at.input_port).map_or(Facing::Region(port), Facing::Ahead);
        let mut add = |region: RegionId, way: Orientation, rule: &'static Rule| {
            let Some((port, way, turned)) = ring_step(faults, region, plane, at.here, way, facing) else { return };
            let (status, region, orientation) = (WormStatus::Misrouted, Some(region), Some(way));
            let header = WormHeader { status, orientation, region, ..WormHeader::with_memory(kind, at.header.memory) };
            let rule = if turned { &TURN_BACK } else { rule };
            choices.add(VcRequest { port, class: self.class(mesh, kind, at, port.dim()), header, rule });
        };
        if let Some((region, way)) = followed {
            return add(region, way, &FOLLOW_RING);
        }
        let Some(blocking) = faults.blocking(plane, at.here, port) else { return };
        match faults.region(blocking).and_then(|region| self.way(mesh, kind, at, region, plane)) {
            Some(way) => add(blocking, way, &ENTER_RING),
            None => Orientation::ALL.into_iter().for_each(|way| add(blocking, way, &ENTER_RING)),
        }
    }

    /// Returns the plane in which a message of type `kind` goes around faults. The message's
    /// dimension is the plane's `column` for row messages and its `row` for column messages.
    fn plane(mesh: Mesh, kind: WormType) -> PlaneFamily {
        let free = Planes::Successive.free(mesh, kind.dim()).unwrap_or(kind.dim());
        if is_row(mesh, kind) {
            PlaneFamily { column: kind.dim(), row: free }
        } else {
            PlaneFamily { column: free, row: kind.dim() }
        }
    }
}

impl WormRouting for Fcube {
    fn vc_classes(&self, mesh: Mesh) -> u8 {
        match self.classes {
            Classes::One => 1 + u8::from(mesh.is_torus()),
            Classes::Two if mesh.is_torus() => 4,
            Classes::Two => 2,
            Classes::Four if mesh.is_torus() => planes::TORUS_CLASSES,
            Classes::Four => planes::CLASSES,
        }
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        match self.classes {
            Classes::One | Classes::Two if !mesh.is_plane() => Err(Unsupported::NetworkRequirement("two dimensions")),
            _ => Ok(()),
        }
    }

    fn initial_header_count(&self, faults: &BlockFaults, from: NodeId, to: NodeId) -> u32 {
        tie_count(faults, from, to)
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        let memory = tie_memory(faults, from, to, number);
        WormHeader::with_memory(towards(faults.mesh(), from, to, memory), memory)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let mesh = faults.mesh();
        let rest = mesh.minimal_ports(at.here, at.to);
        let kind = kind(mesh, at.header.message_type, rest, at.header.memory);
        let port =
            if mesh.is_torus() { self.torus_port(mesh, kind, at) } else { first_port(rest, AlgorithmState::Nothing) };
        // A misrouted message whose e-cube hop leads straight back is still blocked: otherwise the
        // message of Fig. 5 would go back and forth endlessly.
        let is_misrouted = at.header.status == WormStatus::Misrouted;
        let back = is_misrouted && at.input_port.is_some_and(|came| came.opposite() == port);
        if !back && faults.faulty_ports(at.here) & port.bit() == 0 {
            let class = self.class(mesh, kind, at, port.dim());
            choices.add(VcRequest {
                port,
                class,
                header: WormHeader::with_memory(kind, at.header.memory),
                rule: &ECUBE,
            });
        } else {
            self.go_around(faults, at, kind, port, choices);
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        let mesh = faults.mesh();
        let keeps_planes = || match mesh.dimensions() {
            // No message takes the longer way around a torus of one dimension.
            1 if mesh.is_torus() => faults.is_none(),
            _ => faults.are_planes_connected(&Planes::Successive.used(mesh)),
        };
        let whole =
            || faults.regions().iter().all(|region| !faults.is_chain(region)) && !faults.has_overlapping_rings();
        let goes_round = || !mesh.is_torus() || keeps_planes();
        match (self.classes, self.column_way) {
            _ if !faults.are_boxes() => false,
            (Classes::Four, _) => mesh.is_plane() && !mesh.is_torus() || keeps_planes(),
            (Classes::One, _) => faults.is_none(),
            (Classes::Two, ColumnWay::Either) => faults.are_isolated() && goes_round(),
            (Classes::Two, _) => whole() && goes_round(),
        }
    }
}
