//! The channel dependency graph of wormhole routing on meshes and hypercubes, over classes of virtual channels.

use std::ops::Range;

use super::dependency::{ChannelId, Cycle, DependencyGraph};
use super::ways::{Fate, Way, Ways, outlet, outlets, places};
use crate::fault::BlockFaults;
use crate::routing::WormRouting;
use crate::topology::{Mesh, NodeId, Port};
use crate::traffic::Pair;

/// The most nodes of a mesh whose dependencies are built.
pub const MAX_DEPENDENCY_NODES: u32 = 4096;

/// The destinations that one thread looks at before it takes more: on a mesh with fewer nodes, more threads would be of no use.
#[cfg(feature = "threads")]
const PART: u64 = 512;

/// The most headers of all pairs of a hypercube together.
const MAX_STARTS: u64 = 1 << 20;

/// The class `class` of the channel out of `node` by `port`, under a routing with `classes` of them.
pub fn mesh_channel(mesh: Mesh, node: NodeId, port: Port, class: u8, classes: u8) -> ChannelId {
    ChannelId(mesh.channel(node, port) * u32::from(classes) + u32::from(class))
}

/// Node, port and class of a channel, the inverse of [`mesh_channel`].
pub fn mesh_channel_ends(mesh: Mesh, channel: ChannelId, classes: u8) -> (NodeId, Port, u8) {
    let (node, port) = mesh.channel_ends(channel.0 / u32::from(classes));
    (node, port, (channel.0 % u32::from(classes)) as u8)
}

/// What a routing does on a mesh with faults, over all live pairs of the component that takes part and all choices, found
/// destination by destination: the dependencies, a channel on each that a message which holds it may ask for next (Dally &
/// Seitz; Boppana & Chalasani section II), and whether every message arrives.
pub struct MeshDependencies<'r> {
    faults: &'r BlockFaults,
    routing: &'r dyn WormRouting,
    graph: DependencyGraph,
    /// For each place, where a channel is held, and each port and class that may be asked for from there, one bit: whether the graph
    /// has it.
    noted: Vec<u64>,
    arrivals: MeshArrivals,
}

/// Whether messages arrive, over all pairs looked at and all choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshArrivals {
    /// Ordered pairs of nodes.
    pub pairs: u64,
    /// Pairs whose message can come to a node where faults leave it no way on.
    pub lost: u64,
    /// Pairs whose message can go round in circles for ever: a livelock.
    pub circling: u64,
    /// A pair that is lost,
    pub loser: Option<Pair>,
    /// and one that goes round.
    pub circler: Option<Pair>,
    /// The most hops that a message of the other pairs can make.
    pub longest: u32,
    /// The most hops beyond a minimal path, and
    pub detour: u32,
    /// a pair that can make them.
    pub detoured: Option<Pair>,
}

impl<'r> MeshDependencies<'r> {
    /// With no destination looked at; `None` as [`MeshDependencies::build`] says.
    fn new(faults: &'r BlockFaults, routing: &'r dyn WormRouting) -> Option<Self> {
        let mesh = faults.mesh();
        let channels = mesh.channels() * u32::from(routing.classes(mesh));
        let starts = |(from, to)| routing.start_count(faults, from, to);
        let most = || faults.members().zip(faults.members().skip(1)).map(starts).max().unwrap_or(1);
        let all = |starts: u32| u64::from(mesh.nodes()).pow(2) * u64::from(starts);
        let small = mesh.nodes() <= MAX_DEPENDENCY_NODES && (!mesh.is_cube() || all(most()) <= MAX_STARTS);
        let graph = small.then(|| DependencyGraph::new(channels))?;
        let noted = vec![0; (places(mesh, routing) * outlets(mesh, routing)).div_ceil(64)];
        Some(Self { faults, routing, graph, noted, arrivals: MeshArrivals::default() })
    }

    /// With all destinations looked at; `None` above [`MAX_DEPENDENCY_NODES`], and of a hypercube whose messages draw from so many
    /// headers that there are more than 2^20 of them in all: above 64 nodes, if any node may be the intermediate one. Natively on the
    /// threads of the current rayon pool, with the same outcome for any number of them. Cost: the square of the nodes, some 100 ms on 16 x 16.
    pub fn build(faults: &'r BlockFaults, routing: &'r dyn WormRouting) -> Option<Self> {
        let mut all = Self::new(faults, routing)?;
        all.look_at_all();
        Some(all)
    }

    #[cfg(not(feature = "threads"))]
    fn look_at_all(&mut self) {
        self.look(0..u64::from(self.faults.mesh().nodes()));
    }

    #[cfg(feature = "threads")]
    fn look_at_all(&mut self) {
        use rayon::prelude::*;
        let nodes = u64::from(self.faults.mesh().nodes());
        let (faults, routing) = (self.faults, self.routing);
        let part = |start: u64| {
            let mut part = Self::new(faults, routing)?;
            part.look(start..nodes.min(start + PART));
            Some(part)
        };
        let parts: Vec<_> =
            (0..nodes.div_ceil(PART)).into_par_iter().filter_map(|number| part(number * PART)).collect();
        parts.iter().for_each(|part| self.join(part));
    }

    /// Looks at these destinations.
    fn look(&mut self, destinations: Range<u64>) {
        let mesh = self.faults.mesh();
        let mut ways = Ways::default();
        for to in destinations.map(NodeId).filter(|&node| self.faults.takes_part(node)) {
            ways.look(self.faults, self.routing, to);
            self.add(&ways);
            self.arrivals.add(mesh, to, &ways);
        }
    }

    /// Adds what has been found of the destinations that come next, as if they had been looked at one after the other.
    #[cfg(feature = "threads")]
    fn join(&mut self, next: &Self) {
        next.graph.each(|held, wanted| self.graph.add(held, wanted));
        self.arrivals.join(&next.arrivals);
    }

    /// Notes what the messages to one destination depend on.
    fn add(&mut self, ways: &Ways) {
        let mesh = self.faults.mesh();
        let (classes, outlets) = (self.routing.classes(mesh), outlets(mesh, self.routing));
        for (state, way) in ways.all.iter().enumerate() {
            if way.held.is_none() {
                continue;
            }
            for choice in ways.choices(state) {
                let bit = ways.place(way.here, way.held) * outlets + outlet(choice.port, choice.class, classes);
                if self.noted[bit / 64] >> (bit % 64) & 1 == 0 {
                    self.noted[bit / 64] |= 1 << (bit % 64);
                    let wanted = mesh_channel(mesh, way.here, choice.port, choice.class, classes);
                    held(mesh, way, self.routing).into_iter().for_each(|held| self.graph.add(held, wanted));
                }
            }
        }
    }

    /// The graph.
    pub fn graph(&self) -> &DependencyGraph {
        &self.graph
    }

    /// Whether messages arrive.
    pub fn arrivals(&self) -> MeshArrivals {
        self.arrivals
    }
}

impl MeshArrivals {
    /// A pair whose message may not arrive, lost if there is one, else circling.
    pub fn example(&self) -> Option<Pair> {
        self.loser.or(self.circler)
    }

    /// Adds the messages to one destination.
    fn add(&mut self, mesh: Mesh, to: NodeId, ways: &Ways) {
        let fates = ways.fates(|_| true);
        let mut starts = ways.starts.iter().peekable();
        while let Some(&first) = starts.next() {
            let from = ways.all[first as usize].here;
            // A source that draws its header has several starts, one after the other.
            let mut fate = fates[first as usize];
            while let Some(&other) = starts.next_if(|&&other| ways.all[other as usize].here == from) {
                fate = fate.max(fates[other as usize]);
            }
            self.count(Pair { from, to }, fate, mesh.distance(from, to));
        }
    }

    /// Adds those of the destinations that come next.
    #[cfg(feature = "threads")]
    fn join(&mut self, next: &Self) {
        self.pairs += next.pairs;
        self.lost += next.lost;
        self.circling += next.circling;
        self.loser = self.loser.or(next.loser);
        self.circler = self.circler.or(next.circler);
        self.longest = self.longest.max(next.longest);
        if next.detour > self.detour {
            (self.detour, self.detoured) = (next.detour, next.detoured);
        }
    }

    /// Counts the messages of a pair at this distance.
    pub(super) fn count(&mut self, pair: Pair, fate: Fate, distance: u32) {
        self.pairs += 1;
        match fate {
            Fate::Arrives(hops) => {
                self.longest = self.longest.max(hops);
                let detour = hops - distance;
                if detour > self.detour {
                    (self.detour, self.detoured) = (detour, Some(pair));
                }
            }
            Fate::Lost => {
                self.lost += 1;
                self.loser = self.loser.or(Some(pair));
            }
            Fate::Circles => {
                self.circling += 1;
                self.circler = self.circler.or(Some(pair));
            }
        }
    }
}

/// For each channel of a dependency cycle, in its order, a message that holds it and may ask for the next: the pair, and
/// where its header then is. Empty if one is missing, which for a cycle of the same arguments cannot be. Cost: as
/// [`MeshDependencies::build`].
pub fn mesh_witnesses(faults: &BlockFaults, routing: &dyn WormRouting, cycle: &Cycle) -> Vec<Pair> {
    let mesh = faults.mesh();
    let steps = cycle.steps();
    let mut found: Vec<Option<Pair>> = vec![None; cycle.channels.len()];
    let mut ways = Ways::default();
    for to in faults.members() {
        ways.look(faults, routing, to);
        for (state, (way, &source)) in ways.all.iter().zip(&ways.sources).enumerate() {
            let Some((place, next)) = held(mesh, way, routing).and_then(|held| steps.find(held)) else { continue };
            let channel = |port, class| mesh_channel(mesh, way.here, port, class, routing.classes(mesh));
            let waits = ways.choices(state).iter().any(|choice| channel(choice.port, choice.class) == next);
            // The shortest journey is the easiest to see.
            let length = |pair: Pair| mesh.distance(pair.from, pair.to);
            let pair = Pair { from: source, to };
            if waits && found[place].is_none_or(|other| length(pair) < length(other)) {
                found[place] = Some(pair);
            }
        }
    }
    found.into_iter().collect::<Option<_>>().unwrap_or_default()
}

/// The channel that a message holds behind its header; `None` at its source.
pub(super) fn held(mesh: Mesh, way: &Way, routing: &dyn WormRouting) -> Option<ChannelId> {
    let (port, class) = way.held?;
    let before = mesh.neighbor(way.here, port.opposite())?;
    Some(mesh_channel(mesh, before, port, class, routing.classes(mesh)))
}
