//! What node faults do to the bit-fixing paths of a hypercube (thesis chapter 3): which are fault-free, and which nodes keep
//! enough of them to be active.
//!
//! Dimension k of the thesis, 1 to n, is address bit k-1 here, and bit-fixing corrects the lowest wrong bit first.

mod active;
mod counts;
mod left;
mod nodes;

pub use active::{ActiveSet, NodeStatus, Tolerance};
pub use counts::{fault_free_into, fault_free_out, fault_free_through};
pub use left::Left;
pub use nodes::FaultyNodes;
