//! Results of a measured run of circuits.

use serde::{Deserialize, Serialize};

use super::CircuitTransitionCounts;
use crate::switching::SetupHistogram;

/// Reason why a measured run ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CircuitEnd {
    /// The run has not ended: more events will follow.
    Unfinished,
    /// Every message generated in the window completed its circuit.
    Complete,
    /// Messages wait for each other in a cycle, forever.
    Deadlock {
        /// Start of the deadlock, in mean transmission times.
        time: f64,
        /// Number of messages in the cycle.
        cycle: u64,
    },
    /// The network jammed ([`crate::switching::CircuitOutcome::Unstable`]). Means are meaningless
    /// then, since the network was in transition between two states.
    Unstable {
        /// Start of the jam, in mean transmission times: the time to collapse.
        since: f64,
        /// Time at which the engine noticed the jam.
        time: f64,
        /// Number of messages that waited at that time.
        backlog: u64,
        /// Transmissions that ended from `since` on, per live node and mean transmission time.
        throughput: f64,
    },
}

/// Setup times of some of the messages generated in the window, such as those of one part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CircuitBatch {
    /// Number of messages that completed their circuits.
    pub count: u64,
    /// Sum of the setup times of the completed circuits, in mean transmission times.
    pub setup: f64,
}

impl CircuitBatch {
    /// Adds a message with this setup time.
    #[inline(always)]
    pub(super) fn add(&mut self, setup: f64) {
        self.count += 1;
        self.setup += setup;
    }
}

/// Results of a measured run of circuits.
///
/// Times count mean transmission times. Unless noted otherwise, numbers and means cover the window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CircuitRun {
    /// Reason why the run ended.
    pub end: CircuitEnd,
    /// Time at the end. The last measured messages are followed beyond the window.
    pub time: f64,
    /// Number of events until the end of the run, including the warm-up.
    pub events: u64,
    /// Observed part of the window: its length if the run is complete.
    pub observed: f64,
    /// Number of live nodes.
    pub nodes: u64,
    /// Messages generated and accepted.
    pub generated: u64,
    /// Messages refused because their destination was faulty.
    pub refused_faulty: u64,
    /// Messages refused because faults left no path that the criterion permits.
    pub refused_cut_off: u64,
    /// Messages generated in the window that completed their circuits, in the window or later.
    pub completed: u64,
    /// Sum of the setup times of the completed messages, each up to its first complete circuit.
    pub setup: f64,
    /// Attempts of the completed messages: one each under reserve and hold.
    pub attempts: u64,
    /// Count and setup times of the completed messages between nodes that differ in more than half
    /// of the dimensions.
    pub far: CircuitBatch,
    /// Count and setup times of the completed messages of the slowest quarter of the sources, at
    /// least one source: those with the largest mean setup times.
    pub slowest_sources: CircuitBatch,
    /// Histogram of the setup times of the completed messages.
    pub histogram: SetupHistogram,
    /// Completed messages by equal parts of the window in which they were generated, for batch
    /// means.
    pub batches: Vec<CircuitBatch>,
    /// Share of the time for which each one-way link was reserved, including waits for other links.
    ///
    /// The link out of node v across dimension d of an n-cube has index `v * n + d`.
    pub utilization: Vec<f64>,
    /// Mean number of messages that waited for each link, in the same order. A message that waits
    /// for several links counts at each.
    pub queues: Vec<f64>,
    /// Means of `utilization` over the live up-links and the live down-links of each dimension.
    pub dimensions: Vec<[f64; 2]>,
    /// Means of `queues` over the live up-links and the live down-links of each dimension.
    pub dimension_queues: Vec<[f64; 2]>,
    /// Mean number of messages that waited.
    pub backlog: f64,
    /// Largest number of messages that waited at once.
    pub most_waiting: u64,
    /// Transmissions that ended, per live node and mean transmission time.
    pub throughput: f64,
    /// Counts of faults that arrive, from the start of the run; `None` if none do.
    pub transition: Option<CircuitTransitionCounts>,
}

impl CircuitRun {
    /// Returns the mean setup time, `None` if no measured message completed its circuit.
    pub fn mean_setup(&self) -> Option<f64> {
        (self.completed > 0).then(|| self.setup / self.completed as f64)
    }

    /// Returns the number of refused messages, whatever the reason.
    pub fn refused(&self) -> u64 {
        self.refused_faulty + self.refused_cut_off
    }
}
