//! Pictures of experiments and of their results, as SVG.

use crate::experiment::figure_options::FigureOptions;
use crate::experiment::{Experiment, Sweep, Tab};
use crate::report::chart::print::{Print, PrintOptions};
use crate::report::kinds::proved;
use crate::report::picture::geometry::Size;
use crate::report::source_note;
use crate::report::still::{self, Still};
use crate::report::sweep_charts::caption::Caption;
use crate::report::sweep_charts::left_out::left_out_of_charts;
use crate::report::sweep_charts::panels::{panels, printable_figures};

/// Draws a network or an analysis like `faultlab draw`. Returns `None` for charts, which need a
/// measurement: see [`draw_results`].
///
/// # Errors
/// Returns a sentence if the figure cannot be drawn.
pub fn draw(experiment: &Experiment, ui: &FigureOptions, size: Size) -> Result<Option<String>, String> {
    match ui.view.unwrap_or(experiment.view.tab) {
        Tab::Measure => Ok(None),
        Tab::Check => {
            let found = proved(experiment, false).map_err(|error| error.to_string())?;
            Ok(Some(still::check_still(experiment, &*found, size).svg))
        }
        Tab::Watch | Tab::Papers => {
            experiment.check_feasible().map_err(|why| super::infeasible_message(experiment, &why))?;
            let still = still::watch_still(experiment, ui, size);
            still.map(|Still { svg, .. }| Some(svg)).ok_or_else(|| super::not_drawable_message(experiment))
        }
    }
}

/// Draws the chart of a measurement as a figure, like `faultlab draw`.
///
/// # Errors
/// Returns a sentence if nothing of the experiment can be run.
pub fn draw_results(sweep: &Sweep, size: Size) -> Result<String, String> {
    sweep.check_ran().map_err(|why| super::infeasible_message(sweep.experiment(), &why))?;
    Ok(still::sweep_still(sweep, size).svg)
}

/// Draws the chart of a measurement for a paper, like `faultlab run --svg`.
pub fn chart(sweep: &Sweep, options: PrintOptions) -> String {
    let experiment = sweep.experiment();
    let figures = printable_figures(panels(sweep, &experiment.view, &[]));
    let title = Caption::new(experiment, experiment).title;
    let remark = left_out_of_charts(sweep);
    let notes = source_note(experiment);
    Print { figures: &figures, title: &title, remark: remark.as_deref(), notes: &notes, options }.svg()
}
