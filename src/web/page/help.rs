//! Help dialog: tasks, keyboard, terms, algorithms and keys of the text of one kind of experiment,
//! with a search.

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

/// Tasks, each as the end of the question "How do I ..?", with its answer.
const TASKS: [(&str, &str); 13] = [
    (
        "break a node or a link?",
        "In Watch, click it; another click mends it. Faults, in the settings, draws random faults.",
    ),
    (
        "see why a message took a hop?",
        "In Watch, the list beside the network gives a reason for each hop. Click a hop to go there.",
    ),
    (
        "compare algorithms?",
        "Tick several under Routing. Watch shows them side by side, Measure as curves of one chart.",
    ),
    (
        "plot latency against load?",
        "Open Examples and search for latency. For an experiment of your own, open Measure and choose mean latency under Chart.",
    ),
    (
        "understand a deadlock?",
        "Open Examples and look below \"Why do messages deadlock?\". Check says whether an algorithm can deadlock, and draws the cycle.",
    ),
    ("find the faults that hurt most?", "Open Measure, then Find the worst faults."),
    ("write a routing of my own?", "Under Routing, press Write your own. Faultlab searches for flaws while you type."),
    ("save a picture or the numbers?", "Press SVG, PNG, CSV or JSON near the figure."),
    ("open a saved experiment or result?", "Press Open above the figure, or drop the file on the page."),
    (
        "print a lesson?",
        "Open the lesson and print the page. It prints without answers, unless you choose to print them too.",
    ),
    (
        "put a figure into my lecture notes?",
        "Press Share: it has the link, the tag, the frame, and the text for LaTeX.",
    ),
    (
        "show it in a lecture hall?",
        "Press P for the enlarged figure alone. Page Up and Page Down step, P or Esc ends it.",
    ),
    ("get back what I had?", "Press Undo, or Ctrl+Z. Every link contains the whole experiment."),
];

/// Keyboard commands, most of them for the network while it has the focus.
const KEYBOARD: [(&str, &str); 15] = [
    ("arrow keys", "move between nodes"),
    ("L", "circuits, worms and permutations: go through the links of the node"),
    (
        "Enter",
        "break or mend the node or link; follow the message that holds the link; fat-trees: break a wire of the channel",
    ),
    ("F", "fat-trees: follow a message that is lost at the channel"),
    (
        "B",
        "circuits and worms: break or mend the focused element, even if a message holds it; during playback of worms it breaks now",
    ),
    ("space", "play or pause"),
    (". and ,", "go one hop, event or cycle forward or back"),
    ("+, - and 0", "zoom in, zoom out, show the whole picture"),
    ("Home, End", "go to the beginning or to the end"),
    ("Esc", "leave the node or message"),
    ("Ctrl+Z, Ctrl+Y", "undo, redo"),
    ("← and →", "in a sentence: go to the previous or next term or node"),
    ("E", "open the examples"),
    ("?", "open this help"),
    ("P", "show only the enlarged figure, like Present; Page Up and Page Down step; P or Esc ends the presentation"),
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
    let tasks = TASKS.iter().filter(|(task, answer)| is_wanted(&["How do I ", task, " ", answer].concat()));
    let tasks = tasks.map(|(task, answer)| html! { <><dt>{format!("How do I {task}")}</dt><dd>{*answer}</dd></> });
    let keys = KEYBOARD.iter().filter(|(key, what)| is_wanted(&[key, " ", what].concat()));
    let keys = keys.map(|(key, what)| html! { <tr><th scope="row"><kbd>{*key}</kbd></th><td>{*what}</td></tr> });
    let keys: Vec<_> = keys.collect();
    // A search covers all kinds of experiments.
    let is_search = !wanted.trim().is_empty();
    let terms = TERMS.iter().filter(|term| is_search || term.kinds.is_empty() || term.kinds.contains(&kind.id));
    let terms = terms.filter(|term| is_wanted(&[term.name, " ", term.meaning].concat())).map(explained);
    let experiment = kind.behavior.default_experiment(Version::LATEST, None);
    let written = kind.shared_keys().chain(kind.keys).map(|key| (key, (key.accepted)(&experiment)));
    let written = written.filter(|(key, accepted)| is_wanted(&[key.name, " ", key.meaning, " ", accepted].concat()));
    let written = written.map(|(key, accepted)| described(key, &accepted));
    let algorithms = ALGORITHMS.iter().filter(|algorithm| is_search || algorithm.check_use(kind.use_case).is_ok());
    let algorithms =
        algorithms.filter(|one| is_wanted(&[&*one.id, &one.name, one.summary, one.guarantee, one.paper].join(" ")));
    let mut words = Vec::new();
    let tasks: Vec<_> = tasks.collect();
    let terms: Vec<_> = terms.collect();
    let algorithms: Vec<_> = algorithms.map(|algorithm| algorithm_entry(algorithm, &mut words)).collect();
    let written: Vec<_> = written.collect();
    let is_empty = keys.is_empty() && [&tasks, &terms, &algorithms, &written].iter().all(|entries| entries.is_empty());
    html! {
        <Frame title="Help" close={props.close.clone()}>
            { search(&wanted) }
            <p>{"Watch shows a message among faults: click nodes to break and mend them. Measure samples many random faults. \
                 Check lists what can be proved. Papers compares results with published numbers. "}
                { book("The book") }</p>
            <p class="hint" role="status">{if is_empty { "No entry matches the search." } else { "" }}</p>
            { part("Tasks", Html::default(), tasks) }
            if !keys.is_empty() {
                <section><h3>{"Keyboard"}</h3><table class="shortcuts"><tbody>{ for keys }</tbody></table></section>
            }
            <ChoiceField label="Kind of experiment" {options} value={kind.id} commit={choose} />
            { part("Glossary", Html::default(), terms) }
            { part("Routing", Html::default(), algorithms) }
            { part("The experiment as text", html! {
                <p>{"The text consists of KEY=VALUE pairs joined by &, in any order; omitted keys have their defaults. Links, \
                     the command line and files use it."}</p>
            }, written) }
        </Frame>
    }
}

/// Renders a section with its entries, in a list; nothing if the search matches no entry.
fn part(heading: &'static str, about: Html, entries: Vec<Html>) -> Html {
    html! {
        if !entries.is_empty() {
            <section><h3>{heading}</h3>{about}<dl class="glossary">{ for entries }</dl></section>
        }
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
            <dd>{worded(algorithm.summary)}{" Guarantee: "}{worded(algorithm.guarantee)}{" ("}{algorithm.paper}{")"}</dd>
        </>
    }
}
