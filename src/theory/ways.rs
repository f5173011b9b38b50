//! Every state in which worms to one destination can be, and what can become of them there.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::fault::{BlockFaults, MixHasher};
use crate::routing::{WormAt, WormChoice, WormChoices, WormHeader, WormRouting};
use crate::topology::{NodeId, Port};

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

type Known = HashMap<(u64, u64), usize, BuildHasherDefault<MixHasher>>;

/// Every state in which a message to one destination can be.
pub(super) struct Ways {
    to: NodeId,
    pub(super) all: Vec<Way>,
    /// What it may ask for in each; nothing at the destination.
    pub(super) choices: Vec<WormChoices>,
    /// A source from which it may have come there; nearer ones come first.
    pub(super) sources: Vec<NodeId>,
    /// The states after each choice.
    pub(super) next: Vec<[usize; WormChoices::MOST]>,
    /// The states at the sources.
    pub(super) starts: Vec<usize>,
}

impl Ways {
    pub(super) fn to(faults: &BlockFaults, routing: &dyn WormRouting, to: NodeId) -> Self {
        let mesh = faults.mesh();
        let (all, choices, sources) = (Vec::new(), Vec::new(), Vec::new());
        let mut ways = Self { to, all, choices, sources, next: Vec::new(), starts: Vec::new() };
        let mut known = Known::default();
        for from in faults.members().filter(|&from| from != to) {
            for number in 0..routing.start_count(faults, from, to) {
                let header = routing.start(faults, from, to, number);
                let start = ways.find(&mut known, Way { here: from, header, held: None }, from);
                ways.starts.push(start);
            }
        }
        let mut at = 0;
        while at < ways.all.len() {
            let (way, source) = (ways.all[at], ways.sources[at]);
            let came = way.held.map(|(port, _)| port);
            let position = WormAt { here: way.here, to, came, header: way.header };
            let choices = if way.here == to { WormChoices::NONE } else { routing.choices(faults, &position) };
            let mut next = [usize::MAX; WormChoices::MOST];
            for (choice, next) in choices.iter().zip(&mut next) {
                let Some(here) = mesh.neighbor(way.here, choice.port) else { continue };
                let way = Way { here, header: choice.header, held: Some((choice.port, choice.class)) };
                *next = ways.find(&mut known, way, source);
            }
            ways.choices.push(choices);
            ways.next.push(next);
            at += 1;
        }
        ways
    }

    /// The number of a state, which is added if it is new.
    fn find(&mut self, known: &mut Known, way: Way, source: NodeId) -> usize {
        *known.entry(packed(&way)).or_insert_with(|| {
            self.all.push(way);
            self.sources.push(source);
            self.all.len() - 1
        })
    }

    /// What can become of a message in each state if it takes only choices that are `permitted`: from the ends backward; what is
    /// never reached so leads into a circle.
    pub(super) fn fates(&self, permitted: impl Fn(&WormChoice) -> bool) -> Vec<Fate> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.all.len()];
        let after = |state: usize| {
            let choices = self.choices[state].iter().zip(self.next[state]);
            choices.filter(|&(choice, next)| next != usize::MAX && permitted(choice)).map(|(_, next)| next)
        };
        let mut open: Vec<usize> = (0..self.all.len()).map(|state| after(state).count()).collect();
        for state in 0..self.all.len() {
            after(state).for_each(|next| before[next].push(state));
        }
        let mut fates = vec![Fate::Circles; self.all.len()];
        let mut ends: Vec<usize> = (0..self.all.len()).filter(|&state| open[state] == 0).collect();
        while let Some(state) = ends.pop() {
            // One that other messages can corner can be lost there.
            let cornered = self.choices[state].is_cornered().then_some(Fate::Lost);
            let worst = after(state).map(|next| fates[next]).chain(cornered).max();
            fates[state] = match worst {
                Some(Fate::Arrives(hops)) => Fate::Arrives(hops + 1),
                Some(fate) => fate,
                None if self.all[state].here == self.to => Fate::Arrives(0),
                None => Fate::Lost,
            };
            for &state in &before[state] {
                open[state] -= 1;
                if open[state] == 0 {
                    ends.push(state);
                }
            }
        }
        fates
    }
}

/// A state as two words.
fn packed(way: &Way) -> (u64, u64) {
    let header = way.header;
    let small = [
        (header.region.map_or(0, |region| region.index() as u64 + 1), 16),
        (header.orientation.map_or(0, |way| way as u64 + 1), 2),
        (u64::from(header.kind.number()), 6),
        (header.status as u64, 2),
        (u64::from(header.memory.number()), 22),
    ];
    let held = way.held.map_or(0, |(port, class)| 1 + u64::from(port.0) + 32 * u64::from(class));
    (way.here.0 << 16 | held, small.into_iter().fold(0, |word, (part, bits)| word << bits | part))
}
