//! `draw`: a figure as it stands at first, as a picture.

use faultlab::experiment::ui::Ui;
use faultlab::experiment::{Experiment, Tab};
use faultlab::report::asked;
use faultlab::report::kinds::proved;
use faultlab::report::picture::geometry::Size;
use faultlab::report::still::{self, Still};

use crate::arguments::Draw;
use crate::output::{Failure, print};
use crate::place::Place;
use crate::work::{Keeping, Waiting, allow_threads, head_of, measured, refuse_without_room};
use crate::{input, interrupt};

/// `faultlab draw`.
pub(crate) fn draw(arguments: &Draw) -> Result<(), Failure> {
    let experiment = input::experiment(&arguments.given)?;
    let ui = options(arguments)?;
    for file in arguments.svg.iter().chain(&arguments.journal) {
        input::refuse_overwriting(&arguments.given, file)?;
    }
    let place = arguments.svg.as_deref().map(Place::at).transpose()?;
    let svg = drawn(arguments, &experiment, &ui)?.svg;
    place.map_or_else(|| print(&svg), |place| place.write(&svg))
}

/// The options of the figure: those in the text of its experiment, and before them those that are given beside it.
fn options(arguments: &Draw) -> Result<Ui, Failure> {
    let (mut ui, _) = Ui::of(&arguments.given.experiment);
    for (name, value) in [("view", &arguments.view), ("show", &arguments.show)] {
        if let Some(value) = value {
            ui = ui.with(name, value).map_err(|problem| {
                let accepted = problem.message().split_once(": ").map_or("", |(_, accepted)| accepted);
                Failure::BadInput(format!("--{name} {value}: {accepted}"))
            })?;
        }
    }
    Ok(ui)
}

fn drawn(arguments: &Draw, experiment: &Experiment, ui: &Ui) -> Result<Still, Failure> {
    let size = Size::new(f64::from(arguments.size.0), f64::from(arguments.size.1));
    let view = ui.view.unwrap_or(experiment.view.tab);
    if arguments.journal.is_some() && view != Tab::Measure {
        return Err(Failure::BadInput(
            "--journal: nothing is measured in this view; accepted with --view measure".into(),
        ));
    }
    match view {
        Tab::Measure => {
            let keeping = arguments.journal.as_deref().map(|path| Keeping::at(path, &head_of(experiment, None)));
            let sweep = measured(experiment, &arguments.effort, "", keeping.transpose()?.as_ref())?;
            sweep.check_ran().map_err(|why| input::impossible(experiment, &why))?;
            if interrupt::stopped() {
                return Err(Failure::Stopped("stopped: nothing is drawn".into()));
            }
            Ok(still::measured(&sweep, size))
        }
        Tab::Check => {
            allow_threads(experiment)?;
            let waiting = Waiting::new("checking");
            let found = proved(experiment, false)?;
            drop(waiting);
            Ok(still::checked(experiment, &*found, size))
        }
        Tab::Watch | Tab::Papers => {
            experiment.check_feasible().map_err(|why| input::impossible(experiment, &why))?;
            refuse_without_room(experiment)?;
            still::watched(experiment, ui, size).ok_or_else(|| Failure::BadInput(asked::not_drawn(experiment)))
        }
    }
}
