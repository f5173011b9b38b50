//! Model B: exactly f faulty nodes, the same ones in whatever order they are asked for.

use rand::RngExt as _;

use crate::random::Key;
use crate::topology::{Hypercube, NodeId};

/// The largest cube whose fault set is drawn as a list.
const LISTED: u8 = 10;

/// The bits of a listed set.
const WORDS: usize = (1 << LISTED) / 64;

/// Rounds of the cipher that orders the nodes of larger cubes. Two nodes stay correlated by about 2^(-n/4) a round:
/// from 11 dimensions on, below what 10^9 trials could tell.
const ROUNDS: usize = 12;

/// A uniform set of f of the nodes besides the two ends.
#[derive(Clone, Debug)]
pub(super) enum Counted {
    /// Small cubes: the set itself, exactly uniform.
    Listed {
        /// Its nodes; or, if they are fewer, those that are not in it.
        bits: [u64; WORDS],
        /// What a bit that is set says of its node.
        faulty: bool,
    },
    /// Large cubes: the nodes in a random order of which the first f are faulty. The order is a cipher, so that it
    /// needs no memory.
    Ordered {
        /// The order.
        order: Order,
        /// Where the two ends, which do not count, stand in it.
        ends: [u64; 2],
        /// The number of faults.
        faults: u64,
    },
}

impl Counted {
    /// The set of `faults` nodes (at most 2^n - 2) that `key` stands for. Cost: 2^(n-1) draws at most, none above 10
    /// dimensions.
    pub(super) fn new(cube: Hypercube, ends: [NodeId; 2], faults: u64, key: Key) -> Self {
        if cube.dimension() <= LISTED {
            // Without ends to spare, one or both of them are no node of the cube.
            let others = (cube.others() + 2) as u32 - ends.iter().filter(|&&end| cube.contains(end)).count() as u32;
            return Self::list(others, ends, faults.min(u64::from(others)) as u32, key);
        }
        let order = Order::new(cube, key);
        // An end that is no node stands behind all nodes.
        let place = |end: NodeId| if cube.contains(end) { order.place(end.0) } else { u64::MAX };
        Self::Ordered { ends: ends.map(place), order, faults }
    }

    /// Floyd's sampling: each of the sets equally likely, one draw for each member.
    fn list(others: u32, ends: [NodeId; 2], faults: u32, key: Key) -> Self {
        let mut generator = key.generator();
        let mut bits = [0u64; WORDS];
        let members = faults.min(others - faults);
        for last in others - members..others {
            let drawn = nth_other(ends, generator.random_range(0..=last));
            let taken = bits[drawn / 64] >> (drawn % 64) & 1 == 1;
            let node = if taken { nth_other(ends, last) } else { drawn };
            bits[node / 64] |= 1 << (node % 64);
        }
        Self::Listed { bits, faulty: members == faults }
    }

    /// Whether `node`, not one of the ends, is in the set.
    pub(super) fn is_faulty(&self, node: NodeId) -> bool {
        match self {
            Self::Listed { bits, faulty } => {
                let (word, bit) = (node.0 as usize / 64 % WORDS, node.0 % 64);
                (bits[word] >> bit & 1 == 1) == *faulty
            }
            Self::Ordered { order, ends, faults } => {
                let place = order.place(node.0);
                let before = ends.iter().filter(|&&end| end < place).count() as u64;
                place - before < *faults
            }
        }
    }
}

/// Node number `index` (from 0) of those besides the `ends`.
fn nth_other(ends: [NodeId; 2], index: u32) -> usize {
    let (first, second) = (ends[0].0.min(ends[1].0), ends[0].0.max(ends[1].0));
    let mut node = u64::from(index);
    node += u64::from(node >= first);
    node += u64::from(node >= second);
    node as usize
}

/// A random order of all nodes: a Feistel cipher on their addresses.
#[derive(Clone, Debug)]
pub(super) struct Order {
    keys: [Key; ROUNDS],
    /// The low half of an address has this many bits.
    low_bits: u8,
    low: u64,
    high: u64,
}

impl Order {
    fn new(cube: Hypercube, key: Key) -> Self {
        let low_bits = cube.dimension() / 2;
        let low = (1u64 << low_bits) - 1;
        Self {
            keys: std::array::from_fn(|round| key.child(round as u64)),
            low_bits,
            low,
            high: cube.mask() >> low_bits,
        }
    }

    /// The place of `node`, 0 to 2^n - 1: another one for every node.
    #[inline]
    fn place(&self, node: u64) -> u64 {
        let (mut low, mut high) = (node & self.low, node >> self.low_bits);
        for [even, odd] in self.keys.as_chunks().0 {
            high ^= even.word_at(low) & self.high;
            low ^= odd.word_at(high) & self.low;
        }
        high << self.low_bits | low
    }
}
