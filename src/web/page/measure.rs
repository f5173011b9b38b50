//! Measure: sweeps, live charts, the numbers, the files.

use std::rc::Rc;

use yew::prelude::*;

use super::exports::Exports;
use crate::experiment::{ChartView, Experiment, Key, Metric, Plot, PointResult, Status, Sweep};
use crate::report::chart::figure::Figure;
use crate::report::chart::spot::Spot;
use crate::report::files::table;
use crate::report::measured;
use crate::report::measured::caption::Caption;
use crate::report::measured::reading::{point_at, reading, x_text};
use crate::routing::Algorithm;
use crate::web::bench::Bench;
use crate::web::form::field::ChoiceField;
use crate::web::form::focus::use_kept_focus;
use crate::web::form::word::worded;
use crate::web::run::job::{Job, Purpose};
use crate::web::stage::legend::legend;
use crate::web::stage::reader::Reader;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) bench: Bench,
}

#[component]
pub(crate) fn Measure(props: &Props) -> Html {
    let bench = &props.bench;
    let experiment = &bench.experiment;
    let metric = experiment.plotted_metric();
    let place = use_node_ref();
    use_kept_focus(&place);
    // The first look starts the sweep; an edit waits for the person, the old numbers stay until then.
    use_effect_with((), {
        let bench = bench.clone();
        move |()| {
            if bench.runner.look(Purpose::Measure, |_| ()).is_none() {
                bench.runner.start(Purpose::Measure, &[(*bench.experiment).clone()]);
            }
        }
    });
    let seen =
        bench.runner.look(Purpose::Measure, |job| job.sweeps.first().map(|sweep| see(experiment, metric, sweep)));
    let seen = seen.flatten();
    let (old, running) = seen.as_ref().map_or((None, false), |seen| (seen.old.clone(), true));
    let stale = old.is_some();
    let figure = seen.as_ref().map(|seen| Rc::clone(&seen.figure));
    let dim = stale.then_some("old");
    let toggle = look(bench, |chart, place| chart.toggle(place));
    html! {
        <>
            <section class={classes!("stage", dim)} aria-label="The measurement">
                { seen.as_ref().map_or_else(|| caption(experiment, experiment), |seen| seen.caption.clone()) }
                <p class="hint" role="status" id="old">{ for old }</p>
                <Reader id="chart" figure={figure.clone()} look={bench.look} tell={tell(bench)} open={open(bench)}
                    zoom={look(bench, |chart, part| chart.zoom = part)} />
                if let Some(figure) = &figure {
                    { legend("legend", figure, |place| experiment.view.chart.hides(place), &toggle) }
                }
                { controls(bench, stale, &place) }
                { tools(bench, running, figure.as_deref()) }
            </section>
            <aside class={classes!("rail", "why", dim)} aria-label="The numbers">{ for seen.map(|seen| seen.numbers) }</aside>
        </>
    }
}

/// What is shown of a sweep.
struct Seen {
    /// What has been changed since it was started, if anything.
    old: Option<String>,
    figure: Rc<Figure>,
    caption: Html,
    numbers: Html,
}

fn see(experiment: &Experiment, metric: &Metric, sweep: &Sweep) -> Seen {
    Seen {
        old: changed(sweep.experiment(), experiment),
        figure: Rc::new(Figure { unnamed: true, ..measured::figure::seen(sweep, &experiment.view) }),
        caption: caption(experiment, sweep.experiment()),
        numbers: numbers(sweep, metric),
    }
}

/// That the numbers are of the experiment `asked`, and what is another now; `None` if nothing is.
fn changed(asked: &Experiment, now: &Experiment) -> Option<String> {
    if asked.same_question(now) {
        return None;
    }
    // How it is looked at changes no number.
    let asked = Experiment { view: now.view.clone(), ..asked.clone() };
    let said = |key: &Key| {
        let [then, now] = [&asked, now].map(|experiment| key.value(experiment));
        (then != now).then(|| format!("{} {}, now {}", key.name, then.unwrap_or("–".into()), now.unwrap_or("–".into())))
    };
    let keys = now.kind().all_keys().filter_map(said).collect::<Vec<_>>();
    Some(format!("Measured before the last change: {}.", keys.join("; ")))
}

/// Changes how the chart is looked at.
fn look<T: 'static>(bench: &Bench, change: fn(&mut ChartView, T)) -> Callback<T> {
    let bench = bench.clone();
    Callback::from(move |value: T| bench.edited(|next| change(&mut next.view.chart, value)))
}

/// What is said of a point of the chart.
fn tell(bench: &Bench) -> Callback<Spot, Vec<String>> {
    let bench = bench.clone();
    Callback::from(move |spot: Spot| {
        let said = bench.runner.look(Purpose::Measure, |job| {
            let (sweep, view) = (job.sweeps.first()?, &bench.experiment.view);
            Some(reading(sweep, bench.experiment.plot(), &measured::figure::seen(sweep, view), &spot))
        });
        said.flatten().unwrap_or_default()
    })
}

/// Shows a point of the chart as it happens, in Watch.
fn open(bench: &Bench) -> Callback<Spot> {
    let bench = bench.clone();
    Callback::from(move |spot: Spot| {
        let watched = bench.runner.look(Purpose::Measure, |job| {
            let sweep = job.sweeps.first()?;
            let point = point_at(sweep, bench.experiment.plot(), &spot)?;
            Some(sweep.experiment().watching(point.x, &point.algorithm))
        });
        if let Some(watched) = watched.flatten() {
            bench.edit.emit(watched);
        }
    })
}

/// What is said above the chart.
fn caption(experiment: &Experiment, asked: &Experiment) -> Html {
    let Caption { title, text } = Caption::of(experiment, asked);
    html! { <div class="caption"><h2>{title}</h2><p>{worded(&text)}</p></div> }
}

/// Run, pause, cancel, and how far it is; `place` is around them.
fn controls(bench: &Bench, stale: bool, place: &NodeRef) -> Html {
    let start = {
        let bench = bench.clone();
        Callback::from(move |_: MouseEvent| bench.runner.start(Purpose::Measure, &[(*bench.experiment).clone()]))
    };
    let cancel = {
        let runner = bench.runner.clone();
        Callback::from(move |_: MouseEvent| runner.cancel(Purpose::Measure))
    };
    let job = bench
        .runner
        .look(Purpose::Measure, |job| (job.share(), job.paused, job.ended.is_some(), words(job), job.problem.clone()));
    let (share, paused, ended, words, problem) = job.unwrap_or((0.0, false, true, String::new(), None));
    let end = ended.then(|| words.clone());
    let pause = {
        let runner = bench.runner.clone();
        Callback::from(move |_: MouseEvent| runner.pause(Purpose::Measure, !paused))
    };
    let run = if stale { "Run the changed experiment" } else { "Run again" };
    html! {
        <>
        <div ref={place} class="transport" role="group" aria-label="The run">
            if ended || stale {
                <button type="button" class="wide primary" id="run" onclick={start}>{run}</button>
            }
            if !ended {
                <button type="button" class="wide" id="pause" onclick={pause}>{if paused { "Resume" } else { "Pause" }}</button>
                <button type="button" class="wide" id="cancel" onclick={cancel}>{"Cancel"}</button>
            }
            <progress id="progress" max="1" value={share.to_string()} aria-label="Progress"></progress>
            <output class="time" id="status" aria-live="off">{words}</output>
            { for problem.map(|problem| html! { <p class="hint" role="status">{problem}</p> }) }
        </div>
        <p id="ended" class="hidden" role="status">{end}</p>
        </>
    }
}

/// How far the job is, in words.
fn words(job: &Job) -> String {
    let points = || job.sweeps.iter().flat_map(Sweep::points);
    let all = points().count();
    // What is still open has numbers too, and a curve: coarse ones.
    let done = points().filter(|point| !matches!(point.status, Status::Running | Status::Cancelled)).count();
    let cancelled = points().any(|point| point.status == Status::Cancelled);
    match (job.ended.is_some(), job.paused, job.seconds_left()) {
        (true, _, _) if cancelled => format!("cancelled: {done} of {all} points final, the others as they were"),
        (true, _, _) => format!("{all} points in {:.1} s", job.seconds()),
        (false, true, _) => format!("paused, {done} of {all} points final"),
        (false, false, Some(left)) => format!("{done} of {all} points final, {left:.0} s left"),
        (false, false, None) => format!("{done} of {all} points final"),
    }
}

/// Chooses what the chart shows: what was hidden of another, and the part of its axis, mean nothing then.
fn show(bench: &Bench) -> Callback<String, Result<(), String>> {
    let bench = bench.clone();
    Callback::from(move |id: String| {
        bench.change(bench.experiment.with_key("plot", &id).map(|mut next| {
            next.view.chart = ChartView::default();
            next
        }))
    })
}

/// The scales of the axes, and back to all of the x axis.
fn scales(bench: &Bench, figure: &Figure) -> Html {
    if figure.grid.is_some() || !figure.names.is_empty() {
        return html! {};
    }
    let (over, up) = (!figure.powers.is_empty(), !figure.y_powers.is_empty());
    let button = |label: &'static str, pressed: bool, change: fn(&mut ChartView, bool)| {
        let onclick = look(bench, change).reform(move |_: MouseEvent| !pressed);
        html! { <button type="button" {onclick} aria-pressed={pressed.to_string()}>{label}</button> }
    };
    let whole = look(bench, |chart, _: MouseEvent| chart.zoom = None);
    html! {
        <div class="exports scales" role="group" aria-label="Axes">
            { button("log x", over, |chart, log| chart.x_log = Some(log)) }
            { button("log y", up, |chart, log| chart.y_log = log) }
            if bench.experiment.view.chart.zoom.is_some() { <button type="button" onclick={whole}>{"all of x"}</button> }
        </div>
    }
}

fn tools(bench: &Bench, running: bool, figure: Option<&Figure>) -> Html {
    let view = bench.experiment.view.clone();
    let kind = bench.experiment.kind();
    let spreads = kind.spreads.iter().map(|spread| (spread.id.into(), spread.name.into()));
    let options: Vec<(AttrValue, AttrValue)> =
        kind.metrics.iter().map(|metric| (metric.id.into(), metric.axis.into())).chain(spreads).collect();
    let about = match bench.experiment.plot() {
        Plot::Metric(metric) => metric.meaning,
        Plot::Spread(_) => "",
    };
    html! {
        <div class="figure-tools">
            <ChoiceField label="Show" {options} value={bench.experiment.plot().id()} commit={show(bench)} hint={about} />
            { for figure.map(|figure| scales(bench, figure)) }
            <Exports runner={bench.runner.clone()} purpose={Purpose::Measure} sweep=0 {view} key={running.to_string()} />
        </div>
    }
}

/// The table beside the chart: one row a value of what is varied, one column an algorithm.
fn numbers(sweep: &Sweep, metric: &Metric) -> Html {
    let experiment = sweep.experiment();
    let algorithms = &experiment.routing;
    let values: Vec<Option<f64>> = match &experiment.vary {
        Some(vary) => vary.values().into_iter().map(Some).collect(),
        None => vec![None],
    };
    let point = |x: Option<f64>, algorithm: &Algorithm| {
        sweep.points().iter().find(|point| point.x == x && *point.algorithm == *algorithm)
    };
    let head = algorithms.iter().enumerate().map(|(i, algorithm)| {
        html! { <th scope="col"><i class={format!("swatch swatch--{}", i % 7)}></i>{&*algorithm.name}</th> }
    });
    let rows = values.iter().map(|&x| {
        let cells = algorithms
            .iter()
            .map(|algorithm| html! { <td>{ for point(x, algorithm).map(|point| cell(point, metric)) }</td> });
        let name = x.map_or("all".to_owned(), |x| x_text(experiment, x));
        html! { <tr><th scope="row">{name}</th>{ for cells }</tr> }
    });
    let corner = match &experiment.vary {
        Some(vary) => html! { <th scope="col">{vary.parameter.id}</th> },
        None => html! { <td></td> },
    };
    html! {
        <section>
            <h3>{metric.axis}</h3>
            <div class="scroll" tabindex="0" role="region" aria-label="The numbers">
                <table id="numbers">
                    <thead><tr>{corner}{ for head }</tr></thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
        </section>
    }
}

fn cell(point: &PointResult, metric: &Metric) -> Html {
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
    let half = estimate.half_width() * scale;
    let digits = match metric.probability {
        true if half >= 0.095 => 1,
        true => 2,
        false if half.is_finite() => table::digits(half).min(4),
        false => 2,
    };
    let state = match point.status {
        Status::Running => "…",
        Status::Converged => "",
        Status::Exact => " exact",
        Status::OutOfBudget => " *",
        Status::Cancelled => " ‡",
        Status::Unstable => " unstable",
        Status::Deadlocked => " deadlocked",
        Status::Impossible => " impossible",
        Status::Unfinished => " no end",
    };
    let title = point.reason();
    let sure = half.is_finite() && !estimate.is_exact();
    // Where it leans far to one side, as that of a few jams, its ends say more than half its width.
    let off = (estimate.high + estimate.low - 2.0 * estimate.mean).abs();
    let leans = !metric.probability && off > estimate.half_width() / 2.0;
    let plus_minus = match (sure, leans) {
        (false, _) => String::new(),
        (true, false) => format!("±{half:.digits$}"),
        (true, true) => format!("[{:.digits$}, {:.digits$}]", estimate.low * scale, estimate.high * scale),
    };
    html! {
        <span title={format!("{title}; {} messages", estimate.n)}>
            {format!("{:.digits$}", estimate.mean * scale)}<small>{plus_minus}{state}</small>
        </span>
    }
}
