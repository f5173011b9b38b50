//! Watch, fat-trees: the tree under every compared algorithm, with the same messages, delivery cycle by delivery cycle.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::Bench;
use super::exports::texts;
use super::field::TextField;
use super::plot::Plot;
use super::steps::{PANELS, counts, panel, pictures, series, use_steps, use_watched};
use super::transport::{Time, transport, use_player};
use super::watch::{Props, question};
use crate::experiment::{DeliveryWatch, Experiment};
use crate::report::tree::TreeSpot;
use crate::report::tree_files::{self, CycleRow};
use crate::report::tree_told;
use crate::switching::delivery::{DeliveryOutcome, Fate};
use crate::topology::fat_tree::TreeChannel;
use crate::web::delivery_steps;
use crate::web::player::Player;
use crate::web::step_stage::{StepStage, StepTick, Steps as _, Watched};

/// The watch, shared with the stage.
type Shared = Rc<RefCell<DeliveryWatch>>;

#[component]
pub(super) fn DeliveriesWatch(props: &Props) -> Html {
    let bench = &props.bench;
    let tick = use_state_eq(StepTick::default);
    let (stage, canvases) = use_steps(&tick);
    let watch = use_memo(question(&bench.experiment), {
        let experiment = Rc::clone(&bench.experiment);
        move |_| DeliveryWatch::begun(&experiment).map(|watch| Rc::new(RefCell::new(watch)))
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
        let (stage, watch) = (Rc::clone(&stage), Rc::clone(watch));
        Callback::from(move |(spot, _)| {
            if let Some(message) = message_at(&watch.borrow(), index, delivery_steps::place(spot)) {
                stage.set(|now| now.message = message);
            }
        })
    };
    let shown = |(index, name): (usize, &&'static str)| {
        let label = format!(
            "The tree under {name}. Arrow keys move between channels and processors; Enter follows a message from a processor, or \
             one that is lost at a channel; space plays, comma and full stop step."
        );
        panel(&stage, &canvases, index, (name, tree_told::short(&now, index), label), &act)
    };
    html! {
        <>
            <section class="stage" aria-label="The networks">
                <div class="caption">
                    <h2>{tree_told::title(&now)}</h2>
                    <p>{tree_told::subtitle(&now, index)}</p>
                </div>
                <div ref={place} class={classes!("panels", "panels--squares", (count > 1).then_some("panels--many"))}>
                    { for names.iter().take(count).enumerate().map(shown) }
                </div>
                <p id="summary" class="hidden" aria-live="polite">{ mirror(&now, index, *tick) }</p>
                { transport(&player, time(*tick, &now)) }
                <div class="backlog">
                    <Plot id="arrived" figure={Some(Rc::new(tree_told::arrivals(&now)))} look={bench.look}
                        says="Messages that have arrived, over the delivery cycles" />
                </div>
                { tools(bench, &stage, *tick, watch) }
            </section>
            <aside class="rail why" aria-label="What happens to messages">
                { series(&stage, &names, index) }
                { counts(&names, tree_told::counts(&now)) }
                { focus(&now, *tick) }
                { ending(&stage, &now, index) }
                { followed(bench, &stage, &now, *tick, index) }
            </aside>
        </>
    }
}

/// What the canvases show, for people who do not see them; said only when time stands.
fn mirror(watch: &DeliveryWatch, index: usize, tick: StepTick) -> String {
    if tick.playing {
        return String::new();
    }
    let mut said = tree_told::mirror(watch, index);
    if let Some((panel, spot)) = tick.focus {
        said.push_str(" In focus: ");
        said.push_str(&tree_told::spot(watch, panel, delivery_steps::place(spot)));
    }
    said
}

/// The first message of a processor; of a channel, the first one that is lost there in this cycle.
fn message_at(watch: &DeliveryWatch, index: usize, spot: TreeSpot) -> Option<u32> {
    match spot {
        TreeSpot::Processor(number) => tree_told::first_of(watch, number),
        TreeSpot::Channel(place) => {
            let run = watch.series.get(index)?.run();
            let here = |channel: TreeChannel| {
                watch.trial.channels.place(channel).is_some_and(|other| {
                    (other.height, other.node, other.down) == (place.height, place.node, place.down)
                })
            };
            (0..watch.trial.messages.len())
                .find(|&message| matches!(run.fate(message), Fate::Lost(channel) if here(channel)))
        }
    }
}

/// What is under the pointer.
fn focus(watch: &DeliveryWatch, tick: StepTick) -> Html {
    let said = match tick.focus {
        Some((panel, spot)) => tree_told::spot(watch, panel, delivery_steps::place(spot)),
        None => "Point at a channel: how many come, how many get through? Click to follow a message.".to_owned(),
    };
    html! { <p class="hint">{said}</p> }
}

/// How the run ends.
fn ending(stage: &Rc<StepStage>, watch: &DeliveryWatch, index: usize) -> Html {
    let found = tree_told::ending(watch, index).zip(watch.series.get(index));
    let Some((said, series)) = found else { return html! {} };
    if series.is_over() {
        return html! { <p id="ending" class="ending" role="status">{said}</p> };
    }
    let (stage, end) = (Rc::clone(stage), f64::from(series.end));
    let go = Callback::from(move |_: MouseEvent| stage.seek(end));
    html! {
        <p class="hint">{"Ahead: "}{said}{" "}
            <button type="button" class="chip chip--plain" onclick={go}>{"go there"}</button></p>
    }
}

/// The message that is followed.
fn followed(bench: &Bench, stage: &Rc<StepStage>, watch: &DeliveryWatch, tick: StepTick, index: usize) -> Html {
    let last = watch.trial.messages.len().saturating_sub(1);
    let choose = {
        let (bench, stage) = (bench.clone(), Rc::clone(stage));
        Callback::from(move |text: String| match text.parse() {
            Ok(message) if message <= last => stage.set(|now| now.message = message),
            _ => bench.refuse.emit(format!("message {text}: there is none; accepted: 0 to {last}")),
        })
    };
    let number = tick.message.min(last);
    let story = tree_told::story(watch, index, number);
    let item = |(cycle, said): (u32, String)| {
        let stage = Rc::clone(stage);
        let go = Callback::from(move |_: MouseEvent| stage.seek(f64::from(cycle)));
        let current = (cycle == watch.now()).then_some("step");
        html! {
            <li key={cycle}><button type="button" onclick={go} aria-current={current}>
                <i class={format!("badge badge--{}", index % 7)}>{cycle}</i><span><small>{said}</small></span>
            </button></li>
        }
    };
    html! {
        <section id="followed">
            <h3>{"What happens to one message"}</h3>
            <TextField label="Message" value={number.to_string()} commit={choose} hint={format!("a number from 0 to {last}")} mode="numeric" />
            { for story.map(|story| html! {
                <><p>{story.said}</p><ol class="hops">{ for story.cycles.into_iter().map(item) }</ol></>
            }) }
        </section>
    }
}

fn time(tick: StepTick, watch: &DeliveryWatch) -> Time {
    let (now, end) = (watch.now(), watch.end());
    let stuck = watch.series.iter().filter(|series| matches!(series.outcome, Some(DeliveryOutcome::Stuck { .. })));
    Time {
        playing: tick.playing,
        step: "cycle",
        name: "Cycle",
        grain: "1",
        now: f64::from(now),
        end: f64::from(end),
        goes_on: now < end,
        said: format!("cycle {now} of {end}"),
        ends: stuck.map(|series| u64::from(series.end)).collect(),
        speed: tick.speed,
        speeds: ["-1", "6", "0.25"],
        unit: "cycles",
    }
}

fn tools(bench: &Bench, stage: &Rc<StepStage>, tick: StepTick, watch: &Shared) -> Html {
    // All cycles, as on the command line: a watch of its own goes to the end for them.
    let file = |write: fn(&Experiment, &DeliveryWatch, &[Vec<CycleRow>]) -> String| {
        let experiment = Rc::clone(&bench.experiment);
        move || {
            let Some(mut watch) = DeliveryWatch::new(&experiment) else { return String::new() };
            let rows = tree_files::cycles(&mut watch);
            write(&experiment, &watch, &rows)
        }
    };
    html! {
        <div class="figure-tools">
            { built(stage, tick, &watch.borrow()) }
            <div class="exports" role="group" aria-label="Export">
                { texts("delivery", file(tree_files::cycles_csv), file(tree_files::json)) }
                { pictures(bench, stage, "delivery") }
            </div>
        </div>
    }
}

/// How the adversary of Theorem 9 has built the messages, step by step.
fn built(stage: &Rc<StepStage>, tick: StepTick, watch: &DeliveryWatch) -> Html {
    let steps = tree_told::bad_steps(watch);
    if steps.is_empty() {
        return html! { <p class="hint">{"The broader a channel, the more wires; the stronger its colour, the more of them are wanted."}</p> };
    }
    let shown = tick.built.map_or(0, |step| step + 1).min(steps.len());
    let oninput = {
        let stage = Rc::clone(stage);
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            if let Ok(step) = input.value().parse::<usize>() {
                stage.set(|now| now.built = step.checked_sub(1));
            }
        })
    };
    let said = shown.checked_sub(1).and_then(|step| steps.get(step).cloned());
    let said = said.unwrap_or_else(|| format!("how the set was built, in {} steps", steps.len()));
    html! {
        <span class="closure">
            <input type="range" min="0" max={steps.len().to_string()} value={shown.to_string()} {oninput}
                aria-label="Step of the adversary" aria-valuetext={said.clone()} /><output>{said}</output>
        </span>
    }
}
