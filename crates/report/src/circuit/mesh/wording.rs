//! Descriptions of circuit-switched meshes: states of links, nodes and messages, events, outcomes.

use crate::circuit::onset;
use crate::picture::cube::NetworkElement;
use crate::wording;
use faultlab_core::rich;
use faultlab_core::rich_text::RichText;
use faultlab_core::routing::wording::{link as link_name, mesh_node, port as port_name};
use faultlab_core::switching::{CircuitOutcome, Deadlock, ProbeEvent, ProbeMessageView, ProbeNetwork, ProbeState};
use faultlab_core::switching::{Refusal, ReservedBy};
use faultlab_core::topology::{Link, Mesh, NodeId, Port};

/// Returns the message to follow when none is chosen: in a deadlock one of its cyclic wait,
/// otherwise the oldest one that does not transmit.
pub fn default_followed(circuits: &ProbeNetwork) -> Option<u64> {
    match circuits.outcome() {
        Some(CircuitOutcome::Deadlock(deadlock)) => deadlock.cycle.first().map(|first| first.0),
        _ => {
            let open = circuits.messages().filter(|message| message.state() != ProbeState::Transmitting);
            open.map(|message| message.number()).min()
        }
    }
}

/// Returns the state in one word, as in files.
pub fn state_id(state: ProbeState) -> &'static str {
    match state {
        ProbeState::Searching => "searching",
        ProbeState::Returning => "returning",
        ProbeState::Waiting(_) => "waiting",
        ProbeState::BackingOff => "backing-off",
        ProbeState::Acknowledging => "acknowledging",
        ProbeState::Transmitting => "transmitting",
    }
}

/// Returns the state of a holder of a link, after "message 3".
fn holds(state: ProbeState) -> &'static str {
    match state {
        ProbeState::Transmitting => "transmits",
        ProbeState::Acknowledging => "is acknowledged",
        ProbeState::Waiting(_) => "waits",
        ProbeState::Returning => "goes back",
        ProbeState::Searching | ProbeState::BackingOff => "searches",
    }
}

/// Describes one direction of a link.
pub(crate) fn channel_use(circuits: &ProbeNetwork, node: NodeId, port: Port) -> RichText {
    let name = port_name(circuits.mesh(), node, port);
    let used = match circuits.holder(node, port) {
        _ if !circuits.config().faults.is_open(node, port) => "faulty, or it leads to a faulty node".into(),
        None => "free".into(),
        Some(ReservedBy { number, state }) => {
            let queue = match circuits.queue(node, port) {
                0 => String::new(),
                count => format!("; {count} waiting for it"),
            };
            rich!["held by ", wording::message(number), ", which ", holds(state), queue]
        }
    };
    rich![name, ": ", used, "."]
}

/// Returns the name of a node or link and its state in a few words.
pub(crate) fn describe_element(circuits: &ProbeNetwork, spot: NetworkElement) -> String {
    let mesh = circuits.mesh();
    match spot {
        NetworkElement::Node(node) => {
            let name = mesh_node(mesh, node);
            if !circuits.live().contains(node) {
                return format!("node {name}, faulty");
            }
            match circuits.messages().filter(|message| message.waits() && waiting_node(message) == node).count() {
                0 => format!("node {name}, live"),
                count => format!("node {name}, live, {count} waiting"),
            }
        }
        NetworkElement::Link(link) => {
            let Some(end) = mesh.link_end(link) else { return String::new() };
            let up = Port::along(link.dim, true);
            let is_open = circuits.config().faults.is_open(link.from, up);
            let held = [(link.from, up), (end, up.opposite())];
            let held = held.into_iter().filter(|&(node, port)| circuits.holder(node, port).is_some()).count();
            let state = match held {
                _ if !is_open => "faulty, or at a faulty node",
                0 => "free",
                1 => "held in one direction",
                _ => "held in both directions",
            };
            format!("link {}, {state}", link_name(mesh, link))
        }
    }
}

/// Returns the node at which a message waits: that of its probe, or its source between attempts.
pub(crate) fn waiting_node(message: &ProbeMessageView<'_>) -> NodeId {
    match message.state() {
        ProbeState::Waiting(_) => message.here(),
        _ => message.from(),
    }
}

/// Returns the reason of the hop from `node` over `port` of a message to `to`.
pub fn reason(circuits: &ProbeNetwork, node: NodeId, port: Port, to: NodeId) -> RichText {
    hop_reason(circuits.mesh(), circuits.config().routing.backtracks(), node, port, to)
}

/// Returns the reason of a hop of a probe.
pub(crate) fn hop_reason(mesh: Mesh, backtracks: bool, node: NodeId, port: Port, to: NodeId) -> RichText {
    let is_nearer = mesh.minimal_ports(node, to) & port.bit() != 0;
    let name = port_name(mesh, node, port);
    match (backtracks, is_nearer) {
        (false, _) => rich![name, ": along the lowest dimension in which node and destination differ"],
        (true, true) => rich![name, " leads nearer to the destination"],
        (true, false) => rich![name, " leads no nearer: a misroute, as no link that leads nearer is left to try"],
    }
}

/// Returns what a message does now, in one sentence.
pub fn message_state(circuits: &ProbeNetwork, message: &ProbeMessageView<'_>) -> RichText {
    let mesh = circuits.mesh();
    let here = mesh_node(mesh, message.here());
    let next = format!("{:.2}", message.next());
    match message.state() {
        ProbeState::Searching => rich!["The probe reaches ", here, " at ", next, "."],
        ProbeState::Returning => {
            rich![
                "Nothing is left to try at ",
                here,
                ": the probe is on its way back over the last link until ",
                next,
                "."
            ]
        }
        ProbeState::Waiting(port) => {
            let holder = circuits.holder(message.here(), port);
            let holder = holder.map_or_else(|| "no message".into(), |holder| rich![wording::message(holder.number)]);
            let since = format!("{:.2}", message.since());
            let port = port_name(mesh, message.here(), port);
            rich!["The probe has waited at ", here, " since ", since, " for ", port, ", held by ", holder, "."]
        }
        ProbeState::BackingOff if circuits.torn_since(message.number()) == Some(message.since()) => {
            onset::torn_state(message.since(), message.next()).into()
        }
        ProbeState::BackingOff => {
            let failed = message.failed_at().map_or_else(RichText::default, |node| mesh_node(mesh, node));
            let attempt = format!("Attempt {} ended at ", message.attempts());
            rich![attempt, failed, ". The message holds no link; the next attempt begins at ", next, "."]
        }
        ProbeState::Acknowledging => {
            rich!["The path is complete: the acknowledgement reaches the source at ", next, "."]
        }
        ProbeState::Transmitting => {
            let attempts = match message.attempts() {
                1 => String::new(),
                attempts => format!("after {attempts} attempts, "),
            };
            rich!["The circuit is complete: ", attempts, "the message transmits until ", next, "."]
        }
    }
}

/// Returns a message in one line: source, destination, state.
pub fn line(mesh: Mesh, message: &ProbeMessageView<'_>) -> RichText {
    let (from, to) = (mesh_node(mesh, message.from()), mesh_node(mesh, message.to()));
    let here = mesh_node(mesh, message.here());
    match message.state() {
        ProbeState::Transmitting => rich![from, " → ", to, ", transmits"],
        ProbeState::Acknowledging => rich![from, " → ", to, ", acknowledged"],
        ProbeState::Searching => rich![from, " → ", to, ", probe towards ", here],
        ProbeState::Returning => rich![from, " → ", to, ", probe back from ", here],
        ProbeState::Waiting(port) => {
            rich![from, " → ", to, ", at ", here, " for ", port_name(mesh, message.here(), port)]
        }
        ProbeState::BackingOff => {
            rich![from, " → ", to, format!(", attempt {} failed, next at {:.2}", message.attempts(), message.next())]
        }
    }
}

/// Returns an event in words.
pub fn event(circuits: &ProbeNetwork, event: ProbeEvent) -> RichText {
    let mesh = circuits.mesh();
    let at = |node| mesh_node(mesh, node);
    match event {
        ProbeEvent::Refused { number, from, to, why } => {
            let why = match why {
                Refusal::FaultyDestination => "its destination is faulty",
                Refusal::CutOff => "faults leave no path that the search may take",
            };
            rich![wording::message(number), ", ", at(from), " → ", at(to), ", is refused: ", why]
        }
        ProbeEvent::Forward { number, node, port, is_misroute } => {
            let how = if is_misroute { ", a misroute" } else { "" };
            rich![wording::message(number), " reserves ", port_name(mesh, node, port), " at ", at(node), how]
        }
        ProbeEvent::Back { number, node } => rich![wording::message(number), " goes back from ", at(node)],
        ProbeEvent::Waits { number, node, port } => {
            rich![wording::message(number), " waits at ", at(node), " for ", port_name(mesh, node, port)]
        }
        ProbeEvent::Failed { number, node } => {
            rich![wording::message(number), " fails at ", at(node), " and will try again"]
        }
        ProbeEvent::Arrived { number } => rich![wording::message(number), " has reached its destination"],
        ProbeEvent::Completed { number } => rich![wording::message(number), " begins to transmit"],
        ProbeEvent::Transmitted { number } => rich![wording::message(number), " is delivered"],
        ProbeEvent::FaultsArrived { torn, lost } => onset::event(torn, lost).into(),
        ProbeEvent::Ended => "the end".into(),
    }
}

/// Returns the messages of a deadlock's cyclic wait, each with its node, the port for which it waits,
/// and the holder, which is the next message.
pub fn waits(mesh: Mesh, deadlock: &Deadlock) -> Vec<(u64, RichText)> {
    let holders = deadlock.cycle.iter().cycle().skip(1);
    let wait = |((number, link), (holder, _)): (&(u64, Link), &(u64, Link))| {
        let port = port_name(mesh, link.from, Port(link.dim));
        let text = rich!["at ", mesh_node(mesh, link.from), " for ", port, ", held by ", wording::message(*holder)];
        (*number, text)
    };
    deadlock.cycle.iter().zip(holders).map(wait).collect()
}

/// Returns the outcome of a network in one sentence; empty while it runs.
pub fn ending(mesh: Mesh, outcome: Option<&CircuitOutcome>) -> RichText {
    let Some(CircuitOutcome::Deadlock(deadlock)) = outcome else {
        return crate::circuit::wording::undeadlocked_ending(outcome);
    };
    let first = deadlock.cycle.first().map_or(0, |first| first.0);
    let member = |(number, text): (u64, RichText)| rich![wording::message(number), " ", text];
    let members = waits(mesh, deadlock).into_iter().map(member);
    rich![
        format!("Deadlock at {:.2}: ", deadlock.time),
        RichText::join(members, "; "),
        format!(". Message {first} closes the circle. "),
        wording::count(deadlock.messages as u32, "message"),
        " will never move; other waiting messages may.",
    ]
}
