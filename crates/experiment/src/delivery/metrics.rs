//! Metrics and distributions of delivery cycles.

use super::trial;
use crate::metric::{Direction, Distribution, DistributionKind, Metric};

/// Metrics; the first one decides when a point is done.
pub(super) static METRICS: &[Metric] = &[
    Metric {
        id: "cycles",
        axis: "delivery cycles",
        unit: "cycles",
        meaning: "the delivery cycle in which the last message arrives",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.deliveries()?.cycles.mean(),
    },
    Metric {
        id: "per-load",
        axis: "delivery cycles / load factor",
        unit: "load factors",
        meaning: "the delivery cycles in multiples of the load factor, a lower bound",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.deliveries()?.per_load.ratio(),
    },
    Metric {
        id: "transmissions",
        axis: "transmissions per message",
        unit: "transmissions per message",
        meaning: "the number of transmissions, per message that arrives",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.deliveries()?.transmissions.ratio(),
    },
    Metric {
        id: "literal",
        axis: "delivery cycles of the pseudo-code",
        unit: "cycles",
        meaning: "the delivery cycles that the pseudo-code executes, including idle ones and those after the last arrival",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.deliveries()?.literal.mean(),
    },
    Metric {
        id: "busy",
        axis: "delivery cycles in which a message is sent",
        unit: "cycles",
        meaning: "the delivery cycles in which at least one message is sent",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.deliveries()?.busy.mean(),
    },
    Metric {
        id: "first",
        axis: "delivered in the first cycle",
        unit: "probability",
        meaning: "the share of the messages that arrive in the first delivery cycle",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: |tally, _| tally.deliveries()?.first.share(),
    },
    Metric {
        id: "delivered",
        axis: "messages delivered",
        unit: "probability",
        meaning: "the share of the messages that arrive; messages that dead wires cut off do not",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: trial::delivered,
    },
    Metric {
        id: "load-factor",
        axis: "load factor",
        unit: "messages per wire",
        meaning: "the largest number of messages per live wire of any channel",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.deliveries()?.load_factor.ratio(),
    },
    Metric {
        id: "offline",
        axis: "cycles of the off-line schedule",
        unit: "cycles",
        meaning: "the delivery cycles of an off-line schedule: first fit in the order of arrival, the shortest of as many schedules \
                  as `schedules` says; without dead wires, up to n = 4096",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.deliveries()?.offline.mean(),
    },
    Metric {
        id: "unfinished",
        axis: "unfinished runs",
        unit: "probability",
        meaning: "the share of runs that are stuck forever, or take more than a million cycles",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| trial::unfinished(tally),
    },
    Metric {
        id: "unhalved",
        axis: "loops that do not halve the load factor",
        unit: "probability",
        meaning: "the share of the innermost loops of TRY-GUESS that do not halve the load factor of the undelivered messages, with \
                  the load factor as guess; `loops` loops for each message set, for RANDOM. Lemma 7 allows O(1/n^2)",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| trial::unhalved(tally),
    },
];

/// Distributions that a chart can show.
pub(super) static DISTRIBUTIONS: &[Distribution] = &[Distribution {
    id: "trade-off",
    name: "trade-off of cycles and transmissions",
    meaning: "delivery cycles in multiples of the load factor, against transmissions per message, with a point for each varied \
              value. The paper leaves open which constants of RANDOM are good",
    shape: DistributionKind::TradeOff,
}];
