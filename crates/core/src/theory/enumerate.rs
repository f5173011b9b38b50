//! Exact probability that a message arrives, for one fault set or averaged over all fault sets.

use std::collections::BTreeMap;

use super::decision::decide;
use super::fault_sets::average_by_faults;
use crate::fault::Faults;
use crate::routing::{Header, Knowledge, LocalRouting, Position};
use crate::topology::{Hypercube, Link, NodeId, set_dimensions};
use crate::traffic::Pair;

/// Largest dimension of a cube for algorithms that do not mark nodes.
pub const MAX_EXACT_DIMENSION: u8 = 10;

/// Largest dimension of a cube for algorithms that mark nodes: each set of marks is a separate
/// state.
pub const MAX_MARKS_DIMENSION: u8 = 5;

/// Probabilities that a message arrives, by number of hops.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrivalDistribution {
    /// Probability of arriving after h hops: `by_hops[h]`, for h = 0 to the path limit.
    pub by_hops: Vec<f64>,
}

impl ArrivalDistribution {
    /// Returns the probability of arriving.
    pub fn success(&self) -> f64 {
        self.by_hops.iter().sum()
    }

    /// Returns the mean path length, in hops, of a message that arrives; `None` if the message
    /// cannot arrive.
    pub fn mean_length(&self) -> Option<f64> {
        let weighted: f64 = self.by_hops.iter().zip(0u32..).map(|(chance, hops)| chance * f64::from(hops)).sum();
        let success = self.success();
        (success > 0.0).then(|| weighted / success)
    }
}

/// Returns the probabilities that a message between `ends`, routed by `routing` among `faults`,
/// arrives in at most `limit` hops.
///
/// The rules are those of [`crate::switching::MessageWalk`], with exact probabilities. The ends
/// count as live.
///
/// `None` above [`MAX_EXACT_DIMENSION`] dimensions, or above [`MAX_MARKS_DIMENSION`] for algorithms
/// that mark nodes. Cost: n 2^n for each hop and each set of marks that can occur; without marks,
/// well below a millisecond for n = 10 and 50 hops.
pub fn exact_arrivals(
    cube: Hypercube,
    ends: Pair,
    faults: &mut impl Faults,
    routing: &dyn LocalRouting,
    limit: u32,
) -> Option<ArrivalDistribution> {
    let largest = if routing.marks_blocked_nodes() { MAX_MARKS_DIMENSION } else { MAX_EXACT_DIMENSION };
    if cube.dimension() > largest {
        return None;
    }
    let nodes = 0..=cube.mask();
    let faulty = nodes.map(|node| !ends.contains(NodeId(node)) && faults.is_faulty(NodeId(node))).collect();
    let any_link_faults = faults.has_link_faults();
    let dead_links = |node| {
        let links = (0..cube.dimension()).map(|dim| Link { from: NodeId(node), dim });
        links.filter(|&link| faults.is_link_faulty(link)).fold(0, |dims, link| dims | 1 << link.dim)
    };
    let dead_links = if any_link_faults { (0..=cube.mask()).map(dead_links).collect() } else { Vec::new() };
    let mut walk = Walk { cube, ends, routing, faulty, dead_links, whereabouts: BTreeMap::new() };
    let headers = routing.initial_header_count();
    for header in (0..headers).map(Header) {
        walk.put(0, header, ends.from, 1.0 / f64::from(headers));
    }
    let mut by_hops = vec![0.0];
    for _ in 0..limit {
        by_hops.push(walk.step());
    }
    Some(ArrivalDistribution { by_hops })
}

/// Returns the probability that a message arrives; see [`exact_arrivals`].
pub fn exact_success(
    cube: Hypercube,
    ends: Pair,
    faults: &mut impl Faults,
    routing: &dyn LocalRouting,
    limit: u32,
) -> Option<f64> {
    exact_arrivals(cube, ends, faults, routing, limit).map(|arrivals| arrivals.success())
}

/// Returns the average of [`exact_success`] over all sets of f faulty nodes, for f = 0 to 2^n - 2,
/// between antipodes of the n-cube.
///
/// The averages are the sums of Gordon & Stout's theorem in section 2.1, divided by the number of
/// sets. Model A's S(n, p) follows by [`super::bernoulli_mixture`].
///
/// `None` above [`super::MAX_ENUMERATED_DIMENSION`]. Cost: 2^14 fault sets for n = 4, some 20 ms.
pub fn success_by_faults(n: u8, routing: &dyn LocalRouting, limit: u32) -> Option<Vec<f64>> {
    average_by_faults(n, |cube, ends, mut faults| {
        exact_success(cube, ends, &mut faults, routing, limit).unwrap_or_default()
    })
}

/// Probability distribution of a message in transit.
struct Walk<'a> {
    cube: Hypercube,
    ends: Pair,
    routing: &'a dyn LocalRouting,
    faulty: Vec<bool>,
    /// Dimensions of the faulty links of each node, as a mask; empty if the cube has no faulty
    /// links.
    dead_links: Vec<u64>,
    /// Probability of being at each node, for each set of marks and each header. The marks have bit
    /// i for node i, and are 0 for algorithms that do not mark.
    whereabouts: BTreeMap<(u64, Header), Vec<f64>>,
}

impl Walk<'_> {
    fn put(&mut self, marks: u64, header: Header, node: NodeId, chance: f64) {
        let nodes = self.faulty.len();
        self.whereabouts.entry((marks, header)).or_insert_with(|| vec![0.0; nodes])[node.0 as usize] += chance;
    }

    /// Advances the message by one hop. Returns the probability of arriving with this hop.
    fn step(&mut self) -> f64 {
        let mut arrived = 0.0;
        for ((marks, header), chances) in std::mem::take(&mut self.whereabouts) {
            for (here, chance) in (0u64..).map(NodeId).zip(chances) {
                if chance > 0.0 {
                    arrived += self.hop(marks, header, here, chance);
                }
            }
        }
        arrived
    }

    fn hop(&mut self, marks: u64, header: Header, here: NodeId, chance: f64) -> f64 {
        let at = Position { here, wrong: here.0 ^ self.ends.to.0, header };
        let dead = self.dead_links.get(here.0 as usize).copied().unwrap_or(0);
        let is_faulty = |node: NodeId| self.faulty[node.0 as usize] || marks != 0 && marks >> node.0 & 1 == 1;
        let is_dead = |link: Link| dead >> link.dim & 1 == 1 || is_faulty(link.end());
        let Some(decision) = decide(self.cube, self.routing, at, is_dead) else { return 0.0 };
        let blocked = decision.backward;
        if blocked && here == self.ends.from {
            return 0.0;
        }
        let marks = if blocked && self.routing.marks_blocked_nodes() { marks | 1 << here.0 } else { marks };
        let share = chance / f64::from(decision.dims.count_ones());
        let blind = self.routing.knowledge() == Knowledge::Nothing;
        let mut arrived = 0.0;
        let cube = self.cube;
        for dim in set_dimensions(decision.dims) {
            let next = cube.neighbor(here, dim);
            if blind && (dead >> dim & 1 == 1 || self.faulty[next.0 as usize]) {
                continue;
            }
            if next == self.ends.to {
                arrived += share;
            } else {
                self.put(marks, self.routing.header_after_with_links(at, decision.links, dim), next, share);
            }
        }
        arrived
    }
}
