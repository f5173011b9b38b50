//! Dialogs, and the examples in one.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlDialogElement, HtmlInputElement};
use yew::prelude::*;

use super::story::open;
use crate::experiment::Tab;
use crate::experiment::presets::{Preset, Series, series};
use crate::web::bench::Bench;
use crate::web::form::word::worded_inside;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) bench: Bench,
    pub(crate) close: Callback<()>,
}

#[derive(Properties, PartialEq)]
pub(super) struct FrameProps {
    pub(super) title: AttrValue,
    pub(super) close: Callback<()>,
    pub(super) children: Html,
}

/// A modal dialog: Esc closes it, and the focus goes back to where it was.
#[component]
pub(super) fn Frame(props: &FrameProps) -> Html {
    let node = use_node_ref();
    use_effect_with((), {
        let node = node.clone();
        move |()| {
            if let Some(dialog) = node.cast::<HtmlDialogElement>() {
                // Fails only if it is open already.
                let _ = dialog.show_modal();
            }
        }
    });
    let onclose = props.close.reform(|_: Event| ());
    let press = {
        let node = node.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(dialog) = node.cast::<HtmlDialogElement>() {
                dialog.close();
            }
        })
    };
    html! {
        <dialog ref={node} {onclose} aria-label={props.title.clone()}>
            <div class="dialog__head">
                <h2>{&props.title}</h2>
                <button type="button" onclick={press}>{"Close"}</button>
            </div>
            { props.children.clone() }
        </dialog>
    }
}

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

/// The line in which words are written that what is listed has to have.
pub(super) fn search(wanted: &UseStateHandle<String>) -> Html {
    let oninput = {
        let wanted = wanted.clone();
        Callback::from(move |event: InputEvent| wanted.set(event.target_unchecked_into::<HtmlInputElement>().value()))
    };
    html! { <label class="search">{"Search "}<input type="search" value={(**wanted).clone()} {oninput} /></label> }
}

/// Whether `text` has all words that are `wanted`, in whatever case.
pub(super) fn has_all(text: &str, wanted: &str) -> bool {
    let text = text.to_lowercase();
    wanted.to_lowercase().split_whitespace().all(|word| text.contains(word))
}
