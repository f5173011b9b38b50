//! `help` and `presets`: what people read before they ask.

use std::fmt::Write as _;

use clap::CommandFactory as _;
use faultlab::experiment::presets::presets as all_presets;
use faultlab::experiment::{KEYS, METRICS};
use faultlab::routing::ALGORITHMS;

use crate::arguments::Arguments;
use crate::output::Failure;

/// The help on `topic`: a command, or `experiment`; without one, on everything.
pub(crate) fn topic(topic: Option<&str>) -> Result<String, Failure> {
    let mut command = Arguments::command();
    let Some(topic) = topic else { return Ok(command.render_long_help().to_string()) };
    if topic == "experiment" {
        return Ok(experiment());
    }
    // Built, a command's usage line names its parents.
    command.build();
    let names: Vec<_> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    match command.find_subcommand_mut(topic) {
        Some(command) => Ok(command.render_long_help().to_string()),
        None => {
            Err(Failure::BadInput(format!("help {topic}: no such topic; accepted: experiment, {}", names.join(", "))))
        }
    }
}

/// The text form, key by key.
fn experiment() -> String {
    let mut text = "An experiment is a text: pairs KEY=VALUE joined by &, in any order; what is left out has its \
                    default. In a file the pairs may stand on several lines, and lines that begin with # are comments.\n\
                    The page's link ends with the same text, behind #.\n\n  \
                    v=1&net=cube:20&faults=nodes:0.5&mpl=20&vary=p:0.5..0.95:10\n\nKeys:\n"
        .to_owned();
    for key in KEYS {
        let _ = write!(text, "\n  {}: {}\n", key.name, key.meaning);
        for line in wrapped(&format!("accepted: {}", key.accepted), 100) {
            let _ = writeln!(text, "      {line}");
        }
        let _ = writeln!(text, "      example: {}={}", key.name, key.example);
    }
    text.push_str("\nRouting algorithms (route):\n");
    for algorithm in ALGORITHMS {
        let _ = write!(text, "\n  {}\n", algorithm.id);
        for line in wrapped(&format!("{} {} [{}]", algorithm.summary, algorithm.guarantee, algorithm.paper), 100) {
            let _ = writeln!(text, "      {line}");
        }
    }
    text.push_str("\nMetrics (plot, and the rows of every table):\n\n");
    for metric in METRICS {
        let _ = writeln!(text, "  {}: {}", metric.id, metric.meaning);
    }
    text
}

/// `faultlab presets`.
pub(crate) fn presets() -> String {
    let mut text = String::new();
    for preset in all_presets() {
        let _ = writeln!(text, "preset:{}\n    {}", preset.id, preset.title);
        for line in wrapped(&preset.sentence, 100) {
            let _ = writeln!(text, "    {line}");
        }
        let _ = writeln!(text, "    {}\n", preset.experiment);
    }
    text
}

/// `text` in lines of at most `width` characters, where its words allow.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let room = width.saturating_sub(word.chars().count() + 1);
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
