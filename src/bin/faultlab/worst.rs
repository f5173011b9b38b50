//! Command `worst`: searches in parallel for the worst-case faults, with progress.

use faultlab::experiment::Experiment;
use faultlab::experiment::fault_sets::run_parallel;
use faultlab::experiment::worst::{WorstQuery, WorstSearch, WorstSearchResult};
use faultlab::report::worst::WorstFaultsReport;

use crate::arguments::WorstArgs;
use crate::output::{CliError, print_document};
use crate::work::{BAR_STEPS, measure, pool, progress_bar, sweep_threads};
use crate::{input, interrupt};

/// Runs `faultlab worst`.
pub(crate) fn worst(asked: &WorstArgs) -> Result<(), CliError> {
    let experiment = input::experiment(&asked.given)?;
    let usual = WorstQuery::usual(&experiment);
    let metric = match &asked.metric {
        None => usual.metric,
        Some(id) => experiment.kind().metric(id).ok_or_else(|| unknown_metric(&experiment, id))?,
    };
    let trials = asked.trials.unwrap_or(usual.trials);
    let question = WorstQuery { metric, faults: asked.faults, links: asked.links, trials, sets: asked.sets };
    let found = experiment.routing.iter().map(|algorithm| {
        let one = Experiment { routing: vec![algorithm.clone()], ..experiment.clone() };
        search(&one, question, asked, &algorithm.id)
    });
    let found = found.collect::<Result<_, _>>()?;
    print_document(&WorstFaultsReport { experiment, metric, worst: found }, asked.json, asked.csv)
}

fn search(
    experiment: &Experiment,
    question: WorstQuery,
    asked: &WorstArgs,
    name: &str,
) -> Result<Option<WorstSearchResult>, CliError> {
    let search = WorstSearch::new(experiment, question);
    let mut search = search.map_err(|problem| CliError::BadInput(format!("{}: {}", problem.key, problem.reason)))?;
    let bar = progress_bar(asked.effort.quiet);
    bar.set_prefix(name.to_owned());
    pool(sweep_threads(experiment, &asked.effort)?)?.install(|| {
        run_parallel(&mut search, |search| {
            bar.set_position((search.progress() * BAR_STEPS as f64) as u64);
            bar.set_message(format!("{} sets measured", search.looked_at()));
            true
        });
    });
    bar.finish_and_clear();
    search.measure_final(|experiment| {
        let sweep = measure(experiment, &asked.effort, name, None)?;
        // The results of a stopped sweep are incomplete and would be misleading.
        match interrupt::is_stop_requested() {
            true => Err(CliError::Stopped("stopped: the search did not finish; nothing is stored".into())),
            false => Ok(sweep),
        }
    })
}

fn unknown_metric(experiment: &Experiment, id: &str) -> CliError {
    let kind = experiment.kind();
    let accepted: Vec<_> = kind.metrics.iter().map(|metric| metric.id).collect();
    CliError::BadInput(format!("--metric {id}: not measured by switch={}; accepted: {}", kind.id, accepted.join(", ")))
}
