//! Channel dependency graph of wormhole routing on meshes and hypercubes, over classes of virtual
//! channels.

use std::ops::Range;

use super::dependency::{ChannelCycle, ChannelId, DependencyGraph};
use super::state_space::{RouteOutcome, RouteState, StateSpace, outlet, outlets, places};
use crate::fault::BlockFaults;
use crate::routing::WormRouting;
use crate::topology::{Mesh, NodeId, Port};
use crate::traffic::Pair;

/// Maximum number of nodes of a mesh whose dependencies are built.
pub const MAX_DEPENDENCY_NODES: u32 = 4096;

/// Number of destinations per parallel task. A mesh with fewer nodes is a single task, since more
/// threads would not help.
#[cfg(feature = "threads")]
const PART: u64 = 512;

/// Maximum total number of start headers of all pairs, if messages have many.
const MAX_STARTS: u64 = 1 << 20;
/// Maximum number of start headers of a message on meshes and tori that does not count towards
/// [`MAX_STARTS`]: a direction for each dimension in which both ways around a torus are equally long.
const MAX_TIES: u32 = 1 << Mesh::MAX_DIMENSIONS;

/// Returns the channel of class `class` out of `node` by `port`, under a routing with `classes`
/// classes.
pub fn mesh_channel(mesh: Mesh, node: NodeId, port: Port, class: u8, classes: u8) -> ChannelId {
    ChannelId(mesh.channel(node, port) * u32::from(classes) + u32::from(class))
}

/// Returns node, port and class of a channel, the inverse of [`mesh_channel`].
pub fn mesh_channel_ends(mesh: Mesh, channel: ChannelId, classes: u8) -> (NodeId, Port, u8) {
    let (node, port) = mesh.channel_ends(channel.0 / u32::from(classes));
    (node, port, (channel.0 % u32::from(classes)) as u8)
}

/// Dependencies and outcomes of a routing on a mesh with faults, over all pairs of the largest live
/// component and all choices.
///
/// The analysis processes one destination at a time. A channel depends on each channel that a
/// message which holds it may request next (Dally & Seitz; Boppana & Chalasani section II).
pub struct MeshDependencies<'r> {
    faults: &'r BlockFaults,
    routing: &'r dyn WormRouting,
    graph: DependencyGraph,
    /// Bit set of the dependencies in the graph, indexed by the held channel, and the port and
    /// class of the requested channel.
    noted: Vec<u64>,
    arrivals: DeliveryOutcomes,
}

/// Outcomes of messages, over all processed pairs and all choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeliveryOutcomes {
    /// Number of ordered pairs of nodes.
    pub pairs: u64,
    /// Number of pairs whose message can reach a node where faults leave no output channel.
    pub lost: u64,
    /// Number of pairs whose message can travel in a cycle forever: a livelock.
    pub livelocked: u64,
    /// Example of a lost pair.
    pub lost_example: Option<Pair>,
    /// Example of a livelocked pair.
    pub livelocked_example: Option<Pair>,
    /// Largest number of hops of a message that can neither be lost nor livelock.
    pub longest: u32,
    /// Largest number of hops beyond a minimal path of a message that can neither be lost nor
    /// livelock.
    pub detour: u32,
    /// Example of a pair with `detour` extra hops.
    pub detoured: Option<Pair>,
}

impl<'r> MeshDependencies<'r> {
    /// Creates an analysis without any destination processed.
    ///
    /// `None` under the conditions of [`MeshDependencies::build`].
    fn new(faults: &'r BlockFaults, routing: &'r dyn WormRouting) -> Option<Self> {
        let mesh = faults.mesh();
        let channels = mesh.channel_table_size() * u32::from(routing.vc_classes(mesh));
        let starts = |(from, to)| routing.initial_header_count(faults, from, to);
        let ends = (NodeId(0), NodeId(u64::from(mesh.nodes() - 1)));
        // On meshes, messages between opposite corners may have the most start headers.
        let corners = (!mesh.is_cube()).then_some(ends);
        let most = || faults.members().zip(faults.members().skip(1)).chain(corners).map(starts).max().unwrap_or(1);
        let is_few = |starts: u32| {
            !mesh.is_cube() && starts <= MAX_TIES || u64::from(mesh.nodes()).pow(2) * u64::from(starts) <= MAX_STARTS
        };
        let small = mesh.nodes() <= MAX_DEPENDENCY_NODES && is_few(most());
        let graph = small.then(|| DependencyGraph::new(channels))?;
        let noted = vec![0; (places(mesh, routing) * outlets(mesh, routing)).div_ceil(64)];
        Some(Self { faults, routing, graph, noted, arrivals: DeliveryOutcomes::default() })
    }

    /// Runs the whole analysis.
    ///
    /// `None` above [`MAX_DEPENDENCY_NODES`]. Also `None` for more than 2^20 start headers, which
    /// occur above about 100 nodes if any node may be the intermediate node. On meshes and tori up
    /// to 32 start headers of a message do not count. Native builds
    /// use the threads of the current rayon pool; the result does not depend on their number. Cost:
    /// the square of the nodes, some 100 ms on 16 x 16.
    pub fn build(faults: &'r BlockFaults, routing: &'r dyn WormRouting) -> Option<Self> {
        let mut all = Self::new(faults, routing)?;
        all.process_all();
        Some(all)
    }

    #[cfg(not(feature = "threads"))]
    fn process_all(&mut self) {
        self.process(0..u64::from(self.faults.mesh().nodes()));
    }

    #[cfg(feature = "threads")]
    fn process_all(&mut self) {
        use rayon::prelude::*;
        let nodes = u64::from(self.faults.mesh().nodes());
        let (faults, routing) = (self.faults, self.routing);
        let part = |start: u64| {
            let mut part = Self::new(faults, routing)?;
            part.process(start..nodes.min(start + PART));
            Some(part)
        };
        let parts: Vec<_> =
            (0..nodes.div_ceil(PART)).into_par_iter().filter_map(|number| part(number * PART)).collect();
        parts.iter().for_each(|part| self.join(part));
    }

    /// Processes the given destinations.
    fn process(&mut self, destinations: Range<u64>) {
        let mesh = self.faults.mesh();
        let mut ways = StateSpace::default();
        for to in destinations.map(NodeId).filter(|&node| self.faults.is_member(node)) {
            ways.rebuild(self.faults, self.routing, to);
            self.add(&ways);
            self.arrivals.add(mesh, to, &ways);
        }
    }

    /// Appends the results of the following destinations, as if they had been processed in
    /// sequence.
    #[cfg(feature = "threads")]
    fn join(&mut self, next: &Self) {
        next.graph.for_each(|held, wanted| self.graph.add(held, wanted));
        self.arrivals.join(&next.arrivals);
    }

    /// Adds the dependencies of the messages to one destination.
    fn add(&mut self, ways: &StateSpace) {
        let mesh = self.faults.mesh();
        let (classes, outlets) = (self.routing.vc_classes(mesh), outlets(mesh, self.routing));
        for (state, way) in ways.all.iter().enumerate() {
            if way.held.is_none() {
                continue;
            }
            for choice in ways.choices(state) {
                let bit =
                    ways.position_index(way.here, way.held) * outlets + outlet(choice.port, choice.class, classes);
                if self.noted[bit / 64] >> (bit % 64) & 1 == 0 {
                    self.noted[bit / 64] |= 1 << (bit % 64);
                    let wanted = mesh_channel(mesh, way.here, choice.port, choice.class, classes);
                    held_channel(mesh, way, self.routing).into_iter().for_each(|held| self.graph.add(held, wanted));
                }
            }
        }
    }

    /// Returns the dependency graph.
    pub fn graph(&self) -> &DependencyGraph {
        &self.graph
    }

    /// Returns the outcomes of the messages.
    pub fn arrivals(&self) -> DeliveryOutcomes {
        self.arrivals
    }
}

impl DeliveryOutcomes {
    /// Returns a pair whose message may not arrive: a lost pair, or a livelocked pair if no pair is
    /// lost.
    pub fn example(&self) -> Option<Pair> {
        self.lost_example.or(self.livelocked_example)
    }

    /// Adds the outcomes of the messages to one destination.
    fn add(&mut self, mesh: Mesh, to: NodeId, ways: &StateSpace) {
        let outcomes = ways.outcomes(|_| true);
        let mut starts = ways.starts.iter().peekable();
        while let Some(&first) = starts.next() {
            let from = ways.all[first as usize].here;
            // A source with a random start header has several consecutive starts.
            let mut outcome = outcomes[first as usize];
            while let Some(&other) = starts.next_if(|&&other| ways.all[other as usize].here == from) {
                outcome = outcome.max(outcomes[other as usize]);
            }
            self.count(Pair { from, to }, outcome, mesh.distance(from, to));
        }
    }

    /// Appends the outcomes of the following destinations.
    #[cfg(feature = "threads")]
    fn join(&mut self, next: &Self) {
        self.pairs += next.pairs;
        self.lost += next.lost;
        self.livelocked += next.livelocked;
        self.lost_example = self.lost_example.or(next.lost_example);
        self.livelocked_example = self.livelocked_example.or(next.livelocked_example);
        self.longest = self.longest.max(next.longest);
        if next.detour > self.detour {
            (self.detour, self.detoured) = (next.detour, next.detoured);
        }
    }

    /// Counts the outcome of a pair at distance `distance`.
    pub(super) fn count(&mut self, pair: Pair, outcome: RouteOutcome, distance: u32) {
        self.pairs += 1;
        match outcome {
            RouteOutcome::Arrives(hops) => {
                self.longest = self.longest.max(hops);
                let detour = hops - distance;
                if detour > self.detour {
                    (self.detour, self.detoured) = (detour, Some(pair));
                }
            }
            RouteOutcome::Lost => {
                self.lost += 1;
                self.lost_example = self.lost_example.or(Some(pair));
            }
            RouteOutcome::Livelocks => {
                self.livelocked += 1;
                self.livelocked_example = self.livelocked_example.or(Some(pair));
            }
        }
    }
}

/// Returns for each channel of a dependency cycle, in order, the pair of a message that holds the
/// channel and may request the next one.
///
/// Short distances are preferred. The list is empty if a channel has no such message, which is
/// impossible for a cycle of the same arguments. Cost: as [`MeshDependencies::build`].
pub fn mesh_witnesses(faults: &BlockFaults, routing: &dyn WormRouting, cycle: &ChannelCycle) -> Vec<Pair> {
    let mesh = faults.mesh();
    let steps = cycle.steps();
    let mut found: Vec<Option<Pair>> = vec![None; cycle.channels.len()];
    let mut ways = StateSpace::default();
    for to in faults.members() {
        ways.rebuild(faults, routing, to);
        for (state, (way, &source)) in ways.all.iter().zip(&ways.sources).enumerate() {
            let Some((place, next)) = held_channel(mesh, way, routing).and_then(|held| steps.position(held)) else {
                continue;
            };
            let channel = |port, class| mesh_channel(mesh, way.here, port, class, routing.vc_classes(mesh));
            let waits = ways.choices(state).iter().any(|choice| channel(choice.port, choice.class) == next);
            // The shortest route is the easiest to follow.
            let length = |pair: Pair| mesh.distance(pair.from, pair.to);
            let pair = Pair { from: source, to };
            if waits && found[place].is_none_or(|other| length(pair) < length(other)) {
                found[place] = Some(pair);
            }
        }
    }
    found.into_iter().collect::<Option<_>>().unwrap_or_default()
}

/// Returns the channel that a message holds behind its header; `None` at its source.
pub(super) fn held_channel(mesh: Mesh, way: &RouteState, routing: &dyn WormRouting) -> Option<ChannelId> {
    let (port, class) = way.held?;
    let before = mesh.neighbor(way.here, port.opposite())?;
    Some(mesh_channel(mesh, before, port, class, routing.vc_classes(mesh)))
}
