//! Component of one figure: an experiment, the parts that its options show, and its controls.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsValue;
use yew::prelude::*;

use super::seat::{News, Order, Seat};
use crate::experiment::ui::{Control, Lock, Part, Ui};
use crate::experiment::{Experiment, Tab};
use crate::report::files::json;
use crate::report::findings::Findings;
use crate::web::bench::{Bench, Moment, Remote};
use crate::web::desk::Desk;
use crate::web::dom;
use crate::web::form::copy::{Copied, copy};
use crate::web::form::word::Tips;
use crate::web::jobs::job::{Job, JobKind};
use crate::web::kinds;
use crate::web::page::app::{use_job_client, use_look};
use crate::web::page::check::Check;
use crate::web::page::measure::Measure;
use crate::web::page::state::{Action, State};

/// Message for an edit that the figure does not allow.
const LOCKED: &str = "This figure is to be looked at. Open it in Faultlab to change it.";
const LOCKED_BUT_FAULTS: &str =
    "In this figure nodes and links can be broken and mended. Open it in Faultlab to change more.";

#[derive(Clone, Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) seat: Seat,
}

/// Parses the text of a figure. Returns the experiment with the view that the options choose, the
/// options, and the problem, if any.
fn read(text: &str) -> (Option<Experiment>, Ui, Option<String>) {
    let (ui, mut wrong) = Ui::of(text);
    let experiment = text.parse::<Experiment>().map(|mut experiment| {
        experiment.view.tab = match ui.view.unwrap_or(experiment.view.tab) {
            Tab::Papers => Tab::Watch,
            view => view,
        };
        experiment
    });
    match experiment {
        Ok(experiment) => (Some(experiment), ui, Some(wrong.join("; ")).filter(|said| !said.is_empty())),
        Err(error) => {
            wrong.insert(0, format!("This figure's experiment cannot be read. {error}"));
            (None, ui, Some(wrong.join("; ")))
        }
    }
}

/// Renders the figure of an embed bridge.
#[component]
pub(crate) fn FigureApp(props: &Props) -> Html {
    let seat = &props.seat;
    let state = use_reducer_eq({
        let seat = seat.clone();
        move || {
            let (experiment, _, wrong) = read(&seat.text());
            State::new(experiment.unwrap_or_default(), wrong)
        }
    });
    dom::drawing(&state.present.to_string(), seat.number());
    let given = use_state_eq({
        let seat = seat.clone();
        move || {
            let (experiment, ui, _) = read(&seat.text());
            Given { ui, experiment: experiment.map(Rc::new) }
        }
    });
    let (news, look, copied) = (use_state_eq(|| 0u32), use_state_eq(|| 0u32), use_state_eq(|| None));
    let moment = use_memo((), |()| Cell::<Option<Moment>>::default());
    let remote = (*use_memo((), {
        let seat = seat.clone();
        move |()| {
            let proof = {
                let seat = seat.clone();
                Callback::from(move |found: Rc<Findings>| seat.tell(News::Result, found.json.as_str()))
            };
            Remote::new(Callback::from(move |time: f64| seat.tell(News::Time, time)), proof)
        }
    }))
    .clone();
    let jobs = use_job_client(news.clone(), false);
    use_look(look.clone());
    let bench = use_bench(
        &state,
        &given.ui,
        Bench {
            experiment: Rc::clone(&state.present),
            edit: Callback::noop(),
            open: Callback::noop(),
            turn: Callback::noop(),
            refuse: Callback::noop(),
            moment,
            remote,
            desk: Desk::default(),
            is_figure: true,
            waits: given.ui.play == Some(false) || seat.rests(),
            speed: given.ui.speed,
            jobs: (*jobs).clone(),
            news: *news,
            look: *look,
        },
    );
    use_orders(seat, &state, &given, &bench);
    use_news(seat, &state, &bench);
    let tab = state.present.view.tab;
    let autoplay = given.ui.play == Some(true) && !dom::media("(prefers-reduced-motion: reduce)");
    let view = match tab {
        _ if given.experiment.is_none() => html! {},
        Tab::Measure => {
            html! { <Measure bench={bench.clone()} kept={Rc::clone(&state.kept)} act={Callback::noop()} /> }
        }
        Tab::Check => html! { <Check bench={bench.clone()} /> },
        Tab::Watch | Tab::Papers => kinds::watch(bench.clone(), autoplay),
    };
    html! {
        <div class={classes(&given.ui, tab)} lang="en">
            { problem(&state) }
            <div class="figure__body">{ view }<Tips /></div>
            { foot(&state, &given, &copied) }
        </div>
    }
}

/// Input from the embedding page.
#[derive(Clone, PartialEq)]
struct Given {
    ui: Ui,
    /// Experiment, if it could be parsed.
    experiment: Option<Rc<Experiment>>,
}

/// Returns the CSS classes of the figure; the style sheet hides the parts that are not shown.
fn classes(ui: &Ui, tab: Tab) -> Classes {
    let parts = Part::ALL.into_iter().filter(|part| ui.shows(*part, tab)).map(|part| format!("shows-{part}"));
    let controls = Control::ALL.into_iter().filter(|control| ui.has(*control)).map(|control| format!("has-{control}"));
    let mut classes = classes!("figure", format!("theme-{}", ui.theme));
    classes.extend(parts.chain(controls).collect::<Classes>());
    if ui.lock == Lock::All {
        classes.push("locked");
    }
    classes
}

/// Renders the problem with the text or the reason of a refusal.
fn problem(state: &UseReducerHandle<State>) -> Html {
    let dismiss = {
        let dispatch = state.dispatcher();
        Callback::from(move |_: MouseEvent| dispatch.dispatch(Action::Dismiss))
    };
    html! {
        <div class="problem" role="alert">
            if let Some(problem) = &state.problem {
                <p>{problem}</p>
                <button type="button" onclick={dismiss}>{"Dismiss"}</button>
            }
        </div>
    }
}

/// Renders the caption, the button that restores the initial state, the experiment to copy, and the
/// link to Faultlab.
fn foot(state: &UseReducerHandle<State>, given: &Given, copied: &Copied) -> Html {
    let href = dom::link(&state.present.to_string());
    let first = given.experiment.clone().filter(|first| !first.same_question(&state.present));
    let back = |first: Rc<Experiment>| {
        let dispatch = state.dispatcher();
        let onclick = Callback::from(move |_: MouseEvent| dispatch.dispatch(Action::Arrive((*first).clone())));
        html! { <button type="button" class="chip chip--plain" {onclick}>{"Start over"}</button> }
    };
    html! {
        <div class="figure__foot">
            if !given.ui.caption.is_empty() { <p>{&given.ui.caption}</p> }
            { for first.map(back) }
            { copy(state.present.to_string(), copied) }
            <a {href} target="_blank" rel="noopener">{"Open in Faultlab"}</a>
        </div>
    }
}

/// Returns the application context of a figure, which refuses edits that its lock forbids.
#[hook]
fn use_bench(state: &UseReducerHandle<State>, ui: &Ui, bench: Bench) -> Bench {
    let dispatcher = state.dispatcher();
    let (edit, open, turn, refuse) = (*use_memo((Rc::clone(&state.present), ui.lock), move |(present, lock)| {
        let [edit, open, turn, refuse] = std::array::from_fn(|_| dispatcher.clone());
        let (present, lock) = (Rc::clone(present), *lock);
        let allowed = move |next: Experiment| match check_lock(lock, &present, &next) {
            Err(why) => edit.dispatch(Action::Refuse(why.to_owned())),
            Ok(()) => edit.dispatch(Action::Edit(next)),
        };
        (
            Callback::from(allowed),
            Callback::from(move |next| open.dispatch(Action::Arrive(next))),
            Callback::from(move |(kind, family)| turn.dispatch(Action::Turn(kind, family))),
            Callback::from(move |problem| refuse.dispatch(Action::Refuse(problem))),
        )
    }))
    .clone();
    Bench { edit, open, turn, refuse, ..bench }
}

/// Checks that the lock of a figure lets a reader change `present` to `next`.
fn check_lock(lock: Lock, present: &Experiment, next: &Experiment) -> Result<(), &'static str> {
    let is_same = next.same_question(present);
    match lock {
        Lock::Open => Ok(()),
        _ if is_same => Ok(()),
        Lock::All => Err(LOCKED),
        Lock::Faults => {
            let faults = crate::fault::FaultSpec { model: next.faults.model, ..present.faults.clone() };
            let without = Experiment { faults, ..next.clone() };
            if without.same_question(present) { Ok(()) } else { Err(LOCKED_BUT_FAULTS) }
        }
    }
}

/// Executes the commands of the embedding page.
#[hook]
fn use_orders(seat: &Seat, state: &UseReducerHandle<State>, given: &UseStateHandle<Given>, bench: &Bench) {
    // True if the sweep is paused because the figure is not visible. A sweep paused by the user
    // stays paused.
    let rested = use_mut_ref(|| false);
    let hear = {
        let (dispatch, given, bench) = (state.dispatcher(), given.clone(), bench.clone());
        Callback::from(move |order: Order| match order {
            Order::Show(text) => {
                let (experiment, ui, wrong) = read(&text);
                // Keeps the last experiment that could be parsed.
                let shown = experiment.clone().map(Rc::new).or_else(|| given.experiment.clone());
                given.set(Given { ui, experiment: shown });
                match (experiment, wrong) {
                    (Some(experiment), None) => dispatch.dispatch(Action::Arrive(experiment)),
                    (Some(experiment), Some(wrong)) => {
                        dispatch.dispatch(Action::Arrive(experiment));
                        dispatch.dispatch(Action::Refuse(wrong));
                    }
                    (None, wrong) => dispatch.dispatch(Action::Refuse(wrong.unwrap_or_default())),
                }
            }
            Order::Change(key, value) => match bench.experiment.with_key(&key, &value) {
                Ok(next) => dispatch.dispatch(Action::Arrive(next)),
                Err(error) => dispatch.dispatch(Action::Refuse(error.to_string())),
            },
            Order::Play(plays) => play(&bench, plays),
            Order::Seek(time) => {
                if let Some(driven) = bench.remote.driven() {
                    driven.player.seek(time);
                }
            }
            Order::Rest(rests) => {
                let runs = |job: &Job| !job.is_paused() && job.ended().is_none();
                let runs = bench.jobs.with_job(JobKind::Measure, runs).unwrap_or(false);
                if rests && runs || !rests && rested.take() {
                    bench.jobs.pause(JobKind::Measure, rests);
                    rested.replace(rests);
                }
                let is_new = bench.jobs.with_job(JobKind::Measure, |_| ()).is_none();
                if !rests && is_new && bench.experiment.view.tab == Tab::Measure && given.ui.play != Some(false) {
                    play(&bench, true);
                }
            }
        })
    };
    let seat = seat.clone();
    use_effect(move || {
        seat.hear(Some(hear));
        move || seat.hear(None)
    });
}

/// Plays or pauses the view; starts or pauses a sweep.
fn play(bench: &Bench, plays: bool) {
    match (bench.experiment.view.tab, bench.remote.driven()) {
        (Tab::Measure, _) => {
            let ended = bench.jobs.with_job(JobKind::Measure, |job| job.ended().is_some()).unwrap_or(true);
            match (plays, ended) {
                (true, true) => bench.jobs.start(JobKind::Measure, &[(*bench.experiment).clone()]),
                (plays, _) => bench.jobs.pause(JobKind::Measure, !plays),
            }
        }
        (_, Some(driven)) => driven.player.play(plays),
        _ => {}
    }
}

/// Reports events to the embedding page.
#[hook]
fn use_news(seat: &Seat, state: &UseReducerHandle<State>, bench: &Bench) {
    let first = use_mut_ref(|| true);
    use_effect_with(Rc::clone(&state.present), {
        let (seat, bench) = (seat.clone(), bench.clone());
        move |present: &Rc<Experiment>| {
            let text = present.to_string();
            seat.set_text(text.clone());
            seat.set_json(move || written(&bench));
            if !first.replace(false) {
                seat.tell(News::Change, text);
            }
        }
    });
    use_effect_with(state.problem.clone(), {
        let seat = seat.clone();
        move |problem: &Option<String>| {
            if let Some(problem) = problem {
                seat.tell(News::Refused, problem.as_str());
            }
        }
    });
    let ended = bench.jobs.with_job(JobKind::Measure, |job| job.ended()).flatten();
    use_effect_with(ended.map(f64::to_bits), {
        let (seat, bench) = (seat.clone(), bench.clone());
        move |ended: &Option<u64>| {
            if ended.is_some() {
                seat.tell(News::Result, written(&bench).map_or(JsValue::NULL, JsValue::from));
            }
        }
    });
    use_effect_with((), {
        let jobs = bench.jobs.clone();
        move |()| move || jobs.close()
    });
}

/// Returns the results of the current view as JSON.
fn written(bench: &Bench) -> Option<String> {
    let experiment = &bench.experiment;
    match experiment.view.tab {
        Tab::Measure => bench.jobs.with_job(JobKind::Measure, |job| job.sweeps().first().map(json::run))?,
        Tab::Check => Some(bench.remote.found()?.json.clone()),
        Tab::Watch | Tab::Papers => Some(bench.remote.driven()?.watch.borrow().json()),
    }
}
