//! Static paths: the routes of a whole permutation or h-relation laid over each other and counted, without time.

use std::collections::BTreeMap;

use crate::random::Key;
use crate::routing::oblivious::{NoRoute, ObliviousRoute, ObliviousRouting};
use crate::topology::{Hypercube, Link, NodeId};
use crate::traffic::Relation;

/// What the routes of a set of messages add up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticPaths {
    cube: Hypercube,
    congestion: Vec<u32>,
    load: Vec<u32>,
    lengths: [u32; 64],
    undelivered: BTreeMap<&'static str, u32>,
    delivered: u32,
}

/// The channels of one class, that is of one kind of use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassCongestion {
    /// The number of channels.
    pub channels: u32,
    /// The messages that cross them, together.
    pub total: u64,
    /// The most messages that cross one of them.
    pub max: u32,
}

impl ClassCongestion {
    /// The mean number of messages for each channel; 0 without channels.
    pub fn mean(&self) -> f64 {
        self.total as f64 / f64::from(self.channels.max(1))
    }
}

/// The route of message `number` of `relation`, by its own generator: the child of `key` with its number.
///
/// # Errors
/// Why there is none.
#[inline]
pub fn relation_route(
    routing: &dyn ObliviousRouting,
    relation: &Relation,
    number: u32,
    key: Key,
) -> Result<ObliviousRoute, NoRoute> {
    let (from, to) = relation.ends(number);
    routing.send(from, relation.via(number), to, &mut key.child(u64::from(number)).generator())
}

impl StaticPaths {
    /// The largest cube: 20 times 2^20 counters.
    pub const MAX_DIMENSION: u8 = 20;

    /// Nothing yet; `None` above [`StaticPaths::MAX_DIMENSION`].
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

    /// All messages of `relation`, each routed as [`relation_route`] says. `None` above
    /// [`StaticPaths::MAX_DIMENSION`]. Cost: a route for each message.
    pub fn of(routing: &dyn ObliviousRouting, relation: &Relation, key: Key) -> Option<Self> {
        let mut paths = Self::new(routing.cube())?;
        for number in 0..relation.len() {
            paths.count(&relation_route(routing, relation, number, key));
        }
        Some(paths)
    }

    /// Adds one message's route, or that it has none.
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

    /// The cube.
    pub fn cube(&self) -> Hypercube {
        self.cube
    }

    /// The number of messages that cross each channel; that from `node` across `dim` is number node * n + dim.
    pub fn congestion(&self) -> &[u32] {
        &self.congestion
    }

    /// The number of messages that cross `link`; 0 if the cube does not have it.
    pub fn congestion_of(&self, link: Link) -> u32 {
        let n = u64::from(self.cube.dimension());
        let exists = self.cube.contains(link.from) && u64::from(link.dim) < n;
        let place = (link.from.0 * n + u64::from(link.dim)) as usize;
        self.congestion.get(place).map_or(0, |&count| if exists { count } else { 0 })
    }

    /// All channels, with the number of messages that cross them.
    pub fn channels(&self) -> impl Iterator<Item = (Link, u32)> + '_ {
        let dims = self.congestion.chunks_exact(usize::from(self.cube.dimension()));
        (0..).zip(dims).flat_map(|(node, counts)| {
            (0..).zip(counts).map(move |(dim, &count)| (Link { from: NodeId(node), dim }, count))
        })
    }

    /// The congestion: the most messages that cross one channel.
    pub fn max_congestion(&self) -> u32 {
        self.congestion.iter().copied().max().unwrap_or(0)
    }

    /// A channel that the most messages cross, the first of them; `None` if none crosses any.
    pub fn busiest(&self) -> Option<(Link, u32)> {
        let max = self.max_congestion();
        self.channels().find(|&(_, count)| count == max && max > 0)
    }

    /// The channels of each class, as `class_of` tells it; those without a class are left out.
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

    /// For every number of messages, from 0 on, the channels that so many cross.
    pub fn congestion_histogram(&self) -> Vec<u32> {
        let mut histogram = vec![0; self.max_congestion() as usize + 1];
        self.congestion.iter().for_each(|&count| histogram[count as usize] += 1);
        histogram
    }

    /// For every node, its load: the messages whose intermediate node it is.
    pub fn load(&self) -> &[u32] {
        &self.load
    }

    /// The largest load.
    pub fn max_load(&self) -> u32 {
        self.load.iter().copied().max().unwrap_or(0)
    }

    /// For every length from 0 on, up to the longest, the number of routes.
    pub fn lengths(&self) -> &[u32] {
        let longest = self.lengths.iter().rposition(|&count| count > 0);
        &self.lengths[..longest.map_or(0, |length| length + 1)]
    }

    /// The mean length of the routes, in hops; `None` if there is no route.
    pub fn mean_length(&self) -> Option<f64> {
        let hops: u64 = (0..).zip(&self.lengths).map(|(length, &count)| length * u64::from(count)).sum();
        (self.delivered > 0).then(|| hops as f64 / f64::from(self.delivered))
    }

    /// The length of the longest route, in hops; `None` if there is no route.
    pub fn max_length(&self) -> Option<u32> {
        (self.lengths().len() as u32).checked_sub(1)
    }

    /// The number of messages that have a route.
    pub fn delivered(&self) -> u32 {
        self.delivered
    }

    /// The number of messages that have none, by the reason's name, see [`NoRoute::id`].
    pub fn undelivered(&self) -> &BTreeMap<&'static str, u32> {
        &self.undelivered
    }
}
