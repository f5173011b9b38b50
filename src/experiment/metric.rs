//! What is measured.

use super::{Cell, Estimate, Tally, mean_estimate, proportion, sigma_estimate};
use crate::switching::Outcome;

/// One measured quantity.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its name in experiment texts and exported files.
    pub id: &'static str,
    /// Its name on an axis, with its unit.
    pub axis: &'static str,
    /// What it is, in a sentence.
    pub meaning: &'static str,
    /// Whether it is a probability, shown as a percentage.
    pub probability: bool,
    /// Its estimate; `None` where nothing was measured.
    pub of: fn(&Tally, &Cell) -> Option<Estimate>,
}

/// What a chart can show besides metrics: the (cumulative) distribution of path lengths.
pub const LENGTHS: &str = "lengths";

/// Every metric.
pub const METRICS: &[Metric] = &[
    Metric {
        id: "success",
        axis: "success probability",
        meaning: "the share of messages that reach their destination within the path limit, S(n, p)",
        probability: true,
        of: |tally, _| proportion(tally.delivered(), tally.trials),
    },
    Metric {
        id: "minimal",
        axis: "arrived on a minimal path",
        meaning: "the share of messages that arrive on a minimal path; for sidetracking the paper's column p_A^2",
        probability: true,
        of: |tally, _| proportion(tally.lengths.first().copied().unwrap_or(0), tally.trials),
    },
    Metric {
        id: "length",
        axis: "mean path length, hops",
        meaning: "the mean number of hops of the messages that arrive, APL",
        probability: false,
        of: |tally, cell| mean_estimate(tally.histogram(cell.distance()).collect::<Vec<_>>().into_iter()),
    },
    Metric {
        id: "excess",
        axis: "excess path length (APL - d) / d",
        meaning: "by how much the mean path length exceeds the distance d, in multiples of d",
        probability: false,
        of: |tally, cell| {
            let lengths = tally.histogram(cell.distance()).collect::<Vec<_>>();
            mean_estimate(lengths.into_iter()).map(|length| length.scaled(1.0 / f64::from(cell.distance()), -1.0))
        },
    },
    Metric {
        id: "sigma",
        axis: "deviation of path lengths, sigma / n",
        meaning: "the standard deviation of the path lengths of messages that arrive, in multiples of n as printed",
        probability: false,
        of: |tally, cell| {
            let lengths = tally.histogram(cell.distance()).collect::<Vec<_>>();
            let scale = 1.0 / f64::from(cell.cube.dimension());
            sigma_estimate(lengths.into_iter()).map(|sigma| sigma.scaled(scale, 0.0))
        },
    },
    Metric {
        id: "tunnelling",
        axis: "caught tunnelling",
        meaning: "the share of messages that end bouncing between a blocked node and its only live neighbour",
        probability: true,
        of: |tally, _| proportion(tally.tunnelling, tally.trials),
    },
    Metric {
        id: "trapped",
        axis: "caught in a closed set of nodes",
        meaning: "the share of messages that end in a set of at most 256 nodes that they can never leave, tunnelling \
                  included",
        probability: true,
        of: |tally, _| proportion(tally.trapped, tally.trials),
    },
    Metric {
        id: "blocked-at-source",
        axis: "blocked at the source",
        meaning: "the share of messages whose source has no live neighbour in the forward direction",
        probability: true,
        of: |tally, _| proportion(tally.count(Outcome::BlockedAtSource), tally.trials),
    },
];

impl Metric {
    /// The metric called `id`; the first one if none is.
    pub fn find(id: &str) -> &'static Self {
        METRICS.iter().find(|metric| metric.id == id).unwrap_or(&METRICS[0])
    }
}
