//! Counts of whole permutations and batches.

use serde::{Deserialize, Serialize};

use crate::RatioTally;
use crate::stats::histogram::add_counts;

/// Counts of whole permutations. Most fields count only trials with at least one message.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PermutationTally {
    /// Number of trials to whose faults the scheme does not apply.
    pub unavailable: u64,
    /// Active nodes, as a share of all nodes.
    pub active: RatioTally,
    /// Messages of a rule that are not sent because an end is inactive, as a share of all messages
    /// of the rule.
    pub kept_back: RatioTally,
    /// Messages without a route, as a share of those sent.
    pub undelivered: RatioTally,
    /// Maximum number of messages that cross one channel, per trial.
    pub congestion: RatioTally,
    /// Maximum number of messages with the same intermediate node, per trial.
    pub load: RatioTally,
    /// Hops per route.
    pub length: RatioTally,
    /// Hops of the longest route, per trial.
    pub longest: RatioTally,
    /// Size of the smallest set of intermediate nodes of a message, as a share of all nodes; in
    /// small hypercubes only.
    pub choice: RatioTally,
    /// Number of channels, by the number of messages that cross them.
    pub channels: Vec<u64>,
    /// Number of routes, by their number of hops.
    pub lengths: Vec<u64>,
    /// Cycles of a batch that completed.
    pub finish: RatioTally,
    /// Cycles until no message could move, of a batch that deadlocked.
    pub freeze: RatioTally,
    /// Messages that arrive, as a share of those with a route, in all batches.
    pub arrived: RatioTally,
    /// Messages of a batch that are dropped because faults arrive.
    pub dropped: RatioTally,
    /// Messages of a batch that are sent again.
    pub resent: RatioTally,
    /// Cycles of a batch from the arrival of faults until no route leads over a fault.
    pub transition: RatioTally,
}

impl PermutationTally {
    /// Adds the counts of `other`.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.unavailable += other.unavailable;
        let ratios = [
            (&mut self.active, &other.active),
            (&mut self.kept_back, &other.kept_back),
            (&mut self.undelivered, &other.undelivered),
            (&mut self.congestion, &other.congestion),
            (&mut self.load, &other.load),
            (&mut self.length, &other.length),
            (&mut self.longest, &other.longest),
            (&mut self.choice, &other.choice),
            (&mut self.finish, &other.finish),
            (&mut self.freeze, &other.freeze),
            (&mut self.arrived, &other.arrived),
            (&mut self.dropped, &other.dropped),
            (&mut self.resent, &other.resent),
            (&mut self.transition, &other.transition),
        ];
        ratios.into_iter().for_each(|(ratio, more)| ratio.merge(more));
        add_counts(&mut self.channels, &other.channels);
        add_counts(&mut self.lengths, &other.lengths);
    }
}
