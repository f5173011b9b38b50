//! Negative-first routing (Glass & Ni 1992 and 1993; Boppana & Chalasani, section I and Table III).
//!
//! All hops down (West, North, lower coordinates) come before all hops up: without turns from up to down no circle of
//! channels closes, with a single class and whatever is faulty. A message is free to go down further than its destination and come
//! up to it; once it goes up, what lies ahead has to be live.

use super::worm::{WormAt, WormChoice, WormChoices, WormHeader, WormRouting, WormRule, WormType, wants_borders};
use super::{Algorithm, Method};
use crate::fault::BlockFaults;
use crate::topology::{Mesh, NodeId, Port, Ports, ports_of};

/// Negative-first, and how far down a message goes of its own accord.
struct NegativeFirst {
    /// Whether it goes down beyond its destination wherever it would else come up along a single line of nodes, on which a fault
    /// could stop it for good.
    is_wary: bool,
}

/// As tolerant as it gets with knowledge of neighbours only.
///
/// Rules (Glass & Ni give them for two dimensions). Down: towards the destination, and where the destination is on the lower
/// border, not onto that border while another such hop is live. Before it goes up, down in every dimension to one
/// coordinate below the destination's, unless that is next to it. Blocked: down in any other dimension. Up: in no dimension
/// up to the destination's coordinate while another hop up is live.
///
/// One faulty node in two dimensions then costs those pairs that no route without a turn from up to down joins, and no others:
/// pairs on a line of the lower border with the fault between them, on the first line of each dimension. The paper
/// adds turns for these, each safe with a single fault, none of them here, where faults may be many.
pub(super) const FAULT_TOLERANT: Algorithm = Algorithm {
    id: "negative-first",
    name: "negative-first",
    summary: "All hops West and North before all hops East and South; in the first part one hop beyond the destination, so as to have \
              two ways to it in the second.",
    guarantee: "Never deadlocks, whatever is faulty, with one class of virtual channels. One faulty node in two dimensions \
                cuts off only pairs on the western or northern border with the fault between them.",
    paper: "Glass & Ni; Boppana & Chalasani, Table III",
    method: Method::Mesh,
    dimension: None,
    worm: Some(&NegativeFirst { is_wary: true }),
};

/// The minimal one: it deviates where a fault is in its way, which may be too late.
pub(super) const ALGORITHM: Algorithm = Algorithm {
    id: "negative-first-minimal",
    name: "negative-first, minimal",
    summary: "All hops West and North before all hops East and South, over minimal paths; beyond the destination only where \
              a fault is in the way.",
    guarantee: "Never deadlocks, whatever is faulty, with one class of virtual channels. A message that has begun to go up is lost \
                where faults leave it no minimal hop.",
    paper: "Glass & Ni (the turn model); Boppana & Chalasani, section I",
    method: Method::Mesh,
    dimension: None,
    worm: Some(&NegativeFirst { is_wary: false }),
};

/// Where the destination is, seen from a node: masks of ports.
struct View {
    /// Down, towards it.
    down: Ports,
    /// Up, towards it.
    up: Ports,
    /// Up to its very coordinate.
    closing: Ports,
    /// Down to the lower border, where it is.
    edging: Ports,
    /// Down in the dimensions in which the coordinates are equal.
    level: Ports,
}

impl View {
    fn of(mesh: Mesh, here: NodeId, to: NodeId) -> Self {
        let minimal = mesh.minimal_ports(here, to);
        let mut view = Self { down: 0, up: 0, closing: 0, edging: 0, level: 0 };
        for dim in 0..mesh.dimensions() {
            let [down, up] = [false, true].map(|grows| Port::along(dim, grows).bit());
            let (at, goal) = (mesh.coordinate(here, dim), mesh.coordinate(to, dim));
            view.down |= minimal & down;
            view.up |= minimal & up;
            view.closing |= if at + 1 == goal { up } else { 0 };
            view.edging |= if at == 1 && goal == 0 { down } else { 0 };
            view.level |= if at == goal { down } else { 0 };
        }
        view
    }
}

/// The first of `tiers` that has a port.
fn first<const N: usize>(tiers: [(Ports, WormRule); N]) -> (Ports, WormRule) {
    tiers.into_iter().find(|&(ports, _)| ports != 0).unwrap_or((0, WormRule::Positive))
}

impl NegativeFirst {
    /// The ports that a message may leave by, and why.
    fn ports(&self, faults: &BlockFaults, at: &WormAt) -> (Ports, WormRule) {
        let mesh = faults.mesh();
        let view = View::of(mesh, at.here, at.to);
        let open = faults.open(at.here);
        let (down, up) = (view.down & open, view.up & open);
        let any_down = open & mesh.ports().filter(|port| !port.grows()).fold(0, |ports, port| ports | port.bit());
        let (inner, outer) = match self.is_wary {
            true => (up & !view.closing, down & !view.edging),
            false => (up, down),
        };
        let goes_up = [(inner, WormRule::Positive), (up, WormRule::Positive)];
        if at.came.is_some_and(Port::grows) {
            return first(goes_up);
        }
        let goes_down = [(outer, WormRule::Negative), (down, WormRule::Negative), (any_down, WormRule::Beyond)];
        if view.down != 0 {
            return first(goes_down);
        }
        let is_next = view.up == view.closing && view.up.count_ones() == 1;
        let wary = if self.is_wary && !(is_next && up != 0) { view.level & open } else { 0 };
        first([(wary, WormRule::Beyond), goes_up[0], goes_up[1], (any_down, WormRule::Beyond)])
    }
}

impl WormRouting for NegativeFirst {
    fn classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn wants(&self, mesh: Mesh) -> Option<&'static str> {
        wants_borders(mesh)
    }

    fn start(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId, _number: u32) -> WormHeader {
        WormHeader::normal(WormType::WE)
    }

    fn choose(&self, faults: &BlockFaults, at: &WormAt, choices: &mut WormChoices) {
        let (ports, rule) = self.ports(faults, at);
        for port in ports_of(ports) {
            choices.add(WormChoice { port, class: 0, header: at.header, rule });
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        faults.is_none()
    }
}
