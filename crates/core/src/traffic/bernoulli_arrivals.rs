//! Messages generated cycle by cycle, with geometric intervals.

use super::pattern::uniform_positive;
use super::{Destinations, LiveNodes, Pair, Pattern};
use crate::random::{Generator, Key};
use crate::topology::{Mesh, NodeId};

/// Number of slots of the timing wheel. Cycles that differ by a multiple of this number share a
/// slot.
const SLOTS: u64 = 256;

/// Generator of messages in discrete time: every node with a possible destination generates a
/// message with the same probability in each cycle. Intervals are geometric (Boppana & Chalasani
/// section V).
///
/// All draws come from a separate generator, so the outcomes of messages have no influence on later
/// arrivals.
#[derive(Clone, Debug)]
pub struct BernoulliArrivals {
    mesh: Mesh,
    destinations: Destinations<Mesh>,
    /// Natural logarithm of the probability that a node generates nothing in a cycle.
    log_no_arrival: f64,
    /// Nodes in each slot, one bit per node.
    wheel: Vec<u64>,
    /// Number of 64-bit words per slot.
    words: usize,
    /// Cycle of each node's next message.
    next: Vec<u64>,
    /// Preset messages, generated in cycle 0 besides the random messages.
    preset: Vec<Pair>,
    generator: Generator,
}

impl BernoulliArrivals {
    /// Creates the generator for `key`. Each sending node generates one message per cycle with
    /// `probability`; values of at least 1 mean one message in every cycle.
    pub fn new(mesh: Mesh, pattern: Pattern, live: LiveNodes, probability: f64, key: Key) -> Self {
        let words = mesh.nodes().div_ceil(64) as usize;
        let mut arrivals = Self {
            mesh,
            destinations: Destinations::new(mesh, pattern, live, key),
            log_no_arrival: if probability < 1.0 { libm::log1p(-probability) } else { f64::NEG_INFINITY },
            wheel: vec![0; words * SLOTS as usize],
            words,
            next: vec![u64::MAX; mesh.nodes() as usize],
            preset: Vec::new(),
            generator: key.generator(),
        };
        if probability > 0.0 {
            for node in mesh.iter_nodes() {
                if arrivals.destinations.exists_for(node) {
                    let first = arrivals.interval() - 1;
                    arrivals.schedule(node.0 as usize, first);
                }
            }
        }
        arrivals
    }

    /// Returns the live nodes.
    pub fn live(&self) -> &LiveNodes {
        self.destinations.live()
    }

    /// Replaces the live nodes. Nodes that no longer live generate no further messages.
    pub fn set_live(&mut self, live: LiveNodes) {
        for node in self.mesh.iter_nodes().filter(|&node| !live.contains(node)) {
            self.next[node.0 as usize] = u64::MAX;
        }
        self.destinations.set_live(live);
    }

    /// Adds preset messages, which are generated in cycle 0 in the given order, before random
    /// messages.
    ///
    /// Messages whose source is not live or equals the destination are dropped.
    pub fn add_preset(&mut self, messages: impl Iterator<Item = Pair>) {
        let live = self.destinations.live();
        self.preset.extend(messages.filter(|pair| pair.from != pair.to && live.contains(pair.from)));
    }

    /// Fills `arrivals` with the sources and destinations of the messages of `cycle`, by ascending
    /// source.
    ///
    /// The caller must call this method for every cycle in turn, from 0 on. In cycle 0 the preset
    /// messages come first, in the given order. The destination is `None` if the node that the
    /// pattern selects is faulty.
    #[inline]
    pub fn generate(&mut self, cycle: u64, arrivals: &mut Vec<(NodeId, Option<NodeId>)>) {
        arrivals.clear();
        if cycle == 0 {
            let live = |node| Some(node).filter(|&node| self.live().contains(node));
            arrivals.extend(self.preset.iter().map(|pair| (pair.from, live(pair.to))));
        }
        let slot = (cycle % SLOTS) as usize * self.words;
        for word in 0..self.words {
            let mut rest = self.wheel[slot + word];
            while rest != 0 {
                let node = word * 64 + rest.trailing_zeros() as usize;
                if self.next[node] == cycle {
                    self.wheel[slot + word] &= !(rest & rest.wrapping_neg());
                    arrivals.push(self.new_message(node, cycle));
                }
                rest &= rest - 1;
            }
        }
    }

    #[inline]
    fn new_message(&mut self, node: usize, cycle: u64) -> (NodeId, Option<NodeId>) {
        let from = NodeId(node as u64);
        let to = self.destinations.draw(from, &mut self.generator);
        let next = cycle.saturating_add(self.interval());
        self.schedule(node, next);
        (from, to.filter(|&to| self.live().contains(to)))
    }

    /// Draws the number of cycles until a node's next message, at least 1.
    #[inline]
    fn interval(&mut self) -> u64 {
        // The quotient is at least 0, and equals 0 if `log_no_arrival` is minus infinity; `as`
        // saturates.
        let cycles = libm::log(uniform_positive(&mut self.generator)) / self.log_no_arrival;
        (cycles as u64).saturating_add(1)
    }

    #[inline]
    fn schedule(&mut self, node: usize, cycle: u64) {
        self.next[node] = cycle;
        let slot = (cycle % SLOTS) as usize * self.words;
        self.wheel[slot + node / 64] |= 1 << (node % 64);
    }

    /// Returns the memory footprint in bytes.
    pub fn footprint(&self) -> usize {
        8 * (self.wheel.capacity() + self.next.capacity()) + self.destinations.footprint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::NamedPermutation;

    #[test]
    fn intervals_are_geometric() {
        let mesh = Mesh::new(8, 9).unwrap();
        for probability in [0.5, 0.02, 0.001] {
            let live = LiveNodes::from_flags(mesh.iter_nodes().map(|node| node.0 != 5));
            let mut arrivals = BernoulliArrivals::new(mesh, Pattern::Uniform, live, probability, Key::from_seed(2));
            let (mut generated, mut messages, mut last, mut squares) = (Vec::new(), 0u64, vec![None; 72], 0.0);
            let cycles = (40_000.0 / probability / 71.0) as u64;
            for cycle in 0..cycles {
                arrivals.generate(cycle, &mut generated);
                assert!(generated.is_sorted_by(|a, b| a.0 < b.0));
                for &(from, to) in &generated {
                    assert!(from.0 != 5 && to.is_some_and(|to| to.0 != 5 && to != from));
                    messages += 1;
                    if let Some(before) = last[from.0 as usize].replace(cycle) {
                        let off = (cycle - before) as f64 * probability - 1.0;
                        squares += off * off;
                    }
                }
            }
            // The standard deviation of the number of messages is below 200. That of the mean
            // square, 1 - probability, is below 0.02.
            assert!(messages.abs_diff(40_000) < 800, "{probability}: {messages}");
            let spread = squares / messages as f64;
            assert!((spread - (1.0 - probability)).abs() < 0.08, "{probability}: {spread}");
        }
    }

    #[test]
    fn extreme_probabilities_send_every_cycle_or_never() {
        let mesh = Mesh::new(2, 2).unwrap();
        for (probability, wanted) in [(1.0, 4), (1.7, 4), (0.0, 0)] {
            let live = LiveNodes::from_flags([true; 4]);
            let mut arrivals = BernoulliArrivals::new(
                mesh,
                Pattern::Named(NamedPermutation::Complement),
                live,
                probability,
                Key::from_seed(2),
            );
            let mut generated = Vec::new();
            for cycle in 0..600 {
                arrivals.generate(cycle, &mut generated);
                assert_eq!(generated.len(), wanted);
                assert!(generated.iter().all(|&(from, to)| to == Some(NodeId(3 - from.0))));
            }
        }
    }
}
