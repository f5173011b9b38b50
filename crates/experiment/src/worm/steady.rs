//! Version 2: length of wormhole runs, and tests of whether they were long enough.
//!
//! Runs of a phase have the same length, and a fifth of each is warm-up. A test detects any output
//! that still drifts towards its mean, or parts of the runs that are too dependent. The point then
//! repeats with runs twice as long, which replace the earlier ones.

use super::{COARSE_RUNS, counted, cycles_for, has_deadlocked, has_fixed_faults, is_listed};
use crate::stats::steady::{
    Means, Output, PARTS, Parts, WARM_UP_PARTS, grows_without_bound, has_initial_bias, is_correlated,
};
use crate::sweep::Phase;
use crate::{PointConfig, Tally, WormTally};
use faultlab_core::switching::{InjectionPolicy, WormBatch, WormWarmUp, WormWindow, WormholeConfig};
use faultlab_core::topology::{Mesh, NodeId, iter_ports};
use faultlab_core::traffic::Pattern;

/// Minimum measured time of a run, as a multiple of the time that a single message takes across the
/// network.
const LEAST_SPANS: u64 = 24;

/// Target number of messages in a run of the first phase, with the same faults in all runs.
const MESSAGES: f64 = 6_500.0;
/// Target number of messages in a run of the first phase, with different faults in each run.
const MESSAGES_OF_A_SET: f64 = 5_000.0;

/// Maximum multiple of the time of a single message, for networks that generate very few messages.
const MOST_SPANS: u64 = 125;

/// Measured time of first runs whose sources queue, in service times over the squared idle share of
/// the busiest channel.
///
/// The correlation of a queue with constant service decays within 0.74 of that unit (measured on
/// Geo/D/1 queues). A run measures eight parts of 1.7 decay times each.
const RELAXATION: f64 = 10.0;

/// Measured time of first runs with bursts, in times in which the arrivals of a node lose their
/// correlation: eight for each part of a run.
const BURSTS: f64 = 8.0 * PARTS as f64;

/// Maximum number of messages of a first run, however close to saturation it is.
const MOST_MESSAGES: f64 = 2_000_000.0;

/// Returns the measurement window of run number `number`, after its warm-up.
pub(super) fn window(cell: &PointConfig, config: &WormholeConfig, number: u64) -> WormWindow {
    let first = first_span(cell, config);
    let span = match number {
        0..COARSE_RUNS => first / 4,
        _ => first.saturating_mul(1 << Phase::number_at(number).min(32)),
    };
    let part = (span / u64::from(PARTS)).max(1);
    let warm_up = warm_up(cell).unwrap_or(WARM_UP_PARTS as u64 * part);
    WormWindow { warm_up: WormWarmUp::Fixed(warm_up), batches: PARTS, batch: part }
}

/// Returns the warm-up that the experiment sets, in cycles; `None` for an automatic one.
fn warm_up(cell: &PointConfig) -> Option<u64> {
    cell.setting.worm()?.warm_up.map(u64::from)
}

/// Returns the number of measured cycles in a run of the first phase.
fn first_span(cell: &PointConfig, config: &WormholeConfig) -> u64 {
    let alone = config.time_alone(cell.network.diameter());
    let least = LEAST_SPANS * alone;
    let messages = if has_fixed_faults(cell) { MESSAGES } else { MESSAGES_OF_A_SET };
    let span = cycles_for(cell, config, messages).clamp(least, MOST_SPANS * alone);
    let relaxation = relaxation(cell, config).min(cycles_for(cell, config, MOST_MESSAGES) as f64);
    let bursts = BURSTS * config.arrivals.correlation_cycles();
    span.max(relaxation as u64).max(bursts as u64).max(warm_up(cell).unwrap_or(0))
}

/// Returns the number of cycles that a run with queues must measure to separate the load from
/// saturation; 0 without queues.
///
/// The number depends on the distance of the busiest channel from saturation, below or above it.
fn relaxation(cell: &PointConfig, config: &WormholeConfig) -> f64 {
    let Some(mesh) = cell.network.wormhole_mesh() else { return 0.0 };
    let flits = config.probability(mesh) * config.length.mean();
    let busiest = most_paths(mesh, &config.pattern).map_or(config.load, |paths| flits * f64::from(paths));
    let queues = config.injection.policy == InjectionPolicy::Queue;
    if queues { RELAXATION * config.length.mean() / ((1.0 - busiest) * (1.0 - busiest)) } else { 0.0 }
}

/// Returns the maximum number of paths of a permutation that share a channel under dimension-order
/// routing.
///
/// `None` for other patterns and on large networks. Cost: proportional to the length of all paths.
fn most_paths(mesh: Mesh, pattern: &Pattern) -> Option<u32> {
    const LARGEST: u32 = 4096;
    pattern.image(mesh, NodeId(0)).filter(|_| mesh.nodes() <= LARGEST)?;
    let mut paths = vec![0; mesh.channel_table_size() as usize];
    for from in mesh.iter_nodes() {
        let (mut here, Some(to)) = (from, pattern.image(mesh, from)) else { continue };
        while let Some(port) = iter_ports(mesh.minimal_ports(here, to)).next() {
            paths[mesh.channel(here, port) as usize] += 1;
            here = mesh.neighbor(here, port)?;
        }
    }
    paths.into_iter().max()
}

/// Returns whether source queues grow in proportion to time, so that latencies have no mean.
pub(super) fn is_unstable(tally: &Tally, cell: &PointConfig) -> bool {
    let queues = cell.setting.worm().is_some_and(|setting| setting.injection.policy == InjectionPolicy::Queue);
    // Messages that a full queue rejected count as waiting.
    let waiting = |run: &WormTally| {
        let discarded = run.run.batches.iter().scan(0, |sum, part| {
            *sum += part.discarded;
            Some(*sum)
        });
        run.run.batches.iter().zip(discarded).map(|(part, discarded)| (part.in_flight + discarded) as f64).collect()
    };
    let runs = counted(tally);
    let Some((_, first)) = runs.first() else { return false };
    let warm_up = warm_up(cell).map_or(WARM_UP_PARTS as f64, |cycles| cycles as f64 / first.run.batch as f64);
    queues && grows_without_bound(&runs.iter().map(|(_, run)| waiting(run)).collect::<Vec<_>>(), warm_up)
}

/// Output of a run for which tests check that it has reached its mean.
struct SteadyTest {
    /// Function from a part of a run, and its cycles, to the sum of the output and its divisor.
    value: fn(&WormBatch, f64) -> (f64, f64),
    /// Kind of quantity.
    output: Output,
    /// Requires the parts of a run to be nearly independent, for outputs that follow the queues.
    is_slow: bool,
    /// True if the output describes carried traffic, which has a mean even in an unstable network.
    is_carried: bool,
}

impl SteadyTest {
    const fn new(value: fn(&WormBatch, f64) -> (f64, f64)) -> Self {
        Self { value, output: Output::Other, is_slow: false, is_carried: false }
    }

    const fn slow(self) -> Self {
        Self { is_slow: true, ..self }
    }

    const fn carried(self) -> Self {
        Self { is_carried: true, ..self }
    }
}

/// Outputs from which all metrics are computed.
const OUTPUTS: [SteadyTest; 7] = [
    SteadyTest::new(|part, cycles| (part.bisection as f64, cycles)).slow().carried(),
    SteadyTest::new(|part, cycles| (part.delivered as f64, cycles)).carried(),
    SteadyTest {
        output: Output::Wait,
        ..SteadyTest::new(|part, _| (part.latency as f64, part.delivered as f64)).slow()
    },
    SteadyTest::new(|part, cycles| (part.in_flight as f64, cycles)).slow(),
    SteadyTest::new(|part, _| (part.hops as f64, part.delivered as f64)).carried(),
    SteadyTest::new(|part, _| (part.discarded as f64, part.generated as f64)),
    SteadyTest::new(|part, _| (part.lost as f64, part.generated as f64)).carried(),
];

/// Returns whether the counted runs were long enough: no output drifts towards its mean, and the
/// parts of the runs are nearly independent.
///
/// For an unstable network, only the outputs of the carried traffic are tested.
pub(super) fn is_settled(tally: &Tally, cell: &PointConfig) -> bool {
    let runs = counted(tally);
    if is_listed(cell) || has_deadlocked(tally) || runs.is_empty() {
        return true;
    }
    if runs.len() < FEWEST_RUNS {
        return false;
    }
    let is_unstable = is_unstable(tally, cell);
    let means = if has_fixed_faults(cell) { Means::Common } else { Means::PerRun };
    OUTPUTS.iter().filter(|tested| tested.is_carried || !is_unstable).all(|tested| {
        let parts = |run: &WormTally| {
            let cycles = run.run.batch as f64;
            run.run.batches.iter().map(|part| (tested.value)(part, cycles)).collect::<Parts>()
        };
        let parts: Vec<_> = runs.iter().map(|(_, run)| parts(run)).collect();
        !(has_initial_bias(&parts, tested.output) || tested.is_slow && is_correlated(&parts, means))
    })
}

/// Minimum number of runs for the tests of their length.
const FEWEST_RUNS: usize = 3;
