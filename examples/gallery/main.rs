//! Draws every example as a small picture: the network at the moment at which the example opens, the cycle that is proved, or the
//! chart, measured coarsely. `cargo xtask build` keeps them beside the page, which shows them where examples are chosen.

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

/// The width and height of a picture, in pixels.
const SIZE: Size = Size::new(320.0, 200.0);

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [folder, wanted @ ..] = arguments.as_slice() else {
        eprintln!("error: a folder is expected, and the ids of the examples to draw if not all");
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

/// Draws an example into its file; tells how long that took if somebody asks for it by name.
fn draw(preset: &Preset, folder: &Path, tell: bool) -> Result<(), String> {
    let clock = Instant::now();
    let experiment: Experiment = preset.experiment.parse().map_err(|problem| format!("{problem}"))?;
    let svg = thumbnail(&scene(&experiment).ok_or("there is nothing to draw")?);
    if tell {
        println!("{}: {:.2} s, {} bytes", preset.id, clock.elapsed().as_secs_f64(), svg.len());
    }
    fs::write(folder.join(format!("{}.svg", preset.id)), svg).map_err(|problem| problem.to_string())
}

/// What one sees first of an experiment.
fn scene(experiment: &Experiment) -> Option<Scene> {
    match experiment.view.tab {
        Tab::Measure => Some(chart::scene(experiment, SIZE)),
        Tab::Check => network::cycle(experiment, SIZE),
        Tab::Watch | Tab::Papers => network::scene(experiment, SIZE),
    }
}
