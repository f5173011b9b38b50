//! Searches over fault sets in rounds, for worst-case faults and for counterexamples.

mod places;
mod rounds;

pub(super) use places::{FaultSites, advance, drawn_set, sets};
#[cfg(feature = "threads")]
pub use rounds::run_parallel;
pub use rounds::{BatchSearch, run};

/// Number of sets in a round, independent of the number of threads.
pub(super) const ROUND: usize = 32;

/// Fault set to evaluate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Faults as indices into the list of all possible faults, ascending.
    pub(super) set: Vec<u32>,
    /// Offset of the experiment's seed.
    pub(super) seed: u64,
}
