//! Checks of the numbers in captions of presets and Papers items. Each number is measured or
//! counted by the caption's own experiment. `audit` lists every caption with a number and where it
//! is checked.
//!
//! The slowest tests run only under `cargo xtask test --thorough`. Every run notices two of the
//! changes that can make a caption wrong: `audit` records its numbers, and the golden tests record
//! results of every engine. Another experiment of a preset needs a thorough run.
#![cfg(not(target_arch = "wasm32"))]

mod audit;
mod circuits;
mod closed_forms;
mod messages;
mod papers;
mod permutations;
mod watch;
mod worms;

use faultlab::experiment::{Comparison, Estimate, Sweep, compare};
use faultlab::papers::{PaperValue, item};

use crate::common::{experiment, item_cells, preset_text_with, run};

/// Runs the sweep of a preset with these changes.
fn preset_sweep_with(id: &str, changes: &str) -> Sweep {
    let mut sweep = Sweep::new(&experiment(&preset_text_with(id, changes)));
    run(&mut sweep);
    sweep
}

/// Runs the sweep of a preset with other values of `vary`, to precision `within`.
fn preset_sweep(id: &str, vary: &str, within: f64) -> Sweep {
    preset_sweep_with(id, &format!("vary={vary}&within={within}"))
}

/// Compares the two routings of a preset with these changes, trial by trial. Returns the difference
/// at each value.
fn compared(id: &str, changes: &str, metric: &str) -> Vec<Estimate> {
    let experiment = experiment(&preset_text_with(id, changes));
    let metric = experiment.kind().metric(metric).expect("a metric");
    let mut comparison = Comparison::new(&experiment, metric).expect("two routings");
    compare(&mut comparison);
    comparison.points().iter().map(|point| point.difference().expect("a difference")).collect()
}

/// Returns the estimate of a metric for an algorithm at a value.
fn estimate(sweep: &Sweep, series: &str, x: f64, metric: &str) -> Estimate {
    let metric = sweep.experiment().kind().metric(metric).expect("a metric");
    let here = sweep.points().iter().find(|point| point.algorithm.id == series && point.x == Some(x));
    here.and_then(|point| point.estimate(metric)).expect("a measured point")
}

/// Returns the mean of a metric for an algorithm at a value.
fn mean(sweep: &Sweep, series: &str, x: f64, metric: &str) -> f64 {
    estimate(sweep, series, x, metric).mean
}

#[track_caller]
fn assert_between(value: f64, low: f64, high: f64) {
    assert!((low..=high).contains(&value), "{value} is not from {low} to {high}");
}

/// Asserts that an estimate is compatible with the range `low` to `high` that a rounded caption
/// represents. The 95% interval must overlap the range and be narrow enough to exclude others.
#[track_caller]
fn assert_compatible(found: Estimate, low: f64, high: f64) {
    assert!(found.low <= high && low <= found.high, "{found:?} is not from {low} to {high}");
    assert!(found.high - found.low <= 2.0 * (high - low), "{found:?} tells nothing of {low} to {high}");
}

/// Returns the mean of independent values, with a normal 95% interval.
fn mean_of(values: &[f64]) -> Estimate {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0);
    let half = 1.96 * (variance / n).sqrt();
    Estimate { mean, low: mean - half, high: mean + half, n: values.len() as u64, runs: values.len() as u64 }
}

/// Runs the sweeps of an item and returns its cells.
fn cells(id: &str) -> Vec<PaperValue> {
    item_cells(item(id).expect("an item"))
}

/// Returns the cell at this row and column.
fn cell<'c>(cells: &'c [PaperValue], row: &str, column: &str) -> &'c PaperValue {
    let found = cells.iter().find(|cell| cell.row == row && cell.column == column);
    found.unwrap_or_else(|| unreachable!("no cell {row}, {column}"))
}

/// Returns the measured value at this row and column.
fn measured(cells: &[PaperValue], row: &str, column: &str) -> f64 {
    cell(cells, row, column).measured.expect("a number")
}
