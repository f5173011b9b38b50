//! Results of a measured run of worms.

use serde::{Deserialize, Serialize};

use super::TransitionCounts;
use crate::switching::SetupHistogram;

/// Reason why a measured run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WormEnd {
    /// The run has not ended: more cycles will follow.
    Unfinished,
    /// All cycles of the window have passed.
    Complete,
    /// Messages wait for each other in a cycle, forever.
    Deadlock {
        /// Cycle since which the messages have waited.
        since: u64,
        /// Number of messages in the cycle.
        cycle: u64,
    },
}

/// Flits of the messages that a run counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlitCounts {
    /// Flits of the messages generated, including discarded ones.
    pub generated: u64,
    /// Flits of the messages delivered.
    pub delivered: u64,
    /// Flits of the messages delivered across the bisection.
    pub bisection: u64,
    /// Channels that the flits of the delivered messages have crossed.
    pub hops: u64,
}

/// Counters of one batch of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WormBatch {
    /// Messages generated, including discarded ones.
    pub generated: u64,
    /// Messages delivered.
    pub delivered: u64,
    /// Messages delivered across the bisection.
    pub bisection: u64,
    /// Flits of the messages of `generated`, `delivered` and `bisection`.
    pub flits: FlitCounts,
    /// Sum of the latencies of the delivered messages, in cycles.
    pub latency: u64,
    /// Total number of hops of the delivered messages.
    pub hops: u64,
    /// Messages discarded, above the injection limit.
    pub discarded: u64,
    /// Messages lost, because faults left them no route.
    pub lost: u64,
    /// Messages in the network and in source queues at the end of the batch.
    pub in_flight: u64,
}

/// Results of a measured run of worms.
///
/// Times count cycles. Unless noted otherwise, numbers cover the events in the window, whenever the
/// messages were generated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WormRun {
    /// Reason why the run ended.
    pub end: WormEnd,
    /// Observed cycles of the window: its length if the run is complete.
    pub cycles: u64,
    /// Number of cycles of a batch.
    pub batch: u64,
    /// Number of nodes that send and receive.
    pub nodes: u64,
    /// Number of live channels of the bisection, in both directions.
    pub bisection_channels: u64,
    /// Flits of the messages of `generated`, `delivered` and `bisection`.
    pub message_flits: FlitCounts,
    /// Messages generated, including discarded ones.
    pub generated: u64,
    /// Messages discarded, above the injection limit.
    pub discarded: u64,
    /// Messages delivered.
    pub delivered: u64,
    /// Messages delivered across the bisection.
    pub bisection: u64,
    /// Messages lost, because faults left them no route.
    pub lost: u64,
    /// Sum of the latencies of the delivered messages, from generation to consumption of the tail.
    pub latency: u64,
    /// Histogram of the latencies of the delivered messages.
    pub histogram: SetupHistogram,
    /// Total number of hops of the delivered messages.
    pub hops: u64,
    /// Number of flit transfers over channels.
    pub flit_hops: u64,
    /// Counters of each batch of the window, for batch means.
    pub batches: Vec<WormBatch>,
    /// Flits that crossed each channel. The channel out of node v by port p has index `v * 4 + p`.
    pub flits: Vec<u64>,
    /// Flits that crossed each channel in the first half of the batches, in the same order; empty
    /// before that half is over.
    pub first_half: Vec<u64>,
    /// Messages in the network and in source queues at the end.
    pub in_flight: u64,
    /// Scheduled messages that have not started at the end.
    pub unstarted: u64,
    /// Counts of the transition, from the start of the run; `None` if no faults arrive while messages move.
    pub transition: Option<TransitionCounts>,
}

impl WormRun {
    /// Returns the bisection utilization, 0 to 1; 0 if no bisection channel is live.
    ///
    /// The utilization is the number of flits of bisection messages delivered per cycle, divided by
    /// the number of live channels of the bisection, two per link.
    pub fn utilization(&self) -> f64 {
        self.share(self.message_flits.bisection, self.cycles)
    }

    /// Returns the bisection utilization of each complete batch.
    pub fn batch_utilizations(&self) -> Vec<f64> {
        let whole = self.cycles.checked_div(self.batch).unwrap_or(0) as usize;
        self.batches.iter().take(whole).map(|batch| self.share(batch.flits.bisection, self.batch)).collect()
    }

    /// Returns the mean latency, in cycles; `None` if no message was delivered.
    pub fn mean_latency(&self) -> Option<f64> {
        (self.delivered > 0).then(|| self.latency as f64 / self.delivered as f64)
    }

    /// Returns the quantile `q` (0 to 1) of the latency, with a relative error of at most 1/32.
    pub fn latency_quantile(&self, q: f64) -> Option<f64> {
        self.histogram.quantile(q)
    }

    /// Returns the mean number of hops; `None` if no message was delivered.
    pub fn mean_hops(&self) -> Option<f64> {
        (self.delivered > 0).then(|| self.hops as f64 / self.delivered as f64)
    }

    /// Returns the flits delivered per cycle and node that sends and receives.
    pub fn throughput(&self) -> f64 {
        self.per_node(self.message_flits.delivered)
    }

    /// Returns the flits generated, including discarded ones, per cycle and node that sends and
    /// receives.
    pub fn offered(&self) -> f64 {
        self.per_node(self.message_flits.generated)
    }

    fn per_node(&self, flits: u64) -> f64 {
        let places = self.nodes as f64 * self.cycles as f64;
        if places > 0.0 { flits as f64 / places } else { 0.0 }
    }

    fn share(&self, flits: u64, cycles: u64) -> f64 {
        let room = self.bisection_channels as f64 * cycles as f64;
        if room > 0.0 { flits as f64 / room } else { 0.0 }
    }
}
