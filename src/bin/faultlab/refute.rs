//! Command `refute`: searches in parallel for the fewest faults with which a routing fails, with
//! progress.

use faultlab::experiment::fault_sets::run_parallel;
use faultlab::experiment::refute::{RefuteQuery, RefuteSearch};
use faultlab::experiment::{Experiment, Memory};
use faultlab::report::refutation::{Refutation, RefutationReport};

use crate::arguments::RefuteArgs;
use crate::interrupt::SignalGuard;
use crate::output::{CliError, print_document};
use crate::work::{BAR_STEPS, pool, progress_bar, threads_within_memory};
use crate::{input, interrupt};

/// Runs `faultlab refute`.
pub(crate) fn refute(arguments: &RefuteArgs) -> Result<(), CliError> {
    let experiment = input::experiment(&arguments.given)?;
    let question = RefuteQuery { faults: arguments.faults, links: arguments.links, sets: arguments.sets };
    let _hearing = SignalGuard::begin();
    let mut found = Vec::new();
    for algorithm in &experiment.routing {
        let one = Experiment { routing: vec![algorithm.clone()], ..experiment.clone() };
        found.push(search(&one, question, arguments, &algorithm.id)?);
        if interrupt::is_stop_requested() {
            break;
        }
    }
    print_document(&RefutationReport { experiment, refutations: found }, arguments.json, arguments.csv)?;
    match interrupt::is_stop_requested() {
        true => Err(CliError::Stopped("stopped: the output covers the sets examined so far; nothing is stored".into())),
        false => Ok(()),
    }
}

fn search(
    experiment: &Experiment,
    question: RefuteQuery,
    arguments: &RefuteArgs,
    name: &str,
) -> Result<Refutation, CliError> {
    let search = RefuteSearch::new(experiment, question);
    let mut search = search.map_err(|problem| CliError::BadInput(format!("{}: {}", problem.key, problem.reason)))?;
    let bar = progress_bar(arguments.effort.quiet);
    bar.set_prefix(name.to_owned());
    pool(threads_within_memory(Memory::default(), experiment, &arguments.effort)?)?.install(|| {
        run_parallel(&mut search, |search| {
            bar.set_position((search.progress() * BAR_STEPS as f64) as u64);
            bar.set_message(format!("{} sets examined", search.evaluated_sets()));
            !interrupt::is_stop_requested()
        });
    });
    bar.finish_and_clear();
    Ok(Refutation::from_search(&search))
}
