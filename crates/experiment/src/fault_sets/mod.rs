//! Searches over fault sets in rounds, for worst-case faults and for counterexamples.

mod batch_search;
mod fault_sites;

#[cfg(feature = "threads")]
pub use batch_search::run_parallel;
pub use batch_search::{BatchSearch, run};
pub(super) use fault_sites::{FaultSites, advance, random_set, sets};

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
