//! Papers: each published table, figure and claim, recomputed here, beside the printed numbers.

use std::rc::Rc;

use yew::prelude::*;

use super::exports::Exports;
use crate::experiment::papers::{Item, Paper, PaperCell, Verdict, items, papers};
use crate::experiment::{Sweep, View};
use crate::report::chart::figure::Figure;
use crate::report::files::{csv, json};
use crate::report::measured;
use crate::web::bench::Bench;
use crate::web::run::job::{Job, Purpose};
use crate::web::stage::files::texts;
use crate::web::stage::plot::Plot;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) bench: Bench,
}

#[component]
pub(crate) fn Papers(props: &Props) -> Html {
    let bench = &props.bench;
    // The paper that the experiment belongs to comes first.
    let kind = bench.experiment.kind();
    let number = use_state_eq(|| papers().iter().position(|paper| paper.kinds.contains(&kind)).unwrap_or(0));
    let choice = |(other, paper): (usize, &&'static Paper)| {
        let chosen = number.clone();
        let onclick = Callback::from(move |_: MouseEvent| chosen.set(other));
        html! {
            <button type="button" {onclick} aria-pressed={(other == *number).to_string()} title={paper.authors}>
                {paper.title}
            </button>
        }
    };
    html! {
        <section class="stage stage--wide papers" aria-label="Published numbers">
            <div class="choices" role="group" aria-label="Papers">{ for papers().iter().enumerate().map(choice) }</div>
            <OnePaper key={*number} bench={bench.clone()} number={*number} />
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct OneProps {
    bench: Bench,
    /// Which of the papers.
    number: usize,
}

/// A paper: its heading, then its items.
#[component]
fn OnePaper(props: &OneProps) -> Html {
    let precise = use_state_eq(|| false);
    let Some(&paper) = papers().get(props.number) else { return Html::default() };
    let bench = &props.bench;
    let within = precise.then_some(paper.fine);
    let all = {
        let bench = bench.clone();
        Callback::from(move |_: MouseEvent| {
            for (number, item) in of(paper).filter(|(_, item)| item.is_simulated()) {
                bench.runner.start(Purpose::Paper(number), &item.experiments(within));
            }
        })
    };
    let precision = {
        let precise = precise.clone();
        Callback::from(move |_: Event| precise.set(!*precise))
    };
    html! {
        <>
            <div class="caption" id={paper.id}>
                <h2>{paper.title}</h2>
                <p>{format!("{}. {}", paper.authors, paper.about)}</p>
                <p class="actions">
                    <button type="button" class="primary" onclick={all}>{"Compute everything"}</button>
                    <label class="check"><input type="checkbox" checked={*precise} onchange={precision} />
                        <span>{paper.fine_words}</span></label>
                </p>
            </div>
            { for of(paper).map(|(number, item)| section(bench, number, item, within)) }
        </>
    }
}

/// The items of a paper, each with its number in the list of all.
fn of(paper: &Paper) -> impl Iterator<Item = (usize, &'static Item)> {
    items().enumerate().filter(move |(_, item)| item.paper.id == paper.id)
}

fn section(bench: &Bench, number: usize, item: &'static Item, within: Option<f64>) -> Html {
    let purpose = Purpose::Paper(number);
    let state =
        bench.runner.look(purpose, |job| (item.cells(&job.sweeps), words(job), job.ended.is_some(), job.share()));
    let figures = bench.runner.look(purpose, |job| job.sweeps.iter().map(figure).collect()).unwrap_or_default();
    let running = state.as_ref().is_some_and(|state| !state.2);
    let start = {
        let bench = bench.clone();
        Callback::from(move |_: MouseEvent| {
            if running {
                bench.runner.cancel(purpose);
            } else {
                bench.runner.start(purpose, &item.experiments(within));
            }
        })
    };
    let (cells, status, _, share) = state.unwrap_or_else(|| (item.cells(&[]), String::new(), true, 0.0));
    let cells: Rc<[_]> = cells.into();
    let save = |write: fn(&[PaperCell]) -> String| {
        let cells = Rc::clone(&cells);
        move || write(&cells)
    };
    let links = item.experiments(None).into_iter().enumerate().map(|(i, mut experiment)| {
        experiment.view.tab = crate::experiment::Tab::Measure;
        let bench = bench.clone();
        let href = format!("#{experiment}");
        let onclick = Callback::from(move |event: MouseEvent| {
            event.prevent_default();
            bench.edit.emit(experiment.clone());
        });
        html! { <a {href} {onclick}>{format!("experiment {}", i + 1)}</a> }
    });
    html! {
        <article class="card" id={item.id}>
            <h3>{item.title}</h3>
            <p>{item.about}</p>
            <div class="actions">
                if item.is_simulated() {
                    <button type="button" onclick={start}>{if running { "Cancel" } else { "Compute" }}</button>
                }
                { texts(item.id, save(csv::papers), save(json::papers)) }
                if item.is_simulated() { <span class="links">{"Open as: "}{ for links }</span> }
                if running { <progress max="1" value={share.to_string()} aria-label="Progress"></progress> }
                <output class="time" aria-live="off">{status.clone()}</output>
            </div>
            <p class="hidden" role="status">{ (!running && !status.is_empty()).then(|| format!("{}: {status}", item.title)) }</p>
            <div class="paper__body">
                { grid(item.title, &cells) }
                { charts(bench, purpose, item, figures) }
            </div>
        </article>
    }
}

fn figure(sweep: &Sweep) -> Rc<Figure> {
    Rc::new(measured::figure::of(sweep, sweep.experiment().plot()))
}

/// The sweeps behind the table, drawn.
fn charts(bench: &Bench, purpose: Purpose, item: &Item, figures: Vec<Rc<Figure>>) -> Html {
    let shown = if item.charts { figures } else { Vec::new() };
    let chart = |(sweep, figure): (usize, Rc<Figure>)| {
        let id = format!("{}-chart-{sweep}", item.id);
        html! {
            <div class="paper__chart">
                <Plot {id} {figure} look={bench.look} />
                <Exports runner={bench.runner.clone()} {purpose} {sweep} view={None::<View>} />
            </div>
        }
    };
    html! { <>{ for shown.into_iter().enumerate().map(chart) }</> }
}

fn words(job: &Job) -> String {
    if job.ended.is_some() {
        return format!("{:.1} s", job.seconds());
    }
    job.seconds_left().map_or("…".into(), |left| format!("{left:.0} s left"))
}

/// The cells as the table that they come from: rows and columns as printed.
fn grid(title: &'static str, cells: &[PaperCell]) -> Html {
    let mut columns: Vec<&str> = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    for cell in cells {
        if !columns.contains(&&*cell.column) {
            columns.push(&cell.column);
        }
        if !rows.contains(&&*cell.row) {
            rows.push(&cell.row);
        }
    }
    let at = |row: &str, column: &str| cells.iter().find(|cell| cell.row == row && cell.column == column);
    let body = rows.iter().map(|row| {
        let cells = columns.iter().map(|column| html! { <td>{ for at(row, column).map(shown) }</td> });
        html! { <tr><th scope="row">{row}</th>{ for cells }</tr> }
    });
    html! {
        <div class="scroll" tabindex="0" role="region" aria-label={title}>
            <table class="paper">
                <thead><tr><td></td>{ for columns.iter().map(|column| html! { <th scope="col">{column}</th> }) }</tr></thead>
                <tbody>{ for body }</tbody>
            </table>
        </div>
    }
}

fn shown(cell: &PaperCell) -> Html {
    let mark = match cell.verdict {
        Verdict::Reproduced => "✓",
        Verdict::Close => "≈",
        Verdict::NotReproduced => "✗",
        Verdict::NoNumber | Verdict::Undecided => "",
    };
    // As many decimals as printed; claims, which print none, get two.
    let digits = match (cell.printed.split_once('.'), cell.printed.is_empty()) {
        (Some((_, decimals)), _) => decimals.len(),
        (None, true) if cell.is_exact() => 0,
        (None, true) => 2,
        (None, false) => 0,
    };
    let measured = cell.measured.map_or("–".to_owned(), |measured| format!("{measured:.digits$}"));
    let interval = match cell.ci95 {
        _ if cell.is_exact() => Some("exact".to_owned()),
        ends => ends.map(|[low, high]| format!("{low:.digits$} to {high:.digits$}")),
    };
    let title = [Some(cell.verdict.id().to_owned()), interval, Some(cell.remark.clone())];
    let title: Vec<_> = title.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let kind = cell.verdict.id().replace(' ', "-");
    html! {
        <span class={format!("verdict verdict--{kind}")} title={title.join("; ")}>
            <b>{measured}</b>
            <small>{&cell.printed}</small>
            <i role="img" aria-label={cell.verdict.id()}>{mark}</i>
            if !cell.remark.is_empty() { <sup title={cell.remark.clone()}>{"†"}</sup> }
        </span>
    }
}
