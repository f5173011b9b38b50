//! Precomputes every item of the Papers view, as `faultlab papers` would, into the file that the
//! page loads: `cargo xtask answers`.

use std::process::ExitCode;

use faultlab::experiment::{Experiment, Sweep, run_on_all_threads};
use faultlab::papers::{Item, items};
use faultlab::report::answers::{Answer, Answers};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [file, date] = arguments.as_slice() else {
        eprintln!("error: two arguments are expected, a file and a day such as 2026-01-31");
        return ExitCode::from(2);
    };
    let answers = Answers::new(date.clone(), items().map(compute_item).collect());
    println!("all papers: {}", answers.count_verdicts(None).words());
    match std::fs::write(file, answers.to_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write {file}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Computes an item and prints its time and size.
fn compute_item(item: &Item) -> Answer {
    let clock = std::time::Instant::now();
    let sweeps: Vec<_> = item.experiments(None).iter().map(measure).collect();
    let answer = Answer::new(item, &sweeps);
    let (seconds, bytes) =
        (clock.elapsed().as_secs_f64(), Answers::new(String::new(), vec![answer.clone()]).to_bytes().len());
    println!("{}: {seconds:.1} s, {bytes} bytes", item.id);
    answer
}

fn measure(experiment: &Experiment) -> Sweep {
    run_on_all_threads(Sweep::new(experiment))
}
