//! The odd-even turn model on meshes of two dimensions (Chiu 2000): where a message may turn depends on the column.
//!
//! Rule 1: no turn from East to North in an even column, none from North to the West in an odd one. Rule 2: the same of South. So the
//! rightmost column of a circle of channels would have to be even and odd at once.

use std::borrow::Cow;

use crate::fault::BlockFaults;
use crate::routing::worm::{WormAt, WormChoice, WormChoices, WormHeader, WormRouting, WormType, check_plane};
use crate::routing::{Algorithm, DeadlockFreedom, Method, Misfit, Promises, Rule, Shared};
use crate::topology::{Mesh, NodeId, Port, Ports, ports_of};

/// In the destination's column, straight on.
static COLUMN: Rule = Rule::worm("own-column", |_| "in its destination's column: straight to it".into());

/// Eastbound, on to the East: not into an even column where it would have to turn.
static EAST: Rule = Rule::worm("eastbound", |why| match why.mesh().minimal_ports(why.at.here, why.at.to) {
    rest if rest == Port::EAST.bit() => "in its destination's row: East to it".into(),
    _ => "eastbound: East, where it can still turn into its destination's row".into(),
});

/// Eastbound, along the column: it is odd, or the message has not been going East yet.
static FROM_EAST: Rule = Rule::worm("odd-column", |why| match why.mesh().coordinate(why.at.here, 0) % 2 {
    1 => "eastbound: a message going East may turn in an odd column".into(),
    _ => "eastbound: along its source's column, which takes no turn from East".into(),
});

/// Westbound, on to the West, at any time.
static WEST: Rule = Rule::worm("westbound", |_| "westbound: West".into());

/// Westbound, along the column: it is even, so that the message may turn to the West again.
static TO_WEST: Rule =
    Rule::worm("even-column", |_| "westbound: from along an even column a message may turn to the West".into());

/// Minimal (the paper's function ROUTE), with one class of virtual channels.
struct OddEven;

/// The minimal algorithm.
pub(crate) const ALGORITHM: Algorithm = Algorithm {
    id: Cow::Borrowed("odd-even"),
    name: Cow::Borrowed("odd-even"),
    summary: "Any minimal hop, but in even columns no turn from East to North or South, and in odd columns none from there to \
              the West.",
    guarantee: "Shortest paths, never deadlocks, whatever is faulty, with one class of virtual channels; more even in its freedom \
                than west-first. A message that faults leave no minimal hop that it may take is lost.",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: "Chiu, The odd-even turn model for adaptive routing",
    method: Method::Mesh,
    dimension: None,
    worm: Some(Shared::Fixed(&OddEven)),
};

/// The ports along columns.
const VERTICAL: Ports = Port::NORTH.bit() | Port::SOUTH.bit();

impl OddEven {
    /// The ports along the row and along the column that a message may leave by, each with the rule; 0 for none.
    fn ports(mesh: Mesh, at: &WormAt) -> [(Ports, &'static Rule); 2] {
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
        // Whoever goes along an even column and has hops East to make started there.
        let may_turn = is_odd || at.came != Some(Port::EAST);
        let may_go_on = column == 0 || goal % 2 == 1 || goal - here != 1;
        [(if may_go_on { row } else { 0 }, &EAST), (if may_turn { column } else { 0 }, &FROM_EAST)]
    }
}

impl WormRouting for OddEven {
    fn classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Misfit> {
        check_plane(mesh)
    }

    fn start(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId, _number: u32) -> WormHeader {
        WormHeader::normal(WormType::WE)
    }

    fn choose(&self, faults: &BlockFaults, at: &WormAt, choices: &mut WormChoices) {
        for (ports, rule) in Self::ports(faults.mesh(), at) {
            for port in ports_of(ports & faults.open(at.here)) {
                choices.add(WormChoice { port, class: 0, header: at.header, rule });
            }
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        faults.is_none()
    }
}
