//! Constants of RANDOM, which the paper leaves open.

use std::fmt;

/// The constants of RANDOM: the number of p-subsets sent, and their size.
///
/// In the paper's analysis, r is the congestion parameter, k1 = 4r/q with q = 1/(e^4 r ln r), and
/// k2 = 36r. With r = 24, k1 is about 4*10^5 and k2 about 900, and RANDOM consists only of its
/// start-up. Useful constants are much smaller; the best ones are an open question of the paper
/// (section 7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScheduleConstants {
    pub(super) k1: f64,
    pub(super) k2: f64,
    pub(super) r: f64,
}

/// The error of a constant out of range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantsError {
    /// The name of the constant.
    pub name: &'static str,
    /// The value of the constant.
    pub value: f64,
}

impl fmt::Display for ConstantsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = (ScheduleConstants::MIN, ScheduleConstants::MAX);
        write!(f, "{} must be a number from {least} to {most}, not {}", self.name, self.value)
    }
}

impl ScheduleConstants {
    /// Minimum value of a constant.
    pub const MIN: f64 = 0.001;
    /// Maximum value of a constant.
    pub const MAX: f64 = 1e7;

    /// Creates the constants: a guess of l is tried with max(k1 l, k2 lg n) p-subsets, p = 1/(r l).
    ///
    /// # Errors
    /// Returns the first constant outside [`ScheduleConstants::MIN`] to [`ScheduleConstants::MAX`].
    pub fn new(k1: f64, k2: f64, r: f64) -> Result<Self, ConstantsError> {
        let strange =
            [("k1", k1), ("k2", k2), ("r", r)].into_iter().find(|(_, it)| !(Self::MIN..=Self::MAX).contains(it));
        strange.map_or(Ok(Self { k1, k2, r }), |(name, value)| Err(ConstantsError { name, value }))
    }

    /// Returns the constants of the paper's proof, for a congestion parameter `r`.
    ///
    /// # Errors
    /// Returns an error if a constant is out of range, as it is for every r of 1 or less.
    pub fn from_proof(r: f64) -> Result<Self, ConstantsError> {
        let q = 1.0 / (libm::exp(4.0) * r * libm::log(r));
        Self::new(4.0 * r / q, 36.0 * r, r)
    }

    /// Returns the guess from which on RANDOM doubles its guesses (Fig. 2, line 8), (k2/k1) lg n lg
    /// lg n.
    ///
    /// The paper sets no lower bound on the guess. With a guess of 1 or less, TRY-GUESS sends all
    /// messages once, and the guess doubles. Only 0, the value for two processors, becomes 1,
    /// because doubling would not change it.
    pub fn first_doubled(&self, lg_n: f64) -> f64 {
        let guess = self.k2 / self.k1 * lg_n * libm::log2(lg_n);
        if guess > 0.0 { guess } else { 1.0 }
    }

    /// Returns the number of p-subsets that TRY-GUESS sends with a guess of `lambda`: max(k1
    /// lambda, k2 lg n), rounded up, at least one (Figure 3, line 3).
    pub fn subsets(&self, lambda: f64, lg_n: f64) -> u64 {
        libm::ceil((self.k1 * lambda).max(self.k2 * lg_n)).max(1.0) as u64
    }

    /// Returns k1, the number of p-subsets for each unit of a guessed load factor.
    pub fn k1(&self) -> f64 {
        self.k1
    }

    /// Returns k2, the minimum number of p-subsets for each level of the tree.
    pub fn k2(&self) -> f64 {
        self.k2
    }

    /// Returns r, the factor by which the load of a p-subset stays below the capacities.
    pub fn r(&self) -> f64 {
        self.r
    }
}
