//! Version 2: how long runs of worms are, and whether they were long enough.
//!
//! Runs of a phase have the same length, and a fifth of each is warm-up. If a test finds any output still on its way to its
//! mean, or the parts of the runs too dependent, the point goes on with runs twice as long, which replace those before.

use super::{COARSE_RUNS, counted, cycles_for, has_deadlocked, has_fixed_faults, is_listed};
use crate::stats::steady::{
    Means, Output, PARTS, Parts, WARM_UP_PARTS, grows_without_bound, has_initial_bias, is_correlated,
};
use crate::sweep::Phase;
use crate::{Cell, Tally, WormTally};
use faultlab_core::switching::{InjectionPolicy, WormBatch, WormTerms, WormWarmUp, WormWindow};
use faultlab_core::topology::{Mesh, NodeId, ports_of};
use faultlab_core::traffic::Pattern;

/// The least time that is measured in a run, in times that a message alone takes across the network.
const LEAST_SPANS: u64 = 24;

/// The messages that a run of the first phase is to measure: with the same faults in all runs, and with a fault set each.
const MESSAGES: f64 = 6_500.0;
const MESSAGES_OF_A_SET: f64 = 5_000.0;

/// A network that hardly generates messages is measured so many times the least time at most.
const MOST_SPANS: u64 = 125;

/// The measured time of first runs whose sources queue, in service times over the square of the free share of the busiest channel.
///
/// The correlation of a queue with constant service decays within 0.74 of that unit (measured on Geo/D/1 queues); a run
/// measures eight parts of 1.7 decay times each.
const RELAXATION: f64 = 10.0;

/// A first run generates at most so many messages, however close to saturation it is.
const MOST_MESSAGES: f64 = 2_000_000.0;

/// The window of run number `number`: what is measured of it, after its warm-up.
pub(super) fn window(cell: &Cell, terms: &WormTerms, number: u64) -> WormWindow {
    let first = first_span(cell, terms);
    let span = match number {
        0..COARSE_RUNS => first / 4,
        _ => first.saturating_mul(1 << Phase::number_at(number).min(32)),
    };
    let part = (span / u64::from(PARTS)).max(1);
    let warm_up = warm_up(cell).unwrap_or(WARM_UP_PARTS as u64 * part);
    WormWindow { warm_up: WormWarmUp::Fixed(warm_up), batches: PARTS, batch: part }
}

/// The warm-up that the experiment asks for, in cycles; `None` if runs choose their own.
fn warm_up(cell: &Cell) -> Option<u64> {
    cell.setting.worm()?.warm_up.map(u64::from)
}

/// The cycles that are measured in a run of the first phase.
fn first_span(cell: &Cell, terms: &WormTerms) -> u64 {
    let alone = u64::from(cell.network.diameter()) + u64::from(terms.length);
    let least = LEAST_SPANS * alone;
    let messages = if has_fixed_faults(cell) { MESSAGES } else { MESSAGES_OF_A_SET };
    let span = cycles_for(cell, terms, messages).clamp(least, MOST_SPANS * alone);
    let relaxation = relaxation(cell, terms).min(cycles_for(cell, terms, MOST_MESSAGES) as f64);
    span.max(relaxation as u64).max(warm_up(cell).unwrap_or(0))
}

/// The cycles that a run measures where messages queue at their sources, by how near the busiest channel is to saturation, or how
/// far beyond it: it takes as long to tell the two apart. 0 where messages do not queue.
fn relaxation(cell: &Cell, terms: &WormTerms) -> f64 {
    let Some(mesh) = cell.network.worm_mesh() else { return 0.0 };
    let flits = terms.probability(mesh) * f64::from(terms.length);
    let busiest = most_paths(mesh, terms.pattern).map_or(terms.load, |paths| flits * f64::from(paths));
    let queues = terms.injection.policy == InjectionPolicy::Queue;
    if queues { RELAXATION * f64::from(terms.length) / ((1.0 - busiest) * (1.0 - busiest)) } else { 0.0 }
}

/// The most paths of a permutation that share a channel, if every message takes the dimensions in order; `None` of other patterns
/// and on large networks. Cost: in proportion to the length of all paths.
fn most_paths(mesh: Mesh, pattern: Pattern) -> Option<u32> {
    const LARGEST: u32 = 4096;
    pattern.image(mesh, NodeId(0)).filter(|_| mesh.nodes() <= LARGEST)?;
    let mut paths = vec![0; mesh.channels() as usize];
    for from in mesh.all() {
        let (mut here, Some(to)) = (from, pattern.image(mesh, from)) else { continue };
        while let Some(port) = ports_of(mesh.minimal_ports(here, to)).next() {
            paths[mesh.channel(here, port) as usize] += 1;
            here = mesh.neighbor(here, port)?;
        }
    }
    paths.into_iter().max()
}

/// Returns whether sources queue more messages in proportion to time, so that latencies have no mean.
pub(super) fn is_unstable(tally: &Tally, cell: &Cell) -> bool {
    let queues = cell.setting.worm().is_some_and(|setting| setting.injection.policy == InjectionPolicy::Queue);
    // What a full queue did not take counts as waiting.
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

/// An output of which the tests make sure that it has come to its mean.
struct Tested {
    /// The sum of the output in a part of a run of so many cycles, and what that sum is divided by.
    value: fn(&WormBatch, f64) -> (f64, f64),
    /// The kind of quantity.
    output: Output,
    /// True if the parts of a run have to be nearly independent: for outputs that follow the queues.
    is_slow: bool,
    /// True if the output has a mean in an unstable network, too.
    is_carried: bool,
}

impl Tested {
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

/// The outputs behind all metrics.
const OUTPUTS: [Tested; 7] = [
    Tested::new(|part, cycles| (part.bisection as f64, cycles)).slow().carried(),
    Tested::new(|part, cycles| (part.delivered as f64, cycles)).carried(),
    Tested { output: Output::Wait, ..Tested::new(|part, _| (part.latency as f64, part.delivered as f64)).slow() },
    Tested::new(|part, cycles| (part.in_flight as f64, cycles)).slow(),
    Tested::new(|part, _| (part.hops as f64, part.delivered as f64)).carried(),
    Tested::new(|part, _| (part.discarded as f64, part.generated as f64)),
    Tested::new(|part, _| (part.lost as f64, part.generated as f64)).carried(),
];

/// Returns whether the runs that count were long enough: no output is still on its way to its mean, and the parts of the runs
/// are nearly independent. Of an unstable network, only what is carried is looked at.
pub(super) fn is_settled(tally: &Tally, cell: &Cell) -> bool {
    let runs = counted(tally);
    if is_listed(cell) || has_deadlocked(tally) || runs.is_empty() {
        return true;
    }
    if runs.len() < FEWEST_RUNS {
        return false;
    }
    let is_unstable = is_unstable(tally, cell);
    let means = if has_fixed_faults(cell) { Means::Common } else { Means::OfEachRun };
    OUTPUTS.iter().filter(|tested| tested.is_carried || !is_unstable).all(|tested| {
        let parts = |run: &WormTally| {
            let cycles = run.run.batch as f64;
            run.run.batches.iter().map(|part| (tested.value)(part, cycles)).collect::<Parts>()
        };
        let parts: Vec<_> = runs.iter().map(|(_, run)| parts(run)).collect();
        !(has_initial_bias(&parts, tested.output) || tested.is_slow && is_correlated(&parts, means))
    })
}

/// Fewer runs than so many say nothing of whether they were long enough.
const FEWEST_RUNS: usize = 3;
