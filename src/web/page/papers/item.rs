//! Item of a paper: its precomputed answer, and its computation here with the progress.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use super::chart::PaperChart;
use super::table::grid;
use super::{Beforehand, experiment_link, open_label};
use crate::experiment::{Experiment, Status, Sweep, Tab, ViewOptions};
use crate::papers::{Item, PaperValue, items};
use crate::report::answers::Chart;
use crate::report::chart::figure::Figure;
use crate::report::chart::spot::ChartPoint;
use crate::report::files::{csv, json};
use crate::report::measured;
use crate::report::measured::reading::reading;
use crate::report::words::formula::plain;
use crate::web::bench::AppContext;
use crate::web::dom;
use crate::web::jobs::job::{Job, JobKind};
use crate::web::jobs::pool::SingleJob;
use crate::web::page::exports::{Exports, pictures};
use crate::web::stage::files::texts;
use crate::web::stage::formula::typeset;
use crate::worker::protocol::{FromWorker, ToWorker};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) bench: AppContext,
    /// Index of the item among all items.
    pub(super) number: usize,
    /// Precision, if it differs from that of the item.
    pub(super) within: Option<f64>,
    pub(super) beforehand: Beforehand,
}

/// Precomputed answer in the form in which it is shown.
struct PrecomputedItem {
    cells: Rc<[PaperValue]>,
    charts: Vec<Rc<Chart>>,
    source: String,
}

/// State of the computation of an item without sweeps.
#[derive(Clone, PartialEq)]
enum Exact {
    /// Not requested.
    NotRequested,
    /// Running in a worker.
    Running,
    /// Completed in this number of seconds.
    Done(Rc<[PaperValue]>, f64),
    /// Failed with this problem.
    Failed(String),
}

/// View model of an item.
struct ItemViewModel {
    cells: Rc<[PaperValue]>,
    /// Source of the numbers.
    source: String,
    /// Share of the running computation, if it is known; the outer `None` means that nothing runs.
    running: Option<Option<f64>>,
    /// Remaining or total time.
    time: String,
    /// True if the charts are those of sweeps that ran here.
    swept: bool,
}

#[component]
pub(super) fn ItemCard(props: &Props) -> Html {
    let Some(item) = items().nth(props.number) else { return Html::default() };
    let (bench, kind) = (&props.bench, JobKind::Paper(props.number));
    let exact = use_state_eq(|| Exact::NotRequested);
    let hand = use_mut_ref(|| None::<SingleJob>);
    let kept = use_memo(props.beforehand.clone(), |beforehand| precomputed_item(beforehand, item));
    let shown = match item.is_simulated() {
        true => sweep_view(bench, item, kind, kept.as_ref().as_ref()),
        false => exact_view(&exact, kept.as_ref().as_ref()),
    };
    let running = shown.running.is_some();
    let start = {
        let (bench, within) = (bench.clone(), props.within);
        let (exact, hand) = (exact.clone(), Rc::clone(&hand));
        Callback::from(move |_: MouseEvent| match (item.is_simulated(), running) {
            (true, true) => bench.jobs.cancel(kind),
            (true, false) => bench.jobs.start(kind, &item.experiments(within)),
            (false, true) => {
                hand.borrow_mut().take();
                exact.set(Exact::NotRequested);
            }
            (false, false) => compute_in_worker(item, &exact, &hand),
        })
    };
    let save = |write: fn(&[PaperValue]) -> String| {
        let cells = Rc::clone(&shown.cells);
        move || write(&cells)
    };
    let ItemViewModel { cells, source, time, swept, .. } = &shown;
    html! {
        <article class="card" id={item.id}>
            <h3 tabindex="-1">{ typeset(item.title) }</h3>
            <p>{ typeset(item.about) }</p>
            <div class="actions">
                <button type="button" onclick={start}>{if running { "Cancel" } else { "Compute it here" }}</button>
                { texts(item.id, save(csv::papers), save(json::papers)) }
                { links(bench, item, cells) }
                { for shown.running.map(progress) }
                <output class="time" aria-live="off">{time.clone()}</output>
            </div>
            <p class="hint source">{source.clone()}</p>
            <p class="hidden" role="status">{ (!running && !time.is_empty()).then(|| format!("{}: {source}", plain(item.title))) }</p>
            <div class="paper__body">
                { grid(&plain(item.title), cells) }
                if *swept { { charts(bench, kind, item) } } else { { kept_charts(bench, item, kept.as_ref().as_ref()) } }
            </div>
        </article>
    }
}

fn progress(share: Option<f64>) -> Html {
    html! { <progress max="1" value={share.map(|share| share.to_string())} aria-label="Progress"></progress> }
}

/// Maximum number of links to experiments of an item without sweeps.
const OFFERED: usize = 8;

/// Renders links to the experiments of an item: its sweeps, or the experiments of its cells.
fn links(bench: &AppContext, item: &Item, cells: &[PaperValue]) -> Html {
    let mut all = item.experiments(None);
    for experiment in &mut all {
        experiment.view.tab = Tab::Measure;
    }
    if all.is_empty() {
        for cell in cells {
            if all.len() < OFFERED && !all.contains(&cell.experiment) {
                all.push((*cell.experiment).clone());
            }
        }
    }
    let Some(name) = all.first().map(open_label) else { return html! {} };
    if let [_] = *all {
        return html! { <span class="links">{ for all.pop().map(|one| experiment_link(bench, one, name)) }</span> };
    }
    let several = (1..).zip(all).map(|(number, one)| experiment_link(bench, one, format!("experiment {number}")));
    html! { <span class="links">{name}{": "}{ for several }</span> }
}

/// Returns the precomputed answer to an item. An item without sweeps is computed at once if the
/// answers cannot be loaded.
fn precomputed_item(beforehand: &Beforehand, item: &Item) -> Option<PrecomputedItem> {
    let Some((answers, answer)) = beforehand.answer(item) else {
        let source = "Counted when the page was opened.".to_owned();
        let at_once = *beforehand != Beforehand::Loading && !item.is_simulated();
        return at_once.then(|| PrecomputedItem { cells: item.cells(&[]).into(), charts: Vec::new(), source });
    };
    Some(PrecomputedItem {
        cells: answer.cells().for_item(item).into(),
        charts: answer.charts().iter().cloned().map(Rc::new).collect(),
        source: format!("Computed beforehand: Faultlab {}, {}.", answers.version, answers.date),
    })
}

/// Returns the view model of an item with sweeps.
fn sweep_view(bench: &AppContext, item: &Item, kind: JobKind, kept: Option<&PrecomputedItem>) -> ItemViewModel {
    let shown = |job: &Job| {
        let stopped = job.sweeps().iter().flat_map(Sweep::points).any(|point| point.status == Status::Cancelled);
        if let (true, Some(kept)) = (stopped, kept) {
            let source = format!("Cancelled here. {}", kept.source);
            return ItemViewModel {
                cells: Rc::clone(&kept.cells),
                source,
                running: None,
                time: String::new(),
                swept: false,
            };
        }
        let cells: Rc<[_]> = item.cells(job.sweeps()).into();
        let ended = job.ended().is_some();
        let source = match (ended, stopped) {
            (false, _) => "Being computed here.".to_owned(),
            (true, true) => "Cancelled here: as far as it came.".to_owned(),
            (true, false) => format!("Computed here. {}", compare_cells(&cells, kept)),
        };
        ItemViewModel { cells, source, running: (!ended).then(|| Some(job.share())), time: words(job), swept: true }
    };
    bench.jobs.with_job(kind, shown).unwrap_or_else(|| initial_view(item, kept))
}

/// Returns the view model of an item without sweeps.
fn exact_view(exact: &Exact, kept: Option<&PrecomputedItem>) -> ItemViewModel {
    let cells = || kept.map_or_else(|| Rc::from([]), |kept| Rc::clone(&kept.cells));
    let source = kept.map_or_else(String::new, |kept| kept.source.clone());
    let shown = |cells, source, time| ItemViewModel { cells, source, running: None, time, swept: false };
    match exact {
        Exact::NotRequested => shown(cells(), source, String::new()),
        Exact::Running => {
            ItemViewModel { running: Some(None), ..shown(cells(), "Being computed here.".into(), "…".into()) }
        }
        Exact::Failed(problem) => {
            shown(cells(), format!("It could not be computed here: {problem}. {source}"), String::new())
        }
        Exact::Done(counted, seconds) => shown(
            Rc::clone(counted),
            format!("Computed here. {}", compare_cells(counted, kept)),
            format!("{seconds:.1} s"),
        ),
    }
}

/// Returns the view model of an item before it is computed here.
fn initial_view(item: &Item, kept: Option<&PrecomputedItem>) -> ItemViewModel {
    let (cells, source) = match kept {
        Some(kept) => (Rc::clone(&kept.cells), kept.source.clone()),
        None => (item.cells(&[]).into(), String::new()),
    };
    ItemViewModel { cells, source, running: None, time: String::new(), swept: false }
}

/// Compares the computed cells with the precomputed ones, in words.
fn compare_cells(here: &[PaperValue], kept: Option<&PrecomputedItem>) -> String {
    let Some(kept) = kept else { return String::new() };
    let pairs = || here.iter().zip(&*kept.cells);
    if pairs().all(|(here, kept)| here == kept) && here.len() == kept.cells.len() {
        return "To the last bit the same as beforehand.".to_owned();
    }
    let others = pairs().filter(|(here, kept)| here.verdict != kept.verdict).count();
    // At another precision the experiments differ.
    let why = if pairs().all(|(here, kept)| here.experiment == kept.experiment) {
        ""
    } else {
        "More precise than beforehand: "
    };
    match others {
        0 => format!("{why}all verdicts are the same as beforehand."),
        1 => format!("{why}one verdict is another than beforehand."),
        _ => format!("{why}{others} verdicts are others than beforehand."),
    }
}

/// Starts a worker that computes an item without sweeps.
fn compute_in_worker(item: &'static Item, exact: &UseStateHandle<Exact>, hand: &Rc<RefCell<Option<SingleJob>>>) {
    let started = dom::now();
    let hear = {
        let (exact, hand) = (exact.setter(), Rc::clone(hand));
        move |news| {
            let next = match news {
                FromWorker::Item(cells) => Exact::Done(cells.for_item(item).into(), (dom::now() - started) / 1000.0),
                FromWorker::Failed { problem, .. } => Exact::Failed(problem),
                _ => return,
            };
            hand.borrow_mut().take();
            exact.set(next);
        }
    };
    match SingleJob::start(ToWorker::Item(item.id.into()), hear) {
        Ok(job) => {
            hand.replace(Some(job));
            exact.set(Exact::Running);
        }
        // Without workers, the page computes the item itself.
        Err(_) => exact.set(Exact::Done(item.cells(&[]).into(), (dom::now() - started) / 1000.0)),
    }
}

/// Renders a chart of an item's sweep with this index, with its export buttons.
fn drawn_chart(
    bench: &AppContext,
    item: &Item,
    sweep: usize,
    figure: Rc<Figure>,
    experiment: Rc<Experiment>,
    tell: Callback<ChartPoint, Vec<String>>,
    exports: Html,
) -> Html {
    html! {
        <div class="paper__chart">
            <PaperChart bench={bench.clone()} id={format!("{}-chart-{sweep}", item.id)} {figure} {experiment} {tell} />
            {exports}
        </div>
    }
}

/// Renders the charts of the sweeps that ran here.
fn charts(bench: &AppContext, kind: JobKind, item: &Item) -> Html {
    let drawn = |job: &Job| {
        let of = |sweep: &Sweep| {
            (Rc::new(measured::figure::chart(sweep, sweep.experiment().plot())), sweep.experiment().clone())
        };
        job.sweeps().iter().map(of).collect::<Vec<_>>()
    };
    let drawn = bench.jobs.with_job(kind, drawn).filter(|_| item.charts).unwrap_or_default();
    let chart = |(sweep, (figure, experiment)): (usize, (Rc<Figure>, Experiment))| {
        let tell = {
            let (bench, figure) = (bench.clone(), Rc::clone(&figure));
            Callback::from(move |spot: ChartPoint| {
                let said = bench.jobs.with_job(kind, |job| {
                    let sweep = job.sweeps().get(sweep)?;
                    Some(reading(sweep, sweep.experiment().plot(), &figure, &spot))
                });
                said.flatten().unwrap_or_default()
            })
        };
        let exports = html! { <Exports jobs={bench.jobs.clone()} {kind} {sweep} view={None::<ViewOptions>} /> };
        drawn_chart(bench, item, sweep, figure, Rc::new(experiment), tell, exports)
    };
    html! { <>{ for drawn.into_iter().enumerate().map(chart) }</> }
}

/// Renders the precomputed charts.
fn kept_charts(bench: &AppContext, item: &Item, kept: Option<&PrecomputedItem>) -> Html {
    let experiments = item.experiments(None).into_iter().map(Rc::new);
    let chart = |(sweep, (kept, experiment)): (usize, (&Rc<Chart>, Rc<Experiment>))| {
        let kept = Rc::clone(kept);
        let tell = {
            let (kept, experiment) = (Rc::clone(&kept), Rc::clone(&experiment));
            Callback::from(move |spot: ChartPoint| kept.reading(&experiment, &spot))
        };
        let exports = pictures(&experiment, &kept);
        drawn_chart(bench, item, sweep, Rc::new(kept.figure.clone()), experiment, tell, exports)
    };
    let charts = kept.map_or(&[][..], |kept| &kept.charts);
    html! { <>{ for charts.iter().zip(experiments).enumerate().map(chart) }</> }
}

fn words(job: &Job) -> String {
    if job.ended().is_some() {
        return format!("{:.1} s", job.seconds());
    }
    job.seconds_left().map_or("…".into(), |left| format!("{left:.0} s left"))
}
