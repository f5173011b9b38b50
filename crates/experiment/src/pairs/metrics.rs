//! Metrics of the pairs cut off.

use crate::metric::{Direction, Metric};

/// Metrics; the first one decides when a point is done.
pub(super) static METRICS: &[Metric] = &[
    Metric {
        id: "cut-off",
        axis: "pairs cut off",
        unit: "probability",
        meaning: "the share of ordered pairs of live nodes that the routing leaves without a live permitted path",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.pairs()?.share(),
    },
    Metric {
        id: "pairs",
        axis: "number of pairs cut off",
        unit: "pairs",
        meaning: "the number of ordered pairs of live nodes that the routing leaves without a live permitted path",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.pairs()?.mean(),
    },
];
