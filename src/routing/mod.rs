//! Where a message may go next: one file per algorithm, every decision with its reason.
//!
//! [`ALGORITHMS`] is the only list of them; the page, the command line, the sweeps and the checks all read it.

mod backtracking;
mod deterministic;
mod global;
mod random;
mod sidetracking;

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
}

impl Dimensions {
    /// The set as a mask of address bits, for a message that still has the `wrong` bits to correct in a cube whose
    /// addresses are `mask`.
    pub fn mask(self, wrong: u64, mask: u64) -> u64 {
        match self {
            Self::Wrong => wrong,
            Self::Right => mask & !wrong,
        }
    }
}

/// Why a hop was taken: the rule of the paper that permits it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Where the message is and where it has to go: all that a memoryless decision may use besides local faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The node that holds the message.
    pub here: NodeId,
    /// The address bits still to be corrected; not 0.
    pub wrong: u64,
}

/// A routing algorithm whose decisions are local.
///
/// [`tiers`](LocalRouting::tiers) is the whole decision, a pure function: the permitted dimensions in order of
/// preference, each with its reason. Whoever carries the message takes the first tier that has a usable dimension
/// (under [`Knowledge::Neighbors`], one that leads to a live node) and, within it, follows
/// [`order`](LocalRouting::order). No usable dimension: the message is blocked for good.
pub trait LocalRouting: Sync {
    /// The permitted dimensions at `at`, preferred ones first.
    fn tiers(&self, at: Position) -> &[Tier];

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
}

/// How an algorithm comes to its decisions.
#[derive(Clone, Copy)]
pub enum Method {
    /// Hop by hop, from local knowledge.
    Local(&'static dyn LocalRouting),
    /// A shortest path in the whole live network; the ceiling of what any algorithm can reach.
    Global,
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
];

/// The algorithm called `id`.
pub fn find(id: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.id == id)
}

impl Algorithm {
    /// What its nodes know of the faults.
    pub fn knowledge(&self) -> Knowledge {
        match self.method {
            Method::Local(routing) => routing.knowledge(),
            Method::Global => Knowledge::Everything,
        }
    }

    /// Whether it takes only minimal paths and remembers nothing, as the closed forms of Gordon & Stout section 2.2
    /// suppose.
    pub fn is_minimal(&self) -> bool {
        let forward = |routing: &dyn LocalRouting| {
            let at = Position { here: NodeId(0), wrong: 1 };
            routing.tiers(at).iter().all(|tier| tier.dimensions == Dimensions::Wrong)
        };
        matches!(self.method, Method::Local(routing) if forward(routing))
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
