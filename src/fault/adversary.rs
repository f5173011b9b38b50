//! Adversaries: fault sets placed to do harm, where the thesis supposes the worst case (section 1.1).

use rand::RngExt as _;

use super::{ActiveSet, FaultyNodes, Tolerance, fault_free_through};
use crate::names::names;
use crate::random::Key;
use crate::topology::{Hypercube, NodeId};

/// Who places the faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adversary {
    /// Chance: all sets of so many nodes are equally likely.
    Random,
    /// A subcube, as many of its nodes as there are faults: the addresses that differ from the centre in the highest
    /// dimensions, in order.
    Subcube,
    /// A Hamming ball: the nodes nearest to the centre, itself first.
    Ball,
    /// The neighbours of the centre, then the nodes at distance 3, 5 and so on: the centre stays healthy and is cut off.
    Neighbors,
    /// Greedy: in each step the node, among [`GREEDY_CANDIDATES`] drawn at random, whose failure leaves the fewest nodes
    /// active under Algorithm A, or under Algorithm B.
    Greedy {
        /// Whether Algorithm B's rule is meant.
        squares: bool,
    },
    /// In each step the node that lies on the most bit-fixing paths that are still fault-free.
    Busiest,
    /// A congestion funnel: all messages of a subcube that have to cross one of the middle dimensions are to take one
    /// channel. The channels parallel to it lead to faulty nodes, nearest first.
    Funnel,
}

/// The nodes that the greedy adversary looks at in each step.
pub const GREEDY_CANDIDATES: u32 = 32;

/// The largest cube on which they search: they keep tables for every dimension.
const MAX_SEARCHED_DIMENSION: u8 = Adversary::MAX_DIMENSION;

/// The most additions that the adversaries that search are allowed; where one node at a time would take more, they place
/// several in each step.
const EFFORT: u64 = 1 << 28;

names! {
    Adversary {
        Random: "random",
        Subcube: "subcube",
        Ball: "ball",
        Neighbors: "neighbors",
        Greedy { squares: false }: "greedy-a",
        Greedy { squares: true }: "greedy-b",
        Busiest: "busiest",
        Funnel: "funnel",
    }
}

impl Adversary {
    /// The largest cube that experiments let them loose on.
    pub const MAX_DIMENSION: u8 = 20;

    /// `count` faults, or all nodes if there are fewer, around `centre`; chance comes from `key`. `None` above
    /// [`FaultyNodes::MAX_DIMENSION`], for those that search above 20, or if the cube does not have the centre. Cost: the
    /// number of nodes; those that search, 2^28 additions or one step of theirs, some seconds at n = 20.
    pub fn place(self, cube: Hypercube, count: u32, centre: NodeId, key: Key) -> Option<FaultyNodes> {
        let faulty = FaultyNodes::none(cube)?;
        let searches = matches!(self, Self::Greedy { .. } | Self::Busiest);
        if !cube.contains(centre) || (searches && cube.dimension() > MAX_SEARCHED_DIMENSION) {
            return None;
        }
        let count = u64::from(count).min(cube.mask() + 1) as u32;
        Some(match self {
            Self::Random => random(faulty, count, key),
            Self::Subcube => {
                first(faulty, count, |place| place.reverse_bits() >> (64 - u32::from(cube.dimension())) ^ centre.0)
            }
            Self::Ball => nearest(faulty, count, centre, |distance| distance),
            Self::Neighbors => {
                nearest(faulty, count, centre, |distance| if distance % 2 == 1 { distance } else { 64 + distance })
            }
            Self::Greedy { squares } => greedy(faulty, count, squares, key),
            Self::Busiest => busiest(faulty, count, key),
            Self::Funnel => funnel(faulty, count, centre),
        })
    }
}

/// Every set with the same probability (Floyd).
fn random(mut faulty: FaultyNodes, count: u32, key: Key) -> FaultyNodes {
    let (nodes, mut generator) = (faulty.cube().mask() + 1, key.generator());
    for last in nodes - u64::from(count)..nodes {
        let drawn = NodeId(generator.random_range(0..=last));
        faulty.set(if faulty.contains(drawn) { NodeId(last) } else { drawn }, true);
    }
    faulty
}

/// The nodes at the first places.
fn first(mut faulty: FaultyNodes, count: u32, node_at: impl Fn(u64) -> u64) -> FaultyNodes {
    (0..u64::from(count)).for_each(|place| faulty.set(NodeId(node_at(place)), true));
    faulty
}

/// The nodes that come first by a score of their distance from the centre, then by what they differ in.
fn nearest(faulty: FaultyNodes, count: u32, centre: NodeId, score: impl Fn(u32) -> u32) -> FaultyNodes {
    let mut differences: Vec<u32> = (0..=faulty.cube().mask() as u32).collect();
    differences.sort_by_key(|difference| (score(difference.count_ones()), *difference));
    first(faulty, count, |place| {
        differences.get(place as usize).map_or(0, |&difference| u64::from(difference)) ^ centre.0
    })
}

/// How many nodes to place in each step, if a step takes so many additions.
fn at_once(count: u32, step: u64) -> u32 {
    (u64::from(count) * step).div_ceil(EFFORT).clamp(1, u64::from(count.max(1))) as u32
}

fn greedy(mut faulty: FaultyNodes, count: u32, squares: bool, key: Key) -> FaultyNodes {
    let (cube, mut generator) = (faulty.cube(), key.generator());
    let nodes = cube.mask() + 1;
    let step = u64::from(GREEDY_CANDIDATES) * 2 * u64::from(cube.dimension()) * nodes;
    let many = at_once(count, step);
    while faulty.count() < count {
        let mut candidates: Vec<(u32, NodeId)> = Vec::new();
        for _ in 0..GREEDY_CANDIDATES.max(many) {
            let node = NodeId(generator.random_range(0..nodes));
            // Where so many are placed at once that to try all would take long, the rest are as good as any.
            if !faulty.contains(node) && (candidates.len() as u32) < GREEDY_CANDIDATES {
                candidates.push((active_without(&mut faulty, node, squares), node));
            } else if !faulty.contains(node) {
                candidates.push((u32::MAX, node));
            }
        }
        candidates.sort_unstable();
        let left = count - faulty.count();
        candidates.iter().take(many.min(left) as usize).for_each(|&(_, node)| faulty.set(node, true));
        if candidates.is_empty() {
            let more = faulty.count() + 1;
            fill(&mut faulty, more);
        }
    }
    faulty
}

/// |A| if `node` were faulty too.
fn active_without(faulty: &mut FaultyNodes, node: NodeId, squares: bool) -> u32 {
    faulty.set(node, true);
    let of_squares = squares.then(|| ActiveSet::algorithm_b(faulty.clone(), Tolerance::Thesis)).flatten();
    let active = of_squares.unwrap_or_else(|| ActiveSet::algorithm_a(faulty.clone(), Tolerance::Thesis));
    faulty.set(node, false);
    active.count()
}

/// Breaks the lowest healthy nodes until there are `count` faults.
fn fill(faulty: &mut FaultyNodes, count: u32) {
    for node in (0..=faulty.cube().mask()).map(NodeId) {
        if faulty.count() >= count {
            return;
        }
        faulty.set(node, true);
    }
}

fn busiest(mut faulty: FaultyNodes, count: u32, key: Key) -> FaultyNodes {
    let cube = faulty.cube();
    let many = at_once(count, 3 * u64::from(cube.dimension()) * (cube.mask() + 1));
    let mut step = 0;
    while faulty.count() < count {
        // Equals, as all nodes are at first, in an order left to chance.
        let chance = key.child(step);
        let through = fault_free_through(&faulty);
        let mut nodes: Vec<_> = (0..).map(NodeId).zip(through).filter(|&(node, _)| !faulty.contains(node)).collect();
        let best = |&(node, paths): &(NodeId, u64)| (std::cmp::Reverse(paths), chance.word_at(node.0));
        let left = many.min(count - faulty.count()) as usize;
        if left < nodes.len() {
            nodes.select_nth_unstable_by_key(left, best);
        }
        nodes.iter().take(left).for_each(|&(node, _)| faulty.set(node, true));
        step += 1;
    }
    faulty
}

/// The channel leaves the centre across dimension k, k being the lowest with more than `count` nodes in the subcube of the
/// dimensions below it: what that subcube's messages would cross instead are the channels of its other nodes across k.
fn funnel(mut faulty: FaultyNodes, count: u32, centre: NodeId) -> FaultyNodes {
    let n = faulty.cube().dimension();
    let dim = (0..n).find(|&dim| 1u64 << dim > u64::from(count)).unwrap_or(n - 1);
    let mut within: Vec<u32> = (1..1u32 << dim).collect();
    within.sort_by_key(|difference| (difference.count_ones(), *difference));
    for difference in within.into_iter().take(count as usize) {
        faulty.set(NodeId(centre.0 ^ u64::from(difference) ^ 1 << dim), true);
    }
    // More faults than the other side of the widest funnel has nodes.
    fill(&mut faulty, count);
    faulty
}
