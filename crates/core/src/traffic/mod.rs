//! Who talks to whom, and when.

mod addresses;
mod arrivals;
mod bisection;
mod cycles;
mod demand;
mod message_set;
mod pattern;
mod permutation;

pub use addresses::Addresses;
pub use arrivals::{Arrival, Arrivals};
pub use bisection::Bisection;
pub use cycles::CycleArrivals;
pub use demand::Demand;
pub use message_set::{MessagePattern, MessageSet, MessageSetError, Placement};
pub use pattern::{LiveNodes, Pattern};
pub use permutation::{Listed, Permutation, Relation, RelationError};

use crate::topology::{Hypercube, NodeId};

/// One message's source and destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The source: live by assumption.
    pub from: NodeId,
    /// The destination: live by assumption, and not the source.
    pub to: NodeId,
}

impl Pair {
    /// The pair in which what is not said is as in Gordon & Stout section 1.1: from node 0, to the antipode.
    pub fn antipodal(cube: Hypercube, from: Option<NodeId>, to: Option<NodeId>) -> Self {
        let from = from.unwrap_or_else(|| to.map_or(NodeId(0), |to| cube.antipode(to)));
        Self { from, to: to.unwrap_or_else(|| cube.antipode(from)) }
    }

    /// Whether `node` is one of the two ends.
    #[inline]
    pub fn has(&self, node: NodeId) -> bool {
        node == self.from || node == self.to
    }
}
