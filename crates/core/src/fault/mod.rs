//! What is broken: fault sets, given by hand or drawn from a model.
//!
//! A [`FaultSpec`] says which faults an experiment has; a [`FaultPattern`] is one drawing of it, asked node by node.

mod adversary;
pub mod block;
mod counted;
mod drawn;
mod model;
mod paths;
mod pattern;
mod wires;

pub use adversary::Adversary;
pub use block::{BlockFaults, CubeSets};
pub use drawn::{DrawnFaults, NoDrawing};
pub use model::{DeadWires, FaultModel, FaultSpec};
pub use paths::{
    ActiveSet, FaultyNodes, Left, NodeStatus, Tolerance, fault_free_into, fault_free_out, fault_free_through,
};
pub use pattern::{FaultPattern, Faults, MixHasher};
pub use wires::LiveWires;
