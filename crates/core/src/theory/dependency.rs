//! Channel dependency graph (Dally & Seitz): a routing algorithm cannot deadlock if the graph is
//! acyclic.

use std::collections::VecDeque;

use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};

use super::decision::{decide, links};
use crate::fault::Faults;
use crate::routing::{Header, Links, LocalRouting, Position};
use crate::topology::{Hypercube, Link, NodeId, set_dimensions};
use crate::traffic::Pair;

/// Number of a channel: one direction of a link, or one of its virtual channels. The builder of a
/// graph numbers channels from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChannelId(pub u32);

/// Dependency cycle: each channel depends on the next, the last one on the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelCycle {
    /// Channels of the cycle, all different.
    pub channels: Vec<ChannelId>,
}

/// Index of the channels of a cycle.
pub(super) struct CycleIndex<'a> {
    cycle: &'a [ChannelId],
    /// Positions in the cycle, by ascending channel.
    places: Vec<usize>,
}

impl ChannelCycle {
    /// Returns an index of the cycle's channels.
    pub(super) fn steps(&self) -> CycleIndex<'_> {
        let mut places: Vec<_> = (0..self.channels.len()).collect();
        places.sort_by_key(|&place| self.channels[place]);
        CycleIndex { cycle: &self.channels, places }
    }
}

impl CycleIndex<'_> {
    /// Returns the position of `channel` in the cycle, and the next channel.
    pub(super) fn position(&self, channel: ChannelId) -> Option<(usize, ChannelId)> {
        let found = self.places.binary_search_by_key(&channel, |&place| self.cycle[place]).ok()?;
        let place = self.places[found];
        Some((place, self.cycle[(place + 1) % self.cycle.len()]))
    }
}

/// Graph of the channels that a message may request while it holds another channel, for any network
/// and any kind of channel.
#[derive(Clone, Debug)]
pub struct DependencyGraph {
    graph: DiGraph<(), (), u32>,
}

impl DependencyGraph {
    /// Creates a graph of the channels 0 to `channels` - 1 without dependencies.
    pub fn new(channels: u32) -> Self {
        let mut graph = DiGraph::with_capacity(channels as usize, 0);
        for _ in 0..channels {
            graph.add_node(());
        }
        Self { graph }
    }

    /// Records that a message that holds `held` may request `wanted`.
    ///
    /// Duplicates have no effect, and channels that do not exist are ignored. Cost: the number of
    /// dependencies that `held` has.
    pub fn add(&mut self, held: ChannelId, wanted: ChannelId) {
        let channels = self.channels();
        if held.0 < channels && wanted.0 < channels {
            self.graph.update_edge(NodeIndex::from(held.0), NodeIndex::from(wanted.0), ());
        }
    }

    /// Adds a dependency that is known to be new, between channels that exist. Cost: constant.
    pub(super) fn add_new(&mut self, held: ChannelId, wanted: ChannelId) {
        self.graph.add_edge(NodeIndex::from(held.0), NodeIndex::from(wanted.0), ());
    }

    /// Calls `see` with every dependency in insertion order: the held and the wanted channel.
    #[cfg(feature = "threads")]
    pub(super) fn for_each(&self, mut see: impl FnMut(ChannelId, ChannelId)) {
        for edge in self.graph.raw_edges() {
            see(channel(edge.source()), channel(edge.target()));
        }
    }

    /// Returns the number of channels.
    pub fn channels(&self) -> u32 {
        self.graph.node_count() as u32
    }

    /// Returns the number of dependencies.
    pub fn dependencies(&self) -> usize {
        self.graph.edge_count()
    }

    /// Returns the channels that a message that holds `held` may request, ascending.
    pub fn successors(&self, held: ChannelId) -> Vec<ChannelId> {
        let mut wanted: Vec<_> = self.graph.neighbors(NodeIndex::from(held.0)).map(channel).collect();
        wanted.sort();
        wanted
    }

    /// Returns a topological order of the channels, which proves that no deadlock exists.
    ///
    /// # Errors
    /// A shortest dependency cycle, if there is no topological order. The cost is then at most
    /// channels times dependencies, and less if a short cycle is found early.
    pub fn acyclic_order(&self) -> Result<Vec<ChannelId>, ChannelCycle> {
        match toposort(&self.graph, None) {
            Ok(order) => Ok(order.into_iter().map(channel).collect()),
            Err(_) => Err(self.shortest_cycle()),
        }
    }

    /// Returns the number of each channel's strongly connected component, from 1; 0 for channels on
    /// no cycle.
    ///
    /// Cost: linear in the channels and dependencies.
    pub(super) fn cyclic_components(&self) -> Vec<u32> {
        let mut component_of = vec![0; self.graph.node_count()];
        let components = kosaraju_scc(&self.graph);
        let is_cyclic = |nodes: &[NodeIndex]| nodes.len() > 1 || self.graph.contains_edge(nodes[0], nodes[0]);
        for (nodes, number) in components.iter().filter(|nodes| is_cyclic(nodes)).zip(1..) {
            nodes.iter().for_each(|node| component_of[node.index()] = number);
        }
        component_of
    }

    fn shortest_cycle(&self) -> ChannelCycle {
        let mut shortest: Vec<NodeIndex> = Vec::new();
        // Cycles stay within a strongly connected component.
        let mut component_of = vec![0; self.graph.node_count()];
        let components = kosaraju_scc(&self.graph);
        for (number, component) in components.iter().enumerate() {
            component.iter().for_each(|node| component_of[node.index()] = number);
        }
        let mut reached_from = vec![None; self.graph.node_count()];
        for start in self.graph.node_indices() {
            if shortest.len() == 1 {
                break;
            }
            let within = if shortest.is_empty() { usize::MAX } else { shortest.len() - 1 };
            shortest = self.cycle_through(start, &component_of, within, &mut reached_from).unwrap_or(shortest);
        }
        ChannelCycle { channels: shortest.into_iter().map(channel).collect() }
    }

    /// Finds a shortest cycle through `start` of at most `within` channels by breadth-first search.
    ///
    /// Stores the predecessor of each channel in `reached_from`, which is all `None` before and
    /// after the call.
    fn cycle_through(
        &self,
        start: NodeIndex,
        component_of: &[usize],
        within: usize,
        reached_from: &mut [Option<NodeIndex>],
    ) -> Option<Vec<NodeIndex>> {
        let mut reached = vec![(start, 1)];
        let mut cycle = None;
        let mut at = 0;
        while let Some(&(node, length)) = reached.get(at).filter(|(_, length)| *length <= within && cycle.is_none()) {
            at += 1;
            for next in self.graph.neighbors(node) {
                if next == start {
                    cycle =
                        Some(std::iter::successors(Some(node), |node| reached_from[node.index()]).collect::<Vec<_>>());
                    break;
                }
                if component_of[next.index()] == component_of[start.index()] && reached_from[next.index()].is_none() {
                    reached_from[next.index()] = Some(node);
                    reached.push((next, length + 1));
                }
            }
        }
        reached.iter().for_each(|(node, _)| reached_from[node.index()] = None);
        cycle.map(|cycle| cycle.into_iter().rev().collect())
    }
}

fn channel(index: NodeIndex) -> ChannelId {
    ChannelId(index.index() as u32)
}

/// Largest dimension of a cube whose dependencies are built: 2048 channels.
pub const MAX_DEPENDENCY_DIMENSION: u8 = 8;

/// Returns the channel from `node` across `dim`, number node * n + dim, in a cube of up to
/// [`MAX_DEPENDENCY_DIMENSION`] dimensions.
pub fn hypercube_channel(cube: Hypercube, node: NodeId, dim: u8) -> ChannelId {
    ChannelId(node.0 as u32 * u32::from(cube.dimension()) + u32::from(dim))
}

/// Returns the source and target node of a channel, the inverse of [`hypercube_channel`].
pub fn hypercube_link(cube: Hypercube, channel: ChannelId) -> (NodeId, NodeId) {
    let (node, dim) = (channel.0 / u32::from(cube.dimension()), channel.0 % u32::from(cube.dimension()));
    let from = NodeId(u64::from(node));
    (from, cube.neighbor(from, dim as u8))
}

/// Builds the dependencies of `routing` among `faults`, for messages between all live nodes.
///
/// A channel into a node depends on each channel that a message, having arrived over the first
/// channel, may wait for next. Every live node may be a source. A message that is blocked at its
/// source is lost there. Hops to faulty nodes, which algorithms without information permit, are
/// omitted.
///
/// `None` above [`MAX_DEPENDENCY_DIMENSION`] and for algorithms that mark nodes, since their
/// decisions depend on the message's past. Cost: n^2 4^n at most, some 10 ms at n = 8.
pub fn hypercube_dependencies(
    cube: Hypercube,
    faults: &mut impl Faults,
    routing: &dyn LocalRouting,
) -> Option<DependencyGraph> {
    let moves = PermittedMoves::new(cube, faults, routing)?;
    let mut graph = DependencyGraph::new(moves.live.len() as u32 * u32::from(cube.dimension()));
    for destination in moves.live_nodes() {
        moves.for_each_link(destination, |_, held, wanted| {
            for dim in set_dimensions(wanted) {
                graph.add(hypercube_channel(cube, held.from, held.dim), hypercube_channel(cube, held.end(), dim));
            }
        });
    }
    Some(graph)
}

/// Returns for each channel of a dependency cycle, in order, a message that holds the channel and
/// may wait for the next one.
///
/// A message that starts at the source node of the channel is preferred. Any other message reaches
/// the node by permitted hops.
///
/// The list is empty if a channel has no such message, which is impossible for a cycle of
/// [`hypercube_dependencies`] of the same arguments. Cost: that of [`hypercube_dependencies`].
pub fn hypercube_witnesses(
    cube: Hypercube,
    faults: &mut impl Faults,
    routing: &dyn LocalRouting,
    cycle: &ChannelCycle,
) -> Vec<Pair> {
    let Some(moves) = PermittedMoves::new(cube, faults, routing) else { return Vec::new() };
    let steps = cycle.steps();
    let mut found: Vec<Option<Pair>> = vec![None; cycle.channels.len()];
    for destination in moves.live_nodes() {
        moves.for_each_link(destination, |source, held, wanted| {
            let channel = hypercube_channel(cube, held.from, held.dim);
            let Some((place, next)) = steps.position(channel) else { return };
            let waits = set_dimensions(wanted).any(|dim| hypercube_channel(cube, held.end(), dim) == next);
            let starts = |pair: Pair| pair.from == held.from;
            if waits && (found[place].is_none() || source == held.from && !found[place].is_some_and(starts)) {
                found[place] = Some(Pair { from: source, to: destination });
            }
        });
    }
    found.into_iter().collect::<Option<_>>().unwrap_or_default()
}

/// Permitted moves of messages in a cube with faults.
struct PermittedMoves<'r> {
    cube: Hypercube,
    routing: &'r dyn LocalRouting,
    /// Live flag of each node.
    live: Vec<bool>,
    /// Dead dimensions of each node, as a mask.
    dead: Vec<u64>,
}

impl<'r> PermittedMoves<'r> {
    fn new(cube: Hypercube, faults: &mut impl Faults, routing: &'r dyn LocalRouting) -> Option<Self> {
        if cube.dimension() > MAX_DEPENDENCY_DIMENSION || routing.marks_blocked_nodes() {
            return None;
        }
        let nodes = || (0..=cube.mask()).map(NodeId);
        let live = nodes().map(|node| !faults.is_faulty(node)).collect();
        let mut dead_at = |from| {
            let links = (0..cube.dimension()).map(|dim| Link { from, dim });
            links.filter(|&link| faults.leads_to_no_live_node(link)).fold(0, |dims, link| dims | 1 << link.dim)
        };
        let dead = nodes().map(&mut dead_at).collect();
        Some(Self { cube, routing, live, dead })
    }

    fn live_nodes(&self) -> impl Iterator<Item = NodeId> {
        (0..=self.cube.mask()).map(NodeId).filter(|node| self.live[node.0 as usize])
    }

    /// Returns the dimensions for which a message to `destination` may wait at `here`, as a mask.
    fn permitted(&self, here: NodeId, header: Header, destination: NodeId) -> u64 {
        if here == destination || !self.live[here.0 as usize] {
            return 0;
        }
        let dead = self.dead[here.0 as usize];
        let at = Position { here, wrong: here.0 ^ destination.0, header };
        if self.routing.yields_to_traffic() {
            let tiers = self.routing.tiers_with_links(at, self.links(at));
            return tiers.iter().fold(0, |dims, tier| dims | tier.dimensions.mask(at.wrong, self.cube.mask())) & !dead;
        }
        let decision = decide(self.cube, self.routing, at, |link| dead >> link.dim & 1 == 1);
        decision.map_or(0, |decision| decision.dims) & !dead
    }

    fn links(&self, at: Position) -> Links {
        links(self.cube, self.routing, at, |link| self.dead[link.from.0 as usize] >> link.dim & 1 == 1)
    }

    /// Returns whether a message to `destination` that starts at `here` is blocked there at once
    /// and thereby lost.
    fn is_lost(&self, here: NodeId, header: Header, destination: NodeId) -> bool {
        let at = Position { here, wrong: here.0 ^ destination.0, header };
        let dead = self.dead[here.0 as usize];
        let decision = || decide(self.cube, self.routing, at, |link| dead >> link.dim & 1 == 1);
        at.wrong != 0 && !self.routing.yields_to_traffic() && decision().is_some_and(|decision| decision.backward)
    }

    /// Calls `see` for every link that a message to `destination` may hold, with a source and the
    /// dimensions it may wait for at the link's end.
    ///
    /// The source is the link's own source node if messages may start there.
    fn for_each_link(&self, destination: NodeId, mut see: impl FnMut(NodeId, Link, u64)) {
        let headers = usize::from(self.routing.header_count());
        let mut known = vec![false; self.live.len() * headers];
        let starts = (0..self.routing.initial_header_count()).map(Header);
        let starts = starts.flat_map(|header| self.live_nodes().map(move |here| (here, here, header)));
        // The queue is first in, first out, so that every node is processed as a source before it
        // appears on another message's route.
        let mut rest: VecDeque<_> =
            starts.filter(|&(_, here, header)| !self.is_lost(here, header, destination)).collect();
        while let Some((source, here, header)) = rest.pop_front() {
            if std::mem::replace(&mut known[here.0 as usize * headers + usize::from(header.0)], true) {
                continue;
            }
            let at = Position { here, wrong: here.0 ^ destination.0, header };
            for dim in set_dimensions(self.permitted(here, header, destination)) {
                let held = Link { from: here, dim };
                let next = self.routing.header_after_with_links(at, self.links(at), dim);
                see(source, held, self.permitted(held.end(), next, destination));
                rest.push_back((source, held.end(), next));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::Criterion;
    use crate::theory::FaultSet;

    /// Checks Theorem 1 of Chiu, Chalasani & Raghavendra and its extension to levels, for all
    /// levels of a 3-cube and all sets of free dimensions: every criterion reported as
    /// deadlock-free has an acyclic dependency graph.
    #[test]
    fn deadlock_free_criteria_have_acyclic_dependencies() {
        let cube = Hypercube::new(3).expect("a cube");
        let (mut free, mut circles) = (0, 0);
        for (ends, up, down) in
            (0..8).flat_map(|ends| (0..8).flat_map(move |up| (0..8).map(move |down| (ends, up, down))))
        {
            let criterion = Criterion { ends, up, down, ..Criterion::SEQUENTIAL };
            let graph = hypercube_dependencies(cube, &mut FaultSet(0), &criterion).expect("a small cube");
            if criterion.is_deadlock_free() {
                assert!(graph.acyclic_order().is_ok(), "{criterion:?}");
                free += 1;
            } else {
                circles += u32::from(graph.acyclic_order().is_err());
            }
        }
        assert!(free > 100 && circles > 50, "{free} {circles}");
    }
}
