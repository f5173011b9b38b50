//! Component of the whole page.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlElement, KeyboardEvent};
use yew::prelude::*;

use super::check::Check;
use super::controls::Controls;
use super::gallery::{self, Examples};
use super::header::{Dialog, Header};
use super::help::Help;
use super::measure::Measure;
use super::open_file::{use_file_drop, use_open_files};
use super::papers::Papers;
use super::share::{OpenFigureFn, Share};
use super::state::{Action, AppState};
use super::story::PresetStory;
use crate::experiment::figure_options::FigureOptions;
use crate::experiment::presets::presets;
use crate::experiment::{Experiment, ExperimentError, Tab};
use crate::web::app_context::{AppContext, PlaybackHandle, PlaybackPosition};
use crate::web::dom::{self, Listener};
use crate::web::editor_state::EditorState;
use crate::web::form::focus::use_focus_fallback;
use crate::web::form::glossary::{Tooltips, move_term_focus};
use crate::web::jobs::pool::JobClient;
use crate::web::kinds;
use crate::web::rules::counterexample::Counterexample;
use crate::web::rules::editor::Editor;

/// Returns the experiment in the address, or the first example if nothing of it can be read. The
/// first example plays at once.
fn first_state() -> AppState {
    let text = dom::address_text();
    let living = presets().first().and_then(|preset| preset.experiment.parse().ok()).unwrap_or_default();
    if text.is_empty() {
        return AppState::new(living, None);
    }
    let mut reading = Experiment::read_text(&text);
    if reading.key_count == 0 && !reading.errors.is_empty() {
        reading.experiment = living;
    }
    // Problems with the options of a figure are reported as a note only.
    let wrong = FigureOptions::from_text(&text).1;
    let mut state = AppState::new(reading.experiment, None);
    state.note = (!wrong.is_empty()).then(|| wrong.join("; "));
    state.text_errors = Rc::new(reading.errors);
    state
}

/// Properties of the page.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Callback that opens figures.
    pub(crate) figure: OpenFigureFn,
}

/// Renders the page.
#[component]
pub fn App(props: &Props) -> Html {
    let state = use_reducer_eq(first_state);
    dom::set_drawn_experiment(&state.present.to_string(), 0);
    let autoplay =
        use_memo((), |()| dom::address_text().is_empty() && !dom::matches_media("(prefers-reduced-motion: reduce)"));
    let data_version = use_state_eq(|| 0u32);
    let layout_version = use_state_eq(|| 0u32);
    let dialog = use_state_eq(|| None::<Dialog>);
    let moment = use_memo((), |()| Cell::<Option<PlaybackPosition>>::default());
    let remote = (*use_memo((), |()| PlaybackHandle::default())).clone();
    let editor = (*use_memo((), |()| EditorState::default())).clone();
    let jobs = use_job_client(data_version.clone(), true);
    use_address(&state);
    use_layout_version(layout_version.clone());
    use_focus_fallback();
    use_scroll_to_top(state.present.view.tab);

    // The callbacks never change. New callbacks with every result of a sweep would redraw fields
    // while the user types in them.
    let (on_edit, on_open, on_switch_kind, on_refuse) = (*use_memo((), |()| {
        let [edit, open, turn, refuse] = std::array::from_fn(|_| state.dispatcher());
        (
            Callback::from(move |next| edit.dispatch(Action::Edit(next))),
            Callback::from(move |next| open.dispatch(Action::Open(next))),
            Callback::from(move |(kind, family)| {
                turn.dispatch(Action::SwitchKind(kind, family));
                dom::scroll_to_figure();
            }),
            Callback::from(move |problem| refuse.dispatch(Action::Refuse(problem))),
        )
    }))
    .clone();
    let context = AppContext {
        experiment: Rc::clone(&state.present),
        on_edit,
        on_open,
        on_switch_kind,
        on_refuse,
        moment: Rc::clone(&moment),
        remote,
        editor,
        is_figure: false,
        starts_paused: false,
        speed: None,
        jobs: (*jobs).clone(),
        data_version: *data_version,
        layout_version: *layout_version,
    };
    let open = Callback::from({
        let dialog = dialog.clone();
        move |which| dialog.set(Some(which))
    });
    let close = Callback::from({
        let dialog = dialog.clone();
        move |()| dialog.set(None)
    });
    let act = Callback::from({
        let (dispatch, editor) = (state.dispatcher(), context.editor.clone());
        let rules = state.present.rules.clone().filter(|_| state.present.view.tab == Tab::Watch);
        move |action| {
            // A draft that is not active yet is the latest change, so undo stashes it first.
            let is_writing =
                matches!(action, Action::Undo) && rules.as_ref().is_some_and(|it| editor.put_aside(it.text()));
            if !is_writing {
                dispatch.dispatch(action);
            }
        }
    });
    let (presenting, present) = use_presenting();
    // Check and Papers have no button that starts the figure and could take the focus.
    let has_player = matches!(state.present.view.tab, Tab::Watch | Tab::Measure);
    use_effect_with(presenting, move |&presenting: &bool| {
        if presenting && !has_player {
            dom::focus(".end-presentation");
        }
    });
    let on_files = use_open_files(&context, &act);
    let dragging = use_file_drop(on_files.clone());
    use_dialog_keys(open.clone());
    let onkeydown = Callback::from({
        let act = act.clone();
        move |event: KeyboardEvent| {
            undo_key(&event, &act);
            move_term_focus(&event);
        }
    });
    let view = match state.present.view.tab {
        Tab::Watch => kinds::watch(context.clone(), *autoplay),
        Tab::Measure => {
            html! { <Measure context={context.clone()} pinned={Rc::clone(&state.pinned)} act={act.clone()} /> }
        }
        Tab::Check => html! { <Check context={context.clone()} /> },
        Tab::Papers => html! { <Papers context={context.clone()} /> },
    };
    html! {
        <div class={css_classes(presenting, state.present.view.tab)} {onkeydown}>
            { skip_links(state.present.view.tab) }
            <Header context={context.clone()} can_undo={state.can_undo()} can_redo={state.can_redo()} act={act.clone()} {open} {on_files} present={present.reform(|()| true)} />
            { problem_bar(state.problem.as_deref(), &act) }
            { text_errors(&state.text_errors, &act) }
            if dragging { <p class="drop-target" aria-hidden="true">{"Drop to open"}</p> }
            // The key restarts the animation that ends the note.
            <p class="note" role="status">{ for state.note.as_deref().map(|note| html! { <span key={note.to_owned()}>{note}</span> }) }</p>
            <Counterexample context={AppContext { data_version: 0, layout_version: 0, ..context.clone() }} />
            { for context.jobs.notice().map(|notice| html! { <p class="notice" role="status">{notice}</p> }) }
            <PresetStory context={AppContext { data_version: 0, layout_version: 0, ..context.clone() }} />
            <main class={classes!("workspace", matches!(state.present.view.tab, Tab::Papers).then_some("workspace--wide"), presenting.then_some("figure__body"))}>
                if state.present.rules.is_some() && state.present.view.tab == Tab::Watch {
                    <Editor context={AppContext { data_version: 0, layout_version: 0, ..context.clone() }} />
                }
                // Results of a running sweep do not concern the controls: a redraw would disturb
                // the user while typing.
                <Controls context={AppContext { data_version: 0, layout_version: 0, ..context.clone() }} />
                { view }
                <Tooltips />
            </main>
            if presenting {
                <button type="button" class="end-presentation" aria-label="End the presentation" title="End the presentation (P or Esc)"
                    onclick={present.reform(|_: MouseEvent| false)}>{"✕"}</button>
            }
            { match *dialog {
                Some(Dialog::Examples) => html! { <Examples context={context.clone()} close={close.clone()} /> },
                Some(Dialog::Share) => html! { <Share context={context.clone()} pinned={Rc::clone(&state.pinned)} figure={props.figure.clone()} close={close.clone()} /> },
                Some(Dialog::Help) => html! { <Help kind={context.experiment.kind()} close={close.clone()} /> },
                None => html! {},
            } }
        </div>
    }
}

/// Renders the first tab stops, which skip the header and the texts.
fn skip_links(tab: Tab) -> Html {
    let skip = |name: &'static str, target: &'static str| {
        html! { <button type="button" onclick={move |_: MouseEvent| dom::focus(target)}>{name}</button> }
    };
    let figure = match tab {
        Tab::Watch => Some("To the network"),
        Tab::Measure => Some("To the chart"),
        Tab::Check | Tab::Papers => None,
    };
    html! {
        <nav class="skip-links" aria-label="Skip">
            { for figure.map(|name| skip(name, "main canvas[tabindex]")) }
            if tab != Tab::Papers { { skip("To the settings", "#controls select, #controls input") } }
        </nav>
    }
}

fn problem_bar(problem: Option<&str>, act: &Callback<Action>) -> Html {
    let dismiss = act.reform(|_: MouseEvent| Action::Dismiss);
    html! {
        <div class="problem" role="alert">
            if let Some(problem) = problem {
                <p>{problem}</p>
                <button type="button" onclick={dismiss}>{"Dismiss"}</button>
            }
        </div>
    }
}

/// Renders the errors of a link or a file, each with the accepted values.
fn text_errors(errors: &[ExperimentError], act: &Callback<Action>) -> Html {
    if errors.is_empty() {
        return html! {};
    }
    let dismiss = act.reform(|_: MouseEvent| Action::Dismiss);
    let notice = |error: &ExperimentError| {
        html! {
            <li>
                <p>{error.summary()}</p>
                <details><summary>{"What is accepted"}</summary><p>{error.accepted.clone()}</p></details>
            </li>
        }
    };
    html! {
        <div class="problem text-errors" role="alert">
            <ul>{ for errors.iter().map(notice) }</ul>
            <button type="button" onclick={dismiss}>{"Dismiss"}</button>
        </div>
    }
}

/// Returns whether the presentation mode is on, in which only the enlarged figure is shown, and a
/// callback that starts or ends it. P toggles it and Escape ends it. A presenter's remote steps
/// forward and back.
#[hook]
fn use_presenting() -> (bool, Callback<bool>) {
    let presenting = use_state_eq(|| false);
    let latest = use_mut_ref(|| false);
    let set = (*use_memo((), {
        let (latest, presenting) = (Rc::clone(&latest), presenting.clone());
        move |()| {
            Callback::from(move |next| {
                if latest.replace(next) != next {
                    dom::set_full_screen(next);
                    presenting.set(next);
                }
            })
        }
    }))
    .clone();
    use_effect_with((), {
        let set = set.clone();
        move |()| {
            let pressed = {
                let set = set.clone();
                move |event: web_sys::Event| {
                    let Ok(event) = event.dyn_into::<KeyboardEvent>() else { return };
                    if is_writing(&event) || event.ctrl_key() || event.meta_key() || event.alt_key() {
                        return;
                    }
                    let now = *latest.borrow();
                    match event.key().as_str() {
                        "p" | "P" => set.emit(!now),
                        // At once, as in full screen, where the page does not receive the key.
                        "Escape" if !has_dialog() => set.emit(false),
                        "PageDown" if now => click_transport(&event, ".play + button"),
                        "PageUp" if now => click_transport(&event, ".transport > button"),
                        _ => {}
                    }
                }
            };
            // In full screen, the browser handles Escape itself.
            let left = move |_: web_sys::Event| {
                if !dom::is_full_screen() {
                    set.emit(false);
                }
            };
            let keys = dom::window().map(|window| Listener::new(window.into(), "keydown", pressed));
            let screen = dom::document().map(|document| Listener::new(document.into(), "fullscreenchange", left));
            move || drop((keys, screen))
        }
    });
    (*presenting, set)
}

/// Returns the CSS classes of the page. The presentation mode has the layout of a figure with all
/// playback controls.
fn css_classes(presenting: bool, tab: Tab) -> Classes {
    let part = if tab == Tab::Watch { "shows-network" } else { "shows-chart" };
    let presented = presenting.then(|| classes!("page--present", "figure", "has-play", "has-step", "has-scrub", part));
    classes!("page", presented)
}

/// Installs the keys that open dialogs if no dialog is open, E the examples and ? the help, and the
/// keys of the gallery.
#[hook]
fn use_dialog_keys(open: Callback<Dialog>) {
    use_effect_with((), move |()| {
        let pressed = move |event: web_sys::Event| {
            let Ok(event) = event.dyn_into::<KeyboardEvent>() else { return };
            let is_alone = !(event.ctrl_key() || event.meta_key() || event.alt_key() || is_writing(&event));
            let dialog = match &*event.key() {
                "e" | "E" => Some(Dialog::Examples),
                "?" => Some(Dialog::Help),
                _ => None,
            };
            if let Some(dialog) = dialog.filter(|_| is_alone && !has_dialog()) {
                event.prevent_default();
                open.emit(dialog);
            }
            if !(event.ctrl_key() || event.meta_key() || event.alt_key()) {
                gallery::handle_key(&event);
            }
        };
        let keys = dom::window().map(|window| Listener::new(window.into(), "keydown", pressed));
        move || drop(keys)
    });
}

/// Returns whether a dialog is open.
fn has_dialog() -> bool {
    dom::document().is_some_and(|page| matches!(page.query_selector("dialog"), Ok(Some(_))))
}

/// Clicks a button of the playback controls in response to a key.
fn click_transport(event: &KeyboardEvent, button: &str) {
    event.prevent_default();
    let found = dom::document().and_then(|document| document.query_selector(button).ok().flatten());
    if let Some(button) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        button.click();
    }
}

/// Handles the usual keys for undo and redo, except while the user types a text.
fn undo_key(event: &KeyboardEvent, act: &Callback<Action>) {
    if is_writing(event) || !(event.ctrl_key() || event.meta_key()) {
        return;
    }
    let action = match (event.key().to_ascii_lowercase().as_str(), event.shift_key()) {
        ("z", false) => Action::Undo,
        ("z", true) | ("y", _) => Action::Redo,
        _ => return,
    };
    event.prevent_default();
    act.emit(action);
}

/// Returns whether a key belongs to a text that the user is typing.
fn is_writing(event: &KeyboardEvent) -> bool {
    let field = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    field.is_some_and(|field| match &*field.tag_name() {
        "TEXTAREA" | "SELECT" => true,
        "INPUT" => field.get_attribute("type").is_none_or(|kind| kind == "text" || kind == "search"),
        _ => false,
    })
}

/// Returns a client of the worker pool that increments `data_version` when a job of the client has
/// new results. The pool saves the sweeps that the client measures if `saves_checkpoints` is set.
#[hook]
pub(crate) fn use_job_client(data_version: UseStateHandle<u32>, saves_checkpoints: bool) -> Rc<JobClient> {
    let latest = use_mut_ref(|| 0u32);
    use_memo((), move |()| {
        let changed = Callback::from(move |()| {
            let mut count = latest.borrow_mut();
            *count = count.wrapping_add(1);
            data_version.set(*count);
        });
        JobClient::new(changed, saves_checkpoints)
    })
}

/// Experiment in the address: its text, and the browser's spelling of it.
struct AddressState {
    text: String,
    address: String,
}

impl AddressState {
    /// Returns the current address.
    fn now() -> Self {
        let address = dom::address_text();
        Self { text: address.clone(), address }
    }
}

/// Keeps the address current, and follows the history back and forward.
#[hook]
fn use_address(state: &UseReducerHandle<AppState>) {
    let text = state.present.to_string();
    let known = use_mut_ref(AddressState::now);
    let first = use_mut_ref(|| true);
    // A link that cannot be parsed stays in the address, so that it can be corrected.
    let unreadable = *first.borrow() && !state.text_errors.is_empty();
    use_effect_with(text, {
        let known = Rc::clone(&known);
        move |text: &String| {
            let opening = first.replace(false);
            let mut known = known.borrow_mut();
            // After a change of the address whose event is still pending, the address is not
            // overwritten.
            if known.text != *text && !unreadable && known.address == dom::address_text() {
                dom::set_address(text, !opening);
                *known = AddressState { text: text.clone(), address: dom::address_text() };
            }
        }
    });
    use_effect_with((), {
        let dispatch = state.dispatcher();
        move |()| {
            let listener = dom::window().map(|window| {
                Listener::new(window.into(), "hashchange", move |_| {
                    let AddressState { text, address } = AddressState::now();
                    if known.borrow().address == address {
                        return;
                    }
                    let reading = Experiment::read_text(&text);
                    // The address keeps a wrong text, so that it can be corrected.
                    let shown = if reading.errors.is_empty() { text } else { reading.experiment.to_string() };
                    known.replace(AddressState { text: shown, address });
                    dispatch.dispatch(Action::OpenReading(reading));
                })
            });
            move || drop(listener)
        }
    });
}

/// Scrolls to the top after a change of the view, for example after a point of a chart was opened
/// far below. Papers scrolls to its items itself.
#[hook]
fn use_scroll_to_top(tab: Tab) {
    let is_first = use_mut_ref(|| true);
    use_effect_with(tab, move |tab| {
        if !is_first.replace(false) && *tab != Tab::Papers {
            dom::scroll_to_top();
        }
    });
}

/// Increments `layout_version` when the size, the pixel density or the colours of the window
/// change.
#[hook]
pub(crate) fn use_layout_version(layout_version: UseStateHandle<u32>) {
    let latest = use_mut_ref(|| 0u32);
    use_effect_with((), move |()| {
        let changed = move || {
            let mut count = latest.borrow_mut();
            *count = count.wrapping_add(1);
            layout_version.set(*count);
        };
        let mut listeners = Vec::new();
        if let Some(window) = dom::window() {
            let resized = changed.clone();
            listeners.push(Listener::new(window.clone().into(), "resize", move |_| resized()));
            for query in ["(prefers-color-scheme: dark)", "(forced-colors: active)"] {
                if let Ok(Some(list)) = window.match_media(query) {
                    let recolored = changed.clone();
                    listeners.push(Listener::new(list.into(), "change", move |_| recolored()));
                }
            }
        }
        move || drop(listeners)
    });
}
