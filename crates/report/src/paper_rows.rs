//! Rows of the papers as a list: the output of `faultlab papers rows`.

use std::fmt::Write as _;

use super::document::Document;
use super::files::csv::source_header;
use super::files::json::to_json;
use super::files::record::{Record, table};
use super::wording::wrap;
use faultlab_papers::{Row, RowStatus, papers, rows};

/// Rows that match some words, in the order of the papers.
#[derive(Clone, Debug)]
pub struct PaperRows(Vec<&'static Row>);

/// Maximum number of characters in a line of a row.
const WIDTH: usize = 95;

/// Column names, which are also the fields of the JSON objects.
const COLUMNS: [&str; 7] = ["id", "paper", "place", "statement", "status", "command", "note"];

impl PaperRows {
    /// Selects the rows that match every one of `words` ([`Row::matches`]).
    ///
    /// # Errors
    ///
    /// Returns a message if no row matches.
    pub fn matching(words: &[String]) -> Result<Self, String> {
        let found: Vec<_> = rows().iter().filter(|row| row.matches(words.iter().map(String::as_str))).collect();
        if !found.is_empty() {
            return Ok(Self(found));
        }
        let papers: Vec<_> = papers().iter().map(|paper| paper.id).collect();
        let statuses = RowStatus::ALL.map(RowStatus::id);
        Err(format!(
            "{}: no row of the papers matches; accepted: words of the statements, an id such as T13, a paper ({}), a \
             status ({})",
            words.join(" "),
            papers.join(", "),
            statuses.join(", ")
        ))
    }

    fn records(&self) -> Vec<Record> {
        self.0.iter().map(|row| record(row)).collect()
    }
}

fn record(row: &Row) -> Record {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Record::default()
        .with("id", row.id.as_str())
        .with("paper", row.paper().map_or("", |paper| paper.id))
        .with("place", row.place.as_str())
        .with("statement", row.statement.as_str())
        .with("status", row.status.id())
        .with("command", given(&row.command))
        .with("note", given(&row.note))
}

/// Counts rows by status, in words: "229 rows: 150 works, ...".
pub fn counts<'r>(rows: impl IntoIterator<Item = &'r Row>) -> String {
    let statuses: Vec<_> = rows.into_iter().map(|row| row.status).collect();
    let count = |status: RowStatus| statuses.iter().filter(|found| **found == status).count();
    let counts = RowStatus::ALL.map(|status| format!("{} {}", count(status), status.id()));
    let rows = if statuses.len() == 1 { "row" } else { "rows" };
    format!("{} {rows}: {}", statuses.len(), counts.join(", "))
}

impl Document for PaperRows {
    fn text(&self) -> String {
        let (mut text, mut last) = (String::new(), "");
        for row in &self.0 {
            let Some(paper) = row.paper() else { continue };
            if paper.id != last {
                let _ = writeln!(text, "{}, {}\n", paper.authors, paper.title);
                last = paper.id;
            }
            let _ = writeln!(text, "  {}  {:<8} {}", row.id, row.status.id(), row.place);
            let note = if row.note.is_empty() { String::new() } else { format!("Note: {}", row.note) };
            for line in
                [&row.statement, &note].into_iter().filter(|text| !text.is_empty()).flat_map(|text| wrap(text, WIDTH))
            {
                let _ = writeln!(text, "       {line}");
            }
            if !row.command.is_empty() {
                let _ = writeln!(text, "       {}", row.command);
            }
            text.push('\n');
        }
        let _ = writeln!(text, "{}", counts(self.0.iter().copied()));
        for status in RowStatus::ALL {
            let _ = writeln!(text, "  {:<8} {}", status.id(), status.meaning());
        }
        text
    }

    /// Returns the CSV document `id,paper,place,statement,status,command,note`, a line for each row.
    fn csv(&self) -> String {
        source_header([]) + &table(&COLUMNS, &self.records())
    }

    /// Returns the JSON document `[{id, paper, place, statement, status, command, note}]`.
    fn json(&self) -> String {
        to_json(&self.records())
    }
}
