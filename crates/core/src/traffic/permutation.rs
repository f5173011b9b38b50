//! Permutations and h-relations of the active nodes of a hypercube (thesis section 1.3).

use std::fmt;

use rand::RngExt as _;

use super::{LinearMap, NamedPermutation};
use crate::random::Key;
use crate::topology::{Hypercube, NodeId};

/// Rule that assigns one destination to every node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permutation {
    /// Uniformly random permutation of the active nodes; some nodes may be their own destinations.
    Random,
    /// A permutation with a standard name that is defined on hypercubes.
    Named(NamedPermutation),
    /// Exchange of the lowest and highest floor(n/2) bits; for odd n the middle bit is inverted.
    /// Under bit-fixing, this permutation loads a channel with 2^floor((n-1)/2) messages, the
    /// maximum over all permutations.
    Worst,
    /// Linear-complement permutation.
    Linear(LinearMap),
}

impl Permutation {
    /// The permutations that have a name of their own, in display order.
    pub const ALL: [Self; 9] = [
        Self::Random,
        Self::Named(NamedPermutation::Transpose),
        Self::Named(NamedPermutation::BitReversal),
        Self::Named(NamedPermutation::Complement),
        Self::Worst,
        Self::Named(NamedPermutation::AntiTranspose),
        Self::Named(NamedPermutation::Shuffle),
        Self::Named(NamedPermutation::BitRotation),
        Self::Named(NamedPermutation::Butterfly),
    ];

    /// Returns the name in experiment texts; of a linear permutation, without its matrix.
    pub fn id(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Named(permutation) => permutation.id(),
            Self::Worst => "worst",
            Self::Linear(_) => "linear",
        }
    }

    /// Returns the named permutation with this id or alias, or `None` if there is none on
    /// hypercubes.
    pub fn parse(id: &str) -> Option<Self> {
        let alias = || NamedPermutation::parse_alias(id).map(Self::Named);
        Self::ALL.into_iter().find(|one| one.id() == id).or_else(|| alias().filter(|one| Self::ALL.contains(one)))
    }

    /// Returns whether the permutation is defined on `cube`: a linear one has as many bits as the
    /// cube has dimensions.
    pub fn is_defined_on(self, cube: Hypercube) -> bool {
        !matches!(self, Self::Linear(map) if map.bits() != cube.dimension())
    }

    /// Returns the display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Named(permutation) => permutation.name(),
            Self::Worst => "worst for bit-fixing",
            Self::Linear(_) => "linear",
        }
    }

    /// Returns the destination of `source`, or `None` for a random permutation and for one that is
    /// not [defined](Permutation::is_defined_on) on `cube`.
    pub fn image(self, cube: Hypercube, source: NodeId) -> Option<NodeId> {
        match self {
            Self::Random => None,
            Self::Named(permutation) => permutation.image(cube, source),
            Self::Worst => Some(worst(cube, source)),
            Self::Linear(map) => self.is_defined_on(cube).then(|| map.image(source)),
        }
    }
}

impl fmt::Display for Permutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linear(map) => map.fmt(f),
            named => f.write_str(named.id()),
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

/// Messages that are routed together, and the number of pairs that faults exclude.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HRelation {
    pairs: Vec<(u32, u32)>,
    /// Preset intermediate node of each message, or [`NO_NODE`]. The list is empty if no message
    /// has a preset intermediate node.
    intermediates: Vec<u32>,
    excluded: u32,
}

/// Sentinel for a message without a preset intermediate node.
const NO_NODE: u32 = u32::MAX;

/// Message of a user-written list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedMessage {
    /// Source.
    pub from: NodeId,
    /// Intermediate node, or `None` if the routing scheme chooses it.
    pub via: Option<NodeId>,
    /// Destination.
    pub to: NodeId,
}

/// Reason why a list of pairs is not a relation on a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelationError {
    /// The cube does not have this node.
    NoNode(NodeId),
    /// The relation has more than 2^26 messages, or the cube more than 24 dimensions.
    TooLarge,
}

impl fmt::Display for RelationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNode(node) => write!(f, "the cube has no node {node}"),
            Self::TooLarge => f.write_str("an h-relation has at most 2^26 messages on a cube of at most 24 dimensions"),
        }
    }
}

impl std::error::Error for RelationError {}

impl HRelation {
    /// Maximum number of messages of a relation.
    pub const MAX_MESSAGES: u64 = 1 << 26;

    /// Largest supported dimension of a cube.
    pub const MAX_DIMENSION: u8 = 24;

    /// Creates an h-relation of the `active` nodes of `cube`: every node is the source and the
    /// destination of `h` messages.
    ///
    /// [`Permutation::Random`] gives `h` independent permutations; any other rule gives `h` copies
    /// of one. Pairs of a rule with an inactive end are excluded and counted in
    /// [`HRelation::excluded_count`].
    ///
    /// # Errors
    /// Returns an error if there are too many messages, or the cube does not have one of the nodes.
    pub fn new(
        cube: Hypercube,
        permutation: Permutation,
        h: u32,
        active: impl IntoIterator<Item = NodeId>,
        key: Key,
    ) -> Result<Self, RelationError> {
        let sources = node_numbers(cube, active)?;
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
        let excluded_count = (is_active.len() - once.len()) as u32;
        let pairs = (0..h).flat_map(|_| once.iter().copied()).collect();
        Ok(Self { pairs, excluded: excluded_count.saturating_mul(h), ..Self::default() })
    }

    /// Creates a relation of `h` copies of the listed messages. The ends need not be active; the
    /// routing scheme handles messages with inactive ends.
    ///
    /// # Errors
    /// Returns an error if there are too many messages, or the cube does not have one of the nodes.
    pub fn list(cube: Hypercube, messages: &[ListedMessage], h: u32) -> Result<Self, RelationError> {
        if messages.len() as u64 * u64::from(h) > Self::MAX_MESSAGES {
            return Err(RelationError::TooLarge);
        }
        let all = || (0..h).flat_map(|_| messages);
        let from = node_numbers(cube, all().map(|message| message.from))?;
        let to = node_numbers(cube, all().map(|message| message.to))?;
        node_numbers(cube, messages.iter().filter_map(|message| message.via))?;
        let given = messages.iter().any(|message| message.via.is_some());
        let vias = all().filter(|_| given).map(|message| message.via.map_or(NO_NODE, |via| via.0 as u32)).collect();
        Ok(Self { pairs: from.into_iter().zip(to).collect(), intermediates: vias, excluded: 0 })
    }

    /// Returns source and destination of message `number`.
    ///
    /// Falls back to the first message if the number is too large, and to node 0 if there are no
    /// messages.
    #[inline]
    pub fn ends(&self, number: u32) -> (NodeId, NodeId) {
        let pair = self.pairs.get(number as usize).or(self.pairs.first());
        pair.map_or((NodeId(0), NodeId(0)), |&(from, to)| (NodeId(u64::from(from)), NodeId(u64::from(to))))
    }

    /// Returns the preset intermediate node of message `number`, or `None` if the routing scheme
    /// chooses it.
    #[inline]
    pub fn via(&self, number: u32) -> Option<NodeId> {
        self.intermediates.get(number as usize).filter(|&&via| via != NO_NODE).map(|&via| NodeId(u64::from(via)))
    }

    /// Returns source and destination of every message, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        self.pairs.iter().map(|&(from, to)| (NodeId(u64::from(from)), NodeId(u64::from(to))))
    }

    /// Returns the number of messages.
    pub fn len(&self) -> u32 {
        self.pairs.len() as u32
    }

    /// Returns whether there are no messages, for example because no node is active.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Returns the number of pairs of a rule, counted `h` times, that are excluded because an end
    /// is inactive.
    pub fn excluded_count(&self) -> u32 {
        self.excluded
    }

    /// Returns the h of this h-relation: the most messages that any node sends or receives.
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

/// Converts nodes to numbers, if `cube` contains all of them.
fn node_numbers(cube: Hypercube, nodes: impl IntoIterator<Item = NodeId>) -> Result<Vec<u32>, RelationError> {
    if cube.dimension() > HRelation::MAX_DIMENSION {
        return Err(RelationError::TooLarge);
    }
    let known = |node: NodeId| if cube.contains(node) { Ok(node.0 as u32) } else { Err(RelationError::NoNode(node)) };
    nodes.into_iter().map(known).collect()
}

/// Returns the images of the nodes under a uniform permutation (Fisher & Yates).
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
