//! Oblivious routing with a cyclic dependency graph that cannot deadlock (Schwiebert; thesis section 2.1,
//! the footnote).
//!
//! Dally & Seitz's condition, an order of the channels, is not necessary if messages that could wait for
//! each other must share a channel first: they then pass one after the other, and each is gone before
//! the next can close the cycle. The network here is smaller than Schwiebert's. A source s has one
//! channel to a hub x. The hub has a channel to each node of a one-way ring. Message type i enters the
//! ring at its own node, follows its part of the ring and the first channel of the next part, and leaves.

use std::collections::HashSet;

/// Network of one source whose message types share the first channel and then meet on a one-way ring.
/// Only the messages of the source use these channels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedSource {
    /// Number of channels from the hub to the ring, for each message type; at least 1 for all but one type.
    pub access: Vec<u8>,
    /// Number of channels of the part of the ring that belongs to each message type, at least 1.
    pub parts: Vec<u8>,
    /// True if all types leave the source by one channel; otherwise each type has a source and a channel of
    /// its own.
    pub is_shared: bool,
    /// True if a header may enter a channel in the cycle in which the last flit of another message leaves;
    /// otherwise in the next one.
    pub reuses_at_once: bool,
}

/// Result of an exhaustive search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReachableStates {
    /// Number of different states reached.
    pub states: usize,
    /// True if a reached state is a deadlock. The search ends there.
    pub deadlocks: bool,
}

/// Flit in a one-flit channel: its message type, and whether it is the last of its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Flit {
    kind: u8,
    is_last: bool,
}

/// Content of every channel.
type State = Vec<Option<Flit>>;

/// Message in the network: its type, and the first and last of its channels, as positions on its path.
#[derive(Clone, Copy)]
struct Worm {
    kind: usize,
    tail: usize,
    head: usize,
}

/// Network with numbered channels.
struct Numbered<'a> {
    network: &'a SharedSource,
    channels: usize,
    paths: Vec<Vec<usize>>,
    ring: Vec<Vec<usize>>,
}

impl SharedSource {
    /// Returns the number of channels of the dependency cycle: all of the ring.
    ///
    /// A message holds the last channel of its part while it waits for the next part, so the dependency
    /// graph is cyclic.
    pub fn cycle_length(&self) -> usize {
        self.parts.iter().map(|&part| usize::from(part)).sum()
    }

    /// Searches all states that messages can reach: any number of messages of each type and of any length,
    /// sent at any time, with every outcome of arbitration. A header moves whenever its next channel is
    /// free, and a message's flits move with it.
    ///
    /// A deadlock is a state in which every part of the ring is full of flits of its own type. No other
    /// cyclic wait exists: a message that has left its part is leaving the network. `None` if more than
    /// `most` states are reached, or the network is impossible: fewer than two types, a part without
    /// channels, or two types without access channels. Cost: a few microseconds for each state.
    pub fn search(&self, most: usize) -> Option<ReachableStates> {
        let numbered = Numbered::new(self)?;
        let empty: State = vec![None; numbered.channels];
        let mut seen = HashSet::from([empty.clone()]);
        let mut rest = vec![empty];
        while let Some(state) = rest.pop() {
            if numbered.is_deadlock(&state) {
                return Some(ReachableStates { states: seen.len(), deadlocks: true });
            }
            for next in numbered.successors(&state) {
                if seen.insert(next.clone()) {
                    rest.push(next);
                }
            }
            if seen.len() > most {
                return None;
            }
        }
        Some(ReachableStates { states: seen.len(), deadlocks: false })
    }
}

impl<'a> Numbered<'a> {
    fn new(network: &'a SharedSource) -> Option<Self> {
        let kinds = network.access.len();
        let shortcuts = network.access.iter().filter(|&&count| count == 0).count();
        if kinds < 2 || network.parts.len() != kinds || network.parts.contains(&0) || shortcuts > 1 {
            return None;
        }
        let sources = if network.is_shared { 1 } else { kinds };
        let mut channels = sources;
        let mut take = |count: &u8| {
            channels += usize::from(*count);
            (channels - usize::from(*count)..channels).collect::<Vec<_>>()
        };
        let access: Vec<_> = network.access.iter().map(&mut take).collect();
        let ring: Vec<_> = network.parts.iter().map(&mut take).collect();
        let path = |kind: usize| {
            let first = if network.is_shared { 0 } else { kind };
            let next = ring[(kind + 1) % kinds][0];
            [first].into_iter().chain(access[kind].iter().copied()).chain(ring[kind].iter().copied()).chain([next])
        };
        let paths = (0..kinds).map(|kind| path(kind).collect()).collect();
        Some(Self { network, channels, paths, ring })
    }

    fn is_deadlock(&self, state: &State) -> bool {
        let is_own = |kind: usize, channel: usize| state[channel].is_some_and(|flit| usize::from(flit.kind) == kind);
        self.ring.iter().enumerate().all(|(kind, part)| part.iter().all(|&channel| is_own(kind, channel)))
    }

    /// Returns the messages in the network. A flit follows the flit of its type ahead of it unless that is the
    /// last of its message.
    fn worms(&self, state: &State) -> Vec<Worm> {
        let mut worms = Vec::new();
        for (kind, path) in self.paths.iter().enumerate() {
            let flit = |place: usize| {
                let flit = state[*path.get(place)?]?;
                (usize::from(flit.kind) == kind).then_some(flit)
            };
            let mut tail = None;
            for place in (0..path.len()).filter(|&place| flit(place).is_some()) {
                let first = *tail.get_or_insert(place);
                if flit(place + 1).is_none_or(|ahead| ahead.is_last) {
                    worms.push(Worm { kind, tail: first, head: place });
                    tail = None;
                }
            }
        }
        worms
    }

    /// Returns the states of the next cycle.
    fn successors(&self, state: &State) -> Vec<State> {
        let worms = self.worms(state);
        let wanted: Vec<Option<usize>> =
            worms.iter().map(|worm| self.paths[worm.kind].get(worm.head + 1).copied()).collect();
        let mut next = Vec::new();
        for moving in self.movements(state, &worms, &wanted) {
            let mut moved = state.clone();
            let flits =
                |worm: &Worm| (worm.tail..=worm.head).map(|place| self.paths[worm.kind][place]).collect::<Vec<_>>();
            let mut growing = Vec::new();
            for &worm in &moving {
                flits(&worms[worm]).iter().for_each(|&channel| moved[channel] = None);
            }
            for &worm in &moving {
                let (worm, held) = (&worms[worm], flits(&worms[worm]));
                let ahead = held.iter().skip(1).copied().chain(self.paths[worm.kind].get(worm.head + 1).copied());
                held.iter().zip(ahead).for_each(|(&from, to)| moved[to] = state[from]);
                if worm.tail == 0 && state[held[0]].is_some_and(|flit| !flit.is_last) {
                    growing.push((held[0], worm.kind));
                }
            }
            self.send(state, moved, &growing, &mut next);
        }
        next
    }

    /// Returns the sets of messages that may move in one cycle, by arbitration.
    fn movements(&self, state: &State, worms: &[Worm], wanted: &[Option<usize>]) -> Vec<Vec<usize>> {
        // The last flit of a moving message makes its channel free.
        let frees = |worm: usize, channel: usize| {
            let held = self.paths[worms[worm].kind][worms[worm].tail];
            held == channel && state[held].is_some_and(|flit| flit.is_last)
        };
        let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
        // In the order of their path, a message comes after those whose channel it may take over only in some
        // orders, so the messages that may move are collected until nothing changes.
        let mut able: Vec<bool> = wanted.iter().map(|wanted| wanted.is_none_or(|to| state[to].is_none())).collect();
        let follower = |able: &[bool]| {
            (0..worms.len()).find(|&worm| {
                let freed = |to| (0..worms.len()).any(|other| other != worm && able[other] && frees(other, to));
                self.network.reuses_at_once && !able[worm] && wanted[worm].is_some_and(freed)
            })
        };
        while let Some(worm) = follower(&able) {
            able[worm] = true;
        }
        for worm in (0..worms.len()).filter(|&worm| able[worm]) {
            let rivals = |set: &Vec<usize>| {
                set.iter().position(|&other| wanted[worm].is_some() && wanted[other] == wanted[worm])
            };
            let split = sets.iter().filter_map(|set| {
                let place = rivals(set)?;
                let mut other = set.clone();
                other[place] = worm;
                Some(other)
            });
            let split: Vec<_> = split.collect();
            sets.iter_mut().filter(|set| rivals(set).is_none()).for_each(|set| set.push(worm));
            sets.extend(split);
        }
        // A message that lost an arbitration does not free its channel.
        let is_valid = |set: &Vec<usize>| {
            let has_room = |&worm: &usize| {
                wanted[worm]
                    .is_none_or(|to| state[to].is_none() || set.iter().any(|&other| other != worm && frees(other, to)))
            };
            set.iter().all(has_room)
        };
        sets.retain(is_valid);
        sets
    }

    /// Adds the states after the sources have acted: messages that left a source's channel partly continue
    /// or end, and a free source may begin one of any type.
    fn send(&self, before: &State, moved: State, growing: &[(usize, usize)], next: &mut Vec<State>) {
        let sources = if self.network.is_shared { 1 } else { self.paths.len() };
        let mut states = vec![moved];
        for source in 0..sources {
            let flit = |kind: usize, is_last: bool| Some(Flit { kind: kind as u8, is_last });
            let grown = growing.iter().find(|(channel, _)| *channel == source).map(|&(_, kind)| kind);
            let is_free = states[0][source].is_none() && (before[source].is_none() || self.network.reuses_at_once);
            let choices: Vec<Option<Flit>> = match grown {
                Some(kind) => vec![flit(kind, false), flit(kind, true)],
                None if is_free => {
                    let kinds = if self.network.is_shared { 0..self.paths.len() } else { source..source + 1 };
                    kinds.flat_map(|kind| [flit(kind, false), flit(kind, true)]).chain([None]).collect()
                }
                None => vec![states[0][source]],
            };
            let with = |state: &State| {
                let state = state.clone();
                choices.clone().into_iter().map(move |choice| {
                    let mut state = state.clone();
                    state[source] = choice;
                    state
                })
            };
            states = states.iter().flat_map(with).collect();
        }
        next.extend(states);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(access: &[u8], parts: &[u8], is_shared: bool, reuses_at_once: bool) -> ReachableStates {
        let network = SharedSource { access: access.to_vec(), parts: parts.to_vec(), is_shared, reuses_at_once };
        network.search(200_000).unwrap()
    }

    /// The numbers of states are those of another program, with other data structures.
    #[test]
    fn three_types_behind_one_channel_never_deadlock() {
        let found = search(&[1, 1, 1], &[1, 1, 1], true, false);
        assert_eq!(found, ReachableStates { states: 391, deadlocks: false });
        let found = search(&[1, 1, 1], &[1, 1, 1], true, true);
        assert_eq!(found, ReachableStates { states: 1567, deadlocks: false });
        assert_eq!(search(&[1, 1], &[2, 2], true, false), ReachableStates { states: 295, deadlocks: false });
    }

    /// Without the shared channel, or with paths of other lengths, the same cycle is reached.
    #[test]
    fn other_networks_with_the_same_cycle_deadlock() {
        for reuses_at_once in [false, true] {
            assert!(search(&[1, 1, 1], &[1, 1, 1], false, reuses_at_once).deadlocks);
            assert!(search(&[1, 2], &[2, 2], true, reuses_at_once).deadlocks);
        }
        assert!(search(&[1, 1], &[2, 2], true, true).deadlocks);
    }

    #[test]
    fn impossible_networks_are_rejected() {
        let network = |access: &[u8], parts: &[u8]| {
            let (access, parts) = (access.to_vec(), parts.to_vec());
            SharedSource { access, parts, is_shared: true, reuses_at_once: true }.search(100)
        };
        assert_eq!([network(&[1], &[1]), network(&[1, 1], &[1]), network(&[1, 1], &[1, 0])], [None; 3]);
        // The hub cannot be on the ring twice.
        assert_eq!(network(&[0, 0], &[1, 1]), None);
    }
}
