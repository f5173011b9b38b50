//! Where chance comes from: keys that name what is being drawn, and one generator for each thing that draws.
//!
//! Nothing here depends on the target, the number of threads or the order in which samples are taken.

use rand::{Rng as _, SeedableRng as _};

/// The generator of every random choice: xoshiro256++, the same on all targets.
pub type Generator = rand::rngs::Xoshiro256PlusPlus;

/// 2^64 / golden ratio, odd: spreads small differences over the whole word.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The multipliers of [`mix`].
const FIRST: u64 = 0xbf58_476d_1ce4_e5b9;
const SECOND: u64 = 0x94d0_49bb_1331_11eb;

/// A bijection of 64-bit words in which every output bit depends on every input bit (the finaliser of SplitMix64).
#[inline]
pub fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(FIRST);
    let word = (word ^ (word >> 27)).wrapping_mul(SECOND);
    word ^ (word >> 31)
}

/// A name for one source of chance. Keys of different names are unrelated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(u64);

impl Key {
    /// The key that an experiment's seed stands for.
    pub fn from_seed(seed: u64) -> Self {
        Self(mix(seed ^ GOLDEN))
    }

    /// The key of a part of this one, numbered.
    #[inline]
    pub fn child(self, number: u64) -> Self {
        Self(mix(self.0 ^ number.wrapping_add(1).wrapping_mul(GOLDEN)))
    }

    /// The key of a part of this one, named.
    pub fn named(self, name: &str) -> Self {
        name.bytes().fold(self.child(name.len() as u64), |key, byte| key.child(u64::from(byte)))
    }

    /// The generator that belongs to this key.
    #[inline]
    pub fn generator(self) -> Generator {
        Generator::seed_from_u64(self.0)
    }

    /// A uniform word for `index`, the same whenever it is asked for: chance without memory.
    #[inline]
    pub fn word_at(self, index: u64) -> u64 {
        mix(index ^ self.0)
    }

    /// A uniform number below 2^53 for `index`, the same whenever it is asked for: chance without memory.
    ///
    /// [`mix`] without its last step, which changes only bits of weight below 2^-31.
    #[inline(always)]
    pub fn fraction_at(self, index: u64) -> u64 {
        let word = index ^ self.0;
        let word = (word ^ (word >> 30)).wrapping_mul(FIRST);
        (word ^ (word >> 27)).wrapping_mul(SECOND) >> 11
    }
}

/// Returns the number of words of [`Key::fraction_at`], of all 2^53, that mean that an event of this probability happens: the smallest
/// ones. Exact for every probability that is a multiple of 2^-53.
#[inline]
pub fn threshold(probability: f64) -> u64 {
    (probability * (1u64 << 53) as f64) as u64
}

/// Returns a uniform number below `bound`, which is at most 2^20. Each number has its probability to within 2^-32: finer than 10^9 trials
/// can tell, and shorter in the innermost loop than the general range of `rand`.
#[inline(always)]
pub fn below(generator: &mut Generator, bound: u32) -> u32 {
    (((generator.next_u64() >> 32) * u64::from(bound)) >> 32) as u32
}
