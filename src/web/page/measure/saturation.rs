//! Saturation of the algorithms, below the numbers of Measure: the table, its file, and the search
//! that narrows its intervals.

use yew::prelude::*;

use crate::experiment::saturation::{RESOLUTION, Saturation, SaturationSearch};
use crate::experiment::{Experiment, Status, Sweep};
use crate::report::document::Document as _;
use crate::report::files::file_name;
use crate::report::sweep_charts::saturation::{SaturationCell, TITLE, cells, definition, headings, saturation_bound};
use crate::web::app_context::AppContext;
use crate::web::dom;
use crate::web::jobs::job::{Job, JobKind};
use crate::web::stage::legend::unbroken_words;

/// Maximum number of nodes of networks whose bounds are shown, because every rendering of the table
/// computes them.
const MAX_BOUND_NODES: u64 = 128;

/// Renders the table of saturation with its tools; nothing if the sweep does not vary the offered
/// traffic.
pub(super) fn saturation_section(context: &AppContext, sweep: &Sweep) -> Html {
    let Ok(search) = SaturationSearch::from_sweep(sweep, RESOLUTION) else { return html! {} };
    let found = search.saturations();
    if found.is_empty() {
        return html! {};
    }
    html! {
        <section>
            <h3>{TITLE}</h3>
            <div class="scroll" tabindex="0" role="group" aria-label="Saturation">
                { table(sweep.experiment(), &found) }
            </div>
            { tools(context, sweep, search) }
            <p class="hint">{definition()}</p>
        </section>
    }
}

/// Renders the table, a column for each algorithm.
fn table(experiment: &Experiment, found: &[Saturation]) -> Html {
    let columns: Vec<_> = found
        .iter()
        .map(|saturation| {
            let bound = saturation_bound(experiment, &saturation.algorithm, MAX_BOUND_NODES);
            cells(saturation, bound)
        })
        .collect();
    let head =
        found.iter().map(|saturation| html! { <th scope="col">{ unbroken_words(&saturation.algorithm.name) }</th> });
    let row = |(number, heading): (usize, String)| {
        let cells = columns.iter().map(|column| {
            let SaturationCell { value, detail } = &column[number];
            html! { <td>{value}<small>{detail}</small></td> }
        });
        html! { <tr><th scope="row">{heading}</th>{ for cells }</tr> }
    };
    html! {
        <table id="saturation">
            <thead><tr><td></td>{ for head }</tr></thead>
            <tbody>{ for headings(experiment).into_iter().enumerate().map(row) }</tbody>
        </table>
    }
}

/// Progress of the search that refines the measured sweep.
struct Refinement {
    is_running: bool,
    text: String,
}

impl Refinement {
    fn new(job: &Job) -> Self {
        let points = || job.sweeps().iter().flat_map(Sweep::points);
        let (all, done) = (points().count(), points().filter(|point| point.status != Status::Running).count());
        let is_running = job.ended().is_none();
        let text = match job.messages() {
            [Some(problem), _] => problem,
            _ if is_running => format!("{done} of at least {all} more points are final"),
            _ if job.is_cancelled() => "Cancelled. The table contains the sweeps that were finished.".to_owned(),
            _ => format!("Refined with {all} more points in {:.1} s.", job.seconds()),
        };
        Self { is_running, text }
    }
}

/// Renders the button that narrows the intervals, with its progress, and the one that saves the
/// table.
fn tools(context: &AppContext, sweep: &Sweep, search: SaturationSearch) -> Html {
    let refinement = context.jobs.with_job(JobKind::Refine, Refinement::new);
    let is_running = refinement.as_ref().is_some_and(|refinement| refinement.is_running);
    let measured = context.jobs.with_job(JobKind::Measure, |job| {
        (job.ended().is_some() && !job.is_cancelled(), (!job.is_resumed()).then(|| job.seconds()))
    });
    let (is_complete, seconds) = measured.unwrap_or((false, None));
    let estimate = seconds.map(|seconds| format!(" (about {})", rounded_up(seconds * search.remaining_share())));
    let can_refine = is_complete && !matches!(search.next_sweep(), Ok(None));
    let save = {
        let (search, name) = (search.clone(), file_name::stem(sweep.experiment(), "saturation"));
        Callback::from(move |_: MouseEvent| dom::download(&format!("{name}.csv"), "text/csv", &search.csv()))
    };
    let refine = {
        let jobs = context.jobs.clone();
        Callback::from(move |_: MouseEvent| match is_running {
            true => jobs.cancel(JobKind::Refine),
            false => jobs.refine(search.clone()),
        })
    };
    let title = format!(
        "Measures more values where each algorithm saturates, as faultlab saturation does, until the intervals are \
         {RESOLUTION} wide or more values would not narrow them"
    );
    html! {
        <>
            <div class="exports saturation-tools" role="group" aria-label="Tools of the saturation">
                if can_refine || is_running {
                    <button type="button" id="refine" onclick={refine} {title}>
                        if is_running { {"Cancel"} } else { {"Refine"}{ for estimate } }
                    </button>
                }
                <button type="button" onclick={save}>{"Saturation as CSV"}</button>
            </div>
            <p class="hint" id="refinement" role="status">{ for refinement.map(|refinement| refinement.text) }</p>
        </>
    }
}

/// Returns an estimated time in whole seconds or minutes.
fn rounded_up(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{:.0} s", seconds.ceil().max(1.0))
    } else {
        format!("{:.0} min", (seconds / 60.0).ceil())
    }
}
