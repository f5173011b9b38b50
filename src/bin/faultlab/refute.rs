//! Command `refute`: searches in parallel for the fewest faults with which a routing fails, with
//! progress.

use faultlab::experiment::fault_sets::run_parallel;
use faultlab::experiment::refute::{Question, RefuteSearch};
use faultlab::experiment::{Experiment, Memory};
use faultlab::report::refuted::{Refutation, Refuted};

use crate::arguments::Refute;
use crate::interrupt::Hearing;
use crate::output::{Failure, document};
use crate::work::{BAR, fitting, pool, progress_bar};
use crate::{input, interrupt};

/// Runs `faultlab refute`.
pub(crate) fn refute(asked: &Refute) -> Result<(), Failure> {
    let experiment = input::experiment(&asked.given)?;
    let question = Question { faults: asked.faults, links: asked.links, sets: asked.sets };
    let _hearing = Hearing::begin();
    let mut found = Vec::new();
    for algorithm in &experiment.routing {
        let one = Experiment { routing: vec![algorithm.clone()], ..experiment.clone() };
        found.push(search(&one, question, asked, &algorithm.id)?);
        if interrupt::stopped() {
            break;
        }
    }
    document(&Refuted { experiment, found }, asked.json, asked.csv)?;
    match interrupt::stopped() {
        true => Err(Failure::Stopped("stopped: what was looked at is told; nothing is kept".into())),
        false => Ok(()),
    }
}

fn search(experiment: &Experiment, question: Question, asked: &Refute, name: &str) -> Result<Refutation, Failure> {
    let search = RefuteSearch::new(experiment, question);
    let mut search = search.map_err(|problem| Failure::BadInput(format!("{}: {}", problem.key, problem.why)))?;
    let bar = progress_bar(asked.effort.quiet);
    bar.set_prefix(name.to_owned());
    pool(fitting(Memory::default(), experiment, &asked.effort)?)?.install(|| {
        run_parallel(&mut search, |search| {
            bar.set_position((search.progress() * BAR as f64) as u64);
            bar.set_message(format!("{} sets looked at", search.looked_at()));
            !interrupt::stopped()
        });
    });
    bar.finish_and_clear();
    Ok(Refutation::of(&search))
}
