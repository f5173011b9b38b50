//! Lemma 7: TRY-GUESS's innermost loop with the load factor as its guess, many times.

use rand::Rng as _;

use super::LoadFactor;
use crate::random::{Generator, Key};
use crate::routing::fat_tree::ScheduleConstants;
use crate::switching::delivery::{Concentrators, DeliveryError, SurvivorPolicy};
use crate::topology::fat_tree::TreeChannels;
use crate::traffic::MessageSet;

/// TRY-GUESS's innermost loop (Greenberg & Leiserson, Figure 3, lines 3 to 6) on a message set,
/// with the load factor lambda of the set as the guess.
///
/// The loop sends max(k1 lambda, k2 lg n) p-subsets of the undelivered messages, p = 1/(r lambda).
/// By Lemma 7 the undelivered messages then have a load factor of at most lambda/2, except with
/// probability O(1/n^2), for the constants of the proof.
#[derive(Clone, Debug)]
pub struct HalvingLoop {
    concentrators: Concentrators,
    lambda: LoadFactor,
    /// Number of p-subsets of a loop.
    subsets: u64,
    /// Natural logarithm of 1 - p; minus infinity for p = 1.
    log_miss: f64,
    /// Number of messages that must cross each channel, by channel number.
    loads: Vec<u32>,
    /// Wires of each channel, by channel number.
    wires: Vec<u32>,
}

/// Result of one run of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalvingResult {
    /// Number of p-subsets after which the load factor is halved; `None` if the loop ends before.
    pub halved_after: Option<u64>,
    /// Number of messages sent, repetitions included, until then.
    pub sent: u64,
}

impl HalvingLoop {
    /// Creates the loop; `None` if no message needs a channel, or in the second network. The proof
    /// assumes switches under [`SurvivorPolicy::DropAll`]. Cost: the messages and channels.
    ///
    /// # Errors
    /// Returns an error if the messages do not fit the network.
    pub fn new(
        channels: TreeChannels,
        messages: &MessageSet,
        policy: SurvivorPolicy,
        constants: &ScheduleConstants,
    ) -> Result<Option<Self>, DeliveryError> {
        let lambda = LoadFactor::new(&channels, messages.ends());
        let concentrators = Concentrators::new(channels, None, policy, messages.clone())?;
        if lambda.load() == 0 || channels.wire_bits() > 0 {
            return Ok(None);
        }
        let (mut loads, mut wires) = (vec![0; channels.table_size()], vec![0; channels.table_size()]);
        for channel in channels.iter() {
            wires[channel.0 as usize] = concentrators.capacity(channel);
        }
        for &[from, to] in messages.ends() {
            channels.path(from, to, 0).for_each(|channel| loads[channel.0 as usize] += 1);
        }
        let probability = (1.0 / (constants.r() * lambda.value())).min(1.0);
        let subsets = constants.subsets(lambda.value(), f64::from(channels.processors().max(1).ilog2()));
        Ok(Some(Self { concentrators, lambda, subsets, log_miss: libm::log1p(-probability), loads, wires }))
    }

    /// Returns the number of p-subsets of the loop.
    pub fn subsets(&self) -> u64 {
        self.subsets
    }

    /// Runs the loop until the load factor is halved, or to its end. `key` determines the subsets.
    ///
    /// Cost: the messages and channels, and a step for each message sent and channel on its path.
    pub fn run(&mut self, key: Key) -> HalvingResult {
        let mut generator = key.generator();
        let mut left: Vec<u32> = (0..self.concentrators.messages().len()).collect();
        let mut loads = self.loads.clone();
        let mut over = (0..loads.len()).filter(|&channel| self.is_over(channel, loads[channel])).count();
        let (mut done, mut sent) = (0, 0);
        let mut skipped = self.next_gap(&mut generator);
        loop {
            // Subsets without a message.
            let empty = skipped / left.len().max(1) as u64;
            done = u64::saturating_add(done, empty);
            skipped -= empty * left.len() as u64;
            if done >= self.subsets {
                return HalvingResult { halved_after: None, sent };
            }
            done += 1;
            skipped = self.send_subset(&left, skipped, &mut generator);
            sent += self.concentrators.sent().len() as u64;
            self.concentrators.run_cycle(u32::try_from(done).unwrap_or(u32::MAX), &mut generator);
            let channels = *self.concentrators.channels();
            for &message in self.concentrators.arrived() {
                let [from, to] = self.concentrators.messages().ends()[message as usize];
                for channel in channels.path(from, to, 0).map(|channel| channel.0 as usize) {
                    let was_over = self.is_over(channel, loads[channel]);
                    loads[channel] -= 1;
                    over -= usize::from(was_over && !self.is_over(channel, loads[channel]));
                }
            }
            if over == 0 {
                return HalvingResult { halved_after: Some(done), sent };
            }
            let arrived = self.concentrators.arrived();
            if !arrived.is_empty() {
                let mut sorted = arrived.to_vec();
                sorted.sort_unstable();
                left.retain(|message| sorted.binary_search(message).is_err());
            }
        }
    }

    /// Fills the next subset with the message after the first `skipped` in `left`, and with further
    /// ones at random gaps. Returns the number of messages of the next subsets to skip.
    fn send_subset(&mut self, left: &[u32], skipped: u64, generator: &mut Generator) -> u64 {
        let log_miss = self.log_miss;
        let subset = self.concentrators.begin_cycle();
        let mut next = skipped;
        while let Some(&message) = usize::try_from(next).ok().and_then(|next| left.get(next)) {
            subset.push(message);
            next = (next + 1).saturating_add(gap(log_miss, generator));
        }
        next - left.len() as u64
    }

    fn next_gap(&self, generator: &mut Generator) -> u64 {
        gap(self.log_miss, generator)
    }

    /// Returns whether a channel with `load` messages has more than lambda/2 messages for each
    /// wire.
    fn is_over(&self, channel: usize, load: u32) -> bool {
        let product = |messages: u32, wires: u32| u64::from(messages) * u64::from(wires);
        2 * product(load, self.lambda.wires()) > product(self.lambda.load(), self.wires[channel])
    }
}

/// Returns the number of messages before the next one that is sent, geometrically distributed.
fn gap(log_miss: f64, generator: &mut Generator) -> u64 {
    let uniform = ((generator.next_u64() >> 11) + 1) as f64 * (1.0 / (1u64 << 53) as f64);
    // Saturates; 0 for p = 1.
    libm::floor(libm::log(uniform) / log_miss) as u64
}

#[cfg(test)]
mod tests {
    use super::super::subsets_until_halved;
    use super::*;
    use crate::topology::fat_tree::{FatTree, Profile};
    use crate::traffic::{MessagePattern, NamedPermutation, Permutation};

    fn halving(channels: TreeChannels, messages: &MessageSet, [k1, k2, r]: [f64; 3]) -> HalvingLoop {
        let constants = ScheduleConstants::new(k1, k2, r).expect("constants in range");
        HalvingLoop::new(channels, messages, SurvivorPolicy::DropAll, &constants).expect("messages").expect("a load")
    }

    /// Returns the share of 6000 loops that fail, for `count` messages on one wire with p =
    /// 1/count.
    fn failing_share(count: usize, subsets: f64) -> f64 {
        let tree = FatTree::new(2, &Profile::Skinny).expect("a tree");
        let messages = MessageSet::from_pairs(2, &vec![(0, 1); count]).expect("messages");
        let mut halving = halving(tree.channels(), &messages, [0.001, subsets, 1.0]);
        assert_eq!(halving.subsets(), subsets as u64);
        let failed = (0..6000).filter(|&seed| halving.run(Key::from_seed(seed)).halved_after.is_none());
        failed.count() as f64 / 6000.0
    }

    /// A wire loses all messages of a subset of two or more. Two messages: halved by one of m
    /// subsets that sends one message, each with probability 1/2. Four messages, p = 1/4: two
    /// subsets of three must send one message, each with probability 4 p (1-p)^3 = 3 p (1-p)^2 = a.
    /// The standard deviation is below 0.0065.
    #[test]
    fn failures_on_one_wire_match_closed_forms() {
        for subsets in 1..=3 {
            let wanted = 1.0 / f64::from(1 << subsets);
            let found = failing_share(2, f64::from(subsets));
            assert!((found - wanted).abs() < 0.026, "{subsets}: {found}");
        }
        let a = 27.0 / 64.0;
        let found = failing_share(4, 3.0);
        assert!((found - (1.0 - 3.0 * a * a * (1.0 - a) - a * a * a)).abs() < 0.026, "{found}");
    }

    /// The number of subsets until the load factor is halved has the same mean as in the loop that
    /// draws every message of every subset.
    #[test]
    fn gaps_agree_with_a_draw_for_each_message() {
        let tree = FatTree::new(32, &Profile::Volume).expect("a tree");
        let pattern = MessagePattern::Permutation(Permutation::Named(NamedPermutation::BitReversal), 3);
        let messages = MessageSet::new(32, pattern, Key::from_seed(0)).expect("messages");
        let (r, loops) = (3.0, 1500);
        let mut halving = halving(tree.channels(), &messages, [1e6, 1e6, r]);
        let mut sums = [[0.0; 2]; 2];
        for seed in 0..loops {
            let key = Key::from_seed(seed);
            let drawn = subsets_until_halved(tree.channels(), &messages, r, 1_000_000, key).expect("a run");
            let skipped = halving.run(key.child(1)).halved_after;
            for (sums, found) in sums.iter_mut().zip([drawn.map(u64::from), skipped]) {
                let found = found.expect("a million subsets are enough") as f64;
                sums[0] += found;
                sums[1] += found * found;
            }
        }
        let count = loops as f64;
        let [drawn, skipped] = sums.map(|[sum, squares]| (sum / count, (squares - sum * sum / count) / count / count));
        let deviation = (drawn.1 + skipped.1).sqrt();
        assert!((drawn.0 - skipped.0).abs() < 4.0 * deviation, "{drawn:?} {skipped:?}");
    }

    #[test]
    fn sets_without_load_have_no_loop() {
        let tree = FatTree::new(4, &Profile::Standard).expect("a tree");
        let constants = ScheduleConstants::new(1.0, 1.0, 1.0).expect("constants");
        let still = MessageSet::from_pairs(4, &[(1, 1)]).expect("messages");
        let made = HalvingLoop::new(tree.channels(), &still, SurvivorPolicy::DropAll, &constants);
        assert!(made.is_ok_and(|made| made.is_none()));
        let other = MessageSet::from_pairs(8, &[(1, 7)]).expect("messages");
        assert!(HalvingLoop::new(tree.channels(), &other, SurvivorPolicy::DropAll, &constants).is_err());
    }
}
