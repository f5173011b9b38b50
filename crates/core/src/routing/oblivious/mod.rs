//! Oblivious routing of whole permutations on a hypercube with faulty nodes, and optionally
//! faulty links (the thesis on deadlock-free randomized routing). A message's route depends on its ends and on random draws,
//! not on other messages.
//!
//! Dimension k of the thesis, 1 to n, is address bit k-1 here; [`thesis_label`] writes its strings
//! x1 x2 .. xn. "log" of n in the thesis means base 2, and the natural logarithm inside Chernoff
//! bounds.

pub(super) mod algorithm_a;
pub(super) mod algorithm_b;
pub(super) mod any_intermediate;
pub(super) mod bit_fixing;
mod butterfly;
mod general;
mod intermediate;
pub(super) mod kim_shin;
mod route;
mod subcube;
pub(super) mod valiant_brebner;

pub use algorithm_a::AlgorithmA;
pub use algorithm_b::{AlgorithmB, edge_rank};
pub use bit_fixing::{BitFixing, bit_fixing_path};
pub use butterfly::{ButterflyRoute, ButterflyRouting, ButterflyScheme};
pub use general::GeneralRandomized;
pub use intermediate::{Intermediates, length_cap};
pub use kim_shin::{KimShin, kim_shin_guarantee};
pub use route::{EdgeRank, Endpoint, NoRoute, ObliviousHop, ObliviousPhase, ObliviousRoute};
pub use subcube::{Subcube, healthy_subcube};
pub use valiant_brebner::ValiantBrebner;

use crate::fault::{ActiveSet, FaultyNodes, Tolerance};
use crate::random::Generator;
use crate::topology::{Hypercube, NodeId};

/// The distribution of a message's intermediate node: each of the `valid` nodes, ascending, with
/// probability 1 in `out_of`. With the remaining probability the message draws a node that leads
/// into a fault, and is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntermediateChoice {
    /// The intermediate nodes through which the message arrives: I_sd.
    pub valid: Vec<NodeId>,
    /// The number of nodes from which the message draws.
    pub out_of: u64,
}

/// The two bit-fixing paths of a randomized route, without the hops before the first path, between
/// the paths, and after the second path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Legs {
    /// The start of the first path: s, or s00 under Algorithm B.
    pub start: NodeId,
    /// The end of the second path: d, or d01 under Algorithm B.
    pub end: NodeId,
    /// The dimension that is crossed between the two paths, under Algorithm B.
    pub crossing: Option<u8>,
    /// The lowest dimension that the paths may cross.
    pub lowest: u8,
}

/// An oblivious routing scheme on a cube with faulty nodes.
pub trait ObliviousRouting: Send + Sync {
    /// Returns the cube.
    fn cube(&self) -> Hypercube {
        self.faulty().cube()
    }

    /// Returns the faulty nodes.
    fn faulty(&self) -> &FaultyNodes;

    /// Returns whether `node` may be the source or destination of a message. In schemes without an
    /// active set A, every healthy node may be.
    fn is_active(&self, node: NodeId) -> bool {
        self.active_set().map_or(!self.faulty().contains(node), |active| active.contains(node))
    }

    /// Returns the active set with its counts; `None` for schemes without an active set.
    fn active_set(&self) -> Option<&ActiveSet> {
        None
    }

    /// Returns the fault-free subcube that all messages pass; `None` for other schemes.
    fn healthy_subcube(&self) -> Option<Subcube> {
        None
    }

    /// Returns the intermediate nodes of messages from `from` to `to`, both active; `None` if the
    /// scheme has no intermediate nodes. Cost: N steps.
    fn choice(&self, _from: NodeId, _to: NodeId) -> Option<IntermediateChoice> {
        None
    }

    /// Returns the paths to and from the intermediate node; `None` if the scheme has no
    /// intermediate nodes.
    fn legs(&self, _from: NodeId, _to: NodeId) -> Option<Legs> {
        None
    }

    /// Draws the intermediate node of one message; `Ok(None)` if the scheme has no intermediate
    /// nodes.
    ///
    /// # Errors
    /// Returns [`NoRoute::NoIntermediate`] if no intermediate node is valid.
    fn draw(&self, _from: NodeId, _to: NodeId, _generator: &mut Generator) -> Result<Option<NodeId>, NoRoute> {
        Ok(None)
    }

    /// Returns the route through the intermediate node `via`, without random draws.
    ///
    /// # Errors
    /// Returns the reason if there is no route.
    fn route_via(&self, from: NodeId, to: NodeId, via: Option<NodeId>) -> Result<ObliviousRoute, NoRoute>;

    /// Returns the route of one message. Messages from a node to itself are routed like all others.
    ///
    /// # Errors
    /// Returns the reason if there is no route.
    fn route(&self, from: NodeId, to: NodeId, generator: &mut Generator) -> Result<ObliviousRoute, NoRoute> {
        self.send(from, None, to, generator)
    }

    /// Returns the route of one message through `via`. If `via` is `None`, the method draws the
    /// intermediate node.
    ///
    /// # Errors
    /// Returns the reason if there is no route.
    fn send(
        &self,
        from: NodeId,
        via: Option<NodeId>,
        to: NodeId,
        generator: &mut Generator,
    ) -> Result<ObliviousRoute, NoRoute> {
        for (node, end) in [(from, Endpoint::Source), (to, Endpoint::Destination)] {
            if !self.is_active(node) {
                return Err(NoRoute::Inactive(end, node));
            }
        }
        let via = match via {
            None => self.draw(from, to, generator)?,
            given => given,
        };
        self.route_via(from, to, via)
    }
}

/// The reason why a scheme does not apply to a cube with its faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// The cube has too few dimensions; the scheme needs at least this many.
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
            Self::NotOblivious => f.write_str("it does not route permutations"),
            Self::NoSubcube => f.write_str("it needs a fault-free subcube of n-2 dimensions, but there is none"),
        }
    }
}

impl std::error::Error for Unavailable {}

/// The intermediate nodes of a scheme and the nodes that take part, which determine the closed
/// forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntermediateNodes {
    /// No intermediate node: a message takes the single path of bit-fixing, which is a shortest
    /// path.
    Nothing,
    /// Any node, or any node with two fault-free paths; every healthy node takes part.
    Any,
    /// The sets I_sd of Algorithm A, whose members are within the [`length_cap`]; its active nodes
    /// take part (Lemma 2).
    ActiveNodes,
    /// The sets I_sd between the squares of Algorithm B, in a cube of n-2 dimensions; its active
    /// squares take part (Theorem 3).
    ActiveSquares,
    /// A subcube of n-2 dimensions without faults.
    Subcube,
}

/// A constructor of a scheme.
type Build = fn(FaultyNodes, Tolerance) -> Result<Box<dyn ObliviousRouting>, Unavailable>;

/// The oblivious scheme of an entry of [`crate::routing::ALGORITHMS`].
#[derive(Clone, Copy)]
pub struct Oblivious {
    /// `true` if no set of messages can deadlock.
    pub deadlock_free: bool,
    /// The intermediate nodes of messages under the scheme.
    pub intermediate_nodes: IntermediateNodes,
    /// The constructor for a cube with these faults. Only Algorithms A and B use the tolerance.
    ///
    /// # Errors
    /// Returns the reason if the scheme does not apply.
    pub build: Build,
    /// The scheme on butterflies; `None` if it is defined on hypercubes only.
    pub butterfly: Option<ButterflyScheme>,
}

/// Figure 3-3: two messages of a 2-cube, each as its source, intermediate node and destination.
/// Under general randomized routing, messages of two or more flits deadlock: after its intermediate
/// node, each message needs the channel that the other message took first.
pub const FIGURE_3_3: [[NodeId; 3]; 2] =
    [[NodeId(0b00), NodeId(0b11), NodeId(0b10)], [NodeId(0b11), NodeId(0b00), NodeId(0b01)]];

/// The shortest deadlock of general randomized routing, in the form of [`FIGURE_3_3`]: two messages
/// that meet on one edge, each of which turns back at its intermediate node.
pub const U_TURN_PAIR: [[NodeId; 3]; 2] =
    [[NodeId(0b00), NodeId(0b01), NodeId(0b10)], [NodeId(0b01), NodeId(0b00), NodeId(0b11)]];

/// Name of the thesis in lists.
const THESIS: &str = "thesis on deadlock-free randomized routing";

/// Returns `node` as the thesis writes it, x1 x2 .. xn: the lowest dimension first.
pub fn thesis_label(cube: Hypercube, node: NodeId) -> String {
    (0..cube.dimension()).map(|dim| if node.0 >> dim & 1 == 1 { '1' } else { '0' }).collect()
}

/// Parses a node as the thesis writes it. Returns `None` if the text is not a node of `cube`.
pub fn parse_thesis_label(cube: Hypercube, text: &str) -> Option<NodeId> {
    let digits = text.bytes().all(|byte| matches!(byte, b'0' | b'1')) && text.len() == usize::from(cube.dimension());
    let bits = text.bytes().rev().fold(0, |bits, byte| bits << 1 | u64::from(byte & 1));
    digits.then_some(NodeId(bits))
}
