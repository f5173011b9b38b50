//! Oblivious routing on meshes with a random choice at the source: O1TURN, Valiant and ROMM.
//!
//! A message uses one class of virtual channels until its choice is carried out and another class
//! afterwards, or one class for each order of the dimensions. Within a class all messages follow
//! the same order, so no cycle of dependencies exists.

use super::MeshAlgorithm;
use crate::fault::BlockFaults;
use crate::routing::worm::{
    AlgorithmState, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormType, check_borders, check_plane,
};
use crate::routing::{Algorithm, DeadlockFreedom, Promises, Rule, Unsupported, cost};
use crate::topology::{Mesh, NodeId, Port, iter_ports};

/// A hop of a message that corrects its row first.
static ROW_FIRST: Rule = Rule::worm("row-first", |_| "drew the order row, column: the next hop in this order".into());

/// A hop of a message that corrects its column first.
static COLUMN_FIRST: Rule =
    Rule::worm("column-first", |_| "drew the order column, row: the next hop in this order".into());

/// A hop to the intermediate node.
static TO_INTERMEDIATE: Rule =
    Rule::worm("to-intermediate", |_| "to the intermediate node, lowest dimension first".into());

/// A hop after the intermediate node.
static FROM_INTERMEDIATE: Rule = Rule::worm("from-intermediate", |_| {
    "past the intermediate node: to the destination, lowest dimension first".into()
});

/// O1TURN: the source draws one of the two orders of the dimensions.
struct O1Turn;

/// O1TURN on meshes of two dimensions.
pub(crate) const O1TURN: Algorithm = MeshAlgorithm {
    id: "o1turn",
    name: "O1TURN",
    summary: "Draws one of the two orders, row or column first, with equal probability, and takes dimension-order hops.",
    guarantee: "Shortest paths with at most one turn, never deadlocks, with two classes of virtual channels. In the worst \
                case its throughput is nearly the best that an oblivious routing can have on a square mesh. A message \
                whose hop is faulty is lost.",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "Seo, Ali, Lim, Rafique & Thottethodi, Near-optimal worst-case throughput routing for two-dimensional mesh \
            networks",
    worm: &O1Turn,
}
.algorithm(cost::mesh::O1TURN);

/// Routing by a random intermediate node.
struct TwoPhase {
    /// The intermediate node lies on a shortest path.
    is_minimal: bool,
}

/// Valiant's algorithm on meshes.
pub(crate) const VALIANT: Algorithm = MeshAlgorithm {
    id: "valiant-mesh",
    name: "Valiant on meshes",
    summary: "Draws any node, goes there in dimension order, and from there to the destination.",
    guarantee: "Never deadlocks, with two classes of virtual channels. Every permutation loads the channels like uniform \
                traffic of twice the load. A message whose hop is faulty is lost.",
    promises: Promises::detours(DeadlockFreedom::Always),
    paper: "Valiant, A scheme for fast parallel communication",
    worm: &TwoPhase { is_minimal: false },
}
.algorithm(cost::mesh::TWO_PHASE);

/// ROMM with two phases.
pub(crate) const ROMM: Algorithm = MeshAlgorithm {
    id: "romm",
    name: "ROMM",
    summary: "Draws a node on a shortest path, goes there in dimension order, and from there to the destination.",
    guarantee: "Shortest paths, never deadlocks, with two classes of virtual channels. A message whose hop is faulty is \
                lost.",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "Nesson & Johnsson, ROMM routing on mesh and torus networks",
    worm: &TwoPhase { is_minimal: true },
}
.algorithm(cost::mesh::TWO_PHASE);

/// Requests the channel of `class` at `port`, if its link is live.
fn request(
    faults: &BlockFaults,
    at: &WormPosition,
    port: Port,
    (class, memory, rule): (u8, AlgorithmState, &'static Rule),
    choices: &mut VcRequests,
) {
    if faults.is_open(at.here, port) {
        let header = WormHeader::with_memory(WormType::from_port(port), memory);
        choices.add(VcRequest { port, class, header, rule });
    }
}

/// Returns the header of a message at its source.
fn initial(memory: AlgorithmState) -> WormHeader {
    WormHeader::with_memory(WormType::WE, memory)
}

impl WormRouting for O1Turn {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        2
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_plane(mesh)
    }

    fn initial_header_count(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId) -> u32 {
        2
    }

    fn initial_header(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId, number: u32) -> WormHeader {
        initial(if number == 0 { AlgorithmState::Nothing } else { AlgorithmState::ColumnFirst })
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let mut minimal = iter_ports(faults.mesh().minimal_ports(at.here, at.to));
        let memory = at.header.memory;
        let (port, class, rule) = match memory {
            AlgorithmState::ColumnFirst => (minimal.last(), 1, &COLUMN_FIRST),
            _ => (minimal.next(), 0, &ROW_FIRST),
        };
        if let Some(port) = port {
            request(faults, at, port, (class, memory, rule), choices);
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        faults.is_none()
    }
}

impl TwoPhase {
    /// Returns node number `number` of the box that `from` and `to` span.
    fn node_of_box(mesh: Mesh, from: NodeId, to: NodeId, number: u32) -> NodeId {
        let (mut node, mut rest) = (from, number);
        for dim in 0..mesh.dimensions() {
            let ends = [from, to].map(|end| mesh.coordinate(end, dim));
            let lowest = ends[0].min(ends[1]);
            let width = u32::from(ends[0].abs_diff(ends[1])) + 1;
            node = mesh.with_coordinate(node, dim, lowest + (rest % width) as u16);
            rest /= width;
        }
        node
    }
}

impl WormRouting for TwoPhase {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        2
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_borders(mesh)?;
        if mesh.nodes() > 1 << 16 {
            return Err(Unsupported::NetworkRequirement("at most 65,536 nodes, so that headers can name one"));
        }
        Ok(())
    }

    fn initial_header_count(&self, faults: &BlockFaults, from: NodeId, to: NodeId) -> u32 {
        let mesh = faults.mesh();
        if !self.is_minimal {
            return mesh.nodes();
        }
        let width = |dim| u32::from(mesh.coordinate(from, dim).abs_diff(mesh.coordinate(to, dim))) + 1;
        (0..mesh.dimensions()).map(width).product()
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        let via = match self.is_minimal {
            true => Self::node_of_box(faults.mesh(), from, to, number),
            false => NodeId(number.into()),
        };
        initial(AlgorithmState::ToIntermediate(via.0 as u16))
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let mesh = faults.mesh();
        let first = |to| iter_ports(mesh.minimal_ports(at.here, to)).next();
        let memory = at.header.memory;
        let ahead = match memory {
            AlgorithmState::ToIntermediate(via) => first(NodeId(via.into())),
            _ => None,
        };
        if let Some(port) = ahead {
            request(faults, at, port, (0, memory, &TO_INTERMEDIATE), choices);
        } else if let Some(port) = first(at.to) {
            request(faults, at, port, (1, AlgorithmState::FromIntermediate, &FROM_INTERMEDIATE), choices);
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        faults.is_none()
    }
}
