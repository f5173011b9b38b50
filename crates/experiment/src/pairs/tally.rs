//! Counts of the pairs that faults cut off.

use serde::{Deserialize, Serialize};

use crate::{Estimate, RatioTally, proportion};

/// Counts over fault sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairTally {
    /// Ordered pairs of live nodes that are cut off, as a ratio to all such pairs.
    pub pairs: RatioTally,
    /// Fault sets that cut off no pair.
    pub connected: u64,
    /// Fault sets that cut off only pairs with a node without a live link.
    pub single_nodes: u64,
}

impl PairTally {
    /// Counts a fault set with `live` ordered pairs, of which it cuts off `cut_off`. Of those,
    /// `isolated` have a node without a live link.
    pub(super) fn add(&mut self, cut_off: u64, live: u64, isolated: u64) {
        self.pairs.add(cut_off, live);
        self.connected += u64::from(cut_off == 0);
        self.single_nodes += u64::from(cut_off == isolated);
    }

    /// Adds the counts of `other`.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.pairs.merge(&other.pairs);
        self.connected += other.connected;
        self.single_nodes += other.single_nodes;
    }

    /// Estimates the probability of an event that `count` of the fault sets have.
    pub(super) fn probability(&self, count: u64) -> Option<Estimate> {
        proportion(count, self.pairs.trials)
    }
}
