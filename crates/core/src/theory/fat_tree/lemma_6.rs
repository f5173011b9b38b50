//! Measurement for Lemma 6: the share of the messages of a p-subset that arrive.

use rand::Rng as _;

use super::LoadFactor;
use crate::random::Key;
use crate::switching::delivery::{Concentrators, DeliveryError, SurvivorPolicy};
use crate::topology::fat_tree::{FatTree, TreeChannels};
use crate::traffic::MessageSet;

/// Delivery counts of p-subsets of a message set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lemma6 {
    /// Probability that each message is sent, p = min(1, 1/(r lambda)).
    pub probability: f64,
    /// Number of messages sent, over all trials.
    pub sent: u64,
    /// Number of messages that arrived.
    pub delivered: u64,
}

impl Lemma6 {
    /// Returns the share of the sent messages that arrived; `None` if no message was sent.
    ///
    /// The share is at least 1/2 by Lemma 6 if r is the congestion parameter.
    pub fn share(&self) -> Option<f64> {
        (self.sent > 0).then(|| self.delivered as f64 / self.sent as f64)
    }
}

/// Sends `trials` p-subsets of `messages`, each in a separate cycle. Cost: a draw for each message
/// and trial.
///
/// # Errors
/// If the messages do not fit the network.
pub fn lemma_6(
    channels: TreeChannels,
    messages: &MessageSet,
    r: f64,
    policy: SurvivorPolicy,
    trials: u32,
    key: Key,
) -> Result<Lemma6, DeliveryError> {
    let mut concentrators = Concentrators::new(channels, None, policy, messages.clone())?;
    let lambda = LoadFactor::new(&channels, messages.ends()).value();
    let probability = (1.0 / (r * lambda)).clamp(0.0, 1.0);
    let threshold = (probability * (1u128 << 64) as f64) as u64;
    let mut generator = key.generator();
    let mut found = Lemma6 { probability, sent: 0, delivered: 0 };
    for trial in 1..=trials {
        let all = 0..messages.len();
        // A threshold of 2^64 does not fit the type, so a probability of 1 is handled separately.
        let chosen = all.filter(|_| generator.next_u64() < threshold || probability >= 1.0);
        concentrators.begin_cycle().extend(chosen);
        concentrators.run_cycle(trial, &mut generator);
        found.sent += concentrators.sent().len() as u64;
        found.delivered += concentrators.arrived().len() as u64;
    }
    Ok(found)
}

/// Returns the bound in the proof of Lemma 6 on the probability that a sent message that turns at
/// height `apex` arrives.
///
/// The bound is 1 minus the sum of (e/r)^cap(h) over the channels of its path, but at least 0.
pub fn lemma_6_bound(tree: FatTree, r: f64, apex: u8) -> f64 {
    let heights = tree.capacities().take(usize::from(apex.min(tree.levels())));
    let sum: f64 = heights.map(|cap| 2.0 * libm::pow(std::f64::consts::E / r, f64::from(cap))).sum();
    (1.0 - sum).max(0.0)
}
