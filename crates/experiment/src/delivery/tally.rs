//! What delivery cycles came to, counted.

use serde::{Deserialize, Serialize};

use crate::RatioTally;

/// What delivery cycles came to. Of most numbers only those runs count that came to an end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeliveryTally {
    /// Runs that are stuck for ever, or take too long.
    pub unfinished: u64,
    /// Those of them that are stuck.
    pub stuck: u64,
    /// The cycle in which the last message arrived; of 1.
    pub cycles: RatioTally,
    /// The same over the load factor, as a fraction.
    pub per_load: RatioTally,
    /// The load factor, as a fraction.
    pub load_factor: RatioTally,
    /// The cycles that the pseudo-code executes; of 1.
    pub literal: RatioTally,
    /// Those of them in which a message was sent; of 1.
    pub busy: RatioTally,
    /// Messages sent, again and again, for those that arrive.
    pub transmissions: RatioTally,
    /// Messages that arrive in the first cycle, of all.
    pub first: RatioTally,
    /// Messages that arrive, of all.
    pub delivered: RatioTally,
    /// The cycles of the off-line schedule; of 1.
    pub offline: RatioTally,
}

impl DeliveryTally {
    /// Adds the counts of `other`.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.unfinished += other.unfinished;
        self.stuck += other.stuck;
        let ratios = [
            (&mut self.cycles, &other.cycles),
            (&mut self.per_load, &other.per_load),
            (&mut self.load_factor, &other.load_factor),
            (&mut self.literal, &other.literal),
            (&mut self.busy, &other.busy),
            (&mut self.transmissions, &other.transmissions),
            (&mut self.first, &other.first),
            (&mut self.delivered, &other.delivered),
            (&mut self.offline, &other.offline),
        ];
        ratios.into_iter().for_each(|(ratio, more)| ratio.merge(more));
    }
}
