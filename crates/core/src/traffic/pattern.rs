//! Traffic patterns: the distribution of destinations for each source.

use std::fmt;

use rand::Rng as _;

use super::{AddressPermutations, LinearMap};
use crate::fault::Faults;
use crate::random::{Generator, below};
use crate::topology::{Hypercube, Mesh, NodeId};

/// Distribution of a source's destinations.
///
/// The last four variants are permutations with a fixed destination per source. A node that is its
/// own image generates no messages. If the destination is faulty, the message is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pattern {
    /// Uniform over the other live nodes (Chiu, Chalasani & Raghavendra section V).
    Uniform,
    /// The hot `node` with probability `share`, otherwise uniform over the live nodes except the
    /// hot node and the source. The hot node itself sends uniformly to the others. If source and
    /// hot node are the only live nodes, all messages go to the hot node.
    HotSpot {
        /// Hot node.
        node: NodeId,
        /// Fraction of its traffic that every other node sends to the hot node, 0 to 1.
        share: f64,
    },
    /// The opposite node: every address bit is inverted; in a mesh, every coordinate is replaced by
    /// its distance from the highest one.
    Complement,
    /// The address is rotated by floor(n/2) bits, which exchanges its halves for even n. In a
    /// square mesh, row and column are exchanged.
    Transpose,
    /// The reversed address; in a mesh whose size is a power of two, the reversed node number.
    BitReversal,
    /// A linear-complement permutation of the node numbers.
    Linear(LinearMap),
}

impl Pattern {
    /// Syntax that [`Pattern::parse`] accepts.
    pub const ACCEPTED: &'static str = "uniform, complement, transpose, bit-reversal, hot:NODE:SHARE: each message goes to NODE with \
         probability SHARE = 0 to 1, or linear:ROWS+VECTOR: bit i of the destination is the parity of the source's bits in \
         row i, inverted if VECTOR has bit i; one hexadecimal row for each bit from bit 0 on, such as linear:4.2.1+7";

    /// Parses a pattern such as `hot:5:0.1`. Returns `None` if the text is not a pattern.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "uniform" => Some(Self::Uniform),
            "complement" => Some(Self::Complement),
            "transpose" => Some(Self::Transpose),
            "bit-reversal" => Some(Self::BitReversal),
            _ if text.starts_with("linear:") => LinearMap::parse(text)?.ok().map(Self::Linear),
            _ => {
                let (node, share) = text.strip_prefix("hot:")?.split_once(':')?;
                let node = Hypercube::new(Hypercube::MAX_DIMENSION)?.parse_node(node)?;
                let share = share.parse().ok().filter(|share| (0.0..=1.0).contains(share))?;
                Some(Self::HotSpot { node, share })
            }
        }
    }

    /// Parses a pattern on `mesh`, with the hot node written `ROW.COLUMN`, such as `hot:3.4:0.1`.
    /// Returns `None` if the text is not a pattern on `mesh`.
    pub fn parse_on(mesh: Mesh, text: &str) -> Option<Self> {
        let Some(hot) = text.strip_prefix("hot:") else { return Self::parse(text).filter(|it| it.is_defined_on(mesh)) };
        let (node, share) = hot.split_once(':')?;
        let node = mesh.parse_node(node)?;
        Self::parse(&format!("hot:{node}:{share}"))
    }

    /// Returns the text on `mesh` that [`Pattern::parse_on`] accepts.
    pub fn text_on(self, mesh: Mesh) -> String {
        match self {
            Self::HotSpot { node, share } => format!("hot:{}:{share}", mesh.format_node(node)),
            _ => self.to_string(),
        }
    }

    /// Returns whether the pattern is defined on `network`, which must have the hot node or support
    /// the permutation.
    pub fn is_defined_on(self, network: impl AddressPermutations) -> bool {
        match self {
            Self::Uniform | Self::Complement => true,
            Self::HotSpot { node, .. } => network.contains(node),
            Self::Linear(map) => network.address_bits() == Some(map.bits()),
            Self::Transpose | Self::BitReversal => self.image(network, NodeId(0)).is_some(),
        }
    }

    /// Returns the image of `source` under a permutation.
    ///
    /// Returns `None` if the pattern is not a permutation, or is not
    /// [defined](Pattern::is_defined_on) on `network`. Cost: constant.
    pub fn image(self, network: impl AddressPermutations, source: NodeId) -> Option<NodeId> {
        match self {
            Self::Uniform | Self::HotSpot { .. } => None,
            Self::Complement => Some(network.opposite(source)),
            Self::Transpose => network.transposed(source),
            Self::BitReversal => network.reversed(source),
            Self::Linear(map) => (network.address_bits() == Some(map.bits())).then(|| map.image(source)),
        }
    }

    /// Returns whether `source`, one of the `live` nodes, has a destination other than itself.
    pub fn has_destination(self, network: impl AddressPermutations, source: NodeId, live: &LiveNodes) -> bool {
        match self.image(network, source) {
            Some(image) => image != source,
            None => live.count() > 1 || matches!(self, Self::HotSpot { node, share } if node != source && share > 0.0),
        }
    }

    /// Returns the probability that [`Pattern::destination`] draws `to` for a message of `source`.
    /// The two nodes must be live and different.
    pub fn probability(self, network: impl AddressPermutations, source: NodeId, to: NodeId, live: &LiveNodes) -> f64 {
        let others = live.count().saturating_sub(1) as f64;
        match self {
            Self::Uniform => 1.0 / others,
            Self::HotSpot { node, .. } if node == source => 1.0 / others,
            Self::HotSpot { node, share } => {
                let rest = others - f64::from(u8::from(live.contains(node)));
                match to == node {
                    true if rest > 0.0 => share,
                    true => 1.0,
                    false => (1.0 - share) / rest,
                }
            }
            _ => f64::from(u8::from(self.image(network, source) == Some(to))),
        }
    }

    /// Draws the destination of one message of `source`, a `live` node that
    /// [sends](Pattern::has_destination).
    ///
    /// The destination differs from the source, and may be faulty except under
    /// [`Pattern::Uniform`]. Returns `None` if there is no destination.
    #[inline]
    pub fn destination(
        self,
        network: impl AddressPermutations,
        source: NodeId,
        live: &LiveNodes,
        generator: &mut Generator,
    ) -> Option<NodeId> {
        match self {
            Self::Uniform => live.random_excluding(&[source], generator),
            Self::HotSpot { node, .. } if node == source => live.random_excluding(&[source], generator),
            Self::HotSpot { node, share } => {
                let hot = uniform_half_open(generator) < share;
                let other = if hot { None } else { live.random_excluding(&[source, node], generator) };
                Some(other.unwrap_or(node))
            }
            _ => self.image(network, source).filter(|&image| image != source),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform => f.write_str("uniform"),
            Self::HotSpot { node, share } => write!(f, "hot:{node}:{share}"),
            Self::Complement => f.write_str("complement"),
            Self::Transpose => f.write_str("transpose"),
            Self::BitReversal => f.write_str("bit-reversal"),
            Self::Linear(map) => map.fmt(f),
        }
    }
}

/// Draws a uniform number in [0, 1), a multiple of 2^-53.
#[inline(always)]
pub(super) fn uniform_half_open(generator: &mut Generator) -> f64 {
    (generator.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Draws a uniform number in (0, 1], a multiple of 2^-53, so its logarithm is finite.
#[inline(always)]
pub(super) fn uniform_positive(generator: &mut Generator) -> f64 {
    ((generator.next_u64() >> 11) + 1) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Live nodes of a network that is small enough for a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveNodes {
    /// Live nodes, ascending.
    nodes: Vec<u32>,
    /// Number of live nodes below each node of the network.
    ranks: Vec<u32>,
    /// Live flag of each node of the network.
    live: Vec<bool>,
}

impl LiveNodes {
    /// Largest supported dimension of a cube.
    pub const MAX_DIMENSION: u8 = 15;

    /// Lists the nodes of `cube` that are live under `faults`. Returns `None` above 15 dimensions.
    /// Cost: 2^n queries.
    pub fn new(cube: Hypercube, faults: &mut impl Faults) -> Option<Self> {
        if cube.dimension() > Self::MAX_DIMENSION {
            return None;
        }
        Some(Self::from_flags((0..=cube.mask()).map(|node| !faults.is_faulty(NodeId(node)))))
    }

    /// Lists the live nodes from one flag per node, in order; at most 2^31 flags.
    pub fn from_flags(flags: impl IntoIterator<Item = bool>) -> Self {
        let mut all = Self { nodes: Vec::new(), ranks: Vec::new(), live: Vec::new() };
        for (node, live) in (0..1u32 << 31).zip(flags) {
            all.ranks.push(all.nodes.len() as u32);
            all.live.push(live);
            if live {
                all.nodes.push(node);
            }
        }
        all
    }

    /// Returns the memory footprint in bytes.
    pub fn footprint(&self) -> usize {
        4 * (self.nodes.capacity() + self.ranks.capacity()) + self.live.capacity()
    }

    /// Returns the number of live nodes.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the live nodes, ascending.
    pub fn iter(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.iter().map(|&node| NodeId(u64::from(node)))
    }

    /// Returns whether `node` is live.
    pub fn contains(&self, node: NodeId) -> bool {
        self.live.get(node.0 as usize).is_some_and(|&live| live)
    }

    /// Draws a uniform live node that is not in `but`, which has at most two different nodes.
    /// Returns `None` if there is no such node.
    #[inline]
    fn random_excluding(&self, but: &[NodeId], generator: &mut Generator) -> Option<NodeId> {
        let mut ranks = [u32::MAX; 2];
        let mut skipped = 0;
        for node in but {
            if self.contains(*node) {
                ranks[skipped & 1] = self.ranks[node.0 as usize];
                skipped += 1;
            }
        }
        if self.nodes.len() <= skipped {
            return None;
        }
        if ranks[0] > ranks[1] {
            ranks.swap(0, 1);
        }
        let mut rank = below(generator, (self.nodes.len() - skipped) as u32);
        rank += u32::from(rank >= ranks[0]);
        rank += u32::from(rank >= ranks[1]);
        self.nodes.get(rank as usize).map(|&node| NodeId(u64::from(node)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Key;

    struct Dead(Vec<u64>);

    impl Faults for Dead {
        fn is_faulty(&mut self, node: NodeId) -> bool {
            self.0.contains(&node.0)
        }
    }

    #[test]
    fn texts_round_trip_and_malformed_ones_are_rejected() {
        for text in ["uniform", "hot:5:0.1", "hot:0:1", "complement", "transpose", "bit-reversal"] {
            assert_eq!(Pattern::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "hot", "hot:5", "hot:5:1.5", "hot:5:-0.1", "hot:x:0.1", "hot:5:NaN", "Uniform"] {
            assert_eq!(Pattern::parse(text), None, "{text}");
        }
    }

    #[test]
    fn hypercube_permutations_match_their_definitions() {
        let image = |pattern: Pattern, n, node| pattern.image(Hypercube::new(n).unwrap(), NodeId(node)).unwrap().0;
        assert_eq!(image(Pattern::Transpose, 4, 0b0111), 0b1101);
        assert_eq!(image(Pattern::Transpose, 5, 0b00111), 0b11100);
        assert_eq!(image(Pattern::Transpose, 1, 1), 1);
        assert_eq!(image(Pattern::BitReversal, 5, 0b00110), 0b01100);
        assert_eq!(image(Pattern::Complement, 5, 0b00110), 0b11001);
        for n in 1..=9 {
            for pattern in [Pattern::Complement, Pattern::Transpose, Pattern::BitReversal] {
                let images: std::collections::BTreeSet<_> =
                    (0..1u64 << n).map(|node| image(pattern, n, node)).collect();
                assert_eq!(images.len(), 1 << n);
            }
        }
    }

    #[test]
    fn mesh_permutations_require_suitable_radices() {
        let mesh = |rows, columns| Mesh::new(rows, columns).unwrap();
        let image = |pattern: Pattern, mesh: Mesh, node| pattern.image(mesh, mesh.parse_node(node).unwrap());
        let square = mesh(4, 4);
        assert_eq!(image(Pattern::Transpose, square, "1.3"), square.parse_node("3.1"));
        assert_eq!(image(Pattern::Complement, square, "0.1"), square.parse_node("3.2"));
        assert_eq!(image(Pattern::BitReversal, square, "0.1"), square.parse_node("2.0"));
        assert_eq!(image(Pattern::Complement, mesh(3, 5), "0.1"), mesh(3, 5).parse_node("2.3"));
        assert!(!Pattern::Transpose.is_defined_on(mesh(4, 8)) && Pattern::BitReversal.is_defined_on(mesh(4, 8)));
        assert!(Pattern::Transpose.is_defined_on(mesh(5, 5)) && !Pattern::BitReversal.is_defined_on(mesh(5, 5)));
        for text in ["uniform", "hot:3.1:0.25", "transpose"] {
            assert_eq!(Pattern::parse_on(square, text).unwrap().text_on(square), text);
        }
        for text in ["hot:4.0:0.1", "hot:5:0.1", "hot:0x1.0:0.1", "hot:1.1:2", "shuffle"] {
            assert_eq!(Pattern::parse_on(square, text), None, "{text}");
        }
        assert_eq!(Pattern::parse_on(mesh(2, 3), "transpose"), None);
    }

    #[test]
    fn destination_frequencies_match_the_pattern() {
        let cube = Hypercube::new(4).unwrap();
        let live = LiveNodes::new(cube, &mut Dead(vec![3, 9])).unwrap();
        let mut generator = Key::from_seed(1).generator();
        let mut counts = |pattern: Pattern, source: u64| {
            let mut counts = [0u32; 16];
            for _ in 0..130_000 {
                counts[pattern.destination(cube, NodeId(source), &live, &mut generator).unwrap().0 as usize] += 1;
            }
            counts
        };
        // Each of the 13 other live nodes is drawn 10,000 times on average; the standard deviation
        // is below 100.
        for (node, count) in counts(Pattern::Uniform, 5).into_iter().enumerate() {
            let wanted = if [3, 5, 9].contains(&node) { 0 } else { 10_000 };
            assert!(count.abs_diff(wanted) < 500, "{node}: {count}");
        }
        let hot = Pattern::HotSpot { node: NodeId(2), share: 0.4 };
        for (node, count) in counts(hot, 5).into_iter().enumerate() {
            let wanted = if node == 2 { 52_000 } else { [6_500, 0][usize::from([3, 5, 9].contains(&node))] };
            assert!(count.abs_diff(wanted) < 1_000, "{node}: {count}");
        }
        // A faulty hot node is still drawn, and a source is never its own destination.
        assert_eq!(counts(Pattern::HotSpot { node: NodeId(3), share: 1.0 }, 5)[3], 130_000);
        assert!(counts(hot, 2)[0].abs_diff(10_000) < 500);
    }
}
