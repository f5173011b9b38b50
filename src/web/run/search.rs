//! In a worker of its own: the search for the faults that hurt most.

use std::convert::Infallible;

use super::protocol::FromWorker;
use crate::experiment::worst::{Question, Worst, WorstSearch};
use crate::experiment::{Experiment, Sweep, run};
use crate::report::worst;

/// Searches to the end; what there is to say goes to `tell`. Only the end of the worker stops it.
pub(super) fn search(text: &str, faults: u32, links: bool, tell: impl Fn(FromWorker)) {
    tell(match found(text, faults, links, &tell) {
        Ok((text, told)) => FromWorker::Worst { text, told },
        Err(problem) => FromWorker::Failed { id: None, problem },
    });
}

/// What was found, and what is said of it.
fn found(text: &str, faults: u32, links: bool, tell: impl Fn(FromWorker)) -> Result<(String, Vec<String>), String> {
    let experiment: Experiment = text.parse().map_err(|error| format!("{error}"))?;
    let question = Question { faults, links, ..Question::usual(&experiment) };
    let mut search = WorstSearch::new(&experiment, question).map_err(|problem| problem.why)?;
    while let Some(round) = search.next_round() {
        let measured: Vec<_> = round.iter().map(|candidate| search.measure(candidate)).collect();
        search.finish(&measured);
        tell(FromWorker::Searched { share: search.progress() });
    }
    let measure = |experiment: &Experiment| {
        let mut sweep = Sweep::new(experiment);
        run(&mut sweep);
        Ok::<_, Infallible>(sweep)
    };
    let worst: Worst = search
        .settle(measure)
        .ok()
        .flatten()
        .ok_or("nothing could be measured under any set of faults that was tried")?;
    let broken = Experiment { faults: worst.experiment.faults.clone(), ..experiment };
    Ok((broken.to_string(), worst::told(&worst)))
}
