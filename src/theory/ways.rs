//! Every state in which worms to one destination can be, and what can become of them there.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::Range;

use crate::fault::{BlockFaults, MixHasher};
use crate::routing::{WormAt, WormChoice, WormChoices, WormHeader, WormRouting};
use crate::topology::{Mesh, NodeId, Port};

/// A message on its way: where its header is, and the channel that it holds behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) here: NodeId,
    pub(super) header: WormHeader,
    pub(super) held: Option<(Port, u8)>,
}

/// What can become of a message, the worst of its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fate {
    /// It arrives, after so many hops at most.
    Arrives(u32),
    /// It can come where there is no way on.
    Lost,
    /// It can go round in circles.
    Circles,
}

/// Every state in which a message to one destination can be. One table after the other, so that many destinations can be looked
/// at without asking for memory anew.
#[derive(Default)]
pub(super) struct Ways {
    to: NodeId,
    /// The classes of a channel, and of all channels out of a node together.
    classes: u8,
    outlets: usize,
    pub(super) all: Vec<Way>,
    /// A source from which it may have come there; nearer ones come first.
    pub(super) sources: Vec<NodeId>,
    /// The states at the sources.
    pub(super) starts: Vec<u32>,
    /// Where the choices of each state end in the tables of choices, in which those of one state follow those of the one before.
    ends: Vec<u32>,
    choices: Vec<WormChoice>,
    /// The state after each choice; [`NOWHERE`] if it leads out of the mesh.
    next: Vec<u32>,
    /// Whether other messages can leave it nothing to take and nothing to wait for.
    cornered: Vec<bool>,
    known: Known,
}

/// Finds a state again. Of the states at one place few differ in their headers: those follow each other, and only what is beyond
/// the first of them is hashed.
#[derive(Default)]
struct Known {
    /// For each place, which is a node and the channel held there, its first state; [`NOWHERE`] if it has none.
    first: Vec<u32>,
    /// For each state the next one at the same place; its header.
    others: Vec<(u32, u64)>,
    hashed: HashMap<(u32, u64), u32, BuildHasherDefault<MixHasher>>,
}

impl Known {
    /// The states at a place that are looked at one after the other.
    const CHAIN: usize = 8;

    /// Forgets all states; from now on places are below `places`.
    fn clear(&mut self, places: usize) {
        self.first.clear();
        self.first.resize(places, NOWHERE);
        self.others.clear();
        self.hashed.clear();
    }

    /// The number of the state with this header at this place; the next number if it is new.
    #[inline]
    fn find(&mut self, place: u32, header: u64) -> u32 {
        let new = self.others.len() as u32;
        let mut last = NOWHERE;
        let mut state = self.first[place as usize];
        for _ in 0..Self::CHAIN {
            if state == NOWHERE {
                match self.others.get_mut(last as usize) {
                    Some((next, _)) => *next = new,
                    None => self.first[place as usize] = new,
                }
                self.others.push((NOWHERE, header));
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
            self.others.push((NOWHERE, header));
        }
        found
    }
}

/// No state.
pub(super) const NOWHERE: u32 = u32::MAX;

impl Ways {
    pub(super) fn to(faults: &BlockFaults, routing: &dyn WormRouting, to: NodeId) -> Self {
        let mut ways = Self::default();
        ways.look(faults, routing, to);
        ways
    }

    /// Forgets what it has, and looks at the messages to `to`.
    pub(super) fn look(&mut self, faults: &BlockFaults, routing: &dyn WormRouting, to: NodeId) {
        self.clear(to);
        let mesh = faults.mesh();
        self.outlets = outlets(mesh, routing);
        self.classes = routing.classes(mesh);
        self.known.clear(mesh.nodes() as usize * (1 + self.outlets));
        for from in faults.members().filter(|&from| from != to) {
            for number in 0..routing.start_count(faults, from, to) {
                let header = routing.start(faults, from, to, number);
                let start = self.find(Way { here: from, header, held: None }, from);
                self.starts.push(start);
            }
        }
        let mut choices = WormChoices::NONE;
        let mut at = 0;
        while let Some(&way) = self.all.get(at) {
            choices.clear();
            if way.here != to {
                let came = way.held.map(|(port, _)| port);
                routing.choose(faults, &WormAt { here: way.here, to, came, header: way.header }, &mut choices);
            }
            self.go_on(faults, &way, &choices, self.sources[at]);
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
        self.cornered.clear();
    }

    /// Notes what a message that is in state `way` may do next.
    fn go_on(&mut self, faults: &BlockFaults, way: &Way, choices: &WormChoices, source: NodeId) {
        for choice in choices.iter() {
            let next = faults.mesh().neighbor(way.here, choice.port).map_or(NOWHERE, |here| {
                self.find(Way { here, header: choice.header, held: Some((choice.port, choice.class)) }, source)
            });
            self.choices.push(*choice);
            self.next.push(next);
        }
        self.ends.push(self.choices.len() as u32);
        self.cornered.push(choices.is_cornered());
    }

    /// The number of a state, which is added if it is new.
    fn find(&mut self, way: Way, source: NodeId) -> u32 {
        let held = way.held.map_or(0, |(port, class)| 1 + outlet(port, class, self.classes));
        let place = way.here.0 as usize * (1 + self.outlets) + held;
        let state = self.known.find(place as u32, packed(&way.header));
        if state as usize == self.all.len() {
            self.all.push(way);
            self.sources.push(source);
        }
        state
    }

    /// What a message may ask for in `state`; nothing at the destination.
    #[inline]
    pub(super) fn choices(&self, state: usize) -> &[WormChoice] {
        &self.choices[self.range(state)]
    }

    /// The states after each of these choices; [`NOWHERE`] for one that leads out of the mesh.
    #[inline]
    pub(super) fn next(&self, state: usize) -> &[u32] {
        &self.next[self.range(state)]
    }

    #[inline]
    fn range(&self, state: usize) -> Range<usize> {
        let start = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[state] as usize
    }

    /// The states after the choices in `state` that are `permitted`.
    fn after<'w>(
        &'w self,
        state: usize,
        permitted: &'w impl Fn(&WormChoice) -> bool,
    ) -> impl Iterator<Item = usize> + 'w {
        let choices = self.choices(state).iter().zip(self.next(state));
        choices.filter(|&(choice, &next)| next != NOWHERE && permitted(choice)).map(|(_, &next)| next as usize)
    }

    /// What can become of a message in each state if it takes only choices that are `permitted`: from the ends backward; what is
    /// never reached so leads into a circle.
    pub(super) fn fates(&self, permitted: impl Fn(&WormChoice) -> bool) -> Vec<Fate> {
        let states = 0..self.all.len();
        let mut open: Vec<u32> = states.clone().map(|state| self.after(state, &permitted).count() as u32).collect();
        let before = self.before(&permitted);
        let mut fates = vec![Fate::Circles; self.all.len()];
        let mut ends: Vec<usize> = states.filter(|&state| open[state] == 0).collect();
        while let Some(state) = ends.pop() {
            // One that other messages can corner can be lost there.
            let cornered = self.cornered[state].then_some(Fate::Lost);
            let worst = self.after(state, &permitted).map(|next| fates[next]).chain(cornered).max();
            fates[state] = match worst {
                Some(Fate::Arrives(hops)) => Fate::Arrives(hops + 1),
                Some(fate) => fate,
                None if self.all[state].here == self.to => Fate::Arrives(0),
                None => Fate::Lost,
            };
            for &state in before.of(state) {
                let open = &mut open[state as usize];
                *open -= 1;
                if *open == 0 {
                    ends.push(state as usize);
                }
            }
        }
        fates
    }

    /// The states before each, by choices that are `permitted`.
    fn before(&self, permitted: &impl Fn(&WormChoice) -> bool) -> Before {
        // Counted, then summed up to where each one's begin, then filled in from there.
        let mut places = vec![0u32; self.all.len() + 1];
        let pairs =
            || (0..self.all.len()).flat_map(|state| self.after(state, permitted).map(move |next| (state, next)));
        pairs().for_each(|(_, next)| places[next] += 1);
        let mut sum = 0;
        for place in &mut places {
            sum += std::mem::replace(place, sum);
        }
        let mut states = vec![0; sum as usize];
        for (state, next) in pairs() {
            states[places[next] as usize] = state as u32;
            places[next] += 1;
        }
        Before { places, states }
    }
}

/// For each state those from which a choice leads there.
struct Before {
    /// Where each one's end.
    places: Vec<u32>,
    states: Vec<u32>,
}

impl Before {
    fn of(&self, state: usize) -> &[u32] {
        let start = state.checked_sub(1).map_or(0, |before| self.places[before]);
        &self.states[start as usize..self.places[state] as usize]
    }
}

/// The classes of all channels out of a node together.
pub(super) fn outlets(mesh: Mesh, routing: &dyn WormRouting) -> usize {
    mesh.ports().count() * usize::from(routing.classes(mesh))
}

/// The number of a class of the channel by `port` among them.
#[inline]
pub(super) fn outlet(port: Port, class: u8, classes: u8) -> usize {
    usize::from(port.0) * usize::from(classes) + usize::from(class)
}

/// A header as a word.
fn packed(header: &WormHeader) -> u64 {
    let small = [
        (header.region.map_or(0, |region| region.index() as u64 + 1), 16),
        (header.orientation.map_or(0, |way| way as u64 + 1), 2),
        (u64::from(header.kind.number()), 6),
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
    use crate::routing::{Header, WormMemory, WormStatus, WormType};

    /// Headers are told apart by their words alone.
    #[test]
    fn every_header_has_a_word_of_its_own() {
        let regions = || [0, 1, 2, 255].into_iter().map(RegionId::new).chain([None]);
        let ways = || Orientation::ALL.into_iter().map(Some).chain([None]);
        let kinds = || (0..10).map(|port| WormType::towards(Port(port)));
        let stati = || [WormStatus::Normal, WormStatus::Misrouted, WormStatus::Affected];
        let small = (0..4).flat_map(|small| [WormMemory::State(small), WormMemory::Criterion(Header(small))]);
        let memories: Vec<_> =
            small.chain([WormMemory::Nothing, WormMemory::NoRoute, WormMemory::Marks(u16::MAX)]).collect();
        let mut words = HashSet::new();
        for (region, orientation) in regions().flat_map(|region| ways().map(move |way| (region, way))) {
            for (kind, status) in kinds().flat_map(|kind| stati().map(|status| (kind, status))) {
                for &memory in &memories {
                    let header = WormHeader { kind, status, orientation, region, memory };
                    assert!(words.insert(packed(&header)), "{header:?}");
                }
            }
        }
    }
}
