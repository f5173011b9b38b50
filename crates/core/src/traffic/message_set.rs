//! Message sets of a fat-tree, complete before delivery starts (Greenberg & Leiserson section 2).

use crate::names;
use std::fmt;

use super::permutation::shuffled;
use super::{HRelation, Permutation};
use crate::random::Key;
use crate::topology::fat_tree::MAX_PROCESSORS;
use crate::topology::{Hypercube, NodeId, Port};

/// Mapping of the nodes of a mesh to the processors of a fat-tree. The mesh has as many rows as
/// columns, or half as many rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Interleaved bits of row and column, the paper's natural geometric mapping (Lemma 2). The
    /// processors of every subtree are a square, or half a square, of the mesh.
    #[default]
    ZOrder,
    /// Rows one after the other.
    RowMajor,
}

impl Placement {
    /// Returns the processor of the node in `row` and `column` of a mesh on 2^`levels` processors.
    pub fn processor(self, levels: u8, row: u32, column: u32) -> u32 {
        match self {
            Self::RowMajor => row << levels.div_ceil(2) | column,
            Self::ZOrder => {
                (0..16).fold(0, |bits, bit| bits | (column >> bit & 1) << (2 * bit) | (row >> bit & 1) << (2 * bit + 1))
            }
        }
    }
}

names! {
    Placement { ZOrder: "z-order", RowMajor: "row-major" }
}

/// Rule that generates a message set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessagePattern {
    /// An h-relation: `h` random permutations, or `h` copies of a fixed permutation.
    Permutation(Permutation, u32),
    /// Each processor sends one message to the other half and receives one from it: two random
    /// bijections between the halves, uniformly distributed. All n/2 messages of a half cross the
    /// root.
    Cross,
    /// Every processor i sends to its counterpart i xor n/2 in the other half, one of the sets that
    /// [`MessagePattern::Cross`] draws.
    Half,
    /// Every processor sends to its predecessor and its successor, if they exist.
    Neighbors,
    /// Every processor sends to its successor, the last one to the first. No channel gets more than
    /// one message.
    Ring,
    /// One message from the processor of this number to each other processor.
    OneToAll(u32),
    /// One message to the processor of this number from each other processor.
    AllToOne(u32),
    /// Every processor sends this many messages out of the root, through its external channel.
    Out(u32),
    /// Communication step of a mesh: every node sends to its neighbor at the given port, or to all
    /// neighbors. At the border, nodes send only to existing neighbors.
    MeshStep(Placement, Option<Port>),
    /// Communication step of a hypercube: every node sends across the given dimension, or across
    /// all dimensions.
    CubeStep(Option<u8>),
}

impl MessagePattern {
    /// Parses a pattern such as `random*4` or `mesh:z-order:east`. Returns `None` if the text is
    /// not a pattern.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some((rule, h)) = text.split_once('*') {
            let h = h.parse().ok()?;
            return if rule == "out" {
                Some(Self::Out(h))
            } else {
                Some(Self::Permutation(Permutation::parse(rule)?, h))
            };
        }
        match text.split_once(':') {
            Some(("one-to-all", from)) => from.parse().ok().map(Self::OneToAll),
            Some(("all-to-one", to)) => to.parse().ok().map(Self::AllToOne),
            Some(("cube", dim)) => dim.parse().ok().map(|dim| Self::CubeStep(Some(dim))),
            Some(("mesh", text)) => {
                let (placement, side) = text.split_once(':').map_or((text, None), |(text, side)| (text, Some(side)));
                let placement = Placement::parse(placement)?;
                let port = |side| (0..4).map(Port).find(|port| port.name().eq_ignore_ascii_case(side));
                match side.map(port) {
                    Some(None) => None,
                    side => Some(Self::MeshStep(placement, side.flatten())),
                }
            }
            Some(_) => None,
            None => match text {
                "cross" => Some(Self::Cross),
                "half" => Some(Self::Half),
                "neighbors" => Some(Self::Neighbors),
                "ring" => Some(Self::Ring),
                "out" => Some(Self::Out(1)),
                "cube" => Some(Self::CubeStep(None)),
                _ => Permutation::parse(text).map(|rule| Self::Permutation(rule, 1)),
            },
        }
    }

    /// Returns whether the messages are sampled.
    pub fn is_random(self) -> bool {
        self == Self::Cross || self.is_random_permutation()
    }

    /// Returns whether the pattern consists of random permutations, so that each message has a
    /// uniform destination.
    pub fn is_random_permutation(self) -> bool {
        matches!(self, Self::Permutation(Permutation::Random, _))
    }

    /// Returns whether messages leave through the external channel of the root.
    pub fn has_external_messages(self) -> bool {
        matches!(self, Self::Out(_))
    }

    /// Returns an upper bound on the number of messages for `processors` processors.
    pub fn max_messages(self, processors: u64) -> u64 {
        let each = match self {
            Self::Permutation(_, h) | Self::Out(h) => u64::from(h),
            Self::Neighbors => 2,
            Self::MeshStep(_, None) => 4,
            Self::CubeStep(None) => processors.max(1).ilog2().into(),
            _ => 1,
        };
        each.saturating_mul(processors)
    }
}

impl fmt::Display for MessagePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Permutation(rule, 1) => write!(f, "{rule}"),
            Self::Permutation(rule, h) => write!(f, "{rule}*{h}"),
            Self::Cross => f.write_str("cross"),
            Self::Half => f.write_str("half"),
            Self::Neighbors => f.write_str("neighbors"),
            Self::Ring => f.write_str("ring"),
            Self::Out(1) => f.write_str("out"),
            Self::Out(each) => write!(f, "out*{each}"),
            Self::OneToAll(from) => write!(f, "one-to-all:{from}"),
            Self::AllToOne(to) => write!(f, "all-to-one:{to}"),
            Self::MeshStep(placement, side) => {
                write!(f, "mesh:{placement}")?;
                side.map_or(Ok(()), |port| write!(f, ":{}", port.name().to_ascii_lowercase()))
            }
            Self::CubeStep(None) => f.write_str("cube"),
            Self::CubeStep(Some(dim)) => write!(f, "cube:{dim}"),
        }
    }
}

/// Reason why a message set cannot be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageSetError {
    /// The number of processors is not a power of two from 2 to 2^20.
    Processors(u64),
    /// No processor has this number.
    NoProcessor(u64),
    /// The hypercube does not have this dimension.
    NoDimension {
        /// Requested dimension.
        dim: u8,
        /// Number of dimensions of a hypercube on these processors.
        dimensions: u8,
    },
    /// The set exceeds [`MessageSet::MAX_MESSAGES`].
    TooMany(u64),
}

impl fmt::Display for MessageSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Processors(n) => {
                write!(f, "the number of processors must be a power of two from 2 to {MAX_PROCESSORS}, not {n}")
            }
            Self::NoProcessor(number) => write!(f, "there is no processor {number}"),
            Self::NoDimension { dim, dimensions } => {
                write!(f, "the hypercube on these processors has dimensions 0 to {}, not {dim}", dimensions - 1)
            }
            Self::TooMany(count) => {
                write!(f, "{count} messages are too many; at most {} are accepted", MessageSet::MAX_MESSAGES)
            }
        }
    }
}

impl std::error::Error for MessageSetError {}

/// Messages between the processors of a fat-tree, ordered by source. The index of a message in this
/// order is its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageSet {
    processors: u32,
    ends: Vec<[u32; 2]>,
}

impl MessageSet {
    /// Maximum number of messages of a set, 2^24.
    pub const MAX_MESSAGES: u64 = 1 << 24;

    /// Destination of a message that leaves through the external channel of the root.
    pub const OUT: u32 = u32::MAX;

    /// Creates the messages of `pattern` on `processors` processors. Cost: linear in the number of
    /// messages.
    ///
    /// # Errors
    /// Returns an error if the number of processors is not a power of two from 2 to 2^20, if a
    /// processor or dimension does not exist, or if there are too many messages.
    pub fn new(processors: u64, pattern: MessagePattern, key: Key) -> Result<Self, MessageSetError> {
        let levels = Self::check(processors, pattern)?;
        let n = processors as u32;
        let to_each = |to: &dyn Fn(u32) -> u32| (0..n).map(|from| [from, to(from)]).collect();
        let ends: Vec<_> = match pattern {
            MessagePattern::Permutation(rule, h) => permuted_pairs(levels, rule, h, key),
            MessagePattern::Cross => crossing_pairs(n, key),
            MessagePattern::Half => to_each(&|from| from ^ (n / 2)),
            MessagePattern::Neighbors => (1..n).flat_map(|next| [[next - 1, next], [next, next - 1]]).collect(),
            MessagePattern::Ring => to_each(&|from| (from + 1) % n),
            MessagePattern::Out(each) => (0..n).flat_map(|from| (0..each).map(move |_| [from, Self::OUT])).collect(),
            MessagePattern::OneToAll(from) => (0..n).filter(|&to| to != from).map(|to| [from, to]).collect(),
            MessagePattern::AllToOne(to) => (0..n).filter(|&from| from != to).map(|from| [from, to]).collect(),
            MessagePattern::MeshStep(placement, side) => mesh_step(levels, placement, side),
            MessagePattern::CubeStep(Some(dim)) => to_each(&|from| from ^ 1 << dim),
            MessagePattern::CubeStep(None) => {
                (0..n).flat_map(|from| (0..levels).map(move |dim| [from, from ^ 1 << dim])).collect()
            }
        };
        Ok(Self { processors: n, ends: by_source(n, &ends) })
    }

    /// Checks that [`MessageSet::new`] accepts the arguments, and returns the number of address
    /// bits.
    ///
    /// # Errors
    /// Returns the same errors as [`MessageSet::new`].
    pub fn check(processors: u64, pattern: MessagePattern) -> Result<u8, MessageSetError> {
        let levels = levels_of(processors)?;
        match pattern {
            MessagePattern::AllToOne(one) | MessagePattern::OneToAll(one) if u64::from(one) >= processors => {
                return Err(MessageSetError::NoProcessor(u64::from(one)));
            }
            MessagePattern::CubeStep(Some(dim)) if dim >= levels => {
                return Err(MessageSetError::NoDimension { dim, dimensions: levels });
            }
            _ => {}
        }
        let count = pattern.max_messages(processors);
        if count > Self::MAX_MESSAGES { Err(MessageSetError::TooMany(count)) } else { Ok(levels) }
    }

    /// Creates a set from pairs of source and destination. The destination may be
    /// [`MessageSet::OUT`]. Messages of one source keep their order.
    ///
    /// # Errors
    /// Returns the same errors as [`MessageSet::new`].
    pub fn from_pairs(processors: u64, pairs: &[(u32, u32)]) -> Result<Self, MessageSetError> {
        levels_of(processors)?;
        if pairs.len() as u64 > Self::MAX_MESSAGES {
            return Err(MessageSetError::TooMany(pairs.len() as u64));
        }
        let known = |node: u32| u64::from(node) < processors;
        let strange = pairs.iter().find_map(|&(from, to)| {
            if !known(from) { Some(from) } else { Some(to).filter(|&to| !known(to) && to != Self::OUT) }
        });
        if let Some(node) = strange {
            return Err(MessageSetError::NoProcessor(u64::from(node)));
        }
        let ends: Vec<_> = pairs.iter().map(|&(from, to)| [from, to]).collect();
        Ok(Self { processors: processors as u32, ends: by_source(processors as u32, &ends) })
    }

    /// Returns the number of processors.
    pub fn processors(&self) -> u32 {
        self.processors
    }

    /// Returns the number of messages.
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Returns whether the set has no messages.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns source and destination of every message, by number.
    pub fn ends(&self) -> &[[u32; 2]] {
        &self.ends
    }

    /// Returns whether any message leaves through the external channel.
    pub fn has_external_messages(&self) -> bool {
        self.ends.iter().any(|ends| ends[1] == Self::OUT)
    }

    /// Returns whether message `number` leaves through the external channel.
    pub fn is_out(&self, number: u32) -> bool {
        self.ends.get(number as usize).is_some_and(|ends| ends[1] == Self::OUT)
    }

    /// Returns the intermediate processor of message `number` in [`MessageSet::valiant_phases`].
    pub fn via(&self, number: u32, key: Key) -> u32 {
        (key.word_at(number.into()) >> (64 - self.processors.trailing_zeros())) as u32
    }

    /// Replaces source and destination of message `number`. The message keeps its number, whatever
    /// its source.
    pub fn redirect(&mut self, number: u32, ends: [u32; 2]) {
        self.ends.get_mut(number as usize).into_iter().for_each(|old| *old = ends);
    }

    /// Splits the set for Valiant's algorithm: messages to random intermediate processors, and
    /// messages from these processors to the destinations.
    ///
    /// Intermediate processors are uniform. The second set is delivered after the first. Messages
    /// for the external channel go directly to it in the first set.
    ///
    /// On a hypercube, the split gives every permutation the traffic of an average permutation. On
    /// a fat-tree, the split sends local messages through the root. The paper therefore does not
    /// use the split.
    pub fn valiant_phases(&self, key: Key) -> [Self; 2] {
        let (mut first, mut second) = (self.clone(), Vec::new());
        for (number, ends) in (0..).zip(&mut first.ends).filter(|(_, ends)| ends[1] != Self::OUT) {
            let via = self.via(number, key);
            second.push([via, ends[1]]);
            ends[1] = via;
        }
        let second = by_source(self.processors, &second);
        [first, Self { processors: self.processors, ends: second }]
    }
}

/// Returns the number of address bits.
fn levels_of(processors: u64) -> Result<u8, MessageSetError> {
    let fits = processors.is_power_of_two() && (2..=u64::from(MAX_PROCESSORS)).contains(&processors);
    if fits { Ok(processors.trailing_zeros() as u8) } else { Err(MessageSetError::Processors(processors)) }
}

/// Returns an h-relation of all processors.
fn permuted_pairs(levels: u8, rule: Permutation, h: u32, key: Key) -> Vec<[u32; 2]> {
    let all = (0..1u64 << levels).map(NodeId);
    // The caller has checked the sizes, so the cube exists and contains all nodes.
    let relation = Hypercube::new(levels).and_then(|cube| HRelation::new(cube, rule, h, all, key).ok());
    let relation = relation.unwrap_or_default();
    relation.iter().map(|(from, to)| [from.0 as u32, to.0 as u32]).collect()
}

/// Returns two random bijections between the halves of the processors.
fn crossing_pairs(processors: u32, key: Key) -> Vec<[u32; 2]> {
    let half = processors / 2;
    let image = |nodes: std::ops::Range<u32>, side| shuffled(&nodes.collect::<Vec<_>>(), key.child(side));
    let images = [image(half..processors, 0), image(0..half, 1)];
    (0..).zip(images.into_iter().flatten()).map(|(from, to)| [from, to]).collect()
}

/// Returns the messages of one step of a mesh.
fn mesh_step(levels: u8, placement: Placement, side: Option<Port>) -> Vec<[u32; 2]> {
    let (rows, columns) = (1u32 << (levels / 2), 1u32 << levels.div_ceil(2));
    let mut ends = Vec::with_capacity(4 << levels);
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let from = placement.processor(levels, row, column);
        for port in (0..4).map(Port).filter(|port| side.is_none_or(|side| side == *port)) {
            let step = |at: u32, dim| {
                if port.dim() != dim { at } else { at.wrapping_add_signed(if port.grows() { 1 } else { -1 }) }
            };
            let (row, column) = (step(row, 1), step(column, 0));
            if row < rows && column < columns {
                ends.push([from, placement.processor(levels, row, column)]);
            }
        }
    }
    ends
}

/// Sorts messages by source with a stable counting sort.
fn by_source(processors: u32, ends: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut starts = vec![0u32; processors as usize + 1];
    ends.iter().for_each(|ends| starts[ends[0] as usize + 1] += 1);
    for place in 1..starts.len() {
        starts[place] += starts[place - 1];
    }
    let mut all = vec![[0; 2]; ends.len()];
    let (starts, ordered) = (&mut starts[..], &mut all[..]);
    for &ends in ends {
        let place = &mut starts[ends[0] as usize];
        ordered[*place as usize] = ends;
        *place += 1;
    }
    all
}
