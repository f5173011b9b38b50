//! The adversary of Theorem 9: message sets on which GREEDY takes a factor of lg n too long.

use std::fmt;

use super::LoadFactor;
use crate::random::{Generator, Key};
use crate::switching::delivery::{Concentrators, SurvivorPolicy};
use crate::topology::fat_tree::FatTree;
use crate::traffic::MessageSet;

/// More messages at a processor than it can ever send.
const SATURATED: u32 = u32::MAX;

/// A subtree whose unfavored quarter was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadChoice {
    /// Its leftmost processor.
    pub first: u32,
    /// The number of its processors.
    pub size: u32,
    /// t, the cycles that were simulated: lambda/12 more than it takes to remove lambda sqrt(size)/12 messages from it.
    pub cycles: u32,
    /// How many messages each of its quarters got out of the root.
    pub removed: [u32; 4],
    /// The quarter with the fewest, of equals the first: 0 to 3. The others get lambda sqrt(size)/6 messages each.
    pub unfavored: u8,
}

/// The bad message set M_n, and how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSet {
    /// The messages: all leave by the root's external channel.
    pub messages: MessageSet,
    /// The choices, from the whole tree down.
    pub choices: Vec<BadChoice>,
    /// Their load factor: lambda where capacities are 1, 2, 2, 4, 4, ..; where they are 1, 1, 2, 2, 4, 4, .. as in the
    /// paper, 4 lambda/3.
    pub load_factor: LoadFactor,
}

/// Why there is no bad set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadSetError {
    /// The tree has not an even number of levels.
    OddLevels(u8),
    /// A channel of even height h has not 2^(h/2) wires.
    Capacity {
        /// The height.
        height: u8,
        /// Its wires.
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
            Self::OddLevels(levels) => write!(f, "Theorem 9 needs a power of four of processors, not 2^{levels}"),
            Self::Capacity { height, capacity } => write!(
                f,
                "Theorem 9 needs 2^(h/2) wires at even heights h, as standard and sibling have, not {capacity} at {height}"
            ),
            Self::Lambda(lambda) => write!(f, "Theorem 9 needs a load factor of 12 or more, not {lambda}"),
            Self::NotAdmissible(policy) => write!(f, "Theorem 9 supposes admissible switches: {policy} is not"),
            Self::TooLarge => write!(f, "n times lambda is at most {MAX_WORK}"),
        }
    }
}

impl std::error::Error for BadSetError {}

/// The most processors times lambda of a bad set.
const MAX_WORK: u64 = 1 << 26;

/// The bad message set of Theorem 9 for GREEDY under `policy` with this `lambda`, built as its proof does.
///
/// From the whole tree down: the subtree at hand is saturated, the quarters around it are loaded already, and GREEDY runs
/// until lambda/12 cycles after lambda sqrt(n)/12 messages have left it. The quarter that had the fewest of them is the
/// next subtree; the three others get lambda sqrt(n)/6 messages, evenly, what is left over in bit-reversed order. The last
/// subtree, a processor, gets lambda. `policy` may leave its choices to chance, here that of `key`.
///
/// The paper's own capacities are 1, 1, 2, 2, 4, 4, ..; it overlooks the channels of odd height, which get 4 lambda/3, so
/// that property 1 of its claim fails. With 1, 2, 2, 4, 4, .. all three properties hold.
///
/// # Errors
/// If the theorem does not apply. Cost: up to lambda (1 + lg n/6) cycles of n messages for each of lg n/2 subtrees.
pub fn bad_set(tree: FatTree, lambda: u32, policy: SurvivorPolicy, key: Key) -> Result<BadSet, BadSetError> {
    check_bad_set(tree, lambda, policy)?;
    let n = tree.processors();
    let everyone: Vec<_> = (0..n).map(|from| (from, MessageSet::OUT)).collect();
    // One message for each processor stands for all: with a leaf channel of one wire, which one is sent is the same.
    let messages = MessageSet::list(u64::from(n), &everyone).map_err(|_| BadSetError::TooLarge)?;
    let mut load = vec![0; n as usize];
    let (mut first, mut size) = (0, n);
    let mut choices = Vec::new();
    while size > 1 {
        load[first as usize..(first + size) as usize].fill(SATURATED);
        let network = Concentrators::new(tree.channels(), None, policy, messages.clone());
        let network = network.map_err(|_| BadSetError::TooLarge)?;
        let mut generator = key.child(u64::from(size)).generator();
        let choice = least_served(network, load.clone(), (first, size), lambda, &mut generator);
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
    let messages = MessageSet::list(u64::from(n), &pairs).map_err(|_| BadSetError::TooLarge)?;
    let load_factor = LoadFactor::of(&tree.channels(), messages.ends());
    Ok(BadSet { messages, choices, load_factor })
}

/// Whether there is such a set.
///
/// # Errors
/// Why not.
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

/// GREEDY with `load` messages at the processors, until the quarters of the subtree have shown which is served least.
fn least_served(
    mut network: Concentrators,
    mut load: Vec<u32>,
    (first, size): (u32, u32),
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
        network.prepare().extend(ready);
        network.pass(cycles, generator);
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

/// The square root of a power of four.
fn root_of(size: u32) -> u32 {
    1 << (size.ilog2() / 2)
}

/// `count` messages, evenly; what is left over to the first processors in bit-reversed order.
fn spread(load: &mut [u32], count: u32) {
    let (size, bits) = (load.len() as u32, load.len().ilog2());
    load.fill(count / size);
    for place in 0..count % size {
        load[(place.reverse_bits() >> (32 - bits)) as usize] += 1;
    }
}

/// Theorem 9: GREEDY needs at least lambda lg n/24 cycles for the bad set of so many processors.
pub fn theorem_9_bound(processors: u32, lambda: u32) -> f64 {
    f64::from(lambda) * f64::from(processors.max(1).ilog2()) / 24.0
}

/// The cycles that GREEDY takes for the bad set where the first ones survive ([`SurvivorPolicy::Left`]) and lambda is a
/// multiple of 12: lambda (1 + lg n/6).
pub fn bad_set_cycles(processors: u32, lambda: u32) -> f64 {
    f64::from(lambda) * f64::from(6 + processors.max(1).ilog2()) / 6.0
}
