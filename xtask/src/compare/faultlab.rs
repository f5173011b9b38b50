//! Runs of Faultlab by its command line.

use anyhow::{Context, Result, ensure};

use super::case::{Case, LENGTH};
use super::{FOLDER, Load, LoadResult, process};
use crate::run;

const PROGRAM: &str = "target/release/faultlab";

/// Builds Faultlab with its release profile.
pub(super) fn build() -> Result<()> {
    run::run(&mut run::cargo("build --package faultlab --release --bin faultlab"))
}

/// Returns the experiment; `arbitration` selects the message that goes first at a channel.
pub(super) fn configuration(case: Case, load: Load, arbitration: &str) -> String {
    let Case { network, channels, .. } = case;
    let share = load.rate / network.saturation();
    // The number of messages of one run. With fewer than four runs, the point might stop after the
    // short runs at the beginning.
    let messages = load.rate * f64::from(network.nodes() * load.window.span) / f64::from(LENGTH);
    let trials = (messages * f64::from(load.runs.max(4))) as u64;
    format!(
        "net={}&switch=wormhole&route=e-cube&faults=none&traffic={}&load={share:.6}&vc={channels}&buffer={}&length={LENGTH}\
         &inject={channels}&policy=queue&arbitrate={arbitration}&within=none&trials={trials}",
        network.name(),
        case.traffic(),
        case.buffer(),
    )
}

/// Runs Faultlab with one thread.
pub(super) fn run(case: Case, load: Load, arbitration: &str) -> Result<LoadResult> {
    let text = configuration(case, load, arbitration);
    let (csv, cost) =
        process::run(run::program(PROGRAM).args(["run", &text, "--csv", "--quiet", "--threads", "1"]), FOLDER)?;
    let metric = |name| CsvMetric::find(&csv, name).with_context(|| format!("{name} of {text}"));
    let (latency, hops, throughput) = (metric("latency")?, metric("hops")?, metric("throughput")?);
    let window = load.window;
    // Two short runs come first, each with a quarter of the warm-up and a window of half the
    // warm-up.
    let cycles = throughput.runs * f64::from(window.warm_up + window.span) + 1.5 * f64::from(window.warm_up);
    let flits = throughput.messages * f64::from(LENGTH);
    let expected = throughput.mean * throughput.runs * f64::from(case.network.nodes() * window.span);
    ensure!(
        (flits / expected - 1.0).abs() < 0.02,
        "the windows differ from those in crates/experiment/src/worm/trial.rs: {text}"
    );
    Ok(LoadResult {
        latency: latency.mean,
        half_width: latency.half_width,
        hops: hops.mean,
        throughput: throughput.mean,
        cycles,
        cost,
    })
}

/// Values of a metric in the CSV output.
struct CsvMetric {
    mean: f64,
    half_width: f64,
    messages: f64,
    runs: f64,
}

impl CsvMetric {
    /// Finds a metric in rows of
    /// `series,x,outcome,metric,unit,mean,ci95_low,ci95_high,n,runs,reason`.
    fn find(csv: &str, name: &str) -> Option<Self> {
        let columns = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let columns = columns.into_iter().find(|columns| columns.get(3) == Some(&name))?;
        // The cells of undefined means are empty.
        let number = |column: usize| columns.get(column).and_then(|text| text.parse().ok()).unwrap_or(f64::NAN);
        let (low, high) = (number(6), number(7));
        Some(Self { mean: number(5), half_width: (high - low) / 2.0, messages: number(8), runs: number(9) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_metric() {
        let csv = "# faultlab\nseries,x,outcome,metric,unit\ne-cube,,complete,latency,cycles,38.5,38,39,77786,6,all\n";
        let latency = CsvMetric::find(csv, "latency").unwrap();
        assert_eq!((latency.mean, latency.half_width, latency.messages, latency.runs), (38.5, 0.5, 77786.0, 6.0));
        assert!(CsvMetric::find(csv, "hops").is_none());
    }
}
