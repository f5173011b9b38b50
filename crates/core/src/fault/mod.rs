//! Fault models, sampled fault sets and manual overrides.
//!
//! A [`FaultSpec`] describes the faults of an experiment. A [`FaultSampler`] is one sample of it,
//! queried node by node.

mod adversary;
pub mod block;
mod butterfly;
mod dead_wires;
mod faults;
mod fixed_count;
mod model;
mod paths;
mod pattern;
mod sampled;

pub use adversary::Adversary;
pub use block::{BlockFaults, CubeSets};
pub use butterfly::ButterflyFaults;
pub use dead_wires::LiveWires;
pub use faults::Faults;
pub use model::{DeadWires, FaultModel, FaultSpec};
pub use paths::{
    ActiveSet, FaultyNodes, NodeStatus, PathFault, RemainingPaths, Tolerance, fault_free_into, fault_free_out,
    fault_free_through,
};
pub use pattern::{FaultSampler, MixHasher};
pub use sampled::{SampleError, SampledFaults};
