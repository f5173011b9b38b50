//! Measures how often Faultlab's confidence intervals cover the true value:
//! `cargo xtask coverage [KIND]`, or `cargo xtask coverage saturation [PART]` for the points near
//! saturation whose names contain PART.
//!
//! Every point is measured with [`SEEDS`] seeds and stops by its own rule, as on the command line.
//! The true value is a closed form or an exact enumeration. Without one, it is the estimate from
//! [`TRUTH_EFFORT`] times as many messages under another seed. The program prints a Markdown table.

#![allow(clippy::panic, reason = "a list of points with a mistake in it")]

mod points;
mod saturation;

use faultlab::experiment::{Estimate, Experiment, Sweep, run, run_on_all_threads};
use points::{POINTS, Point, Truth};
use rayon::prelude::*;

/// Number of seeds of each point. The standard error of a coverage of 95% is 1.1%.
const SEEDS: u64 = 400;
/// Seed of the measured true values. It differs from the seeds of all intervals.
const TRUTH_SEED: u64 = 1_000_003;
/// Number of messages from which a true value is measured, as a multiple of the messages of a
/// point.
const TRUTH_EFFORT: f64 = 100.0;

fn main() {
    let kind = std::env::args().nth(1);
    if kind.as_deref() == Some("saturation") {
        return saturation::report(&std::env::args().nth(2).unwrap_or_default());
    }
    let asked: Vec<_> = POINTS.iter().filter(|point| kind.as_deref().is_none_or(|kind| kind == point.kind)).collect();
    if asked.is_empty() {
        let mut kinds: Vec<_> = POINTS.iter().map(|point| point.kind).collect();
        kinds.dedup();
        eprintln!("error: no points of this kind; accepted: {}, saturation", kinds.join(", "));
        std::process::exit(2);
    }
    println!("| kind | point | metric | truth | covered | no estimate | mean trials | mean half-width |");
    println!("|---|---|---|---|---|---|---|---|");
    asked.into_iter().for_each(report);
}

/// Measures one point with every seed and prints its table row.
fn report(point: &Point) {
    let truth = truth(point);
    let found: Vec<_> = (1..=SEEDS).into_par_iter().map(|seed| measure(point, seed)).collect();
    let told: Vec<_> = found.iter().filter_map(|(estimate, _)| *estimate).collect();
    // An exact value may lie at the end of an interval, up to rounding.
    let slack = truth.abs() * 1e-12;
    let covered = told.iter().filter(|found| found.low - slack <= truth && truth <= found.high + slack).count();
    let count = told.len().max(1) as f64;
    let trials = found.iter().map(|(_, trials)| *trials as f64).sum::<f64>() / SEEDS as f64;
    let width = told.iter().map(Estimate::half_width).filter(|width| width.is_finite()).sum::<f64>() / count;
    println!(
        "| {} | {}: `{}` | {} | {truth:.6} | {:.1}% | {} | {trials:.0} | {width:.2e} |",
        point.kind,
        point.difficulty,
        point.text,
        point.metric,
        100.0 * covered as f64 / count,
        found.len() - told.len(),
    );
}

/// Returns the estimate of the point's metric under one seed, and its number of trials.
fn measure(point: &Point, seed: u64) -> (Option<Estimate>, u64) {
    let mut sweep = Sweep::new(&experiment(point, seed));
    run(&mut sweep);
    estimate(point, &sweep)
}

fn experiment(point: &Point, seed: u64) -> Experiment {
    let text = format!("{}&seed={seed}", point.text);
    text.parse().unwrap_or_else(|problem| panic!("{text}: {problem}"))
}

fn estimate(point: &Point, sweep: &Sweep) -> (Option<Estimate>, u64) {
    let metric = sweep.experiment().kind().metric(point.metric);
    let metric = metric.unwrap_or_else(|| panic!("{} measures no {}", point.kind, point.metric));
    sweep.points().first().map_or((None, 0), |found| (found.estimate(metric), found.tally.trials))
}

/// Returns the true value of the point's metric.
fn truth(point: &Point) -> f64 {
    match point.truth {
        Truth::Exact(value) => value,
        Truth::Measured => {
            let mut long = experiment(point, TRUTH_SEED);
            // Count messages, or trials where each trial contributes one value, because runs differ
            // in length.
            let behind = |found: Option<Estimate>| found.map_or(0, |found| found.n);
            let enough = TRUTH_EFFORT as u64 * behind(measure(point, TRUTH_SEED).0);
            long.trials = long.trials.saturating_mul(TRUTH_EFFORT as u64);
            // Points also stop by metrics other than the tested one: narrow the interval until
            // there are enough trials.
            loop {
                long.within /= TRUTH_EFFORT.sqrt() / 2.0;
                let sweep = run_on_all_threads(Sweep::new(&long));
                let (found, _) = estimate(point, &sweep);
                if behind(found) >= enough {
                    return found.map_or(f64::NAN, |found| found.mean);
                }
            }
        }
    }
}
