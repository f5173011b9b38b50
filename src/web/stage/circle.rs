//! A deadlock as the circle that it is: who waits for whom, to be gone round.

use yew::prelude::*;

use super::located::Located;
use super::side::Around;

/// Of each message of the circle its number and what it waits for, in the order in which each waits for the next.
pub(crate) fn circle(around: &Around, panel: usize, waits: &[(u64, String)]) -> Html {
    let chosen = around.tick.shown.chosen_in(panel);
    let place = waits.iter().position(|(number, _)| chosen == Some(*number));
    let next = waits.get(place.map_or(0, |place| (place + 1) % waits.len().max(1)));
    let follow = |number: u64| around.onclick(move |stage| stage.set(|shown| shown.chosen = Some((panel, number))));
    let mut located = Located::inside(around, panel);
    let item = |(number, said): &(u64, String)| {
        let current = (chosen == Some(*number)).then_some("step");
        html! {
            <li key={*number}><button type="button" onclick={follow(*number)} aria-current={current}>
                <span><b>{number}</b><small>{located.say(said)}</small></span>
            </button></li>
        }
    };
    html! {
        <section id="circle">
            <h3>{"Who waits for whom"}</h3>
            if let Some((number, _)) = next {
                <button type="button" class="chip chip--plain" onclick={follow(*number)}>
                    { if place.is_some() { "Next in the circle" } else { "Go round the circle" } }
                </button>
            }
            <ol class="hops">{ for waits.iter().map(item) }</ol>
        </section>
    }
}
