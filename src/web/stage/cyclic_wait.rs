//! Deadlock as a cyclic wait: each message and what it waits for, in order.

use yew::prelude::*;

use super::entity_links::EntityLinks;
use super::entries::entry;
use super::kind_view::ViewContext;
use super::panels::outcome;
use crate::rich_text::RichText;
use crate::web::dom;

/// Cyclic wait of messages.
pub(crate) struct WaitCycle {
    /// Index of the panel of the messages.
    pub(crate) panel: usize,
    /// Number of each message and what it waits for, in the order of the waits.
    pub(crate) waits: Vec<(u64, RichText)>,
    /// Number of the followed message.
    pub(crate) chosen: Option<u64>,
    /// Description of the outcome.
    pub(crate) said: RichText,
    /// Callback that follows a message.
    pub(crate) follow: Callback<u64>,
}

impl WaitCycle {
    /// Creates the cyclic wait of messages that the stage can follow.
    pub(crate) fn new(around: &ViewContext, panel: usize, waits: Vec<(u64, RichText)>, said: RichText) -> Self {
        let chosen = around.tick.shown.chosen_in(panel);
        let around = around.clone();
        let follow = Callback::from(move |number| {
            around.follow(panel, number);
            dom::scroll_into_view(".panels .panel--explained canvas");
        });
        Self { panel, waits, chosen, said, follow }
    }
}

/// Renders the cyclic wait in one line, then message by message.
pub(crate) fn render_wait_cycle(around: &ViewContext, circle: &WaitCycle) -> Html {
    let WaitCycle { panel, waits, chosen, said, follow } = circle;
    let place = waits.iter().position(|(number, _)| *chosen == Some(*number));
    let next = waits.get(place.map_or(0, |place| (place + 1) % waits.len().max(1)));
    let onclick = |number: u64| follow.reform(move |_: MouseEvent| number);
    let current = |number: u64, what| (*chosen == Some(number)).then_some(what);
    let mut located = EntityLinks::inside(around, *panel);
    // The line ends with the first message again.
    let line = waits.iter().chain(waits.first()).enumerate().map(|(place, &(number, _))| {
        let mark = located.message(number);
        html! {
            <>
                if place > 0 { {" → "} }
                <button type="button" class="chip" data-at={mark} onclick={onclick(number)}
                    aria-label={format!("message {number}")} aria-current={current(number, "true")}>{number}</button>
            </>
        }
    });
    let line: Html = line.collect();
    let item = |(number, said): &(u64, RichText)| {
        let press = (onclick(*number), current(*number, "step"));
        let said = html! { <><b>{number}</b><small>{located.say(said)}</small></> };
        entry(*number as usize, Some(located.message(*number)), html! {}, said, Some(press))
    };
    let items: Html = waits.iter().map(item).collect();
    html! {
        <section id="cyclic-wait">
            <h3>{"Cyclic wait"}</h3>
            <p class="wait-line">{ line }</p>
            if let Some((number, _)) = next {
                <button type="button" class={classes!("chip", "chip--plain", place.is_some().then_some("chip--on"))} onclick={onclick(*number)}>
                    { if place.is_some() { "Next in the cycle" } else { "Follow the cycle" } }
                </button>
            }
            { outcome(EntityLinks::new(around, *panel).say(said)) }
            <ol class="hops">{ items }</ol>
        </section>
    }
}
