//! What is broken: fault sets, given by hand or drawn from a model.
//!
//! A [`FaultSpec`] says which faults an experiment has; a [`FaultPattern`] is one drawing of it, asked node by node.

mod counted;
mod model;
mod pattern;

pub use model::{FaultModel, FaultSpec};
pub use pattern::{FaultPattern, Faults, MixHasher};
