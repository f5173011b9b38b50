//! The examples as pictures, in a dialog: grouped, searched, gone through by arrow keys, each a plain link.

mod groups;
mod keys;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlDialogElement};
use yew::prelude::*;

use super::dialogs::{Frame, Props, has_all, search};
use super::story::open;
use crate::experiment::presets::{Preset, Story, presets};
use crate::web::bench::Bench;
use crate::web::dom;
use crate::web::form::word::worded_inside;
use groups::{By, Group};

/// Every preset, to open: group by group, or those whose words are written.
#[component]
pub(crate) fn Examples(props: &Props) -> Html {
    let wanted = use_state(String::new);
    let by = use_state_eq(|| By::Question);
    keys::use_arrows();
    let shown = Story::of(&props.bench.experiment).map(|story| story.preset);
    let mut words = Vec::new();
    let mut count = 0;
    let mut part = |group: Group| {
        let is_wanted = |preset: &&Preset| {
            let words = [&group.heading, &preset.id, &preset.title, &preset.sentence, &preset.experiment];
            has_all(&words.map(String::as_str).join(" "), &wanted)
        };
        let found: Vec<_> = group.presets.iter().copied().filter(is_wanted).collect();
        count += found.len();
        let tiles = found.iter().map(|preset| tile(props, preset, shown == Some(*preset), &mut words));
        let tiles: Html = tiles.collect();
        (!found.is_empty())
            .then(|| html! { <section><h3>{&group.heading}</h3><ul class="examples">{tiles}</ul></section> })
    };
    let found: Vec<_> = by.groups().into_iter().filter_map(&mut part).collect();
    let told = match count {
        0 => "No example has all these words.".into(),
        count => format!("{count} of {} examples", presets().len()),
    };
    html! {
        <Frame title="Examples" close={props.close.clone()}>
            <div class="gallery">
                <div class="gallery__head">
                    <div class="pair" role="group" aria-label="Grouped">{ grouping(&by) }</div>
                    { lessons("Lessons", "") }
                </div>
                { search(&wanted) }
                <p class="hint" role="status">{told}</p>
                { for found }
            </div>
        </Frame>
    }
}

/// The ways of grouping, one of which is pressed.
fn grouping(by: &UseStateHandle<By>) -> Html {
    let button = |(way, label): (By, &'static str)| {
        let pressed = (**by == way).to_string();
        let by = by.clone();
        let onclick = Callback::from(move |_: MouseEvent| by.set(way));
        html! { <button type="button" {onclick} aria-pressed={pressed}>{label}</button> }
    };
    By::ALL.into_iter().map(button).collect()
}

/// The way to the lessons, where they stand beside the page.
pub(super) fn lessons(label: &'static str, class: &'static str) -> Html {
    let link = |href| html! { <a {href} {class}>{label}</a> };
    dom::beside("lessons/index.html").map(link).unwrap_or_default()
}

/// An example: its picture, where pictures can be had, and its words.
fn tile(props: &Props, preset: &'static Preset, is_shown: bool, words: &mut Vec<&'static str>) -> Html {
    let picture = |src| html! { <img {src} alt="" loading="lazy" width="320" height="200" /> };
    let picture = dom::beside(&format!("gallery/{}.svg", preset.id)).map(picture);
    let onclick = {
        let (bench, close) = (props.bench.clone(), props.close.clone());
        Callback::from(move |event: MouseEvent| choose(&event, &bench, &close, preset))
    };
    html! {
        <li>
            <a class="tile" href={format!("#{}", preset.experiment)} {onclick} aria-current={is_shown.then_some("true")}>
                { for picture }<b>{&preset.title}</b><span>{worded_inside(&preset.sentence, words)}</span>
            </a>
        </li>
    }
}

/// Opens an example in place of the dialog; with a key held the browser opens the link elsewhere, as people expect.
fn choose(event: &MouseEvent, bench: &Bench, close: &Callback<()>, preset: &Preset) {
    if event.ctrl_key() || event.meta_key() || event.shift_key() {
        return;
    }
    event.prevent_default();
    // Closed by itself, the dialog gives the focus back to where it was.
    let tile = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let dialog = tile.and_then(|tile| tile.closest("dialog").ok().flatten());
    match dialog.and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok()) {
        Some(dialog) => dialog.close(),
        None => close.emit(()),
    }
    open(bench, preset);
}
