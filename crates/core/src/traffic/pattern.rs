//! Traffic patterns: the distribution of destinations for each source.

use std::fmt;
use std::sync::Arc;

use rand::Rng as _;

use super::{AddressPermutations, LinearMap, LiveNodes, NamedPermutation, TrafficMatrix};
use crate::ParseError;
use crate::random::Generator;
use crate::topology::{Hypercube, Mesh, NodeId};

/// Distribution of a source's destinations.
///
/// Under the permutations every source has a fixed destination. A node that is its own image
/// generates no messages. If the destination is faulty, the message is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// Uniform over the other live nodes (Chiu, Chalasani & Raghavendra section V).
    Uniform,
    /// Each hot spot with the probability of its share, otherwise uniform over the live nodes except
    /// the hot spots and the source. A hot spot sends its own share like the rest. If a source has
    /// no such node, all messages go to the hot spots.
    HotSpots(Arc<[HotSpot]>),
    /// A permutation with a standard name.
    Named(NamedPermutation),
    /// A linear-complement permutation of the node numbers.
    Linear(LinearMap),
    /// A permutation of the live nodes that is drawn for each run, uniformly.
    RandomPermutation,
    /// Patterns with weights: each message follows one of those that have a destination for its
    /// source, with a probability in proportion to the weight.
    Mixture(Arc<[WeightedPattern]>),
    /// Weights of the destinations of every source.
    Matrix(Arc<TrafficMatrix>),
}

/// Node that receives a share of the messages of every other node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HotSpot {
    /// Hot node.
    pub node: NodeId,
    /// Fraction of its traffic that every other node sends to the hot node, 0 to 1.
    pub share: f64,
}

impl HotSpot {
    /// Maximum number of hot spots of a pattern.
    pub const MAX_NUMBER: usize = 16;
}

/// Part of a mixture of traffic patterns.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedPattern {
    /// Pattern, not a mixture.
    pub pattern: Pattern,
    /// Weight, positive and finite.
    pub weight: f64,
}

impl Pattern {
    /// Syntax that [`Pattern::parse`] accepts.
    pub const ACCEPTED: &'static str = "uniform, complement, transpose, anti-transpose (the other diagonal), bit-reversal, shuffle, rotation, butterfly, \
         tornado, neighbor, random-permutation (one for each run); hot:NODE:SHARE: each message goes to NODE with probability \
         SHARE = 0 to 1, also several, such as hot:5:0.1,9:0.2; mix:PATTERN:WEIGHT,...: each message follows one of at most 8 \
         patterns by weight, such as mix:uniform:3,transpose:1; matrix:ROW/ROW/...: a row of weights W,W,... of all destinations for each \
         source, such as matrix:0,1/1,0, on at most 64 nodes; or linear:ROWS+VECTOR: bit i of the destination is the parity \
         of the source's bits in row i, inverted if VECTOR has bit i; one hexadecimal row for each bit from bit 0 on, such as \
         linear:4.2.1+7";

    /// Maximum number of patterns in a mixture.
    pub const MAX_PARTS: usize = 8;

    /// Creates the pattern with a single hot spot, which gets a `share` of 0 to 1.
    pub fn hot_spot(node: NodeId, share: f64) -> Self {
        Self::HotSpots([HotSpot { node, share }].into())
    }

    /// Parses a pattern such as `hot:5:0.1`, or a name of a pattern in another simulator, such as
    /// `bit_reverse`. Returns `None` if the text does not begin like a pattern.
    ///
    /// # Errors
    ///
    /// Returns an error if a hot spot, a part of a mixture, or a matrix is invalid.
    pub fn parse(text: &str) -> Option<Result<Self, ParseError>> {
        Self::parse_with(text, &|node| Hypercube::new(Hypercube::MAX_DIMENSION)?.parse_node(node))
    }

    /// Parses a pattern on `mesh`, with hot spots written `ROW.COLUMN`, such as `hot:3.4:0.1`.
    /// Returns `None` if the text does not begin like a pattern.
    ///
    /// # Errors
    ///
    /// Returns an error if a hot spot, a part of a mixture, or a matrix is invalid.
    pub fn parse_on(mesh: Mesh, text: &str) -> Option<Result<Self, ParseError>> {
        Self::parse_with(text, &|node| mesh.parse_node(node))
    }

    fn parse_with(text: &str, node: &dyn Fn(&str) -> Option<NodeId>) -> Option<Result<Self, ParseError>> {
        let simple = match text {
            "uniform" | "uniform-random" | "uniform_random" | "random" => Some(Self::Uniform),
            "random-permutation" | "randperm" => Some(Self::RandomPermutation),
            _ => NamedPermutation::parse_alias(text).map(Self::Named),
        };
        if let Some(simple) = simple {
            return Some(Ok(simple));
        }
        if let Some(spots) = text.strip_prefix("hot:") {
            return Some(parse_hot_spots(spots, node));
        }
        if let Some(parts) = text.strip_prefix("mix:") {
            return Some(parse_mixture(parts, node));
        }
        if let Some(matrix) = TrafficMatrix::parse(text) {
            return Some(matrix.map(|matrix| Self::Matrix(matrix.into())));
        }
        LinearMap::parse(text).map(|map| map.map(Self::Linear))
    }

    /// Returns the text on `mesh` that [`Pattern::parse_on`] accepts.
    pub fn text_on(&self, mesh: Mesh) -> String {
        self.text(&|node| mesh.format_node(node))
    }

    fn text(&self, node: &dyn Fn(NodeId) -> String) -> String {
        match self {
            Self::Uniform => "uniform".to_owned(),
            Self::RandomPermutation => "random-permutation".to_owned(),
            Self::Named(permutation) => permutation.to_string(),
            Self::Linear(map) => map.to_string(),
            Self::Matrix(matrix) => matrix.to_string(),
            Self::HotSpots(spots) => {
                let texts: Vec<_> = spots.iter().map(|spot| format!("{}:{}", node(spot.node), spot.share)).collect();
                format!("hot:{}", texts.join(","))
            }
            Self::Mixture(parts) => {
                let texts: Vec<_> =
                    parts.iter().map(|part| format!("{}:{}", part.pattern.text(node), part.weight)).collect();
                format!("mix:{}", texts.join(","))
            }
        }
    }

    /// Returns the hot spots of the pattern and of its parts.
    pub fn hot_nodes(&self) -> Vec<NodeId> {
        match self {
            Self::HotSpots(spots) => spots.iter().map(|spot| spot.node).collect(),
            Self::Mixture(parts) => parts.iter().flat_map(|part| part.pattern.hot_nodes()).collect(),
            _ => Vec::new(),
        }
    }

    /// Maps every hot spot with `to`, or returns `None` if one has no image. A matrix is kept if
    /// every node is its own image.
    pub fn map_nodes(&self, to: &dyn Fn(NodeId) -> Option<NodeId>) -> Option<Self> {
        match self {
            Self::HotSpots(spots) => {
                let moved = |spot: &HotSpot| to(spot.node).map(|node| HotSpot { node, ..*spot });
                spots.iter().map(moved).collect::<Option<_>>().map(Self::HotSpots)
            }
            Self::Mixture(parts) => {
                let moved = |part: &WeightedPattern| {
                    part.pattern.map_nodes(to).map(|pattern| WeightedPattern { pattern, weight: part.weight })
                };
                parts.iter().map(moved).collect::<Option<_>>().map(Self::Mixture)
            }
            // The rows are in the order of the node numbers.
            Self::Matrix(matrix) => {
                let mut nodes = (0..matrix.nodes() as u64).map(NodeId);
                nodes.all(|node| to(node) == Some(node)).then(|| self.clone())
            }
            other => Some(other.clone()),
        }
    }

    /// Returns why the pattern is not defined on `network`, as a sentence without a period; `None`
    /// if it is defined.
    pub fn problem_on(&self, network: impl AddressPermutations) -> Option<String> {
        match self {
            Self::Uniform | Self::RandomPermutation => None,
            Self::HotSpots(spots) => {
                let missing = spots.iter().find(|spot| !network.contains(spot.node));
                missing.map(|_| "a hot spot is not a node of the network".to_owned())
            }
            Self::Matrix(matrix) => {
                let nodes = matrix.nodes() as u64;
                let fits = network.contains(NodeId(nodes - 1)) && !network.contains(NodeId(nodes));
                (!fits).then(|| format!("a matrix of {nodes} rows needs {nodes} nodes"))
            }
            Self::Linear(map) if network.address_bits() == Some(map.bits()) => None,
            Self::Linear(map) => Some(format!("a matrix of {0} rows needs 2^{0} nodes", map.bits())),
            Self::Named(permutation) => {
                let is_defined = permutation.image(network, NodeId(0)).is_some();
                (!is_defined).then(|| format!("{permutation} {}", permutation.requirement()))
            }
            Self::Mixture(parts) => parts.iter().find_map(|part| part.pattern.problem_on(network)),
        }
    }

    /// Returns whether the pattern is defined on `network`, which must have the hot spots and
    /// support the permutations.
    pub fn is_defined_on(&self, network: impl AddressPermutations) -> bool {
        self.problem_on(network).is_none()
    }

    /// Returns whether a permutation is drawn for each run.
    pub fn contains_random_permutation(&self) -> bool {
        match self {
            Self::RandomPermutation => true,
            Self::Mixture(parts) => parts.iter().any(|part| part.pattern.contains_random_permutation()),
            _ => false,
        }
    }

    /// Returns the image of `source` under a permutation that does not depend on the run.
    ///
    /// Returns `None` if the pattern is not such a permutation, or is not
    /// [defined](Pattern::is_defined_on) on `network`. Cost: proportional to the number of
    /// dimensions.
    pub fn image(&self, network: impl AddressPermutations, source: NodeId) -> Option<NodeId> {
        match self {
            Self::Named(permutation) => permutation.image(network, source),
            Self::Linear(map) => (network.address_bits() == Some(map.bits())).then(|| map.image(source)),
            Self::Uniform | Self::HotSpots(_) | Self::RandomPermutation | Self::Mixture(_) | Self::Matrix(_) => None,
        }
    }

    /// Returns whether `source`, one of the `live` nodes, may have a destination other than itself.
    pub fn has_destination(&self, network: impl AddressPermutations, source: NodeId, live: &LiveNodes) -> bool {
        match self {
            Self::Uniform | Self::RandomPermutation => live.count() > 1,
            Self::HotSpots(spots) => {
                live.count() > 1 || spots.iter().any(|spot| spot.node != source && spot.share > 0.0)
            }
            Self::Mixture(parts) => parts.iter().any(|part| part.pattern.has_destination(network, source, live)),
            Self::Matrix(matrix) => matrix.has_destination(source),
            Self::Named(_) | Self::Linear(_) => self.image(network, source).is_some_and(|image| image != source),
        }
    }

    /// Returns the probability that a message of `source` goes to `to`. The two nodes must be live
    /// and different.
    ///
    /// Under a random permutation this is the expectation over all permutations in which the source
    /// is not its own image.
    pub fn probability(&self, network: impl AddressPermutations, source: NodeId, to: NodeId, live: &LiveNodes) -> f64 {
        match self {
            Self::Uniform | Self::RandomPermutation => 1.0 / live.count().saturating_sub(1) as f64,
            Self::HotSpots(spots) => hot_spot_probability(spots, source, to, live),
            Self::Mixture(parts) => {
                let possible = || parts.iter().filter(|part| part.pattern.has_destination(network, source, live));
                let weights: f64 = possible().map(|part| part.weight).sum();
                let weighted =
                    |part: &WeightedPattern| part.weight * part.pattern.probability(network, source, to, live);
                possible().map(weighted).sum::<f64>() / weights
            }
            Self::Matrix(matrix) => matrix.probability(source, to),
            Self::Named(_) | Self::Linear(_) => f64::from(u8::from(self.image(network, source) == Some(to))),
        }
    }
}

fn hot_spot_probability(spots: &[HotSpot], source: NodeId, to: NodeId, live: &LiveNodes) -> f64 {
    let others = || spots.iter().filter(|spot| spot.node != source);
    let excluded = 1 + others().filter(|spot| live.contains(spot.node)).count();
    let cold = live.count().saturating_sub(excluded) as f64;
    let rest = (1.0 - others().map(|spot| spot.share).sum::<f64>()).max(0.0);
    match others().position(|spot| spot.node == to) {
        None => rest / cold,
        // Without other nodes the rest goes to the first hot spot.
        Some(0) if cold == 0.0 => rest + others().next().map_or(0.0, |spot| spot.share),
        Some(index) => others().nth(index).map_or(0.0, |spot| spot.share),
    }
}

fn parse_hot_spots(text: &str, node: &dyn Fn(&str) -> Option<NodeId>) -> Result<Pattern, ParseError> {
    let spot = |text: &str| {
        let (name, share) = text.split_once(':').ok_or_else(|| format!("{text} is not a hot spot NODE:SHARE"))?;
        let node = node(name).ok_or_else(|| format!("{name} is not a node of the network"))?;
        let share = share.parse().ok().filter(|share| (0.0..=1.0).contains(share));
        Ok(HotSpot { node, share: share.ok_or_else(|| format!("the share in {text} is not a number from 0 to 1"))? })
    };
    let spots = text.split(',').map(spot).collect::<Result<Vec<HotSpot>, String>>()?;
    if spots.len() > HotSpot::MAX_NUMBER {
        return Err(format!("more than {} hot spots", HotSpot::MAX_NUMBER).into());
    }
    if (1..spots.len()).any(|index| spots[..index].iter().any(|spot| spot.node == spots[index].node)) {
        return Err("two hot spots are the same node".into());
    }
    // The sum of shares such as 0.1 and 0.9 may exceed 1 by rounding.
    if spots.iter().map(|spot| spot.share).sum::<f64>() > 1.0 + 1e-9 {
        return Err("the shares of all hot spots together exceed 1".into());
    }
    Ok(Pattern::HotSpots(spots.into()))
}

fn parse_mixture(text: &str, node: &dyn Fn(&str) -> Option<NodeId>) -> Result<Pattern, ParseError> {
    let part = |text: &str| {
        let (pattern, weight) =
            text.rsplit_once(':').ok_or_else(|| format!("{text} is not a part PATTERN:WEIGHT of a mixture"))?;
        let weight = weight.parse().ok().filter(|weight| (1e-6..=1e6).contains(weight));
        let weight = weight.ok_or_else(|| format!("the weight in {text} is not a number from 0.000001 to 1000000"))?;
        match Pattern::parse_with(pattern, node) {
            None => Err(format!("{pattern} is not a traffic pattern").into()),
            Some(Ok(Pattern::Mixture(_))) => Err("a mixture cannot contain a mixture".into()),
            Some(pattern) => Ok(WeightedPattern { pattern: pattern?, weight }),
        }
    };
    let parts = text.split(',').map(part).collect::<Result<Vec<WeightedPattern>, ParseError>>()?;
    if parts.len() > Pattern::MAX_PARTS {
        return Err(format!("a mixture has at most {} patterns", Pattern::MAX_PARTS).into());
    }
    Ok(Pattern::Mixture(parts.into()))
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&|node| node.to_string()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Faults;
    use crate::random::Key;
    use crate::traffic::Destinations;

    struct Dead(Vec<u64>);

    impl Faults for Dead {
        fn is_faulty(&mut self, node: NodeId) -> bool {
            self.0.contains(&node.0)
        }
    }

    fn pattern(text: &str) -> Pattern {
        Pattern::parse(text).expect("a pattern").expect("a valid pattern")
    }

    #[test]
    fn texts_round_trip() {
        for text in [
            "uniform",
            "hot:5:0.1",
            "hot:0:1",
            "hot:1:0.1,2:0.9",
            "complement",
            "bit-reversal",
            "shuffle",
            "random-permutation",
            "mix:uniform:3,transpose:0.5,hot:2:0.3:1",
            "linear:4.2.1+7",
        ] {
            assert_eq!(pattern(text).to_string(), text);
        }
        assert_eq!(pattern("bit_reverse").to_string(), "bit-reversal");
    }

    #[test]
    fn malformed_texts_are_rejected() {
        for text in ["", "hot", "Uniform", "shuffled", "0-1"] {
            assert_eq!(Pattern::parse(text), None, "{text}");
        }
        for (text, says) in [
            ("hot:5", "not a hot spot NODE:SHARE"),
            ("hot:5:1.5", "not a number from 0 to 1"),
            ("hot:5:NaN", "not a number from 0 to 1"),
            ("hot:x:0.1", "x is not a node"),
            ("hot:5:0.6,6:0.5", "exceed 1"),
            ("hot:5:0.1,5:0.1", "the same node"),
            ("mix:uniform", "PATTERN:WEIGHT"),
            ("mix:uniform:0", "weight"),
            ("mix:sideways:1", "sideways is not a traffic pattern"),
            ("mix:mix:uniform:1:1", "cannot contain a mixture"),
            ("linear:1.2.3", "no inverse"),
        ] {
            let error = Pattern::parse(text).expect("a pattern").expect_err(text).to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
        let many = ["uniform:1"; 9].join(",");
        assert!(Pattern::parse(&format!("mix:{many}")).is_some_and(|read| read.is_err()));
        let many: Vec<_> = (0..17).map(|node| format!("{node}:0.01")).collect();
        assert!(Pattern::parse(&format!("hot:{}", many.join(","))).is_some_and(|read| read.is_err()));
    }

    #[test]
    fn patterns_on_meshes_name_nodes_by_row_and_column() {
        let mesh = |rows, columns| Mesh::new(rows, columns).unwrap();
        let square = mesh(4, 4);
        for text in ["uniform", "hot:3.1:0.25,0.0:0.5", "transpose", "mix:hot:3.1:0.25:1,shuffle:2"] {
            let pattern = Pattern::parse_on(square, text).unwrap().unwrap();
            assert_eq!(pattern.text_on(square), text);
            assert!(pattern.is_defined_on(square));
        }
        for text in ["hot:4.0:0.1", "hot:5:0.1", "hot:0x1.0:0.1", "hot:1.1:2"] {
            assert!(Pattern::parse_on(square, text).unwrap().is_err(), "{text}");
        }
        for (text, says) in [
            ("transpose", "transpose needs a square mesh"),
            ("mix:uniform:1,shuffle:1", "shuffle needs a number of nodes that is a power of two"),
            ("linear:4.2.1", "a matrix of 3 rows needs 2^3 nodes"),
        ] {
            let problem = pattern(text).problem_on(mesh(2, 3));
            assert!(problem.as_ref().is_some_and(|problem| problem.contains(says)), "{text}: {problem:?}");
        }
    }

    /// The frequencies of drawn destinations are those of `Pattern::probability`.
    #[test]
    fn destination_frequencies_match_the_pattern() {
        const DRAWS: u32 = 130_000;
        let cube = Hypercube::new(4).unwrap();
        let live = LiveNodes::new(cube, &mut Dead(vec![3, 9])).unwrap();
        let mut generator = Key::from_seed(1).generator();
        let mut counts = |pattern: &Pattern, source: u64| {
            let destinations = Destinations::new(cube, pattern.clone(), live.clone(), Key::from_seed(4));
            let mut counts = [0u32; 16];
            for _ in 0..DRAWS {
                counts[destinations.draw(NodeId(source), &mut generator).unwrap().0 as usize] += 1;
            }
            counts
        };
        for text in ["uniform", "hot:2:0.4", "hot:2:0.4,5:0.2,7:0.1", "mix:uniform:3,complement:1,hot:4:0.5:2"] {
            let pattern = pattern(text);
            for source in [5, 2] {
                for (node, count) in counts(&pattern, source).into_iter().enumerate() {
                    let node = NodeId(node as u64);
                    let possible = node.0 != source && live.contains(node);
                    let wanted = if possible { pattern.probability(cube, NodeId(source), node, &live) } else { 0.0 };
                    // The standard deviation is below 181.
                    let off = f64::from(count) - wanted * f64::from(DRAWS);
                    assert!(off.abs() < 900.0, "{text}, {source} to {node}: {count}");
                }
            }
        }
        // Each of the 13 other live nodes is drawn 10,000 times on average under uniform traffic. A
        // faulty hot spot is still drawn, and a source is never its own destination.
        assert!(counts(&Pattern::Uniform, 5)[0].abs_diff(10_000) < 500);
        assert_eq!(counts(&Pattern::hot_spot(NodeId(3), 1.0), 5)[3], DRAWS);
        assert!(counts(&Pattern::hot_spot(NodeId(2), 0.4), 2)[0].abs_diff(10_000) < 500);
    }

    #[test]
    fn probabilities_of_each_source_add_up_to_one() {
        let mesh = Mesh::new(4, 4).unwrap();
        let live = LiveNodes::from_flags(mesh.iter_nodes().map(|node| node.0 != 6));
        for text in ["uniform", "hot:1:0.3,2:0.7", "random-permutation", "mix:uniform:1,random-permutation:2"] {
            for from in live.iter() {
                let others = live.iter().filter(|&to| to != from);
                let sum: f64 = others.map(|to| pattern(text).probability(mesh, from, to, &live)).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{text}: {sum}");
            }
        }
    }

    #[test]
    fn random_permutations_differ_between_runs_and_hold_during_a_run() {
        let mesh = Mesh::new(4, 5).unwrap();
        let live = LiveNodes::from_flags(mesh.iter_nodes().map(|node| node.0 != 6));
        let mut generator = Key::from_seed(1).generator();
        let mut images = |seed| {
            let mut destinations =
                Destinations::new(mesh, Pattern::RandomPermutation, live.clone(), Key::from_seed(seed));
            let mut draw = |destinations: &Destinations<Mesh>| -> Vec<Option<NodeId>> {
                let sources = mesh.iter_nodes().filter(|&node| node.0 != 11);
                sources.map(|node| destinations.draw(node, &mut generator)).collect()
            };
            let first = draw(&destinations);
            assert_eq!(first, draw(&destinations));
            destinations.set_live(LiveNodes::from_flags(mesh.iter_nodes().map(|node| ![6, 11].contains(&node.0))));
            assert_eq!(first, draw(&destinations), "the others keep their destinations if a node dies");
            first
        };
        let (one, other) = (images(1), images(2));
        assert_ne!(one, other);
        for images in [one, other] {
            let mut reached: Vec<_> = images.into_iter().flatten().collect();
            let count = reached.len();
            reached.sort_unstable();
            reached.dedup();
            assert_eq!(reached.len(), count, "no two sources have one destination");
            assert!(!reached.contains(&NodeId(6)));
        }
    }
}
