//! Duato's condition for weakly adaptive wormhole routing: connected escape channels without a
//! dependency cycle.
//!
//! A message may take adaptive channels as long as it is also offered, at every node, an escape
//! channel for which it can wait forever. The plain dependency graph may then have cycles. No
//! deadlock exists if two conditions hold:
//!
//! - The escape channels are connected. In every reachable state a message is offered an escape
//!   channel, and escape channels alone lead it from there to its destination.
//! - Their extended dependency graph is acyclic. In this graph an escape channel leads to each
//!   escape channel that a message which holds the first may request next. The request may follow
//!   at once (direct dependency) or after any number of adaptive channels (indirect dependency).
//!
//! Proof sketch: Suppose there is a deadlock. Among the escape channels that deadlocked messages
//! hold, take a channel from which the extended graph leads to no other such channel. The message
//! that holds this channel has acquired only adaptive channels since. The message requests an
//! escape channel to which the graph leads, so no deadlocked message holds the requested channel.
//! If the deadlocked messages hold no escape channel at all, the escape channel offered to any of
//! them is free.
//!
//! Duato's theorem also covers cross dependencies, of channels that are escape channels for some
//! destinations and adaptive for others. Here the class of a channel determines its role, so cross
//! dependencies do not occur. Duato's routing functions depend only on node and destination. Here
//! the condition is checked over every reachable state of a message, including its header and the
//! channel behind the header.

use super::dependency::{ChannelId, DependencyGraph};
use super::state_space::{RouteOutcome, RouteState, StateSpace};
use super::worm_dependencies::{held_channel, mesh_channel};
use crate::fault::BlockFaults;
use crate::routing::{VcRequest, WormRouting};
use crate::topology::NodeId;
use crate::traffic::Pair;

/// Maximum number of nodes of a mesh whose extended dependencies are built.
pub const MAX_DUATO_NODES: u32 = 1024;

/// Maximum number of nodes of a network for the search for escape classes.
pub const MAX_ESCAPE_SEARCH_NODES: u32 = 256;

/// Maximum number of classes of a routing for the search for escape classes.
pub const MAX_ESCAPE_SEARCH_CLASSES: u8 = 5;

/// State of a message that violates the connectivity of the escape channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EscapeViolation {
    /// Source and destination of the message.
    pub pair: Pair,
    /// Node of the message's header.
    pub node: NodeId,
    /// True if the message waits at the node only for adaptive channels, which may never become
    /// free. Otherwise the message has no output channel at all, or its escape channels lead into a
    /// livelock cycle.
    pub waits: bool,
}

/// Extended dependencies of a routing on a mesh with faults, over all pairs of the largest live
/// component and all choices.
///
/// The analysis processes one destination at a time.
pub struct ExtendedDependencies<'r> {
    faults: &'r BlockFaults,
    routing: &'r dyn WormRouting,
    /// Escape classes, one bit each.
    escapes: u32,
    /// Bit set, for each escape channel, of the escape channels to which it leads.
    rows: Vec<Vec<u64>>,
    ways: StateSpace,
    next: u64,
    violation: Option<EscapeViolation>,
}

impl<'r> ExtendedDependencies<'r> {
    /// Creates an analysis without any destination processed; `None` above [`MAX_DUATO_NODES`].
    pub fn new(faults: &'r BlockFaults, routing: &'r dyn WormRouting) -> Option<Self> {
        let declared = |class: &u8| routing.is_escape(faults.mesh(), *class);
        let escapes = (0..routing.vc_classes(faults.mesh())).filter(declared).fold(0, |mask, class| mask | 1 << class);
        Self::with_escapes(faults, routing, escapes)
    }

    /// Creates an analysis as [`ExtendedDependencies::new`] does, with other escape classes than
    /// the declared ones.
    ///
    /// The escape classes are those of `escapes`, one bit each.
    pub fn with_escapes(faults: &'r BlockFaults, routing: &'r dyn WormRouting, escapes: u32) -> Option<Self> {
        let mesh = faults.mesh();
        let channels = mesh.channel_table_size() * u32::from(routing.vc_classes(mesh));
        let rows = (mesh.nodes() <= MAX_DUATO_NODES).then(|| vec![Vec::new(); channels as usize])?;
        Some(Self { faults, routing, escapes, rows, ways: StateSpace::default(), next: 0, violation: None })
    }

    /// Searches for a smallest set of classes that meets the condition as escape classes, and
    /// returns it in ascending order.
    ///
    /// The set of all classes is not tried. `None` if no set qualifies, above
    /// [`MAX_ESCAPE_SEARCH_NODES`] nodes and above [`MAX_ESCAPE_SEARCH_CLASSES`] classes. Cost: as
    /// [`ExtendedDependencies::build`] for each set of classes.
    pub fn find_escapes(faults: &BlockFaults, routing: &dyn WormRouting) -> Option<Vec<u8>> {
        let (mesh, classes) = (faults.mesh(), routing.vc_classes(faults.mesh()));
        if mesh.nodes() > MAX_ESCAPE_SEARCH_NODES || classes > MAX_ESCAPE_SEARCH_CLASSES {
            return None;
        }
        let sets =
            (1..classes.into()).flat_map(|size| (1..(1u32 << classes) - 1).filter(move |set| set.count_ones() == size));
        let holds = |&set: &u32| {
            let built = ExtendedDependencies::with_escapes(faults, routing, set).map(|mut all| {
                while all.process(1) && all.violation().is_none() {}
                all
            });
            built.is_some_and(|all| all.violation().is_none() && all.graph().acyclic_order().is_ok())
        };
        let found = { sets }.find(holds)?;
        Some((0..classes).filter(|class| found >> class & 1 == 1).collect())
    }

    /// Runs the whole analysis; `None` above [`MAX_DUATO_NODES`]. Cost: the cube of the nodes at
    /// most, some 100 ms on 16 x 16.
    pub fn build(faults: &'r BlockFaults, routing: &'r dyn WormRouting) -> Option<Self> {
        let mut all = Self::new(faults, routing)?;
        while all.process(1) {}
        Some(all)
    }

    /// Processes the next `destinations` nodes. Returns whether any destination is left.
    pub fn process(&mut self, destinations: u32) -> bool {
        let nodes = u64::from(self.faults.mesh().nodes());
        let until = nodes.min(self.next + u64::from(destinations));
        let mut ways = std::mem::take(&mut self.ways);
        for to in (self.next..until).map(NodeId).filter(|&node| self.faults.is_member(node)) {
            ways.rebuild(self.faults, self.routing, to);
            self.extend(&ways);
            self.find_violations(&ways, to);
        }
        self.ways = ways;
        self.next = until;
        until < nodes
    }

    /// Returns the extended dependency graph so far, over the channels of the plain graph. Channels
    /// of adaptive classes have no dependencies.
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

    /// Returns a known state that shows that the escape channels are not connected; `None` if no
    /// such state is known.
    ///
    /// States in which the message waits come first, then messages with a short distance.
    pub fn violation(&self) -> Option<EscapeViolation> {
        self.violation
    }

    fn is_escape_class(&self, class: u8) -> bool {
        self.escapes >> class & 1 == 1
    }

    /// Returns whether `choice` is an escape channel.
    fn is_escape(&self, choice: &VcRequest) -> bool {
        self.is_escape_class(choice.class)
    }

    /// Returns the channel that a message holds behind its header, if it is an escape channel.
    fn held_escape_channel(&self, way: &RouteState) -> Option<ChannelId> {
        let (_, class) = way.held?;
        let mesh = self.faults.mesh();
        self.is_escape_class(class).then(|| held_channel(mesh, way, self.routing))?
    }

    /// Adds the dependencies of the messages to one destination.
    fn extend(&mut self, ways: &StateSpace) {
        let words = self.rows.len().div_ceil(64);
        let mut seen = vec![usize::MAX; ways.all.len()];
        let mut rest = Vec::new();
        for (start, way) in ways.all.iter().enumerate() {
            let Some(held) = self.held_escape_channel(way) else { continue };
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

    fn channel(&self, here: NodeId, choice: &VcRequest) -> ChannelId {
        let mesh = self.faults.mesh();
        mesh_channel(mesh, here, choice.port, choice.class, self.routing.vc_classes(mesh))
    }

    /// Searches for states from which escape channels alone do not lead to the destination `to`.
    fn find_violations(&mut self, ways: &StateSpace, to: NodeId) {
        let mesh = self.faults.mesh();
        let outcomes = ways.outcomes(|choice| self.is_escape(choice));
        // Waiting states come first, then short distances.
        let rank = |it: &EscapeViolation| (!it.waits, mesh.distance(it.pair.from, it.pair.to));
        for (state, _) in
            outcomes.iter().enumerate().filter(|(_, outcome)| !matches!(outcome, RouteOutcome::Arrives(_)))
        {
            let choices = ways.choices(state);
            let waits = !choices.is_empty() && !choices.iter().any(|choice| self.is_escape(choice));
            let pair = Pair { from: ways.sources[state], to };
            let found = EscapeViolation { pair, node: ways.all[state].here, waits };
            if self.violation.is_none_or(|known| rank(&found) < rank(&known)) {
                self.violation = Some(found);
            }
        }
    }
}
