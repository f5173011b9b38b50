//! Beside the networks of circuits: what has been counted, the message that is followed and its decisions, the others,
//! and what has just happened.

use yew::prelude::*;

use crate::experiment::Watched;
use crate::report::circuit::play::CircuitPlay;
use crate::report::circuit::words;
use crate::report::watch::Watch as _;
use crate::sort;
use crate::switching::{CircuitMessage, CircuitOutcome};
use crate::web::stage::circle::{Circle, circle};
use crate::web::stage::located::Located;
use crate::web::stage::panels::{ahead, badge, ended, facts};
use crate::web::stage::side::Around;

/// The most messages and events that are listed.
const LISTED: usize = 12;

/// All of it, of the network of this number.
pub(crate) fn rail(around: &Around, play: &CircuitPlay, index: usize) -> Html {
    let Some(network) = play.watch().networks().get(index) else { return html! {} };
    let cube = network.circuits().cube();
    let said = words::ending(cube, network.circuits().outcome());
    let fate = network.fate().filter(|_| said.is_empty());
    html! {
        <>
            <section>
                <h3>{"So far"}</h3>
                { facts(play.counts(), index) }
                if let Some(CircuitOutcome::Deadlock(deadlock)) = network.circuits().outcome() {
                    { circle(around, &Circle::of(around, index, words::waits(cube, deadlock), said)) }
                } else if !said.is_empty() {
                    { ended(said.into()) }
                }
                { for fate.map(|fate| ahead(around, words::ending(cube, Some(fate)), "to the end", f64::INFINITY)) }
            </section>
            { followed(around, (index, network)) }
            { messages(around, (index, network)) }
            { events(around, (index, network)) }
        </>
    }
}

/// The message that is followed: the chosen one, else one that waits.
fn followed(around: &Around, (index, network): (usize, &Watched)) -> Html {
    let circuits = network.circuits();
    let chosen = around.tick.shown.chosen_in(index);
    let Some(number) = chosen.or_else(|| words::worth_following(circuits)) else {
        return html! {
            <section><h3>{"Why it goes where it goes"}</h3>
                <p class="hint">{"Nobody waits. Click a link that is held, or choose a message below."}</p></section>
        };
    };
    let Some(message) = words::message(circuits, number) else {
        let what = if number < circuits.generated() { "no longer" } else { "not yet" };
        return html! {
            <section><h3>{"Why it goes where it goes"}</h3>
                <p class="hint">{format!("Message {number} is {what} in the network.")}</p></section>
        };
    };
    let mut located = Located::new(around, index);
    let item = |(place, decision): (usize, words::Decision)| {
        let mark = located.link(decision.link);
        html! {
            <li class="hop" data-at={mark}>
                { badge(index, false, place + 1) }
                <span>{"to "}{located.node(decision.link.to())}
                    <small>{located.say_at(Some(decision.link.from), &words::reason(&decision))}</small></span>
            </li>
        }
    };
    let items: Html = words::decisions(circuits, &message).into_iter().enumerate().map(item).collect();
    let (from, to) = (located.node(message.from()), located.node(message.to()));
    let title = match (chosen, circuits.outcome()) {
        (None, Some(CircuitOutcome::Deadlock(_))) => "A message of the circle",
        (None, _) => "The first message that waits",
        (Some(_), _) => "Why it goes where it goes",
    };
    html! {
        <section id="followed">
            <h3>{title}</h3>
            <p>{located.say(&format!("Message {number}, generated at {:.2}: ", message.generated()))}{from}{" to "}{to}</p>
            <ol class="hops" tabindex="0">{ items }</ol>
            <p class="standing">{located.say_at(Some(message.here()), &words::standing(circuits, &message))}</p>
        </section>
    }
}

/// Messages in the network, to follow one: those that wait, the longest first, then those that transmit.
fn messages(around: &Around, (index, network): (usize, &Watched)) -> Html {
    let circuits = network.circuits();
    let mut messages: Vec<_> = circuits.messages().collect();
    sort::by_key(&mut messages, |message: &CircuitMessage<'_>| (message.transmits(), message.number()));
    let mut located = Located::inside(around, index);
    let item = |message: &CircuitMessage<'_>| {
        let number = message.number();
        let onclick = around.onclick(move |stage| stage.set(|shown| shown.chosen = Some((index, number))));
        let current = (around.tick.shown.chosen == Some((index, number))).then_some("true");
        let mark = located.message(number);
        html! {
            <li key={number}><button type="button" data-at={mark} {onclick} aria-current={current}>
                { badge(index, !message.transmits(), number) }
                <span><small>{located.say(&words::line(circuits.cube(), message))}</small></span>
            </button></li>
        }
    };
    let more = messages.len().saturating_sub(LISTED);
    html! {
        <section>
            <h3>{"Messages in the network"}</h3>
            <ol class="hops" id="messages">{ for messages.iter().take(LISTED).map(item) }</ol>
            if more > 0 { <p class="hint">{format!("and {more} more")}</p> }
        </section>
    }
}

fn events(around: &Around, (index, network): (usize, &Watched)) -> Html {
    let cube = network.circuits().cube();
    let mut located = Located::new(around, index);
    let item = |(time, event)| {
        html! { <li><code>{format!("{time:.2}")}</code>{" "}{located.say(&words::event(cube, event))}</li> }
    };
    html! {
        <section>
            <h3>{"What has just happened"}</h3>
            <ol class="events" id="events">{ for network.told().rev().take(LISTED).map(item) }</ol>
        </section>
    }
}
