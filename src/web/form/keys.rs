//! Controls of single keys: what they say, what they accept, what changes them.

use yew::prelude::*;

use super::field::{ChoiceField, TextField};
use crate::web::bench::Bench;

/// Controls that belong together, under a title.
pub(crate) fn group(title: &str, inside: Html) -> Html {
    html! { <fieldset><legend>{title}</legend>{inside}</fieldset> }
}

/// Changes one key of the experiment as if it had been written in its text.
pub(crate) fn set(bench: &Bench, name: &'static str) -> Callback<String> {
    let bench = bench.clone();
    Callback::from(move |value: String| match bench.experiment.with_key(name, &value) {
        Ok(next) => bench.edit.emit(next),
        Err(error) => bench.refuse.emit(error.to_string()),
    })
}

/// As [`set`], of a key whose value is a node. What fields show without a prefix is binary for small cubes.
pub(crate) fn set_node(bench: &Bench, name: &'static str) -> Callback<String> {
    let digits = bench.experiment.cube().map(|cube| usize::from(cube.dimension())).filter(|&digits| digits <= 10);
    set(bench, name).reform(move |text: String| {
        let binary = digits == Some(text.len()) && text.bytes().all(|byte| matches!(byte, b'0' | b'1'));
        if binary { format!("0b{text}") } else { text }
    })
}

/// What the key called `name` means and accepts.
pub(crate) fn hint(bench: &Bench, name: &str) -> String {
    let key = bench.experiment.kind().key(name);
    key.map_or(String::new(), |key| format!("{}: {}", key.meaning, (key.accepted)(&bench.experiment)))
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
    html! { <TextField {label} value={value(bench, name)} commit={set(bench, name)} hint={hint(bench, name)} mode="decimal" /> }
}

/// The choice among values of the key called `name`, each with what it is called.
pub(crate) fn choice(
    bench: &Bench,
    label: &'static str,
    name: &'static str,
    all: &[(&'static str, &'static str)],
) -> Html {
    html! { <ChoiceField {label} options={named(all)} value={value(bench, name)} commit={set(bench, name)} /> }
}
