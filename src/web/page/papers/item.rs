//! Item of a paper: its precomputed answer, and its computation in the page with the progress.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use super::chart::PaperChart;
use super::table::grid;
use super::{PrecomputedState, experiment_link, item_link, open_label};
use crate::experiment::{Experiment, Status, Sweep, Tab, ViewOptions};
use crate::papers::{Item, PaperValue, items};
use crate::report::answers::AnswerChart;
use crate::report::chart::chart_point::ChartPoint;
use crate::report::chart::figure::Figure;
use crate::report::files::{csv, file_name, json};
use crate::report::sweep_charts;
use crate::report::sweep_charts::point_description::describe_point;
use crate::report::wording::formula::plain;
use crate::report::wording::list_first;
use crate::web::app_context::AppContext;
use crate::web::dom;
use crate::web::jobs::job::{Job, JobKind};
use crate::web::jobs::pool::SingleJob;
use crate::web::page::exports::{Exports, pictures};
use crate::web::stage::files::texts;
use crate::web::stage::formula::typeset;
use crate::worker::protocol::{FromWorker, ToWorker};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) context: AppContext,
    /// Index of the item among all items.
    pub(super) number: usize,
    /// Precision, if it differs from the precision of the item.
    pub(super) within: Option<f64>,
    pub(super) precomputed_state: PrecomputedState,
}

/// Precomputed answer in the form in which it is shown.
struct PrecomputedItem {
    cells: Rc<[PaperValue]>,
    charts: Vec<Rc<AnswerChart>>,
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
    /// Share of the running computation, if the share is known; the outer `None` means that no
    /// computation runs.
    running: Option<Option<f64>>,
    /// Remaining or total time.
    time: String,
    /// True if the charts show sweeps that ran in the page.
    swept: bool,
}

#[component]
pub(super) fn ItemCard(props: &Props) -> Html {
    let Some(item) = items().nth(props.number) else { return Html::default() };
    let (context, kind) = (&props.context, JobKind::Paper(props.number));
    let exact = use_state_eq(|| Exact::NotRequested);
    let job = use_mut_ref(|| None::<SingleJob>);
    let precomputed =
        use_memo(props.precomputed_state.clone(), |precomputed_state| precomputed_item(precomputed_state, item));
    let shown = match item.is_simulated() {
        true => sweep_view(context, item, kind, precomputed.as_ref().as_ref()),
        false => exact_view(&exact, precomputed.as_ref().as_ref()),
    };
    // The experiments of an item without sweeps are those of its cells.
    let cells = (!item.is_simulated()).then(|| Rc::clone(&shown.cells));
    let offered =
        use_memo((props.number, cells), |(_, cells)| offered_links(item, cells.as_deref().unwrap_or_default()));
    let running = shown.running.is_some();
    let start = {
        let (context, within) = (context.clone(), props.within);
        let (exact, job) = (exact.clone(), Rc::clone(&job));
        Callback::from(move |_: MouseEvent| match (item.is_simulated(), running) {
            (true, true) => context.jobs.cancel(kind),
            (true, false) => context.jobs.start(kind, &item.experiments(within)),
            (false, true) => {
                job.borrow_mut().take();
                exact.set(Exact::NotRequested);
            }
            (false, false) => compute_in_worker(item, &exact, &job),
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
                <button type="button" onclick={start}>{if running { "Cancel" } else { "Compute" }}</button>
                { texts(&file_name::named(&[item.paper.id, item.id]), save(csv::papers), save(json::papers)) }
                { links(context, &offered) }
                <span class="links">{ item_link(context, item, "Link to this item") }</span>
                { for shown.running.map(progress) }
                <output class="time" aria-live="off">{time.clone()}</output>
            </div>
            <p class="hint source">{source.clone()}</p>
            <p class="hidden" role="status">{ (!running && !time.is_empty()).then(|| format!("{}: {source}", plain(item.title))) }</p>
            <div class="paper__body">
                { grid(&plain(item.title), cells) }
                if *swept { { charts(context, kind, item) } } else { { precomputed_charts(context, item, precomputed.as_ref().as_ref()) } }
            </div>
        </article>
    }
}

fn progress(share: Option<f64>) -> Html {
    html! { <progress max="1" value={share.map(|share| share.to_string())} aria-label="Progress"></progress> }
}

/// Maximum number of settings that name an experiment.
const MAX_NAMED_SETTINGS: usize = 2;

/// Maximum length of the name of an experiment, in bytes.
const MAX_NAME_LENGTH: usize = 60;

/// Maximum number of links to experiments of an item without sweeps.
const OFFERED: usize = 8;

/// Returns the experiments of an item, its sweeps or the experiments of `cells`, with their names.
fn offered_links(item: &Item, cells: &[PaperValue]) -> Vec<(Experiment, String)> {
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
    let names = experiment_names(&all);
    all.into_iter().zip(names).collect()
}

/// Renders links to the offered experiments of an item.
fn links(context: &AppContext, offered: &[(Experiment, String)]) -> Html {
    let Some((first, _)) = offered.first() else { return html! {} };
    let label = open_label(first);
    if let [(only, _)] = offered {
        return html! { <span class="links">{ experiment_link(context, only.clone(), label) }</span> };
    }
    let several = offered.iter().map(|(one, name)| experiment_link(context, one.clone(), name.clone()));
    html! { <span class="links">{label}{": "}{ for several }</span> }
}

/// Returns a name for each experiment: the settings in which it differs from the others, shortened,
/// with its number if these do not distinguish it.
fn experiment_names(experiments: &[Experiment]) -> Vec<String> {
    let differences = |one: &Experiment| {
        let mut settings: Vec<String> = Vec::new();
        for found in experiments.iter().flat_map(|other| one.diff(other)) {
            let setting = format!("{} = {}", found.key, found.one.as_deref().unwrap_or("none"));
            if !settings.contains(&setting) {
                settings.push(setting);
            }
        }
        list_first(&settings, MAX_NAMED_SETTINGS)
    };
    let names: Vec<_> = experiments.iter().map(differences).collect();
    let is_unique = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    let name = |(number, name): (usize, &String)| match name.char_indices().nth(MAX_NAME_LENGTH) {
        _ if name.is_empty() => format!("experiment {number}"),
        None if is_unique(name) => name.clone(),
        None => format!("{name} ({number})"),
        Some((end, _)) => format!("{} … ({number})", &name[..end]),
    };
    (1..).zip(&names).map(name).collect()
}

/// Returns the precomputed answer to an item. An item without sweeps is computed at once if the
/// answers cannot be loaded.
fn precomputed_item(precomputed_state: &PrecomputedState, item: &Item) -> Option<PrecomputedItem> {
    let Some((answers, answer)) = precomputed_state.answer(item) else {
        let source = "The values were computed when the page was opened.".to_owned();
        let at_once = *precomputed_state != PrecomputedState::Loading && !item.is_simulated();
        return at_once.then(|| PrecomputedItem { cells: item.cells(&[]).into(), charts: Vec::new(), source });
    };
    Some(PrecomputedItem {
        cells: answer.cells().for_item(item).into(),
        charts: answer.charts().iter().cloned().map(Rc::new).collect(),
        source: format!("Precomputed by Faultlab {} on {}.", answers.version, answers.date),
    })
}

/// Returns the view model of an item with sweeps.
fn sweep_view(
    context: &AppContext,
    item: &Item,
    kind: JobKind,
    precomputed: Option<&PrecomputedItem>,
) -> ItemViewModel {
    let shown = |job: &Job| {
        let stopped = job.sweeps().iter().flat_map(Sweep::points).any(|point| point.status == Status::Cancelled);
        if let (true, Some(precomputed)) = (stopped, precomputed) {
            let source = format!("Cancelled. {}", precomputed.source);
            return ItemViewModel {
                cells: Rc::clone(&precomputed.cells),
                source,
                running: None,
                time: String::new(),
                swept: false,
            };
        }
        let cells: Rc<[_]> = item.cells(job.sweeps()).into();
        let ended = job.ended().is_some();
        let source = match (ended, stopped) {
            (false, _) => "Computing.".to_owned(),
            (true, true) => "Cancelled; the results are partial.".to_owned(),
            (true, false) => format!("Computed here. {}", compare_cells(&cells, precomputed)),
        };
        ItemViewModel {
            cells,
            source,
            running: (!ended).then(|| Some(job.share())),
            time: status_text(job),
            swept: true,
        }
    };
    context.jobs.with_job(kind, shown).unwrap_or_else(|| initial_view(item, precomputed))
}

/// Returns the view model of an item without sweeps.
fn exact_view(exact: &Exact, precomputed: Option<&PrecomputedItem>) -> ItemViewModel {
    let cells = || precomputed.map_or_else(|| Rc::from([]), |precomputed| Rc::clone(&precomputed.cells));
    let source = precomputed.map_or_else(String::new, |precomputed| precomputed.source.clone());
    let shown = |cells, source, time| ItemViewModel { cells, source, running: None, time, swept: false };
    match exact {
        Exact::NotRequested => shown(cells(), source, String::new()),
        Exact::Running => ItemViewModel { running: Some(None), ..shown(cells(), "Computing.".into(), "…".into()) },
        Exact::Failed(problem) => shown(cells(), format!("The computation failed: {problem}. {source}"), String::new()),
        Exact::Done(counted, seconds) => shown(
            Rc::clone(counted),
            format!("Computed here. {}", compare_cells(counted, precomputed)),
            format!("{seconds:.1} s"),
        ),
    }
}

/// Returns the view model of an item before the page computes it.
fn initial_view(item: &Item, precomputed: Option<&PrecomputedItem>) -> ItemViewModel {
    let (cells, source) = match precomputed {
        Some(precomputed) => (Rc::clone(&precomputed.cells), precomputed.source.clone()),
        None => (item.cells(&[]).into(), String::new()),
    };
    ItemViewModel { cells, source, running: None, time: String::new(), swept: false }
}

/// Compares the computed cells with the precomputed ones, in words.
fn compare_cells(here: &[PaperValue], precomputed: Option<&PrecomputedItem>) -> String {
    let Some(precomputed) = precomputed else { return String::new() };
    let pairs = || here.iter().zip(&*precomputed.cells);
    if pairs().all(|(here, precomputed)| here == precomputed) && here.len() == precomputed.cells.len() {
        return "The values are bit-identical to the precomputed ones.".to_owned();
    }
    let others = pairs().filter(|(here, precomputed)| here.verdict != precomputed.verdict).count();
    // At another precision the experiments differ.
    let why = if pairs().all(|(here, precomputed)| here.experiment == precomputed.experiment) {
        ""
    } else {
        "The values are more precise than the precomputed ones. "
    };
    match others {
        0 => format!("{why}All verdicts equal the precomputed ones."),
        1 => format!("{why}One verdict differs from the precomputed one."),
        _ => format!("{why}{others} verdicts differ from the precomputed ones."),
    }
}

/// Starts a worker that computes an item without sweeps.
fn compute_in_worker(item: &'static Item, exact: &UseStateHandle<Exact>, job: &Rc<RefCell<Option<SingleJob>>>) {
    let started = dom::now();
    let hear = {
        let (exact, job) = (exact.setter(), Rc::clone(job));
        move |message| {
            let next = match message {
                FromWorker::Item(cells) => Exact::Done(cells.for_item(item).into(), (dom::now() - started) / 1000.0),
                FromWorker::Failed { problem, .. } => Exact::Failed(problem),
                _ => return,
            };
            job.borrow_mut().take();
            exact.set(next);
        }
    };
    match SingleJob::start(ToWorker::Item(item.id.into()), hear) {
        Ok(new_job) => {
            job.replace(Some(new_job));
            exact.set(Exact::Running);
        }
        // Without workers, the page computes the item itself.
        Err(_) => exact.set(Exact::Done(item.cells(&[]).into(), (dom::now() - started) / 1000.0)),
    }
}

/// Renders a chart of an item's sweep with this index, with its export buttons.
fn drawn_chart(
    context: &AppContext,
    item: &Item,
    sweep: usize,
    figure: Rc<Figure>,
    experiment: Rc<Experiment>,
    tell: Callback<ChartPoint, Vec<String>>,
    exports: Html,
) -> Html {
    html! {
        <div class="paper__chart">
            <PaperChart context={context.clone()} id={format!("{}-chart-{sweep}", item.id)} {figure} {experiment} {tell} />
            {exports}
        </div>
    }
}

/// Renders the charts of the sweeps that ran in the page.
fn charts(context: &AppContext, kind: JobKind, item: &Item) -> Html {
    let drawn = |job: &Job| {
        let of = |sweep: &Sweep| {
            (Rc::new(sweep_charts::figure::chart(sweep, sweep.experiment().plot())), sweep.experiment().clone())
        };
        job.sweeps().iter().map(of).collect::<Vec<_>>()
    };
    let drawn = context.jobs.with_job(kind, drawn).filter(|_| item.charts).unwrap_or_default();
    let chart = |(sweep, (figure, experiment)): (usize, (Rc<Figure>, Experiment))| {
        let tell = {
            let (context, figure) = (context.clone(), Rc::clone(&figure));
            Callback::from(move |spot: ChartPoint| {
                let said = context.jobs.with_job(kind, |job| {
                    let sweep = job.sweeps().get(sweep)?;
                    Some(describe_point(sweep, sweep.experiment().plot(), &figure, &spot))
                });
                said.flatten().unwrap_or_default()
            })
        };
        let exports = html! { <Exports jobs={context.jobs.clone()} {kind} {sweep} view={None::<ViewOptions>} /> };
        drawn_chart(context, item, sweep, figure, Rc::new(experiment), tell, exports)
    };
    html! { <>{ for drawn.into_iter().enumerate().map(chart) }</> }
}

/// Renders the precomputed charts.
fn precomputed_charts(context: &AppContext, item: &Item, precomputed: Option<&PrecomputedItem>) -> Html {
    let experiments = item.experiments(None).into_iter().map(Rc::new);
    let chart = |(sweep, (precomputed, experiment)): (usize, (&Rc<AnswerChart>, Rc<Experiment>))| {
        let precomputed = Rc::clone(precomputed);
        let tell = {
            let (precomputed, experiment) = (Rc::clone(&precomputed), Rc::clone(&experiment));
            Callback::from(move |spot: ChartPoint| precomputed.describe_point(&experiment, &spot))
        };
        let exports = pictures(&experiment, &precomputed);
        drawn_chart(context, item, sweep, Rc::new(precomputed.figure.clone()), experiment, tell, exports)
    };
    let charts = precomputed.map_or(&[][..], |precomputed| &precomputed.charts);
    html! { <>{ for charts.iter().zip(experiments).enumerate().map(chart) }</> }
}

fn status_text(job: &Job) -> String {
    if job.ended().is_some() {
        return format!("{:.1} s", job.seconds());
    }
    job.seconds_left().map_or("…".into(), |left| format!("{left:.0} s left"))
}
