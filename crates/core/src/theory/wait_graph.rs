//! Deadlocked sets: messages each of which waits only for channels that messages of the set hold.
//!
//! A message holds a chain of consecutive channels, and its header waits for any of the channels
//! that its routing permits at its node. A deadlock is a set of messages whose chains share no
//! channel, in which every channel that a header waits for belongs to a chain of the set.
//! [`WaitGraph`] decides in two steps whether there can be such a set:
//!
//! - **The greatest fixed point** ([`WaitGraph::prune`]). A header can wait forever only while all
//!   channels it may request are held. A channel can be held forever only by a message whose
//!   header, in this channel or farther along, can wait forever. The iteration starts from all
//!   reachable states and removes states and channels that fail these conditions until all
//!   remaining ones meet them. If no state is left, no deadlock exists, for messages of any length.
//!   This is the condition of Taktak, Desbarbieux & Encrenaz (2010) and of Verbeek & Schmaltz
//!   (2011), extended from packets in single channels to worms in chains. No state is left under a
//!   routing that meets Duato's condition. Proof: the set would contain an escape channel from
//!   which extended dependencies lead to no other escape channel of the set. The header of the
//!   message that holds this channel may request an escape channel, which the set does not hold.
//! - **The search for a set** ([`WaitGraph::find_set`]). The states that are left may overlap, but
//!   a channel cannot be held twice. A backtracking search assembles messages with disjoint chains;
//!   if it ends without a set, no deadlock exists.
//!
//! A set that is found need not be reachable; only a simulation shows that it can occur.
//!
//! Only states on cycles of the dependency graph are stored. The stored states suffice: in the
//! wait-for graph of a deadlock, the messages of a sink component also form a deadlock, and their
//! channels are in one strongly connected component of the dependency graph.

use std::collections::HashSet;

use super::dependency::{ChannelId, DependencyGraph};
use super::state_space::{NO_STATE, StateSpace};
use super::worm_dependencies::{held_channel, mesh_channel};
use crate::fault::BlockFaults;
use crate::routing::WormRouting;
use crate::topology::NodeId;
use crate::traffic::Pair;

/// Maximum number of states, some 60 bytes each.
pub const MAX_WAIT_STATES: usize = 2_000_000;

/// Maximum number of messages of a set that the search assembles.
const MAX_SET: usize = 96;

/// Step limit per start state in the first pass of the search.
const STEPS_OF_A_START: u64 = 2_000;

/// Deadlocked set of messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeadlockSet {
    /// Messages; no two hold the same channel.
    pub messages: Vec<WaitingMessage>,
}

/// Message of a deadlocked set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingMessage {
    /// Source from which the message can reach its state, and its destination.
    pub pair: Pair,
    /// Channels that the message holds, from its tail to its header.
    pub holds: Vec<ChannelId>,
    /// Channels that the header may request, all held by messages of the set.
    pub requests: Vec<ChannelId>,
}

/// Outcome of the search for a deadlocked set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetSearchResult {
    /// No set exists: the search was complete.
    None,
    /// The smallest set that the search found, not necessarily the smallest that exists.
    Found(DeadlockSet),
    /// No set was found within the steps.
    OutOfSteps,
}

/// States of messages to one destination, the input of [`WaitGraph`].
#[derive(Default)]
pub(super) struct DestinationStates {
    pub(super) to: NodeId,
    /// Channel held behind the header; `None` at a source.
    pub(super) held: Vec<Option<ChannelId>>,
    /// Source from which a message can reach each state.
    pub(super) sources: Vec<NodeId>,
    /// End of each state's choices in `wants` and `next`.
    pub(super) ends: Vec<u32>,
    /// Channel of each choice.
    pub(super) wants: Vec<ChannelId>,
    /// State after each choice.
    pub(super) next: Vec<u32>,
}

/// States in which messages hold channels on cycles of a dependency graph, over all destinations.
#[derive(Clone, Debug)]
pub struct WaitGraph {
    /// Component of the dependency graph of each channel; 0 if the channel is on no cycle.
    components: Vec<u32>,
    pairs: Vec<Pair>,
    held: Vec<u32>,
    /// End of each state's choices in `wants` and `next`.
    ends: Vec<u32>,
    wants: Vec<u32>,
    next: Vec<u32>,
    /// True for each state in which the header can wait forever.
    waits: Vec<bool>,
    /// True for each state that leads over held channels to a state in which the header can wait
    /// forever.
    alive: Vec<bool>,
    most: usize,
}

impl WaitGraph {
    /// Collects the states of worms between all nodes of the largest live component.
    ///
    /// `graph` is the dependency graph of the same arguments. `None` if there are more than
    /// [`MAX_WAIT_STATES`]. Cost: as [`super::MeshDependencies::build`].
    pub fn from_worms(faults: &BlockFaults, routing: &dyn WormRouting, graph: &DependencyGraph) -> Option<Self> {
        let mesh = faults.mesh();
        let classes = routing.vc_classes(mesh);
        let mut all = Self::new(graph);
        let (mut ways, mut states) = (StateSpace::default(), DestinationStates::default());
        for to in faults.members() {
            ways.rebuild(faults, routing, to);
            states.clear(to);
            for (state, way) in ways.all.iter().enumerate() {
                let choices = ways.choices(state).iter().zip(ways.next(state));
                let channel = |port, class| mesh_channel(mesh, way.here, port, class, classes);
                let choices = choices.map(|(choice, &next)| (channel(choice.port, choice.class), next));
                states.push(held_channel(mesh, way, routing), ways.sources[state], choices);
            }
            all.add(&states)?;
        }
        Some(all)
    }

    /// Creates an empty collection over the channels of `graph`.
    pub(super) fn new(graph: &DependencyGraph) -> Self {
        Self {
            components: graph.cyclic_components(),
            pairs: Vec::new(),
            held: Vec::new(),
            ends: Vec::new(),
            wants: Vec::new(),
            next: Vec::new(),
            waits: Vec::new(),
            alive: Vec::new(),
            most: MAX_WAIT_STATES,
        }
    }

    /// Adds the states of one destination that can lead to a wait for channels in the component of
    /// the held channel.
    ///
    /// `None` if the total number of states exceeds [`MAX_WAIT_STATES`].
    pub(super) fn add(&mut self, states: &DestinationStates) -> Option<()> {
        let component = |channel: ChannelId| self.components[channel.0 as usize];
        let count = states.held.len();
        let of: Vec<u32> = states.held.iter().map(|held| held.map_or(0, component)).collect();
        let waits = |state: usize| {
            let mut wants = states.choices(state).map(|(want, _)| component(want));
            of[state] != 0 && states.choices(state).next().is_some() && wants.all(|want| want == of[state])
        };
        // Search backward from the states that wait.
        let mut before = vec![Vec::new(); count];
        for state in (0..count).filter(|&state| of[state] != 0) {
            for (_, next) in states.choices(state) {
                if next != NO_STATE && of[next as usize] == of[state] {
                    before[next as usize].push(state as u32);
                }
            }
        }
        let waiting: Vec<bool> = (0..count).map(waits).collect();
        let mut kept = waiting.clone();
        let mut stack: Vec<u32> = (0..count as u32).filter(|&state| kept[state as usize]).collect();
        while let Some(state) = stack.pop() {
            for &earlier in &before[state as usize] {
                if !std::mem::replace(&mut kept[earlier as usize], true) {
                    stack.push(earlier);
                }
            }
        }
        let first = self.held.len() as u32;
        let mut number = vec![NO_STATE; count];
        for (place, state) in (0..count).filter(|&state| kept[state]).enumerate() {
            number[state] = first + place as u32;
        }
        for state in (0..count).filter(|&state| kept[state]) {
            let Some(held) = states.held[state] else { continue };
            self.held.push(held.0);
            self.pairs.push(Pair { from: states.sources[state], to: states.to });
            self.waits.push(waiting[state]);
            for (want, next) in states.choices(state) {
                let next = number.get(next as usize).copied().unwrap_or(NO_STATE);
                // A waiting state keeps all channels that it waits for.
                if waiting[state] || next != NO_STATE {
                    self.wants.push(want.0);
                    self.next.push(next);
                }
            }
            self.ends.push(self.wants.len() as u32);
        }
        (self.held.len() <= self.most).then_some(())
    }

    /// Returns the number of remaining states.
    pub fn len(&self) -> usize {
        if self.alive.is_empty() { self.held.len() } else { self.alive.iter().filter(|&&alive| alive).count() }
    }

    /// Returns whether no state remains, which proves that no deadlock exists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes states that cannot wait forever and channels that cannot be held forever, until
    /// nothing changes.
    ///
    /// Cost: linear in states and choices for each iteration. There are at most as many iterations
    /// as channels, usually about as many as hops in a route.
    pub fn prune(&mut self) {
        let states = self.held.len();
        let (starts, before) = self.predecessors();
        loop {
            self.alive = self.waits.clone();
            let mut stack: Vec<u32> = (0..states as u32).filter(|&state| self.waits[state as usize]).collect();
            while let Some(state) = stack.pop() {
                let earlier = starts[state as usize] as usize..starts[state as usize + 1] as usize;
                for &state in &before[earlier] {
                    if !std::mem::replace(&mut self.alive[state as usize], true) {
                        stack.push(state);
                    }
                }
            }
            let mut is_held = vec![false; self.components.len()];
            (0..states).filter(|&state| self.alive[state]).for_each(|state| is_held[self.held[state] as usize] = true);
            let mut removed = false;
            for state in 0..states {
                if self.waits[state] && !self.wants(state).iter().all(|&want| is_held[want as usize]) {
                    self.waits[state] = false;
                    removed = true;
                }
            }
            if !removed {
                return;
            }
        }
    }

    /// Returns the predecessors of all states: the start of each state's list in the second table,
    /// and the table.
    fn predecessors(&self) -> (Vec<u32>, Vec<u32>) {
        let mut starts = vec![0u32; self.held.len() + 1];
        self.next.iter().filter(|&&next| next != NO_STATE).for_each(|&next| starts[next as usize + 1] += 1);
        for state in 0..self.held.len() {
            starts[state + 1] += starts[state];
        }
        let (mut free, mut before) = (starts.clone(), vec![0; starts[self.held.len()] as usize]);
        for state in 0..self.held.len() {
            for &next in self.next(state).iter().filter(|&&next| next != NO_STATE) {
                before[free[next as usize] as usize] = state as u32;
                free[next as usize] += 1;
            }
        }
        (starts, before)
    }

    fn range(&self, state: usize) -> std::ops::Range<usize> {
        let start = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[state] as usize
    }

    fn wants(&self, state: usize) -> &[u32] {
        &self.wants[self.range(state)]
    }

    fn next(&self, state: usize) -> &[u32] {
        &self.next[self.range(state)]
    }

    /// Searches for a deadlocked set among the states that [`WaitGraph::prune`] has left, with at
    /// most `steps` steps.
    ///
    /// The first pass makes a short search from each state and keeps the smallest set. The second
    /// pass completes the searches that ran out of steps.
    pub fn find_set(&self, steps: u64) -> SetSearchResult {
        let mut search = WaitSetSearch::new(self);
        let mut starts: Vec<u32> = (0..self.held.len() as u32).filter(|&state| self.waits[state as usize]).collect();
        starts.sort_by_key(|&state| (self.wants(state as usize).len(), state));
        let mut best: Option<DeadlockSet> = None;
        let mut left = steps;
        let mut open = Vec::new();
        for &start in &starts {
            if left == 0 || best.as_ref().is_some_and(|best| best.messages.len() <= 2) {
                open.push(start);
                break;
            }
            let given = left.min(STEPS_OF_A_START);
            search.steps = given;
            let end = search.begin(start);
            left -= given - search.steps;
            match end {
                SearchOutcome::Found => {
                    let found = search.closed_set();
                    if best.as_ref().is_none_or(|best| found.messages.len() < best.messages.len()) {
                        best = Some(found);
                    }
                    // Later starts can only yield a smaller set, so they get half of the remaining
                    // steps.
                    left /= 2;
                }
                // No set has a message in this state.
                SearchOutcome::None => _ = search.banned.insert(start),
                SearchOutcome::OutOfSteps => open.push(start),
            }
            search.clear();
        }
        if let Some(best) = best {
            return SetSearchResult::Found(best);
        }
        for start in open {
            search.steps = left;
            let end = search.begin(start);
            left = search.steps;
            match end {
                SearchOutcome::Found => return SetSearchResult::Found(search.closed_set()),
                SearchOutcome::None => _ = search.banned.insert(start),
                SearchOutcome::OutOfSteps => return SetSearchResult::OutOfSteps,
            }
            search.clear();
        }
        SetSearchResult::None
    }
}

impl DestinationStates {
    /// Removes all states and sets the destination of the next ones.
    pub(super) fn clear(&mut self, to: NodeId) {
        self.to = to;
        self.held.clear();
        self.sources.clear();
        self.ends.clear();
        self.wants.clear();
        self.next.clear();
    }

    /// Adds a state with its choices, each a channel and the state after it.
    pub(super) fn push(
        &mut self,
        held: Option<ChannelId>,
        source: NodeId,
        choices: impl IntoIterator<Item = (ChannelId, u32)>,
    ) {
        self.held.push(held);
        self.sources.push(source);
        for (want, next) in choices {
            self.wants.push(want);
            self.next.push(next);
        }
        self.ends.push(self.wants.len() as u32);
    }

    fn choices(&self, state: usize) -> impl Iterator<Item = (ChannelId, u32)> {
        let start = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        let range = start as usize..self.ends[state] as usize;
        self.wants[range.clone()].iter().copied().zip(self.next[range].iter().copied())
    }
}

/// Outcome of the search from one state.
#[derive(Clone, Copy, PartialEq)]
enum SearchOutcome {
    Found,
    None,
    OutOfSteps,
}

/// Sentinel holder of a channel that no message holds.
const NO_MESSAGE: u32 = u32::MAX;

/// Backtracking search that assembles messages until every channel that a header waits for is held.
struct WaitSetSearch<'s> {
    states: &'s WaitGraph,
    /// For each channel, the remaining states in which a message holds the channel.
    holding: Vec<Vec<u32>>,
    /// States in which no message of a deadlocked set waits, as earlier searches have shown.
    banned: HashSet<u32>,
    /// States of each message, from its tail to its header.
    messages: Vec<Vec<u32>>,
    /// Message that holds each channel.
    holders: Vec<u32>,
    steps: u64,
}

impl<'s> WaitSetSearch<'s> {
    fn new(states: &'s WaitGraph) -> Self {
        let channels = states.components.len();
        let mut holding = vec![Vec::new(); channels];
        for state in (0..states.held.len()).filter(|&state| states.alive[state]) {
            holding[states.held[state] as usize].push(state as u32);
        }
        // Waiting states come first, then those that wait for few channels.
        for list in &mut holding {
            list.sort_by_key(|&state| (!states.waits[state as usize], states.wants(state as usize).len(), state));
        }
        let holders = vec![NO_MESSAGE; channels];
        Self { states, holding, banned: HashSet::new(), messages: Vec::new(), holders, steps: 0 }
    }

    fn clear(&mut self) {
        while let Some(message) = self.messages.pop() {
            message.iter().for_each(|&state| self.holders[self.states.held[state as usize] as usize] = NO_MESSAGE);
        }
    }

    fn channel(&self, state: u32) -> usize {
        self.states.held[state as usize] as usize
    }

    fn waits(&self, state: u32) -> bool {
        self.states.waits[state as usize] && !self.banned.contains(&state)
    }

    /// Assembles a set with a message whose header waits in `start`.
    fn begin(&mut self, start: u32) -> SearchOutcome {
        if !self.waits(start) {
            return SearchOutcome::None;
        }
        let channel = self.channel(start);
        self.holders[channel] = 0;
        self.messages.push(vec![start]);
        self.complete()
    }

    /// Adds messages until every channel that is waited for is held. Keeps the set on success,
    /// otherwise restores the state before the call.
    fn complete(&mut self) -> SearchOutcome {
        let Some(wanted) = self.most_wanted() else { return SearchOutcome::Found };
        if self.messages.len() >= MAX_SET {
            return SearchOutcome::OutOfSteps;
        }
        let options = std::mem::take(&mut self.holding[wanted]);
        let mut end = SearchOutcome::None;
        // Try messages whose header waits in this channel before those that hold channels beyond
        // it.
        for with_chain in [false, true] {
            for &state in &options {
                if end != SearchOutcome::None {
                    break;
                }
                if with_chain || self.waits(state) {
                    end = self.hold(vec![state], with_chain);
                }
            }
        }
        self.holding[wanted] = options;
        end
    }

    /// Adds a message that holds the channels of `chain`, or, with `farther`, of chains that
    /// continue from its last state.
    fn hold(&mut self, chain: Vec<u32>, farther: bool) -> SearchOutcome {
        let Some(left) = self.steps.checked_sub(1) else { return SearchOutcome::OutOfSteps };
        self.steps = left;
        let Some(&last) = chain.last() else { return SearchOutcome::None };
        if !farther {
            let number = self.messages.len() as u32;
            chain.iter().for_each(|&state| self.holders[self.states.held[state as usize] as usize] = number);
            self.messages.push(chain);
            let end = self.complete();
            if end == SearchOutcome::None
                && let Some(chain) = self.messages.pop()
            {
                chain.iter().for_each(|&state| self.holders[self.states.held[state as usize] as usize] = NO_MESSAGE);
            }
            return end;
        }
        for place in 0..self.states.next(last as usize).len() {
            let next = self.states.next(last as usize)[place];
            if next == NO_STATE || !self.states.alive[next as usize] {
                continue;
            }
            let channel = self.channel(next);
            if chain.iter().any(|&state| self.channel(state) == channel) {
                continue;
            }
            let end = match self.holders[channel] {
                NO_MESSAGE => {
                    let mut longer = chain.clone();
                    longer.push(next);
                    let end = if self.waits(next) { self.hold(longer.clone(), false) } else { SearchOutcome::None };
                    if end == SearchOutcome::None { self.hold(longer, true) } else { end }
                }
                // The next state is the tail of an existing message, which the chain extends.
                holder if self.messages[holder as usize].first() == Some(&next) => self.lengthen(&chain, holder),
                _ => SearchOutcome::None,
            };
            if end != SearchOutcome::None {
                return end;
            }
        }
        SearchOutcome::None
    }

    /// Extends message number `holder` backward by the channels of `chain`.
    fn lengthen(&mut self, chain: &[u32], holder: u32) -> SearchOutcome {
        for &state in chain {
            let channel = self.channel(state);
            self.holders[channel] = holder;
        }
        self.messages[holder as usize].splice(0..0, chain.iter().copied());
        let end = self.complete();
        if end == SearchOutcome::None {
            self.messages[holder as usize].drain(..chain.len());
            for &state in chain {
                let channel = self.channel(state);
                self.holders[channel] = NO_MESSAGE;
            }
        }
        end
    }

    /// Returns the free channel that the fewest states hold among the channels that headers wait
    /// for.
    fn most_wanted(&self) -> Option<usize> {
        let headers = self.messages.iter().filter_map(|message| message.last());
        let wanted = headers.flat_map(|&state| self.states.wants(state as usize)).map(|&want| want as usize);
        let free = wanted.filter(|&want| self.holders[want] == NO_MESSAGE);
        free.min_by_key(|&want| (self.holding[want].len(), want))
    }

    /// Returns the smallest subset of the assembled messages that wait only for each other.
    fn closed_set(&self) -> DeadlockSet {
        let waits_for = |message: usize| {
            let header = self.messages[message].last().copied().unwrap_or(NO_STATE);
            self.states.wants(header as usize).iter().map(|&want| self.holders[want as usize] as usize)
        };
        let closure = |first: usize| {
            let (mut members, mut at) = (vec![first], 0);
            while let Some(&member) = members.get(at) {
                at += 1;
                for other in waits_for(member) {
                    if !members.contains(&other) {
                        members.push(other);
                    }
                }
            }
            members
        };
        let smallest = (0..self.messages.len()).map(closure).min_by_key(Vec::len).unwrap_or_default();
        let message = |number: usize| {
            let chain = &self.messages[number];
            let (tail, header) = (chain[0] as usize, chain[chain.len() - 1] as usize);
            WaitingMessage {
                pair: self.states.pairs[tail],
                holds: chain.iter().map(|&state| ChannelId(self.states.held[state as usize])).collect(),
                requests: self.states.wants(header).iter().map(|&want| ChannelId(want)).collect(),
            }
        };
        DeadlockSet { messages: smallest.into_iter().map(message).collect() }
    }
}
