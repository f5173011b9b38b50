//! State space of the worms to one destination, and the outcomes of its states.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::Range;

use crate::fault::{BlockFaults, MixHasher};
use crate::routing::{VcRequest, VcRequests, WormHeader, WormPosition, WormRouting};
use crate::topology::{Mesh, NodeId, Port};

/// State of a message in transit: the node of the header, and the channel held behind the header.
#[derive(Clone, Copy, Debug)]
pub(super) struct RouteState {
    pub(super) here: NodeId,
    pub(super) header: WormHeader,
    pub(super) held: Option<(Port, u8)>,
}

/// Outcome of a message: the worst over its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RouteOutcome {
    /// The message arrives after at most this many hops.
    Arrives(u32),
    /// The message can reach a state without an output channel.
    Lost,
    /// The message can travel in a livelock cycle.
    Livelocks,
}

/// State space of messages to one destination.
///
/// Flat tables are reused across destinations to avoid allocations.
#[derive(Default)]
pub(super) struct StateSpace {
    to: NodeId,
    /// Number of classes of each channel.
    classes: u8,
    /// Number of virtual channels out of a node: ports times classes.
    outlets: usize,
    pub(super) all: Vec<RouteState>,
    /// Nearest source from which a message can reach each state.
    pub(super) sources: Vec<NodeId>,
    /// States at the sources.
    pub(super) starts: Vec<u32>,
    /// End of each state's choices in the tables `choices` and `next`, which are ordered by state.
    ends: Vec<u32>,
    choices: Vec<VcRequest>,
    /// State after each choice; [`NO_STATE`] if the choice leads out of the mesh.
    next: Vec<u32>,
    /// True for each state in which other messages can hold all channels that the message may take
    /// while it may wait for none of them.
    can_starve: Vec<bool>,
    known: StateInterner,
}

/// Interning table of states.
///
/// A place is a pair of node and held channel. Most places have few states, so the states of a
/// place form a linked list. Only states beyond the first [`StateInterner::CHAIN`] of a list are
/// hashed.
#[derive(Default)]
struct StateInterner {
    /// First state of each place; [`NO_STATE`] if the place has no state.
    first: Vec<u32>,
    /// Next state at the same place, and packed header, by state.
    others: Vec<(u32, u64)>,
    hashed: HashMap<(u32, u64), u32, BuildHasherDefault<MixHasher>>,
}

impl StateInterner {
    /// Maximum number of states of a place in the linked list.
    const CHAIN: usize = 8;

    /// Removes all states and sets the number of places.
    fn clear(&mut self, places: usize) {
        self.first.clear();
        self.first.resize(places, NO_STATE);
        self.others.clear();
        self.hashed.clear();
    }

    /// Returns the number of the state with header `header` at place `place`. A new state gets the
    /// next number.
    #[inline]
    fn find(&mut self, place: u32, header: u64) -> u32 {
        let new = self.others.len() as u32;
        let mut last = NO_STATE;
        let mut state = self.first[place as usize];
        for _ in 0..Self::CHAIN {
            if state == NO_STATE {
                match self.others.get_mut(last as usize) {
                    Some((next, _)) => *next = new,
                    None => self.first[place as usize] = new,
                }
                self.others.push((NO_STATE, header));
                return new;
            }
            let (next, other) = self.others[state as usize];
            if other == header {
                return state;
            }
            (last, state) = (state, next);
        }
        let found = *self.hashed.entry((place, header)).or_insert(new);
        if found == new {
            self.others.push((NO_STATE, header));
        }
        found
    }
}

/// Sentinel for the absence of a state.
pub(super) const NO_STATE: u32 = u32::MAX;

impl StateSpace {
    pub(super) fn to(faults: &BlockFaults, routing: &dyn WormRouting, to: NodeId) -> Self {
        let mut ways = Self::default();
        ways.rebuild(faults, routing, to);
        ways
    }

    /// Rebuilds the state space for messages to `to`.
    pub(super) fn rebuild(&mut self, faults: &BlockFaults, routing: &dyn WormRouting, to: NodeId) {
        self.clear(to);
        let mesh = faults.mesh();
        self.outlets = outlets(mesh, routing);
        self.classes = routing.vc_classes(mesh);
        self.known.clear(places(mesh, routing));
        for from in faults.members().filter(|&from| from != to) {
            for number in 0..routing.initial_header_count(faults, from, to) {
                let header = routing.initial_header(faults, from, to, number);
                let start = self.find(from, &header, None, from);
                self.starts.push(start);
            }
        }
        let mut choices = VcRequests::NONE;
        let mut at = 0;
        while let Some(&way) = self.all.get(at) {
            choices.clear();
            if way.here != to {
                let came = way.held.map(|(port, _)| port);
                routing.route_compute(
                    faults,
                    &WormPosition { here: way.here, to, input_port: came, header: way.header },
                    &mut choices,
                );
            }
            self.add_successors(faults, &way, &choices, self.sources[at]);
            at += 1;
        }
    }

    fn clear(&mut self, to: NodeId) {
        self.to = to;
        self.all.clear();
        self.sources.clear();
        self.starts.clear();
        self.ends.clear();
        self.choices.clear();
        self.next.clear();
        self.can_starve.clear();
    }

    /// Adds the choices and next states of a message in state `way`.
    fn add_successors(&mut self, faults: &BlockFaults, way: &RouteState, choices: &VcRequests, source: NodeId) {
        for choice in choices.iter() {
            let next = faults
                .mesh()
                .neighbor(way.here, choice.port)
                .map_or(NO_STATE, |here| self.find(here, &choice.header, Some((choice.port, choice.class)), source));
            self.choices.push(*choice);
            self.next.push(next);
        }
        self.ends.push(self.choices.len() as u32);
        self.can_starve.push(choices.can_starve());
    }

    /// Returns the number of a state. A new state is added to the space.
    ///
    /// The header has just been written field by field, so it is also read field by field and
    /// copied last. Reading it as wide words causes store-forwarding stalls, which took a quarter
    /// of the time of a dependency graph.
    #[inline]
    fn find(&mut self, here: NodeId, header: &WormHeader, held: Option<(Port, u8)>, source: NodeId) -> u32 {
        let state = self.known.find(self.position_index(here, held) as u32, pack_header(header));
        if state as usize == self.all.len() {
            self.all.push(RouteState { here, header: *header, held });
            self.sources.push(source);
        }
        state
    }

    /// Returns the index of a place, a pair of node and held channel into it, below [`places`].
    #[inline]
    pub(super) fn position_index(&self, here: NodeId, held: Option<(Port, u8)>) -> usize {
        let held = held.map_or(0, |(port, class)| 1 + outlet(port, class, self.classes));
        here.0 as usize * (1 + self.outlets) + held
    }

    /// Returns the choices of a message in `state`; none at the destination.
    #[inline]
    pub(super) fn choices(&self, state: usize) -> &[VcRequest] {
        &self.choices[self.range(state)]
    }

    /// Returns the state after each choice of `state`; [`NO_STATE`] for one that leads out of the
    /// mesh.
    #[inline]
    pub(super) fn next(&self, state: usize) -> &[u32] {
        &self.next[self.range(state)]
    }

    #[inline]
    fn range(&self, state: usize) -> Range<usize> {
        let start = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[state] as usize
    }

    /// Computes the outcome of every state if messages take only `permitted` choices. Cost: each
    /// choice twice at most.
    pub(super) fn outcomes(&self, permitted: impl Fn(&VcRequest) -> bool) -> Vec<RouteOutcome> {
        let mut outcomes = vec![None; self.all.len()];
        let mut path: Vec<SearchStep> = Vec::new();
        for state in 0..self.all.len() {
            if outcomes[state].is_none() {
                path.push(self.enter(state, &mut outcomes));
            }
            while let Some(step) = path.last_mut() {
                match self.unknown(step, &outcomes, &permitted) {
                    Some(next) => path.push(self.enter(next, &mut outcomes)),
                    None => {
                        outcomes[step.state] = Some(self.outcome(step));
                        path.pop();
                    }
                }
            }
        }
        outcomes.into_iter().map(|outcome| outcome.unwrap_or(RouteOutcome::Livelocks)).collect()
    }

    /// Starts a depth-first step in `state`. While the state is on the path, its outcome is
    /// [`RouteOutcome::Livelocks`], so that a successor that leads back to it is in a cycle.
    fn enter(&self, state: usize, outcomes: &mut [Option<RouteOutcome>]) -> SearchStep {
        outcomes[state] = Some(RouteOutcome::Livelocks);
        SearchStep { state, choice: self.range(state).start, worst: None }
    }

    /// Returns the next successor of the state of `step` with unknown outcome, and records the
    /// worst outcome of the successors before it.
    #[inline]
    fn unknown(
        &self,
        step: &mut SearchStep,
        outcomes: &[Option<RouteOutcome>],
        permitted: &impl Fn(&VcRequest) -> bool,
    ) -> Option<usize> {
        while step.choice < self.range(step.state).end {
            let next = self.next[step.choice];
            if next != NO_STATE && permitted(&self.choices[step.choice]) {
                let Some(outcome) = outcomes[next as usize] else { return Some(next as usize) };
                step.worst = step.worst.max(Some(outcome));
            }
            step.choice += 1;
        }
        None
    }

    /// Returns the outcome of the state of a step whose choices have all been examined.
    #[inline]
    fn outcome(&self, step: &SearchStep) -> RouteOutcome {
        // The message can be lost where other messages can hold all its choices.
        let can_starve = self.can_starve[step.state].then_some(RouteOutcome::Lost);
        match step.worst.max(can_starve) {
            Some(RouteOutcome::Arrives(hops)) => RouteOutcome::Arrives(hops + 1),
            Some(outcome) => outcome,
            None if self.all[step.state].here == self.to => RouteOutcome::Arrives(0),
            None => RouteOutcome::Lost,
        }
    }
}

/// State on the search path, with the progress of its evaluation.
struct SearchStep {
    state: usize,
    /// Next choice to examine, as an index into the table of all choices.
    choice: usize,
    /// Worst outcome of the choices before it.
    worst: Option<RouteOutcome>,
}

/// Returns the number of virtual channels out of a node: ports times classes.
pub(super) fn outlets(mesh: Mesh, routing: &dyn WormRouting) -> usize {
    mesh.ports().count() * usize::from(routing.vc_classes(mesh))
}

/// Returns the number of places: pairs of a node and the channel into it that a message holds
/// there, if any.
pub(super) fn places(mesh: Mesh, routing: &dyn WormRouting) -> usize {
    mesh.nodes() as usize * (1 + outlets(mesh, routing))
}

/// Returns the index of a virtual channel out of a node: class `class` of the channel at `port`.
#[inline]
pub(super) fn outlet(port: Port, class: u8, classes: u8) -> usize {
    usize::from(port.0) * usize::from(classes) + usize::from(class)
}

/// Packs a header into a word, injectively.
fn pack_header(header: &WormHeader) -> u64 {
    let small = [
        (header.region.map_or(0, |region| region.index() as u64 + 1), 16),
        (header.orientation.map_or(0, |way| way as u64 + 1), 2),
        (u64::from(header.message_type.number()), 6),
        (header.status as u64, 2),
        (u64::from(header.memory.number()), 22),
    ];
    small.into_iter().fold(0, |word, (part, bits)| word << bits | part)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::fault::block::{Orientation, RegionId};
    use crate::routing::{AlgorithmState, Header, WormStatus, WormType};

    #[test]
    fn packed_words_distinguish_all_headers() {
        let regions = || [0, 1, 2, 255].into_iter().map(RegionId::new).chain([None]);
        let ways = || Orientation::ALL.into_iter().map(Some).chain([None]);
        let kinds = || (0..10).map(|port| WormType::from_port(Port(port)));
        let stati = || [WormStatus::Normal, WormStatus::Misrouted, WormStatus::Affected];
        let small = (0..4).flat_map(|small| [AlgorithmState::State(small), AlgorithmState::Criterion(Header(small))]);
        let memories: Vec<_> =
            small.chain([AlgorithmState::Nothing, AlgorithmState::NoRoute, AlgorithmState::Marks(u16::MAX)]).collect();
        let mut words = HashSet::new();
        for (region, orientation) in regions().flat_map(|region| ways().map(move |way| (region, way))) {
            for (kind, status) in kinds().flat_map(|kind| stati().map(|status| (kind, status))) {
                for &memory in &memories {
                    let header = WormHeader { message_type: kind, status, orientation, region, memory };
                    assert!(words.insert(pack_header(&header)), "{header:?}");
                }
            }
        }
    }
}
