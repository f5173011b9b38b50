//! Static routes on a butterfly: congestion of its links, and load of its rows.

use std::collections::BTreeMap;

use crate::routing::oblivious::{ButterflyRoute, NoRoute};
use crate::topology::{Butterfly, Link, NodeId};

/// Counters of the routes of a set of messages on a butterfly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ButterflyCongestion {
    butterfly: Butterfly,
    /// Messages over each link. The link `dim` of a node has number 2 * node + dim.
    congestion: Vec<u32>,
    /// Messages by way of each row.
    load: Vec<u32>,
    /// Hops of all routes.
    hops: u64,
    longest: u32,
    delivered: u32,
    undelivered: BTreeMap<&'static str, u32>,
}

impl ButterflyCongestion {
    /// Creates empty counters.
    pub fn new(butterfly: Butterfly) -> Self {
        Self {
            butterfly,
            congestion: vec![0; butterfly.links() as usize],
            load: vec![0; butterfly.rows() as usize],
            hops: 0,
            longest: 0,
            delivered: 0,
            undelivered: BTreeMap::new(),
        }
    }

    /// Adds one message's route, or counts it as undelivered.
    pub fn count(&mut self, route: &Result<ButterflyRoute, NoRoute>) {
        let route = match route {
            Ok(route) => *route,
            Err(why) => {
                *self.undelivered.entry(why.id()).or_default() += 1;
                return;
            }
        };
        self.delivered += 1;
        self.hops += u64::from(route.length(self.butterfly));
        self.longest = self.longest.max(route.length(self.butterfly));
        for link in route.links(self.butterfly) {
            if let Some(count) = self.congestion.get_mut(link_number(link)) {
                *count += 1;
            }
        }
        if let Some(load) = route.via.and_then(|via| self.load.get_mut(via as usize)) {
            *load += 1;
        }
    }

    /// Returns the butterfly.
    pub fn butterfly(&self) -> Butterfly {
        self.butterfly
    }

    /// Returns all links, with the number of messages that cross each.
    pub fn links(&self) -> impl Iterator<Item = (Link, u32)> + '_ {
        let link = |number: u64| Link { from: NodeId(number / 2), dim: (number % 2) as u8 };
        (0..).map(link).zip(self.congestion.iter().copied())
    }

    /// Returns the number of messages that cross `link`; 0 if there is no such link.
    pub fn congestion_of(&self, link: Link) -> u32 {
        self.congestion.get(link_number(link)).copied().unwrap_or(0)
    }

    /// Returns the congestion: the largest number of messages that cross one link.
    pub fn max_congestion(&self) -> u32 {
        self.congestion.iter().copied().max().unwrap_or(0)
    }

    /// Returns the first link with the most messages; `None` if no message crosses a link.
    pub fn busiest(&self) -> Option<(Link, u32)> {
        let max = self.max_congestion();
        self.links().find(|&(_, count)| count == max && max > 0)
    }

    /// Returns the number of links for each number of messages, from 0 on.
    pub fn congestion_histogram(&self) -> Vec<u32> {
        let mut histogram = vec![0; self.max_congestion() as usize + 1];
        self.congestion.iter().for_each(|&count| histogram[count as usize] += 1);
        histogram
    }

    /// Returns the largest number of messages with the same intermediate row.
    pub fn max_load(&self) -> u32 {
        self.load.iter().copied().max().unwrap_or(0)
    }

    /// Returns the number of hops of all routes together.
    pub fn hops(&self) -> u64 {
        self.hops
    }

    /// Returns the number of hops of the longest route; 0 without routes.
    pub fn max_length(&self) -> u32 {
        self.longest
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

fn link_number(link: Link) -> usize {
    (link.from.0 * 2 + u64::from(link.dim)) as usize
}
