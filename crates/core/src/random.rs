//! Random numbers: keys that identify sources of randomness, and the generators derived from them.
//!
//! The values do not depend on the target, the number of threads or the order of sampling.

use rand::{Rng as _, SeedableRng as _};

/// Generator of every random choice: xoshiro256++, identical on all targets.
pub type Generator = rand::rngs::Xoshiro256PlusPlus;

/// Odd integer near 2^64 / golden ratio: as a factor, it spreads small differences over the whole
/// word.
const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// First multiplier of [`mix`].
const MIX_MULTIPLIER_1: u64 = 0xbf58_476d_1ce4_e5b9;
/// Second multiplier of [`mix`].
const MIX_MULTIPLIER_2: u64 = 0x94d0_49bb_1331_11eb;

/// Mixes a word with a bijection in which every output bit depends on every input bit (the
/// finaliser of SplitMix64).
#[inline]
pub fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(MIX_MULTIPLIER_1);
    let word = (word ^ (word >> 27)).wrapping_mul(MIX_MULTIPLIER_2);
    word ^ (word >> 31)
}

/// Identifier of one source of randomness. Keys with different identifiers are unrelated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(u64);

impl Key {
    /// Returns the root key of an experiment's seed.
    pub fn from_seed(seed: u64) -> Self {
        Self(mix(seed ^ GOLDEN_GAMMA))
    }

    /// Derives the independent key number `number` from this key.
    #[inline]
    pub fn child(self, number: u64) -> Self {
        Self(mix(self.0 ^ number.wrapping_add(1).wrapping_mul(GOLDEN_GAMMA)))
    }

    /// Derives the independent key called `name` from this key.
    pub fn named(self, name: &str) -> Self {
        name.bytes().fold(self.child(name.len() as u64), |key, byte| key.child(u64::from(byte)))
    }

    /// Returns the generator seeded with this key.
    #[inline]
    pub fn generator(self) -> Generator {
        Generator::seed_from_u64(self.0)
    }

    /// Returns a uniform word that depends only on the key and `index`.
    #[inline]
    pub fn word_at(self, index: u64) -> u64 {
        mix(index ^ self.0)
    }

    /// Returns a uniform number below 2^53 that depends only on the key and `index`.
    ///
    /// Skips the last step of [`mix`], which changes only bits of weight below 2^-31.
    #[inline(always)]
    pub fn hash_u53(self, index: u64) -> u64 {
        let word = index ^ self.0;
        let word = (word ^ (word >> 30)).wrapping_mul(MIX_MULTIPLIER_1);
        (word ^ (word >> 27)).wrapping_mul(MIX_MULTIPLIER_2) >> 11
    }
}

/// Returns the number of values of [`Key::hash_u53`], of all 2^53, for which an event of
/// probability `probability` happens.
///
/// The event happens for values below the returned number, which is exact for every multiple of
/// 2^-53.
#[inline]
pub fn probability_threshold(probability: f64) -> u64 {
    (probability * (1u64 << 53) as f64) as u64
}

/// Returns a uniform number below `bound`, which is at most 2^20.
///
/// Each number has its probability to within 2^-32, a difference that 10^9 trials cannot detect.
/// The code is shorter than the general range of `rand`, which matters in the innermost loop.
#[inline(always)]
pub fn below(generator: &mut Generator, bound: u32) -> u32 {
    (((generator.next_u64() >> 32) * u64::from(bound)) >> 32) as u32
}
