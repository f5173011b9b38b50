//! Export of the results as files; each contains the version, the experiment and the seed.

use std::cell::Cell;
use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::measure::pins::sweeps;
use super::state::Pin;
use crate::experiment::{DistributionKind, Experiment, Sweep, ViewOptions};
use crate::report::answers::AnswerChart;
use crate::report::chart::figure::Figure;
use crate::report::chart::print::{Print, PrintOptions};
use crate::report::files::{csv, file_name, json, table};
use crate::report::source_note;
use crate::report::sweep_charts;
use crate::report::sweep_charts::caption::Caption;
use crate::report::sweep_charts::left_out::left_out_of_charts;
use crate::report::sweep_charts::panels::{Panel, panels, printable_figures};
use crate::report::sweep_charts::pinned::PinnedSweep;
use crate::web::dom;
use crate::web::jobs::job::JobKind;
use crate::web::jobs::pool::JobClient;
use crate::web::stage::canvas;
use crate::web::stage::files::{CopyPicture, group};

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

/// Renders the export buttons: CSV with the plotted numbers, JSON with all numbers, and the chart as
/// a picture.
#[component]
pub(crate) fn Exports(props: &Props) -> Html {
    let missing = props.jobs.with_job(props.kind, |job| job.sweeps().get(props.sweep).is_none()).unwrap_or(true);
    let with_sweep = {
        let Props { jobs, kind, sweep, view, pinned } = props.clone();
        Rc::new(move |act: &mut dyn FnMut(&Sweep, &[PinnedSweep<'_>])| {
            jobs.with_jobs(|jobs| {
                let job = jobs.iter().find(|job| job.kind() == kind);
                if let Some(sweep) = job.and_then(|job| job.sweeps().get(sweep)) {
                    let view = view.as_ref().unwrap_or(&sweep.experiment().view);
                    act(&sweep.viewed(view), &sweeps(jobs, &pinned));
                }
            });
        })
    };
    let numbers = |label: &'static str, save: fn(&Sweep)| {
        let with_sweep = Rc::clone(&with_sweep);
        let onclick = Callback::from(move |_: MouseEvent| with_sweep(&mut |sweep, _| save(sweep)));
        html! { <button type="button" {onclick} disabled={missing}>{label}</button> }
    };
    let print_with = Rc::clone(&with_sweep);
    let print = Callback::from(move |PrintRequest { options, act }: PrintRequest| {
        let mut made = None;
        print_with(&mut |sweep, pinned| made = print_sweep(sweep, pinned, options, act));
        made
    });
    html! {
        <div class="exports" role="group" aria-label="Export">
            { group("Data", html! { <>{ numbers("CSV", save_csv) }{ numbers("JSON", save_json) }</> }) }
            <PictureExports {print} disabled={missing} />
        </div>
    }
}

/// Returns the name of the file with the chart or the numbers of an experiment, with its ending.
fn file_name(experiment: &Experiment, ending: &str) -> String {
    format!("{}.{ending}", file_name::chart_stem(experiment))
}

fn save_json(sweep: &Sweep) {
    dom::download(&file_name(sweep.experiment(), "json"), "application/json", &json::run(sweep));
}

fn save_csv(sweep: &Sweep) {
    let text = match sweep.experiment().plotted_spread().map(|spread| spread.shape) {
        Some(DistributionKind::Arrivals(_) | DistributionKind::Routes(_)) => csv::lengths(sweep),
        Some(_) => csv::curves(sweep, &sweep_charts::figure::chart(sweep, sweep.experiment().plot())),
        None => csv::csv(&table::table(sweep)),
    };
    dom::download(&file_name(sweep.experiment(), "csv"), "text/csv", &text);
}

/// Action on a printed chart and the name of its file without the ending; returns the file of a
/// picture to copy.
type PrintAction = fn(&Print<'_>, &str) -> Option<Vec<u8>>;

/// Request to print a chart.
pub(crate) struct PrintRequest {
    options: PrintOptions,
    act: PrintAction,
}

thread_local! {
    /// Options that the user chose last; they apply to all charts.
    static CHOSEN: Cell<PrintOptions> = const { Cell::new(PrintOptions { caption: true, source: false, is_wide: false, transparent: false }) };
}

#[derive(Properties, PartialEq)]
struct PictureProps {
    /// Callback that prints the chart.
    print: Callback<PrintRequest, Option<Vec<u8>>>,
    disabled: bool,
}

/// Renders the buttons that save or copy the picture of a chart, and the options of the picture.
#[component]
fn PictureExports(props: &PictureProps) -> Html {
    let (print, disabled) = (&props.print, props.disabled);
    // The options are stored outside; this number only renders them again.
    let changes = use_state(|| 0u32);
    let options = CHOSEN.get();
    let picture = |label: &'static str, act: PrintAction| {
        let onclick = print.reform(move |_: MouseEvent| PrintRequest { options: CHOSEN.get(), act });
        let onclick = Callback::from(move |event| drop(onclick.emit(event)));
        html! { <button type="button" {onclick} {disabled}>{label}</button> }
    };
    let copy = print.reform(|()| PrintRequest { options: CHOSEN.get(), act: |print, _| png(print) });
    let choice = |label: &'static str, title: &'static str, checked: bool, change: fn(&mut PrintOptions, bool)| {
        let changes = changes.clone();
        let onchange = Callback::from(move |event: Event| {
            // The options may have changed at another chart since this one was rendered.
            let mut options = CHOSEN.get();
            change(&mut options, event.target_unchecked_into::<HtmlInputElement>().checked());
            CHOSEN.set(options);
            changes.set(changes.wrapping_add(1));
        });
        html! { <label class="check" {title}><input type="checkbox" {checked} {onchange} /><span>{label}</span></label> }
    };
    html! {
        <>
            { group("Picture", html! {
                <>{ picture("SVG", save_svg) }{ picture("PNG", save_png) }<CopyPicture png={copy} {disabled} /></>
            }) }
            <details class="print-options">
                <summary>{"Picture options"}</summary>
                { choice("Caption", "Writes the title below the chart", options.caption, |options, on| options.caption = on) }
                if options.caption {
                    { choice("Experiment in the caption", "Writes the experiment below the title; the file contains it in any case",
                        options.source, |options, on| options.source = on) }
                }
                { choice("Two columns wide", "175 mm wide, for two columns of a paper, instead of 85 mm", options.is_wide,
                    |options, on| options.is_wide = on) }
                { choice("Transparent", "Leaves out the white background", options.transparent,
                    |options, on| options.transparent = on) }
            </details>
        </>
    }
}

/// Renders the export buttons of a precomputed chart.
pub(crate) fn pictures(experiment: &Rc<Experiment>, chart: &Rc<AnswerChart>) -> Html {
    let print = {
        let (experiment, chart) = (Rc::clone(experiment), Rc::clone(chart));
        Callback::from(move |PrintRequest { options, act }: PrintRequest| {
            let figures = std::slice::from_ref(&chart.figure);
            print(&experiment, figures, None, &source_note(&experiment), options, act)
        })
    };
    html! {
        <div class="exports" role="group" aria-label="Export"><PictureExports {print} disabled=false /></div>
    }
}

/// Passes the charts of a sweep, with the pinned curves over them, to `act` in their printed form.
fn print_sweep(sweep: &Sweep, pinned: &[PinnedSweep<'_>], options: PrintOptions, act: PrintAction) -> Option<Vec<u8>> {
    let experiment = sweep.experiment();
    let panels = panels(sweep, &experiment.view, pinned);
    let is_drawn = |number: &usize| {
        let is_laid = |panel: &Panel| panel.pinned.iter().any(|laid| laid.0 == *number);
        !pinned[*number].is_hidden && panels.iter().any(is_laid)
    };
    let over = (0..pinned.len()).filter(is_drawn).map(|number| {
        let PinnedSweep { source, .. } = &pinned[number];
        match source.experiment() {
            Some(experiment) => format!("; with {experiment}"),
            None => format!("; with {}", source.label(experiment)),
        }
    });
    let notes = source_note(experiment) + &over.collect::<String>();
    print(experiment, &printable_figures(panels), left_out_of_charts(sweep).as_deref(), &notes, options, act)
}

fn print(
    experiment: &Experiment,
    figures: &[Figure],
    remark: Option<&str>,
    notes: &str,
    options: PrintOptions,
    act: PrintAction,
) -> Option<Vec<u8>> {
    let title = Caption::new(experiment, experiment).title;
    act(&Print { figures, title: &title, remark, notes, options }, &file_name::chart_stem(experiment))
}

fn save_svg(print: &Print<'_>, stem: &str) -> Option<Vec<u8>> {
    dom::download(&format!("{stem}.svg"), "image/svg+xml", &print.svg());
    None
}

fn save_png(print: &Print<'_>, stem: &str) -> Option<Vec<u8>> {
    if let Some(png) = png(print) {
        dom::download_bytes(&format!("{stem}.png"), "image/png", &png);
    }
    None
}

fn png(print: &Print<'_>) -> Option<Vec<u8>> {
    canvas::png(print.size(), print.notes, |copy, _| canvas::print(copy, print))
}
