//! Exact search for the least dilation of an embedding with a given load.

use super::distances_to;
use crate::fault::FaultyNodes;
use crate::topology::NodeId;

/// Returns the least dilation of all maps of the healthy cube to the live nodes with at most `load`
/// nodes on each, by search over all maps.
///
/// `None` if the search takes more than `steps` placements, and if there is no such map. Cost: at
/// most `steps` placements, each of at most n 2^n steps; 2^n searches of shortest paths.
pub fn least_dilation(faulty: &FaultyNodes, load: u32, steps: u64) -> Option<u32> {
    let nodes = 1usize << faulty.cube().dimension();
    let distances: Vec<_> = (0..nodes as u64).map(|node| distances_to(faulty, NodeId(node))).collect();
    let largest = distances.iter().flatten().flatten().max().copied()?;
    let mut search = Search { distances, load, hosts: Vec::with_capacity(nodes), counts: vec![0; nodes], steps };
    for dilation in 0..=largest {
        match search.place_rest(dilation) {
            Some(true) => return Some(dilation),
            Some(false) => {}
            None => return None,
        }
    }
    None
}

/// Partial map: the hosts of the nodes below some number.
struct Search {
    /// Hops from a node (inner index) to a node (outer index).
    distances: Vec<Vec<Option<u32>>>,
    load: u32,
    hosts: Vec<usize>,
    /// Number of nodes on each host.
    counts: Vec<u32>,
    /// Placements that are left.
    steps: u64,
}

impl Search {
    /// Returns whether the partial map can be completed; `None` if no steps are left. The map is
    /// complete in the first case, and otherwise unchanged.
    fn place_rest(&mut self, dilation: u32) -> Option<bool> {
        let guest = self.hosts.len();
        if guest == self.counts.len() {
            return Some(true);
        }
        for host in 0..self.counts.len() {
            // Only live nodes are at distance 0 from themselves.
            let free = self.counts[host] < self.load && self.distances[host][host].is_some();
            if !free || !self.is_near(guest, host, dilation) {
                continue;
            }
            self.steps = self.steps.checked_sub(1)?;
            self.hosts.push(host);
            self.counts[host] += 1;
            if self.place_rest(dilation)? {
                return Some(true);
            }
            self.hosts.pop();
            self.counts[host] -= 1;
        }
        Some(false)
    }

    /// Returns whether `host` is within `dilation` hops, in both directions, of the hosts of all
    /// earlier neighbours of `guest`.
    fn is_near(&self, guest: usize, host: usize, dilation: u32) -> bool {
        let near = |from: usize, to: usize| self.distances[to][from].is_some_and(|hops| hops <= dilation);
        let earlier = (0..guest.count_ones()).scan(guest, |rest, _| {
            let bit = *rest & rest.wrapping_neg();
            *rest ^= bit;
            Some(guest ^ bit)
        });
        earlier.map(|other| self.hosts[other]).all(|other| near(other, host) && near(host, other))
    }
}
