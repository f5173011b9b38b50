//! What a measured run of worms found.

use serde::{Deserialize, Serialize};

use crate::switching::Histogram;

/// How a measured run came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WormEnd {
    /// Not yet: more cycles are to come.
    Unfinished,
    /// All cycles of the window have passed.
    Complete,
    /// Messages came to wait for each other for ever.
    Deadlock {
        /// The cycle since which they have waited.
        since: u64,
        /// The number of messages in the cycle.
        cycle: u64,
    },
}

/// What happened in one part of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WormBatch {
    /// Messages generated, discarded ones included.
    pub generated: u64,
    /// Messages delivered.
    pub delivered: u64,
    /// Messages delivered from one side of the bisection to the other.
    pub bisection: u64,
    /// The sum of the latencies of the delivered messages, in cycles.
    pub latency: u64,
    /// The sum of the channels that the delivered messages took.
    pub hops: u64,
    /// Messages discarded, above the injection limit.
    pub discarded: u64,
    /// Messages that faults left no way on.
    pub lost: u64,
    /// Messages in the network and in the queues of sources at the end of the part.
    pub in_flight: u64,
}

/// What a measured run of worms found. Unless said otherwise, numbers are of what happened in the window, whenever the
/// messages were generated; times count cycles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WormRun {
    /// How the run came to an end.
    pub end: WormEnd,
    /// What of the window was seen: its length if the run is complete.
    pub cycles: u64,
    /// The cycles of a batch.
    pub batch: u64,
    /// The nodes that send and receive.
    pub nodes: u64,
    /// The channels of the bisection, in both directions, that are not faulty.
    pub bisection_channels: u64,
    /// Flits of a message.
    pub length: u64,
    /// Messages generated, discarded ones included.
    pub generated: u64,
    /// Messages discarded, above the injection limit.
    pub discarded: u64,
    /// Messages delivered.
    pub delivered: u64,
    /// Messages delivered from one side of the bisection to the other.
    pub bisection: u64,
    /// Messages that faults left no way on.
    pub lost: u64,
    /// The sum of the latencies of the delivered messages, from generation to consumption of the tail.
    pub latency: u64,
    /// Their latencies.
    pub histogram: Histogram,
    /// The sum of the channels that they took.
    pub hops: u64,
    /// The number of times that a flit crossed a channel.
    pub flit_hops: u64,
    /// The window by equal parts: for batch means.
    pub batches: Vec<WormBatch>,
    /// The flits that crossed each channel; the channel out of node v by port p at v * 4 + p.
    pub flits: Vec<u64>,
    /// The flits that crossed each channel in the first half of the parts, in the same order; empty before it has passed.
    pub first_half: Vec<u64>,
    /// Messages in the network and in the queues of sources at the end.
    pub in_flight: u64,
}

impl WormRun {
    /// The bisection utilization, 0 to 1: flits of bisection messages delivered in a cycle, by the channels of the live
    /// links of the bisection, two each. 0 if there are none.
    pub fn utilization(&self) -> f64 {
        self.share(self.bisection, self.cycles)
    }

    /// The bisection utilization in each batch that was seen whole.
    pub fn batch_utilizations(&self) -> Vec<f64> {
        let whole = self.cycles.checked_div(self.batch).unwrap_or(0) as usize;
        self.batches.iter().take(whole).map(|batch| self.share(batch.bisection, self.batch)).collect()
    }

    /// The mean latency, in cycles; `None` if no message was delivered.
    pub fn mean_latency(&self) -> Option<f64> {
        (self.delivered > 0).then(|| self.latency as f64 / self.delivered as f64)
    }

    /// The latency that a share `q` (0 to 1) of the delivered messages does not exceed, right to 1/32.
    pub fn latency_quantile(&self, q: f64) -> Option<f64> {
        self.histogram.quantile(q)
    }

    /// The mean number of hops; `None` if no message was delivered.
    pub fn mean_hops(&self) -> Option<f64> {
        (self.delivered > 0).then(|| self.hops as f64 / self.delivered as f64)
    }

    /// Flits delivered, for each node that sends and receives and each cycle.
    pub fn throughput(&self) -> f64 {
        self.per_node(self.delivered)
    }

    /// Flits generated, discarded ones included, for each such node and cycle.
    pub fn offered(&self) -> f64 {
        self.per_node(self.generated)
    }

    fn per_node(&self, messages: u64) -> f64 {
        let places = self.nodes as f64 * self.cycles as f64;
        if places > 0.0 { (messages * self.length) as f64 / places } else { 0.0 }
    }

    fn share(&self, bisection: u64, cycles: u64) -> f64 {
        let room = self.bisection_channels as f64 * cycles as f64;
        if room > 0.0 { (bisection * self.length) as f64 / room } else { 0.0 }
    }
}
