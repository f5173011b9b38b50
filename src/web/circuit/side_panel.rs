//! Side panel of a circuit network: counts, the followed message with its decisions, the other
//! messages, and recent events.

use yew::prelude::*;

use crate::experiment::Watched;
use crate::report::circuit::play::CircuitPlay;
use crate::report::circuit::wording;
use crate::report::watch::Watch as _;
use crate::report::wording::message as message_name;
use crate::rich;
use crate::switching::{CircuitMessageView, CircuitOutcome};
use crate::web::stage::cyclic_wait::{WaitCycle, render_wait_cycle};
use crate::web::stage::entity_links::EntityLinks;
use crate::web::stage::entries;
use crate::web::stage::entries::{HopEntry, LISTED, followed_section, hop, no_message_hint, not_in_network_hint};
use crate::web::stage::kind_view::ViewContext;
use crate::web::stage::panels::{fact_list, future_outcome, link_section, outcome};

/// Renders the side panel of the network at `index`.
pub(crate) fn rail(around: &ViewContext, play: &CircuitPlay, index: usize) -> Html {
    let Some(network) = play.watch().networks().get(index) else { return html! {} };
    let cube = network.circuits().cube();
    let said = wording::ending(cube, network.circuits().outcome());
    let fate = network.known_outcome().filter(|_| said.is_empty());
    html! {
        <>
            <section>
                <h3>{"Counts so far"}</h3>
                { fact_list(play.counts(), index) }
                if let Some(CircuitOutcome::Deadlock(deadlock)) = network.circuits().outcome() {
                    { render_wait_cycle(around, &WaitCycle::new(around, index, wording::waits(cube, deadlock), said)) }
                } else if !said.is_empty() {
                    { outcome(EntityLinks::new(around, index).say(&said)) }
                }
                { for fate.map(|fate| future_outcome(around, wording::ending(cube, Some(fate)).to_string(), "Go to the end", f64::INFINITY)) }
            </section>
            { link_section(around, play) }
            { followed(around, index, network) }
            { messages(around, index, network) }
            { events(around, index, network) }
        </>
    }
}

/// Renders the followed message: the chosen one, otherwise one that waits.
fn followed(around: &ViewContext, index: usize, network: &Watched) -> Html {
    let circuits = network.circuits();
    let chosen = around.tick.shown.chosen_in(index);
    let Some(number) = chosen.or_else(|| wording::default_followed(circuits)) else {
        return no_message_hint("No message waits. Click a held link, or choose a message below.".into());
    };
    let Some(message) = wording::message(circuits, number) else {
        return not_in_network_hint(number, circuits.generated());
    };
    let mut located = EntityLinks::new(around, index);
    // Pressing a reservation of a user-defined routing marks its rule in the editor.
    let mut pressed = circuits.config().routing.user_routing().map(|_| EntityLinks::inside(around, index));
    let item = |(place, decision): (usize, wording::Reservation<'_>)| {
        let editor = around.context.editor.clone();
        let press =
            decision.line().map(|line| (Callback::from(move |_: MouseEvent| editor.mark_line(Some(line))), None));
        let made = HopEntry::new(place + 1, false, decision.link, wording::reason(&decision));
        hop(pressed.as_mut().unwrap_or(&mut located), index, &made, press)
    };
    let items: Html = wording::decisions(circuits, &message).into_iter().enumerate().map(item).collect();
    let title = match (chosen, circuits.outcome()) {
        (None, Some(CircuitOutcome::Deadlock(_))) => "A message of the cyclic wait",
        (None, _) => "The first waiting message",
        (Some(_), _) => "Reasons for the path",
    };
    let said = rich![message_name(number).capitalized(), format!(", generated at {:.2}: ", message.generated())];
    let head = html! { <>{located.say(&said)}{located.node(message.from())}{" to "}{located.node(message.to())}</> };
    followed_section(around, title, head, items, located.say(&wording::waiting_state(circuits, &message)))
}

/// Renders the messages in the network, for selection: waiting messages before transmitting ones,
/// and the oldest first.
fn messages(around: &ViewContext, index: usize, network: &Watched) -> Html {
    let circuits = network.circuits();
    let mut messages: Vec<_> = circuits.messages().collect();
    messages.sort_by_key(|message: &CircuitMessageView<'_>| (message.transmits(), message.number()));
    let lines = messages
        .iter()
        .map(|message| (message.number(), !message.transmits(), wording::line(circuits.cube(), message)));
    entries::message_list(around, index, messages.len(), lines)
}

fn events(around: &ViewContext, index: usize, network: &Watched) -> Html {
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
