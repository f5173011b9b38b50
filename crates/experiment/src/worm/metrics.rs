//! Metrics and distributions of wormhole experiments.

use super::trial;
use crate::metric::{Direction, Distribution, DistributionKind, Metric};
use crate::saturation::SaturationMetrics;

/// Metrics; the first one decides when a point is done.
pub(super) static METRICS: &[Metric] = &[
    Metric {
        id: "utilization",
        axis: "bisection utilization",
        unit: "probability",
        meaning: "flits that cross the middle of the mesh, as a share of the capacity of its live links",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: trial::utilization,
    },
    Metric {
        id: "latency",
        axis: "mean latency, cycles",
        unit: "cycles",
        meaning: "the mean number of cycles from a message's generation until its tail is consumed",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: trial::latency,
    },
    Metric {
        id: "latency-median",
        axis: "median latency, cycles",
        unit: "cycles",
        meaning: "the latency that half of the messages stay below",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::quantile(tally, cell, 0.5),
    },
    Metric {
        id: "latency-90",
        axis: "90th percentile of latencies, cycles",
        unit: "cycles",
        meaning: "the latency that 90 of 100 messages stay below",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::quantile(tally, cell, 0.9),
    },
    Metric {
        id: "latency-95",
        axis: "95th percentile of latencies, cycles",
        unit: "cycles",
        meaning: "the latency that 95 of 100 messages stay below",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::quantile(tally, cell, 0.95),
    },
    Metric {
        id: "latency-99",
        axis: "99th percentile of latencies, cycles",
        unit: "cycles",
        meaning: "the latency that 99 of 100 messages stay below",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::quantile(tally, cell, 0.99),
    },
    Metric {
        id: "latency-99.9",
        axis: "99.9th percentile of latencies, cycles",
        unit: "cycles",
        meaning: "the latency that 999 of 1000 messages stay below",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::quantile(tally, cell, 0.999),
    },
    Metric {
        id: "throughput",
        axis: "throughput, flits per node and cycle",
        unit: "flits per node and cycle",
        meaning: "flits delivered, per participating node and cycle",
        probability: false,
        better: Direction::HigherIsBetter,
        estimate: |tally, cell| trial::of_runs(tally, cell, |worms| worms.run.throughput()),
    },
    Metric {
        id: "discarded",
        axis: "messages discarded",
        unit: "probability",
        meaning: "the share of the messages generated that are discarded, because their source is above its injection limit",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::of_messages(tally, cell, |run| (run.discarded, run.generated)),
    },
    Metric {
        id: "lost",
        axis: "messages lost",
        unit: "probability",
        meaning: "the share of the messages generated that faults leave without a permitted hop",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::of_messages(tally, cell, |run| (run.lost, run.generated)),
    },
    Metric {
        id: "hops",
        axis: "mean path length, hops",
        unit: "hops",
        meaning: "the mean number of hops of the messages delivered",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::of_messages(tally, cell, |run| (run.hops, run.delivered)),
    },
    Metric {
        id: "energy",
        axis: "energy per message",
        unit: "units of the key energy",
        meaning: "the mean energy of a message delivered: for each flit that of the routers, of the writes into buffers and of the links \
                  on its way (key energy)",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: trial::energy,
    },
    Metric {
        id: "finish",
        axis: "time until all have arrived, cycles",
        unit: "cycles",
        meaning: "for listed messages: the cycles until the tail of the last one is consumed",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: trial::finish,
    },
    Metric {
        id: "dropped",
        axis: "messages dropped when faults arrive",
        unit: "messages",
        meaning: "the mean number of messages of a run that the arrival of faults (keys onset and later) cuts, or that do not drain",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::of_transition(tally, cell, |found| found.cut + found.undrained),
    },
    Metric {
        id: "resent",
        axis: "messages sent again",
        unit: "messages",
        meaning: "the mean number of dropped messages of a run that their sources send again",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::of_transition(tally, cell, |found| found.resent),
    },
    Metric {
        id: "transition",
        axis: "length of the transition, cycles",
        unit: "cycles",
        meaning: "the mean number of cycles from the arrival of faults (keys onset and later) until all headers are routed around them",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::of_transition(tally, cell, |found| found.cycles),
    },
    Metric {
        id: "busiest",
        axis: "utilization of the busiest channel",
        unit: "probability",
        meaning: "the share of time that the busiest channel carries a flit",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: trial::busiest,
    },
];

/// Quantities that determine saturation.
pub(super) static SATURATION: SaturationMetrics = SaturationMetrics {
    parameters: &["load", "flit-rate"],
    accepted: trial::accepted_share,
    throughput: "throughput",
    latency: "latency",
};

/// Distributions that a chart can show.
pub(super) static DISTRIBUTIONS: &[Distribution] = &[Distribution {
    id: "latencies",
    name: "distribution of latencies",
    meaning: "the share of the messages delivered with at most this latency",
    shape: DistributionKind::Times(
        |point| trial::distribution(&point.tally, &point.config),
        1.0,
        ["latency, cycles", "messages delivered"],
    ),
}];
