//! Groups of examples: by question, by paper, or by kind.

use crate::experiment::Tab;
use crate::experiment::presets::{Preset, PresetSeries, QUESTIONS, series};
use crate::papers::papers;

/// Names of the groupings, by index.
pub(super) const GROUPINGS: [&str; 3] = ["By question", "By paper", "By kind"];

/// Examples under a heading.
pub(super) struct Group {
    pub(super) heading: String,
    pub(super) presets: Vec<&'static Preset>,
}

/// Returns all examples in groups, each example once.
pub(super) fn groups(way: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    if way == 0 {
        // Questions keep the order of their own list.
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

/// Returns the heading of a preset's group.
fn heading(way: usize, series: &PresetSeries, preset: &Preset) -> String {
    match way {
        0 => QUESTIONS.iter().find(|question| question.id == preset.question).map_or("", |one| one.text).into(),
        1 => {
            let paper = papers().iter().find(|paper| paper.kinds.contains(&series.kind));
            paper.map(|paper| [paper.authors, ": ", paper.title].concat()).unwrap_or_default()
        }
        _ => [series.kind.name, ", ", verb(series.tab)].concat(),
    }
}

/// Returns the end of the heading for the examples of a view.
fn verb(tab: Tab) -> &'static str {
    match tab {
        Tab::Watch => "to watch",
        Tab::Measure => "to measure",
        Tab::Check => "to check",
        Tab::Papers => "from the papers",
    }
}
