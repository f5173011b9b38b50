//! Traffic: pairs, patterns, arrivals, permutations and message sets.

mod address_permutations;
mod arrival_process;
mod batch_traffic;
mod bernoulli_arrivals;
mod bisection;
mod collective;
mod destinations;
mod linear;
mod live_nodes;
mod message_lengths;
mod message_schedule;
mod message_set;
mod named_permutation;
mod pattern;
mod permutation;
mod poisson_arrivals;
mod traffic_matrix;

pub use address_permutations::AddressPermutations;
pub use arrival_process::ArrivalProcess;
pub use batch_traffic::BatchTraffic;
pub use bernoulli_arrivals::BernoulliArrivals;
pub use bisection::Bisection;
pub use collective::Collective;
pub use destinations::Destinations;
pub use linear::LinearMap;
pub use live_nodes::LiveNodes;
pub use message_lengths::{MessageLengths, WeightedLength};
pub use message_schedule::{MessageSchedule, ScheduleError, ScheduledMessage};
pub use message_set::{MessagePattern, MessageSet, MessageSetError, Placement};
pub use named_permutation::NamedPermutation;
pub use pattern::{HotSpot, Pattern, WeightedPattern};
pub use permutation::{HRelation, ListedMessage, Permutation, RelationError};
pub(crate) use poisson_arrivals::exponential;
pub use poisson_arrivals::{Arrival, PoissonArrivals};
pub use traffic_matrix::TrafficMatrix;

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
    /// If only the destination is given, the source is the antipode of the destination.
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
