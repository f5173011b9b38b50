//! Side panel of a circuit network: counts, the followed message with its decisions, the other
//! messages, and recent events.

use yew::prelude::*;

use crate::experiment::Watched;
use crate::report::circuit::play::CircuitPlay;
use crate::report::circuit::words;
use crate::report::watch::Watch as _;
use crate::report::words::message as message_name;
use crate::rich;
use crate::switching::{CircuitMessage, CircuitOutcome};
use crate::web::stage::circle::{Circle, circle};
use crate::web::stage::entries;
use crate::web::stage::entries::{Hop, LISTED, followed as followed_section, gone, hop, nobody};
use crate::web::stage::located::Located;
use crate::web::stage::panels::{ahead, ended, facts};
use crate::web::stage::side::Around;

/// Renders the side panel of the network at `index`.
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
                    { ended(Located::new(around, index).say(&said)) }
                }
                { for fate.map(|fate| ahead(around, words::ending(cube, Some(fate)).to_string(), "to the end", f64::INFINITY)) }
            </section>
            { followed(around, index, network) }
            { messages(around, index, network) }
            { events(around, index, network) }
        </>
    }
}

/// Renders the followed message: the chosen one, otherwise one that waits.
fn followed(around: &Around, index: usize, network: &Watched) -> Html {
    let circuits = network.circuits();
    let chosen = around.tick.shown.chosen_in(index);
    let Some(number) = chosen.or_else(|| words::worth_following(circuits)) else {
        return nobody("Nobody waits. Click a link that is held, or choose a message below.".into());
    };
    let Some(message) = words::message(circuits, number) else { return gone(number, circuits.generated()) };
    let mut located = Located::new(around, index);
    // Pressing a reservation of a user-defined routing marks its rule in the editor.
    let mut pressed = circuits.terms().routing.own().map(|_| Located::inside(around, index));
    let item = |(place, decision): (usize, words::Decision<'_>)| {
        let desk = around.bench.desk.clone();
        let press = decision.line().map(|line| (Callback::from(move |_: MouseEvent| desk.mark(Some(line))), None));
        let made = Hop::of(place + 1, false, decision.link, words::reason(&decision));
        hop(pressed.as_mut().unwrap_or(&mut located), index, &made, press)
    };
    let items: Html = words::decisions(circuits, &message).into_iter().enumerate().map(item).collect();
    let title = match (chosen, circuits.outcome()) {
        (None, Some(CircuitOutcome::Deadlock(_))) => "A message of the circle",
        (None, _) => "The first message that waits",
        (Some(_), _) => "Why it goes where it goes",
    };
    let said = rich![message_name(number).capitalized(), format!(", generated at {:.2}: ", message.generated())];
    let head = html! { <>{located.say(&said)}{located.node(message.from())}{" to "}{located.node(message.to())}</> };
    followed_section(title, head, items, located.say(&words::standing(circuits, &message)))
}

/// Renders the messages in the network, for selection: first those that wait, the longest first,
/// then those that transmit.
fn messages(around: &Around, index: usize, network: &Watched) -> Html {
    let circuits = network.circuits();
    let mut messages: Vec<_> = circuits.messages().collect();
    messages.sort_by_key(|message: &CircuitMessage<'_>| (message.transmits(), message.number()));
    let lines =
        messages.iter().map(|message| (message.number(), !message.transmits(), words::line(circuits.cube(), message)));
    entries::messages(around, index, messages.len(), lines)
}

fn events(around: &Around, index: usize, network: &Watched) -> Html {
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
