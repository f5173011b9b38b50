//! What a measured run of circuits found.

use serde::{Deserialize, Serialize};

use crate::switching::Histogram;

/// How a measured run came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunEnd {
    /// Not yet: more events are to come.
    Unfinished,
    /// Every message generated in the window completed its circuit.
    Complete,
    /// Messages came to wait for each other for ever.
    Deadlock {
        /// When, in mean transmission times.
        time: f64,
        /// The number of messages in the cycle.
        cycle: u64,
    },
    /// The network jammed ([`crate::switching::CircuitOutcome::Unstable`]). Means have no meaning then: it was on its way from one
    /// state to another.
    Unstable {
        /// Since when: the time to collapse, in mean transmission times.
        since: f64,
        /// When it was noticed.
        time: f64,
        /// The number of messages that waited then.
        backlog: u64,
        /// The transmissions that ended from `since` on, for each live node and mean transmission time.
        throughput: f64,
    },
}

/// Messages generated in one part of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// The number of those that completed their circuits.
    pub count: u64,
    /// The sum of their setup times, in mean transmission times.
    pub setup: f64,
}

/// What a measured run of circuits found. Times count mean transmission times; unless said otherwise, numbers and means
/// are those of the window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CircuitRun {
    /// How the run came to an end.
    pub end: RunEnd,
    /// The time at the end, the last measured messages having been followed beyond the window.
    pub time: f64,
    /// The events up to then, warm-up included.
    pub events: u64,
    /// What of the window was seen: its length if the run is complete.
    pub observed: f64,
    /// The live nodes.
    pub nodes: u64,
    /// Messages generated and accepted.
    pub generated: u64,
    /// Messages refused because their destination was faulty.
    pub refused_faulty: u64,
    /// Messages refused because faults left no path that the criterion permits.
    pub refused_cut_off: u64,
    /// Messages generated in the window whose circuits were completed, whenever that was.
    pub completed: u64,
    /// The sum of their setup times.
    pub setup: f64,
    /// Their setup times.
    pub histogram: Histogram,
    /// The same messages, by equal parts of the window in which they were generated: for batch means.
    pub batches: Vec<Batch>,
    /// The share of the time that each one-way link was reserved, waiting for others included; the link out of node v
    /// across dimension d of an n-cube at v * n + d.
    pub utilization: Vec<f64>,
    /// The mean number of messages that waited for each link, in the same order; one that waits for several counts at
    /// each.
    pub queues: Vec<f64>,
    /// For each dimension, the means of `utilization` over its live up-links and its live down-links.
    pub dimensions: Vec<[f64; 2]>,
    /// For each dimension, the means of `queues` likewise.
    pub dimension_queues: Vec<[f64; 2]>,
    /// The mean number of messages that waited.
    pub backlog: f64,
    /// The largest number of messages that waited at once.
    pub most_waiting: u64,
    /// Transmissions that ended, for each live node and mean transmission time.
    pub throughput: f64,
}

impl CircuitRun {
    /// The mean setup time; `None` if no measured message completed its circuit.
    pub fn mean_setup(&self) -> Option<f64> {
        (self.completed > 0).then(|| self.setup / self.completed as f64)
    }

    /// The messages refused, for whatever reason.
    pub fn refused(&self) -> u64 {
        self.refused_faulty + self.refused_cut_off
    }
}
