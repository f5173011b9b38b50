//! The examples in groups: by what they answer, by whose they are, by what moves.

use crate::experiment::Tab;
use crate::experiment::papers::{Paper, papers};
use crate::experiment::presets::{Preset, QUESTIONS, Series, presets, series};

/// How examples are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Question,
    Paper,
    Kind,
}

/// Examples under a heading.
pub(super) struct Group {
    pub(super) heading: String,
    pub(super) presets: Vec<&'static Preset>,
}

impl By {
    pub(super) const ALL: [(Self, &'static str); 3] =
        [(Self::Question, "By question"), (Self::Paper, "By paper"), (Self::Kind, "By kind")];

    /// All examples, each once, in the order in which they are offered.
    pub(super) fn groups(self) -> Vec<Group> {
        match self {
            Self::Question => QUESTIONS.iter().map(|one| answering(one.id, one.text)).collect(),
            Self::Paper => {
                let of = |paper: &Paper| {
                    let own = series().into_iter().filter(|series| paper.kinds.contains(&series.kind));
                    let heading = format!("{}: {}", paper.authors, paper.title);
                    Group { heading, presets: own.flat_map(|series| series.presets).collect() }
                };
                papers().iter().map(|paper| of(paper)).collect()
            }
            Self::Kind => {
                let heading = |series: &Series| format!("{}, {}", series.kind.name, verb(series.tab));
                series().into_iter().map(|one| Group { heading: heading(&one), presets: one.presets }).collect()
            }
        }
    }
}

/// The examples that answer a question.
fn answering(id: &str, text: &str) -> Group {
    Group { heading: text.into(), presets: presets().iter().filter(|preset| preset.question == id).collect() }
}

/// What one does with the examples of a view.
fn verb(tab: Tab) -> &'static str {
    match tab {
        Tab::Watch => "to watch",
        Tab::Measure => "to measure",
        Tab::Check => "to check",
        Tab::Papers => "from the papers",
    }
}
