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
pub(crate) fn worst(arguments: &WorstArgs) -> Result<(), CliError> {
    let experiment = input::experiment(&arguments.given)?;
    let usual = WorstQuery::usual(&experiment);
    let metric = match &arguments.metric {
        None => usual.metric,
        Some(id) => experiment.kind().metric(id).ok_or_else(|| unknown_metric(&experiment, id))?,
    };
    let trials = arguments.trials.unwrap_or(usual.trials);
    let question =
        WorstQuery { metric, faults: arguments.faults, links: arguments.links, trials, sets: arguments.sets };
    let found = experiment.routing.iter().map(|algorithm| {
        let one = Experiment { routing: vec![algorithm.clone()], ..experiment.clone() };
        search(&one, question, arguments, &algorithm.id)
    });
    let found = found.collect::<Result<_, _>>()?;
    print_document(&WorstFaultsReport { experiment, metric, worst: found }, arguments.json, arguments.csv)
}

fn search(
    experiment: &Experiment,
    question: WorstQuery,
    arguments: &WorstArgs,
    name: &str,
) -> Result<Option<WorstSearchResult>, CliError> {
    let search = WorstSearch::new(experiment, question);
    let mut search = search.map_err(|problem| CliError::BadInput(format!("{}: {}", problem.key, problem.reason)))?;
    let bar = progress_bar(arguments.effort.quiet);
    bar.set_prefix(name.to_owned());
    pool(sweep_threads(experiment, &arguments.effort)?)?.install(|| {
        run_parallel(&mut search, |search| {
            bar.set_position((search.progress() * BAR_STEPS as f64) as u64);
            bar.set_message(format!("{} sets measured", search.evaluated_sets()));
            true
        });
    });
    bar.finish_and_clear();
    search.measure_final(|experiment| {
        let sweep = measure(experiment, &arguments.effort, name, None)?;
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
