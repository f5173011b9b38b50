//! Search for the worst faults, in a separate worker.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::MouseEvent;
use yew::prelude::*;

use crate::experiment::worst::WorstQuery;
use crate::experiment::{Experiment, FaultDomain};
use crate::web::app_context::AppContext;
use crate::web::form::field::{ChoiceField, TextField};
use crate::web::form::keys::options;
use crate::web::jobs::pool::SingleJob;
use crate::worker::protocol::{FromWorker, ToWorker};

/// State of the search.
#[derive(Clone, PartialEq)]
enum SearchState {
    /// No search.
    Idle,
    /// Running, with the share of the work that is done.
    Running(f64),
    /// Completed with a result.
    Done(Rc<WorstFaultsResult>),
    /// Failed with this problem.
    Failed(String),
}

#[derive(PartialEq)]
struct WorstFaultsResult {
    /// Experiment without the faults.
    before: Experiment,
    /// Experiment with the faults.
    broken: Experiment,
    /// Description of the faults.
    told: Vec<String>,
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
}

/// Renders the controls of the search, and its result.
#[component]
pub(crate) fn WorstFaults(props: &Props) -> Html {
    let context = &props.context;
    let faults = use_state(|| 1u32);
    let links = use_state(|| false);
    let search = use_state(|| SearchState::Idle);
    let job = use_mut_ref(|| None::<SingleJob>);
    let by_links = *links && context.experiment.kind().fault_domain == FaultDomain::NodesAndLinks;
    let count = {
        let faults = faults.clone();
        Callback::from(move |text: String| match text.parse() {
            Ok(number) if (1..=WorstQuery::MAX_FAULTS).contains(&number) => {
                faults.set(number);
                Ok(())
            }
            _ => Err(format!("write a whole number from 1 to {}", WorstQuery::MAX_FAULTS)),
        })
    };
    let choose = {
        let links = links.clone();
        Callback::from(move |what: String| {
            links.set(what == "links");
            Ok(())
        })
    };
    let what = match (by_links, *faults) {
        (true, 1) => "link",
        (true, _) => "links",
        (false, 1) => "node",
        (false, _) => "nodes",
    };
    let find = {
        let (context, faults, search, job) = (context.clone(), *faults, search.clone(), Rc::clone(&job));
        Callback::from(move |_: MouseEvent| start(&context.experiment, faults, by_links, &search, &job))
    };
    let cancel = {
        let (search, job) = (search.clone(), Rc::clone(&job));
        Callback::from(move |_: MouseEvent| {
            job.borrow_mut().take();
            search.set(SearchState::Idle);
        })
    };
    let algorithm = context.experiment.routing.first().map_or(String::new(), |algorithm| algorithm.name.to_string());
    let metric = context.experiment.plotted_metric();
    let aim = format!("Criterion: the worst {} under {algorithm}.", metric.axis);
    html! {
        <details class="worst">
            <summary>{"Find the worst faults"}</summary>
            <TextField label="Number of faults" value={faults.to_string()} commit={count} mode="numeric"
                hint={format!("A number from 1 to {}.", WorstQuery::MAX_FAULTS)} />
            if context.experiment.kind().fault_domain == FaultDomain::NodesAndLinks {
                <ChoiceField label="Fault type" options={options(&[("nodes", "nodes"), ("links", "links")])}
                    value={if by_links { "links" } else { "nodes" }}
                    commit={choose} />
            }
            <p class="hint">{aim}</p>
            <div>
                if matches!(*search, SearchState::Running(_)) {
                    <button type="button" onclick={cancel}>{"Cancel"}</button>
                } else {
                    <button type="button" onclick={find}>{format!("Find the worst {} {what}", *faults)}</button>
                }
            </div>
            <div aria-live="polite">{ search_result(context, &search) }</div>
        </details>
    }
}

/// Starts a search in a new worker.
fn start(
    experiment: &Experiment,
    faults: u32,
    links: bool,
    search: &UseStateHandle<SearchState>,
    job: &Rc<RefCell<Option<SingleJob>>>,
) {
    let before = Experiment { vary: None, ..experiment.clone() };
    let order = ToWorker::Worst { text: before.to_string(), faults, links };
    let hear = {
        let (search, job, before) = (search.setter(), Rc::clone(job), before.clone());
        move |message| {
            let next = match message {
                FromWorker::Searched { share } => SearchState::Running(share),
                FromWorker::Worst { text, told } => match text.parse::<Experiment>() {
                    Ok(broken) => {
                        SearchState::Done(Rc::new(WorstFaultsResult { before: before.clone(), broken, told }))
                    }
                    Err(error) => SearchState::Failed(error.to_string()),
                },
                FromWorker::Failed { problem, .. } => SearchState::Failed(problem),
                _ => return,
            };
            if !matches!(next, SearchState::Running(_)) {
                job.borrow_mut().take();
            }
            search.set(next);
        }
    };
    search.set(match SingleJob::start(order, hear) {
        Ok(new_job) => {
            *job.borrow_mut() = Some(new_job);
            SearchState::Running(0.0)
        }
        Err(problem) => SearchState::Failed(problem),
    });
}

/// Returns the progress of the search in words. The faults that it found are measured at last.
fn search_text(share: f64) -> String {
    match share {
        share if share < 1.0 => format!("{:.0}% searched", (share * 100.0).floor()),
        _ => "All sets are searched. The worst one is being measured.".to_owned(),
    }
}

/// Renders the result of the search, as long as it belongs to the current experiment.
fn search_result(context: &AppContext, search: &SearchState) -> Html {
    match search {
        SearchState::Idle => Html::default(),
        SearchState::Running(share) => html! {
            <p class="hint">{search_text(*share)}<progress value={share.to_string()} max="1" aria-label="Progress of the search"></progress></p>
        },
        SearchState::Failed(problem) => html! { <p class="hint">{problem}</p> },
        SearchState::Done(found) => {
            let shown = Experiment { vary: None, ..(*context.experiment).clone() };
            let is_broken = shown.is_same_measurement(&found.broken);
            if !is_broken && !shown.is_same_measurement(&found.before) {
                return Html::default();
            }
            let faults = found.broken.faults.clone();
            let context = context.clone();
            let onclick = Callback::from(move |_: MouseEvent| context.edit_with(|next| next.faults = faults.clone()));
            html! {
                <>
                    <ul class="result-text">{ for found.told.iter().map(|line| html! { <li>{line}</li> }) }</ul>
                    <button type="button" {onclick} disabled={is_broken}>{"Apply the faults"}</button>
                </>
            }
        }
    }
}
