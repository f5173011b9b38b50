//! The examples, in a dialog.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlDialogElement};
use yew::prelude::*;

use super::dialogs::{Frame, Props, has_all, search};
use super::story::open;
use crate::experiment::Tab;
use crate::experiment::presets::{Preset, Series, series};
use crate::web::form::word::worded_inside;

/// What one does with the presets of a view.
fn verb(tab: Tab) -> &'static str {
    match tab {
        Tab::Watch => "to watch",
        Tab::Measure => "to measure",
        Tab::Check => "to check",
        Tab::Papers => "from the papers",
    }
}

/// Every preset, to open: series by series, or those whose words are written.
#[component]
pub(crate) fn Examples(props: &Props) -> Html {
    let wanted = use_state(String::new);
    let mut words = Vec::new();
    let mut item = |preset: &'static Preset| {
        let (bench, close) = (props.bench.clone(), props.close.clone());
        let onclick = Callback::from(move |event: MouseEvent| {
            // Closed by itself, the dialog gives the focus back to where it was.
            let item = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            let dialog = item.and_then(|item| item.closest("dialog").ok().flatten());
            match dialog.and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok()) {
                Some(dialog) => dialog.close(),
                None => close.emit(()),
            }
            open(&bench, preset);
        });
        html! {
            <li><button type="button" {onclick}><b>{&preset.title}</b><span>{worded_inside(&preset.sentence, &mut words)}</span></button></li>
        }
    };
    let is_wanted = |preset: &&Preset| {
        let words = format!("{} {} {} {}", preset.id, preset.title, preset.sentence, preset.experiment);
        has_all(&words, &wanted)
    };
    let part = |series: Series| {
        let heading = format!("{}, {}", series.kind.name, verb(series.tab));
        let found: Vec<_> = series.presets.into_iter().filter(is_wanted).collect();
        let none = found.is_empty();
        (!none).then(|| html! { <section><h3>{heading}</h3><ul class="examples">{ for found.into_iter().map(&mut item) }</ul></section> })
    };
    let found: Vec<_> = series().into_iter().filter_map(part).collect();
    let none = found.is_empty();
    html! {
        <Frame title="Examples" close={props.close.clone()}>
            { search(&wanted) }
            { for found }
            if none { <p class="hint">{"No example has all these words."}</p> }
        </Frame>
    }
}
