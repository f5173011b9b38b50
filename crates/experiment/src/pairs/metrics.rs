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
        estimate: |tally, _| tally.pairs()?.pairs.share(),
    },
    Metric {
        id: "pairs",
        axis: "number of pairs cut off",
        unit: "pairs",
        meaning: "the number of ordered pairs of live nodes that the routing leaves without a live permitted path",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.pairs()?.pairs.mean(),
    },
    Metric {
        id: "connected",
        axis: "no pair cut off",
        unit: "probability",
        meaning: "the share of fault sets that cut off no pair of live nodes. Under global, every two live nodes are then connected",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: |tally, _| tally.pairs().and_then(|counts| counts.probability(counts.connected)),
    },
    Metric {
        id: "single-nodes",
        axis: "at most single nodes cut off",
        unit: "probability",
        meaning: "the share of fault sets in which every pair cut off has a source that no live link leaves or a destination that \
                  none enters. Under global, all live nodes except single ones are then connected",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: |tally, _| tally.pairs().and_then(|counts| counts.probability(counts.single_nodes)),
    },
];
