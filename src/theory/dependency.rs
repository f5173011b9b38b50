//! The channel dependency graph (Dally & Seitz): a routing algorithm cannot deadlock if it has no cycle.

use std::collections::VecDeque;

use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};

use super::decision::decide;
use crate::fault::Faults;
use crate::routing::{LocalRouting, Position};
use crate::topology::{Hypercube, NodeId, dimensions_of};

/// One channel: a link in one direction, or one of the virtual channels that share it. Whoever builds a graph numbers
/// them from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChannelId(pub u32);

/// Channels each of which depends on the next, the last one on the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The channels, none twice.
    pub channels: Vec<ChannelId>,
}

/// Which channel a message may hold while it asks for which other one; of any network and any kind of channel.
#[derive(Clone, Debug)]
pub struct DependencyGraph {
    graph: DiGraph<(), (), u32>,
}

impl DependencyGraph {
    /// A graph of the channels 0 to `channels` - 1, without dependencies.
    pub fn new(channels: u32) -> Self {
        let mut graph = DiGraph::with_capacity(channels as usize, 0);
        for _ in 0..channels {
            graph.add_node(());
        }
        Self { graph }
    }

    /// Notes that a message that holds `held` may ask for `wanted`. Noting it twice changes nothing; channels that
    /// do not exist are ignored. Cost: the number of dependencies that `held` has.
    pub fn add(&mut self, held: ChannelId, wanted: ChannelId) {
        let channels = self.channels();
        if held.0 < channels && wanted.0 < channels {
            self.graph.update_edge(NodeIndex::from(held.0), NodeIndex::from(wanted.0), ());
        }
    }

    /// The number of channels.
    pub fn channels(&self) -> u32 {
        self.graph.node_count() as u32
    }

    /// The number of dependencies.
    pub fn dependencies(&self) -> usize {
        self.graph.edge_count()
    }

    /// The channels that a message that holds `held` may ask for, ascending.
    pub fn wanted_by(&self, held: ChannelId) -> Vec<ChannelId> {
        let mut wanted: Vec<_> = self.graph.neighbors(NodeIndex::from(held.0)).map(channel).collect();
        wanted.sort_unstable();
        wanted
    }

    /// An order of all channels in which every dependency points forward: the proof that nothing deadlocks.
    ///
    /// # Errors
    /// If there is none, a shortest of the cycles that prevent it. Cost then: channels times dependencies at most, less
    /// where a short cycle turns up early.
    pub fn acyclic_order(&self) -> Result<Vec<ChannelId>, Cycle> {
        match toposort(&self.graph, None) {
            Ok(order) => Ok(order.into_iter().map(channel).collect()),
            Err(_) => Err(self.shortest_cycle()),
        }
    }

    fn shortest_cycle(&self) -> Cycle {
        let mut shortest: Vec<NodeIndex> = Vec::new();
        // Cycles stay within a strongly connected component.
        let mut component_of = vec![0; self.graph.node_count()];
        let components = kosaraju_scc(&self.graph);
        for (number, component) in components.iter().enumerate() {
            component.iter().for_each(|node| component_of[node.index()] = number);
        }
        for start in self.graph.node_indices() {
            if shortest.len() == 1 {
                break;
            }
            let within = if shortest.is_empty() { usize::MAX } else { shortest.len() - 1 };
            shortest = self.cycle_through(start, &component_of, within).unwrap_or(shortest);
        }
        Cycle { channels: shortest.into_iter().map(channel).collect() }
    }

    /// A shortest cycle through `start` of at most `within` channels, by breadth-first search.
    fn cycle_through(&self, start: NodeIndex, component_of: &[usize], within: usize) -> Option<Vec<NodeIndex>> {
        let mut reached_from = vec![None; self.graph.node_count()];
        let mut queue = VecDeque::from([(start, 1)]);
        while let Some((node, length)) = queue.pop_front() {
            if length > within {
                return None;
            }
            for next in self.graph.neighbors(node) {
                if next == start {
                    let mut cycle: Vec<_> =
                        std::iter::successors(Some(node), |node| reached_from[node.index()]).collect();
                    cycle.reverse();
                    return Some(cycle);
                }
                if component_of[next.index()] == component_of[start.index()] && reached_from[next.index()].is_none() {
                    reached_from[next.index()] = Some(node);
                    queue.push_back((next, length + 1));
                }
            }
        }
        None
    }
}

fn channel(index: NodeIndex) -> ChannelId {
    ChannelId(index.index() as u32)
}

/// The largest cube whose dependencies are built: 2048 channels.
pub const MAX_DEPENDENCY_DIMENSION: u8 = 8;

/// The channel from `node` across `dim`, in a cube of up to [`MAX_DEPENDENCY_DIMENSION`] dimensions: number
/// node * n + dim.
pub fn hypercube_channel(cube: Hypercube, node: NodeId, dim: u8) -> ChannelId {
    ChannelId(node.0 as u32 * u32::from(cube.dimension()) + u32::from(dim))
}

/// The nodes that a channel leads from and to, the inverse of [`hypercube_channel`].
pub fn hypercube_link(cube: Hypercube, channel: ChannelId) -> (NodeId, NodeId) {
    let (node, dim) = (channel.0 / u32::from(cube.dimension()), channel.0 % u32::from(cube.dimension()));
    let from = NodeId(u64::from(node));
    (from, cube.neighbor(from, dim as u8))
}

/// The dependencies of `routing` among `faults`, for messages from any live node to any other: a channel into a node on
/// each channel that a message for some destination, having come by the first, may take next.
///
/// Every live node may be a source, so that a message can be wherever a hop is permitted; a node where messages are
/// blocked has only hops for those that came there, and every one that has such hops is reached by one of its
/// neighbours. Hops to faulty nodes, which algorithms without information permit, carry nothing on and are left out.
///
/// `None` above [`MAX_DEPENDENCY_DIMENSION`] and for algorithms that mark nodes: their decisions depend on the message's
/// past. Cost: n^2 4^n at most, some 10 ms at n = 8.
pub fn hypercube_dependencies(
    cube: Hypercube,
    faults: &mut impl Faults,
    routing: &dyn LocalRouting,
) -> Option<DependencyGraph> {
    if cube.dimension() > MAX_DEPENDENCY_DIMENSION || routing.marks_blocked() {
        return None;
    }
    let faulty: Vec<bool> = (0..=cube.mask()).map(|node| faults.is_faulty(NodeId(node))).collect();
    let is_faulty = |node: NodeId| faulty[node.0 as usize];
    let mut graph = DependencyGraph::new(faulty.len() as u32 * u32::from(cube.dimension()));
    let live = || (0..=cube.mask()).map(NodeId).filter(|&node| !is_faulty(node));
    for destination in live() {
        let permitted = |here: NodeId| {
            let at = Position { here, wrong: here.0 ^ destination.0 };
            let decision = (here != destination && !is_faulty(here)).then(|| decide(cube, routing, at, is_faulty));
            let dims = decision.flatten().map_or(0, |decision| decision.dims);
            dimensions_of(dims)
                .filter(|&dim| !is_faulty(cube.neighbor(here, dim)))
                .fold(0u64, |dims, dim| dims | 1 << dim)
        };
        let permitted: Vec<u64> = (0..=cube.mask()).map(|node| permitted(NodeId(node))).collect();
        for here in live() {
            for dim in dimensions_of(permitted[here.0 as usize]) {
                let next = cube.neighbor(here, dim);
                let held = hypercube_channel(cube, here, dim);
                for onward in dimensions_of(permitted[next.0 as usize]) {
                    graph.add(held, hypercube_channel(cube, next, onward));
                }
            }
        }
    }
    Some(graph)
}
