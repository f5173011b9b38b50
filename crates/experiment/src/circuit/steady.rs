//! Version 2: how long runs of circuits are, and whether they were long enough.
//!
//! Runs of a phase have the same length, and a fifth of each is warm-up. If a test finds setup times still on their way to their
//! mean, or the parts of the runs too dependent, the point goes on with runs twice as long, which replace those before.

use super::{COARSE_RUNS, check_tally, counted};
use crate::stats::steady::{Means, Output, PARTS, Parts, WARM_UP_PARTS, has_initial_bias, is_correlated};
use crate::sweep::Phase;
use crate::{Cell, CubeCell, Tally};
use faultlab_core::switching::{CircuitRun, Window};

/// The least time that is measured in a run of the first phase, in mean transmission times, and the messages that make it longer in
/// small or quiet networks.
const LEAST_TIME: f64 = 1_000.0;
const MESSAGES: f64 = 100_000.0;

/// The first runs measure so many mean transmission times over the square of the free share of the busiest links.
///
/// The integrated autocorrelation time of an M/M/1 queue is 2 (1 + r) / (1 - r)^2 service times at utilization r, which an exponential
/// decay within 2 / (1 - r)^2 has near saturation; a run measures eight parts of 1.7 such decay times each.
const RELAXATION: f64 = 27.0;

/// A first run generates at most so many messages, however close to saturation it is.
const MOST_MESSAGES: f64 = 2_000_000.0;

/// The window of run number `number`: what is measured of it, after its warm-up.
pub(super) fn window(cell: &CubeCell, rate: f64, number: u64) -> Window {
    let nodes = cell.cube.nodes().map_or(1.0, |nodes| nodes as f64);
    let free = 1.0 - busiest(nodes, rate);
    let relaxation = (RELAXATION / (free * free)).min(MOST_MESSAGES / (rate * nodes));
    let first = LEAST_TIME.max(MESSAGES / (rate * nodes)).max(relaxation);
    let span = match number {
        0..COARSE_RUNS => first / 10.0,
        _ => first * (1u64 << Phase::number_at(number).min(32)) as f64,
    };
    let warm_up = span * WARM_UP_PARTS as f64 / f64::from(PARTS);
    Window { from: warm_up, until: warm_up + span, batches: PARTS }
}

/// The utilization of the busiest links under e-cube and uniform traffic (Chiu, Chalasani & Raghavendra, section III).
fn busiest(nodes: f64, rate: f64) -> f64 {
    rate * nodes / (2.0 * (nodes - 1.0))
}

/// Returns whether the runs that count were long enough: setup times are not on their way to their mean, and the parts of the
/// runs are nearly independent.
pub(super) fn is_settled(tally: &Tally, cell: &Cell) -> bool {
    let runs = counted(tally);
    if check_tally(tally, false).is_err() || runs.is_empty() {
        return true;
    }
    let means = if cell.faults_are_fixed() { Means::Common } else { Means::OfEachRun };
    let parts = |run: &CircuitRun| run.batches.iter().map(|part| (part.setup, part.count as f64)).collect::<Parts>();
    let parts: Vec<_> = runs.iter().map(|(_, run)| parts(run)).collect();
    runs.len() >= FEWEST_RUNS && !has_initial_bias(&parts, Output::Wait) && !is_correlated(&parts, means)
}

/// Fewer runs than so many say nothing of whether they were long enough.
const FEWEST_RUNS: usize = 3;
