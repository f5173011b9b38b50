//! Algorithms on hypercubes that decide hop by hop, for single messages, circuits and worms.

pub(crate) mod backtracking;
pub(crate) mod criterion;
pub(crate) mod deterministic;
pub(crate) mod ecube;
pub(crate) mod global;
pub(crate) mod hierarchy;
pub(crate) mod minimal;
pub(crate) mod preference;
pub(crate) mod random;
pub(crate) mod sidetracking;
pub(crate) mod worm;
