//! Beside the networks of circuits: what has been counted, the message that is followed and its decisions, the others,
//! and what has just happened.

use std::rc::Rc;

use yew::prelude::*;

use crate::experiment::{CircuitWatch, Watched};
use crate::report::{circuits, words};
use crate::sort;
use crate::switching::{CircuitMessage, CircuitOutcome};
use crate::web::circuit_stage::{CircuitStage, Tick};
use crate::web::player::Player as _;

/// The most messages and events that are listed.
const LISTED: usize = 12;

/// All of it, of the network of this number.
pub(super) fn rail(
    stage: &Rc<CircuitStage>,
    tick: Tick,
    watch: &CircuitWatch,
    (index, network): (usize, &Watched),
) -> Html {
    html! {
        <>
            { series(stage, watch, index) }
            { facts(stage, network) }
            { followed(tick, (index, network)) }
            { messages(stage, tick, (index, network)) }
            { events(network) }
        </>
    }
}

/// Which of the compared networks is explained.
fn series(stage: &Rc<CircuitStage>, watch: &CircuitWatch, index: usize) -> Html {
    if watch.networks().len() < 2 {
        return html! {};
    }
    let item = |(place, network): (usize, &Watched)| {
        let stage = Rc::clone(stage);
        let onclick = Callback::from(move |_: MouseEvent| stage.ask(place));
        html! {
            <button type="button" {onclick} aria-pressed={(place == index).to_string()}>
                <i class={format!("swatch swatch--{}", place % 7)}></i>
                <span>{network.algorithm.name}</span>
                <small>{format!("{} wait", network.circuits().backlog())}</small>
            </button>
        }
    };
    html! { <div class="series" role="group" aria-label="Networks">{ for watch.networks().iter().take(4).enumerate().map(item) }</div> }
}

fn facts(stage: &Rc<CircuitStage>, network: &Watched) -> Html {
    let (circuits, counts) = (network.circuits(), network.counts());
    // A network that has jammed has no mean: it depends on when one looks.
    let carries = circuits.outcome().is_none();
    let setup = counts.mean_setup().filter(|_| carries).map_or("–".to_owned(), |mean| format!("{mean:.3}"));
    let facts = [
        ("Generated", (counts.generated + counts.refused).to_string()),
        ("Refused", counts.refused.to_string()),
        ("Transmitting", (circuits.in_network() - circuits.backlog()).to_string()),
        ("Waiting", circuits.backlog().to_string()),
        ("Circuits set up", counts.completed.to_string()),
        ("Mean setup time", setup),
    ];
    let ending = circuits::ending(circuits.cube(), circuits.outcome());
    let ahead = network.fate().filter(|_| ending.is_empty());
    let go = {
        let stage = Rc::clone(stage);
        Callback::from(move |_: MouseEvent| stage.seek(f64::INFINITY))
    };
    html! {
        <section>
            <h3>{"So far"}</h3>
            <dl class="facts">
                { for facts.into_iter().map(|(name, value)| html! { <div><dt>{name}</dt><dd>{value}</dd></div> }) }
            </dl>
            if !ending.is_empty() { <p id="ending" class="ending" role="status">{ending}</p> }
            { for ahead.map(|fate| html! {
                <p class="hint">{"Ahead: "}{circuits::ending(circuits.cube(), Some(fate))}{" "}
                    <button type="button" class="chip chip--plain" onclick={go}>{"to the end"}</button></p>
            }) }
        </section>
    }
}

/// The message that is followed: the chosen one, else one that waits.
fn followed(tick: Tick, (index, network): (usize, &Watched)) -> Html {
    let circuits = network.circuits();
    let cube = circuits.cube();
    let chosen = tick.chosen.filter(|chosen| chosen.0 == index).map(|chosen| chosen.1);
    let Some(number) = chosen.or_else(|| circuits::worth_following(circuits)) else {
        return html! {
            <section><h3>{"Why it goes where it goes"}</h3>
                <p class="hint">{"Nobody waits. Click a link that is held, or choose a message below."}</p></section>
        };
    };
    let Some(message) = circuits::message(circuits, number) else {
        let what = if number < circuits.generated() { "no longer" } else { "not yet" };
        return html! {
            <section><h3>{"Why it goes where it goes"}</h3>
                <p class="hint">{format!("Message {number} is {what} in the network.")}</p></section>
        };
    };
    let item = |(place, decision): (usize, circuits::Decision)| {
        html! {
            <li class="hop">
                <i class={format!("badge badge--{}", index % 7)}>{place + 1}</i>
                <span>{"to "}<code>{words::node(cube, decision.link.to())}</code><small>{circuits::reason(&decision)}</small></span>
            </li>
        }
    };
    let (from, to) = (words::node(cube, message.from()), words::node(cube, message.to()));
    let title = match (chosen, circuits.outcome()) {
        (None, Some(CircuitOutcome::Deadlock(_))) => "A message of the circle",
        (None, _) => "The first message that waits",
        (Some(_), _) => "Why it goes where it goes",
    };
    html! {
        <section id="followed">
            <h3>{title}</h3>
            <p>{format!("Message {number}, generated at {:.2}: ", message.generated())}<code>{from}</code>{" to "}<code>{to}</code></p>
            <ol class="hops">{ for circuits::decisions(circuits, &message).into_iter().enumerate().map(item) }</ol>
            <p class="standing">{circuits::standing(circuits, &message)}</p>
        </section>
    }
}

/// Messages in the network, to follow one: those that wait, the longest first, then those that transmit.
fn messages(stage: &Rc<CircuitStage>, tick: Tick, (index, network): (usize, &Watched)) -> Html {
    let circuits = network.circuits();
    let mut messages: Vec<_> = circuits.messages().collect();
    sort::by_key(&mut messages, |message: &CircuitMessage<'_>| (message.transmits(), message.number()));
    let item = |message: &CircuitMessage<'_>| {
        let (stage, number) = (Rc::clone(stage), message.number());
        let onclick = Callback::from(move |_: MouseEvent| stage.choose(Some((index, number))));
        let current = (tick.chosen == Some((index, number))).then_some("true");
        let kind = if message.transmits() { (index % 7).to_string() } else { "detour".into() };
        html! {
            <li key={number}><button type="button" {onclick} aria-current={current}>
                <i class={format!("badge badge--{kind}")}>{number}</i>
                <span><small>{circuits::line(circuits.cube(), message)}</small></span>
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

fn events(network: &Watched) -> Html {
    let cube = network.circuits().cube();
    let item = |(time, event)| {
        html! { <li><code>{format!("{time:.2}")}</code>{" "}{circuits::event(cube, event)}</li> }
    };
    html! {
        <section>
            <h3>{"What has just happened"}</h3>
            <ol class="events" id="events">{ for network.told().rev().take(LISTED).map(item) }</ol>
        </section>
    }
}
