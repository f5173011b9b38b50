//! Export of a sweep to CSV in a custom format: one row for each point, with a metric and its 95%
//! interval.
//!
//! `cargo run --release --example sweep_to_csv --
//! 'net=cube:8&faults=nodes:0.3&route=sidetracking,random&vary=p:0.1..0.7:7' success`

use std::process::ExitCode;

use faultlab::experiment::{Experiment, Sweep, run_on_all_threads};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let text = arguments
        .next()
        .unwrap_or_else(|| "net=cube:6&faults=nodes:0.3&route=sidetracking,random&vary=p:0.1..0.5:5".into());
    match table(&text, arguments.next().as_deref()) {
        Ok(table) => {
            print!("{table}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the table of the named metric, or of the plotted metric, at every point of the sweep.
fn table(text: &str, metric: Option<&str>) -> Result<String, String> {
    let experiment: Experiment = text.parse().map_err(|error| format!("{error}"))?;
    let metric = match metric {
        None => experiment.plotted_metric(),
        Some(id) => experiment.kind().metric(id).ok_or_else(|| {
            let accepted: Vec<_> = experiment.kind().metrics.iter().map(|metric| metric.id).collect();
            format!("this kind does not measure {id}; accepted: {}", accepted.join(", "))
        })?,
    };
    // The results are bit-identical for any number of threads.
    let sweep = run_on_all_threads(Sweep::new(&experiment));
    // The first line records the experiment, so that the table can be reproduced.
    let mut table = format!("# {experiment}\nx,routing,{},low,high,trials,outcome\n", metric.id);
    for point in sweep.points() {
        let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        let found = point.estimate(metric);
        let (mean, low, high) = (found.map(|it| it.mean), found.map(|it| it.low), found.map(|it| it.high));
        let fields = [number(point.x), point.algorithm.id.to_string(), number(mean), number(low), number(high)];
        table.push_str(&format!("{},{},{}\n", fields.join(","), point.tally.trials, point.status.id()));
    }
    Ok(table)
}
