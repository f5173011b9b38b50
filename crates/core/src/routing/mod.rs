//! Where a message may go next: one file per algorithm, every decision with its reason.
//!
//! [`ALGORITHMS`] is the only list of them; the page, the command line, the sweeps and the checks all read it.

mod circuit;
pub mod fat_tree;
mod hypercube;
mod mesh;
mod misfit;
pub mod oblivious;
mod promises;
mod rule;
pub mod rules;
mod shared;
pub mod words;
mod worm;

pub use circuit::{CircuitRouting, OwnCircuits};
pub use hypercube::criterion::Criterion;
pub use hypercube::criterion::LOWEST_REQUIRED;
pub use hypercube::global::SHORTEST_LIVE_PATH;
pub use hypercube::hierarchy::HIERARCHY_ACCEPTED;
pub use misfit::{Misfit, Use, suitable};
pub use promises::{DeadlockFreedom, Promises};
pub use rule::{Carrier, CubeHop, Rule, WormWhy};
pub use shared::Shared;
pub use worm::{
    PackedSubcube, SubcubePart, WormAt, WormChoice, WormChoices, WormHeader, WormMemory, WormRouting, WormStatus,
    WormType,
};

use crate::ParseError;
use std::borrow::Cow;
use std::sync::Arc;

use crate::routing::fat_tree::CycleAlgorithm;
use crate::routing::hypercube::hierarchy;
use crate::routing::oblivious::{ByWayOf, Oblivious};
use crate::routing::rules::OwnRouting;
use crate::topology::NodeId;

/// What a node knows of the faults (Gordon & Stout section 1.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// Model 1: nothing. A message sent to a faulty node is lost.
    Nothing,
    /// Model 2, one-step local information: which neighbours are faulty.
    Neighbors,
    /// The status of every node.
    Everything,
}

/// How one of several equally permitted dimensions is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The highest dimension.
    Highest,
    /// Any, with equal probability, from the message's own generator.
    Random,
}

/// A set of dimensions, as seen from where a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimensions {
    /// Those in which the node and the destination differ: a hop corrects a wrong bit, in the forward direction.
    Wrong,
    /// Those in which they agree: a hop moves one step away, in the backward direction.
    Right,
    /// Some, as a mask of address bits; not 0. None of them wrong, they are a way back as [`Dimensions::Right`] is.
    These(u64),
}

impl Dimensions {
    /// The set as a mask of address bits, for a message that still has the `wrong` bits to correct in a cube whose
    /// addresses are `mask`.
    pub fn mask(self, wrong: u64, mask: u64) -> u64 {
        match self {
            Self::Wrong => wrong,
            Self::Right => mask & !wrong,
            Self::These(dims) => dims & mask,
        }
    }

    /// Whether they all lead away from the destination: nobody goes so at its source, where it is blocked for good.
    #[inline]
    pub fn is_backward(self, wrong: u64) -> bool {
        match self {
            Self::Wrong => false,
            Self::Right => true,
            Self::These(dims) => dims & wrong == 0,
        }
    }
}

/// The links of a node, as masks of the dimensions that they cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Links {
    /// All that the cube has.
    pub all: u64,
    /// Those over which a live node can be reached, as far as the message knows.
    pub live: u64,
}

impl Links {
    /// Of the largest cube, all live.
    pub const ALL: Self = Self { all: u64::MAX, live: u64::MAX };
}

/// One set of permitted dimensions and the rule that permits them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tier {
    /// The permitted dimensions.
    pub dimensions: Dimensions,
    /// Why.
    pub rule: &'static Rule,
}

/// The permitted dimensions at one position: up to four tiers, preferred ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiers {
    list: [Tier; 4],
    count: u8,
}

impl Tiers {
    /// No tier: the message is blocked for good.
    pub const NONE: Self = {
        let none = Tier { dimensions: Dimensions::These(0), rule: rule::own_rule(0, false) };
        Self { list: [none; 4], count: 0 }
    };

    /// One tier.
    pub const fn one(tier: Tier) -> Self {
        Self { list: [tier; 4], count: 1 }
    }

    /// Two tiers; the second is for when the first has nothing usable.
    pub const fn two(first: Tier, second: Tier) -> Self {
        Self { list: [first, second, second, second], count: 2 }
    }

    /// Adds a tier, unless it is of no dimensions; of more than four the last are dropped.
    pub fn add(&mut self, tier: Tier) {
        let room = self.list.get_mut(usize::from(self.count));
        if let Some(place) = room.filter(|_| tier.dimensions != Dimensions::These(0)) {
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

/// What a message carries along besides its destination; 0 for algorithms that need nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Header(pub u8);

/// Where the message is and where it has to go: all that a decision may use besides local faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The node that holds the message.
    pub here: NodeId,
    /// The address bits still to be corrected; not 0.
    pub wrong: u64,
    /// What the message carries along.
    pub header: Header,
}

/// A routing algorithm whose decisions are local.
///
/// [`tiers`](LocalRouting::tiers) is the whole decision, a pure function: the permitted dimensions in order of
/// preference, each with its reason. Whoever carries the message takes the first tier that has a usable dimension
/// (under [`Knowledge::Neighbors`], one that leads over a live link to a live node) and, within it, follows
/// [`order`](LocalRouting::order). No usable dimension: the message is blocked for good.
pub trait LocalRouting: Send + Sync {
    /// The permitted dimensions at `at`, preferred ones first.
    fn tiers(&self, at: Position) -> Tiers;

    /// Whether the tiers are the same at every position: then they are asked for once.
    fn is_uniform(&self) -> bool {
        true
    }

    /// Whether a message takes a wrong dimension as long as any is usable, at every position.
    fn prefers_all_wrong(&self) -> bool {
        let at = Position { here: NodeId(0), wrong: 1, header: Header::default() };
        self.is_uniform() && self.tiers(at).first().is_some_and(|tier| tier.dimensions == Dimensions::Wrong)
    }

    /// How one dimension of a tier is chosen.
    fn order(&self) -> Order;

    /// What the node knows.
    fn knowledge(&self) -> Knowledge;

    /// Whether a node at which the message was blocked counts as faulty for this message from then on.
    fn marks_blocked(&self) -> bool {
        false
    }

    /// Whether a message that finds the channels of a tier taken by other messages may take one of a later tier: then it
    /// waits for all of them. Of any other algorithm a message waits for the first tier that faults leave usable.
    fn yields_to_traffic(&self) -> bool {
        false
    }

    /// The number of headers that messages start with, all equally likely: the source draws one of 0 to this less 1.
    fn first_headers(&self) -> u8 {
        1
    }

    /// The number of headers that a message can have on its way: all are below this.
    fn headers(&self) -> u8 {
        self.first_headers()
    }

    /// The header of a message at `at` after it has taken the dimension `dim`.
    fn header_after(&self, at: Position, _dim: u8) -> Header {
        at.header
    }

    /// Whether which tiers there are depends on the links that are live: then [`LocalRouting::tiers_among`] has to be told.
    fn looks(&self) -> bool {
        false
    }

    /// The same as [`LocalRouting::tiers`], for one that knows the links of its node; those that are live need not be right where
    /// nobody [looks](LocalRouting::looks).
    #[inline(always)]
    fn tiers_among(&self, at: Position, _links: Links) -> Tiers {
        self.tiers(at)
    }

    /// The same as [`LocalRouting::header_after`], likewise.
    #[inline(always)]
    fn header_among(&self, at: Position, _links: Links, dim: u8) -> Header {
        self.header_after(at, dim)
    }

    /// The routing of one's own that it is; `None` of built-in ones.
    fn own(&self) -> Option<&OwnRouting> {
        None
    }
}

/// How an algorithm comes to its decisions.
#[derive(Clone)]
pub enum Method {
    /// Hop by hop, from local knowledge.
    Local(Shared<dyn LocalRouting>),
    /// As [`Method::Local`], by a criterion that says which required links are legal: messages can be sent by it, and
    /// circuits set up.
    Criterion(Criterion),
    /// One of these criteria for the whole network: the one that, with the faults known, cuts fewer pairs off.
    Better([Criterion; 2]),
    /// For each pair of nodes on its own, whichever of the criteria that this one mixes still has a path: a bound, no routing.
    Bound(Criterion),
    /// A shortest path in the whole live network; the ceiling of what any algorithm can reach.
    Global,
    /// The whole route of every message of a permutation or h-relation, whatever the others do.
    Oblivious(Oblivious),
    /// Which messages are sent in which delivery cycle of a fat-tree.
    Delivery(CycleAlgorithm),
    /// It has no way on hypercubes.
    Mesh,
}

/// An algorithm: an entry of [`ALGORITHMS`], or one made while the program runs, such as a hierarchy.
#[derive(Clone)]
pub struct Algorithm {
    /// Its name in experiment texts.
    pub id: Cow<'static, str>,
    /// Its name for people.
    pub name: Cow<'static, str>,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// When it delivers.
    pub guarantee: &'static str,
    /// The same in terms that can be compared, for all its messages.
    pub promises: Promises,
    /// Where it was published.
    pub paper: &'static str,
    /// How it decides.
    pub method: Method,
    /// The only dimension of cubes on which it is defined; `None` for all.
    pub dimension: Option<u8>,
    /// The wormhole routing of this algorithm on meshes or hypercubes, see
    /// [`WormRouting::check_network`]; `None` if the algorithm sends no worms.
    pub worm: Option<Shared<dyn WormRouting>>,
}

/// Every algorithm, in the order in which they are offered. A new one is its file, the `mod` line for it, and its line here: the
/// page, the command line, help, checks and error messages follow from this list.
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
    mesh::adaptive::LH4,
    mesh::adaptive::LH,
    mesh::weak::WEAK,
    mesh::weak::WEAK_FCUBE4,
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
    oblivious::bit_fixing::ALGORITHM,
    oblivious::valiant_brebner::ALGORITHM,
    oblivious::any_intermediate::ALGORITHM,
    oblivious::algorithm_a::ALGORITHM,
    oblivious::algorithm_b::ALGORITHM,
    oblivious::kim_shin::ALGORITHM,
    fat_tree::greedy::ALGORITHM,
    fat_tree::random::ALGORITHM,
    fat_tree::random_prime::ALGORITHM,
    fat_tree::random_prime::REPEATED,
    fat_tree::valiant::ALGORITHM,
];

/// Returns the algorithm called `id`: one of [`ALGORITHMS`], or a hierarchy such as `2e+3f`.
///
/// # Errors
///
/// Says that no algorithm has this name, or which level of a hierarchy is wrong.
pub fn find(id: &str) -> Result<Arc<Algorithm>, ParseError> {
    match ALGORITHMS.iter().find(|algorithm| algorithm.id == id) {
        Some(algorithm) => Ok(Arc::new(algorithm.clone())),
        None => hierarchy::find(id).map(Arc::new),
    }
}

impl Algorithm {
    /// What its nodes know of the faults.
    pub fn knowledge(&self) -> Knowledge {
        self.local().map_or(Knowledge::Everything, |routing| routing.knowledge())
    }

    /// How it decides hop by hop; `None` if it does not.
    pub fn local(&self) -> Option<&dyn LocalRouting> {
        match &self.method {
            Method::Local(routing) => Some(&**routing),
            Method::Criterion(criterion) => Some(criterion),
            Method::Better(_)
            | Method::Bound(_)
            | Method::Global
            | Method::Oblivious(_)
            | Method::Delivery(_)
            | Method::Mesh => None,
        }
    }

    /// The criterion that it is; `None` if it is none.
    pub fn criterion(&self) -> Option<Criterion> {
        match self.method {
            Method::Criterion(criterion) => Some(criterion),
            Method::Local(_)
            | Method::Better(_)
            | Method::Bound(_)
            | Method::Global
            | Method::Oblivious(_)
            | Method::Delivery(_)
            | Method::Mesh => None,
        }
    }

    /// How it sets up circuits; `None` if it cannot.
    pub fn circuits(&self) -> Option<CircuitRouting> {
        match &self.method {
            Method::Criterion(criterion) => Some(CircuitRouting::Criterion(*criterion)),
            Method::Local(routing) => OwnCircuits::of(routing).map(CircuitRouting::Own),
            _ => None,
        }
    }

    /// Whether nothing can move by it: it says how few pairs a choice between criteria could cut off.
    pub fn is_bound(&self) -> bool {
        matches!(self.method, Method::Bound(_))
    }

    /// Whether chance has a part in its decisions, wherever the faults are.
    pub fn draws(&self) -> bool {
        match &self.method {
            Method::Local(_) | Method::Criterion(_) => {
                self.local().is_some_and(|local| local.order() == Order::Random || local.first_headers() > 1)
            }
            Method::Oblivious(oblivious) => !matches!(oblivious.by_way_of, ByWayOf::Nothing | ByWayOf::Subcube),
            Method::Delivery(delivery) => delivery.draws,
            Method::Better(_) | Method::Bound(_) | Method::Global => false,
            Method::Mesh => true,
        }
    }

    /// How it routes whole permutations; `None` if it does not.
    pub fn oblivious(&self) -> Option<&Oblivious> {
        match &self.method {
            Method::Oblivious(oblivious) => Some(oblivious),
            _ => None,
        }
    }

    /// How it chooses delivery cycles; `None` if it does not.
    pub fn delivery(&self) -> Option<&CycleAlgorithm> {
        match &self.method {
            Method::Delivery(delivery) => Some(delivery),
            _ => None,
        }
    }

    /// Whether it may take any minimal path and takes no other, as the closed forms of Gordon & Stout section 2.2
    /// suppose.
    pub fn is_minimal(&self) -> bool {
        let at = Position { here: NodeId(0), wrong: 1, header: Header::default() };
        let forward = |routing: &dyn LocalRouting| {
            routing.is_uniform() && routing.tiers(at).iter().all(|tier| tier.dimensions == Dimensions::Wrong)
        };
        self.local().is_some_and(forward)
    }

    /// Whether a message goes on along a minimal path as long as the node that it is at can reach the next of any: it leaves
    /// minimal paths, if ever, only where all of them are blocked. Then it arrives without a detour as often as those
    /// that take no other paths (Gordon & Stout section 2.2).
    pub fn exhausts_minimal_paths(&self) -> bool {
        self.local().is_some_and(LocalRouting::prefers_all_wrong)
    }

    /// Whether it takes the highest of the usable wrong dimensions, and so takes dimensions in different orders round different
    /// faults.
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
