//! Where a message may go next: one file per algorithm, every decision with its reason.
//!
//! [`ALGORITHMS`] is the only list of them; the page, the command line, the sweeps and the checks all read it.

mod adaptive;
mod backtracking;
mod criterion;
mod cube_worm;
mod deterministic;
mod dimension_reversal;
mod ecube;
pub mod fat_tree;
mod fcube;
mod global;
mod hierarchy;
mod minimal;
mod negative_first;
pub mod oblivious;
mod planar_adaptive;
mod planes;
mod preference;
mod random;
mod sidetracking;
mod torus;
mod weak;
mod worm;

pub use criterion::Criterion;
pub use hierarchy::HIERARCHY_ACCEPTED;
pub use worm::{WormAt, WormChoice, WormChoices, WormHeader, WormRouting, WormRule, WormStatus, WormType};

use self::fat_tree::{CycleAlgorithm, greedy, random_prime};
use self::oblivious::{Oblivious, algorithm_a, algorithm_b, any_intermediate, bit_fixing, kim_shin, valiant_brebner};
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
    /// Some of the wrong ones, as a mask of address bits; not 0.
    These(u64),
}

impl Dimensions {
    /// The set as a mask of address bits, for a message that still has the `wrong` bits to correct in a cube whose
    /// addresses are `mask`.
    pub fn mask(self, wrong: u64, mask: u64) -> u64 {
        match self {
            Self::Wrong => wrong,
            Self::Right => mask & !wrong,
            Self::These(dims) => dims,
        }
    }
}

/// Why a hop was taken: the rule of the paper that permits it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Correct the highest wrong bit (deterministic routing, Model 1).
    HighestWrong,
    /// Correct a wrong bit at random (random routing, Model 1).
    AnyWrong,
    /// Correct the highest wrong bit that leads to a live node (deterministic routing, Model 2).
    HighestLiveWrong,
    /// Correct a wrong bit at random among those that lead to a live node (random routing, Model 2).
    AnyLiveWrong,
    /// Blocked: to a live neighbour in the backward direction, at random.
    Sidetrack,
    /// Blocked: this node is set to faulty for this message, then as [`Rule::Sidetrack`].
    MarkAndSidetrack,
    /// The next node of a shortest live path, known from everywhere.
    ShortestLivePath,
    /// The lowest required dimension: legal under every criterion of Chiu, Chalasani & Raghavendra.
    LowestRequired,
    /// A required link that leads up, before lower ones: the UP criterion leaves its order free.
    UpTransition,
    /// A required link that leads down, before lower ones: the DP criterion leaves its order free.
    DownTransition,
    /// Any required link, in any order: what no criterion restricts can deadlock.
    AnyRequired,
}

impl Rule {
    /// The rule's short name, as in exported files.
    pub fn id(self) -> &'static str {
        match self {
            Self::HighestWrong => "highest-wrong",
            Self::AnyWrong => "any-wrong",
            Self::HighestLiveWrong => "highest-live-wrong",
            Self::AnyLiveWrong => "any-live-wrong",
            Self::Sidetrack => "sidetrack",
            Self::MarkAndSidetrack => "mark-and-sidetrack",
            Self::ShortestLivePath => "shortest-live-path",
            Self::LowestRequired => "lowest-required",
            Self::UpTransition => "up-transition",
            Self::DownTransition => "down-transition",
            Self::AnyRequired => "any-required",
        }
    }

    /// Whether the message was blocked when it took this rule.
    pub fn is_detour(self) -> bool {
        matches!(self, Self::Sidetrack | Self::MarkAndSidetrack)
    }
}

/// One set of permitted dimensions and the rule that permits them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tier {
    /// The permitted dimensions.
    pub dimensions: Dimensions,
    /// Why.
    pub rule: Rule,
}

/// The permitted dimensions at one position: one or two tiers, preferred ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiers {
    list: [Tier; 2],
    count: u8,
}

impl Tiers {
    /// One tier.
    pub const fn one(tier: Tier) -> Self {
        Self { list: [tier, tier], count: 1 }
    }

    /// Two tiers; the second is for when the first has nothing usable.
    pub const fn two(first: Tier, second: Tier) -> Self {
        Self { list: [first, second], count: 2 }
    }
}

impl std::ops::Deref for Tiers {
    type Target = [Tier];

    #[inline(always)]
    fn deref(&self) -> &[Tier] {
        if self.count == 1 { &self.list[..1] } else { &self.list }
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
pub trait LocalRouting: Sync {
    /// The permitted dimensions at `at`, preferred ones first.
    fn tiers(&self, at: Position) -> Tiers;

    /// Whether the tiers are the same at every position: then they are asked for once.
    fn is_uniform(&self) -> bool {
        true
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
}

/// How an algorithm comes to its decisions.
#[derive(Clone, Copy)]
pub enum Method {
    /// Hop by hop, from local knowledge.
    Local(&'static dyn LocalRouting),
    /// As [`Method::Local`], by a criterion that says which required links are legal: messages can be sent by it, and
    /// circuits set up.
    Criterion(&'static Criterion),
    /// One of these criteria for the whole network: the one that, with the faults known, cuts fewer pairs off.
    Better(&'static [Criterion; 2]),
    /// A shortest path in the whole live network; the ceiling of what any algorithm can reach.
    Global,
    /// The whole route of every message of a permutation or h-relation, whatever the others do.
    Oblivious(&'static Oblivious),
    /// Which messages are sent in which delivery cycle of a fat-tree.
    Delivery(&'static CycleAlgorithm),
    /// It has no way on hypercubes.
    Mesh,
}

/// One entry of the list of algorithms.
#[derive(Clone, Copy)]
pub struct Algorithm {
    /// Its name in experiment texts.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// When it delivers.
    pub guarantee: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// How it decides.
    pub method: Method,
    /// The only dimension of cubes on which it is defined; `None` for all.
    pub dimension: Option<u8>,
    /// How it decides for worms on meshes or hypercubes, see [`WormRouting::wants`]; `None` if it does not.
    pub worm: Option<&'static dyn WormRouting>,
}

/// Every algorithm, in the order in which they are offered.
pub const ALGORITHMS: &[Algorithm] = &[
    sidetracking::ALGORITHM,
    backtracking::ALGORITHM,
    random::LOCAL,
    deterministic::LOCAL,
    random::BLIND,
    deterministic::BLIND,
    global::ALGORITHM,
    ecube::ALGORITHM,
    preference::UP,
    preference::DP,
    preference::RESTRICTED_UP,
    preference::UP_OR_DP,
    minimal::ALGORITHM,
    minimal::UP_DP_MIX,
    fcube::FCUBE2,
    fcube::FCUBE4,
    adaptive::LH2,
    adaptive::LH4,
    adaptive::LH,
    weak::WEAK,
    weak::WEAK_FCUBE4,
    fcube::FCUBE2_EITHER,
    fcube::FCUBE1,
    negative_first::FAULT_TOLERANT,
    negative_first::ALGORITHM,
    dimension_reversal::STATIC,
    dimension_reversal::DYNAMIC,
    planar_adaptive::ALGORITHM,
    bit_fixing::ALGORITHM,
    valiant_brebner::ALGORITHM,
    any_intermediate::ALGORITHM,
    algorithm_a::ALGORITHM,
    algorithm_b::ALGORITHM,
    kim_shin::ALGORITHM,
    greedy::ALGORITHM,
    fat_tree::random::ALGORITHM,
    random_prime::ALGORITHM,
    random_prime::REPEATED,
];

/// The algorithm called `id`: one of [`ALGORITHMS`], or a hierarchy such as `2e+3f`.
///
/// # Errors
/// What is wrong with the name.
pub fn find(id: &str) -> Result<&'static Algorithm, String> {
    match ALGORITHMS.iter().find(|algorithm| algorithm.id == id) {
        Some(algorithm) => Ok(algorithm),
        None => hierarchy::find(id),
    }
}

impl Algorithm {
    /// What its nodes know of the faults.
    pub fn knowledge(&self) -> Knowledge {
        self.local().map_or(Knowledge::Everything, LocalRouting::knowledge)
    }

    /// How it decides hop by hop; `None` if it does not.
    pub fn local(&self) -> Option<&'static dyn LocalRouting> {
        match self.method {
            Method::Local(routing) => Some(routing),
            Method::Criterion(criterion) => Some(criterion),
            Method::Better(_) | Method::Global | Method::Oblivious(_) | Method::Delivery(_) | Method::Mesh => None,
        }
    }

    /// The criterion by which it sets up circuits; `None` if it cannot.
    pub fn criterion(&self) -> Option<&'static Criterion> {
        match self.method {
            Method::Criterion(criterion) => Some(criterion),
            Method::Local(_)
            | Method::Better(_)
            | Method::Global
            | Method::Oblivious(_)
            | Method::Delivery(_)
            | Method::Mesh => None,
        }
    }

    /// How it routes whole permutations; `None` if it does not.
    pub fn oblivious(&self) -> Option<&'static Oblivious> {
        match self.method {
            Method::Oblivious(oblivious) => Some(oblivious),
            _ => None,
        }
    }

    /// How it chooses delivery cycles; `None` if it does not.
    pub fn delivery(&self) -> Option<&'static CycleAlgorithm> {
        match self.method {
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
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl std::fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}
