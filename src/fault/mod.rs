//! What is broken: fault sets, given by hand or drawn from a model.
//!
//! A [`FaultSpec`] says which faults an experiment has; a [`FaultPattern`] is one drawing of it, asked node by node.

pub mod block;
mod counted;
mod drawn;
mod model;
mod pattern;

pub use block::BlockFaults;
pub use drawn::DrawnFaults;
pub use model::{FaultModel, FaultSpec};
pub use pattern::{FaultPattern, Faults, MixHasher};
