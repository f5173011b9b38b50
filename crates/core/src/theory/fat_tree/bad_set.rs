//! Adversary of Theorem 9: message sets for which GREEDY is slower than optimal by a factor of lg
//! n.

use std::fmt;

use super::LoadFactor;
use crate::random::{Generator, Key};
use crate::switching::delivery::{Concentrators, SurvivorPolicy};
use crate::topology::fat_tree::FatTree;
use crate::traffic::MessageSet;

/// Load of a saturated processor: more messages than it can ever send.
const SATURATED: u32 = u32::MAX;

/// Choice of the unfavored quarter of a subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadChoice {
    /// Leftmost processor of the subtree.
    pub first: u32,
    /// Number of processors of the subtree.
    pub size: u32,
    /// Number of simulated cycles t: lambda/12 more than it takes to remove lambda sqrt(size)/12
    /// messages from the subtree.
    pub cycles: u32,
    /// Messages that each quarter sent out of the root.
    pub removed: [u32; 4],
    /// Quarter with the fewest removed messages, 0 to 3; ties go to the first. The other quarters
    /// get lambda sqrt(size)/6 messages each.
    pub unfavored: u8,
}

/// Bad message set M_n, with the choices of its construction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSet {
    /// Messages, which all leave through the root's external channel.
    pub messages: MessageSet,
    /// Choices, from the whole tree down.
    pub choices: Vec<BadChoice>,
    /// Load factor of the messages: lambda for capacities 1, 2, 2, 4, 4, ..; 4 lambda/3 for the
    /// paper's 1, 1, 2, 2, 4, 4, ..
    pub load_factor: LoadFactor,
}

/// Reason why a bad set cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadSetError {
    /// The number of levels is odd.
    OddLevels(u8),
    /// A channel of even height h does not have 2^(h/2) wires.
    Capacity {
        /// Height of the channel.
        height: u8,
        /// Number of wires of the channel.
        capacity: u32,
    },
    /// The load factor is below 12.
    Lambda(u32),
    /// The switches are not admissible.
    NotAdmissible(SurvivorPolicy),
    /// The simulation would take too long.
    TooLarge,
}

impl fmt::Display for BadSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OddLevels(levels) => {
                write!(f, "Theorem 9 needs a number of processors that is a power of four, not 2^{levels}")
            }
            Self::Capacity { height, capacity } => write!(
                f,
                "Theorem 9 needs 2^(h/2) wires at even heights h, as standard and sibling have, not {capacity} at height {height}"
            ),
            Self::Lambda(lambda) => write!(f, "Theorem 9 needs a load factor of 12 or more, not {lambda}"),
            Self::NotAdmissible(policy) => {
                write!(f, "Theorem 9 assumes admissible switches: {policy} is not admissible")
            }
            Self::TooLarge => write!(f, "n times lambda must be at most {MAX_WORK}"),
        }
    }
}

impl std::error::Error for BadSetError {}

/// Maximum of the number of processors times lambda.
const MAX_WORK: u64 = 1 << 26;

/// Builds the bad message set of Theorem 9 for GREEDY under `policy` with parameter `lambda`, as in
/// the proof.
///
/// The construction proceeds from the whole tree down. The current subtree is saturated. The
/// quarters outside it already have their load. GREEDY runs until lambda/12 cycles after lambda
/// sqrt(n)/12 messages have left the subtree. The quarter with the fewest of these messages is the
/// next subtree. The three others get lambda sqrt(n)/6 messages, distributed evenly, with the
/// remainder in bit-reversed order. The last subtree, a single processor, gets lambda. A random
/// `policy` draws from `key`.
///
/// The paper's own capacities are 1, 1, 2, 2, 4, 4, .. The paper overlooks the channels of odd
/// height, which get 4 lambda/3, so property 1 of its claim fails. With 1, 2, 2, 4, 4, .. all three
/// properties hold.
///
/// # Errors
/// If the theorem does not apply. Cost: up to lambda (1 + lg n/6) cycles of n messages for each of
/// lg n/2 subtrees.
pub fn bad_set(tree: FatTree, lambda: u32, policy: SurvivorPolicy, key: Key) -> Result<BadSet, BadSetError> {
    check_bad_set(tree, lambda, policy)?;
    let n = tree.processors();
    let everyone: Vec<_> = (0..n).map(|from| (from, MessageSet::OUT)).collect();
    // One message per processor represents all of its messages: its leaf channel has one wire, and
    // the messages have equal paths.
    let messages = MessageSet::from_pairs(u64::from(n), &everyone).map_err(|_| BadSetError::TooLarge)?;
    let mut load = vec![0; n as usize];
    let (mut first, mut size) = (0, n);
    let mut choices = Vec::new();
    while size > 1 {
        load[first as usize..(first + size) as usize].fill(SATURATED);
        let network = Concentrators::new(tree.channels(), None, policy, messages.clone());
        let network = network.map_err(|_| BadSetError::TooLarge)?;
        let mut generator = key.child(u64::from(size)).generator();
        let choice = least_served(network, load.clone(), first, size, lambda, &mut generator);
        let quarter = size / 4;
        let share = (u64::from(lambda) * u64::from(root_of(size)) / 6) as u32;
        for other in (0..4).filter(|&other| other != choice.unfavored) {
            let start = (first + u32::from(other) * quarter) as usize;
            spread(&mut load[start..start + quarter as usize], share);
        }
        first += u32::from(choice.unfavored) * quarter;
        size = quarter;
        choices.push(choice);
    }
    load[first as usize] = lambda;
    let pairs: Vec<_> = (0..n)
        .zip(load)
        .flat_map(|(from, count)| std::iter::repeat_n((from, MessageSet::OUT), count as usize))
        .collect();
    let messages = MessageSet::from_pairs(u64::from(n), &pairs).map_err(|_| BadSetError::TooLarge)?;
    let load_factor = LoadFactor::new(&tree.channels(), messages.ends());
    Ok(BadSet { messages, choices, load_factor })
}

/// Checks the conditions of [`bad_set`].
///
/// # Errors
/// The condition that is not met.
pub fn check_bad_set(tree: FatTree, lambda: u32, policy: SurvivorPolicy) -> Result<(), BadSetError> {
    if !tree.levels().is_multiple_of(2) {
        return Err(BadSetError::OddLevels(tree.levels()));
    }
    let strange = (0..).zip(tree.capacities()).find(|&(height, cap)| height % 2 == 0 && cap != 1u32 << (height / 2));
    if let Some((height, capacity)) = strange {
        return Err(BadSetError::Capacity { height, capacity });
    }
    if lambda < 12 {
        return Err(BadSetError::Lambda(lambda));
    }
    if !policy.is_admissible() {
        return Err(BadSetError::NotAdmissible(policy));
    }
    if u64::from(tree.processors()) * u64::from(lambda) > MAX_WORK { Err(BadSetError::TooLarge) } else { Ok(()) }
}

/// Runs GREEDY with `load` messages at the processors until the least served quarter of the subtree
/// of `size` processors from `first` on is determined.
fn least_served(
    mut network: Concentrators,
    mut load: Vec<u32>,
    first: u32,
    size: u32,
    lambda: u32,
    generator: &mut Generator,
) -> BadChoice {
    let enough = (u64::from(lambda) * u64::from(root_of(size)) / 12) as u32;
    let mut removed = [0; 4];
    let (mut cycles, mut after) = (0, 0);
    while after < lambda / 12 {
        after += u32::from(removed.iter().sum::<u32>() >= enough);
        cycles += 1;
        let ready = (0..).zip(&load).filter(|(_, left)| **left > 0).map(|(processor, _)| processor);
        network.begin_cycle().extend(ready);
        network.run_cycle(cycles, generator);
        for &processor in network.arrived() {
            match &mut load[processor as usize] {
                &mut SATURATED => removed[((processor - first) / (size / 4)) as usize] += 1,
                left => *left -= 1,
            }
        }
    }
    let unfavored = (0..4u8).min_by_key(|&quarter| removed[usize::from(quarter)]).unwrap_or(0);
    BadChoice { first, size, cycles, removed, unfavored }
}

/// Returns the square root of a power of four.
fn root_of(size: u32) -> u32 {
    1 << (size.ilog2() / 2)
}

/// Distributes `count` messages evenly. The remainder goes to the first processors in bit-reversed
/// order.
fn spread(load: &mut [u32], count: u32) {
    let (size, bits) = (load.len() as u32, load.len().ilog2());
    load.fill(count / size);
    for place in 0..count % size {
        load[(place.reverse_bits() >> (32 - bits)) as usize] += 1;
    }
}

/// Theorem 9: returns the lower bound on GREEDY's cycles for the bad set of `processors`
/// processors, lambda lg n/24.
pub fn theorem_9_bound(processors: u32, lambda: u32) -> f64 {
    f64::from(lambda) * f64::from(processors.max(1).ilog2()) / 24.0
}

/// Returns the cycles that GREEDY takes for the bad set if the first messages survive
/// ([`SurvivorPolicy::Left`]) and lambda is a multiple of 12: lambda (1 + lg n/6).
pub fn bad_set_cycles(processors: u32, lambda: u32) -> f64 {
    f64::from(lambda) * f64::from(6 + processors.max(1).ilog2()) / 6.0
}
