//! Watch, circuits: the networks of all compared algorithms side by side, under the same messages and the same clock.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::{HtmlCanvasElement, KeyboardEvent, PointerEvent};
use yew::prelude::*;

use super::Bench;
use super::plot::Plot;
use super::reservations::rail;
use super::transport::{Time, keys, transport, use_player};
use super::watch::{CubeProps, layout, question};
use crate::experiment::{CircuitWatch, Layout, Watched};
use crate::report::cube::Spot;
use crate::report::layout::MAX_WHOLE;
use crate::report::{circuits, palette, snapshot};
use crate::switching::CircuitOutcome;
use crate::topology::Link;
use crate::web::circuit_stage::{CircuitStage, Tick};
use crate::web::player::Player;
use crate::web::{canvas, dom};

/// The most networks that are shown.
const PANELS: usize = 4;

#[component]
pub(super) fn CircuitsWatch(props: &CubeProps) -> Html {
    let bench = &props.bench;
    let experiment = &bench.experiment;
    let tick = use_state_eq(Tick::default);
    let stage = use_memo((), {
        let tick = tick.clone();
        move |()| CircuitStage::new(Callback::from(move |now| tick.set(now)))
    });
    let watch = use_memo(question(experiment), {
        let (experiment, cell) = (Rc::clone(experiment), props.cell.clone());
        move |_| RefCell::new(CircuitWatch::new(&experiment, cell))
    });
    let panels = use_memo((), |()| std::array::from_fn::<_, PANELS, _>(|_| NodeRef::default()));
    let place = use_node_ref();
    use_stage(&stage, &watch, &panels, experiment.view.layout);
    let player: Rc<dyn Player> = Rc::<CircuitStage>::clone(&stage);
    use_player(&player, &place, bench.look, props.autoplay);
    let now = watch.borrow();
    let count = now.networks().len().min(PANELS);
    let index = tick.explained(&now).min(count.saturating_sub(1));
    let panel = |(index, network)| panel(bench, &stage, &watch, &panels, index, network);
    html! {
        <>
            <section class="stage" aria-label="The networks">
                { caption(&now) }
                <div ref={place} class={classes!("panels", (count > 1).then_some("panels--many"))}>
                    { for now.networks().iter().take(PANELS).enumerate().map(panel) }
                </div>
                if now.networks().len() > PANELS {
                    <p class="hint">{format!("Shown: the first {PANELS} of {} algorithms.", now.networks().len())}</p>
                }
                <p id="summary" class="hidden" aria-live="polite">{ mirror(&now, *tick) }</p>
                { transport(&player, time(*tick, &now)) }
                <div class="backlog">
                    <Plot id="backlog" figure={Some(Rc::new(circuits::backlog(&now)))} look={bench.look}
                        says="Messages waiting over time; the numbers of now are listed beside the networks" />
                </div>
                { tools(bench, &stage, &watch) }
            </section>
            <aside class="rail why" aria-label="Why it goes where it goes">
                { for now.networks().get(index).map(|network| rail(&stage, *tick, &now, (index, network))) }
            </aside>
        </>
    }
}

/// Connects stage, canvases and networks.
#[hook]
fn use_stage(
    stage: &Rc<CircuitStage>,
    watch: &Rc<RefCell<CircuitWatch>>,
    panels: &Rc<[NodeRef; PANELS]>,
    layout: Layout,
) {
    use_effect_with((Rc::as_ptr(watch) as usize, layout as u8), {
        let (stage, watch, panels) = (Rc::clone(stage), Rc::clone(watch), Rc::clone(panels));
        move |_| {
            let count = watch.borrow().networks().len().min(PANELS);
            stage.show(Some(Rc::clone(&watch)), panels.iter().take(count).cloned().collect(), layout);
        }
    });
    use_effect_with((), {
        let stage = Rc::clone(stage);
        move |()| move || stage.show(None, Vec::new(), layout)
    });
}

/// One sentence that says what one sees, and how to read it.
fn caption(watch: &CircuitWatch) -> Html {
    let ended = |network: &&Watched| network.circuits().outcome().is_some();
    let title = match watch.networks().iter().find(ended).map(|network| (network, network.circuits().outcome())) {
        Some((network, Some(CircuitOutcome::Deadlock(_)))) => {
            format!("Under {} messages wait for each other in a circle, for ever", network.algorithm.name)
        }
        Some((network, Some(CircuitOutcome::Unstable { .. }))) => {
            let mut others = watch.networks().iter().filter(|network| !ended(network));
            let other = others.next().filter(|_| others.next().is_none());
            let other = other.map(|other| format!("; {} carries the same messages on", other.algorithm.name));
            format!("Under {} the network has collapsed{}", network.algorithm.name, other.unwrap_or_default())
        }
        Some((network, _)) => format!("Under {} nothing moves any more", network.algorithm.name),
        None if watch.now() == 0.0 => "Messages are about to reserve their paths, link by link".into(),
        None => "Messages reserve their paths link by link, and wait for each other".into(),
    };
    html! {
        <div class="caption">
            <h2>{title}</h2>
            <p>{"Solid: a circuit that transmits. Dashed: a path that is held and waits; a bar across a link: messages wait \
                 for it. On a node: how many wait there."}</p>
        </div>
    }
}

/// What the canvases show, for people who do not see them; said only when time stands.
fn mirror(watch: &CircuitWatch, tick: Tick) -> String {
    if tick.playing {
        return String::new();
    }
    let networks: Vec<_> = watch.networks().iter().map(circuits::mirror).collect();
    let focus = tick.focus.and_then(|(panel, spot)| {
        let circuits = watch.networks().get(panel)?.circuits();
        Some(format!(" In focus: {}, {}.", spot.name(circuits.cube()), circuits::state(circuits, spot)))
    });
    format!("At time {:.2}. {}{}", watch.now(), networks.join(" "), focus.unwrap_or_default())
}

fn panel(
    bench: &Bench,
    stage: &Rc<CircuitStage>,
    watch: &Rc<RefCell<CircuitWatch>>,
    panels: &Rc<[NodeRef; PANELS]>,
    index: usize,
    network: &Watched,
) -> Html {
    let circuits = network.circuits();
    let (waiting, all) = (circuits.backlog(), circuits.in_network());
    let at = |event: &MouseEvent| (f64::from(event.offset_x()), f64::from(event.offset_y()));
    let hover = {
        let stage = Rc::clone(stage);
        Callback::from(move |event: PointerEvent| {
            stage.set_focus(stage.hit(index, at(&event), false).map(|spot| (index, spot)));
        })
    };
    let leave = {
        let stage = Rc::clone(stage);
        Callback::from(move |_: PointerEvent| stage.set_focus(None))
    };
    // A click, not the first touch: that may be the start of scrolling the page.
    let click = {
        let (bench, stage, watch) = (bench.clone(), Rc::clone(stage), Rc::clone(watch));
        Callback::from(move |event: MouseEvent| {
            if let Some(spot) = stage.hit(index, at(&event), dom::media("(pointer: coarse)")) {
                act(&bench, &stage, &watch, (index, spot));
            }
        })
    };
    let name = network.algorithm.name;
    html! {
        <figure key={index} class="panel">
            <figcaption>
                <i class={format!("swatch swatch--{}", index % 7)}></i><b>{name}</b>
                <span>{format!("{} transmit, {waiting} wait", all - waiting)}</span>
            </figcaption>
            <canvas ref={panels[index].clone()} class="network" tabindex="0" role="application"
                aria-label={format!("The network under {name}. Arrow keys move between nodes, L through the links of a node; Enter \
                    breaks or mends, or follows the message that holds a link; space plays.")}
                aria-describedby="summary" onclick={click} onpointermove={hover} onpointerleave={leave}
                onkeydown={panel_keys(bench, stage, watch, index)}></canvas>
        </figure>
    }
}

/// What a click or Enter does: follows the message that holds a link; breaks or mends what nobody holds.
fn act(bench: &Bench, stage: &CircuitStage, watch: &RefCell<CircuitWatch>, (panel, spot): (usize, Spot)) {
    let holder = match spot {
        Spot::Node(_) => None,
        Spot::Link(link) => {
            let watch = watch.borrow();
            watch.networks().get(panel).and_then(|network| network.circuits().holder(link)).map(|found| found.number())
        }
    };
    match holder {
        Some(number) => stage.choose(Some((panel, number))),
        None => toggle(bench, spot),
    }
}

/// Breaks or mends a node or link.
fn toggle(bench: &Bench, spot: Spot) {
    let next = match spot {
        Spot::Node(node) => bench.experiment.toggled(node),
        Spot::Link(Link { from, dim }) => bench.experiment.toggled_link(Link { from, dim }),
    };
    if let Some(next) = next {
        bench.edit.emit(next);
    }
}

fn panel_keys(
    bench: &Bench,
    stage: &Rc<CircuitStage>,
    watch: &Rc<RefCell<CircuitWatch>>,
    panel: usize,
) -> Callback<KeyboardEvent> {
    let (bench, stage, watch) = (bench.clone(), Rc::clone(stage), Rc::clone(watch));
    keys(Rc::<CircuitStage>::clone(&stage), move |key| {
        let focus = stage.focus().filter(|focus| focus.0 == panel);
        match (key, focus) {
            ("ArrowLeft", _) => stage.move_focus(panel, (-1.0, 0.0)),
            ("ArrowRight", _) => stage.move_focus(panel, (1.0, 0.0)),
            ("ArrowUp", _) => stage.move_focus(panel, (0.0, -1.0)),
            ("ArrowDown", _) => stage.move_focus(panel, (0.0, 1.0)),
            ("Escape", _) => {
                stage.set_focus(None);
                stage.choose(None);
            }
            ("l" | "L", Some(_)) => stage.next_link(),
            ("Enter", Some(focus)) => act(&bench, &stage, &watch, focus),
            ("b" | "B", Some((_, spot))) => toggle(&bench, spot),
            _ => return false,
        }
        true
    })
}

fn time(tick: Tick, watch: &CircuitWatch) -> Time {
    let (now, end) = (watch.now(), watch.end());
    Time {
        playing: tick.playing,
        step: "event",
        name: "Time",
        grain: "any",
        now,
        end,
        goes_on: watch.next_event().is_some(),
        said: format!("time {now:.2} of {end:.0}"),
        ends: Vec::new(),
        speed: tick.speed,
        speeds: ["-3", "9", "0.5"],
        unit: "transmission times",
    }
}

fn tools(bench: &Bench, stage: &Rc<CircuitStage>, watch: &Rc<RefCell<CircuitWatch>>) -> Html {
    let notes = format!("{}; time {}", crate::report::notes(&bench.experiment), watch.borrow().now());
    let save = |label: &'static str, act: fn(&Bench, &CircuitStage, &CircuitWatch, &str)| {
        let (bench, stage, watch, notes) = (bench.clone(), Rc::clone(stage), Rc::clone(watch), notes.clone());
        let onclick = Callback::from(move |_: MouseEvent| act(&bench, &stage, &watch.borrow(), &notes));
        html! { <button type="button" {onclick}>{label}</button> }
    };
    html! {
        <div class="figure-tools">
            if watch.borrow().cell.cube.dimension() <= MAX_WHOLE {
                { layout(bench) }
            } else {
                <p class="hint">{"Too large to draw node by node: the links of each dimension, together."}</p>
            }
            <div class="exports" role="group" aria-label="Export">
                { save("CSV", |bench, _, watch, _| {
                    dom::download("circuits.csv", "text/csv", &snapshot::csv(&bench.experiment, watch));
                }) }
                { save("JSON", |bench, _, watch, _| {
                    dom::download("circuits.json", "application/json", &snapshot::json(&bench.experiment, watch));
                }) }
                { save("SVG", |_, stage, _, notes| {
                    if let Some(scene) = stage.scene() {
                        dom::download("circuits.svg", "image/svg+xml", &scene.svg(palette::print_css, notes));
                    }
                }) }
                { save("PNG", |_, stage, _, notes| {
                    if let Some(scene) = stage.scene() {
                        let redraw = |copy: &HtmlCanvasElement, ratio| canvas::paint(copy, &scene, ratio);
                        canvas::save_png(scene.size, "circuits.png", notes, redraw);
                    }
                }) }
            </div>
        </div>
    }
}
