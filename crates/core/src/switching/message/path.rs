//! Shortest live paths between two nodes: routes under complete knowledge of the faults.

use crate::fault::{FaultSampler, Faults};
use crate::routing::SHORTEST_LIVE_PATH;
use crate::switching::Hop;
use crate::topology::{Hypercube, Link, NodeId, set_dimensions};
use crate::traffic::Pair;

/// Number of nodes that one search expands before the other search continues.
const NODES_PER_TURN: u32 = 64;

/// Marker in [`PathSearch::via_dimension`] of a node that the search has not reached.
const UNREACHED: u8 = u8::MAX;

/// A reusable bidirectional search for shortest live paths: one search from each end, in turns.
///
/// The search ends when one side reaches its goal or has no nodes left. Each side is an A* search
/// with the Hamming distance as its estimate. A search from the source alone would expand the whole
/// cube if faults surround the destination. The search from the destination then ends at once.
#[derive(Clone, Debug, Default)]
pub struct PathFinder {
    searches: [PathSearch; 2],
}

/// An A* search whose priority queue consists of stacks.
///
/// A forward hop does not change (hops made) + (distance left), and a backward hop adds 2. The top
/// of `forward_stack` is therefore always a node that may lie on a shortest path.
#[derive(Clone, Debug, Default)]
struct PathSearch {
    goal: u64,
    /// True if the search starts at the destination and follows links against their direction.
    backward: bool,
    /// Dimension across which each node was first reached, which is the last hop of a shortest path
    /// to it.
    via_dimension: Vec<u8>,
    /// Nodes reached, whose entries of `via_dimension` are reset for the next search.
    reached_nodes: Vec<u64>,
    /// Nodes whose forward hops have not been tried.
    forward_stack: Vec<u64>,
    /// Nodes whose backward hops belong to the current path length.
    backward_stack: Vec<u64>,
    /// Nodes whose backward hops belong to the next path length.
    next_backward_stack: Vec<u64>,
}

impl PathFinder {
    /// Largest dimension accepted: each search keeps a byte for each of the 2^n nodes.
    pub const MAX_DIMENSION: u8 = 20;

    /// Returns the hops of a shortest live path, or `None` if the ends are not connected.
    ///
    /// Equal arguments always give the same path.
    ///
    /// Cost: a few hundred status queries if a minimal path is live, n 2^n at most.
    pub fn find(&mut self, cube: Hypercube, faults: &mut FaultSampler, ends: Pair) -> Option<Vec<Hop>> {
        match faults {
            FaultSampler::Hashed(faults) => self.find_in(cube, faults, ends),
            FaultSampler::General(faults) => self.find_in(cube, faults, ends),
        }
    }

    fn find_in<F: Faults>(&mut self, cube: Hypercube, faults: &mut F, ends: Pair) -> Option<Vec<Hop>> {
        let [from_source, from_destination] = &mut self.searches;
        from_source.start(cube, ends.from, ends.to, false);
        from_destination.start(cube, ends.to, ends.from, true);
        let nodes = loop {
            if let Some(arrived) = from_source.advance(cube, faults) {
                let mut nodes = arrived.then(|| from_source.path_from_goal(cube, ends.from))?;
                nodes.reverse();
                break nodes;
            }
            if let Some(arrived) = from_destination.advance(cube, faults) {
                break arrived.then(|| from_destination.path_from_goal(cube, ends.to))?;
            }
        };
        Some(nodes.windows(2).map(|pair| Hop { from: pair[0], to: pair[1], rule: &SHORTEST_LIVE_PATH }).collect())
    }
}

impl PathSearch {
    fn start(&mut self, cube: Hypercube, start: NodeId, goal: NodeId, backward: bool) {
        for node in self.reached_nodes.drain(..) {
            self.via_dimension[node as usize] = UNREACHED;
        }
        let size = cube.mask() as usize + 1;
        if self.via_dimension.len() < size {
            self.via_dimension.resize(size, UNREACHED);
        }
        self.forward_stack.clear();
        self.backward_stack.clear();
        self.next_backward_stack.clear();
        self.goal = goal.0;
        self.backward = backward;
        // The dimension is arbitrary: `path_from_goal` stops at the start without reading it.
        self.reach(start.0, 0);
    }

    fn reach(&mut self, node: u64, dim: u8) {
        self.via_dimension[node as usize] = dim;
        self.reached_nodes.push(node);
        self.forward_stack.push(node);
    }

    /// Expands up to [`NODES_PER_TURN`] nodes.
    ///
    /// Returns `Some(true)` if the search arrived, `Some(false)` if no nodes are left to expand,
    /// `None` if it must continue.
    fn advance<F: Faults>(&mut self, cube: Hypercube, faults: &mut F) -> Option<bool> {
        for _ in 0..NODES_PER_TURN {
            let (node, dims) = if let Some(node) = self.forward_stack.pop() {
                self.next_backward_stack.push(node);
                (node, node ^ self.goal)
            } else if let Some(node) = self.backward_stack.pop() {
                (node, cube.mask() & !(node ^ self.goal))
            } else if self.next_backward_stack.is_empty() {
                return Some(false);
            } else {
                std::mem::swap(&mut self.backward_stack, &mut self.next_backward_stack);
                continue;
            };
            for dim in set_dimensions(dims) {
                let link = Link { from: NodeId(node), dim };
                let next = link.end();
                let link = if self.backward { link.reverse() } else { link };
                if !faults.is_faulty(next)
                    && self.via_dimension[next.0 as usize] == UNREACHED
                    && !faults.is_link_faulty(link)
                {
                    self.reach(next.0, dim);
                    if next.0 == self.goal {
                        return Some(true);
                    }
                }
            }
        }
        None
    }

    /// Returns the nodes from the goal back to `start`.
    fn path_from_goal(&self, cube: Hypercube, start: NodeId) -> Vec<NodeId> {
        let before =
            |node: &NodeId| (*node != start).then(|| cube.neighbor(*node, self.via_dimension[node.0 as usize]));
        std::iter::successors(Some(NodeId(self.goal)), before).collect()
    }
}
