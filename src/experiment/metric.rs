//! What is measured.

use super::{
    Cell, Estimate, Experiment, Tally, circuit, delivery, mean_estimate, proportion, relation, sigma_estimate, worm,
};
use crate::switching::{Outcome, Switching};

/// One measured quantity.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The kind of switching it is measured of.
    pub switching: Switching,
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

/// What a chart can show besides metrics.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// The kind of switching it belongs to.
    pub switching: Switching,
    /// Its name in experiment texts.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub meaning: &'static str,
}

/// The (cumulative) distribution of path lengths.
pub const LENGTHS: &str = "lengths";

/// The (cumulative) distribution of setup times.
pub const SETUPS: &str = "setups";

/// The (cumulative) distribution of latencies.
pub const LATENCIES: &str = "latencies";

/// The utilization of links, by dimension and direction.
pub const DIMENSIONS: &str = "dimensions";

/// The distribution of congestion over channels.
pub const CHANNELS: &str = "channels";

/// The (cumulative) distribution of the lengths of whole routes.
pub const ROUTE_LENGTHS: &str = "lengths";

/// Delivery cycles against transmissions.
pub const TRADE_OFF: &str = "trade-off";

/// Everything that a chart can show besides metrics.
pub const SPREADS: &[Spread] = &[
    Spread {
        switching: Switching::Message,
        id: LENGTHS,
        name: "distribution of path lengths",
        meaning: "the share of all messages that have arrived. Read at any number of hops, a curve is the success \
                  probability under that path limit",
    },
    Spread {
        switching: Switching::Circuit,
        id: SETUPS,
        name: "distribution of setup times",
        meaning: "the share of messages whose circuits were complete within a time. Most need not wait at all: a curve \
                  begins at their share",
    },
    Spread {
        switching: Switching::Circuit,
        id: DIMENSIONS,
        name: "utilization by dimension and direction",
        meaning: "the share of time that links are reserved, for each dimension those that lead up and those that lead down, \
                  at the highest rate that is carried",
    },
    Spread {
        switching: Switching::Permutation,
        id: CHANNELS,
        name: "distribution of congestion over channels",
        meaning: "the share of all channels that at most so many messages cross",
    },
    Spread {
        switching: Switching::Permutation,
        id: ROUTE_LENGTHS,
        name: "distribution of route lengths",
        meaning: "the share of the routes that have at most so many hops",
    },
    Spread {
        switching: Switching::Wormhole,
        id: LATENCIES,
        name: "distribution of latencies",
        meaning: "the share of the messages delivered that have arrived within a time, counted from their generation",
    },
    Spread {
        switching: Switching::Delivery,
        id: TRADE_OFF,
        name: "trade-off of cycles and transmissions",
        meaning: "delivery cycles in multiples of the load factor, against how often a message is sent: a point for each value \
                  that is varied. Which constants of RANDOM are good is an open question of the paper",
    },
];

impl Spread {
    /// The one that `experiment` plots, if it plots one.
    pub fn plotted(experiment: &Experiment) -> Option<&'static Self> {
        Self::find(experiment.switching, experiment.view.plot?)
    }

    /// The one of this kind called `id`.
    pub fn find(switching: Switching, id: &str) -> Option<&'static Self> {
        SPREADS.iter().find(|spread| spread.switching == switching && spread.id == id)
    }
}

/// Every metric.
pub const METRICS: &[Metric] = &[
    Metric {
        switching: Switching::Message,
        id: "success",
        axis: "success probability",
        meaning: "the share of messages that reach their destination within the path limit, S(n, p)",
        probability: true,
        of: |tally, _| proportion(tally.delivered(), tally.trials),
    },
    Metric {
        switching: Switching::Message,
        id: "minimal",
        axis: "arrived on a minimal path",
        meaning: "the share of messages that arrive on a minimal path; for sidetracking the paper's column p_A^2",
        probability: true,
        of: |tally, _| proportion(tally.lengths.first().copied().unwrap_or(0), tally.trials),
    },
    Metric {
        switching: Switching::Message,
        id: "length",
        axis: "mean path length, hops",
        meaning: "the mean number of hops of the messages that arrive, APL",
        probability: false,
        of: |tally, cell| mean_estimate(tally.histogram(cell.distance()).collect::<Vec<_>>().into_iter()),
    },
    Metric {
        switching: Switching::Message,
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
        switching: Switching::Message,
        id: "sigma",
        axis: "deviation of path lengths, sigma / n",
        meaning: "the standard deviation of the path lengths of messages that arrive, in multiples of n as printed",
        probability: false,
        of: |tally, cell| {
            let lengths = tally.histogram(cell.distance()).collect::<Vec<_>>();
            let scale = 1.0 / f64::from(cell.network.diameter());
            sigma_estimate(lengths.into_iter()).map(|sigma| sigma.scaled(scale, 0.0))
        },
    },
    Metric {
        switching: Switching::Message,
        id: "tunnelling",
        axis: "caught tunnelling",
        meaning: "the share of messages that end bouncing between a blocked node and its only live neighbour",
        probability: true,
        of: |tally, _| proportion(tally.tunnelling, tally.trials),
    },
    Metric {
        switching: Switching::Message,
        id: "trapped",
        axis: "caught in a closed set of nodes",
        meaning: "the share of messages that end in a set of at most 256 nodes that they can never leave, tunnelling \
                  included",
        probability: true,
        of: |tally, _| proportion(tally.trapped, tally.trials),
    },
    Metric {
        switching: Switching::Message,
        id: "blocked-at-source",
        axis: "blocked at the source",
        meaning: "the share of messages whose source has no live neighbour in the forward direction",
        probability: true,
        of: |tally, _| proportion(tally.count(Outcome::BlockedAtSource), tally.trials),
    },
    Metric {
        switching: Switching::Circuit,
        id: "setup",
        axis: "mean setup time",
        meaning: "the mean time from a message's generation until its circuit is complete, waiting at the source included, in \
                  units of the mean transmission time",
        probability: false,
        of: |tally, _| circuit::setup(tally),
    },
    Metric {
        switching: Switching::Circuit,
        id: "setup-median",
        axis: "median setup time",
        meaning: "the setup time that half of the messages stay below",
        probability: false,
        of: |tally, _| circuit::quantile(tally, 0.5),
    },
    Metric {
        switching: Switching::Circuit,
        id: "setup-95",
        axis: "95th percentile of setup times",
        meaning: "the setup time that 95 of 100 messages stay below",
        probability: false,
        of: |tally, _| circuit::quantile(tally, 0.95),
    },
    Metric {
        switching: Switching::Circuit,
        id: "throughput",
        axis: "throughput, messages per node and unit of time",
        meaning: "transmissions completed by each node in a unit of time; below the message rate, queues grow",
        probability: false,
        of: |tally, _| circuit::of_runs(tally, |run| run.throughput),
    },
    Metric {
        switching: Switching::Circuit,
        id: "utilization",
        axis: "link utilization",
        meaning: "the share of time that a link is reserved, on average over all links",
        probability: true,
        of: |tally, _| circuit::of_runs(tally, circuit::mean_utilization),
    },
    Metric {
        switching: Switching::Circuit,
        id: "busiest",
        axis: "utilization of the busiest class of links",
        meaning: "the share of time that links are reserved in the dimension and direction in which it is largest",
        probability: true,
        of: |tally, _| circuit::of_runs(tally, circuit::busiest_utilization),
    },
    Metric {
        switching: Switching::Circuit,
        id: "backlog",
        axis: "messages waiting, per node",
        meaning: "the messages that wait for a link, on average over time, per node",
        probability: false,
        of: |tally, cell| circuit::backlog(tally, cell),
    },
    Metric {
        switching: Switching::Circuit,
        id: "refused",
        axis: "messages refused",
        meaning: "the share of messages whose destination is faulty or cut off",
        probability: true,
        of: |tally, _| circuit::refused(tally),
    },
    Metric {
        switching: Switching::Circuit,
        id: "collapse",
        axis: "time to collapse",
        meaning: "the mean time until the network jams for good, where it does within a run",
        probability: false,
        of: |tally, _| circuit::collapse(tally),
    },
    Metric {
        switching: Switching::Wormhole,
        id: "utilization",
        axis: "bisection utilization",
        meaning: "flits that messages bring across the middle of the mesh, as a share of what its live links could carry",
        probability: true,
        of: worm::utilization,
    },
    Metric {
        switching: Switching::Wormhole,
        id: "latency",
        axis: "mean latency, cycles",
        meaning: "the mean number of cycles from a message's generation until its tail is consumed",
        probability: false,
        of: worm::latency,
    },
    Metric {
        switching: Switching::Wormhole,
        id: "latency-median",
        axis: "median latency, cycles",
        meaning: "the latency that half of the messages stay below",
        probability: false,
        of: |tally, _| worm::quantile(tally, 0.5),
    },
    Metric {
        switching: Switching::Wormhole,
        id: "latency-95",
        axis: "95th percentile of latencies, cycles",
        meaning: "the latency that 95 of 100 messages stay below",
        probability: false,
        of: |tally, _| worm::quantile(tally, 0.95),
    },
    Metric {
        switching: Switching::Wormhole,
        id: "throughput",
        axis: "throughput, flits per node and cycle",
        meaning: "flits delivered, for each node that takes part and each cycle",
        probability: false,
        of: |tally, _| worm::of_runs(tally, |worms| worms.run.throughput()),
    },
    Metric {
        switching: Switching::Wormhole,
        id: "discarded",
        axis: "messages discarded",
        meaning: "the share of the messages generated that are discarded, because their source is above its injection limit",
        probability: true,
        of: |tally, _| worm::of_messages(tally, |run| (run.discarded as f64, run.generated)),
    },
    Metric {
        switching: Switching::Wormhole,
        id: "lost",
        axis: "messages lost",
        meaning: "messages that faults leave no way on, as a share of those generated",
        probability: true,
        of: |tally, _| worm::of_messages(tally, |run| (run.lost as f64, run.generated)),
    },
    Metric {
        switching: Switching::Wormhole,
        id: "hops",
        axis: "mean path length, hops",
        meaning: "the mean number of hops of the messages delivered",
        probability: false,
        of: |tally, _| worm::of_messages(tally, |run| (run.hops as f64, run.delivered)),
    },
    Metric {
        switching: Switching::Wormhole,
        id: "busiest",
        axis: "utilization of the busiest channel",
        meaning: "the share of time that the busiest channel carries a flit",
        probability: true,
        of: |tally, _| worm::of_runs(tally, worm::busiest),
    },
    Metric {
        switching: Switching::Permutation,
        id: "congestion",
        axis: "congestion, messages",
        meaning: "the most messages whose routes cross the same channel",
        probability: false,
        of: |tally, _| tally.relations.congestion.mean(),
    },
    Metric {
        switching: Switching::Permutation,
        id: "active",
        axis: "active nodes",
        meaning: "the share of all nodes that may send and receive: by the scheme's own rule, or, without one, the healthy ones",
        probability: true,
        of: |tally, _| tally.relations.active.ratio(),
    },
    Metric {
        switching: Switching::Permutation,
        id: "load",
        axis: "load, messages",
        meaning: "the most messages that go by way of the same intermediate node",
        probability: false,
        of: |tally, _| tally.relations.load.mean(),
    },
    Metric {
        switching: Switching::Permutation,
        id: "length",
        axis: "mean route length, hops",
        meaning: "the mean number of hops of a route",
        probability: false,
        of: |tally, _| tally.relations.length.ratio(),
    },
    Metric {
        switching: Switching::Permutation,
        id: "longest",
        axis: "longest route, hops",
        meaning: "the number of hops of the longest route",
        probability: false,
        of: |tally, _| tally.relations.longest.mean(),
    },
    Metric {
        switching: Switching::Permutation,
        id: "undelivered",
        axis: "messages without a route",
        meaning: "the share of the messages sent whose route runs into a fault, or that find no intermediate node",
        probability: true,
        of: |tally, _| tally.relations.undelivered.ratio(),
    },
    Metric {
        switching: Switching::Permutation,
        id: "kept-back",
        axis: "messages not sent",
        meaning: "of the messages that a rule such as transpose has, the share that is not sent because an end is not active",
        probability: true,
        of: |tally, _| tally.relations.kept_back.ratio(),
    },
    Metric {
        switching: Switching::Permutation,
        id: "choice",
        axis: "smallest set of intermediate nodes",
        meaning: "the fewest intermediate nodes that a message may choose from, as a share of all nodes (under Algorithm B squares, of all \
                  squares); up to n = 8",
        probability: true,
        of: |tally, _| tally.relations.choice.ratio(),
    },
    Metric {
        switching: Switching::Permutation,
        id: "applies",
        axis: "scheme applies",
        meaning: "the share of fault sets to which the scheme applies at all: those with a healthy subcube under Kim & Shin",
        probability: true,
        of: |tally, _| relation::applies(tally),
    },
    Metric {
        switching: Switching::Batch,
        id: "deadlock",
        axis: "probability of deadlock",
        meaning: "the share of batches in which a time comes when no message can ever move again",
        probability: true,
        of: |tally, _| relation::deadlock(tally),
    },
    Metric {
        switching: Switching::Batch,
        id: "finish",
        axis: "finish time, cycles",
        meaning: "the mean number of cycles until the last flit of all has arrived, of the batches that come to their ends",
        probability: false,
        of: |tally, _| tally.relations.finish.mean(),
    },
    Metric {
        switching: Switching::Batch,
        id: "freeze",
        axis: "time until nobody moves, cycles",
        meaning: "the mean number of cycles until no message can move, of the batches that deadlock",
        probability: false,
        of: |tally, _| tally.relations.freeze.mean(),
    },
    Metric {
        switching: Switching::Batch,
        id: "arrived",
        axis: "messages that arrive",
        meaning: "the share of the messages that arrive, of all batches, those that deadlock included",
        probability: true,
        of: |tally, _| tally.relations.arrived.ratio(),
    },
    Metric {
        switching: Switching::Batch,
        id: "active",
        axis: "active nodes",
        meaning: "the share of all nodes that may send and receive",
        probability: true,
        of: |tally, _| tally.relations.active.ratio(),
    },
    Metric {
        switching: Switching::Delivery,
        id: "cycles",
        axis: "delivery cycles",
        meaning: "the delivery cycle in which the last message arrives",
        probability: false,
        of: |tally, _| tally.deliveries.cycles.mean(),
    },
    Metric {
        switching: Switching::Delivery,
        id: "per-load",
        axis: "delivery cycles / load factor",
        meaning: "the delivery cycles in multiples of the load factor, below which nobody gets",
        probability: false,
        of: |tally, _| tally.deliveries.per_load.ratio(),
    },
    Metric {
        switching: Switching::Delivery,
        id: "transmissions",
        axis: "transmissions per message",
        meaning: "how often messages are sent, for each one that arrives",
        probability: false,
        of: |tally, _| tally.deliveries.transmissions.ratio(),
    },
    Metric {
        switching: Switching::Delivery,
        id: "literal",
        axis: "delivery cycles as the pseudo-code executes them",
        meaning: "the delivery cycles that the pseudo-code executes, idle ones and those after the last arrival included",
        probability: false,
        of: |tally, _| tally.deliveries.literal.mean(),
    },
    Metric {
        switching: Switching::Delivery,
        id: "busy",
        axis: "delivery cycles in which a message is sent",
        meaning: "the delivery cycles in which at least one message is sent",
        probability: false,
        of: |tally, _| tally.deliveries.busy.mean(),
    },
    Metric {
        switching: Switching::Delivery,
        id: "first",
        axis: "delivered in the first cycle",
        meaning: "the share of the messages that arrive in the first delivery cycle",
        probability: true,
        of: |tally, _| tally.deliveries.first.ratio(),
    },
    Metric {
        switching: Switching::Delivery,
        id: "delivered",
        axis: "messages delivered",
        meaning: "the share of the messages that arrive at all: those that dead wires cut off do not",
        probability: true,
        of: |tally, _| tally.deliveries.delivered.ratio(),
    },
    Metric {
        switching: Switching::Delivery,
        id: "load-factor",
        axis: "load factor",
        meaning: "the most messages over a channel for each of its live wires",
        probability: false,
        of: |tally, _| tally.deliveries.load_factor.ratio(),
    },
    Metric {
        switching: Switching::Delivery,
        id: "offline",
        axis: "cycles of the off-line schedule",
        meaning: "the delivery cycles that are needed if all is known in advance: the order in which messages arrived, packed by \
                  first fit; without dead wires, up to n = 4096",
        probability: false,
        of: |tally, _| tally.deliveries.offline.mean(),
    },
    Metric {
        switching: Switching::Delivery,
        id: "unfinished",
        axis: "runs without an end",
        meaning: "the share of runs that are stuck for ever, or take more than a million cycles",
        probability: true,
        of: |tally, _| delivery::unfinished(tally),
    },
    Metric {
        switching: Switching::Pairs,
        id: "cut-off",
        axis: "pairs cut off",
        meaning: "the share of ordered pairs of live nodes that the routing leaves without a live permitted path",
        probability: true,
        of: |tally, _| tally.pairs.ratio(),
    },
    Metric {
        switching: Switching::Pairs,
        id: "pairs",
        axis: "number of pairs cut off",
        meaning: "how many ordered pairs of live nodes the routing leaves without a live permitted path",
        probability: false,
        of: |tally, _| tally.pairs.mean(),
    },
];

impl Metric {
    /// The metrics of a kind of switching.
    pub fn all(switching: Switching) -> impl Iterator<Item = &'static Self> + Clone {
        METRICS.iter().filter(move |metric| metric.switching == switching)
    }

    /// The metric that decides when a point of this kind is done: the first one.
    pub fn first(switching: Switching) -> &'static Self {
        Self::all(switching).next().unwrap_or(&METRICS[0])
    }

    /// The metric of this kind called `id`; the first one if none is.
    pub fn find(switching: Switching, id: &str) -> &'static Self {
        Self::all(switching).find(|metric| metric.id == id).unwrap_or(Self::first(switching))
    }

    /// What `experiment` plots; the first metric if that is none.
    pub fn plotted(experiment: &Experiment) -> &'static Self {
        Self::find(experiment.switching, experiment.view.plot.unwrap_or_default())
    }
}
