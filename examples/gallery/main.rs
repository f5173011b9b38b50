//! Draws a thumbnail of every example: the network at the moment at which the example opens, the
//! dependency cycle, or a coarsely measured chart.
//!
//! `cargo xtask build` stores the thumbnails beside the page, which shows them in the gallery.

mod chart;
mod network;
mod thumbnail;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use faultlab::experiment::presets::{Preset, presets};
use faultlab::experiment::{Experiment, Tab};
use faultlab::report::picture::geometry::Size;
use faultlab::report::picture::scene::Scene;
use thumbnail::thumbnail;

/// Width and height of a picture, in pixels.
const SIZE: Size = Size::new(320.0, 200.0);

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [folder, wanted @ ..] = arguments.as_slice() else {
        eprintln!("error: expected: a folder and, to draw only some examples, their ids");
        return ExitCode::from(2);
    };
    for preset in presets().iter().filter(|preset| wanted.is_empty() || wanted.contains(&preset.id)) {
        if let Err(problem) = draw(preset, Path::new(folder), !wanted.is_empty()) {
            eprintln!("error: {}: {problem}", preset.id);
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Draws an example into its file and, if `tell` is set, prints the time and the size.
fn draw(preset: &Preset, folder: &Path, tell: bool) -> Result<(), String> {
    let clock = Instant::now();
    let experiment: Experiment = preset.experiment.parse().map_err(|problem| format!("{problem}"))?;
    let svg = thumbnail(&scene(&experiment).ok_or("there is nothing to draw")?);
    if tell {
        println!("{}: {:.2} s, {} bytes", preset.id, clock.elapsed().as_secs_f64(), svg.len());
    }
    fs::write(folder.join(format!("{}.svg", preset.id)), svg).map_err(|problem| problem.to_string())
}

/// Draws the view in which an experiment opens.
fn scene(experiment: &Experiment) -> Option<Scene> {
    match experiment.view.tab {
        Tab::Measure => Some(chart::scene(experiment, SIZE)),
        Tab::Check => network::cycle(experiment, SIZE),
        Tab::Watch | Tab::Papers => network::scene(experiment, SIZE),
    }
}
