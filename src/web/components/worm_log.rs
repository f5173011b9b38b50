//! Beside the meshes: what has been counted, the message that is followed and its decisions, and the others.

use std::rc::Rc;

use yew::prelude::*;

use crate::experiment::{Journey, WatchedWorms, WormWatch};
use crate::report::{mesh_told, worm_words};
use crate::web::player::Player as _;
use crate::web::worm_stage::{WormStage, WormTick};

/// The most messages that are listed.
const LISTED: usize = 12;

/// All of it; of the network of this number what belongs to single messages.
pub(super) fn rail(stage: &Rc<WormStage>, tick: WormTick, watch: &WormWatch, index: usize) -> Html {
    html! {
        <>
            { series(stage, watch, index) }
            { counts(watch) }
            { for watch.networks().get(index).map(|network| html! {
                <>
                    { ending(stage, network) }
                    { followed(tick, index, network) }
                    { messages(stage, tick, index, network) }
                </>
            }) }
        </>
    }
}

/// Which of the compared networks is explained.
fn series(stage: &Rc<WormStage>, watch: &WormWatch, index: usize) -> Html {
    if watch.networks().len() < 2 {
        return html! {};
    }
    let item = |(place, network): (usize, &WatchedWorms)| {
        let stage = Rc::clone(stage);
        let onclick = Callback::from(move |_: MouseEvent| stage.set(|now| (now.asked, now.chosen) = (place, None)));
        html! {
            <button type="button" {onclick} aria-pressed={(place == index).to_string()}>
                <i class={format!("swatch swatch--{}", place % 7)}></i><span>{network.algorithm.name}</span>
            </button>
        }
    };
    html! { <div class="series" role="group" aria-label="Networks">{ for watch.networks().iter().take(4).enumerate().map(item) }</div> }
}

/// What has been counted so far, the networks side by side.
fn counts(watch: &WormWatch) -> Html {
    let rows = mesh_told::counts(watch);
    let head = |(place, network): (usize, &WatchedWorms)| {
        html! { <th scope="col"><i class={format!("swatch swatch--{}", place % 7)}></i>{network.algorithm.name}</th> }
    };
    let row = |(name, values): (&'static str, Vec<String>)| {
        html! { <tr><th scope="row">{name}</th>{ for values.into_iter().map(|value| html! { <td>{value}</td> }) }</tr> }
    };
    html! {
        <section>
            <h3>{"So far"}</h3>
            <div class="scroll"><table id="counts">
                <thead><tr><th></th>{ for watch.networks().iter().enumerate().map(head) }</tr></thead>
                <tbody>{ for rows.into_iter().map(row) }</tbody>
            </table></div>
        </section>
    }
}

/// How the network has come to an end, or will.
fn ending(stage: &Rc<WormStage>, network: &WatchedWorms) -> Html {
    let mesh = network.worms().mesh();
    if let Some(deadlock) = network.worms().outcome() {
        return html! { <p id="ending" class="ending" role="status">{worm_words::deadlock(mesh, deadlock)}</p> };
    }
    let ahead = network.fate().zip(network.end());
    html! {
        { for ahead.map(|(deadlock, cycle)| {
            let stage = Rc::clone(stage);
            let go = Callback::from(move |_: MouseEvent| stage.seek(cycle as f64));
            html! {
                <p class="hint">{"Ahead: "}{worm_words::deadlock(mesh, deadlock)}{" "}
                    <button type="button" class="chip chip--plain" onclick={go}>{"go there"}</button></p>
            }
        }) }
    }
}

/// The message that is followed, and why it went where it went.
fn followed(tick: WormTick, index: usize, network: &WatchedWorms) -> Html {
    const TITLE: &str = "Why it goes where it goes";
    let Some(number) = tick.message(index) else {
        return html! { <section><h3>{TITLE}</h3><p class="hint">{"There is no message to follow yet."}</p></section> };
    };
    let Some(journey) = network.journey(number) else {
        let what = if number < network.worms().generated() { "no longer" } else { "not yet" };
        return html! { <section id="followed"><h3>{TITLE}</h3><p class="hint">{format!("Message {number} is {what} in the network.")}</p></section> };
    };
    let (routing, faults, mesh) = (network.routing(), network.worms().faults(), network.worms().mesh());
    let item = |(place, hop): (usize, &crate::experiment::WatchedHop)| {
        let kind = if hop.choice.rule.is_detour() { "detour".to_owned() } else { (index % 7).to_string() };
        let to = mesh.neighbor(hop.from, hop.choice.port).unwrap_or(hop.from);
        html! {
            <li class="hop" title={format!("cycle {}", hop.cycle)}>
                <i class={format!("badge badge--{kind}")}>{place + 1}</i>
                <span>{mesh.port_name(hop.choice.port)}{" to "}<code>{worm_words::node(mesh, to)}</code>
                    <small>{worm_words::reason(routing, faults, journey, place)}</small></span>
            </li>
        }
    };
    let (from, to) = (worm_words::node(mesh, journey.from), worm_words::node(mesh, journey.to));
    html! {
        <section id="followed">
            <h3>{TITLE}</h3>
            <p>{format!("Message {number}: ")}<code>{from}</code>{" to "}<code>{to}</code>{format!(", generated in cycle {}", journey.generated)}</p>
            <ol class="hops">{ for journey.hops.iter().enumerate().map(item) }</ol>
            <p class="standing">{worm_words::standing(network, journey)}</p>
        </section>
    }
}

/// Messages in the network, to follow one: those that went around faults first, of each kind the oldest.
fn messages(stage: &Rc<WormStage>, tick: WormTick, index: usize, network: &WatchedWorms) -> Html {
    let some = |detoured: bool| network.journeys().iter().filter(move |journey| (journey.detours() > 0) == detoured);
    let item = |journey: &Journey| {
        let (stage, number) = (Rc::clone(stage), journey.number);
        let onclick = Callback::from(move |_: MouseEvent| stage.set(|now| now.chosen = Some((index, number))));
        let current = (tick.chosen == Some((index, number))).then_some("true");
        let kind = if journey.detours() > 0 { "detour".to_owned() } else { (index % 7).to_string() };
        html! {
            <li key={number}><button type="button" {onclick} aria-current={current}>
                <i class={format!("badge badge--{kind}")}>{number}</i>
                <span><small>{worm_words::line(network.worms().mesh(), journey)}</small></span>
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
