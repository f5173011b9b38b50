//! Fault models, sampled fault sets and manual overrides.
//!
//! A [`FaultSpec`] describes the faults of an experiment. A [`FaultSampler`] is one sample of it,
//! queried node by node.

mod adversary;
pub mod block;
mod counted;
mod drawn;
mod faults;
mod model;
mod paths;
mod pattern;
mod wires;

pub use adversary::Adversary;
pub use block::{BlockFaults, CubeSets};
pub use drawn::{SampleError, SampledFaults};
pub use faults::Faults;
pub use model::{DeadWires, FaultModel, FaultSpec};
pub use paths::{
    ActiveSet, FaultyNodes, Left, NodeStatus, Tolerance, fault_free_into, fault_free_out, fault_free_through,
};
pub use pattern::{FaultSampler, MixHasher};
pub use wires::LiveWires;
