//! Beside the meshes: what has been counted, the message that is followed and its decisions, and the others.

use yew::prelude::*;

use crate::experiment::{Journey, WatchedHop, WatchedWorms};
use crate::report::watch::Watch as _;
use crate::report::worm::play::WormPlay;
use crate::report::worm::words;
use crate::topology::Link;
use crate::web::stage::circle::{Circle, circle};
use crate::web::stage::located::Located;
use crate::web::stage::panels::{ahead, badge, counts};
use crate::web::stage::side::Around;

/// The most messages that are listed.
const LISTED: usize = 12;

/// All of it; of the network of this number what belongs to single messages.
pub(crate) fn rail(around: &Around, play: &WormPlay, index: usize) -> Html {
    html! {
        <>
            { counts("So far", &play.names(), play.counts()) }
            { for play.watch().networks().get(index).map(|network| html! {
                <>
                    { ending(around, index, network) }
                    { followed(around, play.message(index, &around.tick.shown), index, network) }
                    { messages(around, index, network) }
                </>
            }) }
        </>
    }
}

/// How the network has come to an end, or will.
fn ending(around: &Around, index: usize, network: &WatchedWorms) -> Html {
    let mesh = network.worms().mesh();
    match (network.worms().outcome(), network.fate().zip(network.tape.end())) {
        (Some(deadlock), _) => {
            circle(around, &Circle::of(around, index, words::waits(mesh, deadlock), words::deadlock(mesh, deadlock)))
        }
        (None, Some((deadlock, cycle))) => ahead(around, words::deadlock(mesh, deadlock), "go there", cycle as f64),
        (None, None) => html! {},
    }
}

/// The message that is followed, and why it went where it went.
fn followed(around: &Around, message: Option<u64>, index: usize, network: &WatchedWorms) -> Html {
    const TITLE: &str = "Why it goes where it goes";
    let Some(number) = message else {
        return html! { <section><h3>{TITLE}</h3><p class="hint">{"There is no message to follow yet."}</p></section> };
    };
    let Some(journey) = network.journey(number) else {
        let what = if number < network.worms().generated() { "no longer" } else { "not yet" };
        return html! { <section id="followed"><h3>{TITLE}</h3><p class="hint">{format!("Message {number} is {what} in the network.")}</p></section> };
    };
    let (routing, faults, mesh) = (network.routing(), network.worms().faults(), network.worms().mesh());
    let mut located = Located::new(around, index);
    let item = |(place, hop): (usize, &WatchedHop)| {
        let to = mesh.neighbor(hop.from, hop.choice.port).unwrap_or(hop.from);
        let (port, grows) = (hop.choice.port, hop.choice.port.grows());
        let mark = located.link(Link { from: if grows { hop.from } else { to }, dim: port.dim() });
        html! {
            <li class="hop" data-at={mark} title={format!("cycle {}", hop.cycle)}>
                { badge(index, hop.choice.rule.is_detour(), place + 1) }
                <span>{mesh.port_name(hop.choice.port)}{" to "}{located.node(to)}
                    <small>{located.say_at(Some(hop.from), &words::reason(routing, faults, journey, place))}</small></span>
            </li>
        }
    };
    let items: Html = journey.hops.iter().enumerate().map(item).collect();
    let (from, to) = (located.node(journey.from), located.node(journey.to));
    html! {
        <section id="followed">
            <h3>{TITLE}</h3>
            <p>{located.say(&format!("Message {number}: "))}{from}{" to "}{to}{format!(", generated in cycle {}", journey.generated)}</p>
            <ol class="hops" tabindex="0">{ items }</ol>
            <p class="standing">{located.say_at(Some(journey.here(mesh)), &words::standing(network, journey))}</p>
        </section>
    }
}

/// Messages in the network, to follow one: those that went around faults first, of each kind the oldest.
fn messages(around: &Around, index: usize, network: &WatchedWorms) -> Html {
    let some = |detoured: bool| network.journeys().iter().filter(move |journey| (journey.detours() > 0) == detoured);
    let mut located = Located::inside(around, index);
    let item = |journey: &Journey| {
        let number = journey.number;
        let onclick = around.onclick(move |stage| stage.set(|shown| shown.chosen = Some((index, number))));
        let current = (around.tick.shown.chosen == Some((index, number))).then_some("true");
        let mark = located.message(number);
        html! {
            <li key={number}><button type="button" data-at={mark} {onclick} aria-current={current}>
                { badge(index, journey.detours() > 0, number) }
                <span><small>{located.say(&words::line(network.worms().mesh(), journey))}</small></span>
            </button></li>
        }
    };
    let more = network.journeys().len().saturating_sub(LISTED);
    html! {
        <section>
            <h3>{"Messages in the network"}</h3>
            <ol class="hops" id="messages">{ for some(true).chain(some(false)).take(LISTED).map(item) }</ol>
            if more > 0 { <p class="hint">{format!("and {more} more")}</p> }
        </section>
    }
}
