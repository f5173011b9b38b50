//! Rows of the papers: every system, theorem, table, figure, remark and open question, with what
//! Faultlab does about it.
//!
//! The rows are in `rows/`, a JSON file for each paper, in the order of the paper.

use std::sync::OnceLock;

use serde::Deserialize;

use super::{Item, Paper, item, papers};
use faultlab_experiment::{Experiment, Tab};

/// Name of the list of rows on the command line and in links.
pub const ROWS: &str = "rows";

/// Status of a row: how far Faultlab shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowStatus {
    /// The command of the row shows it: the system runs, or the statement is checked.
    Works,
    /// The command of the row shows a part; the note says what is missing.
    Partly,
    /// Faultlab has nothing for the row; the note says what is missing.
    Missing,
    /// The paper is wrong or misprinted; the note says what is right.
    Erratum,
    /// The paper asks a question; the note says what can be measured today.
    Open,
}

impl RowStatus {
    /// Every status, in the order in which they are offered.
    pub const ALL: [Self; 5] = [Self::Works, Self::Partly, Self::Missing, Self::Erratum, Self::Open];

    /// Returns the name in files, on the command line and on the page.
    pub fn id(self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::Partly => "partly",
            Self::Missing => "missing",
            Self::Erratum => "erratum",
            Self::Open => "open",
        }
    }

    /// Returns the meaning of the status in one clause.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Works => "the command shows the system, or checks the statement",
            Self::Partly => "the command shows a part; the note says what is missing",
            Self::Missing => "Faultlab has nothing for it; the note says what is missing",
            Self::Erratum => "the paper is wrong or misprinted; the note says what is right",
            Self::Open => "the paper asks; the note says what can be measured today",
        }
    }
}

/// System, theorem, table, figure, remark or open question of a paper.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Letter of the paper and number in the order of the paper, such as T13.
    pub id: String,
    /// Section, figure, theorem or equation of the paper.
    pub place: String,
    /// Statement of the paper in one sentence, in plain text.
    pub statement: String,
    /// Status of the statement.
    pub status: RowStatus,
    /// Command line that shows it, such as `faultlab papers table2` or `faultlab check 'TEXT'`; empty
    /// if the row is missing.
    #[serde(default)]
    pub command: String,
    /// Remark, in plain text; may be empty if the row works.
    #[serde(default)]
    pub note: String,
}

/// Target of the command of a row, which the page opens.
#[derive(Clone, Debug)]
pub enum RowTarget {
    /// Item of Papers.
    Item(&'static Item),
    /// Experiment, in the view that corresponds to the command.
    Experiment(Box<Experiment>),
}

impl Row {
    /// Returns the paper of the row.
    pub fn paper(&self) -> Option<&'static Paper> {
        let id = match self.id.as_bytes().first()? {
            b'T' => "thesis",
            b'M' => "boppana-chalasani",
            b'F' => "fat-trees",
            b'G' => "gordon-stout",
            b'C' => "chiu-chalasani-raghavendra",
            _ => return None,
        };
        papers().iter().copied().find(|paper| paper.id == id)
    }

    /// Returns whether the row matches every one of `words`, in any order and case.
    ///
    /// The name of a status or of a paper, and the id of a row, select by it; any other word must
    /// occur in the texts of the row.
    pub fn matches<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> bool {
        words.into_iter().all(|word| self.matches_word(&word.to_lowercase()))
    }

    fn matches_word(&self, word: &str) -> bool {
        if let Some(status) = RowStatus::ALL.into_iter().find(|status| status.id() == word) {
            return self.status == status;
        }
        if papers().iter().any(|paper| paper.id == word) {
            return self.paper().is_some_and(|paper| paper.id == word);
        }
        if is_row_id(word) {
            return self.id.eq_ignore_ascii_case(word);
        }
        let texts = [&self.id, &self.place, &self.statement, &self.command, &self.note];
        texts.into_iter().any(|text| text.to_lowercase().contains(word))
    }

    /// Returns what the row's command opens; `None` if the row has no command.
    pub fn target(&self) -> Option<RowTarget> {
        let (name, rest) = self.command.strip_prefix("faultlab ")?.split_once(' ')?;
        if name == "papers" {
            return item(rest).map(RowTarget::Item);
        }
        let tab = match name {
            "run" | "compare" | "saturation" | "activity" | "worst" => Tab::Measure,
            "check" | "cost" | "refute" => Tab::Check,
            "route" => Tab::Watch,
            _ => return None,
        };
        let text = rest.strip_prefix('\'')?.split('\'').next()?;
        let mut experiment: Experiment = text.parse().ok()?;
        experiment.view.tab = tab;
        Some(RowTarget::Experiment(Box::new(experiment)))
    }
}

/// Returns whether `word` has the form of a row's id, in lower case.
fn is_row_id(word: &str) -> bool {
    let number = word.strip_prefix(['t', 'm', 'f', 'g', 'c']);
    number.is_some_and(|number| number.len() == 2 && number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Texts of the rows of each paper, in the order of the papers.
static TEXTS: [&str; 5] = include!("rows/texts.rs");

/// Returns every row, paper by paper.
///
/// The page does not call this function: it loads the same rows from a file, and its program does
/// not contain them.
pub fn rows() -> &'static [Row] {
    static ALL: OnceLock<Vec<Row>> = OnceLock::new();
    // The files are compiled in and tested, so that no row is lost.
    ALL.get_or_init(|| TEXTS.iter().filter_map(|text| parse_rows(text)).flatten().collect())
}

/// Parses a JSON list of rows; `None` if the text is no such list.
pub fn parse_rows(text: &str) -> Option<Vec<Row>> {
    serde_json::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids are T01, T02, .. for each paper, so that no row of the lists is lost.
    #[test]
    fn ids_number_the_rows_of_each_paper() {
        let mut expected: Vec<String> = Vec::new();
        for (letter, count) in [('G', 32), ('C', 43), ('M', 65), ('T', 44), ('F', 45)] {
            expected.extend((1..=count).map(|number| format!("{letter}{number:02}")));
        }
        assert_eq!(rows().iter().map(|row| row.id.clone()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn rows_follow_the_order_of_the_papers() {
        let place = |row: &Row| papers().iter().position(|paper| Some(paper.id) == row.paper().map(|paper| paper.id));
        assert!(rows().iter().all(|row| place(row).is_some()));
        assert!(rows().is_sorted_by_key(place));
    }

    /// Rows that work, are wrong or are questions have a command; the others have a reason.
    #[test]
    fn statuses_have_their_commands_and_notes() {
        for row in rows() {
            let (command, note) = (!row.command.is_empty(), !row.note.is_empty());
            let complete = match row.status {
                RowStatus::Works => command,
                RowStatus::Missing => note,
                RowStatus::Partly | RowStatus::Erratum | RowStatus::Open => command && note,
            };
            assert!(complete, "{row:?}");
            assert!(!row.place.is_empty() && row.statement.ends_with('.'), "{row:?}");
            assert!(row.note.is_empty() || row.note.ends_with('.'), "{row:?}");
        }
    }

    #[test]
    fn commands_name_items_or_valid_experiments() {
        for row in rows().iter().filter(|row| !row.command.is_empty()) {
            match row.target() {
                // An item of another paper can show a statement that both papers cite.
                Some(RowTarget::Item(_)) => {}
                Some(RowTarget::Experiment(experiment)) => assert_eq!(experiment.validate(), Ok(()), "{row:?}"),
                None => panic!("{}: {} is no command that shows something", row.id, row.command),
            }
        }
    }

    #[test]
    fn words_select_by_status_paper_id_and_text() {
        let count = |words: &[&str]| rows().iter().filter(|row| row.matches(words.iter().copied())).count();
        assert_eq!(count(&[]), rows().len());
        assert_eq!(count(&["thesis"]), 44);
        assert_eq!((count(&["t13"]), count(&["T07"])), (1, 1));
        assert_eq!(RowStatus::ALL.map(|status| count(&[status.id()])).iter().sum::<usize>(), rows().len());
        assert_eq!(count(&["Kaklamanis", "DETERMINISTIC"]), 1);
        assert_eq!(count(&["fat-trees", "open"]), 4);
        assert_eq!(count(&["no such words"]), 0);
    }

    /// The page of the book has every open question, and experiments that are valid.
    #[test]
    fn open_questions_are_in_the_book() {
        let page = include_str!("../../../docs/open-questions.md");
        for row in rows().iter().filter(|row| row.status == RowStatus::Open) {
            assert!(page.contains(&format!("? ({})\n", row.id)), "{}", row.id);
        }
        let texts: Vec<_> = page.split("](../#").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        assert!(texts.len() > 10);
        for text in texts {
            assert!(text.parse::<Experiment>().is_ok_and(|experiment| experiment.validate().is_ok()), "{text}");
        }
    }
}
