//! Metrics and distributions of circuit experiments.

use super::trial;
use crate::metric::{Direction, Distribution, DistributionKind, Metric};
use crate::saturation::SaturationMetrics;
use faultlab_core::topology::{Mesh, Network};

/// Metrics; the first one decides when a point is done.
pub(super) static METRICS: &[Metric] = &[
    Metric {
        id: "setup",
        axis: "mean setup time",
        unit: "mean transmission times",
        meaning: "the mean time from a message's generation until its circuit is complete, including the wait at the source, in \
                  units of the mean transmission time. On meshes and tori it includes the hops of the probe and of the \
                  acknowledgement",
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
        id: "setup-90",
        axis: "90th percentile of setup times",
        unit: "mean transmission times",
        meaning: "the setup time that 90 of 100 messages stay below",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::quantile(tally, cell, 0.9),
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
        id: "setup-99",
        axis: "99th percentile of setup times",
        unit: "mean transmission times",
        meaning: "the setup time that 99 of 100 messages stay below",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::quantile(tally, cell, 0.99),
    },
    Metric {
        id: "setup-99.9",
        axis: "99.9th percentile of setup times",
        unit: "mean transmission times",
        meaning: "the setup time that 999 of 1000 messages stay below",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::quantile(tally, cell, 0.999),
    },
    Metric {
        id: "setup-far",
        axis: "mean setup time of long paths",
        unit: "mean transmission times",
        meaning: "the mean setup time of messages whose source and destination differ in more than half of the dimensions; on \
                  meshes and tori, whose distance is more than half of the largest",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::of_messages(tally, cell, |run| (run.far.setup, run.far.count)),
    },
    Metric {
        id: "setup-slowest",
        axis: "mean setup time of the slowest quarter of the sources",
        unit: "mean transmission times",
        meaning: "the mean setup time of the messages of the slowest quarter of the sources: in each run, the sources with the \
                  largest mean setup times. Even if all sources are equal, it is somewhat above setup, by chance",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| {
            trial::of_messages(tally, cell, |run| (run.slowest_sources.setup, run.slowest_sources.count))
        },
    },
    Metric {
        id: "starved",
        axis: "messages with a setup time of 10 or more",
        unit: "probability",
        meaning: "the share of messages whose setup takes ten mean transmission times or longer",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: trial::starved,
    },
    Metric {
        id: "attempts",
        axis: "attempts per message",
        unit: "attempts",
        meaning: "the mean number of attempts to set up the circuit of a message, the successful one included; 1 under setup=hold",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::of_messages(tally, cell, |run| (run.attempts as f64, run.completed)),
    },
    Metric {
        id: "throughput",
        axis: "throughput, messages per node and unit of time",
        unit: "messages per node and mean transmission time",
        meaning: "transmissions that each node completes per unit of time; below the message rate, queues grow. If the network \
                  jams, this is the throughput of the jammed network",
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
        meaning: "the share of time that links are reserved, in the dimension and direction where it is largest",
        probability: true,
        better: Direction::LowerIsBetter,
        estimate: trial::busiest,
    },
    Metric {
        id: "backlog",
        axis: "messages waiting, per node",
        unit: "messages per node",
        meaning: "the number of messages that wait for a link, averaged over time, per node",
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
        meaning: "the mean time until the network jams permanently: the simulated time divided by the number of jams. Without a \
                  jam, only a lower bound is known",
        probability: false,
        better: Direction::HigherIsBetter,
        estimate: |tally, _| trial::collapse(tally),
    },
    Metric {
        id: "watched",
        axis: "simulated time",
        unit: "mean transmission times",
        meaning: "the total simulated time, up to a jam if there is one. A mean setup time is valid only for this time: a jam may occur later",
        probability: false,
        better: Direction::HigherIsBetter,
        estimate: |tally, _| trial::watched(tally),
    },
    Metric {
        id: "torn",
        axis: "circuits torn down when faults arrive",
        unit: "circuits",
        meaning: "the mean number of paths and circuits of a run that the arrival of faults (keys onset and later) tears down, and \
                  whose sources start again",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::of_transition(tally, cell, |found| found.torn as f64),
    },
    Metric {
        id: "retried",
        axis: "torn circuits begun again",
        unit: "circuits",
        meaning: "the mean number of torn paths and circuits of a run whose sources have started again",
        probability: false,
        better: Direction::HigherIsBetter,
        estimate: |tally, cell| trial::of_transition(tally, cell, |found| found.retried as f64),
    },
    Metric {
        id: "given-up",
        axis: "messages given up when faults arrive",
        unit: "messages",
        meaning: "the mean number of messages of a run that are given up when faults arrive: an end is faulty, or no permitted path is \
                  left",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::of_transition(tally, cell, |found| found.lost as f64),
    },
    Metric {
        id: "recovery",
        axis: "time from a tear-down to the new circuit",
        unit: "mean transmission times",
        meaning: "the mean time from the tear-down of a path or circuit until the circuit is complete again",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::of_transition_ratio(tally, cell, |found| (found.recovery, found.restored)),
    },
    Metric {
        id: "transition",
        axis: "length of the transition",
        unit: "mean transmission times",
        meaning: "the mean time of a run in which a torn circuit is not yet complete again or lost",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::of_transition(tally, cell, |found| found.time),
    },
    Metric {
        id: "setup-before",
        axis: "mean setup time before faults arrive",
        unit: "mean transmission times",
        meaning: "the mean setup time of the messages generated in the second half of the time before the first faults arrive, each up to its first complete circuit",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::setup_in(tally, cell, 0),
    },
    Metric {
        id: "setup-during",
        axis: "mean setup time during a transition",
        unit: "mean transmission times",
        meaning: "the mean setup time of the messages generated while a torn circuit is not yet complete again or lost, each up to its first complete circuit",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::setup_in(tally, cell, 1),
    },
    Metric {
        id: "setup-after",
        axis: "mean setup time after a transition",
        unit: "mean transmission times",
        meaning: "the mean setup time of the messages generated after faults have arrived, while no circuit is torn, each up to its first complete circuit",
        probability: false,
        better: Direction::LowerIsBetter,
        estimate: |tally, cell| trial::setup_in(tally, cell, 2),
    },
    Metric {
        id: "success-before",
        axis: "messages neither refused nor lost before faults arrive",
        unit: "probability",
        meaning: "the share of the messages generated in the second half of the time before the first faults arrive, and that are neither refused nor lost",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: |tally, cell| trial::success_in(tally, cell, 0),
    },
    Metric {
        id: "success-during",
        axis: "messages neither refused nor lost during a transition",
        unit: "probability",
        meaning: "the share of the messages generated while a torn circuit is not yet complete again or lost, and that are neither refused nor lost",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: |tally, cell| trial::success_in(tally, cell, 1),
    },
    Metric {
        id: "success-after",
        axis: "messages neither refused nor lost after a transition",
        unit: "probability",
        meaning: "the share of the messages generated after faults have arrived, while no circuit is torn, and that are neither refused nor lost",
        probability: true,
        better: Direction::HigherIsBetter,
        estimate: |tally, cell| trial::success_in(tally, cell, 2),
    },
];

/// Quantities that determine saturation.
pub(super) static SATURATION: SaturationMetrics = SaturationMetrics {
    parameters: &["rate"],
    accepted: trial::accepted_share,
    throughput: "throughput",
    latency: "setup",
};

/// Returns the number of dimensions of a hypercube, mesh or torus; 0 of other networks.
fn dimensions(network: Network) -> u8 {
    network.wormhole_mesh().map_or(0, Mesh::dimensions)
}

/// Distributions that a chart can show.
pub(super) static DISTRIBUTIONS: &[Distribution] = &[
    Distribution {
        id: "setups",
        name: "distribution of setup times",
        meaning: "the share of messages whose circuits are complete within a time. A curve begins at the share of messages that \
                  do not wait",
        shape: DistributionKind::Times(
            |point| trial::distribution(&point.tally),
            0.5,
            ["setup time, in mean transmission times", "circuits complete"],
        ),
    },
    Distribution {
        id: "dimensions",
        name: "utilization by dimension and direction",
        meaning: "the share of time that links are reserved, by dimension and direction (up or down), at the highest rate that \
                  the network carries",
        shape: DistributionKind::Dimensions(|point| {
            trial::by_dimension(&point.tally, &point.config, dimensions(point.config.network))
        }),
    },
];
