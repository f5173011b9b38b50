//! Descriptions of the decisions of wormhole routing, in the terms of Boppana & Chalasani.

use crate::picture::cube::NetworkElement;
use crate::wording;
use faultlab_core::fault::BlockFaults;
use faultlab_core::fault::block::positions;
use faultlab_core::rich;
use faultlab_core::rich_text::{Entity, RichText};
pub use faultlab_core::routing::wording::{link, mesh_node as node, port, region};
use faultlab_core::routing::{VcRequest, WormExplanationContext, WormHeader, WormPosition, WormRouting};
use faultlab_core::switching::{
    HeldChannel, WormDeadlock, WormDeadlockMember, WormMessageView, WormState, WormholeNetwork,
};
use faultlab_core::topology::{Link, Mesh, NodeId, Port};
use faultlab_experiment::{MessageHistory, WatchedWorms};

/// Returns the position of a message before hop number `number` (from 0), which is the input of the
/// routing decision.
fn position(
    routing: &dyn WormRouting,
    faults: &BlockFaults,
    journey: &MessageHistory,
    number: usize,
) -> Option<WormPosition> {
    let hop = journey.hops.get(number)?;
    let before = number.checked_sub(1).and_then(|number| journey.hops.get(number));
    let at =
        |header| WormPosition { here: hop.from, to: journey.to, input_port: before.map(|hop| hop.choice.port), header };
    if let Some(before) = before {
        return Some(at(before.choice.header));
    }
    // Selects the initial header that leads to the recorded choice.
    let (from, to) = (journey.from, journey.to);
    let mut starts = (0..routing.initial_header_count(faults, from, to))
        .map(|number| routing.initial_header(faults, from, to, number));
    let leads = |header: &WormHeader| routing.choices(faults, &at(*header)).iter().any(|choice| *choice == hop.choice);
    starts.find(leads).map(at)
}

/// Returns the reason of hop number `number` (from 0) in one sentence: rule, type, status,
/// direction, class.
pub fn reason(routing: &dyn WormRouting, faults: &BlockFaults, journey: &MessageHistory, number: usize) -> RichText {
    let (Some(hop), Some(at)) = (journey.hops.get(number), position(routing, faults, journey, number)) else {
        return RichText::default();
    };
    let text = why(routing, faults, &at, &hop.choice);
    rich![text, "; class c", hop.choice.class, ", virtual channel ", hop.virtual_channel]
}

/// Returns the reason why `choice` is permitted at `at`.
pub fn why(routing: &dyn WormRouting, faults: &BlockFaults, at: &WormPosition, choice: &VcRequest) -> RichText {
    choice.rule.explain_worm(&WormExplanationContext { routing, faults, at, choice })
}

/// Describes a node or link and its state: "node (3,4), live, NE".
pub fn describe_element(worms: &WormholeNetwork, spot: NetworkElement) -> String {
    match spot {
        NetworkElement::Node(place) => {
            let mut text = String::from("node ");
            text.push_str(&node(worms.mesh(), place).to_string());
            text.push_str(", ");
            text.push_str(&node_state(worms, place));
            text
        }
        NetworkElement::Link(place) => {
            let mut text = String::from("link ");
            text.push_str(&link(worms.mesh(), place).to_string());
            link_state(worms, place, &mut text);
            text
        }
    }
}

fn node_state(worms: &WormholeNetwork, node: NodeId) -> String {
    let faults = worms.faults();
    let round = faults.rounds().iter().position(|round| round.binary_search(&node).is_ok());
    match round {
        Some(round) => return format!("made faulty by closure, round {}", round + 1),
        None if faults.is_faulty(node) => return "faulty".into(),
        None if !faults.is_member(node) => return "cut off".into(),
        None => {}
    }
    let mut text = String::from("live");
    // Sides and corners are defined on one plane.
    let ringed = worms.config().routing.routed_faults(faults);
    let positions = if worms.mesh().is_plane() { positions(ringed, node) } else { Vec::new() };
    for position in &positions {
        text.push_str(", ");
        text.push_str(position.label());
    }
    if !positions.is_empty() {
        text.push_str(" of a region");
    }
    let waiting = worms.leaving(node);
    if waiting > 0 {
        text.push_str(&format!(", {waiting} leaving"));
    }
    text
}

fn link_state(worms: &WormholeNetwork, link: Link, text: &mut String) {
    let up = Port::along(link.dim, true);
    let end = worms.mesh().link_end(link);
    let down = |node: NodeId, port: Port| worms.faults().faulty_ports(node) & port.bit() != 0;
    // On a hypercube one direction may be faulty without the other.
    let both = end.is_none_or(|end| down(end, up.opposite()));
    if down(link.from, up) && both {
        text.push_str(", faulty");
        return;
    }
    let lanes = worms.config().virtual_channels;
    let ends = [Some((link.from, up)), end.map(|end| (end, up.opposite()))];
    for (node, out) in ends.into_iter().flatten() {
        let name = port(worms.mesh(), node, out);
        if down(node, out) {
            text.push_str(&format!(", {name} faulty"));
            continue;
        }
        let channel = worms.mesh().channel(node, out);
        let is_held = |&virtual_channel: &u8| worms.holder(HeldChannel { channel, virtual_channel }).is_some();
        let held = (0..lanes).filter(is_held).count();
        text.push_str(&format!(", {name} {held} of {lanes} held"));
    }
}

/// Returns a message in one line: source, destination, hops made.
pub fn line(mesh: Mesh, journey: &MessageHistory) -> RichText {
    let hops = || wording::count(journey.hops.len() as u32, "hop");
    let progress = match (journey.hops.len(), journey.detours()) {
        (0, _) => "at its source".to_owned(),
        (_, 0) => hops(),
        (_, detours) => format!("{}, {detours} around faults", hops()),
    };
    rich![node(mesh, journey.from), " → ", node(mesh, journey.to), ", ", progress]
}

/// Returns the state of a message: the node of its header, the channels it waits for, or its
/// outcome.
pub fn message_state(network: &WatchedWorms, journey: &MessageHistory) -> RichText {
    let (worms, mesh) = (network.worms(), network.worms().mesh());
    if let Some((cycle, delivered)) = journey.ended {
        let how = if delivered { "Delivered" } else { "Lost at a dead end" };
        let minimal = mesh.distance(journey.from, journey.to) as usize;
        let more = journey.hops.len().saturating_sub(minimal);
        let hops = journey.hops.len();
        return rich![how, ", in cycle ", cycle, ", after ", hops, " hops, ", more, " more than a minimal path."];
    }
    let Some(message) = worms.message(journey.number) else { return RichText::default() };
    let here = node(mesh, message.header_node());
    match message.state() {
        WormState::Queued => rich!["The message waits in the queue of ", here, "."],
        WormState::Moving => rich!["The header leaves ", here, "; ", held_text(&message), "."],
        WormState::Consumed => {
            let (consumed, all) = (message.consumed(), message.length());
            rich!["The header has arrived; ", consumed, " of ", all, " flits are consumed."]
        }
        WormState::Waiting(choices) => {
            let wanted = choices.iter().map(|choice| {
                rich!["class c", choice.class, " of the channel ", port(mesh, message.header_node(), choice.port)]
            });
            let wanted = RichText::join(wanted, ", or ");
            let since = message.since();
            rich![
                "The header has waited at ",
                here,
                " since cycle ",
                since,
                " for ",
                wanted,
                "; ",
                held_text(&message),
                "."
            ]
        }
    }
}

/// Returns the number of virtual channels that a message holds, and of flits at the source.
fn held_text(message: &WormMessageView<'_>) -> String {
    let held = wording::count(message.holds().len() as u32, "virtual channel");
    match message.at_source() {
        0 => format!("the message holds {held}"),
        left => {
            format!("the message holds {held}, and {left} of its {} flits are at the source", message.length())
        }
    }
}

/// Returns the messages of a deadlock's cyclic wait, each with its node, the channel it waits for,
/// and the holder, which is the next message.
pub fn waits(mesh: Mesh, deadlock: &WormDeadlock) -> Vec<(u64, RichText)> {
    let holders = deadlock.cycle.iter().cycle().skip(1);
    let wait = |(wait, next): (&WormDeadlockMember, &WormDeadlockMember)| {
        let (lane, holder) = wait.wants.iter().find(|(_, holder)| next.number == *holder)?;
        let (from, out) = mesh.channel_ends(lane.channel);
        let (at, wanted) = (node(mesh, from), port(mesh, from, out));
        Some((wait.number, rich!["at ", at, " for ", wanted, ", held by ", wording::message(*holder)]))
    };
    deadlock.cycle.iter().zip(holders).filter_map(wait).collect()
}

/// Returns a deadlock in one sentence: the messages, the channels they wait for, and the holders.
pub fn deadlock(mesh: Mesh, deadlock: &WormDeadlock) -> RichText {
    let number = |wait: &WormDeadlockMember| RichText::reference(Entity::Message(wait.number), wait.number.to_string());
    let who = match deadlock.cycle.as_slice() {
        [] => RichText::default(),
        [alone] => rich![wording::message(alone.number), " waits for itself: "],
        [most @ .., last] => {
            let most = RichText::join(most.iter().map(number), ", ");
            rich!["messages ", most, " and ", number(last), " wait for each other: "]
        }
    };
    let waits = waits(mesh, deadlock).into_iter().map(|(number, said)| rich![wording::message(number), " ", said]);
    rich![
        "Deadlock since cycle ",
        deadlock.since,
        ": ",
        who,
        RichText::join(waits, "; "),
        ". ",
        wording::count(deadlock.messages as u32, "message"),
        " will never move.",
    ]
}

/// Returns a deadlock in one sentence, followed by the later cycle in which it was detected.
pub fn detected_deadlock(mesh: Mesh, found: &WormDeadlock, cycle: u64) -> RichText {
    rich![deadlock(mesh, found), " The simulator detected the deadlock in cycle ", cycle, "."]
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::WormWatch;

    fn watch(text: &str, cycle: u64) -> WormWatch {
        let mut watch = WormWatch::new(&text.parse().unwrap()).unwrap();
        while watch.work(1 << 20) {}
        watch.seek(cycle);
        while !watch.is_at_target() {
            watch.work(1 << 12);
        }
        watch
    }

    /// Returns all reasons of the hops in some cycles.
    fn reasons(text: &str) -> Vec<String> {
        let watch = watch(text, 1500);
        let of = |network: &WatchedWorms| {
            let (routing, faults) = (network.routing(), network.worms().faults());
            let hops = network.journeys().iter().flat_map(|it| (0..it.hops.len()).map(move |number| (it, number)));
            hops.map(|(it, number)| reason(routing, faults, it, number).to_string()).collect::<Vec<_>>()
        };
        watch.networks().iter().flat_map(of).collect()
    }

    #[test]
    fn decisions_are_described_in_the_terms_of_the_paper() {
        let blocks = "net=mesh:8x8&faults=none&break=2.2,2.3,3.2,3.3,5.5,0.6&switch=wormhole&load=1&route=";
        for (route, said) in [
            (
                "f-cube2",
                "blocked by the block (2,2)–(3,3); row message WE, destination below: counter-clockwise around the fault ring",
            ),
            ("f-cube2", "blocked by the fault at (5,5); row message EW, destination above: counter-clockwise"),
            ("f-cube2", "column message NS, always the same way: clockwise"),
            ("f-cube4", "its e-cube hop leads back: continues "),
            ("f-cube4", "in its destination's column: now column message"),
            ("f-cube4", "no longer blocked; "),
            ("f-cube4", "the fault chain ends here: turns back, "),
            ("lh4", "a minimal hop; virtual network 0, North; class c0, virtual channel "),
            ("lh4", "affected, type 1+, either way is permitted: "),
            ("lh4", "legal hop; affected, type "),
        ] {
            let all = reasons(&format!("{blocks}{route}"));
            assert!(all.iter().any(|reason| reason.contains(said)), "{route}: {said}: {:?}", &all[..40]);
        }
    }

    #[test]
    fn messages_nodes_and_links_are_described() {
        let watch = watch("net=mesh:6x6&faults=none&break=1.2,2.3,3.4-4.4&switch=wormhole", 400);
        let network = &watch.networks()[0];
        for journey in network.journeys() {
            let told = message_state(network, journey).to_string();
            assert!(told.starts_with("The ") && told.ends_with('.'), "{told}");
            assert!(line(watch.faults.mesh(), journey).to_string().contains(" → "));
        }
        let at = |row, column| NetworkElement::Node(watch.faults.mesh().node(row, column).unwrap());
        assert_eq!(describe_element(network.worms(), at(1, 2)), "node (1,2), faulty");
        assert_eq!(describe_element(network.worms(), at(1, 3)), "node (1,3), made faulty by closure, round 1");
        assert!(describe_element(network.worms(), at(0, 1)).starts_with("node (0,1), live, NW of a region"));
        let told = describe_element(network.worms(), NetworkElement::Link(Link { from: NodeId(22), dim: 1 }));
        assert_eq!(told, "link (3,4)–(4,4), faulty");
        let told = describe_element(network.worms(), NetworkElement::Link(Link { from: NodeId(0), dim: 0 }));
        assert!(told.starts_with("link (0,0)–(0,1), East ") && told.ends_with("of 8 held"), "{told}");
    }

    #[test]
    fn deadlock_description_names_its_cyclic_wait() {
        let watch = watch("net=mesh:6x6&faults=none&break=2.2&route=f-cube1&switch=wormhole&vc=1&load=1", u64::MAX);
        let network = &watch.networks()[0];
        let told = deadlock(watch.faults.mesh(), network.worms().outcome().unwrap()).to_string();
        assert!(told.starts_with("Deadlock since cycle ") && told.contains(" wait for each other: "), "{told}");
        for (number, wait) in waits(watch.faults.mesh(), network.worms().outcome().unwrap()) {
            let entities: Vec<_> = wait.spans().iter().filter_map(|span| span.entity).collect();
            let [Entity::Node(at), Entity::Link(link), Entity::Message(holder)] = entities[..] else {
                panic!("{wait:?}")
            };
            let ends = [link.from, watch.faults.mesh().link_end(link).unwrap()];
            assert!(ends.contains(&at) && holder != number, "{wait:?}");
        }
        assert!(told.contains(", held by ") && told.ends_with("will never move."), "{told}");
    }
}
