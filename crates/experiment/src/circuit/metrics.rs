//! Metrics and distributions of circuit experiments.

use super::trial;
use crate::metric::{Direction, Distribution, DistributionKind, Metric};

/// Metrics; the first one decides when a point is done.
pub(super) static METRICS: &[Metric] = &[
    Metric {
        id: "setup",
        axis: "mean setup time",
        unit: "mean transmission times",
        meaning: "the mean time from a message's generation until its circuit is complete, waiting at the source included, in \
                  units of the mean transmission time",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: trial::setup,
    },
    Metric {
        id: "setup-median",
        axis: "median setup time",
        unit: "mean transmission times",
        meaning: "the setup time that half of the messages stay below",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::quantile(tally, cell, 0.5),
    },
    Metric {
        id: "setup-95",
        axis: "95th percentile of setup times",
        unit: "mean transmission times",
        meaning: "the setup time that 95 of 100 messages stay below",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::quantile(tally, cell, 0.95),
    },
    Metric {
        id: "throughput",
        axis: "throughput, messages per node and unit of time",
        unit: "messages per node and mean transmission time",
        meaning: "transmissions completed by each node in a unit of time; below the message rate, queues grow. Where the network \
                  jams, that of the jammed network",
        probability: false,
        better: Direction::HigherIsBetter,
        estimate: trial::throughput,
    },
    Metric {
        id: "utilization",
        axis: "link utilization",
        unit: "probability",
        meaning: "the share of time that a link is reserved, on average over all links",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::of_runs(tally, cell, trial::mean_utilization),
    },
    Metric {
        id: "busiest",
        axis: "utilization of the busiest class of links",
        unit: "probability",
        meaning: "the share of time that links are reserved in the dimension and direction in which it is largest",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: trial::busiest,
    },
    Metric {
        id: "backlog",
        axis: "messages waiting, per node",
        unit: "messages per node",
        meaning: "the messages that wait for a link, on average over time, per node",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: trial::backlog,
    },
    Metric {
        id: "refused",
        axis: "messages refused",
        unit: "probability",
        meaning: "the share of messages whose destination is faulty or cut off",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: trial::refused,
    },
    Metric {
        id: "collapse",
        axis: "time to collapse",
        unit: "mean transmission times",
        meaning: "the mean time until the network jams for good: the time watched over the number of jams. Where none was seen, \
                  only a lower bound is known",
        probability: false,
        better: Direction::HigherIsBetter,
        estimate: |tally, _| trial::collapse(tally),
    },
    Metric {
        id: "watched",
        axis: "time watched for a jam",
        unit: "mean transmission times",
        meaning: "how long the network was simulated in all, up to a jam if there was one. A mean setup time says nothing of longer \
                  times: a jam may come later",
        probability: false,
        better: Direction::HigherIsBetter,
        estimate: |tally, _| trial::watched(tally),
    },
];

/// Distributions that a chart can show.
pub(super) static SPREADS: &[Distribution] = &[
    Distribution {
        id: "setups",
        name: "distribution of setup times",
        meaning: "the share of messages whose circuits were complete within a time. Most need not wait at all: a curve \
                  begins at their share",
        shape: DistributionKind::Times(
            |point| trial::distribution(&point.tally),
            0.5,
            ["setup time, in mean transmission times", "circuits complete"],
        ),
    },
    Distribution {
        id: "dimensions",
        name: "utilization by dimension and direction",
        meaning: "the share of time that links are reserved, for each dimension those that lead up and those that lead down, \
                  at the highest rate that is carried",
        shape: DistributionKind::Dimensions(|point| {
            trial::by_dimension(&point.tally, &point.cell, point.cell.network.cube().map_or(0, |cube| cube.dimension()))
        }),
    },
];
