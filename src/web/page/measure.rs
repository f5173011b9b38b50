//! Measure: sweeps, live charts, the numbers, the files.

use std::rc::Rc;

use yew::prelude::*;

use super::exports::Exports;
use crate::experiment::{Experiment, Metric, Parameter, PointResult, Role, Status, Sweep};
use crate::report::chart::figure::Figure;
use crate::report::files::table;
use crate::report::measured;
use crate::report::measured::caption::Caption;
use crate::routing::Algorithm;
use crate::topology::NodeId;
use crate::web::bench::Bench;
use crate::web::form::field::ChoiceField;
use crate::web::form::focus::use_kept_focus;
use crate::web::form::keys::set;
use crate::web::run::job::{Job, Purpose};
use crate::web::stage::plot::Plot;

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
    let (stale, running) = seen.as_ref().map_or((false, false), |seen| (seen.stale, true));
    let figure = seen.as_ref().map(|seen| Rc::clone(&seen.figure));
    html! {
        <>
            <section class="stage" aria-label="The measurement">
                { seen.as_ref().map_or_else(|| caption(experiment, experiment), |seen| seen.caption.clone()) }
                <Plot id="chart" {figure} look={bench.look} />
                { controls(bench, stale, &place) }
                { tools(bench, running) }
            </section>
            <aside class="rail why" aria-label="The numbers">{ for seen.map(|seen| seen.numbers) }</aside>
        </>
    }
}

/// What is shown of a sweep.
struct Seen {
    /// Whether the experiment has been changed since it was started.
    stale: bool,
    figure: Rc<Figure>,
    caption: Html,
    numbers: Html,
}

fn see(experiment: &Experiment, metric: &Metric, sweep: &Sweep) -> Seen {
    Seen {
        stale: !sweep.experiment().same_question(experiment),
        figure: Rc::new(measured::figure::of(sweep, experiment.plot())),
        caption: caption(experiment, sweep.experiment()),
        numbers: numbers(sweep, metric),
    }
}

/// What is said above the chart.
fn caption(experiment: &Experiment, asked: &Experiment) -> Html {
    let Caption { title, text } = Caption::of(experiment, asked);
    html! { <div class="caption"><h2>{title}</h2><p>{text}</p></div> }
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

fn tools(bench: &Bench, running: bool) -> Html {
    let view = bench.experiment.view.clone();
    let kind = bench.experiment.kind();
    let spreads = kind.spreads.iter().map(|spread| (spread.id.into(), spread.name.into()));
    let options: Vec<(AttrValue, AttrValue)> =
        kind.metrics.iter().map(|metric| (metric.id.into(), metric.axis.into())).chain(spreads).collect();
    html! {
        <div class="figure-tools">
            <ChoiceField label="Show" {options} value={bench.experiment.plot().id()} commit={set(bench, "plot")} />
            <Exports runner={bench.runner.clone()} purpose={Purpose::Measure} sweep=0 {view} canvas="chart" key={running.to_string()} />
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
    let parameter = experiment.vary.as_ref().map(|vary| vary.parameter);
    let rows = values.iter().map(|&x| {
        let cells = algorithms
            .iter()
            .map(|algorithm| html! { <td>{ for point(x, algorithm).map(|point| cell(point, metric)) }</td> });
        let name = match (x, parameter) {
            (None, _) => "all".to_owned(),
            (Some(x), Some(Parameter { role: Role::Place, .. })) => experiment.network.node_text(NodeId(x as u64)),
            (Some(x), _) => x.to_string(),
        };
        html! { <tr><th scope="row">{name}</th>{ for cells }</tr> }
    });
    let corner = match parameter {
        Some(parameter) => html! { <th scope="col">{parameter.id}</th> },
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
