//! What whole permutations and batches came to, counted.

use serde::{Deserialize, Serialize};

use crate::RatioTally;
use crate::stats::counts::add_counts;

/// What whole permutations came to. Of most numbers only those trials count that had a message.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PermutationTally {
    /// Trials to whose faults the scheme does not apply.
    pub unavailable: u64,
    /// Active nodes, of all nodes.
    pub active: RatioTally,
    /// Messages of a rule that are not sent for an inactive end, of all it has.
    pub kept_back: RatioTally,
    /// Messages without a route, of those sent.
    pub undelivered: RatioTally,
    /// The most messages that cross one channel; of 1.
    pub congestion: RatioTally,
    /// The most messages with the same intermediate node; of 1.
    pub load: RatioTally,
    /// Hops, of the routes.
    pub length: RatioTally,
    /// The hops of the longest route; of 1.
    pub longest: RatioTally,
    /// The smallest set of intermediate nodes of a message, of all nodes; in small cubes.
    pub choice: RatioTally,
    /// Channels by the number of messages that cross them.
    pub channels: Vec<u64>,
    /// Routes by their number of hops.
    pub lengths: Vec<u64>,
    /// The cycles of the batches that came to their ends; of 1.
    pub finish: RatioTally,
    /// The cycles until nobody could move, of those that froze; of 1.
    pub freeze: RatioTally,
    /// Messages that arrive, of those with a route, batches that froze included.
    pub arrived: RatioTally,
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
        ];
        ratios.into_iter().for_each(|(ratio, more)| ratio.merge(more));
        add_counts(&mut self.channels, &other.channels);
        add_counts(&mut self.lengths, &other.lengths);
    }
}
