//! Side panel of a circuit-switched mesh: counts, the followed message with its path, the other
//! messages, and recent events.

use yew::prelude::*;

use crate::experiment::WatchedProbes;
use crate::report::circuit::mesh::play::MeshCircuitPlay;
use crate::report::circuit::mesh::wording;
use crate::report::watch::Watch as _;
use crate::report::wording::message as message_name;
use crate::rich;
use crate::switching::{CircuitOutcome, ProbeMessageView};
use crate::topology::{Link, NodeId, Port};
use crate::web::stage::cyclic_wait::{WaitCycle, render_wait_cycle};
use crate::web::stage::entity_links::EntityLinks;
use crate::web::stage::entries;
use crate::web::stage::entries::{HopEntry, LISTED, followed_section, hop, no_message_hint, not_in_network_hint};
use crate::web::stage::kind_view::ViewContext;
use crate::web::stage::panels::{fact_list, future_outcome, link_section, outcome};

/// Renders the side panel of the network at `index`.
pub(crate) fn rail(around: &ViewContext, play: &MeshCircuitPlay, index: usize) -> Html {
    let Some(network) = play.watch().networks().get(index) else { return html! {} };
    let mesh = network.circuits().mesh();
    let said = wording::ending(mesh, network.circuits().outcome());
    let fate = network.known_outcome().filter(|_| said.is_empty());
    html! {
        <>
            <section>
                <h3>{"Counts so far"}</h3>
                { fact_list(play.counts(), index) }
                if let Some(CircuitOutcome::Deadlock(deadlock)) = network.circuits().outcome() {
                    { render_wait_cycle(around, &WaitCycle::new(around, index, wording::waits(mesh, deadlock), said)) }
                } else if !said.is_empty() {
                    { outcome(EntityLinks::new(around, index).say(&said)) }
                }
                { for fate.map(|fate| future_outcome(around, wording::ending(mesh, Some(fate)).to_string(), "Go to the end", f64::INFINITY)) }
            </section>
            { link_section(around, play) }
            { followed(around, play, index, network) }
            { messages(around, index, network) }
            { events(around, index, network) }
        </>
    }
}

/// Renders the followed message: the chosen one, otherwise the oldest one whose circuit is not complete.
fn followed(around: &ViewContext, play: &MeshCircuitPlay, index: usize, network: &WatchedProbes) -> Html {
    let circuits = network.circuits();
    let chosen = around.tick.shown.chosen_in(index);
    let Some(number) = play.message(index, &around.tick.shown) else {
        return no_message_hint("No message is on its way. Click a held link, or choose a message below.".into());
    };
    let Some(message) = circuits.message(number) else {
        return not_in_network_hint(number, circuits.generated());
    };
    let mesh = circuits.mesh();
    let mut located = EntityLinks::new(around, index);
    let item = |(place, (node, port)): (usize, (NodeId, Port))| {
        let end = mesh.neighbor(node, port).unwrap_or(node);
        let entry = HopEntry {
            number: place + 1,
            is_detour: mesh.minimal_ports(node, message.to()) & port.bit() == 0,
            link: mesh.link(node, port).unwrap_or(Link { from: node, dim: port.dim() }),
            ends: (node, end),
            way: format!("{} to ", mesh.port_name(port)),
            why: wording::reason(circuits, node, port, message.to()),
            when: None,
        };
        hop(&mut located, index, &entry, None)
    };
    let items: Html = message.path().enumerate().map(item).collect();
    let title = match (chosen, circuits.outcome()) {
        (None, Some(CircuitOutcome::Deadlock(_))) => "A message of the cyclic wait",
        (None, _) => "The oldest message on its way",
        (Some(_), _) => "Reasons for the path",
    };
    let said = rich![message_name(number).capitalized(), format!(", generated at {:.2}: ", message.generated())];
    let head = html! { <>{located.say(&said)}{located.node(message.from())}{" to "}{located.node(message.to())}</> };
    followed_section(around, title, head, items, located.say(&wording::message_state(circuits, &message)))
}

/// Renders the messages in the network, for selection: those that wait first, and the oldest first.
fn messages(around: &ViewContext, index: usize, network: &WatchedProbes) -> Html {
    let circuits = network.circuits();
    let mut messages: Vec<_> = circuits.messages().collect();
    messages.sort_by_key(|message: &ProbeMessageView<'_>| (!message.waits(), message.number()));
    let lines =
        messages.iter().map(|message| (message.number(), message.waits(), wording::line(circuits.mesh(), message)));
    entries::message_list(around, index, messages.len(), lines)
}

fn events(around: &ViewContext, index: usize, network: &WatchedProbes) -> Html {
    let circuits = network.circuits();
    let mut located = EntityLinks::new(around, index);
    let item = |(time, event)| {
        html! { <li><code>{format!("{time:.2}")}</code>{" "}{located.say(&wording::event(circuits, event))}</li> }
    };
    html! {
        <section>
            <h3>{"Latest events"}</h3>
            <ol class="events" id="events">{ for network.recent_events().rev().take(LISTED).map(item) }</ol>
        </section>
    }
}
