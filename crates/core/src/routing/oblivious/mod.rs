//! Oblivious routing of whole permutations on a hypercube with faulty nodes (the thesis on deadlock-free randomized
//! routing): a message's route depends on its ends and on chance, not on other messages.
//!
//! Dimension k of the thesis, 1 to n, is address bit k-1 here; its
//! strings x1 x2 .. xn are read by [`thesis_label`]. Where the thesis writes "log" for n it means base 2, inside Chernoff
//! bounds the natural logarithm.

pub(super) mod algorithm_a;
pub(super) mod algorithm_b;
pub(super) mod any_intermediate;
pub(super) mod bit_fixing;
mod general;
mod intermediate;
pub(super) mod kim_shin;
mod route;
pub(super) mod valiant_brebner;

pub use algorithm_a::AlgorithmA;
pub use algorithm_b::{AlgorithmB, edge_rank};
pub use bit_fixing::{BitFixing, bit_fixing_path};
pub use general::GeneralRandomized;
pub use intermediate::{Intermediates, length_cap};
pub use kim_shin::{KimShin, Subcube, healthy_subcube, kim_shin_guarantee};
pub use route::{EdgeRank, End, NoRoute, ObliviousHop, ObliviousPhase, ObliviousRoute};
pub use valiant_brebner::ValiantBrebner;

use crate::fault::{ActiveSet, FaultyNodes, Tolerance};
use crate::random::Generator;
use crate::topology::{Hypercube, NodeId};

/// A message's choice of an intermediate node: each of the `valid` ones, ascending, with probability 1 in `out_of`. With
/// what is left it draws one that leads into a fault, and is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The intermediate nodes by way of which it arrives: I_sd.
    pub valid: Vec<NodeId>,
    /// The number of nodes that it draws from.
    pub out_of: u64,
}

/// The two bit-fixing paths of a randomized route, apart from what leads to and from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Legs {
    /// Where the first path starts: s, or s00 under Algorithm B.
    pub start: NodeId,
    /// Where the second path ends: d, or d01 under Algorithm B.
    pub end: NodeId,
    /// The dimension that is crossed between the two paths, under Algorithm B.
    pub crossing: Option<u8>,
    /// The lowest dimension that the paths may cross.
    pub lowest: u8,
}

/// An oblivious routing scheme on a cube with faulty nodes.
pub trait ObliviousRouting: Send + Sync {
    /// The cube.
    fn cube(&self) -> Hypercube {
        self.faulty().cube()
    }

    /// The faulty nodes.
    fn faulty(&self) -> &FaultyNodes;

    /// Whether `node` may be the source or destination of a message: whether it is in the set A; of schemes without a set of
    /// their own, whether it is healthy.
    fn is_active(&self, node: NodeId) -> bool {
        self.active_set().map_or(!self.faulty().contains(node), |active| active.contains(node))
    }

    /// The active set with its counts, of the schemes whose own it is.
    fn active_set(&self) -> Option<&ActiveSet> {
        None
    }

    /// The subcube without faults by way of which all messages go; `None` of the other schemes.
    fn healthy_subcube(&self) -> Option<Subcube> {
        None
    }

    /// The intermediate nodes of messages from `from` to `to`, both active; `None` if the scheme has none. Cost: N steps.
    fn choice(&self, _from: NodeId, _to: NodeId) -> Option<Choice> {
        None
    }

    /// The paths from and to the intermediate node; `None` if the scheme has none.
    fn legs(&self, _from: NodeId, _to: NodeId) -> Option<Legs> {
        None
    }

    /// Draws the intermediate node of one message; `Ok(None)` if the scheme has none.
    ///
    /// # Errors
    /// [`NoRoute::NoIntermediate`] if there is none to choose.
    fn draw(&self, _from: NodeId, _to: NodeId, _generator: &mut Generator) -> Result<Option<NodeId>, NoRoute> {
        Ok(None)
    }

    /// The route by way of the intermediate node `via`; without chance.
    ///
    /// # Errors
    /// Why there is none.
    fn through(&self, from: NodeId, to: NodeId, via: Option<NodeId>) -> Result<ObliviousRoute, NoRoute>;

    /// The route of one message. A message from a node to itself travels as any other.
    ///
    /// # Errors
    /// Why there is none.
    fn route(&self, from: NodeId, to: NodeId, generator: &mut Generator) -> Result<ObliviousRoute, NoRoute> {
        self.send(from, None, to, generator)
    }

    /// The same by way of the intermediate node `via`, if one is given: then none is drawn.
    ///
    /// # Errors
    /// Why there is none.
    fn send(
        &self,
        from: NodeId,
        via: Option<NodeId>,
        to: NodeId,
        generator: &mut Generator,
    ) -> Result<ObliviousRoute, NoRoute> {
        for (node, end) in [(from, End::Source), (to, End::Destination)] {
            if !self.is_active(node) {
                return Err(NoRoute::Inactive(end, node));
            }
        }
        let via = match via {
            None => self.draw(from, to, generator)?,
            given => given,
        };
        self.through(from, to, via)
    }
}

/// Why a scheme does not apply to a cube with its faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// The cube has too few dimensions: at least so many are needed.
    Dimensions(u8),
    /// No (n-2)-dimensional subcube is without faults (Kim & Shin).
    NoSubcube,
    /// The algorithm routes no permutations.
    NotOblivious,
}

impl std::fmt::Display for Unavailable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Dimensions(least) => write!(f, "it needs a cube of at least {least} dimensions"),
            Self::NotOblivious => f.write_str("it routes no permutations"),
            Self::NoSubcube => f.write_str("it needs a subcube of n-2 dimensions without a fault, and there is none"),
        }
    }
}

impl std::error::Error for Unavailable {}

/// By way of which nodes the messages of a scheme go, and which nodes take part: what the closed forms turn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByWayOf {
    /// None: a message takes the one path of bit-fixing, which is a shortest one.
    Nothing,
    /// Any node, or any with two fault-free paths; every healthy node takes part.
    Any,
    /// The sets I_sd of Algorithm A, whose members are no farther than [`length_cap`] allows; its active nodes take part
    /// (Lemma 2).
    ActiveNodes,
    /// The same between the squares of Algorithm B, in a cube of n-2 dimensions; its active squares take part (Theorem 3).
    ActiveSquares,
    /// A subcube of n-2 dimensions without faults.
    Subcube,
}

/// What builds a scheme.
type Build = fn(FaultyNodes, Tolerance) -> Result<Box<dyn ObliviousRouting>, Unavailable>;

/// What an entry of [`crate::routing::ALGORITHMS`] says of an oblivious scheme.
#[derive(Clone, Copy)]
pub struct Oblivious {
    /// Whether no set of messages can deadlock.
    pub deadlock_free: bool,
    /// By way of which nodes its messages go.
    pub by_way_of: ByWayOf,
    /// Builds it for a cube with these faults; the tolerance is Algorithms A and B's, the others ignore it.
    ///
    /// # Errors
    /// Why the scheme does not apply.
    pub build: Build,
}

/// Figure 3-3: two messages of a 2-cube, each its source, intermediate node and destination, that deadlock by general
/// randomized routing if they have two flits or more. Each needs, after its intermediate node, the channel that the other
/// one took first.
pub const FIGURE_3_3: [[NodeId; 3]; 2] =
    [[NodeId(0b00), NodeId(0b11), NodeId(0b10)], [NodeId(0b11), NodeId(0b00), NodeId(0b01)]];

/// The shortest deadlock of general randomized routing, likewise: two messages that meet on one edge, each of which turns
/// back there at its intermediate node.
pub const U_TURN_PAIR: [[NodeId; 3]; 2] =
    [[NodeId(0b00), NodeId(0b01), NodeId(0b10)], [NodeId(0b01), NodeId(0b00), NodeId(0b11)]];

/// The thesis, as lists name it.
const THESIS: &str = "thesis on deadlock-free randomized routing";

/// `node` as the thesis writes it, x1 x2 .. xn: the lowest dimension first.
pub fn thesis_label(cube: Hypercube, node: NodeId) -> String {
    (0..cube.dimension()).map(|dim| if node.0 >> dim & 1 == 1 { '1' } else { '0' }).collect()
}

/// Reads a node as the thesis writes it. `None` if it is no node of `cube`.
pub fn parse_thesis_label(cube: Hypercube, text: &str) -> Option<NodeId> {
    let digits = text.bytes().all(|byte| matches!(byte, b'0' | b'1')) && text.len() == usize::from(cube.dimension());
    let bits = text.bytes().rev().fold(0, |bits, byte| bits << 1 | u64::from(byte & 1));
    digits.then_some(NodeId(bits))
}
