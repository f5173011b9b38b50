//! Watch, whole permutations: the cube of every compared algorithm as a square of subcubes, under the same faults; routes laid
//! over each other, or worms that all start at once.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::{KeyboardEvent, PointerEvent};
use yew::prelude::*;

use super::Bench;
use super::exports::texts;
use super::picture::{export, point, save_png, save_svg};
use super::plot::Plot;
use super::relation_rail::rail;
use super::transport::{Time, keys, transport, use_player};
use super::watch::{Props, question};
use crate::experiment::{Experiment, RelationInstance, RelationWatch, WatchedBatch};
use crate::report::relation_files::{self, RelationView};
use crate::report::relation_told;
use crate::report::scene::Scene;
use crate::switching::BatchOutcome;
use crate::topology::NodeId;
use crate::web::dom;
use crate::web::player::Player;
use crate::web::relation_stage::{RelationStage, RelationTick};

/// The most algorithms that are shown.
const PANELS: usize = 4;

/// The watch, shared with the stage.
pub(super) type Shared = Rc<RefCell<RelationWatch>>;

#[component]
pub(super) fn RelationsWatch(props: &Props) -> Html {
    let bench = &props.bench;
    let tick = use_state_eq(RelationTick::default);
    let stage = use_memo((), {
        let tick = tick.clone();
        move |()| RelationStage::new(Callback::from(move |now| tick.set(now)))
    });
    let watch = use_memo(question(&bench.experiment), {
        let experiment = Rc::clone(&bench.experiment);
        move |_| RelationWatch::new(&experiment).map(|watch| Rc::new(RefCell::new(watch)))
    });
    let panels = use_memo((), |()| std::array::from_fn::<_, PANELS, _>(|_| NodeRef::default()));
    let place = use_node_ref();
    use_stage(&stage, &watch, &panels);
    let player: Rc<dyn Player> = Rc::<RelationStage>::clone(&stage);
    use_player(&player, &place, bench.look, props.autoplay);
    let Some(watch) = &*watch else { return html! { <section ref={place} class="stage stage--wide"></section> } };
    let now = watch.borrow();
    let all = now.instance.series.len();
    let count = all.min(PANELS);
    let index = tick.asked.min(count.saturating_sub(1));
    html! {
        <>
            <section class="stage" aria-label="The networks">
                <div class="caption">
                    <h2>{relation_told::title(&now)}</h2>
                    <p>{relation_told::subtitle(&now, index)}</p>
                </div>
                <div ref={place} class={classes!("panels", "panels--squares", (count > 1).then_some("panels--many"))}>
                    { for (0..count).map(|index| panel(bench, &stage, &panels, index, &now)) }
                </div>
                if all > PANELS { <p class="hint">{format!("Shown: the first {PANELS} of {all} algorithms.")}</p> }
                <p id="summary" class="hidden" aria-live="polite">{ mirror(&now, index, *tick) }</p>
                { transport(&player, time(*tick, &now)) }
                if now.is_batch() {
                    <div class="backlog">
                        <Plot id="arrived" figure={Some(Rc::new(relation_told::arrivals(&now)))} look={bench.look}
                            says="Messages that have arrived, over time; the numbers of now are listed beside the networks" />
                    </div>
                }
                { tools(bench, &stage, *tick, watch) }
            </section>
            <aside class="rail why" aria-label="Why it goes where it goes">
                { rail(bench, &stage, *tick, &now, index) }
            </aside>
        </>
    }
}

/// Connects stage, canvases and networks.
#[hook]
fn use_stage(stage: &Rc<RelationStage>, watch: &Rc<Option<Shared>>, panels: &Rc<[NodeRef; PANELS]>) {
    use_effect_with(Rc::as_ptr(watch) as usize, {
        let (stage, watch, panels) = (Rc::clone(stage), Rc::clone(watch), Rc::clone(panels));
        move |_| {
            let count = watch.as_ref().as_ref().map_or(0, |watch| watch.borrow().instance.series.len());
            stage.show((*watch).clone(), panels.iter().take(count).cloned().collect());
        }
    });
    use_effect_with((), {
        let stage = Rc::clone(stage);
        move |()| move || stage.show(None, Vec::new())
    });
}

/// What the canvases show, for people who do not see them; said only when time stands.
fn mirror(watch: &RelationWatch, index: usize, tick: RelationTick) -> String {
    if tick.playing {
        return String::new();
    }
    let mut said = relation_told::mirror(watch, index);
    if let Some((panel, node)) = tick.focus {
        said.push_str(" In focus: ");
        said.push_str(&relation_told::spot(watch, panel, node));
    }
    said
}

fn panel(
    bench: &Bench,
    stage: &Rc<RelationStage>,
    panels: &Rc<[NodeRef; PANELS]>,
    index: usize,
    watch: &RelationWatch,
) -> Html {
    let hover = {
        let stage = Rc::clone(stage);
        Callback::from(move |event: PointerEvent| {
            stage.set_focus(stage.hit(index, point(&event), false).map(|node| (index, node)));
        })
    };
    let leave = {
        let stage = Rc::clone(stage);
        Callback::from(move |_: PointerEvent| stage.set_focus(None))
    };
    // A click, not the first touch: that may be the start of scrolling the page.
    let click = {
        let (bench, stage) = (bench.clone(), Rc::clone(stage));
        Callback::from(move |event: MouseEvent| {
            if let Some(node) = stage.hit(index, point(&event), dom::media("(pointer: coarse)")) {
                act(&bench, node, event.shift_key());
            }
        })
    };
    let name = watch.instance.series.get(index).map_or("", |series| series.algorithm.name);
    html! {
        <figure key={index} class="panel">
            <figcaption>
                <i class={format!("swatch swatch--{}", index % 7)}></i><b>{name}</b>
                <span>{relation_told::short(watch, index)}</span>
            </figcaption>
            <canvas ref={panels[index].clone()} class="network" tabindex="0" role="application"
                aria-label={format!("The cube under {name}. Arrow keys move between nodes; Enter breaks or mends, F follows the \
                    message from a node; space plays, comma and full stop step.")}
                aria-describedby="summary" onclick={click} onpointermove={hover} onpointerleave={leave}
                onkeydown={panel_keys(bench, stage, index)}></canvas>
        </figure>
    }
}

/// Breaks or mends a node; or follows the message from it.
fn act(bench: &Bench, node: NodeId, follow: bool) {
    if follow {
        bench.edited(|next| next.from = Some(node));
    } else if let Some(next) = bench.experiment.toggled(node) {
        bench.edit.emit(next);
    }
}

fn panel_keys(bench: &Bench, stage: &Rc<RelationStage>, panel: usize) -> Callback<KeyboardEvent> {
    let (bench, stage) = (bench.clone(), Rc::clone(stage));
    keys(Rc::<RelationStage>::clone(&stage), move |key| {
        let focus = stage.focus().filter(|focus| focus.0 == panel).map(|focus| focus.1);
        match (key, focus) {
            ("ArrowLeft", _) => stage.move_focus(panel, (-1, 0)),
            ("ArrowRight", _) => stage.move_focus(panel, (1, 0)),
            ("ArrowUp", _) => stage.move_focus(panel, (0, -1)),
            ("ArrowDown", _) => stage.move_focus(panel, (0, 1)),
            ("Escape", _) => stage.set_focus(None),
            ("Enter", Some(node)) => act(&bench, node, false),
            ("f" | "F", Some(node)) => act(&bench, node, true),
            _ => return false,
        }
        true
    })
}

fn time(tick: RelationTick, watch: &RelationWatch) -> Time {
    let (now, end) = (watch.now(), watch.end());
    let (step, unit, name) = if watch.is_batch() { ("cycle", "cycles", "Time") } else { ("hop", "hops", "Hop") };
    let batches = watch.watched.iter().flatten().filter_map(|watched| watched.batch.as_ref());
    let frozen = batches.filter(|batch: &&WatchedBatch| matches!(batch.outcome, BatchOutcome::Deadlock(_)));
    Time {
        playing: tick.playing,
        step,
        name,
        grain: "1",
        now: f64::from(now),
        end: f64::from(end),
        goes_on: now < end,
        said: format!("{step} {now} of {end}"),
        ends: frozen.map(|batch| u64::from(batch.end)).collect(),
        speed: tick.speed,
        speeds: ["-1", "6", "0.25"],
        unit,
    }
}

fn tools(bench: &Bench, stage: &Rc<RelationStage>, tick: RelationTick, watch: &Shared) -> Html {
    let heat = {
        let stage = Rc::clone(stage);
        Callback::from(move |_: Event| stage.set(|now| now.heat = !now.heat))
    };
    let file = |write: fn(&Experiment, &RelationInstance, &[RelationView<'_>]) -> String| {
        let (experiment, watch) = (Rc::clone(&bench.experiment), Rc::clone(watch));
        move || {
            let watch = watch.borrow();
            write(&experiment, &watch.instance, &relation_files::views(&experiment, &watch.instance, watch.now()))
        }
    };
    let picture = |label: &'static str, save: fn(&str, &Scene, &Experiment)| {
        let (stage, experiment) = (Rc::clone(stage), Rc::clone(&bench.experiment));
        export(label, move || {
            if let Some(scene) = stage.scene() {
                save("permutation", &scene, &experiment);
            }
        })
    };
    html! {
        <div class="figure-tools">
            if watch.borrow().is_batch() {
                <p class="hint">{"Thick: channels that are held. White dashes: what a header waits for. Green: arrived."}</p>
            } else {
                <label class="check" title="How many messages cross each channel, as width and colour">
                    <input type="checkbox" checked={tick.heat} onchange={heat} /><span>{"Congestion"}</span>
                </label>
            }
            <div class="exports" role="group" aria-label="Export">
                { texts("permutation", file(relation_files::csv), file(relation_files::json)) }
                { picture("SVG", save_svg) }
                { picture("PNG", save_png) }
            </div>
        </div>
    }
}
