//! Whole permutations and h-relations of the active nodes of a hypercube (thesis section 1.3).

use std::fmt;

use rand::RngExt as _;

use super::Addresses as _;
use crate::names;
use crate::random::Key;
use crate::topology::{Hypercube, NodeId};

/// A rule by which every node has one destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permutation {
    /// Any permutation of the active nodes, all equally likely; some nodes may be their own destinations.
    Random,
    /// The two halves of the address exchanged: rotated by floor(n/2) bits.
    Transpose,
    /// The address read backwards.
    BitReversal,
    /// Every address bit inverted.
    Complement,
    /// The lowest and the highest floor(n/2) bits exchanged; for odd n, the one in the middle inverted. Under bit-fixing it
    /// loads a channel with 2^floor((n-1)/2) messages, and no permutation with more.
    Worst,
}

names! {
    Permutation {
        Random: "random",
        Transpose: "transpose",
        BitReversal: "bit-reversal",
        Complement: "complement",
        Worst: "worst",
    }
}

impl Permutation {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Transpose => "transpose",
            Self::BitReversal => "bit reversal",
            Self::Complement => "complement",
            Self::Worst => "worst for bit-fixing",
        }
    }

    /// Where it sends `source`; `None` if that is left to chance.
    pub fn image(self, cube: Hypercube, source: NodeId) -> Option<NodeId> {
        match self {
            Self::Random => None,
            Self::Transpose => cube.transposed(source),
            Self::BitReversal => cube.reversed(source),
            Self::Complement => Some(cube.antipode(source)),
            Self::Worst => Some(worst(cube, source)),
        }
    }
}

fn worst(cube: Hypercube, node: NodeId) -> NodeId {
    let n = u32::from(cube.dimension());
    let (half, high) = (n / 2, n - n / 2);
    let low_bits = (1u64 << half) - 1;
    let middle = if n % 2 == 1 { 1 << half } else { 0 };
    let above = if half == 0 { 0 } else { node.0 >> high };
    let below = if half == 0 { 0 } else { (node.0 & low_bits) << high };
    NodeId(above | below | ((node.0 & middle) ^ middle))
}

/// Messages to be routed together, and those that the faults have already kept from being sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    pairs: Vec<(u32, u32)>,
    /// The intermediate nodes that are given, [`NO_NODE`] where none is; empty if none is given at all.
    vias: Vec<u32>,
    kept_back: u32,
}

/// No intermediate node is given.
const NO_NODE: u32 = u32::MAX;

/// One message of a list of one's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its source.
    pub from: NodeId,
    /// The intermediate node that it is to take, if that is not left to the routing scheme.
    pub via: Option<NodeId>,
    /// Its destination.
    pub to: NodeId,
}

/// Why a list of pairs is no relation on a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelationError {
    /// The cube does not have this node.
    NoNode(NodeId),
    /// There are more messages than 2^26, or the cube has more than 24 dimensions.
    TooLarge,
}

impl fmt::Display for RelationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNode(node) => write!(f, "the cube has no node {node}"),
            Self::TooLarge => f.write_str("at most 2^26 messages on at most 24 dimensions"),
        }
    }
}

impl std::error::Error for RelationError {}

impl Relation {
    /// The most messages of a relation.
    pub const MAX_MESSAGES: u64 = 1 << 26;

    /// The largest cube.
    pub const MAX_DIMENSION: u8 = 24;

    /// `h` permutations of the `active` nodes of `cube` at once: every one of them the source and the destination of h
    /// messages, `h` independent permutations if they are [`Permutation::Random`], else h times the same. Of a rule, pairs
    /// with an end that is not active are kept back.
    ///
    /// # Errors
    /// If there are too many messages, or the cube does not have one of the nodes.
    pub fn new(
        cube: Hypercube,
        permutation: Permutation,
        h: u32,
        active: impl IntoIterator<Item = NodeId>,
        key: Key,
    ) -> Result<Self, RelationError> {
        let sources = listed(cube, active)?;
        if u64::from(h) * sources.len() as u64 > Self::MAX_MESSAGES {
            return Err(RelationError::TooLarge);
        }
        if permutation == Permutation::Random {
            let mut pairs = Vec::with_capacity(h as usize * sources.len());
            for copy in 0..h {
                let images = shuffled(&sources, key.child(u64::from(copy)));
                for (place, &from) in sources.iter().enumerate() {
                    pairs.push((from, images[place]));
                }
            }
            return Ok(Self { pairs, ..Self::default() });
        }
        let mut is_active = vec![false; cube.mask() as usize + 1];
        sources.iter().for_each(|&node| is_active[node as usize] = true);
        let image = |from: u32| permutation.image(cube, NodeId(u64::from(from))).map_or(from, |to| to.0 as u32);
        let all = (0..=cube.mask() as u32).map(|from| (from, image(from)));
        let once: Vec<_> = all.filter(|&(from, to)| is_active[from as usize] && is_active[to as usize]).collect();
        let kept_back = (is_active.len() - once.len()) as u32;
        let pairs = (0..h).flat_map(|_| once.iter().copied()).collect();
        Ok(Self { pairs, kept_back: kept_back.saturating_mul(h), ..Self::default() })
    }

    /// These messages, `h` times over, whatever their ends: what becomes of them is the routing scheme's to say.
    ///
    /// # Errors
    /// If there are too many, or the cube does not have one of the nodes.
    pub fn list(cube: Hypercube, messages: &[Listed], h: u32) -> Result<Self, RelationError> {
        if messages.len() as u64 * u64::from(h) > Self::MAX_MESSAGES {
            return Err(RelationError::TooLarge);
        }
        let all = || (0..h).flat_map(|_| messages);
        let from = listed(cube, all().map(|message| message.from))?;
        let to = listed(cube, all().map(|message| message.to))?;
        listed(cube, messages.iter().filter_map(|message| message.via))?;
        let given = messages.iter().any(|message| message.via.is_some());
        let vias = all().filter(|_| given).map(|message| message.via.map_or(NO_NODE, |via| via.0 as u32)).collect();
        Ok(Self { pairs: from.into_iter().zip(to).collect(), vias, kept_back: 0 })
    }

    /// Source and destination of message `number`; those of the first if there are fewer, node 0 without any.
    #[inline]
    pub fn ends(&self, number: u32) -> (NodeId, NodeId) {
        let pair = self.pairs.get(number as usize).or(self.pairs.first());
        pair.map_or((NodeId(0), NodeId(0)), |&(from, to)| (NodeId(u64::from(from)), NodeId(u64::from(to))))
    }

    /// The intermediate node that message `number` is to take; `None` if that is left to the routing scheme.
    #[inline]
    pub fn via(&self, number: u32) -> Option<NodeId> {
        self.vias.get(number as usize).filter(|&&via| via != NO_NODE).map(|&via| NodeId(u64::from(via)))
    }

    /// The messages, source and destination; a message's place in this order is its number.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        self.pairs.iter().map(|&(from, to)| (NodeId(u64::from(from)), NodeId(u64::from(to))))
    }

    /// The number of messages.
    pub fn len(&self) -> u32 {
        self.pairs.len() as u32
    }

    /// Whether there are none, as when no node is active.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The number of pairs, h times over, that a rule has but that are not sent, for an end that is not active.
    pub fn kept_back(&self) -> u32 {
        self.kept_back
    }

    /// The h of which it is an h-relation: the most messages that a node sends or receives.
    pub fn h(&self) -> u32 {
        let most = |ends: &mut dyn Iterator<Item = u32>| {
            let mut counts: Vec<u32> = Vec::new();
            for node in ends {
                if counts.len() <= node as usize {
                    counts.resize(node as usize + 1, 0);
                }
                counts[node as usize] += 1;
            }
            counts.into_iter().max().unwrap_or(0)
        };
        let sent = most(&mut self.pairs.iter().map(|pair| pair.0));
        sent.max(most(&mut self.pairs.iter().map(|pair| pair.1)))
    }
}

/// The nodes as numbers, if `cube` has them all.
fn listed(cube: Hypercube, nodes: impl IntoIterator<Item = NodeId>) -> Result<Vec<u32>, RelationError> {
    if cube.dimension() > Relation::MAX_DIMENSION {
        return Err(RelationError::TooLarge);
    }
    let known = |node: NodeId| if cube.contains(node) { Ok(node.0 as u32) } else { Err(RelationError::NoNode(node)) };
    nodes.into_iter().map(known).collect()
}

/// Where a uniform permutation sends the nodes (Fisher & Yates).
pub(super) fn shuffled(nodes: &[u32], key: Key) -> Vec<u32> {
    let (mut all, mut generator) = (nodes.to_vec(), key.generator());
    let images = &mut all[..];
    let mut left = images.len();
    while left > 1 {
        let other = generator.random_range(0..left as u64) as usize;
        left -= 1;
        (images[left], images[other]) = (images[other], images[left]);
    }
    all
}
