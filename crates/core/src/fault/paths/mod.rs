//! Effects of node faults on the bit-fixing paths of a hypercube (thesis chapter 3): fault-free
//! paths, and nodes with enough of them to be active.
//!
//! Dimension k of the thesis, 1 to n, is address bit k-1 here. Bit-fixing corrects the lowest wrong
//! bit first.

mod active;
mod counts;
mod link_table;
mod nodes;
mod remaining;

pub use active::{ActiveSet, NodeStatus, Tolerance};
pub use counts::{fault_free_into, fault_free_out, fault_free_through};
pub use nodes::{FaultyNodes, PathFault};
pub use remaining::RemainingPaths;
