//! Search for the worst faults: the two one-way links of a hypercube whose failure disconnects the
//! most pairs of circuit switching.
//!
//! `cargo run --release --example worst_case_search`

use std::convert::Infallible;
use std::process::ExitCode;

use faultlab::experiment::fault_sets::run_parallel;
use faultlab::experiment::worst::{WorstQuery, WorstSearch};
use faultlab::experiment::{Experiment, Sweep, run_on_all_threads};

fn main() -> ExitCode {
    let text = std::env::args().nth(1).unwrap_or_else(|| "switch=pairs&net=cube:4&route=up".into());
    match describe_worst_links(&text) {
        Ok(told) => {
            println!("{told}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Finds the worst two links for the first routing of an experiment, by the plotted metric, and
/// describes them.
fn describe_worst_links(text: &str) -> Result<String, String> {
    let experiment: Experiment = text.parse().map_err(|error| format!("{error}"))?;
    let question = WorstQuery { faults: 2, links: true, ..WorstQuery::usual(&experiment) };
    let mut search = WorstSearch::new(&experiment, question).map_err(|problem| problem.reason.to_string())?;
    // The search tries all sets if they are few enough. Otherwise it tries random sets and improves
    // the best of them by exchanges.
    run_parallel(&mut search, |_| true);
    // The final estimate uses new draws: the best of many estimates is biased.
    let measure = |experiment: &Experiment| Ok::<_, Infallible>(run_on_all_threads(Sweep::new(experiment)));
    let Ok(found) = search.measure_final(measure);
    let found = found.ok_or("no fault set could be measured")?;
    let kind = if search.is_exact() { "the worst" } else { "the worst found" };
    Ok(format!("{kind} of {} sets: {}", search.evaluated_sets(), found.experiment))
}
