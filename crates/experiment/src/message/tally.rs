//! Counts of single messages.

use serde::{Deserialize, Serialize};

use crate::stats::histogram::add_counts;
use faultlab_core::switching::{Outcome, TrapKind};

/// Counts of the results of messages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MessageTally {
    /// Messages by [`Outcome`], in the order of [`Outcome::ALL`].
    pub outcomes: [u64; Outcome::ALL.len()],
    /// Number of messages that reached the path limit while tunnelling.
    pub tunnelling: u64,
    /// Number of messages that reached the path limit inside a closed set of nodes, tunnelling
    /// included.
    pub trapped: u64,
    /// Delivered messages by excess: `lengths[i]` had a path of distance + 2i hops. No other
    /// lengths exist.
    pub lengths: Vec<u64>,
    /// Probability of arrival by number of hops, which replaces all other fields if nothing was
    /// sampled.
    pub exact: Option<Vec<f64>>,
}

impl MessageTally {
    /// Counts one message.
    pub(super) fn add(&mut self, outcome: Outcome, excess: u32, trapping: TrapKind) {
        self.outcomes[outcome.index()] += 1;
        self.tunnelling += u64::from(trapping == TrapKind::Tunnelling);
        self.trapped += u64::from(trapping != TrapKind::NoTrap);
        if outcome == Outcome::Delivered {
            let index = (excess / 2) as usize;
            if self.lengths.len() <= index {
                self.lengths.resize(index + 1, 0);
            }
            self.lengths[index] += 1;
        }
    }

    /// Adds the counts of `other`.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.tunnelling += other.tunnelling;
        self.trapped += other.trapped;
        self.outcomes.iter_mut().zip(&other.outcomes).for_each(|(into, more)| *into += more);
        add_counts(&mut self.lengths, &other.lengths);
        if other.exact.is_some() {
            self.exact.clone_from(&other.exact);
        }
    }

    /// Returns the number of messages with this outcome.
    pub fn count(&self, outcome: Outcome) -> u64 {
        self.outcomes[outcome.index()]
    }

    /// Returns the number of messages for each named outcome. The numbers add up to all messages.
    pub fn outcomes_by_name(&self) -> [(&'static str, u64); 7] {
        [
            ("delivered", self.delivered()),
            ("blocked at the source", self.count(Outcome::BlockedAtSource)),
            ("in a dead end", self.count(Outcome::Blocked)),
            ("lost at a fault", self.count(Outcome::Lost)),
            ("cut off", self.count(Outcome::Disconnected)),
            ("trapped", self.trapped),
            ("at the path limit", self.limited()),
        ]
    }

    /// Returns the number of messages that reached the path limit outside of any closed set of
    /// nodes, so that they could have continued.
    pub fn limited(&self) -> u64 {
        self.count(Outcome::LimitReached) - self.trapped
    }

    /// Returns the number of messages that arrived.
    pub fn delivered(&self) -> u64 {
        self.count(Outcome::Delivered)
    }

    /// Returns the path lengths of delivered messages over `distance`, each with its number of
    /// messages.
    pub fn histogram(&self, distance: u32) -> impl Iterator<Item = (u32, u64)> {
        self.lengths.iter().enumerate().map(move |(i, &count)| (distance + 2 * i as u32, count)).filter(|&(_, n)| n > 0)
    }
}
