//! The constants of RANDOM, which the paper leaves open.

use std::fmt;

/// The constants of RANDOM: how often a p-subset is sent, and how small it is.
///
/// The paper's analysis asks for r as the congestion parameter, k1 = 4r/q with q = 1/(e^4 r ln r), and k2 = 36r: with
/// r = 24, 4*10^5 and 900. With these RANDOM is all start-up; it takes much smaller ones to be of use, and which are good is
/// an open question of the paper (section 7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScheduleTerms {
    pub(super) k1: f64,
    pub(super) k2: f64,
    pub(super) r: f64,
}

/// A constant out of range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TermsError {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
}

impl fmt::Display for TermsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = (ScheduleTerms::LEAST, ScheduleTerms::MOST);
        write!(f, "{} is a number from {least} to {most}, not {}", self.name, self.value)
    }
}

impl ScheduleTerms {
    /// The smallest value of a constant.
    pub const LEAST: f64 = 0.001;
    /// The largest value of a constant.
    pub const MOST: f64 = 1e7;

    /// These constants: a guess of l is tried with max(k1 l, k2 lg n) p-subsets, p = 1/(r l).
    ///
    /// # Errors
    /// The first one that is not from [`ScheduleTerms::LEAST`] to [`ScheduleTerms::MOST`].
    pub fn new(k1: f64, k2: f64, r: f64) -> Result<Self, TermsError> {
        let strange =
            [("k1", k1), ("k2", k2), ("r", r)].into_iter().find(|(_, it)| !(Self::LEAST..=Self::MOST).contains(it));
        strange.map_or(Ok(Self { k1, k2, r }), |(name, value)| Err(TermsError { name, value }))
    }

    /// The constants of the paper's proof, for a congestion parameter `r`.
    ///
    /// # Errors
    /// If one is out of range; r of 1 or less has none.
    pub fn of_proof(r: f64) -> Result<Self, TermsError> {
        let q = 1.0 / (libm::exp(4.0) * r * libm::log(r));
        Self::new(4.0 * r / q, 36.0 * r, r)
    }

    /// The guess from which on RANDOM doubles its guesses (Fig. 2, line 8), (k2/k1) lg n lg lg n.
    ///
    /// The paper has no lower bound on it: with a guess of 1 or less TRY-GUESS sends everything once, and the guess doubles.
    /// Only the 0 that it is for two processors, which no doubling would change, becomes 1.
    pub fn first_doubled(&self, lg_n: f64) -> f64 {
        let guess = self.k2 / self.k1 * lg_n * libm::log2(lg_n);
        if guess > 0.0 { guess } else { 1.0 }
    }

    /// k1: sendings for each unit of a guessed load factor.
    pub fn k1(&self) -> f64 {
        self.k1
    }

    /// k2: sendings for each level of the tree, at least.
    pub fn k2(&self) -> f64 {
        self.k2
    }

    /// r: by how much the load of a p-subset is kept below the capacities.
    pub fn r(&self) -> f64 {
        self.r
    }
}
