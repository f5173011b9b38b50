//! Routes of single messages, hop by hop, and the reasons why a message has no route.

use std::fmt;

use crate::rich;
use crate::routing::Rule;
use crate::topology::{Link, NodeId};

/// The purpose of a part of a route.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObliviousPhase {
    /// Bit-fixing straight to the destination.
    #[default]
    Direct,
    /// Clockwise along the square to C00 (Algorithm B, phase 1).
    Clockwise,
    /// Bit-fixing to the intermediate node (phase 1 of general randomized routing, phase 2 of
    /// Algorithm B).
    ToIntermediate,
    /// From C00 to C01 (Algorithm B, phase 3).
    Crossing,
    /// Bit-fixing from the intermediate node (phase 2 of general randomized routing, phase 4 of
    /// Algorithm B).
    FromIntermediate,
    /// Counter-clockwise along the square to the destination (Algorithm B, phase 5).
    CounterClockwise,
    /// To the healthy subcube (Kim & Shin).
    Approach,
    /// Bit-fixing in the healthy subcube (Kim & Shin).
    Inside,
    /// From the healthy subcube to the destination (Kim & Shin).
    Leave,
}

impl ObliviousPhase {
    /// Returns the short name, as in exported files.
    pub fn id(self) -> &'static str {
        self.rule().id
    }

    /// Returns the rule of a hop in this phase.
    pub fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }
}

/// Rules of hops by phase.
static RULES: [Rule; 9] = [
    Rule::hop("direct", |hop| rich!["bit-fixing to the destination: ", hop.link_name()]),
    Rule::hop("clockwise", |hop| rich!["clockwise to C00: ", hop.link_name()]),
    Rule::hop("to-intermediate", |hop| rich!["to the intermediate node: ", hop.link_name()]),
    Rule::hop("crossing", |hop| rich!["over to C01: ", hop.link_name()]),
    Rule::hop("from-intermediate", |hop| rich!["on from the intermediate node: ", hop.link_name()]),
    Rule::hop("counter-clockwise", |hop| rich!["counter-clockwise to the destination: ", hop.link_name()]),
    Rule::hop("approach", |hop| rich!["to the healthy subcube: ", hop.link_name()]),
    Rule::hop("inside", |hop| rich!["bit-fixing in the healthy subcube: ", hop.link_name()]),
    Rule::hop("leave", |hop| rich!["from the healthy subcube to the destination: ", hop.link_name()]),
];

/// The rank of a channel in the order that proves a scheme deadlock-free: every route takes its
/// channels in ascending order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeRank {
    /// The class of channels: 1 to 9 of figure 3-7 under Algorithm B.
    pub class: u8,
    /// The dimension, 0 to n-1, in classes that are ordered by dimension; else 0.
    pub dim: u8,
}

/// A hop of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObliviousHop {
    /// The channel.
    pub link: Link,
    /// The phase of the hop.
    pub phase: ObliviousPhase,
    /// The rank of the channel; `None` for schemes without an order.
    pub rank: Option<EdgeRank>,
}

/// A hop without its node, which follows from the earlier hops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RouteStep {
    dim: u8,
    phase: ObliviousPhase,
    /// The class in the scheme's order of channels; 0 for schemes without an order.
    class: u8,
}

/// The route of one message through live nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObliviousRoute {
    from: NodeId,
    here: NodeId,
    via: Option<NodeId>,
    length: u8,
    /// No scheme takes more than 2n + 7 hops, and n is at most 24.
    steps: [RouteStep; 64],
}

impl ObliviousRoute {
    /// Creates an empty route at `from`.
    #[inline]
    pub(super) fn new(from: NodeId, via: Option<NodeId>) -> Self {
        Self { from, here: from, via, length: 0, steps: [RouteStep::default(); 64] }
    }

    /// Appends a hop across `dim`. The class is 0 if the scheme has no order of channels.
    #[inline]
    pub(super) fn hop(&mut self, dim: u8, phase: ObliviousPhase, class: u8) {
        if let Some(step) = self.steps.get_mut(usize::from(self.length)) {
            *step = RouteStep { dim, phase, class };
            self.length += 1;
            self.here.0 ^= 1u64.wrapping_shl(u32::from(dim));
        }
    }

    /// Appends the hops to `to` by bit-fixing.
    #[inline]
    pub(super) fn fix(&mut self, to: NodeId, phase: ObliviousPhase, class: u8) {
        let mut rest = self.here.0 ^ to.0;
        while rest != 0 {
            self.hop(rest.trailing_zeros() as u8, phase, class);
            rest &= rest - 1;
        }
    }

    /// Returns the source.
    pub fn from(&self) -> NodeId {
        self.from
    }

    /// Returns the destination.
    pub fn to(&self) -> NodeId {
        self.here
    }

    /// Returns the intermediate node; `None` if the scheme has none.
    pub fn via(&self) -> Option<NodeId> {
        self.via
    }

    /// Returns the number of hops.
    pub fn length(&self) -> u32 {
        u32::from(self.length)
    }

    /// Returns the hops in order.
    #[inline]
    pub fn hops(&self) -> impl Iterator<Item = ObliviousHop> + '_ {
        let mut from = self.from;
        self.steps.iter().take(usize::from(self.length)).map(move |step| {
            let link = Link { from, dim: step.dim };
            from = link.end();
            let ordered = matches!(
                step.phase,
                ObliviousPhase::Direct
                    | ObliviousPhase::ToIntermediate
                    | ObliviousPhase::FromIntermediate
                    | ObliviousPhase::Inside
            );
            let rank = EdgeRank { class: step.class, dim: if ordered { step.dim } else { 0 } };
            ObliviousHop { link, phase: step.phase, rank: (step.class != 0).then_some(rank) }
        })
    }

    /// Returns whether the ranks of the route's channels ascend, as required of every route of a
    /// deadlock-free scheme. Returns `None` for schemes without an order.
    pub fn ascends(&self) -> Option<bool> {
        let ranks: Option<Vec<_>> = self.hops().map(|hop| hop.rank).collect();
        ranks.map(|ranks| ranks.is_sorted_by(|before, after| before < after))
    }

    /// Returns the nodes in order, both ends included.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::once(self.from).chain(self.hops().map(|hop| hop.link.end()))
    }
}

/// An end of a message's route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// The source.
    Source,
    /// The destination.
    Destination,
}

/// The reason why a message has no route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRoute {
    /// An end of the message is inactive.
    Inactive(Endpoint, NodeId),
    /// I_sd is empty: faults leave no intermediate node within the length cap.
    NoIntermediate,
    /// The route leads into this faulty node, because the scheme ignores faults.
    Faulty(NodeId),
    /// The route leads across this faulty link, because the scheme ignores faults.
    FaultyLink(Link),
    /// Every way between this end and the healthy subcube is faulty, of two ways (Kim & Shin).
    Enclosed(Endpoint, NodeId),
}

impl NoRoute {
    /// Returns the short name, as in exported files.
    pub fn id(self) -> &'static str {
        match self {
            Self::Inactive(Endpoint::Source, _) => "inactive-source",
            Self::Inactive(Endpoint::Destination, _) => "inactive-destination",
            Self::NoIntermediate => "no-intermediate",
            Self::Faulty(_) => "faulty",
            Self::FaultyLink(_) => "faulty-link",
            Self::Enclosed(..) => "walled",
        }
    }
}

impl fmt::Display for NoRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |end: &Endpoint| match end {
            Endpoint::Source => "source",
            Endpoint::Destination => "destination",
        };
        match self {
            Self::Inactive(end, node) => write!(f, "its {} {node} is not active", name(end)),
            Self::NoIntermediate => f.write_str("no intermediate node is valid: the set I_sd is empty"),
            Self::Faulty(node) => write!(f, "its route runs into the faulty node {node}"),
            Self::FaultyLink(link) => write!(f, "its route crosses the faulty link {link}"),
            Self::Enclosed(end, node) => {
                write!(f, "both ways between its {} {node} and the healthy subcube are faulty", name(end))
            }
        }
    }
}

impl std::error::Error for NoRoute {}
