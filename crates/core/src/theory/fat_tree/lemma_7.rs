//! Measurements for Lemma 7: the p-subsets after which the load factor is halved, and bad cycles.

use rand::Rng as _;

use super::LoadFactor;
use crate::random::{Generator, Key, probability_threshold};
use crate::switching::delivery::{Concentrators, DeliveryError, SurvivorPolicy};
use crate::topology::fat_tree::TreeChannels;
use crate::traffic::MessageSet;

/// Runs TRY-GUESS's innermost loop (Figure 3, lines 3 to 6) on `messages`, with their load factor
/// lambda as the guess. Returns the number of p-subsets, p = 1/(r lambda), after which the undelivered
/// messages have a load factor of at most lambda/2; `None` if `most` are not enough.
///
/// Congested channels lose all their messages, as the proof supposes. Cost: a draw for each
/// undelivered message and subset, and a load factor of the undelivered messages after each subset in
/// which a message arrives.
///
/// # Errors
/// Returns an error if the messages do not fit the network.
pub fn subsets_until_halved(
    channels: TreeChannels,
    messages: &MessageSet,
    r: f64,
    most: u32,
    key: Key,
) -> Result<Option<u32>, DeliveryError> {
    let mut cycles = SubsetCycles::new(channels, messages, r, key)?;
    let lambda = LoadFactor::new(&channels, messages.ends()).value();
    let mut left: Vec<u32> = (0..messages.len()).collect();
    let mut is_left = vec![true; left.len()];
    let load = |left: &[u32]| {
        let ends: Vec<_> = left.iter().filter_map(|&number| messages.ends().get(number as usize).copied()).collect();
        LoadFactor::new(&channels, &ends).value()
    };
    for cycle in 1..=most {
        let arrived = cycles.run(cycle, &left);
        if !arrived.is_empty() {
            arrived.iter().for_each(|&number| is_left[number as usize] = false);
            left.retain(|&number| is_left[number as usize]);
            if load(&left) <= lambda / 2.0 {
                return Ok(Some(cycle));
            }
        }
    }
    Ok(None)
}

/// Cycles that are bad for the channel with the largest load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadCycles {
    /// Number of cycles in which fewer than cap/8r of the channel's messages arrived.
    pub bad: u64,
    /// Number of cycles.
    pub cycles: u64,
}

/// Sends `cycles` p-subsets of all `messages`, p = 1/(r lambda), and counts those that are bad for the
/// channel that attains the load factor. Cost: a draw for each message and cycle.
///
/// # Errors
/// Returns an error if the messages do not fit the network.
pub fn bad_cycles(
    channels: TreeChannels,
    messages: &MessageSet,
    r: f64,
    cycles: u32,
    key: Key,
) -> Result<BadCycles, DeliveryError> {
    let mut subsets = SubsetCycles::new(channels, messages, r, key)?;
    let load = LoadFactor::new(&channels, messages.ends());
    let busiest = load.channel().and_then(|place| channels.channel_at(place));
    let crosses = |ends: &[u32; 2]| channels.path(ends[0], ends[1], 0).any(|channel| Some(channel) == busiest);
    let crosses: Vec<bool> = messages.ends().iter().map(crosses).collect();
    let good = f64::from(load.wires()) / (8.0 * r);
    let all: Vec<u32> = (0..messages.len()).collect();
    let mut bad = 0;
    for cycle in 1..=cycles {
        let arrived = subsets.run(cycle, &all).iter().filter(|&&number| crosses[number as usize]).count();
        bad += u64::from((arrived as f64) < good);
    }
    Ok(BadCycles { bad, cycles: cycles.into() })
}

/// Cycles that send p-subsets of a message set.
struct SubsetCycles {
    concentrators: Concentrators,
    /// Threshold of a random word below which a message is sent.
    threshold: u64,
    generator: Generator,
}

impl SubsetCycles {
    fn new(channels: TreeChannels, messages: &MessageSet, r: f64, key: Key) -> Result<Self, DeliveryError> {
        let lambda = LoadFactor::new(&channels, messages.ends()).value();
        let concentrators = Concentrators::new(channels, None, SurvivorPolicy::DropAll, messages.clone())?;
        let threshold = probability_threshold((1.0 / (r * lambda)).clamp(0.0, 1.0));
        Ok(Self { concentrators, threshold, generator: key.generator() })
    }

    /// Sends a random subset of the messages in `left`, and returns those that arrive.
    fn run(&mut self, cycle: u32, left: &[u32]) -> &[u32] {
        let (generator, threshold) = (&mut self.generator, self.threshold);
        let chosen = left.iter().copied().filter(|_| generator.next_u64() >> 11 < threshold);
        self.concentrators.begin_cycle().extend(chosen);
        self.concentrators.run_cycle(cycle, &mut self.generator);
        self.concentrators.arrived()
    }
}
