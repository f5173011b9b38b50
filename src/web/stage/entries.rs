//! Lists beside a picture: hops with their reasons, cycles to go to, messages to follow.

use yew::prelude::*;

use super::entity_links::EntityLinks;
use super::kind_view::ViewContext;
use super::panels::{badge, trace_button};
use crate::rich_text::RichText;
use crate::topology::{Link, NodeId};

/// Maximum number of listed messages.
pub(crate) const LISTED: usize = 12;

/// Click handler of an entry, and its `aria-current`, if it is the current one.
pub(crate) type EntryAction = (Callback<MouseEvent>, Option<&'static str>);

/// Hop of a message.
pub(crate) struct HopEntry {
    /// Number of the hop, from 1.
    pub(crate) number: usize,
    pub(crate) is_detour: bool,
    /// Link of the hop.
    pub(crate) link: Link,
    /// Nodes at the ends of the link.
    pub(crate) ends: (NodeId, NodeId),
    /// Direction of the hop, if it has a name, with "to".
    pub(crate) way: String,
    pub(crate) why: RichText,
    /// Time of the hop, if it is shown.
    pub(crate) when: Option<String>,
}

impl HopEntry {
    /// Creates a hop on a hypercube.
    pub(crate) fn new(number: usize, is_detour: bool, link: Link, why: RichText) -> Self {
        Self { number, is_detour, link, ends: (link.from, link.end()), way: "to ".into(), why, when: None }
    }
}

/// Renders a hop with its reason, for the algorithm at `index`.
pub(crate) fn hop(located: &mut EntityLinks<'_>, index: usize, hop: &HopEntry, press: Option<EntryAction>) -> Html {
    let (to, why) = (located.node(hop.ends.1), located.say(&hop.why));
    let said = html! { <span title={hop.when.clone()}>{&hop.way}{to}<small>{why}</small></span> };
    entry(hop.number, located.link(hop.link), badge(index, hop.is_detour, hop.number), said, press)
}

/// Renders an entry: its badge and its text, which highlights the element that `mark` names.
pub(crate) fn entry(key: usize, mark: Option<String>, badge: Html, said: Html, press: Option<EntryAction>) -> Html {
    let inside = html! { <>{badge}<span>{said}</span></> };
    match press {
        Some((onclick, current)) => html! {
            <li {key}><button type="button" data-at={mark} {onclick} aria-current={current}>{inside}</button></li>
        },
        None => html! { <li {key} class="hop" data-at={mark}>{inside}</li> },
    }
}

/// Renders the followed message: its endpoints, its hops, its state.
pub(crate) fn followed_section(
    around: &ViewContext,
    title: &'static str,
    head: Html,
    hops: Html,
    standing: Html,
) -> Html {
    html! {
        <section id="followed">
            <h3>{title}</h3>
            <p>{head}</p>
            <ol class="hops" tabindex="0">{hops}</ol>
            <p class="message-status">{standing}</p>
            { trace_button(around) }
        </section>
    }
}

/// Renders the hint that is shown without a followed message.
pub(crate) fn no_message_hint(said: String) -> Html {
    html! { <section id="followed"><h3>{"Reasons for the path"}</h3><p class="hint">{said}</p></section> }
}

/// Renders the hint for a message that is not in the network; `generated` messages exist so far.
pub(crate) fn not_in_network_hint(number: u64, generated: u64) -> Html {
    no_message_hint(format!(
        "Message {number} is {} in the network.",
        if number < generated { "no longer" } else { "not yet" }
    ))
}

/// Renders the first of `all` messages in the network: each with its number, whether it is
/// highlighted, and a line of text.
pub(crate) fn message_list(
    around: &ViewContext,
    index: usize,
    all: usize,
    first: impl Iterator<Item = (u64, bool, RichText)>,
) -> Html {
    let mut located = EntityLinks::inside(around, index);
    let chosen = around.tick.shown.chosen_in(index);
    let item = |(number, special, line): (u64, bool, RichText)| {
        let follow = around.onclick(move |stage| stage.set(|shown| shown.followed = Some((index, number))));
        let press = (follow, (chosen == Some(number)).then_some("true"));
        let said = html! { <small>{located.say(&line)}</small> };
        entry(number as usize, Some(located.message(number)), badge(index, special, number), said, Some(press))
    };
    let items: Html = first.take(LISTED).map(item).collect();
    let more = all.saturating_sub(LISTED);
    html! {
        <section>
            <h3>{"Messages in the network"}</h3>
            <ol class="hops" id="messages">{items}</ol>
            if more > 0 { <p class="hint">{format!("{more} more messages are not listed.")}</p> }
        </section>
    }
}
