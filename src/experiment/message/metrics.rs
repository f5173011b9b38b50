//! What is measured of single messages.

use super::trial;
use crate::experiment::metric::{Metric, Spread, SpreadShape};
use crate::experiment::{mean_estimate, proportion, sigma_estimate};
use crate::switching::Outcome;

/// What is measured; the first one decides when a point is done.
pub(super) static METRICS: &[Metric] = &[
    Metric {
        id: "success",
        axis: "success probability",
        unit: "probability",
        meaning: "the share of messages that reach their destination within the path limit, S(n, p)",
        probability: true,
        of: |tally, _| proportion(tally.messages()?.delivered(), tally.trials),
    },
    Metric {
        id: "minimal",
        axis: "arrived on a minimal path",
        unit: "probability",
        meaning: "the share of messages that arrive on a minimal path; for sidetracking the paper's column p_A^2",
        probability: true,
        of: |tally, _| proportion(tally.messages()?.lengths.first().copied().unwrap_or(0), tally.trials),
    },
    Metric {
        id: "length",
        axis: "mean path length, hops",
        unit: "hops",
        meaning: "the mean number of hops of the messages that arrive, APL",
        probability: false,
        of: |tally, cell| mean_estimate(tally.messages()?.histogram(cell.distance()).collect::<Vec<_>>().into_iter()),
    },
    Metric {
        id: "excess",
        axis: "excess path length (APL - d) / d",
        unit: "d",
        meaning: "by how much the mean path length exceeds the distance d, in multiples of d",
        probability: false,
        of: |tally, cell| {
            let lengths = tally.messages()?.histogram(cell.distance()).collect::<Vec<_>>();
            mean_estimate(lengths.into_iter()).map(|length| length.scaled(1.0 / f64::from(cell.distance()), -1.0))
        },
    },
    Metric {
        id: "sigma",
        axis: "deviation of path lengths, sigma / n",
        unit: "n",
        meaning: "the standard deviation of the path lengths of messages that arrive, in multiples of n as printed",
        probability: false,
        of: |tally, cell| {
            let lengths = tally.messages()?.histogram(cell.distance()).collect::<Vec<_>>();
            let scale = 1.0 / f64::from(cell.network.diameter());
            sigma_estimate(lengths.into_iter()).map(|sigma| sigma.scaled(scale, 0.0))
        },
    },
    Metric {
        id: "tunnelling",
        axis: "caught tunnelling",
        unit: "probability",
        meaning: "the share of messages that end bouncing between a blocked node and its only live neighbour",
        probability: true,
        of: |tally, _| proportion(tally.messages()?.tunnelling, tally.trials),
    },
    Metric {
        id: "trapped",
        axis: "caught in a closed set of nodes",
        unit: "probability",
        meaning: "the share of messages that end in a set of at most 256 nodes that they can never leave, tunnelling \
                  included",
        probability: true,
        of: |tally, _| proportion(tally.messages()?.trapped, tally.trials),
    },
    Metric {
        id: "blocked-at-source",
        axis: "blocked at the source",
        unit: "probability",
        meaning: "the share of messages whose source has no live neighbour in the forward direction",
        probability: true,
        of: |tally, _| proportion(tally.messages()?.count(Outcome::BlockedAtSource), tally.trials),
    },
];

/// What a chart can show besides.
pub(super) static SPREADS: &[Spread] = &[Spread {
    id: "lengths",
    name: "distribution of path lengths",
    meaning: "the share of all messages that have arrived. Read at any number of hops, a curve is the success \
                  probability under that path limit",
    shape: SpreadShape::Arrivals(trial::distribution),
}];
