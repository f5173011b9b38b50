//! Pairs of nodes that faults cut off.

mod cost;
mod kind;
mod metrics;
mod tally;
pub(crate) mod trial;

pub use kind::KIND;
pub use tally::PairTally;
