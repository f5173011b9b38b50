//! From where a destination can still be reached among faults: what every node knows (section IV).

use crate::fault::Faults;
use crate::routing::{CircuitRouting, Header, Links, Position};
use crate::topology::{Hypercube, Link, NodeId, dimensions_of};

/// For every header, destination and node: whether a message can get from the node to the destination over live links
/// by the routing.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    routing: CircuitRouting,
    dims: u8,
    /// For every node, the dimensions of the links that can be used out of it.
    open: Vec<u16>,
    /// One bit for each header, destination and node.
    bits: Vec<u64>,
}

impl Reach {
    /// Asks `faults` about every node and link of `cube`; `None` if there are no faults. Cost: 4^n steps and bits for
    /// each header.
    pub(super) fn new(cube: Hypercube, routing: &CircuitRouting, faults: &mut impl Faults) -> Option<Self> {
        let live: Vec<bool> = (0..=cube.mask()).map(|node| !faults.is_faulty(NodeId(node))).collect();
        let mut mask = |node: u64| {
            let usable = |dim: &u8| {
                let link = Link { from: NodeId(node), dim: *dim };
                live[node as usize] && live[link.to().0 as usize] && !faults.is_link_faulty(link)
            };
            (0..cube.dimension()).filter(usable).fold(0u16, |mask, dim| mask | 1 << dim)
        };
        let open: Vec<u16> = (0..=cube.mask()).map(&mut mask).collect();
        if open.iter().all(|&mask| u64::from(mask) == u64::from(u16::MAX) & ((1 << cube.dimension()) - 1)) {
            return None;
        }
        let states = usize::from(routing.headers()) << (2 * cube.dimension());
        let bits = vec![0; states.div_ceil(64)];
        let mut reach = Self { routing: routing.clone(), dims: cube.dimension(), open, bits };
        reach.fill(&live);
        Some(reach)
    }

    fn fill(&mut self, live: &[bool]) {
        for to in (0..live.len() as u64).filter(|&to| live[to as usize]) {
            // A hop clears a bit of what is wrong: it leads to a smaller number.
            for wrong in 0..live.len() as u64 {
                for header in (0..self.routing.headers()).map(Header) {
                    let at = Position { here: NodeId(to ^ wrong), wrong, header };
                    if wrong == 0 || self.usable(at) != 0 {
                        let bit = self.bit(at);
                        self.bits[bit / 64] |= 1 << (bit % 64);
                    }
                }
            }
        }
    }

    fn bit(&self, at: Position) -> usize {
        let to = at.here.0 ^ at.wrong;
        ((usize::from(at.header.0) << self.dims | to as usize) << self.dims) | at.here.0 as usize
    }

    /// Whether a message at `at` can get to its destination.
    pub(super) fn reaches(&self, at: Position) -> bool {
        let bit = self.bit(at);
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The dimensions of the links out of `node` that can be used, as a mask.
    pub(super) fn open(&self, node: NodeId) -> u64 {
        u64::from(self.open[node.0 as usize])
    }

    /// Whether the link out of `node` across `dim` and both its nodes are live.
    pub(super) fn is_open(&self, node: u16, dim: u8) -> bool {
        self.open[usize::from(node)] >> dim & 1 == 1
    }

    /// The legal dimensions at `at` from which the destination can be reached, as a mask; what is wrong is not 0.
    pub(super) fn usable(&self, at: Position) -> u64 {
        let links = Links { all: (1 << self.dims) - 1, live: self.open(at.here) };
        let leads = |&dim: &u8| {
            let hop = 1 << dim;
            let header = self.routing.header_after(at, links, dim);
            self.reaches(Position { here: NodeId(at.here.0 ^ hop), wrong: at.wrong ^ hop, header })
        };
        self.routing.legal(at, links, |legal| {
            dimensions_of(legal & links.live).filter(leads).fold(0, |mask, dim| mask | 1 << dim)
        })
    }
}
