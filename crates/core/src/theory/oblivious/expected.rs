//! Expected congestion of a permutation or h-relation over all choices of intermediate nodes, exact
//! up to rounding.

use crate::routing::oblivious::{IntermediateChoice, Legs, ObliviousPhase, ObliviousRouting};
use crate::topology::{Hypercube, Link, NodeId};
use crate::traffic::HRelation;

/// Largest dimension of a cube whose expected congestion is computed.
pub const MAX_EXPECTED_DIMENSION: u8 = 12;

/// Expected number of messages of every channel and node.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedCongestion {
    cube: Hypercube,
    channels: Vec<f64>,
    load: Vec<f64>,
    delivered: f64,
    smallest: Option<u64>,
}

impl ExpectedCongestion {
    /// Computes the expected congestion of the messages of `relation`. `None` above
    /// [`MAX_EXPECTED_DIMENSION`].
    ///
    /// Cost: 6 N steps for each message, some 100 million steps for a permutation at n = 12.
    pub fn new(routing: &dyn ObliviousRouting, relation: &HRelation) -> Option<Self> {
        let cube = routing.cube();
        let nodes = (cube.dimension() <= MAX_EXPECTED_DIMENSION).then_some(cube.mask() as usize + 1)?;
        let channels = vec![0.0; nodes * usize::from(cube.dimension())];
        let mut all = Self { cube, channels, load: vec![0.0; nodes], delivered: 0.0, smallest: None };
        let mut counts = Vec::new();
        for (from, to) in relation.iter().filter(|&(from, to)| routing.is_active(from) && routing.is_active(to)) {
            match (routing.choice(from, to), routing.legs(from, to)) {
                (Some(choice), Some(legs)) => all.add_randomized(routing, from, to, &choice, legs, &mut counts),
                _ => all.add_route(routing, from, to, None, 1.0),
            }
        }
        Some(all)
    }

    fn add_load(&mut self, link: Link, expected: f64) {
        let place = link.from.0 as usize * usize::from(self.cube.dimension()) + usize::from(link.dim);
        if let Some(channel) = self.channels.get_mut(place) {
            *channel += expected;
        }
    }

    /// Adds the hops that do not depend on the intermediate node: all hops if no intermediate node
    /// is drawn.
    fn add_route(&mut self, routing: &dyn ObliviousRouting, from: NodeId, to: NodeId, via: Option<NodeId>, share: f64) {
        use ObliviousPhase::{Crossing, FromIntermediate, ToIntermediate};
        let Ok(route) = routing.route_via(from, to, via) else { return };
        self.delivered += share;
        for hop in route.hops() {
            if via.is_none() || !matches!(hop.phase, ToIntermediate | Crossing | FromIntermediate) {
                self.add_load(hop.link, share);
            }
        }
    }

    fn add_randomized(
        &mut self,
        routing: &dyn ObliviousRouting,
        from: NodeId,
        to: NodeId,
        choice: &IntermediateChoice,
        legs: Legs,
        counts: &mut Vec<u32>,
    ) {
        let valid = choice.valid.len() as u64;
        self.smallest = Some(self.smallest.map_or(valid, |smallest| smallest.min(valid)));
        let Some(&any) = choice.valid.first() else { return };
        let each = 1.0 / choice.out_of as f64;
        self.add_route(routing, from, to, Some(any), valid as f64 * each);
        self.add_first_leg(choice, legs, each, counts);
        for &via in &choice.valid {
            if let Some(load) = self.load.get_mut(via.0 as usize) {
                *load += each;
            }
            if let Some(dim) = legs.crossing {
                self.add_load(Link { from: via, dim }, each);
            }
        }
        self.add_second_leg(choice, legs, each, counts);
    }

    /// Sets the count of every intermediate node to 1, indexed by the dimensions of the legs.
    /// Returns the number of these dimensions.
    fn mark(&self, choice: &IntermediateChoice, legs: Legs, counts: &mut Vec<u32>) -> u8 {
        let dims = self.cube.dimension() - legs.lowest;
        counts.clear();
        counts.resize(1 << dims, 0);
        choice.valid.iter().for_each(|via| counts[(via.0 >> legs.lowest) as usize] = 1);
        dims
    }

    /// Adds the paths from the start, which form a tree.
    ///
    /// A channel is on the paths to the intermediate nodes that agree with its end up to its
    /// dimension.
    fn add_first_leg(&mut self, choice: &IntermediateChoice, legs: Legs, each: f64, counts: &mut Vec<u32>) {
        let dims = self.mark(choice, legs, counts);
        let (start, rest) = (legs.start.0 >> legs.lowest, legs.start.0 & ((1 << legs.lowest) - 1));
        for dim in (0..dims).rev() {
            let bit = 1usize << dim;
            let high = start & !(bit as u64 - 1);
            let across = (!start as usize) & bit;
            for low in 0..bit {
                let beyond = counts[low | across];
                if beyond > 0 {
                    let from = NodeId((high | low as u64) << legs.lowest | rest);
                    self.add_load(Link { from, dim: dim + legs.lowest }, f64::from(beyond) * each);
                }
                counts[low] += counts[low | bit];
            }
        }
    }

    /// Adds the paths to the end, which form a tree.
    ///
    /// A channel is on the paths from the intermediate nodes that agree with its start from its
    /// dimension on.
    fn add_second_leg(&mut self, choice: &IntermediateChoice, legs: Legs, each: f64, counts: &mut Vec<u32>) {
        let dims = self.mark(choice, legs, counts);
        let (end, rest) = (legs.end.0 >> legs.lowest, legs.end.0 & ((1 << legs.lowest) - 1));
        for dim in 0..dims {
            let low = end & ((1 << dim) - 1);
            for pair in 0..1usize << (dims - dim - 1) {
                let wrong = 2 * pair + ((!end >> dim) & 1) as usize;
                if counts[wrong] > 0 {
                    let from = NodeId(((wrong as u64) << dim | low) << legs.lowest | rest);
                    self.add_load(Link { from, dim: dim + legs.lowest }, f64::from(counts[wrong]) * each);
                }
                counts[pair] = counts[2 * pair] + counts[2 * pair + 1];
            }
        }
    }

    /// Returns all channels, with their expected congestion.
    pub fn channels(&self) -> impl Iterator<Item = (Link, f64)> + '_ {
        let dims = self.channels.chunks_exact(usize::from(self.cube.dimension()));
        (0..).zip(dims).flat_map(|(node, expected)| {
            (0..).zip(expected).map(move |(dim, &expected)| (Link { from: NodeId(node), dim }, expected))
        })
    }

    /// Returns the largest expected congestion of a channel.
    pub fn max_congestion(&self) -> f64 {
        self.channels.iter().copied().fold(0.0, f64::max)
    }

    /// Returns the expected load of every node.
    pub fn load(&self) -> &[f64] {
        &self.load
    }

    /// Returns the largest expected load of a node.
    pub fn max_load(&self) -> f64 {
        self.load.iter().copied().fold(0.0, f64::max)
    }

    /// Returns the expected number of messages that arrive.
    pub fn delivered(&self) -> f64 {
        self.delivered
    }

    /// Returns the mean length of the routes, in hops, weighted by probability; `None` if there is
    /// no route.
    pub fn mean_length(&self) -> Option<f64> {
        (self.delivered > 0.0).then(|| self.channels.iter().sum::<f64>() / self.delivered)
    }

    /// Returns the size of the smallest set I_sd of a message; `None` if no message has such a set.
    pub fn smallest_choice(&self) -> Option<u64> {
        self.smallest
    }
}

/// Returns the size of the smallest set I_sd of the `pairs` with active ends; `None` if no such
/// pair has a set.
///
/// The size is the I of Theorem 1 if `pairs` has all routed pairs, or all pairs of active nodes.
/// Cost: 6 N steps for each pair.
pub fn smallest_choice(
    routing: &dyn ObliviousRouting,
    pairs: impl IntoIterator<Item = (NodeId, NodeId)>,
) -> Option<u64> {
    let active = pairs.into_iter().filter(|&(from, to)| routing.is_active(from) && routing.is_active(to));
    active.filter_map(|(from, to)| routing.choice(from, to)).map(|choice| choice.valid.len() as u64).min()
}
