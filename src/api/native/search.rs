//! Searches that measure many experiments: worst-case faults, counterexamples, saturation, and
//! comparisons of routings.

use super::{Error, Execution, measure};
use crate::experiment::fault_sets::run_parallel;
use crate::experiment::refute::{RefuteQuery, RefuteSearch};
use crate::experiment::saturation::SaturationSearch;
use crate::experiment::worst::{WorstQuery, WorstSearch, WorstSearchResult};
use crate::experiment::{Comparison, Experiment, Memory, Metric, Problem, Status, compare_parallel};
use crate::report::refutation::{Refutation, RefutationReport};
use crate::report::worst::WorstFaultsReport;

/// Options of [`worst`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstOptions {
    /// Metric to degrade; `None` for the plotted one.
    pub metric: Option<String>,
    /// Number of faults of a set.
    pub faults: u32,
    /// True to fail links instead of nodes.
    pub links: bool,
    /// Maximum number of sets to measure.
    pub sets: u64,
    /// Number of trials for each set; `None` for those of the first round of a measurement.
    pub trials: Option<u64>,
}

/// Options of [`refute`].
pub type RefuteOptions = RefuteQuery;

/// Searches for the worst-case faults of each algorithm, like `faultlab worst`.
///
/// # Errors
/// Returns an error if the options or the experiment are invalid, or if the host cancels the
/// search: an incomplete search would be misleading.
pub fn worst(
    experiment: &Experiment,
    options: &WorstOptions,
    execution: &Execution,
) -> Result<WorstFaultsReport, Error> {
    let usual = WorstQuery::usual(experiment);
    let metric = metric_or(experiment, options.metric.as_deref(), usual.metric)?;
    let WorstOptions { faults, links, sets, .. } = *options;
    let query = WorstQuery { metric, faults, links, sets, trials: options.trials.unwrap_or(usual.trials) };
    let worst = alone(experiment).map(|one| worst_of(&one, query, execution)).collect::<Result<_, _>>()?;
    Ok(WorstFaultsReport { experiment: experiment.clone(), metric, worst })
}

fn worst_of(
    experiment: &Experiment,
    query: WorstQuery,
    execution: &Execution,
) -> Result<Option<WorstSearchResult>, Error> {
    let name = name(experiment);
    let mut search = WorstSearch::new(experiment, query).map_err(bad_key)?;
    let display = execution.host.begin(&name);
    execution.pool(experiment.memory(), experiment)?.install(|| {
        run_parallel(&mut search, |search| {
            display.show_search(search.progress(), &format!("{} sets measured", search.evaluated_sets()));
            !execution.host.is_cancelled()
        });
    });
    display.end();
    search.measure_final(|experiment| {
        let sweep = measure(experiment, execution, &name, None)?;
        if execution.host.is_cancelled() { Err(Error::Cancelled) } else { Ok(sweep) }
    })
}

/// Searches for the fewest faults with which each algorithm fails, like `faultlab refute`. If the
/// host cancels the search, the report covers the sets examined so far.
///
/// # Errors
/// Returns an error if the options or the experiment are invalid.
pub fn refute(
    experiment: &Experiment,
    options: RefuteOptions,
    execution: &Execution,
) -> Result<RefutationReport, Error> {
    let mut refutations = Vec::new();
    for one in alone(experiment) {
        refutations.push(refute_one(&one, options, execution)?);
        if execution.host.is_cancelled() {
            break;
        }
    }
    Ok(RefutationReport { experiment: experiment.clone(), refutations })
}

fn refute_one(experiment: &Experiment, options: RefuteOptions, execution: &Execution) -> Result<Refutation, Error> {
    let mut search = RefuteSearch::new(experiment, options).map_err(bad_key)?;
    let display = execution.host.begin(&name(experiment));
    execution.pool(Memory::default(), experiment)?.install(|| {
        run_parallel(&mut search, |search| {
            display.show_search(search.progress(), &format!("{} sets examined", search.evaluated_sets()));
            !execution.host.is_cancelled()
        });
    });
    display.end();
    Ok(Refutation::from_search(&search))
}

/// Finds the offered traffic at which each algorithm saturates, like `faultlab saturation`.
/// `resolution` is the width down to which intervals are narrowed, in units of the offered traffic.
///
/// # Errors
/// Returns an error if the experiment cannot saturate, or if the host cancels the search.
pub fn saturation(experiment: &Experiment, resolution: f64, execution: &Execution) -> Result<SaturationSearch, Error> {
    require_feasible(experiment)?;
    let bad = |error: &dyn std::fmt::Display| Error::BadInput(format!("{experiment}: {error}"));
    let mut search = SaturationSearch::new(experiment, resolution).map_err(|error| bad(&error))?;
    while let Some(next) = search.next_sweep().map_err(|error| bad(&error))? {
        let sweep = measure(&next, execution, &name(&next), None)?;
        if execution.host.is_cancelled() {
            return Err(Error::Cancelled);
        }
        crate::api::check_measured(&sweep).map_err(Error::BadInput)?;
        search.add(&sweep);
    }
    Ok(search)
}

/// Compares all algorithms with the first one, like `faultlab compare`; `metric` is the name of a
/// metric, `None` for the usual one.
///
/// # Errors
/// Returns an error if the metric or the experiment is invalid, or if the host cancels the
/// comparison.
pub fn compare(experiment: &Experiment, metric: Option<&str>, execution: &Execution) -> Result<Comparison, Error> {
    require_feasible(experiment)?;
    let metric = metric_or(experiment, metric, Comparison::usual_metric(experiment))?;
    let mut comparison = Comparison::new(experiment, metric).map_err(|error| Error::BadInput(error.to_string()))?;
    let Memory { least, most } = experiment.memory();
    // Every thread runs two routings side by side.
    let memory = Memory { least: least.saturating_mul(2), most: most.saturating_mul(2) };
    let pool = execution.pool(memory, experiment)?;
    let display = execution.host.begin("");
    pool.install(|| {
        compare_parallel(&mut comparison, |comparison| {
            let points = comparison.points();
            let done = points.iter().filter(|point| point.status != Status::Running).count();
            let share = done as f64 / points.len().max(1) as f64;
            display.show_search(share, &format!("{done} of {} points", points.len()));
            !execution.host.is_cancelled()
        });
    });
    display.end();
    if execution.host.is_cancelled() { Err(Error::Cancelled) } else { Ok(comparison) }
}

/// Returns the experiment with each of its algorithms alone.
fn alone(experiment: &Experiment) -> impl Iterator<Item = Experiment> {
    experiment.routing.iter().map(|algorithm| Experiment { routing: vec![algorithm.clone()], ..experiment.clone() })
}

/// Returns the names of the algorithms of an experiment, for the display of its progress.
fn name(experiment: &Experiment) -> String {
    experiment.routing.iter().map(|algorithm| &*algorithm.id).collect::<Vec<_>>().join(",")
}

/// Returns the metric called `id`, or `usual` without a name.
fn metric_or(experiment: &Experiment, id: Option<&str>, usual: &'static Metric) -> Result<&'static Metric, Error> {
    let Some(id) = id else { return Ok(usual) };
    let kind = experiment.kind();
    kind.metric(id).ok_or_else(|| {
        let accepted: Vec<_> = kind.metrics.iter().map(|metric| metric.id).collect();
        let accepted = accepted.join(", ");
        Error::BadInput(format!("--metric {id}: not measured by switch={}; accepted: {accepted}", kind.id))
    })
}

fn require_feasible(experiment: &Experiment) -> Result<(), Error> {
    let infeasible = |why| Error::BadInput(crate::api::infeasible_message(experiment, &why));
    experiment.check_feasible().map_err(infeasible)
}

fn bad_key(problem: Problem) -> Error {
    Error::BadInput(problem.to_string())
}
