//! Sets of faults that are looked at one after the other, in rounds: for the ones that hurt most, and for those that refute a routing.

mod places;
mod rounds;

pub(super) use places::{Places, advance, drawn_set, sets};
#[cfg(feature = "threads")]
pub use rounds::run_parallel;
pub use rounds::{Rounds, run};

/// The sets of a round: the same on any number of threads.
pub(super) const ROUND: usize = 32;

/// A set of faults to be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The faults, as places in the list of all that may fail, ascending.
    pub(super) set: Vec<u32>,
    /// What is added to the experiment's seed.
    pub(super) seed: u64,
}
