//! Export of the results as files; each contains the version, the experiment and the seed.

use std::rc::Rc;

use yew::prelude::*;

use super::pins::sweeps;
use super::state::Pin;
use crate::experiment::{DistributionKind, Experiment, Sweep, ViewOptions};
use crate::report::answers::AnswerChart;
use crate::report::chart::figure::Figure;
use crate::report::chart::print::Print;
use crate::report::files::{csv, json, table};
use crate::report::source_note;
use crate::report::sweep_charts;
use crate::report::sweep_charts::caption::Caption;
use crate::report::sweep_charts::panels::{Panel, panels, printable_figures};
use crate::report::sweep_charts::pinned::PinnedSweep;
use crate::web::dom;
use crate::web::jobs::job::JobKind;
use crate::web::jobs::pool::JobClient;
use crate::web::stage::canvas;

#[derive(Clone, Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) jobs: JobClient,
    /// Kind of the job that the chart shows.
    pub(crate) kind: JobKind,
    /// Index of the sweep in the job.
    pub(crate) sweep: usize,
    /// View of the sweep; `None` for the view of its own experiment.
    pub(crate) view: Option<ViewOptions>,
    /// Pinned sweeps, which are drawn over the chart.
    #[prop_or_default]
    pub(crate) pinned: Rc<Vec<Pin>>,
}

/// Renders the export buttons: CSV with the plotted numbers, JSON with all numbers, SVG and PNG
/// with the chart.
#[component]
pub(crate) fn Exports(props: &Props) -> Html {
    let missing = props.jobs.with_job(props.kind, |job| job.sweeps().get(props.sweep).is_none()).unwrap_or(true);
    let export = |label: &'static str, act: fn(&Sweep, &[PinnedSweep<'_>])| {
        let Props { jobs, kind, sweep, view, pinned } = props.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            jobs.with_jobs(|jobs| {
                let job = jobs.iter().find(|job| job.kind() == kind);
                if let Some(sweep) = job.and_then(|job| job.sweeps().get(sweep)) {
                    let view = view.as_ref().unwrap_or(&sweep.experiment().view);
                    act(&sweep.viewed(view), &sweeps(jobs, &pinned));
                }
            });
        });
        html! { <button type="button" {onclick} disabled={missing}>{label}</button> }
    };
    html! {
        <div class="exports" role="group" aria-label="Export">
            { export("CSV", save_csv) }
            { export("JSON", |sweep, _| dom::download("faultlab.json", "application/json", &json::run(sweep))) }
            { export("SVG", |sweep, pinned| print_sweep(sweep, pinned, write_svg)) }
            { export("PNG", |sweep, pinned| print_sweep(sweep, pinned, write_png)) }
        </div>
    }
}

fn save_csv(sweep: &Sweep, _: &[PinnedSweep<'_>]) {
    let text = match sweep.experiment().plotted_spread().map(|spread| spread.shape) {
        Some(DistributionKind::Arrivals(_) | DistributionKind::Routes(_)) => csv::lengths(sweep),
        Some(_) => csv::curves(sweep, &sweep_charts::figure::chart(sweep, sweep.experiment().plot())),
        None => csv::csv(&table::table(sweep)),
    };
    dom::download("faultlab.csv", "text/csv", &text);
}

/// Renders the export buttons, SVG and PNG, of a precomputed chart.
pub(crate) fn pictures(experiment: &Rc<Experiment>, chart: &Rc<AnswerChart>) -> Html {
    let export = |label: &'static str, save: fn(&Print<'_>)| {
        let (experiment, chart) = (Rc::clone(experiment), Rc::clone(chart));
        let onclick = Callback::from(move |_: MouseEvent| {
            print(&experiment, std::slice::from_ref(&chart.figure), &source_note(&experiment), save);
        });
        html! { <button type="button" {onclick}>{label}</button> }
    };
    html! {
        <div class="exports" role="group" aria-label="Export">{ export("SVG", write_svg) }{ export("PNG", write_png) }</div>
    }
}

/// Passes the charts of a sweep, with the pinned curves over them, to `save` in their printed form.
fn print_sweep(sweep: &Sweep, pinned: &[PinnedSweep<'_>], save: fn(&Print<'_>)) {
    let experiment = sweep.experiment();
    let panels = panels(sweep, &experiment.view, pinned);
    let is_drawn = |number: &usize| {
        let is_laid = |panel: &Panel| panel.pinned.iter().any(|laid| laid.0 == *number);
        !pinned[*number].is_hidden && panels.iter().any(is_laid)
    };
    let over = (0..pinned.len()).filter(is_drawn).map(|number| format!("; with {}", pinned[number].sweep.experiment()));
    let notes = source_note(experiment) + &over.collect::<String>();
    print(experiment, &printable_figures(panels), &notes, save);
}

fn print(experiment: &Experiment, figures: &[Figure], notes: &str, save: fn(&Print<'_>)) {
    let title = Caption::new(experiment, experiment).title;
    save(&Print { figures, title: &title, notes });
}

fn write_svg(print: &Print<'_>) {
    dom::download("faultlab.svg", "image/svg+xml", &print.svg());
}

fn write_png(print: &Print<'_>) {
    canvas::save_png(print.size(), "faultlab.png", print.notes, |copy, _| canvas::print(copy, print));
}
