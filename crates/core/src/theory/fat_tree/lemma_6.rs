//! Lemma 6 measured: how often a message of a p-subset arrives.

use rand::Rng as _;

use super::LoadFactor;
use crate::random::Key;
use crate::switching::delivery::{Concentrators, DeliveryError, SurvivorPolicy};
use crate::topology::fat_tree::{FatTree, TreeChannels};
use crate::traffic::MessageSet;

/// What became of p-subsets of a message set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lemma6 {
    /// p = min(1, 1/(r lambda)): the probability of each message to be sent.
    pub probability: f64,
    /// The messages that were sent, over all trials.
    pub sent: u64,
    /// Those that arrived.
    pub delivered: u64,
}

impl Lemma6 {
    /// The share of those sent that arrived, at least 1/2 by Lemma 6 if r is the congestion parameter; `None` if none was
    /// sent.
    pub fn share(&self) -> Option<f64> {
        (self.sent > 0).then(|| self.delivered as f64 / self.sent as f64)
    }
}

/// Sends `trials` p-subsets of `messages`, each in a cycle of its own. Cost: a draw for each message and trial.
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
    let lambda = LoadFactor::of(&channels, messages.ends()).value();
    let probability = (1.0 / (r * lambda)).clamp(0.0, 1.0);
    let threshold = (probability * (1u128 << 64) as f64) as u64;
    let mut generator = key.generator();
    let mut found = Lemma6 { probability, sent: 0, delivered: 0 };
    for trial in 1..=trials {
        let all = 0..messages.len();
        // A threshold of 2^64 does not fit its type: then all are sent.
        let chosen = all.filter(|_| generator.next_u64() < threshold || probability >= 1.0);
        concentrators.prepare().extend(chosen);
        concentrators.pass(trial, &mut generator);
        found.sent += concentrators.sent().len() as u64;
        found.delivered += concentrators.arrived().len() as u64;
    }
    Ok(found)
}

/// What the proof of Lemma 6 guarantees of a message that is sent and turns at height `apex`: 1 minus the sum of
/// (e/r)^cap(h) over the channels of its path, 0 if that is negative.
pub fn lemma_6_bound(tree: FatTree, r: f64, apex: u8) -> f64 {
    let heights = tree.capacities().take(usize::from(apex.min(tree.levels())));
    let sum: f64 = heights.map(|cap| 2.0 * libm::pow(std::f64::consts::E / r, f64::from(cap))).sum();
    (1.0 - sum).max(0.0)
}
