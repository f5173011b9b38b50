//! Command `worst`: searches in parallel for the worst-case faults, with progress.

use faultlab::experiment::Experiment;
use faultlab::experiment::fault_sets::run_parallel;
use faultlab::experiment::worst::{Question, Worst, WorstSearch};
use faultlab::report::worst::WorstFaults;

use crate::arguments::Worst as Asked;
use crate::output::{Failure, document};
use crate::work::{BAR, fitting_threads, measured, pool, progress_bar};
use crate::{input, interrupt};

/// Runs `faultlab worst`.
pub(crate) fn worst(asked: &Asked) -> Result<(), Failure> {
    let experiment = input::experiment(&asked.given)?;
    let usual = Question::usual(&experiment);
    let metric = match &asked.metric {
        None => usual.metric,
        Some(id) => experiment.kind().metric(id).ok_or_else(|| unknown(&experiment, id))?,
    };
    let trials = asked.trials.unwrap_or(usual.trials);
    let question = Question { metric, faults: asked.faults, links: asked.links, trials, sets: asked.sets };
    let found = experiment.routing.iter().map(|algorithm| {
        let one = Experiment { routing: vec![algorithm.clone()], ..experiment.clone() };
        search(&one, question, asked, &algorithm.id)
    });
    let found = found.collect::<Result<_, _>>()?;
    document(&WorstFaults { experiment, metric, found }, asked.json, asked.csv)
}

fn search(experiment: &Experiment, question: Question, asked: &Asked, name: &str) -> Result<Option<Worst>, Failure> {
    let search = WorstSearch::new(experiment, question);
    let mut search = search.map_err(|problem| Failure::BadInput(format!("{}: {}", problem.key, problem.why)))?;
    let bar = progress_bar(asked.effort.quiet);
    bar.set_prefix(name.to_owned());
    pool(fitting_threads(experiment, &asked.effort)?)?.install(|| {
        run_parallel(&mut search, |search| {
            bar.set_position((search.progress() * BAR as f64) as u64);
            bar.set_message(format!("{} sets measured", search.looked_at()));
            true
        });
    });
    bar.finish_and_clear();
    search.settle(|experiment| {
        let sweep = measured(experiment, &asked.effort, name, None)?;
        // The results of a stopped sweep are incomplete and would be misleading.
        match interrupt::stopped() {
            true => Err(Failure::Stopped("stopped: what was found is not settled, and nothing is kept".into())),
            false => Ok(sweep),
        }
    })
}

fn unknown(experiment: &Experiment, id: &str) -> Failure {
    let kind = experiment.kind();
    let accepted: Vec<_> = kind.metrics.iter().map(|metric| metric.id).collect();
    Failure::BadInput(format!(
        "--metric {id}: switch={} does not measure it; accepted: {}",
        kind.id,
        accepted.join(", ")
    ))
}
