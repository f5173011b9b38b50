//! Measure view: sweeps, live charts, tables and exports.

pub(super) mod pins;
mod saturation;

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use self::pins::Pins;
use self::saturation::saturation_section;
use super::exports::Exports;
use super::state::{Action, Pin};
use crate::experiment::{
    ChartOptions, DistributionKind, Experiment, FieldDiff, Metric, Plot, PointResult, Status, Sweep, Vary,
};
use crate::report::chart::chart_point::ChartPoint;
use crate::report::chart::figure::{Curve, Figure};
use crate::report::chart::scale;
use crate::report::files::table;
use crate::report::sweep_charts::caption::Caption;
use crate::report::sweep_charts::figure::value_name;
use crate::report::sweep_charts::left_out::{left_out_of_charts, left_out_of_sweep};
use crate::report::sweep_charts::panels::{Panel, panels, plots};
use crate::report::sweep_charts::pinned::PinnedSweep;
use crate::report::wording::numbers::counted;
use crate::routing::Algorithm;
use crate::web::app_context::AppContext;
use crate::web::form::field::{ChoiceField, Commit};
use crate::web::form::glossary::with_glossary;
use crate::web::form::keys::tooltip_sentence;
use crate::web::jobs::job::{Job, JobKind};
use crate::web::stage::interactive_chart::{ChartPart, InteractiveChart, sorted_part};
use crate::web::stage::legend::{legend, unbroken_words};

/// Computing time after which an edit no longer discards the results of a sweep, in seconds.
const EXPENSIVE_SECONDS: f64 = 10.0;

/// Delay from an edit to the start of the sweep, in milliseconds.
const EDIT_DELAY_MS: u32 = 400;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
    /// Pinned sweeps, which are drawn over the chart.
    pub(crate) pinned: Rc<Vec<Pin>>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn Measure(props: &Props) -> Html {
    let context = &props.context;
    let experiment = &context.experiment;
    let metric = experiment.plotted_metric();
    use_effect_with(Rc::clone(experiment), {
        let context = context.clone();
        move |_| {
            let waiting = start_automatically(&context);
            move || drop(waiting)
        }
    });
    let pins = Rc::new(Pins { context: context.clone(), pinned: Rc::clone(&props.pinned), act: props.act.clone() });
    let seen = pins.with_sweeps(|sweep, pinned| view_sweep(context, metric, sweep, pinned));
    let (old, running) = seen.as_ref().map_or((None, false), |seen| (seen.old.clone(), true));
    let stale = old.is_some();
    let panels = seen.as_ref().map_or_else(Vec::new, |seen| seen.panels.clone());
    let dim = stale.then_some("stale");
    let is_wide = experiment.routing.len() >= WIDE_TABLE;
    html! {
        <>
            <section id="figure" class={classes!("stage", dim)} aria-label="The measurement" role={context.role()}>
                { seen.as_ref().map_or_else(|| caption(experiment, experiment), |seen| seen.caption.clone()) }
                <p class="hint" role="status" id="outdated-note">{ for old }</p>
                { for outdated(context) }
                { charts(&pins, &panels) }
                { for seen.as_ref().and_then(|seen| seen.left_out.clone()).map(|text| html! { <p class="figure__left-out" title={text.clone()}>{text}</p> }) }
                { controls(context, stale) }
                { tools(&pins, running, &panels) }
                { pins.hints(panels.first()) }
            </section>
            <section class={classes!("sidebar", "explanation", is_wide.then_some("explanation--below"), dim)} aria-label="The numbers" role={context.role()}>{ for seen.map(|seen| seen.numbers) }</section>
        </>
    }
}

/// Starts the sweep of an experiment that has not been measured: immediately when the view opens,
/// and after a short delay after an edit, because another edit may follow. An edit does not discard
/// the results of a long or paused sweep; the user starts the next one.
fn start_automatically(context: &AppContext) -> Option<Timeout> {
    let experiment = Rc::clone(&context.experiment);
    let old = context.jobs.with_job(JobKind::Measure, |job| {
        let is_same = job.sweeps().iter().any(|sweep| sweep.experiment().is_same_measurement(&experiment));
        is_same || job.is_paused() || job.seconds() > EXPENSIVE_SECONDS
    });
    let jobs = context.jobs.clone();
    let start = move || jobs.start(JobKind::Measure, &[(*experiment).clone()]);
    match old {
        None if context.starts_paused => {}
        None => start(),
        Some(false) => return Some(Timeout::new(EDIT_DELAY_MS, start)),
        Some(true) => {}
    }
    None
}

/// Renders a note on an old version of the text whose intervals are invalid near saturation, with a
/// button for the latest version.
fn outdated(context: &AppContext) -> Option<Html> {
    let shortcoming = context.experiment.known_defect()?;
    let update = {
        let context = context.clone();
        Callback::from(move |_: MouseEvent| context.on_edit.emit(context.experiment.updated()))
    };
    Some(
        html! { <p class="hint" id="outdated">{shortcoming}{" "}<button onclick={update}>{"Use version 2"}</button></p> },
    )
}

/// Renders the charts with their legend.
fn charts(pins: &Rc<Pins>, panels: &[Rc<Panel>]) -> Html {
    let context = &pins.context;
    let chart = |number: usize| {
        let panel = panels.get(number);
        let id = if number == 0 { "chart" } else { "chart-below" };
        html! {
            <InteractiveChart {id} key={id} tip={id.replace("chart", "tip")} figure={panel.map(|panel| Rc::new(panel.figure.clone()))} layout_version={context.layout_version} tell={describe_point(pins, panel)}
                watch={point_for_watch(pins, panel)} open={context.on_edit.clone()} zoom={zoom_setter(context, number, panel)} is_zoomed={context.experiment.view.chart.is_zoomed()} />
        }
    };
    let shown = plots(&context.experiment, &context.experiment.view).len();
    let mut entries: Vec<(usize, &Curve)> = Vec::new();
    for entry in panels.iter().flat_map(|panel| panel.legend_indices.iter().copied().zip(&panel.figure.curves)) {
        if entries.iter().all(|known| known.0 != entry.0) {
            entries.push(entry);
        }
    }
    let toggle = chart_setter(context, |chart, place| chart.toggle(place));
    let are_maps = panels.first().is_some_and(|panel| panel.figure.grid.is_some());
    html! {
        <div class="sweep-charts"><div>
            <div class={classes!("charts", (shown > 1).then_some("charts--two"))}>{ for (0..shown).map(chart) }</div>
            <div class="legends">
                { legend("legend".to_owned(), &entries, are_maps, |place| context.experiment.view.chart.is_hidden(place), &toggle) }
                { pins.legend(panels) }
            </div>
        </div></div>
    }
}

/// Rendered results of a sweep.
struct SweepView {
    /// Message about changes since the sweep was started.
    old: Option<String>,
    panels: Vec<Rc<Panel>>,
    caption: Html,
    /// Messages that the values of the charts leave out.
    left_out: Option<String>,
    numbers: Html,
}

fn view_sweep(context: &AppContext, metric: &Metric, sweep: &Sweep, pinned: &[PinnedSweep<'_>]) -> SweepView {
    let experiment = &context.experiment;
    let mut panels = panels(sweep, &experiment.view, pinned);
    panels.iter_mut().for_each(|panel| panel.figure.unnamed = true);
    SweepView {
        old: changed(sweep.experiment(), experiment),
        panels: panels.into_iter().map(Rc::new).collect(),
        caption: caption(experiment, sweep.experiment()),
        left_out: left_out_of_charts(sweep),
        numbers: numbers(context, sweep, metric),
    }
}

/// Returns the message that the results belong to the experiment `asked`, with the changes since
/// then; `None` without changes.
fn changed(asked: &Experiment, now: &Experiment) -> Option<String> {
    if asked.is_same_measurement(now) {
        return None;
    }
    let keys = asked.diff(now).into_iter().map(|FieldDiff { key, one, other }| {
        let [then, now] = [one, other].map(|value| value.unwrap_or("–".into()));
        format!("{key} {then} (now {now})").replace(',', ", ")
    });
    let keys: Vec<_> = keys.collect();
    Some(format!("These numbers were measured before the last change, with {}.", keys.join("; ")))
}

/// Returns a callback that changes the chart options.
fn chart_setter<T: 'static>(context: &AppContext, change: fn(&mut ChartOptions, T)) -> Callback<T> {
    let context = context.clone();
    Callback::from(move |value: T| context.edit_with(|next| change(&mut next.view.chart, value)))
}

/// Returns a callback that describes a point of a chart.
fn describe_point(pins: &Rc<Pins>, panel: Option<&Rc<Panel>>) -> Callback<ChartPoint, Vec<String>> {
    let (pins, panel) = (Rc::clone(pins), panel.cloned());
    Callback::from(move |spot: ChartPoint| {
        let said = panel
            .as_ref()
            .and_then(|panel| pins.with_sweeps(|sweep, pinned| panel.describe_point(sweep, pinned, &spot)));
        said.unwrap_or_default()
    })
}

/// Returns a callback that returns the experiment of a point of a chart for Watch.
fn point_for_watch(pins: &Rc<Pins>, panel: Option<&Rc<Panel>>) -> Callback<ChartPoint, Option<Experiment>> {
    let (pins, panel) = (Rc::clone(pins), panel.cloned());
    Callback::from(move |spot: ChartPoint| {
        let panel = panel.as_ref()?;
        pins.with_sweeps(|sweep, pinned| panel.watch_experiment(sweep, pinned, &spot))?
    })
}

/// Visible part of an axis; `None` for the whole axis.
type ChartZoom = Option<(f64, f64)>;

/// Returns a callback that sets the visible part of the chart, or the whole x axis if the part leaves
/// out almost nothing. Only the upper chart (`number` 0) shows a part of the y axis.
fn zoom_setter(context: &AppContext, number: usize, panel: Option<&Rc<Panel>>) -> Callback<Option<ChartPart>> {
    let (first, last) = panel.map_or((f64::NEG_INFINITY, f64::INFINITY), |panel| panel.full_x_range);
    let is_less = move |part: &(f64, f64)| {
        let little = (last - first) * 1e-3;
        part.0 > first + little || part.1 < last - little
    };
    let set = |chart: &mut ChartOptions, [x, y]: [Option<ChartZoom>; 2]| {
        (chart.zoom, chart.y_zoom) = (x.unwrap_or(chart.zoom), y.unwrap_or(chart.y_zoom));
    };
    chart_setter(context, set).reform(move |part: Option<ChartPart>| match part {
        None => [Some(None), Some(None)],
        Some(ChartPart { x, y }) => [x.map(|x| Some(x).filter(is_less)), y.map(Some).filter(|_| number == 0)],
    })
}

/// Renders the caption above the chart.
fn caption(experiment: &Experiment, asked: &Experiment) -> Html {
    let Caption { title, text } = Caption::new(experiment, asked);
    html! { <div class="caption"><h2>{title}</h2><p>{with_glossary(&text)}</p></div> }
}

/// Renders the run controls and the progress.
fn controls(context: &AppContext, stale: bool) -> Html {
    let start = {
        let context = context.clone();
        Callback::from(move |_: MouseEvent| context.jobs.start(JobKind::Measure, &[(*context.experiment).clone()]))
    };
    let cancel = {
        let jobs = context.jobs.clone();
        Callback::from(move |_: MouseEvent| jobs.cancel(JobKind::Measure))
    };
    let job = context.jobs.with_job(JobKind::Measure, |job| {
        let said = job.messages();
        (job.share(), job.is_paused(), job.ended().is_some(), status_text(job), said, job.is_resumable())
    });
    let is_new = job.is_none();
    let (share, paused, ended, status_text, said, goes_on) =
        job.unwrap_or((0.0, false, true, String::new(), [None, None], false));
    let end = ended.then(|| status_text.clone());
    let pause = {
        let jobs = context.jobs.clone();
        Callback::from(move |_: MouseEvent| jobs.pause(JobKind::Measure, !paused))
    };
    let run = match (is_new, stale) {
        (true, _) => "Run",
        (false, true) => "Run the changed experiment",
        (false, false) if goes_on => "Continue",
        (false, false) => "Run again",
    };
    html! {
        <>
        <div class="transport" role="group" aria-label="The run">
            if ended || stale {
                <button type="button" class="wide primary" id="run" onclick={start}>{run}</button>
            }
            if !ended {
                <button type="button" class="wide" id="pause" onclick={pause}>{if paused { "Resume" } else { "Pause" }}</button>
                <button type="button" class="wide" id="cancel" onclick={cancel}>{"Cancel"}</button>
            }
            <progress id="progress" max="1" value={share.to_string()} aria-label="Progress"></progress>
            <output class="time" id="status" aria-live="off">{status_text}</output>
            { for said.into_iter().flatten().map(|said| html! { <p class="hint" role="status">{said}</p> }) }
        </div>
        <p id="run-end" class="hidden" role="status">{end}</p>
        </>
    }
}

/// Returns the progress of the job in words.
fn status_text(job: &Job) -> String {
    let points = || job.sweeps().iter().flat_map(Sweep::points);
    let all = points().count();
    let points_word = if all == 1 { "point" } else { "points" };
    // Unfinished points have estimates and a curve too, with wider intervals.
    let done = points().filter(|point| !matches!(point.status, Status::Running | Status::Cancelled)).count();
    let cancelled = job.is_cancelled();
    match (job.ended().is_some(), job.is_paused(), job.seconds_left()) {
        (true, _, _) if cancelled => format!("Cancelled: {done} of {all} points are final"),
        // The time before the page was closed is not known.
        (true, _, _) if job.is_resumed() => {
            format!("{all} {points_word}, {:.1} s since the run was resumed", job.seconds())
        }
        (true, _, _) => format!("{all} {points_word} in {:.1} s", job.seconds()),
        (false, true, _) => format!("Paused: {done} of {all} points are final"),
        (false, false, Some(left)) => format!("{done} of {all} points are final, {left:.0} s left"),
        (false, false, None) => format!("{done} of {all} points are final"),
    }
}

/// Returns a callback that chooses the plotted metrics. It resets the chart options, which belong
/// to the previous plot.
fn plot_setter(context: &AppContext, plot: fn(&Experiment, String) -> String) -> Commit {
    let context = context.clone();
    Callback::from(move |id: String| {
        let plot = plot(&context.experiment, id);
        context.apply(context.experiment.with_key("plot", &plot).map(|mut next| {
            next.view.chart = ChartOptions::default();
            next
        }))
    })
}

/// Returns the value of `plot` with `id` above the current second metric, if both can be shown.
fn plot_with_first(experiment: &Experiment, id: String) -> String {
    let below = experiment.view.second_metric.filter(|below| below.id != id && experiment.kind().metric(&id).is_some());
    below.map_or(id.clone(), |below| format!("{id},{}", below.id))
}

/// Returns the value of `plot` with `id` below the current metric; an empty `id` means no second
/// chart.
fn plot_with_second(experiment: &Experiment, id: String) -> String {
    let above = experiment.plot().id();
    if id.is_empty() { above.to_owned() } else { format!("{above},{id}") }
}

/// Renders the choice of the algorithm whose distribution is shown, in a sweep of several algorithms.
fn algorithm_choice(context: &AppContext, plot: Plot) -> Html {
    let experiment = &context.experiment;
    let Plot::Spread(spread) = plot else { return Html::default() };
    let has_choice = !matches!(spread.shape, DistributionKind::Dimensions(_) | DistributionKind::TradeOff);
    if !has_choice || experiment.vary.is_none() || experiment.routing.len() < 2 {
        return Html::default();
    }
    // Shares of a whole are shown for one algorithm at a time.
    let is_stack = matches!(spread.shape, DistributionKind::Stack(_));
    let all = (!is_stack).then(|| ("".into(), "all".into()));
    let names = (1..).zip(&experiment.routing).map(|(place, algorithm): (u16, _)| {
        (AttrValue::from(place.to_string()), AttrValue::from(algorithm.name.to_string()))
    });
    let options: Vec<(AttrValue, AttrValue)> = all.into_iter().chain(names).collect();
    let chosen = experiment.view.chart.algorithm.map(|index| index + 1).or(is_stack.then_some(1));
    let commit = {
        let context = context.clone();
        Callback::from(move |place: String| {
            let index = place.parse::<u16>().ok().and_then(|place| place.checked_sub(1));
            context.edit_with(|next| {
                next.view.chart.algorithm = index;
                // Hidden entries of the legend belong to the other curves.
                next.view.chart.hidden.clear();
            });
            Ok(())
        })
    };
    let value = chosen.map_or(String::new(), |place| place.to_string());
    html! { <ChoiceField label="Algorithm" {options} {value} {commit} hint="Algorithm whose distribution is shown." /> }
}

/// Renders the buttons for logarithmic axes, for the used part of the y axis and for the whole
/// chart.
fn scales(context: &AppContext, figure: &Figure) -> Html {
    if figure.grid.is_some() || !figure.names.is_empty() {
        return html! {};
    }
    let (over, up) = (!figure.powers.is_empty(), !figure.y_powers.is_empty());
    let button = |label: &'static str, pressed: bool, change: fn(&mut ChartOptions, bool)| {
        let onclick = chart_setter(context, change).reform(move |_: MouseEvent| !pressed);
        html! { <button type="button" {onclick} aria-pressed={pressed.to_string()}>{label}</button> }
    };
    let whole = chart_setter(context, |chart, _: MouseEvent| (chart.zoom, chart.y_zoom) = (None, None));
    let extent = scale::y_extent(figure).and_then(|(low, high)| sorted_part(low, high));
    let fit = chart_setter(context, |chart, part: ChartZoom| chart.y_zoom = part).reform(move |_: MouseEvent| extent);
    let view = &context.experiment.view.chart;
    html! {
        <>
            { button("log x", over, |chart, log| chart.x_log = Some(log)) }
            { button("log y", up, |chart, log| chart.y_log = log) }
            if extent.is_some() { <button type="button" onclick={fit} title="Show only the part of the y axis that the visible points use">{"Fit y"}</button> }
            if view.is_zoomed() { <button type="button" onclick={whole}>{"Reset zoom"}</button> }
        </>
    }
}

fn tools(pins: &Rc<Pins>, running: bool, panels: &[Rc<Panel>]) -> Html {
    let context = &pins.context;
    let view = context.experiment.view.clone();
    let kind = context.experiment.kind();
    let spreads = kind.spreads.iter().map(|spread| (spread.id.into(), spread.name.into()));
    let metrics = || kind.metrics.iter().map(|metric| (AttrValue::from(metric.id), AttrValue::from(metric.axis)));
    let options: Vec<(AttrValue, AttrValue)> = metrics().chain(spreads).collect();
    let plot = context.experiment.plot();
    let about = match plot {
        Plot::Metric(metric) => metric.meaning,
        Plot::Spread(_) => "",
    };
    let others = std::iter::once(("".into(), "none".into())).chain(metrics().filter(|other| other.0 != plot.id()));
    let second = view.second_metric.map_or("", |below| below.id);
    html! {
        <div class="figure-tools">
            <ChoiceField label="Chart" {options} value={plot.id()} commit={plot_setter(context, plot_with_first)} hint={tooltip_sentence(about)} />
            if matches!(plot, Plot::Metric(_)) {
                <ChoiceField label="Second chart" options={others.collect::<Vec<_>>()} value={second} commit={plot_setter(context, plot_with_second)}
                    hint="Shows a second metric in a chart below, along the same axis." />
            }
            { algorithm_choice(context, plot) }
            <div class="exports scales" role="group" aria-label="Axes and curves">
                { for panels.first().map(|panel| scales(context, &panel.figure)) }
                { pins.pin_button(panels.first()) }
            </div>
            <Exports jobs={context.jobs.clone()} kind={JobKind::Measure} sweep=0 {view} pinned={Rc::clone(&pins.pinned)}
                key={running.to_string()} />
        </div>
    }
}

/// Number of algorithms from which the table is below the chart, where it has more space.
const WIDE_TABLE: usize = 4;

/// Renders the table beside or below the chart: one row for each value of the varied parameter, one
/// column for each algorithm.
fn numbers(context: &AppContext, sweep: &Sweep, metric: &Metric) -> Html {
    let experiment = sweep.experiment();
    let algorithms = &experiment.routing;
    let known = experiment.vary.as_ref().map_or(Vec::new(), Vary::values);
    let values = if known.is_empty() { vec![None] } else { known.iter().copied().map(Some).collect() };
    let point = |x: Option<f64>, algorithm: &Algorithm| {
        sweep.points().iter().find(|point| point.x == x && *point.algorithm == *algorithm)
    };
    let head = algorithms.iter().enumerate().map(|(i, algorithm)| {
        html! { <th scope="col"><i class={format!("swatch swatch--{}", i % 7)}></i>{ unbroken_words(&algorithm.name) }</th> }
    });
    let digits = table_digits(sweep, metric);
    let rows = values.iter().map(|&x| {
        let cells = algorithms.iter().map(|algorithm| {
            html! { <td>{ for point(x, algorithm).map(|point| cell(point, metric, digits)) }</td> }
        });
        let name = x.map_or("all".to_owned(), |x| value_name(experiment, &known, x));
        html! { <tr><th scope="row">{name}</th>{ for cells }</tr> }
    });
    let corner = match &experiment.vary {
        Some(vary) => html! { <th scope="col">{vary.parameter.heading}</th> },
        None => html! { <td></td> },
    };
    let unit = if metric.probability { ", %" } else { "" };
    let distribution = matches!(context.experiment.plot(), Plot::Spread(_)).then(|| {
        html! { <p class="hint" id="not-distribution">{"The chart shows a distribution. Its numbers are in the CSV; this table has the means of the same runs."}</p> }
    });
    html! {
        <>
        <section>
            <h3>{metric.axis}{unit}</h3>
            { for distribution }
            <div class="scroll" tabindex="0" role="group" aria-label="The numbers">
                <table id="numbers">
                    <thead><tr>{corner}{ for head }</tr></thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
            { for left_out_of_sweep(sweep, metric).map(|text| html! { <p class="hint" id="left-out">{text}</p> }) }
        </section>
        { saturation_section(context, sweep) }
        </>
    }
}

/// Returns the number of decimals of a table, which all columns share: the values of a row are
/// compared.
fn table_digits(sweep: &Sweep, metric: &Metric) -> usize {
    sweep.points().iter().filter_map(|point| digits(point, metric)).max().unwrap_or(2)
}

/// Returns the number of decimals that the estimate of a point needs; `None` without an interval.
fn digits(point: &PointResult, metric: &Metric) -> Option<usize> {
    let estimate = point.estimate(metric).filter(|estimate| estimate.mean.is_finite())?;
    let half = estimate.half_width();
    if metric.probability {
        return Some(if half * 100.0 >= 0.095 { 1 } else { 2 });
    }
    half.is_finite().then(|| table::significant_digits(half).min(4))
}

fn cell(point: &PointResult, metric: &Metric, digits: usize) -> Html {
    let Some(estimate) = point.estimate(metric) else {
        let word = match point.status {
            Status::Unstable | Status::Deadlocked | Status::Impossible => point.status.id(),
            _ => "–",
        };
        return html! { <span title={point.reason().into_owned()}>{word}</span> };
    };
    if !estimate.mean.is_finite() {
        return html! { <span title={point.reason().into_owned()}>{format!("> {:.0}", estimate.low)}</span> };
    }
    let scale = if metric.probability { 100.0 } else { 1.0 };
    let state = match point.status {
        Status::Running => "…",
        Status::Complete | Status::Converged => "",
        Status::Exact => " exact",
        Status::OutOfBudget => " *",
        Status::Cancelled => " ‡",
        Status::Unstable => " unstable",
        Status::Deadlocked => " deadlocked",
        Status::Impossible => " impossible",
        Status::Unfinished => " unfinished",
        Status::NotSettled => " not settled",
    };
    let title = point.reason();
    let sure = estimate.half_width().is_finite() && !estimate.is_exact();
    let [low, high] = [estimate.low, estimate.high].map(|end| format!("{:.digits$}", end * scale));
    let interval = if sure { format!("[{low}, {high}]") } else { String::new() };
    html! {
        <span title={format!("{title}; {}", counted(estimate.n, "messages"))}>
            {format!("{:.digits$}", estimate.mean * scale)}<small>{interval}{state}</small>
        </span>
    }
}
