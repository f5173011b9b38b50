//! Gallery of examples, in a dialog: grouped, searchable, usable by arrow keys, with a plain link
//! for each.

mod groups;
mod keys;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlDialogElement};
use yew::prelude::*;

use super::dialogs::{Frame, Props, has_all, search};
use super::lesson_links::lessons;
use super::story::open;
use crate::experiment::presets::{Preset, PresetPosition};
use crate::web::app_context::AppContext;
use crate::web::dom;
use crate::web::form::glossary::with_glossary_in_button;
use crate::web::rules::starting_rules::{exercises, open_first};
use groups::{GROUPINGS, groups};
pub(super) use keys::handle_key;

/// Renders all presets that match the search, in groups.
#[component]
pub(crate) fn Examples(props: &Props) -> Html {
    let wanted = use_state(String::new);
    let way = use_state_eq(|| 0usize);
    let shown = PresetPosition::find(&props.context.experiment).map(|story| story.preset);
    let (mut words, mut sections) = (Vec::new(), Vec::new());
    for group in groups(*way) {
        let mut tiles: Vec<Html> = Vec::new();
        for preset in group.presets {
            if is_wanted(&group.heading, preset, &wanted) {
                tiles.push(tile(props, preset, shown == Some(preset), &mut words));
            }
        }
        if !tiles.is_empty() {
            sections.push(html! { <section><h3>{group.heading}</h3><ul class="examples">{ for tiles }</ul></section> });
        }
    }
    let exercises = exercises_of(props, &wanted);
    if sections.is_empty() && exercises.is_none() {
        sections.push(html! { <p class="hint">{"No example matches the search."}</p> });
    }
    html! {
        <Frame title="Examples" close={props.close.clone()}>
            <div class="gallery">
                <div class="gallery__head">
                    <div class="pair" role="group" aria-label="Grouping">{ grouping(&way) }</div>
                    <span>{ editor_button(props) }{ lessons("Lessons", "") }</span>
                </div>
                { search(&wanted) }
                // The list has an element of its own, so that the search field keeps its identity
                // and focus while results change.
                <div>{ for sections }{ for exercises }</div>
            </div>
        </Frame>
    }
}

/// Returns whether an example, with its heading, contains all words of `wanted`.
fn is_wanted(heading: &str, preset: &Preset, wanted: &str) -> bool {
    has_all(&[heading, &preset.search_text()].join(" "), wanted)
}

/// Renders the buttons of the groupings.
fn grouping(chosen: &UseStateHandle<usize>) -> Html {
    let button = |(way, label): (usize, &'static str)| {
        let pressed = (**chosen == way).to_string();
        let chosen = chosen.clone();
        let onclick = Callback::from(move |_: MouseEvent| chosen.set(way));
        html! { <button type="button" {onclick} aria-pressed={pressed}>{label}</button> }
    };
    GROUPINGS.into_iter().enumerate().map(button).collect()
}

/// Renders an example: its picture, if available, and its text.
fn tile(props: &Props, preset: &'static Preset, is_shown: bool, words: &mut Vec<&'static str>) -> Html {
    let picture = |src| html! { <img {src} alt="" loading="lazy" width="320" height="200" /> };
    let picture = dom::sibling_url(&format!("gallery/{}.svg", preset.id)).map(picture);
    let onclick = {
        let (context, close) = (props.context.clone(), props.close.clone());
        Callback::from(move |event: MouseEvent| open_example(&event, &context, &close, preset))
    };
    html! {
        <li>
            <a class="tile" href={format!("#{}", preset.experiment)} {onclick} aria-current={is_shown.then_some("true")}>
                { for picture }<b>{&preset.title}</b><span>{with_glossary_in_button(&preset.sentence, words)}</span>
            </a>
        </li>
    }
}

/// Renders the exercises with user-defined rules, if they match the search.
fn exercises_of(props: &Props, wanted: &str) -> Option<Html> {
    const TITLE: &str = "Exercises: rules with a flaw to find and mend";
    let leave = Callback::from(|event: MouseEvent| {
        close_dialog(&event);
    });
    has_all(&format!("{TITLE}, write your own routings"), wanted)
        .then(|| html! { <p class="exercises">{TITLE}{ exercises(&props.context, &leave, false) }</p> })
}

/// Renders the button that opens the editor with a first user-defined routing.
fn editor_button(props: &Props) -> Html {
    let context = props.context.clone();
    let onclick = Callback::from(move |event: MouseEvent| {
        close_dialog(&event);
        open_first(&context);
    });
    html! { <button type="button" {onclick}>{"Write your own routing"}</button> }
}

/// Closes the dialog that contains the pressed element; the browser returns the focus. Returns
/// whether a dialog was closed.
fn close_dialog(event: &MouseEvent) -> bool {
    let pressed = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let dialog = pressed.and_then(|pressed| pressed.closest("dialog").ok().flatten());
    let dialog = dialog.and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok());
    dialog.map(|dialog| dialog.close()).is_some()
}

/// Opens an example and closes the dialog. With a modifier key, the browser opens the link
/// elsewhere, as usual.
fn open_example(event: &MouseEvent, context: &AppContext, close: &Callback<()>, preset: &Preset) {
    if event.ctrl_key() || event.meta_key() || event.shift_key() {
        return;
    }
    event.prevent_default();
    if !close_dialog(event) {
        close.emit(());
    }
    open(context, preset);
}
