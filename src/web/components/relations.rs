//! Watch, whole permutations: the cube of every compared algorithm as a square of subcubes, under the same faults; routes laid
//! over each other, or worms that all start at once.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use super::Bench;
use super::exports::texts;
use super::plot::Plot;
use super::relation_rail::rail;
use super::steps::{PANELS, panel, pictures, use_steps, use_watched};
use super::transport::{Time, transport, use_player};
use super::watch::{Props, question};
use crate::experiment::{Experiment, RelationInstance, RelationWatch, WatchedBatch};
use crate::report::relation_files::{self, RelationView};
use crate::report::relation_told;
use crate::switching::BatchOutcome;
use crate::topology::NodeId;
use crate::web::player::Player;
use crate::web::step_stage::{StepStage, StepTick, Steps as _, Watched};

/// The watch, shared with the stage.
type Shared = Rc<RefCell<RelationWatch>>;

#[component]
pub(super) fn RelationsWatch(props: &Props) -> Html {
    let bench = &props.bench;
    let tick = use_state_eq(StepTick::default);
    let (stage, canvases) = use_steps(&tick);
    let watch = use_memo(question(&bench.experiment), {
        let experiment = Rc::clone(&bench.experiment);
        move |_| RelationWatch::new(&experiment).map(|watch| Rc::new(RefCell::new(watch)))
    });
    let place = use_node_ref();
    let watched = (*watch).clone().map(|watch| -> Watched { watch });
    use_watched(&stage, &canvases, watched, Rc::as_ptr(&watch) as usize);
    let player: Rc<dyn Player> = Rc::<StepStage>::clone(&stage);
    use_player(&player, &place, bench.look, props.autoplay);
    let Some(watch) = &*watch else { return html! { <section ref={place} class="stage stage--wide"></section> } };
    let now = watch.borrow();
    let names = now.names();
    let count = names.len().min(PANELS);
    let index = tick.asked.min(count.saturating_sub(1));
    let act = {
        let bench = bench.clone();
        Callback::from(move |(node, follow)| act(&bench, NodeId(node), follow))
    };
    let shown = |(index, name): (usize, &&'static str)| {
        let label = format!(
            "The cube under {name}. Arrow keys move between nodes; Enter breaks or mends, F follows the message from a node; space \
             plays, comma and full stop step."
        );
        panel(&stage, &canvases, index, (name, relation_told::short(&now, index), label), &act)
    };
    html! {
        <>
            <section class="stage" aria-label="The networks">
                <div class="caption">
                    <h2>{relation_told::title(&now)}</h2>
                    <p>{relation_told::subtitle(&now, index)}</p>
                </div>
                <div ref={place} class={classes!("panels", "panels--squares", (count > 1).then_some("panels--many"))}>
                    { for names.iter().take(count).enumerate().map(shown) }
                </div>
                if names.len() > PANELS {
                    <p class="hint">{format!("Shown: the first {PANELS} of {} algorithms.", names.len())}</p>
                }
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

/// What the canvases show, for people who do not see them; said only when time stands.
fn mirror(watch: &RelationWatch, index: usize, tick: StepTick) -> String {
    if tick.playing {
        return String::new();
    }
    let mut said = relation_told::mirror(watch, index);
    if let Some((panel, node)) = tick.focus {
        said.push_str(" In focus: ");
        said.push_str(&relation_told::spot(watch, panel, NodeId(node)));
    }
    said
}

/// Breaks or mends a node; or follows the message from it.
fn act(bench: &Bench, node: NodeId, follow: bool) {
    if follow {
        bench.edited(|next| next.from = Some(node));
    } else if let Some(next) = bench.experiment.toggled(node) {
        bench.edit.emit(next);
    }
}

fn time(tick: StepTick, watch: &RelationWatch) -> Time {
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

fn tools(bench: &Bench, stage: &Rc<StepStage>, tick: StepTick, watch: &Shared) -> Html {
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
                { pictures(bench, stage, "permutation") }
            </div>
        </div>
    }
}
