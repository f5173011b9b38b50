//! Watch: the network on a canvas, messages moving, and why they go where they go.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use web_sys::{HtmlCanvasElement, KeyboardEvent, PointerEvent};
use yew::prelude::*;

use super::Bench;
use super::circuits::CircuitsWatch;
use super::deliveries::DeliveriesWatch;
use super::exports::texts;
use super::field::ChoiceField;
use super::pairs::PairsWatch;
use super::relations::RelationsWatch;
use super::transport::{Time, keys, transport, use_player};
use super::worms::WormsWatch;
use crate::experiment::{CubeCell, Experiment, Instance, Layout, Trace};
use crate::report::{csv, json, palette, words};
use crate::switching::{Outcome, Switching};
use crate::topology::NodeId;
use crate::web::canvas;
use crate::web::dom;
use crate::web::player::Player;
use crate::web::stage::{Clock, Stage};

#[derive(Clone, Properties, PartialEq)]
pub(super) struct Props {
    pub(super) bench: Bench,
    /// Whether time runs at once.
    pub(super) autoplay: bool,
}

/// What a view of a hypercube is given.
#[derive(Clone, Properties, PartialEq)]
pub(super) struct CubeProps {
    pub(super) bench: Bench,
    /// Whether time runs at once.
    pub(super) autoplay: bool,
    /// The point that is watched.
    pub(super) cell: CubeCell,
}

/// What decides an instance: the question and the number of the pattern.
pub(super) fn question(experiment: &Experiment) -> String {
    let mut asked = experiment.clone();
    asked.view = crate::experiment::View { sample: experiment.view.sample, ..Experiment::default().view };
    asked.to_string()
}

/// What moves in the network.
#[component]
pub(super) fn Watch(props: &Props) -> Html {
    let Props { bench, autoplay } = props.clone();
    match (bench.experiment.switching, CubeCell::new(&bench.experiment, None)) {
        (Switching::Message, Some(cell)) => html! { <MessageWatch {bench} {autoplay} {cell} /> },
        (Switching::Circuit, Some(cell)) => html! { <CircuitsWatch {bench} {autoplay} {cell} /> },
        (Switching::Pairs, Some(_)) => html! { <PairsWatch {bench} /> },
        (Switching::Delivery, _) => html! { <DeliveriesWatch {bench} {autoplay} /> },
        (switching, Some(_)) if switching.is_oblivious() => html! { <RelationsWatch {bench} {autoplay} /> },
        _ => html! { <WormsWatch {bench} {autoplay} /> },
    }
}

#[component]
fn MessageWatch(props: &CubeProps) -> Html {
    let bench = &props.bench;
    let experiment = &bench.experiment;
    let canvas = use_node_ref();
    let clock = use_state_eq(Clock::default);
    let shown = use_state_eq(|| 0usize);
    let stage = use_memo((), {
        let clock = clock.clone();
        move |()| Stage::new(Callback::from(move |now| clock.set(now)))
    });
    let instance = use_memo(question(experiment), {
        let (experiment, cell) = (Rc::clone(experiment), props.cell.clone());
        move |_| RefCell::new(Instance::new(&experiment, cell))
    });
    use_stage(&stage, &canvas, &instance, experiment.view.layout);
    let player: Rc<dyn Player> = Rc::<Stage>::clone(&stage);
    use_player(&player, &canvas, bench.look, props.autoplay);

    let index = (*shown).min(experiment.routing.len() - 1);
    let trace = instance.borrow().traces[index].clone();
    html! {
        <>
            <section class="stage" aria-label="The network">
                { caption(&mut instance.borrow_mut(), &trace) }
                <canvas ref={canvas.clone()} class="network" tabindex="0" role="application"
                    aria-label="The network. Arrow keys move between nodes, Enter breaks or mends, space plays."
                    aria-describedby="summary"
                    onclick={click(bench, &stage)} onpointermove={hover(&stage)}
                    onpointerleave={Callback::from({ let stage = Rc::clone(&stage); move |_: PointerEvent| stage.set_focus(None) })}
                    onkeydown={network_keys(bench, &stage)}></canvas>
                <p id="summary" class="hidden" aria-live="polite">{ mirror(&mut instance.borrow_mut(), &trace, *clock) }</p>
                { transport(&player, time(*clock, &instance.borrow())) }
                { tools(bench, &stage, &canvas, &instance) }
            </section>
            <aside class="rail why" aria-label="Why it goes where it goes">
                { series(bench, &instance.borrow(), index, &shown) }
                { reasons(&mut instance.borrow_mut(), &trace, index, *clock, &stage) }
                { outcome(&instance.borrow(), &trace) }
            </aside>
        </>
    }
}

/// Connects stage, canvas and instance.
#[hook]
fn use_stage(stage: &Rc<Stage>, canvas: &NodeRef, instance: &Rc<RefCell<Instance>>, layout: Layout) {
    use_effect_with((), {
        let (stage, canvas) = (Rc::clone(stage), canvas.clone());
        move |()| {
            stage.attach(canvas.cast::<HtmlCanvasElement>());
            move || stage.attach(None)
        }
    });
    use_effect_with((Rc::as_ptr(instance) as usize, layout as u8), {
        let (stage, instance) = (Rc::clone(stage), Rc::clone(instance));
        move |_| stage.show(Rc::clone(&instance), layout)
    });
}

/// One sentence that says what one sees.
fn caption(instance: &mut Instance, trace: &Trace) -> Html {
    let detours = trace.hops.iter().filter(|hop| hop.rule.is_detour()).count() as u32;
    let title = match (trace.outcome, detours) {
        (Outcome::Delivered, 0) => "The message finds a minimal path".to_owned(),
        (Outcome::Delivered, 1) => "Blocked once, the message steps aside and arrives".to_owned(),
        (Outcome::Delivered, n) => format!("Blocked {n} times, the message still arrives"),
        (Outcome::LimitReached, _) if trace.trap.as_ref().is_some_and(|trap| trap.nodes.len() == 2) => {
            "The message tunnels: it will bounce here for ever".to_owned()
        }
        (Outcome::LimitReached, _) if trace.trap.is_some() => {
            "The message is caught where no path leads out".to_owned()
        }
        (Outcome::LimitReached, _) => "The message wanders until its path limit".to_owned(),
        (Outcome::Lost, _) => "Sent blindly into a faulty node, the message is lost".to_owned(),
        (Outcome::BlockedAtSource, _) => "The source itself is blocked".to_owned(),
        (Outcome::Blocked, _) => "The message meets a node with no way on".to_owned(),
        (Outcome::Disconnected, _) => "No path is left at all".to_owned(),
    };
    html! {
        <div class="caption">
            <h2>{title}</h2>
            <p>{trace.algorithm.summary}{" "}{words::ending(&instance.cell, trace)}</p>
        </div>
    }
}

/// What the canvas shows, for people who do not see it.
fn mirror(instance: &mut Instance, trace: &Trace, clock: Clock) -> String {
    let cell = instance.cell.clone();
    let here = words::node(cell.cube, trace.at(clock.hop, cell.ends.from));
    let focus = clock.focus.map(|node| {
        let state = if instance.is_faulty(node) { "faulty" } else { "live" };
        format!(" In focus: node {}, {state}.", words::node(cell.cube, node))
    });
    // Said only when time stands: a voice that reads every hop is of no use.
    let position =
        if clock.playing { String::new() } else { format!(" After hop {} the message is at {here}.", clock.hop) };
    format!("{}-cube.{position} {}{}", cell.cube.dimension(), words::ending(&cell, trace), focus.unwrap_or_default())
}

fn time(clock: Clock, instance: &Instance) -> Time {
    let length = instance.traces.iter().map(|trace| trace.hops.len()).max().unwrap_or(0);
    Time {
        playing: clock.playing,
        step: "hop",
        name: "Hop",
        grain: "1",
        now: clock.hop as f64,
        end: length as f64,
        goes_on: clock.hop < length,
        said: format!("hop {} of {length}", clock.hop),
        ends: Vec::new(),
        speed: clock.speed,
        speeds: ["-1", "6", "0.25"],
        unit: "hops",
    }
}

fn tools(bench: &Bench, stage: &Rc<Stage>, canvas: &NodeRef, instance: &Rc<RefCell<Instance>>) -> Html {
    let notes = crate::report::notes(&bench.experiment);
    let svg = {
        let (stage, notes) = (Rc::clone(stage), notes.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(scene) = stage.scene() {
                dom::download("network.svg", "image/svg+xml", &scene.svg(palette::print_css, &notes));
            }
        })
    };
    let png = {
        let (stage, canvas, notes) = (Rc::clone(stage), canvas.clone(), notes.clone());
        Callback::from(move |_: MouseEvent| {
            if let (Some(element), Some(scene)) = (canvas.cast::<HtmlCanvasElement>(), stage.scene()) {
                let redraw = |copy: &HtmlCanvasElement, ratio| canvas::paint(copy, &scene, ratio);
                canvas::save_png(canvas::size(&element), "network.png", &notes, redraw);
            }
        })
    };
    let route = |write: fn(&Experiment, &mut Instance) -> String| {
        let (experiment, instance) = (Rc::clone(&bench.experiment), Rc::clone(instance));
        move || write(&experiment, &mut instance.borrow_mut())
    };
    let whole = instance.borrow().cell.cube.dimension() <= crate::report::layout::MAX_WHOLE;
    html! {
        <div class="figure-tools">
            if whole {
                { layout(bench) }
            } else {
                <p class="hint">{"Shown: the nodes that the message has seen, in layers by distance from the destination."}</p>
            }
            <div class="exports" role="group" aria-label="Export">
                { texts("route", route(csv::routes), route(json::routes)) }
                <button type="button" onclick={svg}>{"SVG"}</button>
                <button type="button" onclick={png}>{"PNG"}</button>
            </div>
        </div>
    }
}

/// How the cube is laid out.
pub(super) fn layout(bench: &Bench) -> Html {
    let commit = {
        let bench = bench.clone();
        Callback::from(move |name: String| {
            bench.edited(|next| {
                if let Some((layout, _)) = Layout::ALL.iter().find(|(_, known)| *known == name) {
                    next.view.layout = *layout;
                }
            });
        })
    };
    let names = [("layers", "layers by distance"), ("cube", "projected cube"), ("grid", "Gray-code grid")];
    let options = names.map(|(value, name)| (value.into(), name.into())).to_vec();
    let current =
        Layout::ALL.iter().find(|(layout, _)| *layout == bench.experiment.view.layout).map_or("layers", |l| l.1);
    html! { <ChoiceField label="Layout" {options} value={current} {commit} /> }
}

fn toggle(bench: &Bench, node: NodeId) {
    match bench.experiment.toggled(node) {
        Some(next) => bench.edit.emit(next),
        None => {
            bench.refuse.emit("Source and destination are live by assumption: move them to break this node.".into())
        }
    }
}

/// A click, not the first touch: that may be the start of scrolling the page.
fn click(bench: &Bench, stage: &Rc<Stage>) -> Callback<MouseEvent> {
    let (bench, stage) = (bench.clone(), Rc::clone(stage));
    Callback::from(move |event: MouseEvent| {
        let point = (f64::from(event.offset_x()), f64::from(event.offset_y()));
        if let Some(node) = stage.node_at(point, dom::media("(pointer: coarse)")) {
            toggle(&bench, node);
        }
    })
}

fn hover(stage: &Rc<Stage>) -> Callback<PointerEvent> {
    let stage = Rc::clone(stage);
    Callback::from(move |event: PointerEvent| {
        stage.set_focus(stage.node_at((f64::from(event.offset_x()), f64::from(event.offset_y())), false));
    })
}

fn network_keys(bench: &Bench, stage: &Rc<Stage>) -> Callback<KeyboardEvent> {
    let (bench, player) = (bench.clone(), Rc::<Stage>::clone(stage));
    let stage = Rc::clone(stage);
    keys(player, move |key| {
        match key {
            "ArrowLeft" => stage.move_focus((-1.0, 0.0)),
            "ArrowRight" => stage.move_focus((1.0, 0.0)),
            "ArrowUp" => stage.move_focus((0.0, -1.0)),
            "ArrowDown" => stage.move_focus((0.0, 1.0)),
            "Escape" => stage.set_focus(None),
            "Enter" => {
                if let Some(node) = stage.focus() {
                    toggle(&bench, node);
                }
            }
            _ => return false,
        }
        true
    })
}

/// Which of the compared messages is explained.
fn series(bench: &Bench, instance: &Instance, index: usize, shown: &UseStateHandle<usize>) -> Html {
    if bench.experiment.routing.len() < 2 {
        return html! {};
    }
    let item = |(place, trace): (usize, &Arc<Trace>)| {
        let shown = shown.clone();
        let onclick = Callback::from(move |_: MouseEvent| shown.set(place));
        html! {
            <button type="button" {onclick} aria-pressed={(place == index).to_string()}>
                <i class={format!("swatch swatch--{}", place % 7)}></i>
                <span>{trace.algorithm.name}</span>
                <small>{ending_word(trace)}</small>
            </button>
        }
    };
    html! { <div class="series" role="group" aria-label="Messages">{ for instance.traces.iter().enumerate().map(item) }</div> }
}

fn ending_word(trace: &Trace) -> String {
    match trace.outcome {
        Outcome::Delivered => words::count(trace.hops.len() as u32, "hop"),
        other => other.id().replace('-', " "),
    }
}

/// The most hops listed at once.
const LISTED: usize = 60;

fn reasons(instance: &mut Instance, trace: &Trace, index: usize, clock: Clock, stage: &Rc<Stage>) -> Html {
    let first = clock.hop.saturating_sub(LISTED / 2).min(trace.hops.len().saturating_sub(LISTED));
    let last = (first + LISTED).min(trace.hops.len());
    let cube = instance.cell.cube;
    let mut item = |number: usize| {
        let hop = trace.hops[number];
        let stage = Rc::clone(stage);
        let onclick = Callback::from(move |_: MouseEvent| stage.seek((number + 1) as f64));
        let current = (number + 1 == clock.hop).then_some("step");
        let kind = if hop.rule.is_detour() { "detour".to_owned() } else { (index % 7).to_string() };
        html! {
            <li key={number}>
                <button type="button" {onclick} aria-current={current}>
                    <i class={format!("badge badge--{kind}")}>{number + 1}</i>
                    <span>{"to "}<code>{words::node(cube, hop.to)}</code><small>{words::reason(instance, trace, number)}</small></span>
                </button>
            </li>
        }
    };
    html! {
        <section>
            <h3>{"Why it goes where it goes"}</h3>
            if first > 0 { <p class="hint">{format!("{first} hops before these")}</p> }
            <ol class="hops">{ for (first..last).map(&mut item) }</ol>
            if last < trace.hops.len() { <p class="hint">{format!("{} more hops", trace.hops.len() - last)}</p> }
            if trace.hops.is_empty() { <p class="hint">{words::ending(&instance.cell, trace)}</p> }
        </section>
    }
}

fn outcome(instance: &Instance, trace: &Trace) -> Html {
    let detours = trace.hops.iter().filter(|hop| hop.rule.is_detour()).count();
    let facts = [
        ("Outcome", trace.outcome.id().replace('-', " ")),
        ("Hops", trace.hops.len().to_string()),
        ("Minimal", instance.cell.distance().to_string()),
        ("Times blocked", detours.to_string()),
        ("Path limit", instance.cell.limit.to_string()),
    ];
    html! {
        <section>
            <h3>{"Outcome"}</h3>
            <dl class="facts">
                { for facts.into_iter().map(|(name, value)| html! { <div><dt>{name}</dt><dd>{value}</dd></div> }) }
            </dl>
        </section>
    }
}
