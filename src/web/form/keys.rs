//! Controls of single keys: what they say, what they accept, what changes them.

use yew::prelude::*;

use super::field::{ChoiceField, Commit, TextField};
use crate::experiment::Experiment;
use crate::report::words;
use crate::topology::{Network, NodeId};
use crate::web::bench::Bench;

/// Controls that belong together, under a title.
pub(crate) fn group(title: &str, inside: Html) -> Html {
    html! { <fieldset><legend>{title}</legend>{inside}</fieldset> }
}

/// Controls of `names` that are rarely used: folded away, with how many of them are not as they usually are.
pub(crate) fn folded(bench: &Bench, title: &'static str, names: &[&str], inside: Html) -> Html {
    let usual =
        bench.experiment.kind().behavior.default_experiment(bench.experiment.version, Some(bench.experiment.network));
    let says = |experiment: &Experiment, name: &str| experiment.kind().key(name).and_then(|key| key.value(experiment));
    let changed = names.iter().filter(|name| says(&bench.experiment, name) != says(&usual, name)).count();
    html! {
        <details class="folded">
            <summary>{title}if changed > 0 { <small>{format!("{changed} changed")}</small> }</summary>
            {inside}
        </details>
    }
}

/// Changes one key of the experiment as if it had been written in its text.
pub(crate) fn set(bench: &Bench, name: &'static str) -> Commit {
    let bench = bench.clone();
    Callback::from(move |value: String| bench.change(bench.experiment.with_key(name, &value)))
}

/// A number as texts of experiments have it, of one as people write it: `30%`, `0,3`, `100 000`. Anything else stays as it is.
pub(crate) fn plain(text: &str) -> String {
    let share = text.strip_suffix('%');
    let mut number: String = share.unwrap_or(text).split_whitespace().collect();
    if number.matches(',').count() == 1 {
        number = number.replace(',', ".");
    }
    let factor = if share.is_some() { "e-2" } else { "" };
    match (number + factor).parse::<f64>() {
        Ok(value) if value.is_finite() && (share.is_some() || text.contains([',', ' '])) => value.to_string(),
        _ => text.to_owned(),
    }
}

/// Changes the experiment by a node, read as fields show it: what is without a prefix is binary for small cubes, as long as they are.
pub(crate) fn set_node(bench: &Bench, put: fn(&mut Experiment, NodeId)) -> Commit {
    let bench = bench.clone();
    Callback::from(move |text: String| {
        let network = bench.experiment.network;
        let digits = network.cube().map(|cube| usize::from(cube.dimension())).filter(|&digits| digits <= 10);
        let binary = digits == Some(text.len()) && text.bytes().all(|byte| matches!(byte, b'0' | b'1'));
        let read = if binary { format!("0b{text}") } else { text };
        let node = network.parse_node(&read).ok_or_else(|| no_node(network))?;
        let mut next = (*bench.experiment).clone();
        put(&mut next, node);
        bench.change(Ok(next))
    })
}

/// What nodes of a network are called.
fn no_node(network: Network) -> String {
    let [low, high] = [NodeId(0), network.last()].map(|node| words::node_of(network, node));
    let numbers = network.cube().map_or(String::new(), |_| format!(" or 0–{}", network.last()));
    format!("write {low}–{high}{numbers}")
}

/// The longest sentence of a tip, in bytes: some three lines of it.
const SENTENCE: usize = 110;

/// A meaning as the one sentence of a tip: without what follows on its first clause, if it is long. The rest is in the help.
pub(crate) fn sentence(meaning: &str) -> String {
    let end = [" (", ": ", "; "].iter().filter_map(|end| meaning.find(end)).min();
    let said = &meaning[..end.filter(|_| meaning.len() > SENTENCE).unwrap_or(meaning.len())];
    let first = said.chars().next().map_or(0, char::len_utf8);
    if said.is_empty() { String::new() } else { format!("{}{}.", said[..first].to_uppercase(), &said[first..]) }
}

/// What the key called `name` means, in a sentence. What it accepts is said by what is refused, and by the help.
pub(crate) fn hint(bench: &Bench, name: &str) -> String {
    bench.experiment.kind().key(name).map_or(String::new(), |key| sentence(key.meaning))
}

/// What the key called `name` says, as text.
pub(crate) fn value(bench: &Bench, name: &str) -> String {
    bench.experiment.kind().key(name).and_then(|key| key.value(&bench.experiment)).unwrap_or_default()
}

/// Values of a key and what they are called.
pub(crate) fn named(all: &[(&'static str, &'static str)]) -> Vec<(AttrValue, AttrValue)> {
    all.iter().map(|&(id, name)| (id.into(), name.into())).collect()
}

/// The number that the key called `name` says.
pub(crate) fn number(bench: &Bench, label: &'static str, name: &'static str) -> Html {
    let commit = set(bench, name).reform(|text: String| plain(&text));
    html! { <TextField {label} value={value(bench, name)} {commit} hint={hint(bench, name)} mode="decimal" /> }
}

/// The choice among values of the key called `name`, each with what it is called.
pub(crate) fn choice(
    bench: &Bench,
    label: &'static str,
    name: &'static str,
    all: &[(&'static str, &'static str)],
) -> Html {
    html! { <ChoiceField {label} options={named(all)} value={value(bench, name)} commit={set(bench, name)} hint={hint(bench, name)} /> }
}
