//! Component of one figure: an experiment, the parts that its options show, and its controls.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsValue;
use yew::prelude::*;

use super::embed_bridge::{EmbedBridge, EmbedCommand, EmbedEvent};
use crate::experiment::figure_options::{Control, FigureOptions, FigurePart, Lock};
use crate::experiment::{Experiment, ExperimentError, Tab, TextReading};
use crate::report::files::json;
use crate::report::findings::Findings;
use crate::web::app_context::{AppContext, PlaybackHandle, PlaybackPosition};
use crate::web::dom;
use crate::web::editor_state::EditorState;
use crate::web::form::copy::{CopyState, copy_button};
use crate::web::form::glossary::Tooltips;
use crate::web::jobs::job::{Job, JobKind};
use crate::web::kinds;
use crate::web::page::app::{use_job_client, use_layout_version};
use crate::web::page::check::Check;
use crate::web::page::measure::Measure;
use crate::web::page::state::{Action, AppState};

/// Message for an edit that the figure does not allow.
const LOCKED: &str = "This figure is read-only. Open it in Faultlab to change it.";
const LOCKED_BUT_FAULTS: &str =
    "In this figure you can only break and mend elements. Open it in Faultlab to change more.";

#[derive(Clone, Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) bridge: EmbedBridge,
}

/// Reads the text of a figure that opens. Returns the experiment without the parts that are wrong,
/// with the view that the options choose; `None` for a text without any value. Returns the options and
/// the problems, if any, as well.
fn read_first(text: &str) -> (Option<Experiment>, FigureOptions, Option<String>) {
    let (experiment, ui, wrong) = read(text);
    let TextReading { experiment: of_others, errors, .. } = Experiment::read_text(text);
    let has_value = errors.iter().any(|error| !error.value.is_empty());
    (experiment.or_else(|| has_value.then(|| with_view(of_others, &ui))), ui, wrong)
}

/// Returns the experiment in the view that the options choose. Figures have no Papers.
fn with_view(mut experiment: Experiment, ui: &FigureOptions) -> Experiment {
    experiment.view.tab = match ui.view.unwrap_or(experiment.view.tab) {
        Tab::Papers => Tab::Watch,
        view => view,
    };
    experiment
}

/// Reads the text of a figure. Returns the experiment with the view that the options choose, if
/// anything of it could be read; the options; and the problems, if any.
fn read(text: &str) -> (Option<Experiment>, FigureOptions, Option<String>) {
    let (ui, wrong) = FigureOptions::from_text(text);
    let TextReading { experiment, errors, key_count } = Experiment::read_text(text);
    let experiment = with_view(experiment, &ui);
    let is_readable = key_count > 0 || errors.is_empty();
    // The figure has no room for the accepted values.
    let errors: Vec<_> = errors.iter().map(ExperimentError::summary).collect();
    let options = wrong.join("; ");
    let problems: Vec<_> = [errors.join(" "), options].into_iter().filter(|said| !said.is_empty()).collect();
    (is_readable.then_some(experiment), ui, Some(problems.join(" ")).filter(|said| !said.is_empty()))
}

/// Renders the figure of an embed bridge.
#[component]
pub(crate) fn FigureApp(props: &Props) -> Html {
    let bridge = &props.bridge;
    let state = use_reducer_eq({
        let bridge = bridge.clone();
        move || {
            let (experiment, _, wrong) = read_first(&bridge.text());
            AppState::new(experiment.unwrap_or_default(), wrong)
        }
    });
    dom::set_drawn_experiment(&state.present.to_string(), bridge.number());
    let given = use_state_eq({
        let bridge = bridge.clone();
        move || {
            let (experiment, ui, _) = read_first(&bridge.text());
            EmbedInput { ui, experiment: experiment.map(Rc::new) }
        }
    });
    let (data_version, layout_version, copied) = (use_state_eq(|| 0u32), use_state_eq(|| 0u32), use_state_eq(|| None));
    let moment = use_memo((), |()| Cell::<Option<PlaybackPosition>>::default());
    let remote = (*use_memo((), {
        let bridge = bridge.clone();
        move |()| {
            let proof = {
                let bridge = bridge.clone();
                Callback::from(move |found: Rc<Findings>| bridge.emit(EmbedEvent::Result, found.json.as_str()))
            };
            PlaybackHandle::new(Callback::from(move |time: f64| bridge.emit(EmbedEvent::Time, time)), proof)
        }
    }))
    .clone();
    let jobs = use_job_client(data_version.clone(), false);
    use_layout_version(layout_version.clone());
    let context = use_app_context(
        &state,
        &given.ui,
        AppContext {
            experiment: Rc::clone(&state.present),
            on_edit: Callback::noop(),
            on_open: Callback::noop(),
            on_switch_kind: Callback::noop(),
            on_refuse: Callback::noop(),
            moment,
            remote,
            editor: EditorState::default(),
            is_figure: true,
            starts_paused: given.ui.play == Some(false) || bridge.is_suspended(),
            speed: given.ui.speed,
            jobs: (*jobs).clone(),
            data_version: *data_version,
            // A new theme repaints the pictures, whose colours it sets.
            layout_version: layout_version.wrapping_mul(4).wrapping_add(given.ui.theme as u32),
        },
    );
    use_commands(bridge, &state, &given, &context);
    use_events(bridge, &state, &context);
    let tab = state.present.view.tab;
    let autoplay = given.ui.play == Some(true) && !dom::matches_media("(prefers-reduced-motion: reduce)");
    let view = match tab {
        _ if given.experiment.is_none() => html! {},
        Tab::Measure => {
            html! { <Measure context={context.clone()} pinned={Rc::clone(&state.pinned)} act={Callback::noop()} /> }
        }
        Tab::Check => html! { <Check context={context.clone()} /> },
        Tab::Watch | Tab::Papers => kinds::watch(context.clone(), autoplay),
    };
    html! {
        <div class={css_classes(&given.ui, tab)} lang="en">
            { problem_bar(&state) }
            <div class="figure__body">{ view }<Tooltips /></div>
            { tools(&state, &given, &copied) }
            if !given.ui.caption.is_empty() { <p class="figure__caption">{&given.ui.caption}</p> }
        </div>
    }
}

/// Input from the embedding page.
#[derive(Clone, PartialEq)]
struct EmbedInput {
    ui: FigureOptions,
    /// Experiment, if it could be parsed.
    experiment: Option<Rc<Experiment>>,
}

/// Returns the CSS classes of the figure; the style sheet hides the parts that are not shown.
fn css_classes(ui: &FigureOptions, tab: Tab) -> Classes {
    let parts = FigurePart::ALL.into_iter().filter(|part| ui.shows(*part, tab)).map(|part| format!("shows-{part}"));
    let controls = Control::ALL.into_iter().filter(|control| ui.has(*control)).map(|control| format!("has-{control}"));
    let mut classes = classes!("figure", format!("theme-{}", ui.theme));
    classes.extend(parts.chain(controls).collect::<Classes>());
    if ui.lock == Lock::All {
        classes.push("locked");
    }
    classes
}

/// Renders the problem with the text or the reason of a refusal.
fn problem_bar(state: &UseReducerHandle<AppState>) -> Html {
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

/// Renders the button that restores the initial state, the experiment to copy, and the link to
/// Faultlab. The style sheet places them in the row of the playback controls.
fn tools(state: &UseReducerHandle<AppState>, given: &EmbedInput, copied: &CopyState) -> Html {
    let href = dom::link(&state.present.to_string());
    let first = given.experiment.clone().filter(|first| !first.is_same_measurement(&state.present));
    let back = |first: Rc<Experiment>| {
        let dispatch = state.dispatcher();
        let onclick = Callback::from(move |_: MouseEvent| dispatch.dispatch(Action::Open((*first).clone())));
        html! {
            <button type="button" class="icon" title="Start over" aria-label="Start over" {onclick}>{ icon("M5 6A7 7 0 1 1 3 12M5 2V6H9") }</button>
        }
    };
    html! {
        <div class="figure__foot">
            { for first.map(back) }
            { copy_button(state.present.to_string(), copied) }
            <a class="icon" {href} target="_blank" rel="noopener" title="Open in Faultlab" aria-label="Open in Faultlab">{ icon("M10 3H3V17H17V10M12 3H17V8M17 3L9 11") }</a>
        </div>
    }
}

/// Renders an icon of 20 x 20 units from the path of its lines.
fn icon(path: &'static str) -> Html {
    html! { <svg viewBox="0 0 20 20" aria-hidden="true"><path d={path} /></svg> }
}

/// Returns the application context of a figure, which refuses edits that its lock forbids.
#[hook]
fn use_app_context(state: &UseReducerHandle<AppState>, ui: &FigureOptions, context: AppContext) -> AppContext {
    let dispatcher = state.dispatcher();
    let (on_edit, on_open, on_switch_kind, on_refuse) =
        (*use_memo((Rc::clone(&state.present), ui.lock), move |(present, lock)| {
            let [edit, open, turn, refuse] = std::array::from_fn(|_| dispatcher.clone());
            let (present, lock) = (Rc::clone(present), *lock);
            let allowed = move |next: Experiment| match check_lock(lock, &present, &next) {
                Err(why) => edit.dispatch(Action::Refuse(why.to_owned())),
                Ok(()) => edit.dispatch(Action::Edit(next)),
            };
            (
                Callback::from(allowed),
                Callback::from(move |next| open.dispatch(Action::Open(next))),
                Callback::from(move |(kind, family)| turn.dispatch(Action::SwitchKind(kind, family))),
                Callback::from(move |problem| refuse.dispatch(Action::Refuse(problem))),
            )
        }))
        .clone();
    AppContext { on_edit, on_open, on_switch_kind, on_refuse, ..context }
}

/// Checks that the lock of a figure lets a reader change `present` to `next`.
fn check_lock(lock: Lock, present: &Experiment, next: &Experiment) -> Result<(), &'static str> {
    let is_same = next.is_same_measurement(present);
    match lock {
        Lock::Open => Ok(()),
        _ if is_same => Ok(()),
        Lock::All => Err(LOCKED),
        Lock::Faults => {
            let faults = crate::fault::FaultSpec { model: next.faults.model, ..present.faults.clone() };
            let mut without = Experiment { faults, ..next.clone() };
            if let Some(later) = without.setting.later_mut() {
                *later = present.setting.later().to_vec();
            }
            if without.is_same_measurement(present) { Ok(()) } else { Err(LOCKED_BUT_FAULTS) }
        }
    }
}

/// Executes the commands of the embedding page.
#[hook]
fn use_commands(
    bridge: &EmbedBridge,
    state: &UseReducerHandle<AppState>,
    given: &UseStateHandle<EmbedInput>,
    context: &AppContext,
) {
    // True if the sweep is paused because the figure is not visible. A sweep paused by the user
    // stays paused.
    let rested = use_mut_ref(|| false);
    let hear = {
        let (dispatch, given, context) = (state.dispatcher(), given.clone(), context.clone());
        Callback::from(move |order: EmbedCommand| match order {
            EmbedCommand::Show(text) => {
                let (experiment, ui, wrong) = read(&text);
                // Keeps the last experiment that could be parsed.
                let shown = experiment.clone().map(Rc::new).or_else(|| given.experiment.clone());
                given.set(EmbedInput { ui, experiment: shown });
                match (experiment, wrong) {
                    (Some(experiment), None) => dispatch.dispatch(Action::Open(experiment)),
                    (Some(experiment), Some(wrong)) => {
                        dispatch.dispatch(Action::Open(experiment));
                        dispatch.dispatch(Action::Refuse(wrong));
                    }
                    (None, wrong) => dispatch.dispatch(Action::Refuse(wrong.unwrap_or_default())),
                }
            }
            EmbedCommand::Change(key, value) => match context.experiment.with_key(&key, &value) {
                Ok(next) => dispatch.dispatch(Action::Open(next)),
                Err(error) => dispatch.dispatch(Action::Refuse(error.summary())),
            },
            EmbedCommand::Play(plays) => play(&context, plays),
            EmbedCommand::Seek(time) => {
                if let Some(driven) = context.remote.playback() {
                    driven.player.seek(time);
                }
            }
            EmbedCommand::Suspend(rests) => {
                let runs = |job: &Job| !job.is_paused() && job.ended().is_none();
                let runs = context.jobs.with_job(JobKind::Measure, runs).unwrap_or(false);
                if rests && runs || !rests && rested.take() {
                    context.jobs.pause(JobKind::Measure, rests);
                    rested.replace(rests);
                }
                let is_new = context.jobs.with_job(JobKind::Measure, |_| ()).is_none();
                if !rests && is_new && context.experiment.view.tab == Tab::Measure && given.ui.play != Some(false) {
                    play(&context, true);
                }
            }
        })
    };
    let bridge = bridge.clone();
    use_effect(move || {
        bridge.set_listener(Some(hear));
        move || bridge.set_listener(None)
    });
}

/// Plays or pauses the view; starts or pauses a sweep.
fn play(context: &AppContext, plays: bool) {
    match (context.experiment.view.tab, context.remote.playback()) {
        (Tab::Measure, _) => {
            let ended = context.jobs.with_job(JobKind::Measure, |job| job.ended().is_some()).unwrap_or(true);
            match (plays, ended) {
                (true, true) => context.jobs.start(JobKind::Measure, &[(*context.experiment).clone()]),
                (plays, _) => context.jobs.pause(JobKind::Measure, !plays),
            }
        }
        (_, Some(driven)) => driven.player.play(plays),
        _ => {}
    }
}

/// Reports events to the embedding page.
#[hook]
fn use_events(bridge: &EmbedBridge, state: &UseReducerHandle<AppState>, context: &AppContext) {
    let first = use_mut_ref(|| true);
    use_effect_with(Rc::clone(&state.present), {
        let (bridge, context) = (bridge.clone(), context.clone());
        move |present: &Rc<Experiment>| {
            let text = present.to_string();
            bridge.set_text(text.clone());
            bridge.set_result_fn(move || result_json(&context));
            if !first.replace(false) {
                bridge.emit(EmbedEvent::Change, text);
            }
        }
    });
    use_effect_with(state.problem.clone(), {
        let bridge = bridge.clone();
        move |problem: &Option<String>| {
            if let Some(problem) = problem {
                bridge.emit(EmbedEvent::Refused, problem.as_str());
            }
        }
    });
    let ended = context.jobs.with_job(JobKind::Measure, |job| job.ended()).flatten();
    use_effect_with(ended.map(f64::to_bits), {
        let (bridge, context) = (bridge.clone(), context.clone());
        move |ended: &Option<u64>| {
            if ended.is_some() {
                bridge.emit(EmbedEvent::Result, result_json(&context).map_or(JsValue::NULL, JsValue::from));
            }
        }
    });
    use_effect_with((), {
        let jobs = context.jobs.clone();
        move |()| move || jobs.close()
    });
}

/// Returns the results of the current view as JSON.
fn result_json(context: &AppContext) -> Option<String> {
    let experiment = &context.experiment;
    match experiment.view.tab {
        Tab::Measure => context.jobs.with_job(JobKind::Measure, |job| job.sweeps().first().map(json::run))?,
        Tab::Check => Some(context.remote.analysis()?.json.clone()),
        Tab::Watch | Tab::Papers => Some(context.remote.playback()?.watch.borrow().json()),
    }
}
