//! Beside the meshes: what has been counted, the message that is followed and its decisions, and the others.

use yew::prelude::*;

use crate::experiment::{Journey, WatchedHop, WatchedWorms};
use crate::report::watch::Watch as _;
use crate::report::worm::play::WormPlay;
use crate::report::worm::words;
use crate::web::form::word::worded_inside;
use crate::web::stage::panels::{ahead, badge, counts, ended};
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
                    { ending(around, network) }
                    { followed(play.message(index, &around.tick.shown), index, network) }
                    { messages(around, index, network) }
                </>
            }) }
        </>
    }
}

/// How the network has come to an end, or will.
fn ending(around: &Around, network: &WatchedWorms) -> Html {
    let mesh = network.worms().mesh();
    match (network.worms().outcome(), network.fate().zip(network.tape.end())) {
        (Some(deadlock), _) => ended(words::deadlock(mesh, deadlock)),
        (None, Some((deadlock, cycle))) => ahead(around, words::deadlock(mesh, deadlock), "go there", cycle as f64),
        (None, None) => html! {},
    }
}

/// The message that is followed, and why it went where it went.
fn followed(message: Option<u64>, index: usize, network: &WatchedWorms) -> Html {
    const TITLE: &str = "Why it goes where it goes";
    let Some(number) = message else {
        return html! { <section><h3>{TITLE}</h3><p class="hint">{"There is no message to follow yet."}</p></section> };
    };
    let Some(journey) = network.journey(number) else {
        let what = if number < network.worms().generated() { "no longer" } else { "not yet" };
        return html! { <section id="followed"><h3>{TITLE}</h3><p class="hint">{format!("Message {number} is {what} in the network.")}</p></section> };
    };
    let (routing, faults, mesh) = (network.routing(), network.worms().faults(), network.worms().mesh());
    let mut told = Vec::new();
    let item = |(place, hop): (usize, &WatchedHop)| {
        let to = mesh.neighbor(hop.from, hop.choice.port).unwrap_or(hop.from);
        html! {
            <li class="hop" title={format!("cycle {}", hop.cycle)}>
                { badge(index, hop.choice.rule.is_detour(), place + 1) }
                <span>{mesh.port_name(hop.choice.port)}{" to "}<code>{words::node(mesh, to)}</code>
                    <small>{worded_inside(&words::reason(routing, faults, journey, place), &mut told)}</small></span>
            </li>
        }
    };
    let (from, to) = (words::node(mesh, journey.from), words::node(mesh, journey.to));
    html! {
        <section id="followed">
            <h3>{TITLE}</h3>
            <p>{format!("Message {number}: ")}<code>{from}</code>{" to "}<code>{to}</code>{format!(", generated in cycle {}", journey.generated)}</p>
            <ol class="hops" tabindex="0">{ for journey.hops.iter().enumerate().map(item) }</ol>
            <p class="standing">{words::standing(network, journey)}</p>
        </section>
    }
}

/// Messages in the network, to follow one: those that went around faults first, of each kind the oldest.
fn messages(around: &Around, index: usize, network: &WatchedWorms) -> Html {
    let some = |detoured: bool| network.journeys().iter().filter(move |journey| (journey.detours() > 0) == detoured);
    let item = |journey: &Journey| {
        let number = journey.number;
        let onclick = around.onclick(move |stage| stage.set(|shown| shown.chosen = Some((index, number))));
        let current = (around.tick.shown.chosen == Some((index, number))).then_some("true");
        html! {
            <li key={number}><button type="button" {onclick} aria-current={current}>
                { badge(index, journey.detours() > 0, number) }
                <span><small>{words::line(network.worms().mesh(), journey)}</small></span>
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
