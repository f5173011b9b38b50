//! Version 2: length of circuit runs, and tests of whether they were long enough.
//!
//! Runs of a phase have the same length, and a fifth of each is warm-up. A test detects setup times
//! that still drift towards their mean, or parts of the runs that are too dependent. The point then
//! repeats with runs twice as long, which replace the earlier ones.

use super::trial::node_count;
use super::{COARSE_RUNS, check_tally, counted};
use crate::stats::steady::{Means, Output, PARTS, Parts, WARM_UP_PARTS, has_initial_bias, is_correlated};
use crate::sweep::Phase;
use crate::{PointConfig, Tally};
use faultlab_core::switching::{CircuitRun, CircuitWindow};

/// Minimum measured time of a run of the first phase, in mean transmission times.
const LEAST_TIME: f64 = 1_000.0;
/// Minimum number of messages of a run of the first phase, which makes runs longer in small or
/// quiet networks.
const MESSAGES: f64 = 100_000.0;

/// Measured time of the first runs, in mean transmission times over the squared idle share of the
/// busiest links.
///
/// The integrated autocorrelation time of an M/M/1 queue is 2 (1 + r) / (1 - r)^2 service times at
/// utilization r. An exponential decay within 2 / (1 - r)^2 has the same value near saturation. A
/// run measures eight parts of 1.7 such decay times each.
const RELAXATION: f64 = 27.0;

/// Maximum number of messages of a first run, however close to saturation it is.
const MOST_MESSAGES: f64 = 2_000_000.0;

/// Returns the measurement window of run number `number`, after its warm-up.
pub(super) fn window(cell: &PointConfig, rate: f64, number: u64) -> CircuitWindow {
    let nodes = node_count(cell);
    let free = 1.0 - busiest(cell, rate);
    let relaxation = (RELAXATION / (free * free)).min(MOST_MESSAGES / (rate * nodes));
    let first = LEAST_TIME.max(MESSAGES / (rate * nodes)).max(relaxation);
    let span = match number {
        0..COARSE_RUNS => first / 10.0,
        _ => first * (1u64 << Phase::number_at(number).min(32)) as f64,
    };
    let warm_up = span * WARM_UP_PARTS as f64 / f64::from(PARTS);
    CircuitWindow { from: warm_up, until: warm_up + span, batches: PARTS }
}

/// Returns the utilization of the busiest links under e-cube and uniform traffic (Chiu, Chalasani &
/// Raghavendra, section III).
///
/// In a mesh, a circuit is set up over half of the nodes of a row on each side of its middle, or over
/// a quarter of those around a torus.
fn busiest(cell: &PointConfig, rate: f64) -> f64 {
    let nodes = node_count(cell);
    let Some(mesh) = cell.network.mesh() else { return rate * nodes / (2.0 * (nodes - 1.0)) };
    let pairs = |dim| f64::from(mesh.radix(dim)) / if mesh.wraps(dim) { 8.0 } else { 4.0 };
    let hop = cell.setting.circuit().map_or(0.0, |setting| setting.hop);
    // The links of a path are held while the probe and the acknowledgement pass, and the message.
    let held = 1.0 + 3.0 * hop * mesh.mean_distance();
    let most = (0..mesh.dimensions()).map(pairs).fold(0.0, f64::max);
    (rate * most * held).min(MOST_UTILIZED)
}

/// Largest utilization for which the length of runs is computed.
const MOST_UTILIZED: f64 = 0.9;

/// Returns whether the counted runs were long enough: setup times do not drift towards their mean,
/// and the parts of the runs are nearly independent.
pub(super) fn is_settled(tally: &Tally, cell: &PointConfig) -> bool {
    let runs = counted(tally);
    if check_tally(tally, false).is_err() || runs.is_empty() {
        return true;
    }
    let means = if cell.faults_are_fixed() { Means::Common } else { Means::PerRun };
    let parts = |run: &CircuitRun| run.batches.iter().map(|part| (part.setup, part.count as f64)).collect::<Parts>();
    let parts: Vec<_> = runs.iter().map(|(_, run)| parts(run)).collect();
    runs.len() >= FEWEST_RUNS && !has_initial_bias(&parts, Output::Wait) && !is_correlated(&parts, means)
}

/// Minimum number of runs for the tests of their length.
const FEWEST_RUNS: usize = 3;
