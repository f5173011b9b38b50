//! The examples in groups: by what they answer, by whose they are, by what moves.

use crate::experiment::Tab;
use crate::experiment::presets::{Preset, QUESTIONS, Series, series};
use crate::papers::papers;

/// The ways of grouping, by their numbers.
pub(super) const WAYS: [&str; 3] = ["By question", "By paper", "By kind"];

/// Examples under a heading.
pub(super) struct Group {
    pub(super) heading: String,
    pub(super) presets: Vec<&'static Preset>,
}

/// All examples, each once.
pub(super) fn groups(way: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    if way == 0 {
        // As they are listed, not as examples happen to come.
        groups.extend(QUESTIONS.iter().map(|question| Group { heading: question.text.into(), presets: Vec::new() }));
    }
    for series in series() {
        for preset in &series.presets {
            let heading = heading(way, &series, preset);
            match groups.iter_mut().find(|group| group.heading == heading) {
                Some(group) => group.presets.push(preset),
                None => groups.push(Group { heading, presets: vec![preset] }),
            }
        }
    }
    groups
}

/// What a preset stands under.
fn heading(way: usize, series: &Series, preset: &Preset) -> String {
    match way {
        0 => QUESTIONS.iter().find(|question| question.id == preset.question).map_or("", |one| one.text).into(),
        1 => {
            let paper = papers().iter().find(|paper| paper.kinds.contains(&series.kind));
            paper.map(|paper| [paper.authors, ": ", paper.title].concat()).unwrap_or_default()
        }
        _ => [series.kind.name, ", ", verb(series.tab)].concat(),
    }
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
