//! Presets as a list: the output of `faultlab presets`.

use std::fmt::Write as _;

use super::document::Document;
use super::files::csv::source_header;
use super::files::json::to_json;
use super::files::record::{Record, table};
use super::wording::wrap;
use faultlab_experiment::presets::{Preset, presets};

/// List of all presets, in the order in which they are offered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Presets;

/// Maximum number of characters in a line of a preset's sentence.
const WIDTH: usize = 100;

fn record(preset: &Preset) -> Record {
    Record::default()
        .with("id", preset.id.as_str())
        .with("title", preset.title.as_str())
        .with("sentence", preset.sentence.as_str())
        .with("question", preset.question.as_str())
        .with("experiment", preset.experiment.as_str())
}

fn records() -> Vec<Record> {
    presets().iter().map(record).collect()
}

impl Document for Presets {
    fn text(&self) -> String {
        let mut text = String::new();
        for preset in presets() {
            let _ = writeln!(text, "preset:{}\n    {}", preset.id, preset.title);
            for line in wrap(&preset.sentence, WIDTH) {
                let _ = writeln!(text, "    {line}");
            }
            let _ = writeln!(text, "    {}\n", preset.experiment);
        }
        text
    }

    /// Returns the CSV document `id,title,sentence,question,experiment`, a line for each preset.
    fn csv(&self) -> String {
        source_header([]) + &table(&["id", "title", "sentence", "question", "experiment"], &records())
    }

    /// Returns the JSON document `[{id, title, sentence, question, experiment}]`.
    fn json(&self) -> String {
        to_json(&records())
    }
}
