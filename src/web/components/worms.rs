//! Watch, worms: the meshes of all compared algorithms side by side, under the same faults, messages and clock.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::{KeyboardEvent, PointerEvent};
use yew::prelude::*;

use super::Bench;
use super::plot::Plot;
use super::transport::{Time, keys, transport, use_player};
use super::watch::{Props, question};
use super::worm_log::rail;
use super::worm_tools::tools;
use crate::experiment::{WatchedWorms, WormWatch};
use crate::report::cube::Spot;
use crate::report::{mesh, mesh_told, worm_words};
use crate::topology::{Mesh, Port};
use crate::web::dom;
use crate::web::player::Player;
use crate::web::worm_stage::{WormStage, WormTick};

/// The most networks that are shown.
const PANELS: usize = 4;

/// How far a key turns a solid, in radians.
const TURN: f64 = 0.12;

/// The watch, shared with the stage.
pub(super) type Shared = Rc<RefCell<WormWatch>>;

#[component]
pub(super) fn WormsWatch(props: &Props) -> Html {
    let bench = &props.bench;
    let tick = use_state_eq(WormTick::default);
    let stage = use_memo((), {
        let tick = tick.clone();
        move |()| WormStage::new(Callback::from(move |now| tick.set(now)))
    });
    let watch = use_memo(question(&bench.experiment), {
        let experiment = Rc::clone(&bench.experiment);
        move |_| {
            let is_drawn = experiment.mesh().is_none_or(|mesh| mesh.nodes() <= Mesh::MAX_DRAWN);
            is_drawn.then(|| WormWatch::new(&experiment))?.map(|watch| Rc::new(RefCell::new(watch)))
        }
    });
    let panels = use_memo((), |()| std::array::from_fn::<_, PANELS, _>(|_| NodeRef::default()));
    let place = use_node_ref();
    use_stage(&stage, &watch, &panels);
    let player: Rc<dyn Player> = Rc::<WormStage>::clone(&stage);
    use_player(&player, &place, bench.look, props.autoplay);
    let Some(watch) = &*watch else { return nothing(&place, bench) };
    let now = watch.borrow();
    let count = now.networks().len().min(PANELS);
    let index = tick.explained().min(count.saturating_sub(1));
    let panel = |(index, network)| panel(bench, &stage, &panels, index, network);
    html! {
        <>
            <section class="stage" aria-label="The networks">
                { caption(&now, *tick) }
                <div ref={place} class={classes!("panels", "panels--mesh", (count > 1).then_some("panels--many"))}
                    style={ratio(now.faults.mesh(), *tick)}>
                    { for now.networks().iter().take(PANELS).enumerate().map(panel) }
                </div>
                if now.networks().len() > PANELS {
                    <p class="hint">{format!("Shown: the first {PANELS} of {} algorithms.", now.networks().len())}</p>
                }
                <p id="summary" class="hidden" aria-live="polite">{ mirror(&now, *tick) }</p>
                { transport(&player, time(*tick, &now)) }
                <div class="backlog">
                    <Plot id="backlog" figure={Some(Rc::new(mesh_told::history(&now)))} look={bench.look}
                        says="Messages in the network over time; the numbers of now are listed beside the networks" />
                </div>
                { tools(bench, &stage, *tick, watch) }
            </section>
            <aside class="rail why" aria-label="Why it goes where it goes">
                { rail(&stage, *tick, &now, index) }
            </aside>
        </>
    }
}

fn nothing(place: &NodeRef, bench: &Bench) -> Html {
    let large = bench.experiment.mesh().filter(|mesh| mesh.nodes() > Mesh::MAX_DRAWN);
    html! {
        <section ref={place} class="stage stage--wide" aria-label="The networks">
            <div class="caption">
                if let Some(large) = large {
                    <h2>{format!("{} nodes: {} {}", large.nodes(), mesh::TOO_LARGE, mesh::MEASURED)}</h2>
                    <p>{format!("Up to {} nodes are drawn. Take a smaller mesh, or go on to Measure.", Mesh::MAX_DRAWN)}</p>
                } else {
                    <h2>{"Nothing can move here"}</h2>
                    <p>{"No set of so many isolated faults was found on this mesh, or the faults leave nobody to send to. Take \
                         fewer faults, or a larger mesh."}</p>
                }
            </div>
        </section>
    }
}

/// Connects stage, canvases and networks.
#[hook]
fn use_stage(stage: &Rc<WormStage>, watch: &Rc<Option<Shared>>, panels: &Rc<[NodeRef; PANELS]>) {
    use_effect_with(Rc::as_ptr(watch) as usize, {
        let (stage, watch, panels) = (Rc::clone(stage), Rc::clone(watch), Rc::clone(panels));
        move |_| {
            let count = watch.as_ref().as_ref().map_or(0, |watch| watch.borrow().networks().len().min(PANELS));
            stage.show((*watch).clone(), panels.iter().take(count).cloned().collect());
        }
    });
    use_effect_with((), {
        let stage = Rc::clone(stage);
        move |()| move || stage.show(None, Vec::new())
    });
}

/// The shape of the canvases.
fn ratio(mesh: Mesh, tick: WormTick) -> String {
    let (width, height) = mesh::ratio(mesh, tick.view);
    format!("--ratio: {width} / {height}")
}

/// One sentence that says what one sees, and how to read it.
fn caption(watch: &WormWatch, tick: WormTick) -> Html {
    const WORMS: &str = "Worms hold virtual channels, flit by flit; each link is two one-way channels. Amber, with a square \
                         head: on its way around faults. Bars on nodes: messages still leaving. ";
    html! {
        <div class="caption">
            <h2>{mesh_told::title(watch)}</h2>
            <p>{if tick.heat { mesh_told::heat(watch) } else { WORMS.into() }}
                { for mesh_told::view(watch.faults.mesh(), tick.view) }
                { for mesh_told::faults(&watch.faults) }
                { for mesh_told::unproved(watch) }</p>
        </div>
    }
}

/// What the canvases show, for people who do not see them; said only when time stands.
fn mirror(watch: &WormWatch, tick: WormTick) -> String {
    if tick.playing {
        return String::new();
    }
    let mut said = format!("At cycle {}.", watch.now());
    for network in watch.networks() {
        said.push(' ');
        said.push_str(&mesh_told::mirror(network));
    }
    if let Some((network, spot)) = tick.focus.and_then(|(panel, spot)| Some((watch.networks().get(panel)?, spot))) {
        said.push_str(" In focus: ");
        said.push_str(&worm_words::spot(network.worms(), spot));
        said.push('.');
    }
    said
}

fn panel(
    bench: &Bench,
    stage: &Rc<WormStage>,
    panels: &Rc<[NodeRef; PANELS]>,
    index: usize,
    network: &WatchedWorms,
) -> Html {
    let at = |event: &MouseEvent| (f64::from(event.offset_x()), f64::from(event.offset_y()));
    // A finger only turns: where there is nothing to turn, it scrolls the page.
    let dragged = move |event: &PointerEvent, stage: &WormStage| {
        let drags = event.buttons() & 1 == 1 && (event.pointer_type() == "mouse" || stage.turns());
        drags.then(|| at(event))
    };
    let hover = {
        let stage = Rc::clone(stage);
        Callback::from(move |event: PointerEvent| {
            if !stage.drag(index, dragged(&event, &stage)) {
                stage.set_focus(stage.hit(index, at(&event), false).map(|spot| (index, spot)));
            }
        })
    };
    let leave = {
        let stage = Rc::clone(stage);
        Callback::from(move |_: PointerEvent| {
            stage.drag(index, None);
            stage.set_focus(None);
        })
    };
    // A click, not the first touch: that may be the start of scrolling the page.
    let click = {
        let (bench, stage) = (bench.clone(), Rc::clone(stage));
        Callback::from(move |event: MouseEvent| {
            if stage.was_dragged() {
                return;
            }
            let point = at(&event);
            let message = stage.message_at(index, point);
            match (message, stage.hit(index, point, dom::media("(pointer: coarse)"))) {
                (Some(number), _) => stage.set(|now| now.chosen = Some((index, number))),
                (None, Some(spot)) => toggle(&bench, spot),
                (None, None) => {}
            }
        })
    };
    let name = network.algorithm.name;
    html! {
        <figure key={index} class="panel">
            <figcaption>
                <i class={format!("swatch swatch--{}", index % 7)}></i><b>{name}</b>
                <span>{format!("{} in the network", network.journeys().len())}</span>
            </figcaption>
            <canvas ref={panels[index].clone()} class="network" tabindex="0" role="application"
                aria-label={format!("The mesh under {name}. Arrow keys move between nodes, digits along a dimension, L through \
                    the links of a node; Enter breaks or mends, or follows a message that holds a link; B breaks a link that \
                    is held; space plays, comma and full stop step, plus and minus zoom, W A S D turn a solid.")}
                aria-describedby="summary" onclick={click} onpointermove={hover} onpointerleave={leave}
                onkeydown={panel_keys(bench, stage, index)}></canvas>
        </figure>
    }
}

/// Breaks or mends a node or link.
fn toggle(bench: &Bench, spot: Spot) {
    let next = match spot {
        Spot::Node(node) => bench.experiment.toggled(node),
        Spot::Link(link) => bench.experiment.toggled_link(link),
    };
    if let Some(next) = next {
        bench.edit.emit(next);
    }
}

fn panel_keys(bench: &Bench, stage: &Rc<WormStage>, panel: usize) -> Callback<KeyboardEvent> {
    let (bench, stage) = (bench.clone(), Rc::clone(stage));
    keys(Rc::<WormStage>::clone(&stage), move |key| {
        let focus = stage.focus().filter(|focus| focus.0 == panel).map(|focus| focus.1);
        match (key, focus) {
            ("ArrowLeft", _) => stage.move_focus(panel, Port::WEST),
            ("ArrowRight", _) => stage.move_focus(panel, Port::EAST),
            ("ArrowUp", _) => stage.move_focus(panel, Port::NORTH),
            ("ArrowDown", _) => stage.move_focus(panel, Port::SOUTH),
            ("w" | "a" | "s" | "d", _) if stage.turns() => stage.turn(match key {
                "w" => (0.0, -TURN),
                "s" => (0.0, TURN),
                "a" => (-TURN, 0.0),
                _ => (TURN, 0.0),
            }),
            ("0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9", _) => {
                stage.move_along(panel, key.parse().unwrap_or_default());
            }
            ("+" | "=", _) => stage.zoom(2.0),
            ("-", _) => stage.zoom(0.5),
            ("Escape", _) => stage.set(|now| (now.focus, now.chosen) = (None, None)),
            ("l" | "L", Some(_)) => stage.next_link(),
            ("Enter", Some(spot)) => enter(&bench, &stage, panel, spot),
            ("b" | "B", Some(spot)) => toggle(&bench, spot),
            _ => return false,
        }
        true
    })
}

/// What Enter does: follows a message that holds a link; breaks or mends what nobody holds.
fn enter(bench: &Bench, stage: &WormStage, panel: usize, spot: Spot) {
    let held = match spot {
        Spot::Node(_) => None,
        Spot::Link(link) => stage.message_on(panel, link),
    };
    match held {
        Some(number) => stage.set(|now| now.chosen = Some((panel, number))),
        None => toggle(bench, spot),
    }
}

fn time(tick: WormTick, watch: &WormWatch) -> Time {
    let (cycle, end) = (watch.now(), watch.end());
    Time {
        playing: tick.playing,
        step: "cycle",
        name: "Time",
        grain: "1",
        now: cycle as f64,
        end: end as f64,
        goes_on: cycle < end,
        said: format!("cycle {cycle} of {end}"),
        ends: watch.networks().iter().filter_map(WatchedWorms::end).collect(),
        speed: tick.speed,
        speeds: ["0", "12", "0.5"],
        unit: "cycles",
    }
}
