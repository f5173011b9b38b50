//! Routing by dimension reversals (Dally & Aoki 1993; Boppana & Chalasani, section I and Table
//! III).
//!
//! A dimension reversal is a hop along a lower dimension than the previous hop. A message takes any
//! live minimal hop. If there is none, it takes any other live hop except straight back. No order
//! of channels is needed as long as messages with different numbers of reversals use different
//! channels. When no such channel is left, a message continues in dimension order.

use super::MeshAlgorithm;
use super::fcube::ecube_port;
use crate::fault::BlockFaults;
use crate::rich;
use crate::routing::wording::count;
use crate::routing::worm::{
    AlgorithmState, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormStatus, WormType, check_borders,
};
use crate::routing::{Algorithm, DeadlockFreedom, Promises, Rule, Unsupported, cost};
use crate::topology::{Mesh, NodeId, Port, iter_ports};

/// A minimal hop, while reversals are left.
static REVERSIBLE: Rule = Rule::worm("reversible", |why| rich!["any minimal hop; ", reversals(why.header())]);

/// A non-minimal hop, not straight back, because no minimal hop is live.
static MISROUTE: Rule = Rule::worm("misroute", |why| match why.header().reversals() {
    0 => "no minimal hop is live: around the fault".into(),
    _ => rich!["no minimal hop is live: another hop; ", reversals(why.header())],
})
.detour();

/// Dimension order for the rest of the journey, after the last reversal or because the message must
/// not wait.
static LAST_RESORT: Rule =
    Rule::worm("last-resort", |_| "dimension order for the rest of the journey".into()).last_resort();

/// Returns the number of dimension reversals that a message has made, with its noun.
fn reversals(header: &WormHeader) -> String {
    count(u32::from(header.reversals()), "dimension reversal")
}

/// Number of classes of the static algorithm, r; the last one is for dimension order.
const CLASSES: u8 = 4;

/// Number of reversals after which a message of the dynamic algorithm continues in dimension order.
///
/// The algorithm has no bound, so a message that faults enclose on three sides would never stop.
/// Between two reversals a message moves straight in one dimension after the other, so each part of
/// its path ends at the border at the latest.
const MOST_REVERSALS: u8 = 7;

/// The static algorithm: a class for each number of reversals, the last one for dimension order. A
/// message uses dimension order after `CLASSES` - 1 reversals.
struct Static;

/// The dynamic algorithm: one class for messages that choose freely, one for dimension order. A
/// message may wait only for messages with more reversals than its own; otherwise it continues in
/// dimension order. This excludes cyclic waits.
struct Dynamic;

/// The static algorithm.
pub(crate) const STATIC: Algorithm = MeshAlgorithm {
    id: "dr-static",
    name: "DR static",
    summary: "Takes any live minimal hop or, if there is none, any other live hop, in a class for each number of dimension \
              reversals so far; after three reversals, dimension order.",
    guarantee: "Never deadlocks, whatever is faulty; four classes of virtual channels. A message that has used up its reversals \
                is lost where it meets a fault.",
    promises: Promises::detours(DeadlockFreedom::Always),
    paper: "Dally & Aoki; Boppana & Chalasani, Table III",
    worm: &Static,
}
.algorithm(cost::mesh::DR_STATIC);

/// The dynamic algorithm.
pub(crate) const DYNAMIC: Algorithm = MeshAlgorithm {
    id: "dr-dynamic",
    name: "DR dynamic",
    summary: "Takes any live minimal hop or, if there is none, any other live hop. If messages with no more dimension \
              reversals hold all of them, dimension order for the rest of the journey.",
    guarantee: "Never deadlocks, whatever is faulty; two classes of virtual channels. A message in dimension order is lost \
                where it meets a fault.",
    promises: Promises::detours(DeadlockFreedom::Always),
    paper: "Dally & Aoki; Boppana & Chalasani, Table III",
    worm: &Dynamic,
}
.algorithm(cost::mesh::DR_DYNAMIC);

/// Checks that both algorithms run on `mesh`: no torus, and at most five dimensions.
fn check_network(mesh: Mesh) -> Result<(), Unsupported> {
    check_borders(mesh)?;
    if mesh.dimensions() > Mesh::MAX_DIMENSIONS {
        Err(Unsupported::NetworkRequirement("at most five dimensions"))
    } else {
        Ok(())
    }
}

fn start(faults: &BlockFaults, from: NodeId, to: NodeId) -> WormHeader {
    let header = WormHeader::normal(WormType::from_port(ecube_port(faults.mesh(), from, to)));
    WormHeader { memory: AlgorithmState::Reversals(0), ..header }
}

/// Adds the hops that keep within `most` reversals: hops on minimal paths or, if there is no choice
/// yet, all other hops except straight back. `class` maps the number of reversals after a hop to
/// its class.
fn add_free(faults: &BlockFaults, at: &WormPosition, most: u8, class: impl Fn(u8) -> u8, choices: &mut VcRequests) {
    let after =
        |port: Port| at.header.reversals() + u8::from(at.input_port.is_some_and(|came| port.dim() < came.dim()));
    let back = at.input_port.map_or(0, |came| came.opposite().bit());
    let mut open = faults.open_ports(at.here) & !back;
    for port in faults.mesh().ports().filter(|&port| after(port) > most) {
        open &= !port.bit();
    }
    let minimal = faults.mesh().minimal_ports(at.here, at.to) & open;
    let is_minimal = minimal != 0 || !choices.is_empty();
    let (ports, rule) = if is_minimal { (minimal, &REVERSIBLE) } else { (open, &MISROUTE) };
    for port in iter_ports(ports) {
        let header = WormHeader { memory: AlgorithmState::Reversals(after(port)), ..at.header };
        choices.add(VcRequest { port, class: class(after(port)), header, rule });
    }
}

/// Returns the hop in dimension order, in `class`; `None` if its link is faulty.
fn dimension_order_hop(faults: &BlockFaults, at: &WormPosition, class: u8, header: WormHeader) -> Option<VcRequest> {
    let port = ecube_port(faults.mesh(), at.here, at.to);
    let choice = VcRequest { port, class, header, rule: &LAST_RESORT };
    faults.is_open(at.here, port).then_some(choice)
}

impl WormRouting for Static {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        CLASSES
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_network(mesh)
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, _number: u32) -> WormHeader {
        start(faults, from, to)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let (last, made) = (CLASSES - 1, at.header.reversals());
        // The last reversal leads into the last class, so it has to be a hop in dimension order.
        if let Some(choice) =
            dimension_order_hop(faults, at, last, WormHeader { memory: AlgorithmState::Reversals(last), ..at.header })
            && (made == last || made + 1 == last && at.input_port.is_some_and(|came| choice.port.dim() < came.dim()))
        {
            choices.add(choice);
        }
        if made < last {
            add_free(faults, at, last - 1, |reversals| reversals, choices);
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        faults.is_none()
    }
}

impl WormRouting for Dynamic {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        2
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_network(mesh)
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, _number: u32) -> WormHeader {
        start(faults, from, to)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let header = WormHeader { status: WormStatus::Affected, ..at.header };
        if at.header.status == WormStatus::Normal {
            add_free(faults, at, MOST_REVERSALS, |_| 0, choices);
            if !choices.is_empty() {
                choices.rank();
            }
        }
        if let Some(choice) = dimension_order_hop(faults, at, 1, header) {
            choices.add(choice);
        }
    }

    fn is_ranked(&self) -> bool {
        true
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        faults.is_none()
    }
}
