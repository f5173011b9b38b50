//! Negative-first routing (Glass & Ni 1992 and 1993; Boppana & Chalasani, section I and Table III).
//!
//! All hops down (West, North, lower coordinates) come before all hops up. With almost no turns
//! from up to down, channels form no dependency cycle, with a single class and under any faults. A
//! message may go down beyond its destination and come up to it. Once it goes up, the links of its
//! remaining hops have to be live.

use super::MeshAlgorithm;
use crate::fault::BlockFaults;
use crate::fault::block::{Region, RegionKind};
use crate::rich;
use crate::routing::worm::{
    AlgorithmState, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormStatus, WormType, check_borders,
};
use crate::routing::{Algorithm, DeadlockFreedom, Promises, Rule, Unsupported, WormExplanationContext, cost};
use crate::topology::{Mesh, NodeId, Port, PortMask, iter_ports};

/// A hop towards lower coordinates of the destination, before any hop up.
static NEGATIVE: Rule =
    Rule::worm("negative", |why| rich!["first the hops ", down_name(why, "and"), ": towards its destination"]);

/// A hop towards higher coordinates of the destination, after which the message never goes down
/// again.
static POSITIVE: Rule = Rule::worm("positive", |why| {
    let up = if is_beyond_plane(why) { "up" } else { "East and South" };
    rich!["no hop ", down_name(why, "or"), " is left: ", up, " to its destination, and never back"]
});

/// A hop down beyond the destination, from which the message comes up past faults.
static BEYOND: Rule =
    Rule::worm("beyond", |why| rich![down_name(why, "or"), " beyond its destination, to reach it past faults"])
        .detour();

/// A hop off the lower border and past a fault on the border; on the way up, also back onto the
/// border.
static OFF_BORDER: Rule = Rule::worm("off-border", |_| "off the border, to pass a fault on the border".into()).detour();

/// Returns the name of the downward directions.
fn down_name(why: &WormExplanationContext<'_>, and: &str) -> String {
    if is_beyond_plane(why) { "down".into() } else { format!("West {and} North") }
}

/// Returns whether the mesh has more dimensions than named directions.
fn is_beyond_plane(why: &WormExplanationContext<'_>) -> bool {
    why.mesh().dimensions() > 2
}

/// Negative-first, minimal or with precautionary descents.
struct NegativeFirst {
    /// `true` if a message goes down beyond its destination wherever it would otherwise come up
    /// along a single line of nodes. A fault on that line could block the message permanently.
    goes_beyond_early: bool,
}

/// The most fault-tolerant version with knowledge of neighbours only.
///
/// Glass & Ni give its rules for two dimensions:
///
/// - Down: go towards the destination. If the destination is on the lower border, do not go onto
///   that border while another such hop is live. Before going up, go down in every dimension to one
///   coordinate below the destination's, unless that is next to it.
/// - Blocked: go down in any other dimension.
/// - Up: do not go up to the destination's coordinate in a dimension while another hop up is live.
///
/// One faulty node in two dimensions then stops only messages along the lower border: row 0 and
/// column 0. For these messages the paper adds turns from up to down, designed for one faulty node.
/// The turns, as implemented here, close no dependency cycle under any faults, see
/// [`NegativeFirst::leave_border`].
pub(crate) const FAULT_TOLERANT: Algorithm = MeshAlgorithm {
    id: "negative-first",
    name: "negative-first",
    summary: "Takes all hops West and North before all hops East and South. The first part goes one hop beyond the \
              destination, so that two ways to it are left. Messages leave the western or northern border to pass a \
              faulty node.",
    guarantee: "Never deadlocks, whatever is faulty, with one class of virtual channels. In two dimensions one faulty \
                node cuts off no other node.",
    promises: Promises::detours(DeadlockFreedom::Always),
    paper: "Glass & Ni; Boppana & Chalasani, Table III",
    worm: &NegativeFirst { goes_beyond_early: true },
}
.algorithm(cost::mesh::NEGATIVE_FIRST_TOLERANT);

/// The minimal version. A message leaves minimal paths only where a fault blocks it, which may be
/// too late.
pub(crate) const ALGORITHM: Algorithm = MeshAlgorithm {
    id: "negative-first-minimal",
    name: "negative-first, minimal",
    summary: "Takes all hops West and North before all hops East and South, over minimal paths; beyond the destination only where \
              a fault is in the way.",
    guarantee: "Never deadlocks, whatever is faulty, with one class of virtual channels. A message on its way up is \
                lost if its minimal hops are all faulty.",
    promises: Promises::detours(DeadlockFreedom::Always),
    paper: "Glass & Ni (the turn model); Boppana & Chalasani, section I",
    worm: &NegativeFirst { goes_beyond_early: false },
}
.algorithm(cost::mesh::NEGATIVE_FIRST);

/// Hops from a node relative to a destination, as masks of ports.
struct View {
    /// Minimal ports in negative directions ("down").
    down: PortMask,
    /// Minimal ports in positive directions ("up").
    up: PortMask,
    /// Ports up whose hop reaches the destination's coordinate.
    closing: PortMask,
    /// Ports down onto coordinate 0, if the destination has that coordinate.
    to_border: PortMask,
    /// Ports down in the dimensions in which the coordinates are equal.
    level: PortMask,
}

impl View {
    fn new(mesh: Mesh, here: NodeId, to: NodeId) -> Self {
        let minimal = mesh.minimal_ports(here, to);
        let mut view = Self { down: 0, up: 0, closing: 0, to_border: 0, level: 0 };
        for dim in 0..mesh.dimensions() {
            let [down, up] = [false, true].map(|grows| Port::along(dim, grows).bit());
            let (at, goal) = (mesh.coordinate(here, dim), mesh.coordinate(to, dim));
            view.down |= minimal & down;
            view.up |= minimal & up;
            view.closing |= if at + 1 == goal { up } else { 0 };
            view.to_border |= if at == 1 && goal == 0 { down } else { 0 };
            view.level |= if at == goal { down } else { 0 };
        }
        view
    }
}

/// Returns all ports up.
fn all_up(mesh: Mesh) -> PortMask {
    mesh.ports().filter(|port| port.grows()).fold(0, |ports, port| ports | port.bit())
}

/// Returns the first of `tiers` that has a port.
fn first<const N: usize>(tiers: [(PortMask, &'static Rule); N]) -> (PortMask, &'static Rule) {
    tiers.into_iter().find(|&(ports, _)| ports != 0).unwrap_or((0, &POSITIVE))
}

impl NegativeFirst {
    /// Header of every message, except of those that leave the border.
    const HEADER: WormHeader = WormHeader::normal(WormType::WE);

    /// Returns the ports that a message may leave by, with the rule.
    fn ports(&self, faults: &BlockFaults, at: &WormPosition) -> (PortMask, &'static Rule) {
        let mesh = faults.mesh();
        let view = View::new(mesh, at.here, at.to);
        let open = faults.open_ports(at.here);
        let (any_up, any_down) = (open & all_up(mesh), open & !all_up(mesh));
        // Straight back up is permitted only if all other hops up are faulty: see `leave_border`.
        let back = at.input_port.filter(|came| !came.grows()).map_or(0, |came| came.opposite().bit());
        let goes_back = view.up & !back != 0 && any_up & !back == 0;
        let (down, up) = (view.down & open, view.up & open & if goes_back { PortMask::MAX } else { !back });
        let (inner, outer) = match self.goes_beyond_early {
            true => (up & !view.closing, down & !view.to_border),
            false => (up, down),
        };
        let goes_up = [(inner, &POSITIVE), (up, &POSITIVE)];
        if at.input_port.is_some_and(Port::grows) {
            return first(goes_up);
        }
        let goes_down = [(outer, &NEGATIVE), (down, &NEGATIVE), (any_down, &BEYOND)];
        if view.down != 0 {
            return first(goes_down);
        }
        let is_next = view.up == view.closing && view.up.count_ones() == 1;
        let wary = if self.goes_beyond_early && !(is_next && up != 0) { view.level & open } else { 0 };
        first([(wary, &BEYOND), goes_up[0], goes_up[1], (any_down, &BEYOND)])
    }

    /// Adds the hop off the lower border for a message that has no other hop: one hop up,
    /// perpendicular to the border. After it, the message takes
    ///
    /// - on its way down in dimension d, one hop down in d: past a fault on the border, to which it
    ///   returns later;
    /// - on its way up in d, on the plane: two hops up in d and one down back onto the border, past
    ///   a faulty node.
    ///
    /// Such turns from up to down close no dependency cycle.
    ///
    /// Way down: no channel up leads into the node where the message leaves the border, because all
    /// its hops down are faulty. A cycle would consist only of hops down and of these pairs, one
    /// hop up and one down. Pairs alone form no cycle: on the plane the second pair would go
    /// straight back. In more dimensions they raise coordinates from 0 and lower them to no less
    /// than 1.
    ///
    /// Way up: the channel back onto the border leads only to channels up. The channel down there
    /// belongs to the faulty node, and the channel straight back is taken only where no message
    /// leaves the border on the way down. A cycle would consist only of channels up and of these
    /// channels back, with at least two channels up between any two of the latter.
    fn leave_border(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let (mesh, open, view) = (faults.mesh(), faults.open_ports(at.here), View::new(faults.mesh(), at.here, at.to));
        let is_open = |port: Port| open & port.bit() != 0;
        let no_down = open & !all_up(mesh) == 0;
        let is_faulty = |port| mesh.neighbor(at.here, port).is_some_and(|next| !faults.is_member(next));
        let may_leave = |off: Port| at.input_port.is_none_or(|came| !came.grows() && came.opposite() != off);
        let fits = |down: Port| {
            let onward = is_open(down.opposite()) || mesh.neighbor(at.here, down.opposite()).is_none();
            view.down & down.bit() != 0 && onward && (mesh.is_plane() || mesh.coordinate(at.here, down.dim()) >= 2)
        };
        for off in (0..mesh.dimensions()).filter(|&dim| mesh.coordinate(at.here, dim) == 0) {
            let off = Port::along(off, true);
            let others = || (0..mesh.dimensions()).filter(|&dim| dim != off.dim());
            let down = others().map(|dim| Port::along(dim, false)).find(|&down| fits(down));
            let down = down.filter(|_| no_down && may_leave(off));
            let up = others().map(|dim| Port::along(dim, true)).find(|up| view.up == up.bit() && is_faulty(*up));
            let up = up.filter(|_| mesh.is_plane() && view.down == 0);
            let way = down.map(|down| (down, 1)).or(up.map(|up| (up, 3)));
            if let Some((along, hops)) = way.filter(|_| is_open(off)) {
                let header = WormHeader::normal(WormType::from_port(along));
                let header =
                    WormHeader { status: WormStatus::Misrouted, memory: AlgorithmState::OffBorder(hops), ..header };
                choices.add(VcRequest { port: off, class: 0, header, rule: &OFF_BORDER });
            }
        }
    }

    /// Adds the next hop of a message that has left the border, if its link is live.
    fn pass_border(faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let WormHeader { message_type: kind, memory: AlgorithmState::OffBorder(hops), .. } = at.header else { return };
        let is_last = hops == 1;
        // Messages on their way up leave the border only on a plane, so the way back is in its
        // other dimension.
        let back = Port::along(1 - kind.dim().min(1), false);
        let port = if is_last && kind.port().grows() { back } else { kind.port() };
        let header = if is_last {
            Self::HEADER
        } else {
            WormHeader { memory: AlgorithmState::OffBorder(hops - 1), ..at.header }
        };
        if faults.is_open(at.here, port) {
            choices.add(VcRequest { port, class: 0, header, rule: &OFF_BORDER });
        }
    }
}

impl WormRouting for NegativeFirst {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        check_borders(mesh)
    }

    fn initial_header(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId, _number: u32) -> WormHeader {
        Self::HEADER
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        if at.header.status == WormStatus::Misrouted {
            return Self::pass_border(faults, at, choices);
        }
        let (ports, rule) = self.ports(faults, at);
        if self.goes_beyond_early && (ports == 0 || rule == &BEYOND) {
            self.leave_border(faults, at, choices);
        }
        if choices.is_empty() {
            for port in iter_ports(ports) {
                choices.add(VcRequest { port, class: 0, header: at.header, rule });
            }
        }
    }

    fn is_proved(&self, faults: &BlockFaults) -> bool {
        let is_node = |region: &Region| region.is_single() && region.kind == RegionKind::Nodes;
        let single = || matches!(faults.regions(), [region] if is_node(region)) && faults.mesh().is_plane();
        faults.is_none() || self.goes_beyond_early && single()
    }
}
