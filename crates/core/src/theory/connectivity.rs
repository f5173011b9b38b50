//! Connectivity of the live nodes, an upper bound for every routing algorithm.

use super::fault_sets::average_by_faults;
use crate::fault::Faults;
use crate::topology::{Hypercube, NodeId};
use crate::traffic::Pair;

/// Largest dimension of a cube whose components are computed.
pub const MAX_CONNECTIVITY_DIMENSION: u8 = 20;

/// Connected components of the live nodes of a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connectivity {
    /// True if a path of live nodes connects source and destination.
    pub connected: bool,
    /// Number of live nodes, including the ends.
    pub live: u64,
    /// Sizes of the connected components of the live nodes, largest first.
    pub components: Vec<u64>,
    /// Size of the component of the source.
    pub around_source: u64,
    /// Size of the component of the destination.
    pub around_destination: u64,
}

/// Computes the connected components of the live nodes of `cube` among `faults`; the `ends` count
/// as live.
///
/// `None` above [`MAX_CONNECTIVITY_DIMENSION`], and if one-way links are faulty, where components
/// are meaningless. Cost: 2^n status queries and n 2^n steps, some 20 ms for n = 20.
pub fn connectivity(cube: Hypercube, ends: Pair, faults: &mut impl Faults) -> Option<Connectivity> {
    if cube.dimension() > MAX_CONNECTIVITY_DIMENSION || faults.has_link_faults() {
        return None;
    }
    let mut rest = NodeSet::live(cube, ends, faults);
    let live = rest.words.iter().map(|word| u64::from(word.count_ones())).sum();
    let around_source = rest.take_component(cube, ends.from);
    let connected = !rest.contains(ends.to.0);
    let around_destination = if connected { around_source } else { rest.take_component(cube, ends.to) };
    let mut components = vec![around_source];
    components.extend((!connected).then_some(around_destination));
    for word in 0..rest.words.len() {
        while rest.words[word] != 0 {
            let node = word as u64 * 64 + u64::from(rest.words[word].trailing_zeros());
            components.push(rest.take_component(cube, NodeId(node)));
        }
    }
    components.sort_by(|a, b| b.cmp(a));
    Some(Connectivity { connected, live, components, around_source, around_destination })
}

/// Returns the share of all sets of f faulty nodes that leave two antipodes of the n-cube
/// connected, for f = 0 to 2^n - 2.
///
/// `None` above [`super::MAX_ENUMERATED_DIMENSION`].
pub fn connection_by_faults(n: u8) -> Option<Vec<f64>> {
    average_by_faults(n, |cube, ends, mut faults| {
        let joined = NodeSet::live(cube, ends, &mut faults).joins(cube, ends);
        f64::from(u8::from(joined))
    })
}

/// Set of nodes, one bit per node.
struct NodeSet {
    words: Vec<u64>,
}

impl NodeSet {
    fn live(cube: Hypercube, ends: Pair, faults: &mut impl Faults) -> Self {
        let size = cube.mask() + 1;
        let mut words = vec![0u64; size.div_ceil(64) as usize];
        for node in 0..size {
            let live = ends.contains(NodeId(node)) || !faults.is_faulty(NodeId(node));
            words[node as usize / 64] |= u64::from(live) << (node % 64);
        }
        Self { words }
    }

    fn contains(&self, node: u64) -> bool {
        self.words[node as usize / 64] >> (node % 64) & 1 == 1
    }

    fn remove(&mut self, node: u64) {
        self.words[node as usize / 64] &= !(1 << (node % 64));
    }

    fn joins(mut self, cube: Hypercube, ends: Pair) -> bool {
        self.take_component(cube, ends.from);
        !self.contains(ends.to.0)
    }

    /// Removes `start`, which is in the set, and all nodes reachable from `start` within the set.
    /// Returns the number of removed nodes.
    fn take_component(&mut self, cube: Hypercube, start: NodeId) -> u64 {
        self.remove(start.0);
        let mut size = 0;
        let mut stack = vec![start];
        while let Some(node) = stack.pop() {
            size += 1;
            for next in cube.neighbors(node) {
                if self.contains(next.0) {
                    self.remove(next.0);
                    stack.push(next);
                }
            }
        }
        size
    }
}
