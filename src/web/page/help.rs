//! Help dialog: keyboard, keys of the text, terms and algorithms of one kind of experiment, with a
//! search.

use yew::prelude::*;

use super::dialogs::{Frame, has_all, search};
use super::lesson_links::book;
use crate::experiment::{KINDS, Kind, TextKey, Version};
use crate::report::wording::glossary::{GlossaryTerm, TERMS};
use crate::routing::{ALGORITHMS, Algorithm};
use crate::web::form::field::ChoiceField;
use crate::web::form::glossary::{picture, with_glossary_once};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Kind that is selected at first.
    pub(crate) kind: &'static Kind,
    pub(crate) close: Callback<()>,
}

/// Keyboard commands of the network while it has the focus.
const KEYBOARD: [(&str, &str); 14] = [
    ("arrow keys", "move between nodes"),
    ("L", "circuits and worms: go through the links of the node"),
    (
        "Enter",
        "break or mend the node or link; follow the message that holds the link; fat-trees: break a wire of the channel",
    ),
    ("F", "fat-trees: follow a message that is lost at the channel"),
    ("B", "circuits and worms: break or mend the focused element, even if a message holds it"),
    ("space", "play or pause"),
    (". and ,", "go one hop, event or cycle forward or back"),
    ("+ and -", "worms: zoom in or out"),
    ("Home, End", "go to the beginning or to the end"),
    ("Esc", "leave the node or message"),
    ("Ctrl+Z, Ctrl+Y", "undo, redo"),
    ("← and →", "in a sentence: go to the previous or next term or node"),
    ("E", "open the examples"),
    ("P", "show only the enlarged figure; Page Up and Page Down step; P or Esc ends the presentation"),
];

/// Renders the help: keyboard commands, terms, algorithms, and the keys of the text form.
#[component]
pub(crate) fn Help(props: &Props) -> Html {
    let wanted = use_state(String::new);
    let kind = use_state(|| props.kind);
    let choose = {
        let kind = kind.clone();
        Callback::from(move |id: String| {
            if let Some(chosen) = KINDS.iter().find(|other| other.id == id) {
                kind.set(*chosen);
            }
            Ok(())
        })
    };
    let options: Vec<_> = KINDS.iter().map(|kind| (kind.id.into(), kind.name.into())).collect();
    let is_wanted = |text: &str| has_all(text, &wanted);
    let keys = KEYBOARD.iter().filter(|(key, what)| is_wanted(&[key, " ", what].concat()));
    let keys = keys.map(|(key, what)| html! { <tr><th scope="row"><kbd>{*key}</kbd></th><td>{*what}</td></tr> });
    let terms = TERMS.iter().filter(|term| term.kinds.is_empty() || term.kinds.contains(&kind.id));
    let terms = terms.filter(|term| is_wanted(&[term.name, " ", term.meaning].concat())).map(explained);
    let experiment = kind.behavior.default_experiment(Version::LATEST, None);
    let written = kind.shared_keys().chain(kind.keys).map(|key| (key, (key.accepted)(&experiment)));
    let written = written.filter(|(key, accepted)| is_wanted(&[key.name, " ", key.meaning, " ", accepted].concat()));
    let written = written.map(|(key, accepted)| described(key, &accepted));
    let algorithms = ALGORITHMS.iter().filter(|algorithm| algorithm.check_use(kind.use_case).is_ok());
    let algorithms =
        algorithms.filter(|one| is_wanted(&[&*one.id, &one.name, one.summary, one.guarantee, one.paper].join(" ")));
    let mut words = Vec::new();
    html! {
        <Frame title="Help" close={props.close.clone()}>
            <p>{"Watch shows a message among faults: click nodes to break and mend them. Measure samples many random faults. \
                 Check lists what can be proved. Papers compares results with published numbers. "}
                { book("The book") }</p>
            <ChoiceField label="Kind of experiment" {options} value={kind.id} commit={choose} />
            { search(&wanted) }
            { part("On the network, by keyboard", html! { <table class="keys"><tbody>{ for keys }</tbody></table> }) }
            { part("Words", glossary(terms.collect())) }
            { part("Routing", glossary(algorithms.map(|algorithm| algorithm_entry(algorithm, &mut words)).collect())) }
            { part("The experiment as text", html! {
                <>
                    <p>{"The text consists of KEY=VALUE pairs joined by &, in any order; omitted keys have their defaults. Links, \
                         the command line and files use it."}</p>
                    { glossary(written.collect()) }
                </>
            }) }
        </Frame>
    }
}

fn part(heading: &'static str, inside: Html) -> Html {
    html! { <section><h3>{heading}</h3>{inside}</section> }
}

fn glossary(entries: Vec<Html>) -> Html {
    match entries.is_empty() {
        true => html! { <p class="hint">{"No entry matches the search."}</p> },
        false => html! { <dl class="glossary">{ for entries }</dl> },
    }
}

fn explained(term: &GlossaryTerm) -> Html {
    html! { <><dt>{term.name}</dt><dd>{term.meaning}{picture(term)}</dd></> }
}

/// Renders a key with an example, its meaning and its accepted values.
fn described(key: &TextKey, accepted: &str) -> Html {
    html! {
        <>
            <dt><code>{format!("{}={}", key.name, key.example)}</code></dt>
            <dd>{key.meaning}{": "}{accepted.to_owned()}</dd>
        </>
    }
}

fn algorithm_entry(algorithm: &Algorithm, words: &mut Vec<&'static str>) -> Html {
    let mut worded = |text| with_glossary_once(text, words);
    html! {
        <>
            <dt>{algorithm.name.to_string()}{" "}<code>{&*algorithm.id}</code></dt>
            <dd>{worded(algorithm.summary)}{" "}{worded(algorithm.guarantee)}{" ("}{algorithm.paper}{")"}</dd>
        </>
    }
}
