//! Metrics and distributions of whole permutations, and of batches.

use super::trial;
use crate::metric::{Direction, Distribution, DistributionKind, Metric};

/// Metrics of whole permutations; the first one decides when a point is done.
pub(super) static METRICS: &[Metric] = &[
    Metric {
        id: "congestion",
        axis: "congestion, messages",
        unit: "messages",
        meaning: "the largest number of messages whose routes cross the same channel",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.relations()?.congestion.mean(),
    },
    Metric {
        id: "active",
        axis: "active nodes",
        unit: "probability",
        meaning: "the share of all nodes that may send and receive: those of the scheme's own rule, or, without one, all healthy nodes",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: |tally, cell| trial::exact_for_fixed_faults(cell, tally.relations()?.active.share()),
    },
    Metric {
        id: "load",
        axis: "load, messages",
        unit: "messages",
        meaning: "the largest number of messages with the same intermediate node",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.relations()?.load.mean(),
    },
    Metric {
        id: "length",
        axis: "mean route length, hops",
        unit: "hops",
        meaning: "the mean number of hops of a route",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.relations()?.length.ratio(),
    },
    Metric {
        id: "longest",
        axis: "longest route, hops",
        unit: "hops",
        meaning: "the number of hops of the longest route",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.relations()?.longest.mean(),
    },
    Metric {
        id: "undelivered",
        axis: "messages without a route",
        unit: "probability",
        meaning: "the share of the messages sent whose route meets a fault, or that find no intermediate node",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.relations()?.undelivered.share(),
    },
    Metric {
        id: "kept-back",
        axis: "messages not sent",
        unit: "probability",
        meaning: "the share of the messages of a rule such as transpose that are not sent because an end is not active",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.relations()?.kept_back.share(),
    },
    Metric {
        id: "choice",
        axis: "smallest set of intermediate nodes",
        unit: "probability",
        meaning: "the smallest number of intermediate nodes that a message may choose from, as a share of all nodes (under \
                  Algorithm B squares, of all squares); up to n = 8",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: |tally, _| tally.relations()?.choice.share(),
    },
    Metric {
        id: "applies",
        axis: "scheme applies",
        unit: "probability",
        meaning: "the share of fault sets to which the scheme applies: under Kim & Shin, those with a healthy subcube",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: |tally, cell| trial::exact_for_fixed_faults(cell, trial::applies(tally)),
    },
];

/// Metrics of batches; the first one decides when a point is done.
pub(super) static BATCH_METRICS: &[Metric] = &[
    Metric {
        id: "deadlock",
        axis: "probability of deadlock",
        unit: "probability",
        meaning: "the share of batches that deadlock: from some cycle on, no message can move",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| trial::deadlock(tally),
    },
    Metric {
        id: "finish",
        axis: "finish time, cycles",
        unit: "cycles",
        meaning: "the mean number of cycles until the last flit has arrived, over the batches that finish",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.relations()?.finish.mean(),
    },
    Metric {
        id: "freeze",
        axis: "time until deadlock, cycles",
        unit: "cycles",
        meaning: "the mean number of cycles until no message can move, over the batches that deadlock",
        probability: false,
        better: Direction::HigherIsBetter,
        estimate: |tally, _| tally.relations()?.freeze.mean(),
    },
    Metric {
        id: "arrived",
        axis: "messages that arrive",
        unit: "probability",
        meaning: "the share of the messages that arrive, over all batches, including those that deadlock",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: |tally, _| tally.relations()?.arrived.share(),
    },
    Metric {
        id: "dropped",
        axis: "messages dropped when faults arrive",
        unit: "messages",
        meaning: "the mean number of messages of a batch that the arrival of faults (key onset) cuts, or that reach a fault later",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.relations()?.dropped.mean(),
    },
    Metric {
        id: "resent",
        axis: "messages sent again",
        unit: "messages",
        meaning: "the mean number of dropped messages of a batch that their sources send again",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.relations()?.resent.mean(),
    },
    Metric {
        id: "transition",
        axis: "length of the transition, cycles",
        unit: "cycles",
        meaning: "the mean number of cycles from the arrival of faults (key onset) until no message is on a route over a fault",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, _| tally.relations()?.transition.mean(),
    },
    Metric {
        id: "active",
        axis: "active nodes",
        unit: "probability",
        meaning: "the share of all nodes that may send and receive",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: |tally, cell| trial::exact_for_fixed_faults(cell, tally.relations()?.active.share()),
    },
];

/// Distributions that a chart can show.
pub(super) static DISTRIBUTIONS: &[Distribution] = &[
    Distribution {
        id: "channels",
        name: "distribution of congestion over channels",
        meaning: "the share of all channels that at most this many messages cross",
        shape: DistributionKind::Steps(
            |point| trial::distribution(point.tally.relations().map_or(&[], |counts| &counts.channels)),
            ["messages that cross a channel", "channels with at most this many"],
        ),
    },
    Distribution {
        id: "lengths",
        name: "distribution of route lengths",
        meaning: "the share of the routes that have at most this many hops",
        shape: DistributionKind::Routes(|point| {
            trial::distribution(point.tally.relations().map_or(&[], |counts| &counts.lengths))
        }),
    },
];
