//! Side panel of a worm network: counts, the followed message with its decisions, and the other
//! messages.

use yew::prelude::*;

use crate::experiment::{MessageHistory, WatchedHop, WatchedWorms};
use crate::report::watch::Watch as _;
use crate::report::wording::message as message_name;
use crate::report::worm::play::WormPlay;
use crate::report::worm::wording;
use crate::rich;
use crate::topology::Link;
use crate::web::stage::cyclic_wait::{WaitCycle, render_wait_cycle};
use crate::web::stage::entity_links::EntityLinks;
use crate::web::stage::entries;
use crate::web::stage::entries::{HopEntry, followed_section, hop, no_message_hint, not_in_network_hint};
use crate::web::stage::kind_view::ViewContext;
use crate::web::stage::panels::{counts, future_outcome, link_section};

/// Renders the side panel with the followed message of the network at `index`.
pub(crate) fn rail(around: &ViewContext, play: &WormPlay, index: usize) -> Html {
    html! {
        <>
            if !play.watch().networks().is_empty() { { counts("Counts so far", &play.names(), play.counts()) } }
            { for play.watch().networks().get(index).map(|network| html! {
                <>
                    { ending(around, index, network) }
                    { link_section(around, play) }
                    { followed(around, play.message(index, &around.tick.shown), index, network) }
                    { messages(around, index, network) }
                </>
            }) }
        </>
    }
}

/// Renders the past or future outcome of the network.
fn ending(around: &ViewContext, index: usize, network: &WatchedWorms) -> Html {
    let mesh = network.worms().mesh();
    match (network.worms().outcome(), network.known_outcome().zip(network.timeline.end())) {
        (Some(deadlock), _) => render_wait_cycle(
            around,
            &WaitCycle::new(
                around,
                index,
                wording::waits(mesh, deadlock),
                wording::detected_deadlock(mesh, deadlock, network.worms().cycle()),
            ),
        ),
        (None, Some((deadlock, cycle))) => {
            let said = wording::deadlock(mesh, deadlock);
            // The messages of the cyclic wait already wait; the deadlock is detected later.
            let is_closed = network.worms().cycle() >= deadlock.since;
            let said = if is_closed { format!("detected in cycle {cycle}. {said}") } else { said.to_string() };
            future_outcome(around, said, "Go there", cycle as f64)
        }
        (None, None) => html! {},
    }
}

/// Renders the followed message and the reasons of its hops.
fn followed(around: &ViewContext, message: Option<u64>, index: usize, network: &WatchedWorms) -> Html {
    let Some(number) = message else { return no_message_hint("There is no message to follow yet.".into()) };
    let Some(journey) = network.journey(number) else {
        return not_in_network_hint(number, network.worms().generated());
    };
    let (routing, faults, mesh) = (network.routing(), network.worms().faults(), network.worms().mesh());
    let mut located = EntityLinks::new(around, index);
    // Pressing a hop of a user-defined routing marks its rule in the editor.
    let mut pressed = routing.user_routing().map(|_| EntityLinks::inside(around, index));
    let item = |(place, taken): (usize, &WatchedHop)| {
        let (from, port) = (taken.from, taken.choice.port);
        let to = mesh.neighbor(from, port).unwrap_or(from);
        let made = HopEntry {
            number: place + 1,
            is_detour: taken.choice.rule.is_detour(),
            link: Link { from: if port.grows() { from } else { to }, dim: port.dim() },
            ends: (from, to),
            way: format!("{} to ", mesh.port_name(port)),
            why: wording::reason(routing, faults, journey, place),
            when: Some(format!("cycle {}", taken.cycle)),
        };
        let line = routing.user_routing().zip(taken.choice.rule.user_rule()).and_then(|(own, rule)| own.line(rule));
        let editor = around.context.editor.clone();
        let press = line.map(|line| (Callback::from(move |_: MouseEvent| editor.mark_line(Some(line))), None));
        hop(pressed.as_mut().unwrap_or(&mut located), index, &made, press)
    };
    let items: Html = journey.hops.iter().enumerate().map(item).collect();
    let head = html! {
        <>
            {located.say(&rich![message_name(number).capitalized(), ": "])}{located.node(journey.from)}{" to "}{located.node(journey.to)}
            {format!(", generated in cycle {}", journey.generated)}
        </>
    };
    let standing = located.say(&wording::message_state(network, journey));
    followed_section(around, "Reasons for the path", head, items, standing)
}

/// Renders the messages in the network, for selection: messages with detours first, and in both
/// groups the oldest first.
fn messages(around: &ViewContext, index: usize, network: &WatchedWorms) -> Html {
    let some = |detoured: bool| network.journeys().iter().filter(move |journey| (journey.detours() > 0) == detoured);
    let line = |journey: &MessageHistory| {
        (journey.number, journey.detours() > 0, wording::line(network.worms().mesh(), journey))
    };
    entries::message_list(around, index, network.journeys().len(), some(true).chain(some(false)).map(line))
}
