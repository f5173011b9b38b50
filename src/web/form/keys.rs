//! Controls of single keys: their values, accepted values and changes.

use yew::prelude::*;

use super::field::{ChoiceField, Commit, TextField};
use crate::experiment::Experiment;
use crate::report::wording;
use crate::topology::{Network, NodeId};
use crate::web::app_context::AppContext;

/// Renders a titled group of controls.
pub(crate) fn fieldset(title: &str, inside: Html) -> Html {
    html! { <fieldset><legend>{title}</legend>{inside}</fieldset> }
}

/// Renders rarely used controls in a collapsed section, with the number of `names` that differ from
/// their defaults.
pub(crate) fn collapsed(context: &AppContext, title: &'static str, names: &[&str], inside: Html) -> Html {
    let usual = context
        .experiment
        .kind()
        .behavior
        .default_experiment(context.experiment.version, Some(context.experiment.network));
    let says = |experiment: &Experiment, name: &str| experiment.kind().key(name).and_then(|key| key.value(experiment));
    let changed = names.iter().filter(|name| says(&context.experiment, name) != says(&usual, name)).count();
    html! {
        <details class="collapsed">
            <summary>{title}if changed > 0 { <small>{format!("{changed} changed")}</small> }</summary>
            {inside}
        </details>
    }
}

/// Returns a callback that changes one key of the experiment as if it were written in its text.
pub(crate) fn setter(context: &AppContext, name: &'static str) -> Commit {
    let context = context.clone();
    Callback::from(move |value: String| context.apply(context.experiment.with_key(name, &value)))
}

/// Converts a number such as `30%`, `0,3` or `100 000` to the format of experiment texts. Any other
/// text is returned unchanged.
pub(crate) fn parse_number(text: &str) -> String {
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

/// Returns a callback that changes the experiment by a node. In small cubes, the callback reads one
/// digit for each dimension as a binary address, because fields show nodes in binary.
pub(crate) fn set_node(context: &AppContext, put: fn(&mut Experiment, NodeId)) -> Commit {
    let context = context.clone();
    Callback::from(move |text: String| {
        let network = context.experiment.network;
        let digits = network.cube().map(|cube| usize::from(cube.dimension())).filter(|&digits| digits <= 10);
        let binary = digits == Some(text.len()) && text.bytes().all(|byte| matches!(byte, b'0' | b'1'));
        let read = if binary { format!("0b{text}") } else { text };
        let node = network.parse_node(&read).ok_or_else(|| no_node(network))?;
        let mut next = (*context.experiment).clone();
        put(&mut next, node);
        context.apply(Ok(next))
    })
}

/// Returns the error that names the valid nodes of a network.
fn no_node(network: Network) -> String {
    let [low, high] = [NodeId(0), network.last_node()].map(|node| wording::node_of(network, node));
    let numbers = network.cube().map_or(String::new(), |_| format!(" or 0–{}", network.last_node()));
    format!("write {low}–{high}{numbers}")
}

/// Maximum length of a tooltip sentence in bytes, about three lines.
const SENTENCE: usize = 110;

/// Shortens a meaning to one sentence for a tooltip: a long one is cut after its first clause. The
/// help has the full text.
pub(crate) fn tooltip_sentence(meaning: &str) -> String {
    let end = [" (", ": ", "; "].iter().filter_map(|end| meaning.find(end)).min();
    let said = &meaning[..end.filter(|_| meaning.len() > SENTENCE).unwrap_or(meaning.len())];
    let first = said.chars().next().map_or(0, char::len_utf8);
    if said.is_empty() { String::new() } else { format!("{}{}.", said[..first].to_uppercase(), &said[first..]) }
}

/// Returns the meaning of the key called `name` as a sentence. Errors and the help state the
/// accepted values.
pub(crate) fn hint(context: &AppContext, name: &str) -> String {
    context.experiment.kind().key(name).map_or(String::new(), |key| tooltip_sentence(key.meaning))
}

/// Returns the value of the key called `name` as text.
pub(crate) fn value(context: &AppContext, name: &str) -> String {
    context.experiment.kind().key(name).and_then(|key| key.value(&context.experiment)).unwrap_or_default()
}

/// Converts values of a key and their names to options.
pub(crate) fn options(all: &[(&'static str, &'static str)]) -> Vec<(AttrValue, AttrValue)> {
    all.iter().map(|&(id, name)| (id.into(), name.into())).collect()
}

/// Renders a number field for the key called `name`.
pub(crate) fn number_field(context: &AppContext, label: &'static str, name: &'static str) -> Html {
    let commit = setter(context, name).reform(|text: String| parse_number(&text));
    html! { <TextField {label} value={value(context, name)} {commit} hint={hint(context, name)} mode="decimal" /> }
}

/// Renders a text field for the key called `name`.
pub(crate) fn text_field(context: &AppContext, label: &'static str, name: &'static str) -> Html {
    let (value, commit) = (value(context, name), setter(context, name));
    html! { <TextField {label} {value} {commit} hint={hint(context, name)} /> }
}

/// Renders a select element for the key called `name`, with its values and their names.
pub(crate) fn select_field(
    context: &AppContext,
    label: &'static str,
    name: &'static str,
    all: &[(&'static str, &'static str)],
) -> Html {
    html! { <ChoiceField {label} options={options(all)} value={value(context, name)} commit={setter(context, name)} hint={hint(context, name)} /> }
}
