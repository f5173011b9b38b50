//! The channel dependency graph (Dally & Seitz): a routing algorithm cannot deadlock if it has no cycle.

use std::collections::VecDeque;

use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};

use super::decision::{decide, links};
use crate::fault::Faults;
use crate::routing::{Header, Links, LocalRouting, Position};
use crate::topology::{Hypercube, Link, NodeId, dimensions_of};
use crate::traffic::Pair;

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

/// Finds the channels of a cycle.
pub(super) struct Steps<'a> {
    cycle: &'a [ChannelId],
    /// The places in the cycle, by ascending channel.
    places: Vec<usize>,
}

impl Cycle {
    /// Its channels, to be found.
    pub(super) fn steps(&self) -> Steps<'_> {
        let mut places: Vec<_> = (0..self.channels.len()).collect();
        places.sort_by_key(|&place| self.channels[place]);
        Steps { cycle: &self.channels, places }
    }
}

impl Steps<'_> {
    /// The place of `channel`, and the channel that comes next.
    pub(super) fn find(&self, channel: ChannelId) -> Option<(usize, ChannelId)> {
        let found = self.places.binary_search_by_key(&channel, |&place| self.cycle[place]).ok()?;
        let place = self.places[found];
        Some((place, self.cycle[(place + 1) % self.cycle.len()]))
    }
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

    /// As [`DependencyGraph::add`], of channels that exist and a dependency that has not been noted. Cost: constant.
    pub(super) fn add_new(&mut self, held: ChannelId, wanted: ChannelId) {
        self.graph.add_edge(NodeIndex::from(held.0), NodeIndex::from(wanted.0), ());
    }

    /// Tells `see` every dependency, in the order in which they were noted: what is held, and what is wanted.
    #[cfg(feature = "threads")]
    pub(super) fn each(&self, mut see: impl FnMut(ChannelId, ChannelId)) {
        for edge in self.graph.raw_edges() {
            see(channel(edge.source()), channel(edge.target()));
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
        wanted.sort();
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

    /// For each channel the number of its strongly connected component, from 1; 0 for channels on no cycle. Cost: channels and
    /// dependencies.
    pub(super) fn cyclic_components(&self) -> Vec<u32> {
        let mut component_of = vec![0; self.graph.node_count()];
        let components = kosaraju_scc(&self.graph);
        let is_cyclic = |nodes: &[NodeIndex]| nodes.len() > 1 || self.graph.contains_edge(nodes[0], nodes[0]);
        for (nodes, number) in components.iter().filter(|nodes| is_cyclic(nodes)).zip(1..) {
            nodes.iter().for_each(|node| component_of[node.index()] = number);
        }
        component_of
    }

    fn shortest_cycle(&self) -> Cycle {
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
        Cycle { channels: shortest.into_iter().map(channel).collect() }
    }

    /// A shortest cycle through `start` of at most `within` channels, by breadth-first search. In `reached_from` it notes for each
    /// channel the one before, and leaves it as it was, with none.
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
/// each channel that a message for some destination, having come by the first, may wait for next.
///
/// Every live node may be a source; a message that is blocked at its source is lost there. Hops to faulty nodes, which algorithms without information permit, carry nothing on
/// and are left out.
///
/// `None` above [`MAX_DEPENDENCY_DIMENSION`] and for algorithms that mark nodes: their decisions depend on the message's
/// past. Cost: n^2 4^n at most, some 10 ms at n = 8.
pub fn hypercube_dependencies(
    cube: Hypercube,
    faults: &mut impl Faults,
    routing: &dyn LocalRouting,
) -> Option<DependencyGraph> {
    let moves = Moves::new(cube, faults, routing)?;
    let mut graph = DependencyGraph::new(moves.live.len() as u32 * u32::from(cube.dimension()));
    for destination in moves.live_nodes() {
        moves.each(destination, |_, held, wanted| {
            for dim in dimensions_of(wanted) {
                graph.add(hypercube_channel(cube, held.from, held.dim), hypercube_channel(cube, held.to(), dim));
            }
        });
    }
    Some(graph)
}

/// For each channel of a dependency cycle, in the cycle's order, a message that holds it and may wait for the next: one
/// between live nodes that starts where the channel leaves, if there is one, or else comes there by permitted hops.
///
/// Empty if there is none for one of the channels, which for a cycle of [`hypercube_dependencies`] of the same arguments
/// cannot be. Cost: as there.
pub fn hypercube_witnesses(
    cube: Hypercube,
    faults: &mut impl Faults,
    routing: &dyn LocalRouting,
    cycle: &Cycle,
) -> Vec<Pair> {
    let Some(moves) = Moves::new(cube, faults, routing) else { return Vec::new() };
    let steps = cycle.steps();
    let mut found: Vec<Option<Pair>> = vec![None; cycle.channels.len()];
    for destination in moves.live_nodes() {
        moves.each(destination, |source, held, wanted| {
            let channel = hypercube_channel(cube, held.from, held.dim);
            let Some((place, next)) = steps.find(channel) else { return };
            let waits = dimensions_of(wanted).any(|dim| hypercube_channel(cube, held.to(), dim) == next);
            let starts = |pair: Pair| pair.from == held.from;
            if waits && (found[place].is_none() || source == held.from && !found[place].is_some_and(starts)) {
                found[place] = Some(Pair { from: source, to: destination });
            }
        });
    }
    found.into_iter().collect::<Option<_>>().unwrap_or_default()
}

/// What messages may do in a cube with faults.
struct Moves<'r> {
    cube: Hypercube,
    routing: &'r dyn LocalRouting,
    /// For each node, whether it is live,
    live: Vec<bool>,
    /// and the dimensions of its links that lead nowhere, as a mask.
    dead: Vec<u64>,
}

impl<'r> Moves<'r> {
    fn new(cube: Hypercube, faults: &mut impl Faults, routing: &'r dyn LocalRouting) -> Option<Self> {
        if cube.dimension() > MAX_DEPENDENCY_DIMENSION || routing.marks_blocked() {
            return None;
        }
        let nodes = || (0..=cube.mask()).map(NodeId);
        let live = nodes().map(|node| !faults.is_faulty(node)).collect();
        let mut dead_at = |from| {
            let links = (0..cube.dimension()).map(|dim| Link { from, dim });
            links.filter(|&link| faults.is_dead(link)).fold(0, |dims, link| dims | 1 << link.dim)
        };
        let dead = nodes().map(&mut dead_at).collect();
        Some(Self { cube, routing, live, dead })
    }

    fn live_nodes(&self) -> impl Iterator<Item = NodeId> {
        (0..=self.cube.mask()).map(NodeId).filter(|node| self.live[node.0 as usize])
    }

    /// The dimensions for which a message for `destination` may wait at `here`, as a mask.
    fn permitted(&self, here: NodeId, header: Header, destination: NodeId) -> u64 {
        if here == destination || !self.live[here.0 as usize] {
            return 0;
        }
        let dead = self.dead[here.0 as usize];
        let at = Position { here, wrong: here.0 ^ destination.0, header };
        if self.routing.yields_to_traffic() {
            let tiers = self.routing.tiers_among(at, self.links(at));
            return tiers.iter().fold(0, |dims, tier| dims | tier.dimensions.mask(at.wrong, self.cube.mask())) & !dead;
        }
        let decision = decide(self.cube, self.routing, at, |link| dead >> link.dim & 1 == 1);
        decision.map_or(0, |decision| decision.dims) & !dead
    }

    fn links(&self, at: Position) -> Links {
        links(self.cube, self.routing, at, |link| self.dead[link.from.0 as usize] >> link.dim & 1 == 1)
    }

    /// Whether a message for `destination` that starts at `here` is blocked there at once, which loses it.
    fn is_lost(&self, here: NodeId, header: Header, destination: NodeId) -> bool {
        let at = Position { here, wrong: here.0 ^ destination.0, header };
        let dead = self.dead[here.0 as usize];
        let decision = || decide(self.cube, self.routing, at, |link| dead >> link.dim & 1 == 1);
        at.wrong != 0 && !self.routing.yields_to_traffic() && decision().is_some_and(|decision| decision.backward)
    }

    /// Tells `see` every link that a message for `destination` may hold, with a source from which it may have come to do
    /// so, the link's own first, and the dimensions for which it may wait at the link's end.
    fn each(&self, destination: NodeId, mut see: impl FnMut(NodeId, Link, u64)) {
        let headers = usize::from(self.routing.headers());
        let mut known = vec![false; self.live.len() * headers];
        let starts = (0..self.routing.first_headers()).map(Header);
        let starts = starts.flat_map(|header| self.live_nodes().map(move |here| (here, here, header)));
        // First come, first served: every node is a source before it is on the way of another.
        let mut rest: VecDeque<_> =
            starts.filter(|&(_, here, header)| !self.is_lost(here, header, destination)).collect();
        while let Some((source, here, header)) = rest.pop_front() {
            if std::mem::replace(&mut known[here.0 as usize * headers + usize::from(header.0)], true) {
                continue;
            }
            let at = Position { here, wrong: here.0 ^ destination.0, header };
            for dim in dimensions_of(self.permitted(here, header, destination)) {
                let held = Link { from: here, dim };
                let next = self.routing.header_among(at, self.links(at), dim);
                see(source, held, self.permitted(held.to(), next, destination));
                rest.push_back((source, held.to(), next));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::Criterion;
    use crate::theory::FaultSet;

    /// Theorem 1 of Chiu, Chalasani & Raghavendra and its extension to levels, for all levels that a 3-cube can have and all that they can leave
    /// free: what is said to be free of deadlock closes no circle.
    #[test]
    fn criteria_without_deadlock_close_no_circle_in_any_level() {
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
