//! Tools below the meshes: view options, and the rounds of block closure.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::report::files::file_name;
use crate::report::watch::{ViewState, Watch as _};
use crate::report::worm::play::WormPlay;
use crate::topology::NodeId;
use crate::web::dom;
use crate::web::stage::files::export;
use crate::web::stage::kind_view::{ViewContext, mesh_views};
use crate::web::stage::player::Player;

pub(crate) fn tools(around: &ViewContext, play: &Rc<RefCell<WormPlay>>) -> Html {
    let files = around.tick.shown.heat.then(|| heat_files(play));
    let play = play.borrow();
    let (shown, faults) = (&around.tick.shown, &play.watch().faults);
    let check = |label: &'static str, title: &'static str, checked: bool, change: fn(&mut ViewState)| {
        let onchange = around.onchange(change);
        html! { <label class="check" {title}><input type="checkbox" {checked} {onchange} /><span>{label}</span></label> }
    };
    html! {
        <div class="view-toggles">
            if !play.watch().networks().is_empty() {
                { check("Heat map", "Shows how much each channel has been used since cycle 0, as width and opacity", shown.heat, |now| now.heat = !now.heat) }
            }
            { for files }
            if faults.mesh().is_plane() {
                { check("Positions", "Shows the positions of nodes on fault rings: N, NE, E …", shown.positions, |now| now.positions = !now.positions) }
            }
            if faults.mesh().dimensions() > 2 {
                { mesh_views(around) }
            }
            { closure(around, faults.rounds()) }
        </div>
    }
}

/// Renders the export buttons of the numbers that the heat map shows.
fn heat_files(play: &Rc<RefCell<WormPlay>>) -> Html {
    let name = file_name::stem(play.borrow().experiment(), "channels");
    let save = |ending: &'static str, mime: &'static str, write: fn(&WormPlay) -> String| {
        let (play, name) = (Rc::clone(play), format!("{name}.{ending}"));
        move || dom::download(&name, mime, &write(&play.borrow()))
    };
    html! {
        <span class="exports" role="group" aria-label="Export the utilization of every channel">
            { export("Heat map as CSV", save("csv", "text/csv", WormPlay::heat_csv)) }
            { export("Heat map as JSON", save("json", "application/json", WormPlay::heat_json)) }
        </span>
    }
}

/// Renders the slider over the rounds of block closure, if there are any.
fn closure(around: &ViewContext, rounds: &[Vec<NodeId>]) -> Html {
    if rounds.is_empty() {
        return html! {};
    }
    let round = around.tick.shown.construction_step.unwrap_or(usize::MAX).min(rounds.len());
    let oninput = {
        let stage = Rc::clone(&around.stage);
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            if let Ok(round) = input.value().parse() {
                stage.set(|shown| shown.construction_step = Some(round));
            }
        })
    };
    let said = match round.checked_sub(1).and_then(|last| rounds.get(last)) {
        None => "original faults".to_owned(),
        Some(made) => format!("round {round} of {}: {} more faulty", rounds.len(), made.len()),
    };
    let play = {
        let (stage, last) = (Rc::clone(&around.stage), rounds.len());
        Callback::from(move |_: MouseEvent| {
            stage.set(|shown| shown.construction_step = Some(0));
            next_round(Rc::clone(&stage), 1, last);
        })
    };
    html! {
        <span class="stepper">
            <button type="button" onclick={play} title="Show closure round by round, from the original faults">{"Closure ▸"}</button>
            <input type="range" min="0" max={rounds.len().to_string()} value={round.to_string()} {oninput}
                aria-label="Round of closure" aria-valuetext={said.clone()} /><output>{said}</output>
        </span>
    }
}

/// Time between two rounds of closure, in milliseconds.
const ROUND_DELAY_MS: u32 = 700;

/// Shows round number `round` after a delay, and then the following rounds up to `last`.
fn next_round(stage: Rc<Player>, round: usize, last: usize) {
    Timeout::new(ROUND_DELAY_MS, move || {
        stage.set(|shown| shown.construction_step = Some(round));
        if round < last {
            next_round(stage, round + 1, last);
        }
    })
    .forget();
}
