//! Deadlocked sets: messages each of which waits only for channels that messages of the set hold.
//!
//! A message holds a chain of channels, one behind the other, and its header waits for any of the channels that its routing
//! permits at its node. A deadlock is a set of messages whose chains share no channel, in which every channel that a header
//! waits for belongs to a chain of the set. [`WaitStates`] decides in two steps whether there can be such a set:
//!
//! - **The greatest fixed point** ([`WaitStates::prune`]). A header can wait for good only while all channels it may ask for
//!   are held. A channel can be held for good only by a message whose header, in this channel or farther along, can wait for
//!   good. Starting from all states that messages come to, states and channels that fail this are removed until none does.
//!   If nothing is left, no deadlock exists, for messages of any length. This is the condition of Taktak, Desbarbieux &
//!   Encrenaz (2010) and of Verbeek & Schmaltz (2011), extended from packets in single channels to worms in chains. It implies
//!   Duato's: take an escape channel in the set from which extended dependencies lead to no other one of the set; the header
//!   of the message that holds it is offered an escape channel, which the set does not hold.
//! - **The search for a set** ([`WaitStates::find_set`]). What is left of the fixed point may overlap: the same channel cannot
//!   be held twice. A backtracking search assembles messages with disjoint chains; if it ends without one, no deadlock exists.
//!
//! A set that is found need not be reachable: only a run of the engine shows that it is.
//!
//! Only states on cycles of the dependency graph are kept: of the messages of a deadlock, those of a sink component of "waits
//! for a channel of" are a deadlock too, and their channels lie in one strongly connected component.

use std::collections::HashSet;

use super::dependency::{ChannelId, DependencyGraph};
use super::ways::{NOWHERE, Ways};
use super::worms::{held, mesh_channel};
use crate::fault::BlockFaults;
use crate::routing::WormRouting;
use crate::topology::NodeId;
use crate::traffic::Pair;

/// The most states that are kept, some 60 bytes each.
pub const MAX_WAIT_STATES: usize = 2_000_000;

/// The most messages of a set that the search assembles.
const MAX_SET: usize = 96;

/// The steps that one start of the search may take in the first pass.
const STEPS_OF_A_START: u64 = 2_000;

/// A deadlocked set of messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitSet {
    /// The messages; none holds a channel of another.
    pub messages: Vec<WaitingMessage>,
}

/// A message of a deadlocked set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingMessage {
    /// A source from which it can come there, and its destination.
    pub pair: Pair,
    /// The channels it holds, from its tail to its header.
    pub holds: Vec<ChannelId>,
    /// The channels its header may ask for, all held by messages of the set.
    pub wants: Vec<ChannelId>,
}

/// Outcome of the search for a deadlocked set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetSearch {
    /// There is none: the search has gone through all.
    None,
    /// A small one of those that were found.
    Found(WaitSet),
    /// None was found within the steps.
    OutOfSteps,
}

/// The states of messages to one destination, as the tables of [`WaitStates`] are filled from them.
#[derive(Default)]
pub(super) struct DestinationStates {
    pub(super) to: NodeId,
    /// The channel held behind the header; `None` at a source.
    pub(super) held: Vec<Option<ChannelId>>,
    /// A source from which a message can come to each state.
    pub(super) sources: Vec<NodeId>,
    /// The end of each state's choices in `wants` and `next`.
    pub(super) ends: Vec<u32>,
    /// The channel of each choice, and the state after it.
    pub(super) wants: Vec<ChannelId>,
    pub(super) next: Vec<u32>,
}

/// The states in which messages hold channels on cycles of a dependency graph, over all destinations.
#[derive(Clone, Debug)]
pub struct WaitStates {
    /// For each channel its component of the dependency graph; 0 if it is on no cycle.
    components: Vec<u32>,
    pairs: Vec<Pair>,
    held: Vec<u32>,
    /// The end of each state's choices in `wants` and `next`.
    ends: Vec<u32>,
    wants: Vec<u32>,
    next: Vec<u32>,
    /// True for each state in which the header can wait for good.
    waits: Vec<bool>,
    /// True for each state that leads to one in which the header can wait for good, over held channels.
    alive: Vec<bool>,
    most: usize,
}

impl WaitStates {
    /// The states of worms between all nodes that take part. `graph` is the dependency graph of the same arguments. `None` if
    /// there are more than [`MAX_WAIT_STATES`]. Cost: as [`super::MeshDependencies::build`].
    pub fn of_worms(faults: &BlockFaults, routing: &dyn WormRouting, graph: &DependencyGraph) -> Option<Self> {
        let mesh = faults.mesh();
        let classes = routing.classes(mesh);
        let mut all = Self::new(graph);
        let (mut ways, mut states) = (Ways::default(), DestinationStates::default());
        for to in faults.members() {
            ways.look(faults, routing, to);
            states.clear(to);
            for (state, way) in ways.all.iter().enumerate() {
                let choices = ways.choices(state).iter().zip(ways.next(state));
                let channel = |port, class| mesh_channel(mesh, way.here, port, class, classes);
                let choices = choices.map(|(choice, &next)| (channel(choice.port, choice.class), next));
                states.push(held(mesh, way, routing), ways.sources[state], choices);
            }
            all.add(&states)?;
        }
        Some(all)
    }

    /// No states yet, over the channels of `graph`.
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

    /// Adds those states of one destination from which a header comes to wait for channels of the component in which it holds
    /// some. `None` if there are too many.
    pub(super) fn add(&mut self, states: &DestinationStates) -> Option<()> {
        let component = |channel: ChannelId| self.components[channel.0 as usize];
        let count = states.held.len();
        let of: Vec<u32> = states.held.iter().map(|held| held.map_or(0, component)).collect();
        let waits = |state: usize| {
            let mut wants = states.choices(state).map(|(want, _)| component(want));
            of[state] != 0 && states.choices(state).next().is_some() && wants.all(|want| want == of[state])
        };
        // Backward from the states that wait.
        let mut before = vec![Vec::new(); count];
        for state in (0..count).filter(|&state| of[state] != 0) {
            for (_, next) in states.choices(state) {
                if next != NOWHERE && of[next as usize] == of[state] {
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
        let mut number = vec![NOWHERE; count];
        for (place, state) in (0..count).filter(|&state| kept[state]).enumerate() {
            number[state] = first + place as u32;
        }
        for state in (0..count).filter(|&state| kept[state]) {
            let Some(held) = states.held[state] else { continue };
            self.held.push(held.0);
            self.pairs.push(Pair { from: states.sources[state], to: states.to });
            self.waits.push(waiting[state]);
            for (want, next) in states.choices(state) {
                let next = number.get(next as usize).copied().unwrap_or(NOWHERE);
                // A state that waits has to know all it waits for.
                if waiting[state] || next != NOWHERE {
                    self.wants.push(want.0);
                    self.next.push(next);
                }
            }
            self.ends.push(self.wants.len() as u32);
        }
        (self.held.len() <= self.most).then_some(())
    }

    /// The number of states that are left.
    pub fn len(&self) -> usize {
        if self.alive.is_empty() { self.held.len() } else { self.alive.iter().filter(|&&alive| alive).count() }
    }

    /// Returns whether no state is left: there is no deadlock.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes what cannot wait, or be held, for good until nothing more can be removed. Cost: states and choices, once for
    /// each round; there are at most as many rounds as channels, and as a rule about as many as hops in a route.
    pub fn prune(&mut self) {
        let states = self.held.len();
        let (starts, before) = self.reversed();
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

    /// The states before each state: where those of each begin in the second table.
    fn reversed(&self) -> (Vec<u32>, Vec<u32>) {
        let mut starts = vec![0u32; self.held.len() + 1];
        self.next.iter().filter(|&&next| next != NOWHERE).for_each(|&next| starts[next as usize + 1] += 1);
        for state in 0..self.held.len() {
            starts[state + 1] += starts[state];
        }
        let (mut free, mut before) = (starts.clone(), vec![0; starts[self.held.len()] as usize]);
        for state in 0..self.held.len() {
            for &next in self.next(state).iter().filter(|&&next| next != NOWHERE) {
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

    /// Searches for a deadlocked set among the states that [`WaitStates::prune`] has left, for `steps` steps at most: first a
    /// little from each state, the smallest set counts; then all of it.
    pub fn find_set(&self, steps: u64) -> SetSearch {
        let mut search = Search::new(self);
        let mut starts: Vec<u32> = (0..self.held.len() as u32).filter(|&state| self.waits[state as usize]).collect();
        starts.sort_by_key(|&state| (self.wants(state as usize).len(), state));
        let mut best: Option<WaitSet> = None;
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
                End::Found => {
                    let found = search.closed_set();
                    if best.as_ref().is_none_or(|best| found.messages.len() < best.messages.len()) {
                        best = Some(found);
                    }
                    // Later starts are tried for a smaller set only.
                    left /= 2;
                }
                // No set has a message in this state.
                End::None => _ = search.banned.insert(start),
                End::OutOfSteps => open.push(start),
            }
            search.clear();
        }
        if let Some(best) = best {
            return SetSearch::Found(best);
        }
        for start in open {
            search.steps = left;
            let end = search.begin(start);
            left = search.steps;
            match end {
                End::Found => return SetSearch::Found(search.closed_set()),
                End::None => _ = search.banned.insert(start),
                End::OutOfSteps => return SetSearch::OutOfSteps,
            }
            search.clear();
        }
        SetSearch::None
    }
}

impl DestinationStates {
    /// Forgets all states; from now on they are those of messages to `to`.
    pub(super) fn clear(&mut self, to: NodeId) {
        self.to = to;
        self.held.clear();
        self.sources.clear();
        self.ends.clear();
        self.wants.clear();
        self.next.clear();
    }

    /// Adds a state with its choices: the channel, and the state after it.
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

/// The outcome of the search from one state.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Found,
    None,
    OutOfSteps,
}

/// No message.
const NO_MESSAGE: u32 = u32::MAX;

/// A backtracking search that assembles messages until every channel that one waits for is held.
struct Search<'s> {
    states: &'s WaitStates,
    /// For each channel the states that hold it and are alive.
    holding: Vec<Vec<u32>>,
    /// States in which no message of a set waits.
    banned: HashSet<u32>,
    /// The messages: the states of each, from its tail to its header.
    messages: Vec<Vec<u32>>,
    /// For each channel the message that holds it.
    holders: Vec<u32>,
    steps: u64,
}

impl<'s> Search<'s> {
    fn new(states: &'s WaitStates) -> Self {
        let channels = states.components.len();
        let mut holding = vec![Vec::new(); channels];
        for state in (0..states.held.len()).filter(|&state| states.alive[state]) {
            holding[states.held[state] as usize].push(state as u32);
        }
        // Those that wait at once first, of few other channels.
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
    fn begin(&mut self, start: u32) -> End {
        if !self.waits(start) {
            return End::None;
        }
        let channel = self.channel(start);
        self.holders[channel] = 0;
        self.messages.push(vec![start]);
        self.complete()
    }

    /// Adds messages until nothing that is waited for is free. The set stays when it is found, else what was is restored.
    fn complete(&mut self) -> End {
        let Some(wanted) = self.most_wanted() else { return End::Found };
        if self.messages.len() >= MAX_SET {
            return End::OutOfSteps;
        }
        let options = std::mem::take(&mut self.holding[wanted]);
        let mut end = End::None;
        // A message whose header waits in this channel, before one that goes on from there.
        for with_chain in [false, true] {
            for &state in &options {
                if end != End::None {
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

    /// Has a message hold the channels of `chain`, or, `farther`, of chains that go on from its last state.
    fn hold(&mut self, chain: Vec<u32>, farther: bool) -> End {
        let Some(left) = self.steps.checked_sub(1) else { return End::OutOfSteps };
        self.steps = left;
        let Some(&last) = chain.last() else { return End::None };
        if !farther {
            let number = self.messages.len() as u32;
            chain.iter().for_each(|&state| self.holders[self.states.held[state as usize] as usize] = number);
            self.messages.push(chain);
            let end = self.complete();
            if end == End::None
                && let Some(chain) = self.messages.pop()
            {
                chain.iter().for_each(|&state| self.holders[self.states.held[state as usize] as usize] = NO_MESSAGE);
            }
            return end;
        }
        for place in 0..self.states.next(last as usize).len() {
            let next = self.states.next(last as usize)[place];
            if next == NOWHERE || !self.states.alive[next as usize] {
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
                    let end = if self.waits(next) { self.hold(longer.clone(), false) } else { End::None };
                    if end == End::None { self.hold(longer, true) } else { end }
                }
                // The tail of a message that is there already.
                holder if self.messages[holder as usize].first() == Some(&next) => self.lengthen(&chain, holder),
                _ => End::None,
            };
            if end != End::None {
                return end;
            }
        }
        End::None
    }

    /// Has the message of number `holder` hold the channels of `chain`, too, behind those that it has.
    fn lengthen(&mut self, chain: &[u32], holder: u32) -> End {
        for &state in chain {
            let channel = self.channel(state);
            self.holders[channel] = holder;
        }
        self.messages[holder as usize].splice(0..0, chain.iter().copied());
        let end = self.complete();
        if end == End::None {
            self.messages[holder as usize].drain(..chain.len());
            for &state in chain {
                let channel = self.channel(state);
                self.holders[channel] = NO_MESSAGE;
            }
        }
        end
    }

    /// A channel that is waited for and free, of those the one that fewest states hold.
    fn most_wanted(&self) -> Option<usize> {
        let headers = self.messages.iter().filter_map(|message| message.last());
        let wanted = headers.flat_map(|&state| self.states.wants(state as usize)).map(|&want| want as usize);
        let free = wanted.filter(|&want| self.holders[want] == NO_MESSAGE);
        free.min_by_key(|&want| (self.holding[want].len(), want))
    }

    /// Of the messages that were found, the fewest that wait for each other only.
    fn closed_set(&self) -> WaitSet {
        let waits_for = |message: usize| {
            let header = self.messages[message].last().copied().unwrap_or(NOWHERE);
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
                wants: self.states.wants(header).iter().map(|&want| ChannelId(want)).collect(),
            }
        };
        WaitSet { messages: smallest.into_iter().map(message).collect() }
    }
}
