//! Fuzz tests of short runs: random texts, valid or with one change. Nothing panics, written files
//! parse, and memory stays below the estimate.

use std::time::Instant;

use faultlab::experiment::{Estimate, Experiment, Status, Sweep, Tally, Version};
use faultlab::report::files::{csv, json, table};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

use crate::random_texts::{apply, changes, kind_pairs, worm_pairs};
use crate::{is_thorough, output_formats, runner, seconds, with_peak_bytes};

/// Number of tasks to run of each sweep.
const TASKS: usize = 3;
/// Number of steps of each task.
const STEPS: u64 = 3_000;

/// Node limits of random networks, in the regular checks and under `cargo xtask fuzz`. Larger
/// networks take too long to build.
const MOST_NODES: [u64; 2] = [600, 4096];

/// Checks that the JSON of a sweep parses and that every point has a known outcome.
fn check_files(sweep: &Sweep) {
    let text = sweep.experiment().to_string();
    let read = serde_json::from_str::<serde_json::Value>(&json::run(sweep));
    assert!(read.is_ok(), "{text}: {read:?}");
    let read = read.unwrap_or_default();
    assert_eq!(read["experiment"], text.as_str());
    let points = read["points"].as_array().expect("points");
    assert_eq!(points.len(), sweep.points().len(), "{text}");
    let ends = Status::ALL.map(Status::id);
    for point in points {
        assert!(
            point["outcome"].as_str().is_some_and(|outcome| ends.contains(&outcome)),
            "{text}: {}",
            point["outcome"]
        );
    }
    let (csv, table) = (csv::csv(&table::table(sweep)), table::text(sweep));
    output_formats::csv(&csv, &text);
    output_formats::numbers(&csv, &text);
    output_formats::numbers(&table, &text);
    assert!(table.starts_with("v="), "{text}");
    check_ranges(sweep);
}

/// Checks that means are within their intervals, and probabilities between 0 and 1. The time to
/// saturation may have no upper bound.
fn check_ranges(sweep: &Sweep) {
    for (metric, point) in sweep
        .experiment()
        .kind()
        .metrics
        .iter()
        .flat_map(|metric| sweep.points().iter().map(move |point| (metric, point)))
    {
        let Some(Estimate { mean, low, high, .. }) = point.estimate(metric) else { continue };
        let of = format!("{}: {}: {mean} [{low}, {high}]", sweep.experiment(), metric.id);
        assert!(low <= mean && mean <= high, "{of}");
        // Version 1 prints exact sums with their rounding error.
        let most = if sweep.experiment().version >= Version::V2 { 1.0 } else { 1.0 + 1e-12 };
        assert!(!metric.probability || (0.0..=most).contains(&mean), "{of}");
    }
}

/// Runs a few tasks of `experiment` for a few steps each. Returns the number of finished trials.
fn run_a_little(experiment: &Experiment) -> u64 {
    let mut sweep = Sweep::new(experiment);
    let (mut trials, most) = (0, experiment.memory().most);
    for _ in 0..TASKS {
        let Some(task) = sweep.next_task() else { break };
        let mut tally = Tally::default();
        let (is_done, taken) = with_peak_bytes(|| {
            let mut sampler = Sweep::sampler(experiment, task.slot).expect("a slot of the sweep");
            sampler.advance(task, &mut tally, &mut { STEPS })
        });
        assert!(taken <= most, "{experiment}: {taken} bytes, estimated at most {most}");
        if is_done {
            sweep.submit(task, &tally);
        }
        trials += tally.trials;
    }
    sweep.cancel();
    check_files(&sweep);
    trials
}

/// Runs [`TEXTS`] random texts, or random texts for `FAULTLAB_FUZZ` seconds (`cargo xtask fuzz`).
#[test]
fn random_texts_run_or_fail_cleanly() {
    let seconds = seconds();
    let mut runner = runner();
    let pairs = prop_oneof![3 => kind_pairs(), 1 => worm_pairs()];
    let strategy = (pairs, proptest::option::weighted(0.3, changes()));
    let most_nodes = MOST_NODES[usize::from(seconds.is_some())];
    let most_texts = TEXTS[usize::from(is_thorough())];
    let (mut texts, mut run, mut trials, begun) = (0u64, 0u64, 0u64, Instant::now());
    while seconds.map_or(texts < most_texts, |seconds| begun.elapsed() < seconds) {
        let (pairs, changes) = strategy.new_tree(&mut runner).expect("a text").current();
        let whole = pairs.join("&");
        let text = changes.map_or_else(|| whole.clone(), |changes| apply(&whole, &changes[..1]));
        texts += 1;
        let Ok(experiment) = text.parse::<Experiment>() else { continue };
        if experiment.network.last_node().0 < most_nodes {
            run += 1;
            trials += run_a_little(&experiment);
        }
    }
    println!("{texts} texts, {run} run, {trials} trials");
    assert!(run * 3 > texts, "of {texts} texts only {run} could be run");
}

/// Numbers of random texts in regular and thorough runs.
const TEXTS: [u64; 2] = [10_000, 100_000];

/// Regression test: runs the texts that once failed, listed in `corpus.txt`.
#[test]
fn corpus_texts_run_or_fail_cleanly() {
    let texts = include_str!("corpus.txt").lines().filter(|line| !line.starts_with("# "));
    let (mut all, mut run) = (0, 0);
    for text in texts {
        all += 1;
        let Ok(experiment) = text.parse::<Experiment>() else { continue };
        // The canonical text parses back to the same experiment.
        assert_eq!(experiment.to_string().parse::<Experiment>().as_ref(), Ok(&experiment), "{text}");
        if experiment.network.last_node().0 < MOST_NODES[1] {
            run += 1;
            run_a_little(&experiment);
        }
    }
    assert!(all > 50 && run * 4 > all, "{run} of {all} were run");
}
