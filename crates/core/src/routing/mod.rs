//! Routing algorithms: one file per algorithm, and a reason for every decision.
//!
//! [`ALGORITHMS`] is the only list of algorithms. The page, the command line, the sweeps and the
//! checks all read the list.

mod circuit;
pub mod cost;
pub mod fat_tree;
mod hypercube;
mod mesh;
pub mod oblivious;
mod probe;
mod promises;
mod rule;
pub mod rules;
mod shared;
mod suitability;
mod user_routing;
pub mod wording;
mod worm;

pub use circuit::{CircuitRouting, UserCircuits};
pub use hypercube::criterion::Criterion;
pub use hypercube::criterion::LOWEST_REQUIRED;
pub use hypercube::global::SHORTEST_LIVE_PATH;
pub use hypercube::hierarchy::HIERARCHY_ACCEPTED;
pub use mesh::probe::MISROUTES_ACCEPTED;
pub use probe::{ProbeDecision, ProbeRouting, ProbeSearch, least_misroutes};
pub use promises::{DeadlockFreedom, Promises};
pub use rule::{Carrier, CubeHop, Rule, WormExplanationContext};
pub use shared::Shared;
pub use suitability::{Unsupported, UseCase, suitable};
pub use user_routing::UserRouting;
pub use worm::{
    AlgorithmState, PackedSubcube, SubcubePart, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting,
    WormStatus, WormType,
};

use crate::ParseError;
use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

use crate::routing::cost::CostRules;
use crate::routing::fat_tree::CycleAlgorithm;
use crate::routing::hypercube::hierarchy;
pub(crate) use crate::routing::mesh::fcube::ecube_port;
use crate::routing::oblivious::{IntermediateNodes, Oblivious};
use crate::topology::NodeId;

/// Fault information available to a node (Gordon & Stout section 1.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// Model 1: no information. A message sent to a faulty node is lost.
    Nothing,
    /// Model 2, one-step local information: the node knows which neighbours are faulty.
    Neighbors,
    /// Global information: the status of every node.
    Everything,
}

/// Choice among several equally permitted dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The highest dimension.
    Highest,
    /// Any dimension, with equal probability, from the message's own generator.
    Random,
}

/// A set of dimensions, relative to the position of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimensions {
    /// The dimensions in which the node and the destination differ: a hop corrects a wrong bit, in
    /// the forward direction.
    Wrong,
    /// The dimensions in which the node and the destination agree: a hop leads one step away from
    /// the destination, in the backward direction.
    Right,
    /// Selected dimensions, as a mask of address bits; not 0. If no selected dimension is wrong,
    /// all of them lead backward like [`Dimensions::Right`].
    Mask(u64),
}

impl Dimensions {
    /// Returns the set as a mask of address bits.
    ///
    /// `wrong` are the bits that the message still has to correct; `mask` has all address bits of
    /// the cube.
    pub fn mask(self, wrong: u64, mask: u64) -> u64 {
        match self {
            Self::Wrong => wrong,
            Self::Right => mask & !wrong,
            Self::Mask(dims) => dims & mask,
        }
    }

    /// Returns whether all dimensions of the set lead away from the destination. A message at its
    /// source never goes backward: it is blocked permanently.
    #[inline]
    pub fn is_backward(self, wrong: u64) -> bool {
        match self {
            Self::Wrong => false,
            Self::Right => true,
            Self::Mask(dims) => dims & wrong == 0,
        }
    }
}

/// Links of a node, as masks of the dimensions that they cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Links {
    /// All links that the cube has at the node.
    pub all: u64,
    /// Links that lead to a live node, as far as the message has this information.
    pub live: u64,
}

impl Links {
    /// The links of the largest cube, all live.
    pub const ALL: Self = Self { all: u64::MAX, live: u64::MAX };
}

/// A set of permitted dimensions with the rule that permits them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tier {
    /// The permitted dimensions.
    pub dimensions: Dimensions,
    /// The rule that permits the dimensions.
    pub rule: &'static Rule,
}

/// The permitted dimensions at one position: up to four tiers, preferred ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiers {
    list: [Tier; 4],
    count: u8,
}

impl Tiers {
    /// No tier: the message is blocked permanently.
    pub const NONE: Self = {
        let none = Tier { dimensions: Dimensions::Mask(0), rule: rule::user_rule(0, false) };
        Self { list: [none; 4], count: 0 }
    };

    /// Returns a single tier.
    pub const fn one(tier: Tier) -> Self {
        Self { list: [tier; 4], count: 1 }
    }

    /// Returns two tiers. The second applies if no dimension of the first is usable.
    pub const fn two(first: Tier, second: Tier) -> Self {
        Self { list: [first, second, second, second], count: 2 }
    }

    /// Adds a tier unless it has no dimensions. Tiers beyond the fourth are dropped.
    pub fn add(&mut self, tier: Tier) {
        let room = self.list.get_mut(usize::from(self.count));
        if let Some(place) = room.filter(|_| tier.dimensions != Dimensions::Mask(0)) {
            *place = tier;
            self.count += 1;
        }
    }
}

impl std::ops::Deref for Tiers {
    type Target = [Tier];

    #[inline(always)]
    fn deref(&self) -> &[Tier] {
        &self.list[..usize::from(self.count.min(4))]
    }
}

/// Routing state of a message besides its destination; 0 for algorithms that need no state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Header(pub u8);

/// A message's position and remaining route: the input of a decision besides local faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The node at which the message is.
    pub here: NodeId,
    /// The address bits still to be corrected; not 0.
    pub wrong: u64,
    /// The header of the message.
    pub header: Header,
}

/// A routing algorithm whose decisions are local.
///
/// [`tiers`](LocalRouting::tiers) makes the whole decision. It is a pure function that returns the
/// permitted dimensions in order of preference, each with its reason. The engine takes the first
/// tier that has a usable dimension. Under [`Knowledge::Neighbors`], a usable dimension leads over
/// a live link to a live node. Within the tier the engine follows [`order`](LocalRouting::order).
/// If no dimension is usable, the message is blocked permanently.
pub trait LocalRouting: Any + Send + Sync {
    /// Returns the permitted dimensions at `at`, preferred ones first.
    fn tiers(&self, at: Position) -> Tiers;

    /// Returns whether the tiers are equal at all positions. The engine then computes them only
    /// once.
    fn is_uniform(&self) -> bool {
        true
    }

    /// Returns whether, at every position, a message takes a wrong dimension as long as any is
    /// usable.
    fn prefers_all_wrong(&self) -> bool {
        let at = Position { here: NodeId(0), wrong: 1, header: Header::default() };
        self.is_uniform() && self.tiers(at).first().is_some_and(|tier| tier.dimensions == Dimensions::Wrong)
    }

    /// Returns the order in which a dimension of a tier is chosen.
    fn order(&self) -> Order;

    /// Returns the fault information available to a node.
    fn knowledge(&self) -> Knowledge;

    /// Returns whether a node at which a message was blocked counts as faulty for this message from
    /// then on.
    fn marks_blocked_nodes(&self) -> bool {
        false
    }

    /// Returns whether a message may take a later tier if other messages hold the channels of a
    /// tier. The message then waits for the channels of all tiers. Messages of other algorithms
    /// wait only for the first tier that faults leave usable.
    fn yields_to_traffic(&self) -> bool {
        false
    }

    /// Returns the number of possible initial headers, all equally likely. The source draws a
    /// header below this number.
    fn initial_header_count(&self) -> u8 {
        1
    }

    /// Returns the number of headers that a message can have on its path. All headers are below
    /// this number.
    fn header_count(&self) -> u8 {
        self.initial_header_count()
    }

    /// Returns the header of a message at `at` after it has taken the dimension `dim`.
    fn header_after(&self, at: Position, _dim: u8) -> Header {
        at.header
    }

    /// Returns whether the tiers depend on the live links. [`LocalRouting::tiers_with_links`] must
    /// then receive the true live links.
    fn depends_on_faults(&self) -> bool {
        false
    }

    /// Returns the tiers at a node with known links, like [`LocalRouting::tiers`].
    ///
    /// The live links have to be correct only if [`LocalRouting::depends_on_faults`] returns
    /// `true`.
    #[inline(always)]
    fn tiers_with_links(&self, at: Position, _links: Links) -> Tiers {
        self.tiers(at)
    }

    /// Returns the next header at a node with known links, like [`LocalRouting::header_after`].
    #[inline(always)]
    fn header_after_with_links(&self, at: Position, _links: Links, dim: u8) -> Header {
        self.header_after(at, dim)
    }

    /// Returns the user-defined routing, or `None` for a built-in algorithm.
    fn user_routing(&self) -> Option<&dyn UserRouting> {
        None
    }
}

/// The decision method of an algorithm.
#[derive(Clone)]
pub enum Method {
    /// Decisions hop by hop, from local knowledge.
    Local(Shared<dyn LocalRouting>),
    /// A criterion that defines the legal required links. The criterion routes messages, like
    /// [`Method::Local`], and sets up circuits.
    Criterion(Criterion),
    /// The better of two criteria for the whole network: the criterion that cuts off fewer pairs
    /// under the known faults.
    Better([Criterion; 2]),
    /// A bound, not a routing: for each pair of nodes, any criterion of the mix that still has a
    /// path.
    Bound(Criterion),
    /// A shortest path in the whole live network, the upper bound for every algorithm.
    Global,
    /// The whole route of every message of a permutation or h-relation, independent of other
    /// messages.
    Oblivious(Oblivious),
    /// A choice of messages for each delivery cycle of a fat-tree.
    Delivery(CycleAlgorithm),
    /// The search of a probe that sets up circuits on meshes and tori.
    Probe(ProbeRouting),
    /// No method on hypercubes.
    Mesh,
}

/// An algorithm: an entry of [`ALGORITHMS`], or an algorithm created at run time, such as a
/// hierarchy.
#[derive(Clone)]
pub struct Algorithm {
    /// The name in experiment texts.
    pub id: Cow<'static, str>,
    /// The display name.
    pub name: Cow<'static, str>,
    /// The behaviour, in one sentence.
    pub summary: &'static str,
    /// The conditions under which the algorithm delivers messages.
    pub guarantee: &'static str,
    /// The guarantee for all messages, in comparable terms.
    pub promises: Promises,
    /// The publication.
    pub paper: &'static str,
    /// The costs: knowledge and tables of a node, header bits, comparisons per hop.
    pub cost: CostRules,
    /// The decision method.
    pub method: Method,
    /// The only dimension of cubes on which the algorithm is defined; `None` for all.
    pub dimension: Option<u8>,
    /// The wormhole routing of this algorithm on meshes or hypercubes, see
    /// [`WormRouting::check_network`]; `None` if the algorithm sends no worms.
    pub worm: Option<Shared<dyn WormRouting>>,
}

/// All built-in algorithms, in the order in which the user interfaces offer them.
///
/// A new algorithm needs a file, a `mod` line and an entry in this list. The page, the command
/// line, help, checks and error messages derive from the list.
pub static ALGORITHMS: &[Algorithm] = &[
    hypercube::sidetracking::ALGORITHM,
    hypercube::backtracking::ALGORITHM,
    hypercube::random::LOCAL,
    hypercube::deterministic::LOCAL,
    hypercube::random::BLIND,
    hypercube::deterministic::BLIND,
    hypercube::global::ALGORITHM,
    hypercube::ecube::ALGORITHM,
    hypercube::preference::UP,
    hypercube::preference::DP,
    hypercube::preference::RESTRICTED_UP,
    hypercube::preference::UP_OR_DP,
    hypercube::preference::UP_OR_DP_PER_PAIR,
    hypercube::minimal::ALGORITHM,
    hypercube::minimal::UP_DP_MIX,
    mesh::fcube::FCUBE2,
    mesh::fcube::FCUBE4,
    mesh::adaptive::LH2,
    mesh::adaptive::LH2_OPPOSITE,
    mesh::adaptive::LH2_SHORTER,
    mesh::adaptive::LH4,
    mesh::adaptive::LH,
    mesh::weak::WEAK,
    mesh::weak::WEAK_FCUBE4,
    mesh::weak::WEAK_COMPACT,
    mesh::weak::WEAK_FCUBE2,
    mesh::gates::FCUBE2,
    mesh::gates::FCUBE4,
    mesh::gates::LH4,
    mesh::fcube::FCUBE2_EITHER,
    mesh::fcube::FCUBE1,
    mesh::negative_first::FAULT_TOLERANT,
    mesh::negative_first::ALGORITHM,
    mesh::dimension_reversal::STATIC,
    mesh::dimension_reversal::DYNAMIC,
    mesh::planar_adaptive::ALGORITHM,
    mesh::west_first::ALGORITHM,
    mesh::north_last::ALGORITHM,
    mesh::odd_even::ALGORITHM,
    mesh::randomized::O1TURN,
    mesh::randomized::VALIANT,
    mesh::randomized::ROMM,
    mesh::up_down::ALGORITHM,
    mesh::probe::PROFITABLE,
    mesh::probe::TWO_MISROUTES,
    mesh::probe::EXHAUSTIVE,
    oblivious::bit_fixing::ALGORITHM,
    oblivious::valiant_brebner::ALGORITHM,
    oblivious::any_intermediate::ALGORITHM,
    oblivious::algorithm_a::ALGORITHM,
    oblivious::algorithm_b::ALGORITHM,
    oblivious::kim_shin::ALGORITHM,
    fat_tree::greedy::ALGORITHM,
    fat_tree::random::ALGORITHM,
    fat_tree::interleaved::ALGORITHM,
    fat_tree::random_prime::ALGORITHM,
    fat_tree::random_prime::REPEATED,
    fat_tree::valiant::ALGORITHM,
];

/// Returns the algorithm called `id`: one of [`ALGORITHMS`], a hierarchy such as `2e+3f`, or
/// backtracking with a number of misroutes such as `mb-3`.
///
/// # Errors
///
/// Returns an error if no algorithm has this name, or if a level of a hierarchy is wrong.
pub fn find(id: &str) -> Result<Arc<Algorithm>, ParseError> {
    match ALGORITHMS.iter().find(|algorithm| algorithm.id == id) {
        Some(algorithm) => Ok(Arc::new(algorithm.clone())),
        None => mesh::probe::find(id).unwrap_or_else(|| hierarchy::find(id)).map(Arc::new),
    }
}

impl Algorithm {
    /// Returns the fault information available to a node.
    pub fn knowledge(&self) -> Knowledge {
        self.local().map_or(Knowledge::Everything, |routing| routing.knowledge())
    }

    /// Returns the local routing, or `None` if the algorithm does not decide hop by hop.
    pub fn local(&self) -> Option<&dyn LocalRouting> {
        match &self.method {
            Method::Local(routing) => Some(&**routing),
            Method::Criterion(criterion) => Some(criterion),
            Method::Better(_)
            | Method::Bound(_)
            | Method::Global
            | Method::Oblivious(_)
            | Method::Delivery(_)
            | Method::Probe(_)
            | Method::Mesh => None,
        }
    }

    /// Returns the criterion, or `None` if the algorithm is not a criterion.
    pub fn criterion(&self) -> Option<Criterion> {
        match self.method {
            Method::Criterion(criterion) => Some(criterion),
            Method::Local(_)
            | Method::Better(_)
            | Method::Bound(_)
            | Method::Global
            | Method::Oblivious(_)
            | Method::Delivery(_)
            | Method::Probe(_)
            | Method::Mesh => None,
        }
    }

    /// Returns whether the algorithm is only a bound, which cannot route messages: the smallest
    /// number of pairs that a choice between criteria could cut off.
    pub fn is_bound(&self) -> bool {
        matches!(self.method, Method::Bound(_))
    }

    /// Returns whether the decisions of the algorithm involve random draws under any faults.
    pub fn is_stochastic(&self) -> bool {
        match &self.method {
            Method::Local(_) | Method::Criterion(_) => {
                self.local().is_some_and(|local| local.order() == Order::Random || local.initial_header_count() > 1)
            }
            Method::Oblivious(oblivious) => {
                !matches!(oblivious.intermediate_nodes, IntermediateNodes::Nothing | IntermediateNodes::Subcube)
            }
            Method::Delivery(delivery) => delivery.is_random,
            Method::Better(_) | Method::Bound(_) | Method::Global => false,
            Method::Mesh | Method::Probe(_) => true,
        }
    }

    /// Returns the oblivious routing of whole permutations, or `None` for other algorithms.
    pub fn oblivious(&self) -> Option<&Oblivious> {
        match &self.method {
            Method::Oblivious(oblivious) => Some(oblivious),
            _ => None,
        }
    }

    /// Returns the scheduler of delivery cycles, or `None` for other algorithms.
    pub fn delivery(&self) -> Option<&CycleAlgorithm> {
        match &self.method {
            Method::Delivery(delivery) => Some(delivery),
            _ => None,
        }
    }

    /// Returns whether the algorithm permits every minimal path and no other path, as the closed
    /// forms of Gordon & Stout section 2.2 assume.
    pub fn is_minimal(&self) -> bool {
        let at = Position { here: NodeId(0), wrong: 1, header: Header::default() };
        let forward = |routing: &dyn LocalRouting| {
            routing.is_uniform() && routing.tiers(at).iter().all(|tier| tier.dimensions == Dimensions::Wrong)
        };
        self.local().is_some_and(forward)
    }

    /// Returns whether a message follows minimal paths as long as its node can reach the next node
    /// of such a path.
    ///
    /// Such a message leaves minimal paths only where all of them are blocked. It arrives without a
    /// detour as often as a message that takes only minimal paths (Gordon & Stout section 2.2).
    pub fn exhausts_minimal_paths(&self) -> bool {
        self.local().is_some_and(LocalRouting::prefers_all_wrong)
    }

    /// Returns whether a hop always takes the highest usable wrong dimension. Messages then take
    /// dimensions in different orders around different faults.
    pub fn is_highest_usable_first(&self) -> bool {
        let highest = |routing: &dyn LocalRouting| {
            routing.order() == Order::Highest && routing.knowledge() == Knowledge::Neighbors
        };
        self.local().is_some_and(highest)
    }
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl std::fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.id)
    }
}
