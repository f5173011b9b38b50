//! Messages generated cycle by cycle, by default with geometric intervals.

use super::arrival_process::ArrivalTimes;
use super::pattern::uniform_positive;
use super::{ArrivalProcess, Destinations, LiveNodes, Pair, Pattern};
use crate::random::{Generator, Key};
use crate::topology::{Mesh, NodeId};

/// Number of slots of the timing wheel. Cycles that differ by a multiple of this number share a
/// slot.
const SLOTS: u64 = 256;

/// Generator of messages in discrete time: every node with a possible destination generates
/// messages by an [`ArrivalProcess`], with the same mean. By default it generates a message with
/// the same probability in each cycle, so that intervals are geometric (Boppana & Chalasani section
/// V).
///
/// All draws come from a separate generator, so the outcomes of messages have no influence on later
/// arrivals.
#[derive(Clone, Debug)]
pub struct BernoulliArrivals {
    mesh: Mesh,
    destinations: Destinations<Mesh>,
    /// Natural logarithm of the probability that a node generates nothing in a cycle.
    log_no_arrival: f64,
    /// Times of messages by another process; `None` for geometric intervals.
    times: Option<Box<ArrivalTimes>>,
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
    /// Creates the generator for `key`. Each sending node generates `mean` messages per cycle by
    /// `process`. By a Bernoulli process, values of at least 1 mean one message in every cycle.
    pub fn new(mesh: Mesh, pattern: Pattern, live: LiveNodes, process: ArrivalProcess, mean: f64, key: Key) -> Self {
        let words = mesh.nodes().div_ceil(64) as usize;
        let mut arrivals = Self {
            mesh,
            destinations: Destinations::new(mesh, pattern, live, key),
            log_no_arrival: if mean < 1.0 { libm::log1p(-mean) } else { f64::NEG_INFINITY },
            times: ArrivalTimes::new(process, mean, mesh.nodes() as usize).map(Box::new),
            wheel: vec![0; words * SLOTS as usize],
            words,
            next: vec![u64::MAX; mesh.nodes() as usize],
            preset: Vec::new(),
            generator: key.generator(),
        };
        if mean > 0.0 {
            for node in mesh.iter_nodes() {
                if arrivals.destinations.exists_for(node) {
                    let first = match &mut arrivals.times {
                        None => arrivals.interval() - 1,
                        Some(times) => times.first(node.0 as usize, &mut arrivals.generator),
                    };
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
                    match self.times {
                        None => arrivals.push(self.new_message(node, cycle)),
                        Some(_) => self.generate_at(node, cycle, arrivals),
                    }
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

    /// Adds the messages of a node in `cycle`, by a process with its own times.
    #[cold]
    fn generate_at(&mut self, node: usize, cycle: u64, arrivals: &mut Vec<(NodeId, Option<NodeId>)>) {
        let Some(times) = &mut self.times else { return };
        let (count, next) = times.next(node, cycle, &mut self.generator);
        self.schedule(node, next);
        let from = NodeId(node as u64);
        for _ in 0..count {
            let to = self.destinations.draw(from, &mut self.generator);
            arrivals.push((from, to.filter(|&to| self.live().contains(to))));
        }
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
        let times = self.times.as_ref().map_or(0, |times| times.footprint());
        8 * (self.wheel.capacity() + self.next.capacity()) + self.destinations.footprint() + times
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::NamedPermutation;

    fn arrivals(mesh: Mesh, live: LiveNodes, process: ArrivalProcess, mean: f64) -> BernoulliArrivals {
        BernoulliArrivals::new(mesh, Pattern::Uniform, live, process, mean, Key::from_seed(2))
    }

    /// Returns the number of messages of each node of a 16 x 16 mesh in each of `windows` windows.
    fn counts(process: ArrivalProcess, mean: f64, window: u64, windows: u64) -> Vec<Vec<f64>> {
        let mesh = Mesh::new(16, 16).unwrap();
        let mut arrivals = arrivals(mesh, LiveNodes::from_flags([true; 256]), process, mean);
        let mut generated = Vec::new();
        let mut count = |number: u64| {
            let mut counts = vec![0.0; 256];
            for cycle in number * window..(number + 1) * window {
                arrivals.generate(cycle, &mut generated);
                assert!(generated.is_sorted_by_key(|message| message.0));
                generated.iter().for_each(|(from, _)| counts[from.0 as usize] += 1.0);
            }
            counts
        };
        (0..windows).map(&mut count).collect()
    }

    /// Returns the mean of a node's messages per cycle with its standard error, and the variance of
    /// its messages in a window over their mean. Nodes are independent.
    fn moments(counts: &[Vec<f64>], window: u64) -> (f64, f64, f64) {
        let nodes = counts[0].len() as f64;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let of_node = |node: usize| mean(&counts.iter().map(|of_window| of_window[node]).collect::<Vec<_>>());
        let means: Vec<_> = (0..counts[0].len()).map(of_node).collect();
        let all = mean(&means);
        let error = (means.iter().map(|one| (one - all) * (one - all)).sum::<f64>() / (nodes - 1.0) / nodes).sqrt();
        let squares: Vec<_> = counts.iter().flatten().map(|count| (count - all) * (count - all)).collect();
        (all / window as f64, error / window as f64, mean(&squares) / all)
    }

    /// The mean is that of the load under every process; the variance over the mean of the number
    /// of messages in a long window is the index of dispersion.
    #[test]
    fn counts_have_the_mean_and_the_dispersion_of_their_process() {
        let bursts = |on, off| ArrivalProcess::Bursts { on, off };
        for (process, mean) in [
            (ArrivalProcess::Bernoulli, 0.3),
            (ArrivalProcess::Poisson, 0.3),
            (ArrivalProcess::Poisson, 2.5),
            (bursts(10.0, 30.0), 0.2),
            (bursts(20.0, 20.0), 0.02),
            // A share of 1 of the cycles of a burst.
            (bursts(5.0, 15.0), 0.25),
            (bursts(1.0, 1.0), 0.4),
        ] {
            // Windows of 50 correlation times, and at least 200 cycles.
            let window = 200.max((50.0 * process.correlation_cycles()) as u64);
            let (found, error, spread) = moments(&counts(process, mean, window, 40), window);
            assert!((found - mean).abs() < 4.0 * error, "{process}: {found} is not {mean} +- {error}");
            // A variance from 10,240 nearly normal counts has a standard error of 1.4%.
            // Correlations across the ends of a window make it smaller by about 1/50.
            let expected = process.index_of_dispersion(mean);
            assert!((spread / expected - 1.0).abs() < 0.08, "{process}: {spread}, not {expected}");
        }
    }

    /// Poisson counts of single cycles have probabilities e^-m m^k / k!.
    #[test]
    fn poisson_cycles_have_poisson_counts() {
        let mean: f64 = 1.5;
        let counts = counts(ArrivalProcess::Poisson, mean, 1, 200);
        let all = (256 * 200) as f64;
        let mut expected = libm::exp(-mean);
        for number in 0..6 {
            let share = counts.iter().flatten().filter(|&&count| count == f64::from(number)).count() as f64 / all;
            let error = (expected * (1.0 - expected) / all).sqrt();
            assert!((share - expected).abs() < 4.0 * error, "{number}: {share}, not {expected}");
            expected *= mean / f64::from(number + 1);
        }
    }

    /// In T cycles a node generates floor(m T) or one message more, whatever the interval.
    #[test]
    fn periodic_counts_are_exact() {
        for mean in [0.013, 0.3, 1.0, 2.7] {
            let counts = counts(ArrivalProcess::Periodic, mean, 3_000, 3);
            for count in counts.iter().flatten() {
                assert!((count - mean * 3_000.0).abs() <= 1.0, "{mean}: {count}");
            }
            // Phases are uniform, so the mean over nodes is within 4 standard errors of the mean.
            let (found, ..) = moments(&counts[..1], 3_000);
            assert!((found - mean).abs() * 3_000.0 < 4.0 * 0.5 / 16.0 + 1e-9, "{mean}: {found}");
        }
    }

    /// Bursts whose messages come every cycle show their lengths.
    #[test]
    fn bursts_and_pauses_have_their_mean_lengths() {
        let counts = counts(ArrivalProcess::Bursts { on: 8.0, off: 24.0 }, 0.25, 1, 20_000);
        let (mut bursts, mut cycles) = (0.0, 0.0);
        for node in 0..256 {
            for pair in counts.windows(2) {
                bursts += f64::from(u8::from(pair[0][node] == 0.0 && pair[1][node] == 1.0));
            }
            cycles += counts.iter().map(|of_cycle| of_cycle[node]).sum::<f64>();
        }
        // 160,000 bursts: the relative standard error of their mean length is 0.25%.
        assert!((cycles / bursts - 8.0).abs() < 0.1, "{}", cycles / bursts);
        assert!((256.0 * 20_000.0 / bursts - 32.0).abs() < 0.4, "{bursts}");
    }

    #[test]
    fn intervals_are_geometric() {
        let mesh = Mesh::new(8, 9).unwrap();
        for probability in [0.5, 0.02, 0.001] {
            let live = LiveNodes::from_flags(mesh.iter_nodes().map(|node| node.0 != 5));
            let mut arrivals = arrivals(mesh, live, ArrivalProcess::Bernoulli, probability);
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
                ArrivalProcess::Bernoulli,
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
