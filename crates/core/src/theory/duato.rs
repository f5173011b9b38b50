//! Duato's condition for weakly adaptive wormhole routing: escape channels that lead everywhere and wait in no circle.
//!
//! A message may take adaptive channels as long as it is offered an escape channel besides, at every node, for which it can wait
//! for good. Then the plain dependency graph may have cycles and nothing deadlocks, provided that
//! - the escape channels are connected: wherever a message can come to, it is offered one, and escape channels alone lead it from
//!   there to its destination;
//! - their extended dependency graph has no cycle. In it an escape channel leads to those that a message which holds it may ask
//!   for next, at once (direct dependency) or after any number of adaptive channels (indirect dependency).
//!
//! Why nothing deadlocks then: of the escape channels that deadlocked messages hold take one from which the graph leads to no
//! other of them. Whoever holds it has only adaptive channels since, and asks for an escape channel to which the graph leads; so
//! nobody deadlocked holds that. If they hold none at all, the channel that any of them is offered is free.
//!
//! Duato's theorem knows cross dependencies, too, of channels that are escape channels for some destinations and adaptive for
//! others. Here the class of a channel says once and for all which it is, so that there are none. And his routing functions look
//! at node and destination only; here the argument is made over every state that a message can be in, its header and the channel
//! behind it included, and leaves out states that no message comes to.

use super::dependency::{ChannelId, DependencyGraph};
use super::ways::{Fate, Way, Ways};
use super::worms::{held, mesh_channel};
use crate::fault::BlockFaults;
use crate::routing::{WormChoice, WormRouting};
use crate::topology::NodeId;
use crate::traffic::Pair;

/// The most nodes of a mesh whose extended dependencies are built.
pub const MAX_DUATO_NODES: u32 = 1024;

/// The most nodes of a network in which escape classes are searched for.
pub const MAX_ESCAPE_SEARCH_NODES: u32 = 256;

/// The most classes of a routing of which escape classes are searched for.
pub const MAX_ESCAPE_SEARCH_CLASSES: u8 = 5;

/// A state in which escape channels fail a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stranded {
    /// Its source and its destination.
    pub pair: Pair,
    /// Where its header is.
    pub node: NodeId,
    /// Whether it waits there for adaptive channels alone, which may never be free. Else no channel at all is left to it, or its
    /// escape channels lead round in circles.
    pub waits: bool,
}

/// What Duato's condition asks of a routing on a mesh with faults, over all live pairs of the component that takes part and all
/// choices, found destination by destination.
pub struct ExtendedDependencies<'r> {
    faults: &'r BlockFaults,
    routing: &'r dyn WormRouting,
    /// The escape classes, a bit each.
    escapes: u32,
    /// For each escape channel that a message can hold, those it leads to, one bit each.
    rows: Vec<Vec<u64>>,
    ways: Ways,
    next: u64,
    stranded: Option<Stranded>,
}

impl<'r> ExtendedDependencies<'r> {
    /// With no destination looked at; `None` above [`MAX_DUATO_NODES`].
    pub fn new(faults: &'r BlockFaults, routing: &'r dyn WormRouting) -> Option<Self> {
        let declared = |class: &u8| routing.is_escape(faults.mesh(), *class);
        let escapes = (0..routing.classes(faults.mesh())).filter(declared).fold(0, |mask, class| mask | 1 << class);
        Self::with_escapes(faults, routing, escapes)
    }

    /// As [`ExtendedDependencies::new`], with the classes of `escapes`, a bit each, as escape classes instead of those that the
    /// routing declares.
    pub fn with_escapes(faults: &'r BlockFaults, routing: &'r dyn WormRouting, escapes: u32) -> Option<Self> {
        let mesh = faults.mesh();
        let channels = mesh.channels() * u32::from(routing.classes(mesh));
        let rows = (mesh.nodes() <= MAX_DUATO_NODES).then(|| vec![Vec::new(); channels as usize])?;
        Some(Self { faults, routing, escapes, rows, ways: Ways::default(), next: 0, stranded: None })
    }

    /// Searches for classes that meet the condition as escape classes, a set of as few as possible, and returns them in ascending
    /// order. All classes together are not tried. `None` if there are none, above [`MAX_ESCAPE_SEARCH_NODES`] nodes and above
    /// [`MAX_ESCAPE_SEARCH_CLASSES`] classes. Cost: as [`ExtendedDependencies::build`] for each set of classes.
    pub fn find_escapes(faults: &BlockFaults, routing: &dyn WormRouting) -> Option<Vec<u8>> {
        let (mesh, classes) = (faults.mesh(), routing.classes(faults.mesh()));
        if mesh.nodes() > MAX_ESCAPE_SEARCH_NODES || classes > MAX_ESCAPE_SEARCH_CLASSES {
            return None;
        }
        let sets =
            (1..classes.into()).flat_map(|size| (1..(1u32 << classes) - 1).filter(move |set| set.count_ones() == size));
        let holds = |&set: &u32| {
            let built = ExtendedDependencies::with_escapes(faults, routing, set).map(|mut all| {
                while all.work(1) && all.stranded().is_none() {}
                all
            });
            built.is_some_and(|all| all.stranded().is_none() && all.graph().acyclic_order().is_ok())
        };
        let found = { sets }.find(holds)?;
        Some((0..classes).filter(|class| found >> class & 1 == 1).collect())
    }

    /// All of it at once; `None` above [`MAX_DUATO_NODES`]. Cost: the cube of the nodes at most, some 100 ms on 16 x 16.
    pub fn build(faults: &'r BlockFaults, routing: &'r dyn WormRouting) -> Option<Self> {
        let mut all = Self::new(faults, routing)?;
        while all.work(1) {}
        Some(all)
    }

    /// Looks at the next `destinations`; whether there are more.
    pub fn work(&mut self, destinations: u32) -> bool {
        let nodes = u64::from(self.faults.mesh().nodes());
        let until = nodes.min(self.next + u64::from(destinations));
        let mut ways = std::mem::take(&mut self.ways);
        for to in (self.next..until).map(NodeId).filter(|&node| self.faults.takes_part(node)) {
            ways.look(self.faults, self.routing, to);
            self.extend(&ways);
            self.look_for_stranded(&ways, to);
        }
        self.ways = ways;
        self.next = until;
        until < nodes
    }

    /// The extended dependency graph so far, over the channels of the plain one; those of adaptive classes have no dependencies
    /// in it.
    pub fn graph(&self) -> DependencyGraph {
        let mut graph = DependencyGraph::new(self.rows.len() as u32);
        for (held, row) in (0..).map(ChannelId).zip(&self.rows) {
            for (first, &word) in (0..).step_by(64).zip(row) {
                let bits = (0..64).filter(|bit| word >> bit & 1 == 1);
                bits.for_each(|bit| graph.add_new(held, ChannelId(first + bit)));
            }
        }
        graph
    }

    /// A state that shows that the escape channels are not connected, as far as is known; `None` if they are. Of all such states
    /// one that waits, if there is any, of a message with a short way.
    pub fn stranded(&self) -> Option<Stranded> {
        self.stranded
    }

    fn is_escape_class(&self, class: u8) -> bool {
        self.escapes >> class & 1 == 1
    }

    /// Whether a channel that is chosen is an escape channel.
    fn is_escape(&self, choice: &WormChoice) -> bool {
        self.is_escape_class(choice.class)
    }

    /// The escape channel that a message holds behind its header, if it is one.
    fn held(&self, way: &Way) -> Option<ChannelId> {
        let (_, class) = way.held?;
        let mesh = self.faults.mesh();
        self.is_escape_class(class).then(|| held(mesh, way, self.routing))?
    }

    /// Notes what the messages to one destination depend on.
    fn extend(&mut self, ways: &Ways) {
        let words = self.rows.len().div_ceil(64);
        let mut seen = vec![usize::MAX; ways.all.len()];
        let mut rest = Vec::new();
        for (start, way) in ways.all.iter().enumerate() {
            let Some(held) = self.held(way) else { continue };
            let mut row = std::mem::take(&mut self.rows[held.0 as usize]);
            row.resize(words, 0);
            rest.push(start);
            seen[start] = start;
            while let Some(state) = rest.pop() {
                for (choice, &next) in ways.choices(state).iter().zip(ways.next(state)) {
                    if self.is_escape(choice) {
                        let wanted = self.channel(ways.all[state].here, choice).0 as usize;
                        row[wanted / 64] |= 1 << (wanted % 64);
                    } else if seen.get(next as usize).is_some_and(|&seen| seen != start) {
                        seen[next as usize] = start;
                        rest.push(next as usize);
                    }
                }
            }
            self.rows[held.0 as usize] = row;
        }
    }

    fn channel(&self, here: NodeId, choice: &WormChoice) -> ChannelId {
        let mesh = self.faults.mesh();
        mesh_channel(mesh, here, choice.port, choice.class, self.routing.classes(mesh))
    }

    /// Looks for states from which escape channels alone do not lead to the destination `to`.
    fn look_for_stranded(&mut self, ways: &Ways, to: NodeId) {
        let mesh = self.faults.mesh();
        let fates = ways.fates(|choice| self.is_escape(choice));
        // Those that wait first, then short ways.
        let rank = |it: &Stranded| (!it.waits, mesh.distance(it.pair.from, it.pair.to));
        for (state, _) in fates.iter().enumerate().filter(|(_, fate)| !matches!(fate, Fate::Arrives(_))) {
            let choices = ways.choices(state);
            let waits = !choices.is_empty() && !choices.iter().any(|choice| self.is_escape(choice));
            let pair = Pair { from: ways.sources[state], to };
            let found = Stranded { pair, node: ways.all[state].here, waits };
            if self.stranded.is_none_or(|known| rank(&found) < rank(&known)) {
                self.stranded = Some(found);
            }
        }
    }
}
