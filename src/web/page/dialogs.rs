//! The examples and the link, in dialogs.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlDialogElement, HtmlInputElement};
use yew::prelude::*;

use super::story::open;
use crate::experiment::presets::{Preset, Series, series};
use crate::experiment::{Experiment, KINDS, Key, Tab};
use crate::routing::ALGORITHMS;
use crate::web::bench::Bench;
use crate::web::dom;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) bench: Bench,
    pub(crate) close: Callback<()>,
}

#[derive(Properties, PartialEq)]
struct FrameProps {
    title: AttrValue,
    close: Callback<()>,
    children: Html,
}

/// A modal dialog: Esc closes it, and the focus goes back to where it was.
#[component]
fn Frame(props: &FrameProps) -> Html {
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
    let oninput = {
        let wanted = wanted.clone();
        Callback::from(move |event: InputEvent| {
            wanted.set(event.target_unchecked_into::<HtmlInputElement>().value().to_lowercase());
        })
    };
    let item = |preset: &'static Preset| {
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
            <li><button type="button" {onclick}><b>{&preset.title}</b><span>{&preset.sentence}</span></button></li>
        }
    };
    let has_all = |preset: &&Preset| {
        let words = format!("{} {} {} {}", preset.id, preset.title, preset.sentence, preset.experiment).to_lowercase();
        wanted.split_whitespace().all(|word| words.contains(word))
    };
    let part = |series: Series| {
        let heading = format!("{}, {}", series.kind.name, verb(series.tab));
        let found: Vec<_> = series.presets.into_iter().filter(has_all).collect();
        let none = found.is_empty();
        (!none).then(|| html! { <section><h3>{heading}</h3><ul class="examples">{ for found.into_iter().map(item) }</ul></section> })
    };
    let found: Vec<_> = series().into_iter().filter_map(part).collect();
    let none = found.is_empty();
    html! {
        <Frame title="Examples" close={props.close.clone()}>
            <label class="search">{"Search "}<input type="search" value={(*wanted).clone()} {oninput} /></label>
            { for found }
            if none { <p class="hint">{"No example has all these words."}</p> }
        </Frame>
    }
}

/// The link and the command, to copy.
#[component]
pub(crate) fn Share(props: &Props) -> Html {
    let at_moment = use_state(|| false);
    let moment = props.bench.moment.get().filter(|_| props.bench.experiment.view.tab == Tab::Watch);
    let mut shared = (*props.bench.experiment).clone();
    if let Some((time, chosen)) = moment.filter(|_| *at_moment) {
        shared.view.time = Some((time * 1000.0).round() / 1000.0);
        shared.view.follow = chosen.map(|(index, message)| (index as u32, message)).or(shared.view.follow);
    }
    let toggle = {
        let at_moment = at_moment.clone();
        Callback::from(move |_: Event| at_moment.set(!*at_moment))
    };
    let text = shared.to_string();
    let line = |label: &'static str, value: String| {
        let copied = value.clone();
        let copy = Callback::from(move |_: MouseEvent| dom::copy(&copied));
        html! {
            <div class="share">
                <label>{label}<input type="text" readonly=true {value} /></label>
                <button type="button" onclick={copy}>{"Copy"}</button>
            </div>
        }
    };
    let save = {
        let text = text.clone();
        Callback::from(move |_: MouseEvent| dom::download("experiment.txt", "text/plain", &text))
    };
    html! {
        <Frame title="Share this experiment" close={props.close.clone()}>
            <p>{"The text is the whole experiment: the same text gives the same numbers everywhere."}</p>
            if let Some((time, _)) = moment {
                <label class="check">
                    <input type="checkbox" checked={*at_moment} onchange={toggle} />
                    <span>{format!("Open at this moment ({})", (time * 100.0).round() / 100.0)}</span>
                </label>
            }
            { line("Link", dom::link(&text)) }
            { line("On the command line", format!("faultlab run '{text}'")) }
            <p><button type="button" onclick={save}>{"Save as a file"}</button></p>
        </Frame>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct HelpProps {
    pub(crate) close: Callback<()>,
}

/// The keys of the keyboard that the network listens to while it has the focus.
const KEYBOARD: [(&str, &str); 11] = [
    ("arrow keys", "move between nodes"),
    ("L", "circuits and worms: through the links of the node"),
    ("Enter", "break or mend the node or link; follow the message that holds the link"),
    ("B", "circuits and worms: break or mend what is in focus, whoever holds it"),
    ("space", "play or pause"),
    (". and ,", "one hop, event or cycle on, one back"),
    ("+ and -", "worms: look nearer, look at more"),
    ("Home, End", "to the beginning, to the end"),
    ("Esc", "leave the node or message"),
    ("Ctrl+Z, Ctrl+Y", "undo, redo"),
    ("P", "present: the figure alone, large, for a room; page up and page down step, P or Esc ends it"),
];

/// How to use the page by keyboard, and every key of the text form.
#[component]
pub(crate) fn Help(props: &HelpProps) -> Html {
    let keys = KEYBOARD.map(|(key, what)| html! { <tr><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr> });
    let first = (KINDS[0].default)(None);
    let shared = KINDS[0].shared_keys().map(|key| described(key, &first));
    let own = KINDS.into_iter().filter(|kind| !kind.keys.is_empty()).map(|kind| {
        let experiment = (kind.default)(None);
        html! {
            <>
                <dt>{format!("With switch={}", kind.id)}</dt><dd>{kind.about}</dd>
                { for kind.keys.iter().map(|key| described(key, &experiment)) }
            </>
        }
    });
    let algorithms = ALGORITHMS.iter().map(|algorithm| {
        html! {
            <>
                <dt><code>{&*algorithm.id}</code></dt>
                <dd>{algorithm.summary}{" "}{algorithm.guarantee}{" ("}{algorithm.paper}{")"}</dd>
            </>
        }
    });
    html! {
        <Frame title="Help" close={props.close.clone()}>
            <p>{"Watch a message among faults, and click nodes to break and mend them. Measure what happens over many \
                 random faults. Check what can be proved. Papers compares with what was published."}</p>
            <h3>{"On the network, by keyboard"}</h3>
            <table class="keys"><tbody>{ for keys }</tbody></table>
            <h3>{"The experiment as text"}</h3>
            <p>{"Pairs joined by &, in any order; what is left out has its default. The link, the command line and \
                 files all use it."}</p>
            <dl class="glossary">{ for shared }{ for own }</dl>
            <h3>{"Routing"}</h3>
            <dl class="glossary">{ for algorithms }</dl>
        </Frame>
    }
}

/// A key with an example, what it means and what it accepts in such an experiment.
fn described(key: &Key, experiment: &Experiment) -> Html {
    html! {
        <>
            <dt><code>{format!("{}={}", key.name, key.example)}</code></dt>
            <dd>{key.meaning}{": "}{(key.accepted)(experiment)}</dd>
        </>
    }
}
