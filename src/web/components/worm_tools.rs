//! Below the meshes: what of them is shown, closure round by round, and the files to be had.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::Bench;
use super::exports::texts;
use super::picture::{export, save_png, save_svg};
use super::worms::Shared;
use crate::report::mesh::MeshView;
use crate::report::mesh_files;
use crate::web::worm_stage::{WormStage, WormTick};

pub(super) fn tools(bench: &Bench, stage: &Rc<WormStage>, tick: WormTick, watch: &Shared) -> Html {
    let check = |label: &'static str, title: &'static str, checked: bool, turn: fn(&mut WormTick)| {
        let stage = Rc::clone(stage);
        let onchange = Callback::from(move |_: Event| stage.set(turn));
        html! { <label class="check" {title}><input type="checkbox" {checked} {onchange} /><span>{label}</span></label> }
    };
    let zoom = |label: &'static str, name: &'static str, factor: f64| {
        let stage = Rc::clone(stage);
        let onclick = Callback::from(move |_: MouseEvent| stage.zoom(factor));
        html! { <button type="button" {onclick} aria-label={name} title={name}>{label}</button> }
    };
    let file = |write: fn(&crate::experiment::Experiment, &crate::experiment::WormWatch) -> String| {
        let (experiment, watch) = (Rc::clone(&bench.experiment), Rc::clone(watch));
        move || write(&experiment, &watch.borrow())
    };
    let picture = |label: &'static str,
                   save: fn(&str, &crate::report::scene::Scene, &crate::experiment::Experiment)| {
        let (stage, experiment) = (Rc::clone(stage), Rc::clone(&bench.experiment));
        export(label, move || {
            if let Some(scene) = stage.scene() {
                save("worms", &scene, &experiment);
            }
        })
    };
    html! {
        <div class="figure-tools">
            <div class="looks">
                { check("Heat map", "How much each channel has been used since cycle 0, as width and colour", tick.heat, |now| now.heat = !now.heat) }
                if watch.borrow().faults.mesh().is_plane() {
                    { check("Positions", "Where nodes stand on fault rings: N, NE, E …", tick.positions, |now| now.positions = !now.positions) }
                }
                <span class="pair" role="group" aria-label="Zoom">
                    { zoom("−", "Zoom out ( - )", 0.5) }{ zoom("+", "Zoom in ( + )", 2.0) }
                </span>
                if watch.borrow().faults.mesh().dimensions() > 2 {
                    { views(stage, tick) }
                }
                { closure(stage, tick, watch) }
            </div>
            <div class="exports" role="group" aria-label="Export">
                { texts("worms", file(mesh_files::csv), file(mesh_files::json)) }
                { picture("SVG", save_svg) }
                { picture("PNG", save_png) }
            </div>
        </div>
    }
}

/// Slices or a solid: how a mesh of more than two dimensions is seen.
fn views(stage: &Rc<WormStage>, tick: WormTick) -> Html {
    let view = |name: &'static str, title: &'static str, view: MeshView| {
        let stage = Rc::clone(stage);
        let onclick = Callback::from(move |_: MouseEvent| stage.see(view));
        let pressed = (tick.view == MeshView::Slices) == (view == MeshView::Slices);
        html! { <button type="button" {onclick} {title} aria-pressed={pressed.to_string()}>{name}</button> }
    };
    html! {
        <span class="pair" role="group" aria-label="View">
            { view("Slices", "Panels beside each other, each a plane of the mesh", MeshView::Slices) }
            { view("Solid", "In space: drag it to turn it, or press W, A, S, D", MeshView::SOLID) }
        </span>
    }
}

/// Steps through the rounds of block closure, if there were any.
fn closure(stage: &Rc<WormStage>, tick: WormTick, watch: &Shared) -> Html {
    let watch = watch.borrow();
    let rounds = watch.faults.rounds();
    if rounds.is_empty() {
        return html! {};
    }
    let round = tick.rounds.min(rounds.len());
    let oninput = {
        let stage = Rc::clone(stage);
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            if let Ok(round) = input.value().parse() {
                stage.set(|now| now.rounds = round);
            }
        })
    };
    let said = match round.checked_sub(1).and_then(|last| rounds.get(last)) {
        None => "faults as they were given".to_owned(),
        Some(made) => format!("round {round} of {}: {} more faulty", rounds.len(), made.len()),
    };
    let play = {
        let (stage, last) = (Rc::clone(stage), rounds.len());
        Callback::from(move |_: MouseEvent| {
            stage.set(|now| now.rounds = 0);
            next_round(Rc::clone(&stage), 1, last);
        })
    };
    html! {
        <span class="closure">
            <button type="button" onclick={play} title="Show closure round by round, from the faults as they were given">{"Closure ▸"}</button>
            <input type="range" min="0" max={rounds.len().to_string()} value={round.to_string()} {oninput}
                aria-label="Round of closure" aria-valuetext={said.clone()} /><output>{said}</output>
        </span>
    }
}

/// Milliseconds between rounds of closure.
const ROUND: u32 = 700;

/// Shows round number `round` in a while, and then the next, up to the last.
fn next_round(stage: Rc<WormStage>, round: usize, last: usize) {
    Timeout::new(ROUND, move || {
        stage.set(|now| now.rounds = round);
        if round < last {
            next_round(stage, round + 1, last);
        }
    })
    .forget();
}
