//! Command `draw`: renders the initial state of a figure.

use faultlab::api::{
    self,
    native::{check_memory, header_for},
};
use faultlab::experiment::figure_options::FigureOptions;
use faultlab::experiment::{Experiment, Tab};
use faultlab::report::chart::print::PrintOptions;
use faultlab::report::picture::geometry::Size;

use crate::arguments::DrawArgs;
use crate::output::{CliError, print};
use crate::output_target::OutputTarget;
use crate::work::{Spinner, configure_global_pool, measure, open_journal};
use crate::{input, interrupt};

/// Runs `faultlab draw`.
pub(crate) fn draw(arguments: &DrawArgs) -> Result<(), CliError> {
    let experiment = input::experiment(&arguments.given)?;
    let ui = options(arguments)?;
    for file in arguments.svg.iter().chain(&arguments.journal) {
        input::refuse_overwriting(&arguments.given, ("--svg", file))?;
    }
    let place = arguments.svg.as_deref().map(OutputTarget::at).transpose()?;
    let svg = render(arguments, &experiment, &ui)?;
    place.map_or_else(|| print(&svg), |place| place.write(&svg))
}

/// Returns the options of the figure: those in the experiment's text, overridden by those of the
/// arguments.
fn options(arguments: &DrawArgs) -> Result<FigureOptions, CliError> {
    let (mut ui, _) = FigureOptions::from_text(&arguments.given.experiment);
    for (name, value) in [("view", &arguments.view), ("show", &arguments.show)] {
        if let Some(value) = value {
            ui = ui.with(name, value).map_err(|problem| {
                let accepted = problem.message().split_once(": ").map_or("", |(_, accepted)| accepted);
                CliError::BadInput(format!("--{name} {value}; accepted: {accepted}"))
            })?;
        }
    }
    Ok(ui)
}

/// Returns the options of a chart for papers; `None` if the arguments have none of them.
fn print_options(arguments: &DrawArgs) -> Option<PrintOptions> {
    let DrawArgs { caption, width, ground, .. } = arguments;
    let is = |option: &Option<String>, value: &str| option.as_deref() == Some(value);
    let options = PrintOptions {
        caption: !is(caption, "no"),
        source: is(caption, "source"),
        is_wide: is(width, "two-columns"),
        transparent: is(ground, "transparent"),
    };
    (caption.is_some() || width.is_some() || ground.is_some()).then_some(options)
}

/// Returns the picture as SVG.
fn render(arguments: &DrawArgs, experiment: &Experiment, ui: &FigureOptions) -> Result<String, CliError> {
    let size = Size::new(f64::from(arguments.size.0), f64::from(arguments.size.1));
    let view = ui.view.unwrap_or(experiment.view.tab);
    if arguments.journal.is_some() && view != Tab::Measure {
        return Err(CliError::BadInput(
            "--journal: nothing is measured in this view; accepted with --view measure".into(),
        ));
    }
    let options = print_options(arguments);
    if options.is_some() && view != Tab::Measure {
        return Err(CliError::BadInput(
            "--caption, --width, --ground: only charts have these options; accepted with --view measure".into(),
        ));
    }
    match view {
        Tab::Measure => {
            let journal = arguments.journal.as_deref().map(|path| open_journal(path, &header_for(experiment, None)));
            let sweep = measure(experiment, &arguments.effort, journal.transpose()?.as_ref())?;
            if interrupt::is_stop_requested() {
                return Err(CliError::Stopped("stopped: nothing is drawn".into()));
            }
            match options {
                Some(options) => {
                    sweep.check_ran().map_err(|why| input::infeasible_failure(experiment, &why))?;
                    Ok(api::chart(&sweep, options))
                }
                None => api::draw_results(&sweep, size).map_err(CliError::BadInput),
            }
        }
        Tab::Check => {
            configure_global_pool(experiment)?;
            let _waiting = Spinner::new("checking");
            draw_still(experiment, ui, size)
        }
        Tab::Watch | Tab::Papers => {
            check_memory(experiment)?;
            draw_still(experiment, ui, size)
        }
    }
}

/// Draws a view without a measurement.
fn draw_still(experiment: &Experiment, ui: &FigureOptions, size: Size) -> Result<String, CliError> {
    api::draw(experiment, ui, size).map(Option::unwrap_or_default).map_err(CliError::BadInput)
}
