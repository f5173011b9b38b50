//! Metrics and distributions of single-message experiments.

use super::{all_fault_sets, trial};
use crate::metric::{Direction, Distribution, DistributionKind, Metric};
use crate::{Estimate, MessageTally, PointConfig, Tally, mean_estimate, proportion, sigma_estimate};
use faultlab_core::switching::Outcome;

/// Metrics; the first one decides when a point is done.
pub(super) static METRICS: &[Metric] = &[
    Metric {
        id: "success",
        axis: "success probability",
        unit: "probability",
        meaning: "the share of messages that reach their destination within the path limit, S(n, p)",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: |tally, cell| all_fault_sets::success(tally, cell).or_else(|| share(tally, MessageTally::delivered)),
    },
    Metric {
        id: "minimal",
        axis: "arrived on a minimal path",
        unit: "probability",
        meaning: "the share of messages that arrive on a minimal path; for sidetracking the paper's column p_A^2",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: |tally, cell| {
            all_fault_sets::minimal(tally, cell)
                .or_else(|| share(tally, |messages| messages.lengths.first().copied().unwrap_or(0)))
        },
    },
    Metric {
        id: "length",
        axis: "mean path length, hops",
        unit: "hops",
        meaning: "the mean number of hops of the messages that arrive, APL",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| length(tally, cell),
    },
    Metric {
        id: "excess",
        axis: "excess path length (APL - d) / d",
        unit: "d",
        meaning: "the excess of the mean path length over the distance d, in multiples of d",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: excess,
    },
    Metric {
        id: "sigma",
        axis: "deviation of path lengths, sigma / n",
        unit: "n",
        meaning: "the standard deviation of the path lengths of messages that arrive, in multiples of n, as in the paper",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| {
            let lengths = tally.messages()?.histogram(cell.distance()).collect::<Vec<_>>();
            let scale = 1.0 / f64::from(cell.network.diameter());
            let sigma = all_fault_sets::sigma(tally).or_else(|| sigma_estimate(lengths.into_iter()));
            sigma.map(|sigma| sigma.scaled(scale, 0.0))
        },
    },
    Metric {
        id: "tunnelling",
        axis: "caught tunnelling",
        unit: "probability",
        meaning: "the share of messages that end moving between a blocked node and its only live neighbour",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| share(tally, |messages| messages.tunnelling),
    },
    Metric {
        id: "trapped",
        axis: "caught in a closed set of nodes",
        unit: "probability",
        meaning: "the share of messages that end in a set of at most 256 nodes that they can never leave, including tunnelling",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| share(tally, |messages| messages.trapped),
    },
    Metric {
        id: "blocked-at-source",
        axis: "blocked at the source",
        unit: "probability",
        meaning: "the share of messages whose source has no live neighbour in the forward direction; p^n between opposite nodes \
                  where each node is faulty with probability p",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| share(tally, |messages| messages.count(Outcome::BlockedAtSource)),
    },
    Metric {
        id: "dead-end",
        axis: "ended in a dead end",
        unit: "probability",
        meaning: "the share of messages that reach a node from which their algorithm permits no hop",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| share(tally, |messages| messages.count(Outcome::Blocked)),
    },
    Metric {
        id: "lost",
        axis: "lost at a fault",
        unit: "probability",
        meaning: "the share of messages that are sent to a faulty node or over a faulty link, by algorithms that do not check",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| share(tally, |messages| messages.count(Outcome::Lost)),
    },
    Metric {
        id: "cut-off",
        axis: "cut off from the destination",
        unit: "probability",
        meaning: "the share of messages between nodes that are not connected, under algorithms with global information",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| share(tally, |messages| messages.count(Outcome::Disconnected)),
    },
    Metric {
        id: "limit",
        axis: "stopped by the path limit",
        unit: "probability",
        meaning: "the share of messages that reach the path limit outside of any closed set of nodes. All others that do not \
                  arrive are trapped, blocked at the source, in a dead end, lost, or cut off",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| share(tally, MessageTally::limited),
    },
];

/// Distributions that a chart can show.
pub(super) static DISTRIBUTIONS: &[Distribution] = &[
    Distribution {
        id: "lengths",
        name: "distribution of path lengths",
        meaning: "the share of all messages that have arrived. At each number of hops, a curve is the success probability under \
                  that path limit",
        shape: DistributionKind::Arrivals(trial::distribution),
    },
    Distribution {
        id: "ends",
        name: "outcomes of messages",
        meaning: "the share of messages for each outcome, stacked: the shares add up to all messages",
        shape: DistributionKind::Stack(trial::ends),
    },
];

/// Returns the share of messages that `count` selects; `None` if none was sent.
fn share(tally: &Tally, count: impl Fn(&MessageTally) -> u64) -> Option<Estimate> {
    let messages = tally.messages().filter(|messages| messages.exact.is_none())?;
    proportion(count(messages), tally.trials)
}

/// Returns the mean number of hops of messages that arrive.
fn length(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    let lengths = tally.messages()?.histogram(cell.distance()).collect::<Vec<_>>();
    all_fault_sets::length(tally).or_else(|| mean_estimate(lengths.into_iter()))
}

/// Returns the excess of the mean number of hops over the distance, in multiples of the distance.
/// No path is shorter than the distance: a negative excess is a rounding error.
fn excess(tally: &Tally, cell: &PointConfig) -> Option<Estimate> {
    let length = length(tally, cell)?;
    let found = length.scaled(1.0 / f64::from(cell.distance()), -1.0);
    let found = Estimate { mean: found.mean.max(0.0), ..found };
    Some(if length.is_exact() { found.as_exact() } else { found })
}
