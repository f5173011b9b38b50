//! Message generation in continuous time: time, source, destination and transmission time.

use super::pattern::uniform_positive;
use super::{AddressPermutations, Destinations, LiveNodes, Pattern};
use crate::random::{Generator, Key, below};
use crate::topology::{Hypercube, NodeId};

/// Newly generated message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival {
    /// Generation time, in mean transmission times from the start.
    pub time: f64,
    /// Source, a live node.
    pub source: NodeId,
    /// Destination, a different node, which may be faulty.
    pub destination: NodeId,
    /// Transmission time once the circuit is complete: exponential, mean 1.
    pub duration: f64,
}

/// Generator of messages: every node with a possible destination runs a Poisson process of the same
/// rate (Chiu, Chalasani & Raghavendra section V).
///
/// The superposition of all processes is simulated: exponential intervals at the sum of the rates,
/// and a uniform source. All draws come from a separate generator, so the outcomes of messages have
/// no influence on later arrivals.
#[derive(Clone, Debug)]
pub struct PoissonArrivals<N = Hypercube> {
    destinations: Destinations<N>,
    senders: Vec<u16>,
    /// Messages per sending node and mean transmission time.
    rate: f64,
    /// Mean time between two messages of the network; infinite if no node generates messages.
    interval: f64,
    /// Time from which the draw for the next message counts.
    since: f64,
    /// Time from `since` to the next message, as a multiple of the mean.
    draw: f64,
    next: f64,
    generator: Generator,
}

impl<N: AddressPermutations> PoissonArrivals<N> {
    /// Creates the generator for `key`. Each sending node generates `rate` messages (finite, not
    /// negative) per mean transmission time. Nodes with numbers above 65535 generate none.
    pub fn new(network: N, pattern: Pattern, live: LiveNodes, rate: f64, key: Key) -> Self {
        let destinations = Destinations::new(network, pattern, live, key);
        let senders = senders(&destinations);
        let interval = interval(rate, &senders);
        let generator = key.generator();
        let mut arrivals = Self { destinations, senders, rate, interval, since: 0.0, draw: 0.0, next: 0.0, generator };
        arrivals.set_next();
        arrivals
    }

    /// Replaces the live nodes at time `now`, which is at most that of the next message. The sum of
    /// the processes of the remaining nodes continues; at time 0 it is that of a new generator.
    pub(crate) fn set_live(&mut self, live: LiveNodes, now: f64) {
        self.destinations.set_live(live);
        let senders = senders(&self.destinations);
        if senders == self.senders {
            return;
        }
        if self.interval < f64::INFINITY {
            // The rest of an exponential time is exponential.
            self.draw -= (now - self.since) / self.interval;
        }
        self.since = now;
        self.senders = senders;
        self.interval = interval(self.rate, &self.senders);
        let continues = self.interval < f64::INFINITY;
        self.next = if continues { (self.since + self.draw * self.interval).max(now) } else { f64::INFINITY };
    }

    /// Returns the time of the next message; infinite if there is no further message.
    #[inline(always)]
    pub fn next_time(&self) -> f64 {
        self.next
    }

    /// Returns the live nodes.
    pub fn live(&self) -> &LiveNodes {
        self.destinations.live()
    }

    /// Returns the number of nodes that generate messages.
    pub fn senders(&self) -> u64 {
        self.senders.len() as u64
    }

    /// Returns the next message; `None` if no node generates messages.
    #[inline]
    pub fn generate(&mut self) -> Option<Arrival> {
        let time = self.next;
        let rank = below(&mut self.generator, self.senders.len() as u32);
        let from = NodeId(u64::from(*self.senders.get(rank as usize)?));
        let to = self.destinations.draw(from, &mut self.generator)?;
        let duration = exponential(&mut self.generator);
        self.set_next();
        Some(Arrival { time, source: from, destination: to, duration })
    }

    #[inline]
    fn set_next(&mut self) {
        if self.interval < f64::INFINITY {
            self.since = self.next;
            self.draw = exponential(&mut self.generator);
            self.next = self.since + self.draw * self.interval;
        } else {
            self.next = f64::INFINITY;
        }
    }
}

/// Returns the nodes that generate messages.
fn senders<N: AddressPermutations>(destinations: &Destinations<N>) -> Vec<u16> {
    let sends = |&node: &NodeId| destinations.exists_for(node);
    destinations.live().iter().filter(sends).filter_map(|node| node.0.try_into().ok()).collect()
}

/// Returns the mean time between two messages; infinite if there are none.
fn interval(rate: f64, senders: &[u16]) -> f64 {
    let total = rate * senders.len() as f64;
    if total > 0.0 { 1.0 / total } else { f64::INFINITY }
}

/// Draws an exponential number of mean 1, with identical bits on every target.
#[inline]
pub(crate) fn exponential(generator: &mut Generator) -> f64 {
    -libm::log(uniform_positive(generator))
}
