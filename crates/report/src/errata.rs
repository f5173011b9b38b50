//! Errata of the papers as a list: the output of `faultlab papers errata`.

use std::fmt::Write as _;

use super::document::Document;
use super::files::csv::source_header;
use super::files::json::to_json;
use super::files::record::{Record, table};
use super::wording::formula::plain;
use super::wording::wrap;
use faultlab_papers::{ERRATA, Erratum, item};

/// List of all errata, in the order of the papers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Errata;

/// Maximum number of characters in a line of an erratum.
const WIDTH: usize = 100;

/// Returns the effect of an erratum: the published claim fails, or only its wording is wrong.
fn effect(erratum: &Erratum) -> &'static str {
    if erratum.fails { "not reproduced" } else { "wording only" }
}

/// Text shown for an erratum that no single experiment shows.
pub const NO_EXPERIMENT_TEXT: &str = "No single experiment shows this erratum";

fn record(erratum: &Erratum) -> Record {
    Record::default()
        .with("paper", item(erratum.item).map_or("", |item| item.paper.id))
        .with("item", erratum.item)
        .with("place", plain(erratum.place).as_str())
        .with("erratum", plain(erratum.about).as_str())
        .with("weight", effect(erratum))
        .with("experiment", erratum.experiment)
}

fn records() -> Vec<Record> {
    ERRATA.iter().map(record).collect()
}

impl Document for Errata {
    fn text(&self) -> String {
        let (mut text, mut last) = (String::new(), "");
        for erratum in ERRATA {
            let Some(paper) = item(erratum.item).map(|item| item.paper) else { continue };
            if paper.id != last {
                let _ = writeln!(text, "{}, {}\n", paper.authors, paper.title);
                last = paper.id;
            }
            let _ = writeln!(text, "  {} ({})", plain(erratum.place), effect(erratum));
            for line in wrap(&plain(erratum.about), WIDTH) {
                let _ = writeln!(text, "    {line}");
            }
            let _ = writeln!(text, "    shown by: faultlab papers {}", erratum.item);
            let seen = erratum.experiment.map_or(NO_EXPERIMENT_TEXT.to_owned(), |text| format!("seen in: '{text}'"));
            let _ = writeln!(text, "    {seen}\n");
        }
        text
    }

    /// Returns the CSV document `paper,item,place,erratum,weight,experiment`, a line for each
    /// erratum.
    fn csv(&self) -> String {
        source_header([]) + &table(&["paper", "item", "place", "erratum", "weight", "experiment"], &records())
    }

    /// Returns the JSON document `[{paper, item, place, erratum, weight, experiment}]`.
    fn json(&self) -> String {
        to_json(&records())
    }
}
