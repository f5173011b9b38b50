//! Traffic: pairs, patterns, arrivals, permutations and message sets.

mod addresses;
mod arrivals;
mod bisection;
mod cycles;
mod demand;
mod message_set;
mod pattern;
mod permutation;

pub use addresses::AddressPermutations;
pub use arrivals::{Arrival, PoissonArrivals};
pub use bisection::Bisection;
pub use cycles::BernoulliArrivals;
pub use demand::BatchTraffic;
pub use message_set::{MessagePattern, MessageSet, MessageSetError, Placement};
pub use pattern::{LiveNodes, Pattern};
pub use permutation::{HRelation, ListedMessage, Permutation, RelationError};

use crate::topology::{Hypercube, NodeId};

/// Source and destination of one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Source, live by assumption.
    pub from: NodeId,
    /// Destination, live by assumption, different from the source.
    pub to: NodeId,
}

impl Pair {
    /// Creates a pair with the defaults of Gordon & Stout section 1.1: source node 0, destination
    /// the antipode of the source.
    ///
    /// If only the destination is present, the source is its antipode.
    pub fn antipodal(cube: Hypercube, from: Option<NodeId>, to: Option<NodeId>) -> Self {
        let from = from.unwrap_or_else(|| to.map_or(NodeId(0), |to| cube.antipode(to)));
        Self { from, to: to.unwrap_or_else(|| cube.antipode(from)) }
    }

    /// Returns whether `node` is the source or the destination.
    #[inline]
    pub fn contains(&self, node: NodeId) -> bool {
        node == self.from || node == self.to
    }
}
