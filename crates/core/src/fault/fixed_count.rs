//! Model B: a random set of exactly f faulty nodes that does not depend on the query order.

use rand::RngExt as _;

use crate::random::Key;
use crate::topology::{Hypercube, NodeId};

/// Largest cube dimension whose fault set is stored as a list.
const MAX_LISTED_DIMENSION: u8 = 10;

/// Number of 64-bit words of a listed set.
const BIT_SET_WORDS: usize = (1 << MAX_LISTED_DIMENSION) / 64;

/// Number of rounds of the cipher that orders the nodes of larger cubes.
///
/// Each round reduces the correlation of two nodes by a factor of about 2^(-n/4). From 11
/// dimensions on, 10^9 trials could not detect the remaining correlation.
const ROUNDS: usize = 12;

/// A uniform random set of f nodes that excludes the two endpoints.
#[derive(Clone, Debug)]
pub(super) enum FixedCountSet {
    /// Bit set of a small cube, exactly uniform.
    BitSet {
        /// Members of the set, or of its complement if the complement is smaller.
        bits: [u64; BIT_SET_WORDS],
        /// Status of the nodes whose bits are set.
        faulty: bool,
    },
    /// First f nodes of a random order, for large cubes. A cipher computes the order without a
    /// table.
    CipherOrder {
        /// Random order of the nodes.
        order: NodePermutation,
        /// Positions of the two endpoints in the order; the endpoints do not count.
        endpoints: [u64; 2],
        /// Number of faulty nodes.
        faults: u64,
    },
}

impl FixedCountSet {
    /// Samples the set of `faults` nodes (at most 2^n - 2) that `key` determines. Cost: at most
    /// 2^(n-1) draws, none above 10 dimensions.
    pub(super) fn new(cube: Hypercube, ends: [NodeId; 2], faults: u64, key: Key) -> Self {
        if cube.dimension() <= MAX_LISTED_DIMENSION {
            // An endpoint outside the cube ([`NodeId::NONE`]) excludes no node.
            let others = (cube.others() + 2) as u32 - ends.iter().filter(|&&end| cube.contains(end)).count() as u32;
            return Self::sample_bit_set(others, ends, faults.min(u64::from(others)) as u32, key);
        }
        let order = NodePermutation::new(cube, key);
        // An endpoint outside the cube is ordered after all nodes.
        let place = |end: NodeId| if cube.contains(end) { order.position(end.0) } else { u64::MAX };
        Self::CipherOrder { endpoints: ends.map(place), order, faults }
    }

    /// Samples a listed set with Floyd's algorithm: all sets are equally likely, and each member
    /// takes one random number.
    fn sample_bit_set(others: u32, ends: [NodeId; 2], faults: u32, key: Key) -> Self {
        let mut generator = key.generator();
        let mut bits = [0u64; BIT_SET_WORDS];
        let members = faults.min(others - faults);
        for last in others - members..others {
            let drawn = nth_inner_node(ends, generator.random_range(0..=last));
            let taken = bits[drawn / 64] >> (drawn % 64) & 1 == 1;
            let node = if taken { nth_inner_node(ends, last) } else { drawn };
            bits[node / 64] |= 1 << (node % 64);
        }
        Self::BitSet { bits, faulty: members == faults }
    }

    /// Returns whether `node` is in the set. `node` must not be an endpoint.
    pub(super) fn is_faulty(&self, node: NodeId) -> bool {
        match self {
            Self::BitSet { bits, faulty } => {
                let (word, bit) = (node.0 as usize / 64 % BIT_SET_WORDS, node.0 % 64);
                (bits[word] >> bit & 1 == 1) == *faulty
            }
            Self::CipherOrder { order, endpoints: ends, faults } => {
                let place = order.position(node.0);
                let before = ends.iter().filter(|&&end| end < place).count() as u64;
                place - before < *faults
            }
        }
    }
}

/// Returns node number `index` (from 0) of the nodes other than `ends`.
fn nth_inner_node(ends: [NodeId; 2], index: u32) -> usize {
    let (first, second) = (ends[0].0.min(ends[1].0), ends[0].0.max(ends[1].0));
    let mut node = u64::from(index);
    node += u64::from(node >= first);
    node += u64::from(node >= second);
    node as usize
}

/// A random order of all nodes: a Feistel cipher on their addresses.
#[derive(Clone, Debug)]
pub(super) struct NodePermutation {
    keys: [Key; ROUNDS],
    /// Number of bits in the low half of an address.
    low_bits: u8,
    low: u64,
    high: u64,
}

impl NodePermutation {
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

    /// Returns the position of `node`, 0 to 2^n - 1, which is unique for each node.
    #[inline]
    fn position(&self, node: u64) -> u64 {
        let (mut low, mut high) = (node & self.low, node >> self.low_bits);
        for [even, odd] in self.keys.as_chunks().0 {
            high ^= even.word_at(low) & self.high;
            low ^= odd.word_at(high) & self.low;
        }
        high << self.low_bits | low
    }
}
