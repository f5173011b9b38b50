//! Static paths: congestion of the routes of a whole permutation or h-relation, without time.

use std::collections::BTreeMap;

use crate::random::Key;
use crate::routing::oblivious::{NoRoute, ObliviousRoute, ObliviousRouting};
use crate::topology::{Hypercube, Link, NodeId};
use crate::traffic::HRelation;

/// Counters of the routes of a set of messages: congestion, load and lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticCongestion {
    cube: Hypercube,
    congestion: Vec<u32>,
    load: Vec<u32>,
    lengths: [u32; 64],
    undelivered: BTreeMap<&'static str, u32>,
    delivered: u32,
}

/// Congestion of the channels of one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassCongestion {
    /// Number of channels.
    pub channels: u32,
    /// Total number of messages that cross the channels.
    pub total: u64,
    /// Largest number of messages that cross one of the channels.
    pub max: u32,
}

impl ClassCongestion {
    /// Returns the mean number of messages per channel; 0 without channels.
    pub fn mean(&self) -> f64 {
        self.total as f64 / f64::from(self.channels.max(1))
    }
}

/// Returns the route of message `number` of `relation`.
///
/// The random generator of the message is derived from `key` and `number`.
///
/// # Errors
/// If the message has no route.
#[inline]
pub fn relation_route(
    routing: &dyn ObliviousRouting,
    relation: &HRelation,
    number: u32,
    key: Key,
) -> Result<ObliviousRoute, NoRoute> {
    let (from, to) = relation.ends(number);
    routing.send(from, relation.via(number), to, &mut key.child(u64::from(number)).generator())
}

impl StaticCongestion {
    /// Largest dimension of the cube: 20 times 2^20 counters.
    pub const MAX_DIMENSION: u8 = 20;

    /// Creates empty counters; `None` above [`StaticCongestion::MAX_DIMENSION`].
    pub fn new(cube: Hypercube) -> Option<Self> {
        let nodes = (cube.dimension() <= Self::MAX_DIMENSION).then_some(cube.mask() as usize + 1)?;
        Some(Self {
            cube,
            congestion: vec![0; nodes * usize::from(cube.dimension())],
            load: vec![0; nodes],
            lengths: [0; 64],
            undelivered: BTreeMap::new(),
            delivered: 0,
        })
    }

    /// Counts all messages of `relation`, each routed by [`relation_route`].
    ///
    /// `None` above [`StaticCongestion::MAX_DIMENSION`]. Cost: a route for each message.
    pub fn from_relation(routing: &dyn ObliviousRouting, relation: &HRelation, key: Key) -> Option<Self> {
        let mut paths = Self::new(routing.cube())?;
        for number in 0..relation.len() {
            paths.count(&relation_route(routing, relation, number, key));
        }
        Some(paths)
    }

    /// Adds one message's route, or counts it as undelivered.
    #[inline]
    pub fn count(&mut self, route: &Result<ObliviousRoute, NoRoute>) {
        let route = match route {
            Ok(route) => route,
            Err(why) => {
                *self.undelivered.entry(why.id()).or_default() += 1;
                return;
            }
        };
        self.delivered += 1;
        let n = usize::from(self.cube.dimension());
        for hop in route.hops() {
            if let Some(count) = self.congestion.get_mut(hop.link.from.0 as usize * n + usize::from(hop.link.dim)) {
                *count += 1;
            }
        }
        if let Some(load) = route.via().and_then(|via| self.load.get_mut(via.0 as usize)) {
            *load += 1;
        }
        if let Some(count) = self.lengths.get_mut(route.length() as usize) {
            *count += 1;
        }
    }

    /// Returns the cube.
    pub fn cube(&self) -> Hypercube {
        self.cube
    }

    /// Returns the number of messages that cross each channel.
    ///
    /// The channel from `node` across `dim` has index `node * n + dim`.
    pub fn congestion(&self) -> &[u32] {
        &self.congestion
    }

    /// Returns the number of messages that cross `link`; 0 if the cube does not have the link.
    pub fn congestion_of(&self, link: Link) -> u32 {
        let n = u64::from(self.cube.dimension());
        let exists = self.cube.contains(link.from) && u64::from(link.dim) < n;
        let place = (link.from.0 * n + u64::from(link.dim)) as usize;
        self.congestion.get(place).map_or(0, |&count| if exists { count } else { 0 })
    }

    /// Returns all channels, with the number of messages that cross each.
    pub fn channels(&self) -> impl Iterator<Item = (Link, u32)> + '_ {
        let dims = self.congestion.chunks_exact(usize::from(self.cube.dimension()));
        (0..).zip(dims).flat_map(|(node, counts)| {
            (0..).zip(counts).map(move |(dim, &count)| (Link { from: NodeId(node), dim }, count))
        })
    }

    /// Returns the congestion: the largest number of messages that cross one channel.
    pub fn max_congestion(&self) -> u32 {
        self.congestion.iter().copied().max().unwrap_or(0)
    }

    /// Returns the first channel with the most messages; `None` if no message crosses a channel.
    pub fn busiest(&self) -> Option<(Link, u32)> {
        let max = self.max_congestion();
        self.channels().find(|&(_, count)| count == max && max > 0)
    }

    /// Returns the congestion of each class of channels. Channels for which `class_of` is `None`
    /// are ignored.
    pub fn by_class<C: Ord>(&self, class_of: impl Fn(Link) -> Option<C>) -> BTreeMap<C, ClassCongestion> {
        let mut classes = BTreeMap::new();
        for (link, count) in self.channels() {
            let Some(class) = class_of(link) else { continue };
            let all = classes.entry(class).or_insert(ClassCongestion { channels: 0, total: 0, max: 0 });
            all.channels += 1;
            all.total += u64::from(count);
            all.max = all.max.max(count);
        }
        classes
    }

    /// Returns the number of channels for each number of messages, from 0 on.
    pub fn congestion_histogram(&self) -> Vec<u32> {
        let mut histogram = vec![0; self.max_congestion() as usize + 1];
        self.congestion.iter().for_each(|&count| histogram[count as usize] += 1);
        histogram
    }

    /// Returns the load of every node: the number of messages with that intermediate node.
    pub fn load(&self) -> &[u32] {
        &self.load
    }

    /// Returns the largest load.
    pub fn max_load(&self) -> u32 {
        self.load.iter().copied().max().unwrap_or(0)
    }

    /// Returns the number of routes of each length, from 0 to the longest.
    pub fn lengths(&self) -> &[u32] {
        let longest = self.lengths.iter().rposition(|&count| count > 0);
        &self.lengths[..longest.map_or(0, |length| length + 1)]
    }

    /// Returns the mean length of the routes, in hops; `None` if there is no route.
    pub fn mean_length(&self) -> Option<f64> {
        let hops: u64 = (0..).zip(&self.lengths).map(|(length, &count)| length * u64::from(count)).sum();
        (self.delivered > 0).then(|| hops as f64 / f64::from(self.delivered))
    }

    /// Returns the length of the longest route, in hops; `None` if there is no route.
    pub fn max_length(&self) -> Option<u32> {
        (self.lengths().len() as u32).checked_sub(1)
    }

    /// Returns the number of messages that have a route.
    pub fn delivered(&self) -> u32 {
        self.delivered
    }

    /// Returns the number of messages without a route, by the name of the reason ([`NoRoute::id`]).
    pub fn undelivered(&self) -> &BTreeMap<&'static str, u32> {
        &self.undelivered
    }
}
