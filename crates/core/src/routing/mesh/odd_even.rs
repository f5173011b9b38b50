//! The odd-even turn model on meshes of two dimensions (Chiu 2000): the permitted turns depend on
//! the column.
//!
//! Rule 1: no turn from East to North in an even column, none from North to West in an odd column.
//! Rule 2: the same for South instead of North. The rightmost column of a dependency cycle would
//! have to be both even and odd.

use super::MeshAlgorithm;
use crate::fault::BlockFaults;
use crate::routing::worm::{VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormType, check_plane};
use crate::routing::{Algorithm, DeadlockFreedom, Promises, Rule, Unsupported, cost};
use crate::topology::{Mesh, NodeId, Port, PortMask, iter_ports};

/// A hop straight along the destination's column.
static COLUMN: Rule = Rule::worm("own-column", |_| "in its destination's column: straight to it".into());

/// A hop East of an eastbound message, not into an even column where it would have to turn.
static EAST: Rule = Rule::worm("eastbound", |why| match why.mesh().minimal_ports(why.at.here, why.at.to) {
    rest if rest == Port::EAST.bit() => "in its destination's row: East to it".into(),
    _ => "eastbound: East, where it can still turn into its destination's row".into(),
});

/// A hop of an eastbound message along a column, which is odd or the message's first.
static FROM_EAST: Rule = Rule::worm("odd-column", |why| match why.mesh().coordinate(why.at.here, 0) % 2 {
    1 => "eastbound: a message going East may turn in an odd column".into(),
    _ => "eastbound: along its source's column, which takes no turn from East".into(),
});

/// A hop West of a westbound message, permitted at any time.
static WEST: Rule = Rule::worm("westbound", |_| "westbound: West".into());

/// A hop of a westbound message along an even column, where it may turn West again.
static TO_WEST: Rule = Rule::worm("even-column", |_| "westbound: a message along an even column may turn West".into());

/// Minimal odd-even routing (the paper's function ROUTE), with one class of virtual channels.
struct OddEven;

/// The minimal algorithm.
pub(crate) const ALGORITHM: Algorithm = MeshAlgorithm {
    id: "odd-even",
    name: "odd-even",
    summary: "Takes any minimal hop, but in even columns no turn from East to North or South, and in odd columns none from \
              North or South to West.",
    guarantee: "Shortest paths, never deadlocks, whatever is faulty, with one class of virtual channels; more evenly \
                adaptive than west-first. A message whose permitted minimal hops are all faulty is lost.",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "Chiu, The odd-even turn model for adaptive routing",
    worm: &OddEven,
}
.algorithm(cost::mesh::ODD_EVEN);

/// Ports along columns.
const VERTICAL: PortMask = Port::NORTH.bit() | Port::SOUTH.bit();

impl OddEven {
    /// Returns the ports along the row and along the column that a message may leave by, each with
    /// its rule; 0 for none.
    fn ports(mesh: Mesh, at: &WormPosition) -> [(PortMask, &'static Rule); 2] {
        let rest = mesh.minimal_ports(at.here, at.to);
        let (row, column) = (rest & !VERTICAL, rest & VERTICAL);
        let (here, goal) = (mesh.coordinate(at.here, 0), mesh.coordinate(at.to, 0));
        let is_odd = here % 2 == 1;
        if row == 0 {
            return [(0, &EAST), (column, &COLUMN)];
        }
        if row == Port::WEST.bit() {
            return [(row, &WEST), (if is_odd { 0 } else { column }, &TO_WEST)];
        }
        // A message along an even column with hops East left started in that column.
        let may_turn = is_odd || at.input_port != Some(Port::EAST);
        let may_go_on = column == 0 || goal % 2 == 1 || goal - here != 1;
        [(if may_go_on { row } else { 0 }, &EAST), (if may_turn { column } else { 0 }, &FROM_EAST)]
    }
}

impl WormRouting for OddEven {
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
        for (ports, rule) in Self::ports(faults.mesh(), at) {
            for port in iter_ports(ports & faults.open_ports(at.here)) {
                choices.add(VcRequest { port, class: 0, header: at.header, rule });
            }
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        faults.is_none()
    }
}
