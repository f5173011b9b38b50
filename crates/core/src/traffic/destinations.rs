//! Destinations of the messages of one run.

use super::pattern::uniform_half_open;
use super::permutation::shuffled;
use super::{AddressPermutations, HotSpot, LiveNodes, Pattern};
use crate::random::{Generator, Key};
use crate::topology::NodeId;

/// Generator of destinations: a pattern on a network of which some nodes are live, with the random
/// choices that last for a run.
#[derive(Clone, Debug)]
pub struct Destinations<N> {
    network: N,
    pattern: Pattern,
    live: LiveNodes,
    /// Destination of each live node by rank, under [`Pattern::RandomPermutation`]; empty if the
    /// pattern does not contain it.
    images: Vec<u32>,
}

impl<N: AddressPermutations> Destinations<N> {
    /// Creates the generator for a run with `key`.
    pub fn new(network: N, pattern: Pattern, live: LiveNodes, key: Key) -> Self {
        let images = if pattern.contains_random_permutation() {
            let nodes: Vec<u32> = live.iter().map(|node| node.0 as u32).collect();
            shuffled(&nodes, key.named("permutation"))
        } else {
            Vec::new()
        };
        Self { network, pattern, live, images }
    }

    /// Returns the live nodes.
    pub fn live(&self) -> &LiveNodes {
        &self.live
    }

    /// Returns the memory footprint in bytes.
    pub fn footprint(&self) -> usize {
        self.live.footprint() + 4 * self.images.capacity()
    }

    /// Replaces the live nodes by a part of them. A random permutation remains that of all nodes
    /// that were live at first.
    pub fn set_live(&mut self, live: LiveNodes) {
        if !self.images.is_empty() {
            let images = live.iter().map(|node| self.image(node).map_or(node.0 as u32, |image| image.0 as u32));
            self.images = images.collect();
        }
        self.live = live;
    }

    /// Returns whether `source` is live and has a destination other than itself.
    pub fn exists_for(&self, source: NodeId) -> bool {
        self.live.contains(source) && self.exists_by(&self.pattern, source)
    }

    /// Draws the destination of one message of `source`, for which a destination
    /// [exists](Destinations::exists_for).
    ///
    /// The destination differs from the source, and may be faulty except under
    /// [`Pattern::Uniform`]. Returns `None` if there is no destination.
    #[inline]
    pub fn draw(&self, source: NodeId, generator: &mut Generator) -> Option<NodeId> {
        self.draw_by(&self.pattern, source, generator)
    }

    /// Returns the image of a live node under the random permutation of the run.
    fn image(&self, source: NodeId) -> Option<NodeId> {
        self.images.get(self.live.rank(source)?).map(|&image| NodeId(image.into()))
    }

    fn exists_by(&self, pattern: &Pattern, source: NodeId) -> bool {
        match pattern {
            Pattern::RandomPermutation => self.image(source).is_some_and(|image| image != source),
            Pattern::Mixture(parts) => parts.iter().any(|part| self.exists_by(&part.pattern, source)),
            other => other.has_destination(self.network, source, &self.live),
        }
    }

    #[inline]
    fn draw_by(&self, pattern: &Pattern, source: NodeId, generator: &mut Generator) -> Option<NodeId> {
        match pattern {
            Pattern::Uniform => self.live.random_excluding(&[source], generator),
            Pattern::HotSpots(spots) => self.draw_with_hot_spots(spots, source, generator),
            Pattern::RandomPermutation => self.image(source).filter(|&image| image != source),
            Pattern::Mixture(parts) => {
                let possible = || parts.iter().filter(|part| self.exists_by(&part.pattern, source));
                let mut rest = uniform_half_open(generator) * possible().map(|part| part.weight).sum::<f64>();
                let drawn = possible().find(|part| {
                    rest -= part.weight;
                    rest < 0.0
                });
                // Rounding may leave a rest of 0 after the last part.
                self.draw_by(&drawn.or_else(|| possible().last())?.pattern, source, generator)
            }
            Pattern::Matrix(matrix) => matrix.draw(source, generator),
            Pattern::Named(_) | Pattern::Linear(_) => {
                pattern.image(self.network, source).filter(|&image| image != source)
            }
        }
    }

    fn draw_with_hot_spots(&self, spots: &[HotSpot], source: NodeId, generator: &mut Generator) -> Option<NodeId> {
        let others = || spots.iter().filter(|spot| spot.node != source);
        if others().next().is_none() {
            return self.live.random_excluding(&[source], generator);
        }
        let mut rest = uniform_half_open(generator);
        let hot = others().find(|spot| {
            rest -= spot.share;
            rest < 0.0
        });
        if let Some(spot) = hot {
            return Some(spot.node);
        }
        let mut excluded = [source; HotSpot::MAX_NUMBER + 1];
        let mut count = 1;
        for (place, spot) in excluded.iter_mut().skip(1).zip(others()) {
            *place = spot.node;
            count += 1;
        }
        let cold = self.live.random_excluding(&excluded[..count], generator);
        cold.or_else(|| others().next().map(|spot| spot.node))
    }
}
