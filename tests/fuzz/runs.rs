//! Texts of every kind, valid and valid but for one place, run a little: nothing panics, what is written can be read, and no run takes
//! more memory than is foretold.

use std::time::Instant;

use faultlab::experiment::{Estimate, Experiment, Status, Sweep, Tally, Version};
use faultlab::report::files::{csv, json, table};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

use crate::texts::{apply, changes, kind_pairs, worm_pairs};
use crate::{HEAP, alone, forms, runner, seconds};

/// The tasks of which something is run, and the steps that are made of each.
const TASKS: usize = 3;
const STEPS: u64 = 3_000;

/// Larger networks take their time to build: in the checks, and where there is time.
const MOST_NODES: [u64; 2] = [600, 4096];

/// What is written of a sweep can be read, and says one of the known ends.
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
    forms::csv(&csv, &text);
    forms::numbers(&csv, &text);
    forms::numbers(&table, &text);
    assert!(table.starts_with("v="), "{text}");
    check_ranges(sweep);
}

/// Estimates are within their intervals, and shares between 0 and 1. The time to a jam that never came has no end.
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
        // Version 1 prints exact sums as they are rounded.
        let most = if sweep.experiment().version >= Version::V2 { 1.0 } else { 1.0 + 1e-12 };
        assert!(!metric.probability || (0.0..=most).contains(&mean), "{of}");
    }
}

/// Runs a little of `experiment`: how much of a task was done.
fn run_a_little(experiment: &Experiment) -> u64 {
    let mut sweep = Sweep::new(experiment);
    let (mut trials, most) = (0, experiment.memory().most);
    for _ in 0..TASKS {
        let Some(task) = sweep.next_task() else { break };
        let (mut tally, mut budget, before) = (Tally::default(), STEPS, HEAP.current_usage());
        HEAP.reset_peak_usage();
        let mut sampler = Sweep::sampler(experiment, task.slot).expect("a slot of the sweep");
        let is_done = sampler.advance(task, &mut tally, &mut budget);
        let taken = (HEAP.peak_usage() - before) as u64;
        assert!(taken <= most, "{experiment}: {taken} bytes, foretold at most {most}");
        if is_done {
            sweep.finish(task, &tally);
        }
        trials += tally.trials;
    }
    sweep.cancel();
    check_files(&sweep);
    trials
}

/// So many texts, or `FAULTLAB_FUZZ` seconds of them: `cargo xtask fuzz`.
#[test]
fn texts_of_every_kind_are_run_or_refused() {
    let _alone = alone();
    let seconds = seconds();
    let mut runner = runner();
    let pairs = prop_oneof![3 => kind_pairs(), 1 => worm_pairs()];
    let strategy = (pairs, proptest::option::weighted(0.3, changes()));
    let most_nodes = MOST_NODES[usize::from(seconds.is_some())];
    let (mut texts, mut run, mut trials, begun) = (0u64, 0u64, 0u64, Instant::now());
    while seconds.map_or(texts < TEXTS, |seconds| begun.elapsed() < seconds) {
        let (pairs, changes) = strategy.new_tree(&mut runner).expect("a text").current();
        let whole = pairs.join("&");
        let text = changes.map_or_else(|| whole.clone(), |changes| apply(&whole, &changes[..1]));
        texts += 1;
        let Ok(experiment) = text.parse::<Experiment>() else { continue };
        if experiment.network.last().0 < most_nodes {
            run += 1;
            trials += run_a_little(&experiment);
        }
    }
    println!("{texts} texts, {run} run, {trials} trials");
    assert!(run * 3 > texts, "of {texts} texts only {run} could be run");
}

/// About a minute of them.
const TEXTS: u64 = 100_000;

/// What was found once stays found: see `corpus.txt`.
#[test]
fn what_was_found_is_run_or_refused() {
    let _alone = alone();
    let texts = include_str!("corpus.txt").lines().filter(|line| !line.starts_with("# "));
    let (mut all, mut run) = (0, 0);
    for text in texts {
        all += 1;
        let Ok(experiment) = text.parse::<Experiment>() else { continue };
        // The same experiment, written and read again.
        assert_eq!(experiment.to_string().parse::<Experiment>().as_ref(), Ok(&experiment), "{text}");
        if experiment.network.last().0 < MOST_NODES[1] {
            run += 1;
            run_a_little(&experiment);
        }
    }
    assert!(all > 50 && run * 4 > all, "{run} of {all} were run");
}
