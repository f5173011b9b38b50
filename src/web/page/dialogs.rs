//! The examples and the link, in dialogs.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlDialogElement};
use yew::prelude::*;

use crate::experiment::presets::{Preset, presets};
use crate::experiment::{Experiment, KINDS, Key};
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

/// Every preset, to open or to copy.
#[component]
pub(crate) fn Examples(props: &Props) -> Html {
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
            match preset.experiment.parse() {
                Ok(experiment) => bench.edit.emit(experiment),
                Err(error) => bench.refuse.emit(format!("{error}")),
            }
        });
        html! {
            <li><button type="button" {onclick}><b>{&preset.title}</b><span>{&preset.sentence}</span></button></li>
        }
    };
    html! {
        <Frame title="Examples" close={props.close.clone()}>
            <ul class="examples">{ for presets().iter().map(item) }</ul>
        </Frame>
    }
}

/// The link and the command, to copy.
#[component]
pub(crate) fn Share(props: &Props) -> Html {
    let text = props.bench.experiment.to_string();
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
const KEYBOARD: [(&str, &str); 10] = [
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
