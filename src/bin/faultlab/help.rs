//! Command `help`: the texts that explain commands, experiments, terms and rules.

use std::fmt::Write as _;

use clap::CommandFactory as _;
use faultlab::experiment::{Experiment, KINDS, Kind, Status, TextKey, Version};
use faultlab::report::wording::glossary::TERMS;
use faultlab::report::wording::wrap;
use faultlab::routing::ALGORITHMS;

use crate::arguments::Arguments;
use crate::output::CliError;

/// Returns the help on `topic`: a command, `experiment`, `words` or `rules`; without a topic, on
/// all commands.
pub(crate) fn topic(topic: Option<&str>) -> Result<String, CliError> {
    let mut command = Arguments::command();
    let Some(topic) = topic else { return Ok(command.render_long_help().to_string()) };
    if topic == "experiment" {
        return Ok(experiment_help());
    }
    if topic == "words" {
        return Ok(terms_help());
    }
    if topic == "rules" {
        return Ok(include_str!("../../../docs/rules.md").to_owned());
    }
    // The usage line of a command names its parents only after `build`.
    command.build();
    let names: Vec<_> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    match command.find_subcommand_mut(topic) {
        Some(command) => Ok(command.render_long_help().to_string()),
        None => Err(CliError::BadInput(format!(
            "help {topic}: no such topic; accepted: experiment, rules, words, {}",
            names.join(", ")
        ))),
    }
}

/// Returns the glossary of terms.
fn terms_help() -> String {
    let mut text = String::new();
    for term in TERMS {
        let _ = writeln!(text, "{}", term.name);
        append_paragraph(&mut text, term.meaning);
    }
    text
}

/// Returns the help on the text of experiments: the shared keys, then for each kind its own keys,
/// parameters and metrics.
fn experiment_help() -> String {
    let mut text = "An experiment is a text: pairs KEY=VALUE joined by &, in any order; omitted keys have their defaults. In a file the pairs may be on several lines, and lines that begin with # are comments.\n\
                    The page's link ends with the same text, after #.\n\n  \
                    v=2&net=cube:20&faults=nodes:0.5&mpl=20&vary=p:0.5..0.95:10\n\n\
                    v names the version of the text, 1 or 2. Without v it is 1, which measures as Faultlab 1.0 did; 2 has\n\
                    intervals that are valid near saturation.\n\nKeys of every kind:\n"
        .to_owned();
    for shared in KINDS[0].shared_keys() {
        let accepted = common_accepted(shared).unwrap_or_else(|| "see each kind below".into());
        append_key(&mut text, shared, &accepted, common_default(shared).as_deref());
    }
    for one in KINDS {
        append_kind(&mut text, one);
    }
    text.push_str("\nHow a point ends (outcome):\n");
    for status in Status::ALL {
        append_paragraph(&mut text, &format!("{}: {}", status.id(), status.reason()));
    }
    text.push_str("\nRouting algorithms (route):\n");
    for algorithm in ALGORITHMS {
        let _ = write!(text, "\n  {}\n", algorithm.id);
        append_paragraph(&mut text, &format!("{} {} [{}]", algorithm.summary, algorithm.guarantee, algorithm.paper));
    }
    text
}

/// Appends the help on a kind of experiment.
fn append_kind(text: &mut String, kind: &Kind) {
    let experiment = kind.behavior.default_experiment(Version::LATEST, None);
    let _ = writeln!(text, "\nswitch={}: {}", kind.id, kind.about);
    append_paragraph(text, &format!("runs on {}; a trial is one of its {}", kind.networks, kind.trials));
    for own in kind.keys {
        append_key(text, own, &(own.accepted)(&experiment), own.value(&experiment).as_deref());
    }
    append_paragraph(text, &format!("route accepts: {}", accepted_routings(&experiment)));
    let own = kind.shared_keys().filter(|shared| common_default(shared).is_none());
    let own = own.filter_map(|shared| Some(format!("{}={}", shared.name, shared.value(&experiment)?)));
    append_paragraph(text, &format!("default: {}", own.collect::<Vec<_>>().join("&")));
    let _ = writeln!(text, "\n  Parameters of vary:");
    for parameter in kind.parameters {
        let whole = if parameter.is_integer { ", whole" } else { "" };
        let _ = writeln!(
            text,
            "      {}: {}, {} to {}{whole}",
            parameter.id, parameter.axis, parameter.low, parameter.high
        );
    }
    let _ = writeln!(text, "\n  Metrics (plot, and the rows of every table):");
    let metrics = kind.metrics.iter().map(|metric| (metric.id, metric.meaning));
    for (id, meaning) in metrics.chain(kind.spreads.iter().map(|spread| (spread.id, spread.meaning))) {
        append_paragraph(text, &format!("{id}: {meaning}"));
    }
}

/// Returns the accepted values of a key for experiments of every kind; `None` if they depend on the
/// kind.
fn common_accepted(key: &TextKey) -> Option<String> {
    common_to_all_kinds(|experiment| Some((key.accepted)(experiment)))
}

/// Returns the default value of a key for experiments of every kind; `None` if it depends on the
/// kind or is empty.
fn common_default(key: &TextKey) -> Option<String> {
    common_to_all_kinds(|experiment| key.value(experiment))
}

/// Returns the value of `of` for the default experiments of all kinds, if they agree.
fn common_to_all_kinds(of: impl Fn(&Experiment) -> Option<String>) -> Option<String> {
    let mut all = KINDS.iter().map(|kind| of(&kind.behavior.default_experiment(Version::LATEST, None)));
    let first = all.next()?;
    first.filter(|first| all.all(|other| other.as_ref() == Some(first)))
}

/// Returns the algorithms that an experiment can compare.
fn accepted_routings(experiment: &Experiment) -> String {
    experiment.kind().key("route").map_or(String::new(), |key| (key.accepted)(experiment))
}

/// Appends the help on a key: its meaning, accepted values, default value and an example.
fn append_key(text: &mut String, key: &TextKey, accepted: &str, default: Option<&str>) {
    let _ = write!(text, "\n  {}: {}\n", key.name, key.meaning);
    append_paragraph(text, &format!("accepted: {accepted}"));
    if let Some(default) = default.filter(|default| !default.is_empty()) {
        append_paragraph(text, &format!("default: {default}"));
    }
    let _ = writeln!(text, "      example: {}={}", key.name, key.example);
}

/// Appends a paragraph, wrapped and indented.
fn append_paragraph(text: &mut String, paragraph: &str) {
    for line in wrap(paragraph, 100) {
        let _ = writeln!(text, "      {line}");
    }
}
