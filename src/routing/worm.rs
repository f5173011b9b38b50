//! Wormhole routing on meshes: which virtual channel a header may ask for next, and why.

use crate::fault::BlockFaults;
use crate::fault::block::{Orientation, RegionId};
use crate::topology::{Mesh, NodeId, Port};

/// A message's type, the direction in which it still has to go (Boppana & Chalasani definitions 2 and 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WormType {
    /// A row message from West to East; of affected messages, 0+.
    We,
    /// A row message from East to West; of affected messages, 0-.
    Ew,
    /// A column message from North to South; of affected messages, 1+.
    Ns,
    /// A column message from South to North; of affected messages, 1-.
    Sn,
}

impl WormType {
    /// All.
    pub const ALL: [Self; 4] = [Self::We, Self::Ew, Self::Ns, Self::Sn];

    /// Its name: WE, EW, NS, SN.
    pub fn name(self) -> &'static str {
        ["WE", "EW", "NS", "SN"][self as usize]
    }

    /// Its name as an affected message: the dimension and the sign.
    pub fn affected_name(self) -> &'static str {
        ["0+", "0-", "1+", "1-"][self as usize]
    }

    /// The port that leads that way.
    #[inline]
    pub fn port(self) -> Port {
        [Port::EAST, Port::WEST, Port::SOUTH, Port::NORTH][self as usize]
    }
}

/// What a message carries along besides its destination. Eight bytes, compared and hashed in dependency graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WormHeader {
    /// Its type; for adaptive routing, meaningful once it is affected.
    pub kind: WormType,
    /// Whether it is on its way around a region (f-cube: misrouted), or has been blocked by faults once (adaptive: affected).
    pub status: WormStatus,
    /// Its way around the region, once it has one.
    pub orientation: Option<Orientation>,
    /// The region it goes around, with `orientation`.
    pub region: Option<RegionId>,
    /// Adaptive routing: the virtual network of its base classes.
    pub network: u8,
}

/// Whether faults have a part in a message's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WormStatus {
    /// They have none.
    Normal,
    /// f-cube: it goes around a region.
    Misrouted,
    /// Adaptive: faults left it no minimal hop once; it stays so for the rest of its journey.
    Affected,
}

/// Where a message is and where it has to go: all that a decision may use besides local faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormAt {
    /// The node that holds its header.
    pub here: NodeId,
    /// Its destination, another node.
    pub to: NodeId,
    /// The port by which its header left the node before; `None` at its source.
    pub came: Option<Port>,
    /// What it carries along.
    pub header: WormHeader,
}

/// Why a channel may be asked for: the rule of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WormRule {
    /// Not blocked: the e-cube hop, along the row first (definition 1).
    Ecube,
    /// Blocked just now: onto the ring (Fig. 3, Set-Direction).
    EnterRing,
    /// Still blocked: on along the ring in the direction that was set (Fig. 3, step 1 of Set-Direction).
    FollowRing,
    /// The end of a fault chain: back the other way (Fig. 8, Fig. 10 rule 3.3).
    TurnBack,
    /// Adaptive: any hop on a minimal path that is live (Fig. 10, rule 1).
    Minimal,
    /// Affected: the legal hop (definition 5; Fig. 10, rule 2).
    Legal,
}

impl WormRule {
    /// Its short name, as in exported files.
    pub fn id(self) -> &'static str {
        match self {
            Self::Ecube => "e-cube",
            Self::EnterRing => "enter-ring",
            Self::FollowRing => "follow-ring",
            Self::TurnBack => "turn-back",
            Self::Minimal => "minimal",
            Self::Legal => "legal",
        }
    }

    /// Whether a fault is the reason.
    pub fn is_detour(self) -> bool {
        matches!(self, Self::EnterRing | Self::FollowRing | Self::TurnBack)
    }
}

/// One virtual channel that a message may ask for next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormChoice {
    /// The port to leave by; its link is live.
    pub port: Port,
    /// The class of virtual channel.
    pub class: u8,
    /// The header when it has left by it.
    pub header: WormHeader,
    /// Why.
    pub rule: WormRule,
}

/// The virtual channels that a message may ask for at one position. It takes any that is idle and waits for all of them; of
/// several, each cycle, it prefers one at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct WormChoices {
    list: [Option<WormChoice>; 2],
}

impl WormChoices {
    /// The most there are at one position.
    pub const MOST: usize = 2;

    /// No choice: the message can never go on.
    pub const NONE: Self = Self { list: [None; 2] };

    /// One choice.
    #[inline]
    pub const fn one(choice: WormChoice) -> Self {
        Self { list: [Some(choice), None] }
    }

    /// Adds one; a third is dropped.
    #[inline]
    pub fn add(&mut self, choice: WormChoice) {
        if let Some(place) = self.list.iter_mut().find(|place| place.is_none()) {
            *place = Some(choice);
        }
    }

    /// They, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &WormChoice> {
        self.list.iter().flatten()
    }

    /// Their number.
    #[inline]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.list[0].is_none()
    }

    /// Choice number `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<WormChoice> {
        self.list.get(index).copied().flatten()
    }
}

/// A wormhole routing algorithm of meshes whose decisions are local.
///
/// [`choices`](WormRouting::choices) is the whole decision, a pure function: the flit engine, the dependency graph, the
/// single message and the words on the page all call it.
pub trait WormRouting: Sync {
    /// The classes of virtual channels that it needs on every channel.
    fn classes(&self) -> u8;

    /// The headers that a message may start with, all equally likely; the source draws one. One or two.
    fn starts(&self, mesh: Mesh, from: NodeId, to: NodeId) -> (WormHeader, Option<WormHeader>);

    /// The virtual channels that a message at `at` may ask for; none if faults leave it no way on. Cost: constant.
    fn choices(&self, faults: &BlockFaults, at: &WormAt) -> WormChoices;

    /// Whether the paper proves that it cannot deadlock on `faults`, and that it delivers every message.
    fn is_proved(&self, faults: &BlockFaults) -> bool;
}
