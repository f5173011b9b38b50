//! Reachability of destinations among faults, which are known to every node (section IV).

use std::sync::{Arc, OnceLock};

use crate::fault::Faults;
use crate::routing::{CircuitRouting, Header, Links, Position};
use crate::topology::{Hypercube, Link, NodeId, set_dimensions};

/// A lazily computed table of the reachable destinations of each node and header.
///
/// An entry is set if the routing permits a path of live links from the node to the destination.
/// Rows are computed for a destination on first use, and copies share them.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    routing: CircuitRouting,
    dims: u8,
    known: Arc<ReachTable>,
}

#[derive(Debug)]
struct ReachTable {
    live: Vec<bool>,
    /// Mask of the dimensions of the usable links out of each node.
    open: Vec<u16>,
    /// Row of each destination: one bit for each header and node.
    rows: Vec<OnceLock<Box<[u64]>>>,
}

impl Reach {
    /// Creates the table by querying every node and link of `cube`; `None` if there are no faults.
    ///
    /// Cost: a step for each link, and 2^n steps and bits per header on the first query of a
    /// destination.
    pub(super) fn new(cube: Hypercube, routing: &CircuitRouting, faults: &mut impl Faults) -> Option<Self> {
        let live: Vec<bool> = (0..=cube.mask()).map(|node| !faults.is_faulty(NodeId(node))).collect();
        let mut mask = |node: u64| {
            let usable = |dim: &u8| {
                let link = Link { from: NodeId(node), dim: *dim };
                live[node as usize] && live[link.end().0 as usize] && !faults.is_link_faulty(link)
            };
            (0..cube.dimension()).filter(usable).fold(0u16, |mask, dim| mask | 1 << dim)
        };
        let open: Vec<u16> = (0..=cube.mask()).map(&mut mask).collect();
        if open.iter().all(|&mask| u64::from(mask) == u64::from(u16::MAX) & ((1 << cube.dimension()) - 1)) {
            return None;
        }
        let rows = live.iter().map(|_| OnceLock::new()).collect();
        Some(Self {
            routing: routing.clone(),
            dims: cube.dimension(),
            known: Arc::new(ReachTable { live, open, rows }),
        })
    }

    /// Returns the row of destination `to`, computing it on first use.
    fn row(&self, to: NodeId) -> &[u64] {
        self.known.rows[to.0 as usize].get_or_init(|| self.compute_row(to))
    }

    /// Computes the row of destination `to`. A faulty destination has no bits set.
    fn compute_row(&self, to: NodeId) -> Box<[u64]> {
        let states = usize::from(self.routing.headers()) << self.dims;
        let mut row = vec![0; states.div_ceil(64)].into_boxed_slice();
        if !self.known.live[to.0 as usize] {
            return row;
        }
        // A hop clears a bit of `wrong`, so it leads to a smaller number, whose bits are already
        // computed.
        for wrong in 0..1 << self.dims {
            for header in (0..self.routing.headers()).map(Header) {
                let at = Position { here: NodeId(to.0 ^ wrong), wrong, header };
                if wrong == 0 || self.usable_in_row(&row, at) != 0 {
                    let bit = self.bit(at);
                    row[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
        row
    }

    fn bit(&self, at: Position) -> usize {
        usize::from(at.header.0) << self.dims | at.here.0 as usize
    }

    /// Returns whether a message at `at` can reach its destination.
    pub(super) fn reaches(&self, at: Position) -> bool {
        self.reaches_in_row(self.row(NodeId(at.here.0 ^ at.wrong)), at)
    }

    fn reaches_in_row(&self, row: &[u64], at: Position) -> bool {
        let bit = self.bit(at);
        row[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Returns the mask of the dimensions of the usable links out of `node`.
    pub(super) fn open(&self, node: NodeId) -> u64 {
        u64::from(self.known.open[node.0 as usize])
    }

    /// Returns whether the link out of `node` across `dim` and both its nodes are live.
    pub(super) fn is_open(&self, node: u16, dim: u8) -> bool {
        self.known.open[usize::from(node)] >> dim & 1 == 1
    }

    /// Returns the mask of the legal dimensions at `at` that can reach the destination. `at.wrong`
    /// must not be 0.
    pub(super) fn usable(&self, at: Position) -> u64 {
        self.usable_in_row(self.row(NodeId(at.here.0 ^ at.wrong)), at)
    }

    fn usable_in_row(&self, row: &[u64], at: Position) -> u64 {
        let links = Links { all: (1 << self.dims) - 1, live: self.open(at.here) };
        let leads = |&dim: &u8| {
            let hop = 1 << dim;
            let header = self.routing.header_after(at, links, dim);
            self.reaches_in_row(row, Position { here: NodeId(at.here.0 ^ hop), wrong: at.wrong ^ hop, header })
        };
        self.routing.legal(at, links, |legal| {
            set_dimensions(legal & links.live).filter(leads).fold(0, |mask, dim| mask | 1 << dim)
        })
    }
}
