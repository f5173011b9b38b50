//! Counts of delivery cycles.

use serde::{Deserialize, Serialize};

use crate::RatioTally;

/// Counts of delivery runs. Most fields count completed runs only.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeliveryTally {
    /// Number of runs that are stuck or take too long.
    pub unfinished: u64,
    /// Number of runs that are stuck: no further message ever arrives.
    pub stuck: u64,
    /// Cycle in which the last message arrived, per run.
    pub cycles: RatioTally,
    /// Cycle in which the last message arrived over the load factor, as a fraction.
    pub per_load: RatioTally,
    /// Load factor, as a fraction.
    pub load_factor: RatioTally,
    /// Cycles that the pseudo-code executes, per run.
    pub literal: RatioTally,
    /// Executed cycles in which a message was sent, per run.
    pub busy: RatioTally,
    /// Transmissions, repetitions included, per message that arrives.
    pub transmissions: RatioTally,
    /// Messages that arrive in the first cycle, as a share of all.
    pub first: RatioTally,
    /// Messages that arrive, as a share of all.
    pub delivered: RatioTally,
    /// Cycles of the off-line schedule, per run.
    pub offline: RatioTally,
    /// Loops of TRY-GUESS with the load factor as guess.
    pub loops: u64,
    /// Number of these loops that do not halve the load factor.
    pub unhalved: u64,
}

impl DeliveryTally {
    /// Adds the counts of `other`.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.unfinished += other.unfinished;
        self.stuck += other.stuck;
        self.loops += other.loops;
        self.unhalved += other.unhalved;
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
