//! Pairs of nodes that faults cut off.

mod cost;
mod kind;
mod metrics;
pub(crate) mod trial;

pub use kind::KIND;
