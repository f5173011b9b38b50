//! What views that go step by step have in common: panels side by side, which algorithm is explained, counts, pictures as files.

use std::rc::Rc;

use web_sys::{KeyboardEvent, PointerEvent};
use yew::prelude::*;

use super::Bench;
use super::picture::{export, point, save_png, save_svg};
use super::transport::keys;
use crate::experiment::Experiment;
use crate::report::scene::Scene;
use crate::web::dom;
use crate::web::step_stage::{Spot, StepStage, StepTick, Watched};

/// The most algorithms that are shown.
pub(super) const PANELS: usize = 4;

/// The canvases.
pub(super) type Canvases = Rc<[NodeRef; PANELS]>;

/// A stage that tells its news to the component, and its canvases.
#[hook]
pub(super) fn use_steps(tick: &UseStateHandle<StepTick>) -> (Rc<StepStage>, Canvases) {
    let stage = use_memo((), {
        let tick = tick.clone();
        move |()| StepStage::new(Callback::from(move |now| tick.set(now)))
    });
    let canvases = use_memo((), |()| std::array::from_fn::<_, PANELS, _>(|_| NodeRef::default()));
    (stage, canvases)
}

/// Connects stage, canvases and what is watched, which is another one whenever `identity` is.
#[hook]
pub(super) fn use_watched(stage: &Rc<StepStage>, canvases: &Canvases, watch: Option<Watched>, identity: usize) {
    use_effect_with(identity, {
        let (stage, canvases) = (Rc::clone(stage), Rc::clone(canvases));
        move |_| {
            let count = watch.as_ref().map_or(0, |watch| watch.borrow().names().len());
            stage.show(watch, canvases.iter().take(count).cloned().collect());
        }
    });
    use_effect_with((), {
        let stage = Rc::clone(stage);
        move |()| move || stage.show(None, Vec::new())
    });
}

/// What a click on a place does, or Enter; with the shift key, or F.
pub(super) type Act = Callback<(Spot, bool)>;

/// One algorithm's picture, under its name and a few words.
pub(super) fn panel(
    stage: &Rc<StepStage>,
    canvases: &Canvases,
    index: usize,
    (name, short, label): (&str, String, String),
    act: &Act,
) -> Html {
    let hover = {
        let stage = Rc::clone(stage);
        Callback::from(move |event: PointerEvent| {
            stage.set_focus(stage.hit(index, point(&event), false).map(|spot| (index, spot)));
        })
    };
    let leave = {
        let stage = Rc::clone(stage);
        Callback::from(move |_: PointerEvent| stage.set_focus(None))
    };
    // A click, not the first touch: that may be the start of scrolling the page.
    let click = {
        let (act, stage) = (act.clone(), Rc::clone(stage));
        Callback::from(move |event: MouseEvent| {
            if let Some(spot) = stage.hit(index, point(&event), dom::media("(pointer: coarse)")) {
                act.emit((spot, event.shift_key()));
            }
        })
    };
    html! {
        <figure key={index} class="panel">
            <figcaption>
                <i class={format!("swatch swatch--{}", index % 7)}></i><b>{name}</b><span>{short}</span>
            </figcaption>
            <canvas ref={canvases[index].clone()} class="network" tabindex="0" role="application" aria-label={label}
                aria-describedby="summary" onclick={click} onpointermove={hover} onpointerleave={leave}
                onkeydown={panel_keys(stage, index, act)}></canvas>
        </figure>
    }
}

fn panel_keys(stage: &Rc<StepStage>, panel: usize, act: &Act) -> Callback<KeyboardEvent> {
    let (act, stage) = (act.clone(), Rc::clone(stage));
    keys(Rc::<StepStage>::clone(&stage), move |key| {
        let focus = stage.focus().filter(|focus| focus.0 == panel).map(|focus| focus.1);
        match (key, focus) {
            ("ArrowLeft", _) => stage.move_focus(panel, (-1, 0)),
            ("ArrowRight", _) => stage.move_focus(panel, (1, 0)),
            ("ArrowUp", _) => stage.move_focus(panel, (0, -1)),
            ("ArrowDown", _) => stage.move_focus(panel, (0, 1)),
            ("Escape", _) => stage.set_focus(None),
            ("Enter", Some(spot)) => act.emit((spot, false)),
            ("f" | "F", Some(spot)) => act.emit((spot, true)),
            _ => return false,
        }
        true
    })
}

/// Which of the compared algorithms is explained.
pub(super) fn series(stage: &Rc<StepStage>, names: &[&'static str], index: usize) -> Html {
    if names.len() < 2 {
        return html! {};
    }
    let item = |(place, name): (usize, &&'static str)| {
        let stage = Rc::clone(stage);
        let onclick = Callback::from(move |_: MouseEvent| stage.set(|now| now.asked = place));
        html! {
            <button type="button" {onclick} aria-pressed={(place == index).to_string()}>
                <i class={format!("swatch swatch--{}", place % 7)}></i><span>{*name}</span>
            </button>
        }
    };
    let all = names.iter().take(PANELS).enumerate();
    html! { <div class="series" role="group" aria-label="Algorithms">{ for all.map(item) }</div> }
}

/// What has been counted, the algorithms side by side.
pub(super) fn counts(names: &[&'static str], rows: Vec<(&'static str, Vec<String>)>) -> Html {
    let head = |(place, name): (usize, &&'static str)| {
        html! { <th scope="col"><i class={format!("swatch swatch--{}", place % 7)}></i>{*name}</th> }
    };
    let row = |(name, values): (&'static str, Vec<String>)| {
        html! { <tr><th scope="row">{name}</th>{ for values.into_iter().map(|value| html! { <td>{value}</td> }) }</tr> }
    };
    html! {
        <section>
            <h3>{"Counted"}</h3>
            <div class="scroll"><table id="counts">
                <thead><tr><th></th>{ for names.iter().enumerate().map(head) }</tr></thead>
                <tbody>{ for rows.into_iter().map(row) }</tbody>
            </table></div>
        </section>
    }
}

/// The buttons that hand out the pictures, as `name`.svg and `name`.png.
pub(super) fn pictures(bench: &Bench, stage: &Rc<StepStage>, name: &'static str) -> Html {
    let picture = |label: &'static str, save: fn(&str, &Scene, &Experiment)| {
        let (stage, experiment) = (Rc::clone(stage), Rc::clone(&bench.experiment));
        export(label, move || {
            if let Some(scene) = stage.scene() {
                save(name, &scene, &experiment);
            }
        })
    };
    html! { <>{ picture("SVG", save_svg) }{ picture("PNG", save_png) }</> }
}
