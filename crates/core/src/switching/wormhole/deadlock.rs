//! Messages that wait for each other for ever.

use std::collections::VecDeque;

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::Worms;
use super::flits::IDLE;
use super::message::Waiting;

/// A virtual channel of a physical channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeldChannel {
    /// The channel, by its number in the mesh.
    pub channel: u32,
    /// Which of its virtual channels.
    pub virtual_channel: u8,
}

/// A message that waits in a deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WormWait {
    /// Its number.
    pub number: u64,
    /// The virtual channel that it has and the message before it in the cycle, or the last one before the first, waits for.
    pub holds: HeldChannel,
    /// All that it waits for, each with the number of the message that has it: deadlocked too.
    pub wants: Vec<(HeldChannel, u64)>,
}

/// A message of a set in which each waits for virtual channels of the others only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WormKnot {
    /// Its number.
    pub number: u64,
    /// All that it waits for, each with the number of the message that has it, which is one of the set.
    pub wants: Vec<(HeldChannel, u64)>,
}

/// A deadlocked state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WormDeadlock {
    /// The cycle since which all messages of `cycle` have waited.
    pub since: u64,
    /// Messages of which each waits for a virtual channel of the next; the last one, for one of the first. As few as there
    /// are.
    pub cycle: Vec<WormWait>,
    /// A smallest set of messages each of which waits for virtual channels of the set only, by ascending number.
    pub knot: Vec<WormKnot>,
    /// The number of messages that will never move.
    pub messages: u64,
}

/// Who waits for whom among the headers that will never move, by their number in the list: each with the lanes that it
/// waits for and who has them.
type Graph = Vec<Vec<(u32, usize)>>;

impl Worms {
    /// Looks for a deadlock now: messages all of whose wanted virtual channels are held by others of them, which will
    /// never give them back. `None` if every message can still move. Cost: in proportion to the channels held and waited
    /// for.
    pub fn find_deadlock(&self) -> Option<WormDeadlock> {
        let stuck = self.stuck_holders();
        let dead = self.dead(&stuck);
        let wants =
            |index: usize| self.wanted_lanes(&self.waiting[index]).map(|lane| (lane, stuck[lane as usize] as usize));
        let graph: Graph =
            (0..dead.len()).map(|index| if dead[index] { wants(index).collect() } else { vec![] }).collect();
        let message = |index: usize| &self.messages[self.waiting[index].slot as usize];
        let wants = |index: usize| -> Vec<_> {
            graph[index].iter().map(|&(lane, holder)| (self.held(lane), message(holder).number)).collect()
        };
        let mut knot: Vec<_> = knot(&graph)
            .into_iter()
            .map(|index| WormKnot { number: message(index).number, wants: wants(index) })
            .collect();
        knot.sort_by_key(|member| member.number);
        let cycles = (0..graph.len()).filter_map(|index| shortest_cycle(&graph, index));
        let cycle = cycles.min_by_key(Vec::len)?;
        let entry = |position: usize| {
            let (index, _) = cycle[position];
            let (_, before) = cycle[(position + cycle.len() - 1) % cycle.len()];
            WormWait { number: message(index).number, holds: self.held(before), wants: wants(index) }
        };
        Some(WormDeadlock {
            since: cycle.iter().map(|&(index, _)| message(index).since).max().unwrap_or(0),
            cycle: (0..cycle.len()).map(entry).collect(),
            knot,
            messages: dead.iter().filter(|&&dead| dead).count() as u64,
        })
    }

    /// For every lane, the waiting header whose message will keep it if it never moves again, by its number in the list;
    /// [`IDLE`] if there is none. The body of a message closes up behind a header that waits, so that it keeps only the
    /// foremost lanes, as many as its flits fill.
    fn stuck_holders(&self) -> Vec<u32> {
        let kept = usize::from(self.terms.length).div_ceil(usize::from(self.terms.buffer));
        let mut holders = vec![IDLE; self.flits.nowhere() as usize + 1];
        for (index, waiting) in (0u32..).zip(&self.waiting) {
            let message = &self.messages[waiting.slot as usize];
            for lane in self.lanes_of(message).take(kept) {
                holders[lane as usize] = index;
            }
        }
        holders
    }

    /// Whether each waiting header will never move: those left when every one is struck out that wants a lane that is idle
    /// or will be.
    fn dead(&self, stuck: &[u32]) -> Vec<bool> {
        let mut dead = vec![true; self.waiting.len()];
        loop {
            let mut struck = false;
            for (index, waiting) in self.waiting.iter().enumerate() {
                let hopeless = |lane: u32| dead.get(stuck[lane as usize] as usize).is_some_and(|&dead| dead);
                if dead[index] && !self.wanted_lanes(waiting).all(hopeless) {
                    dead[index] = false;
                    struck = true;
                }
            }
            if !struck {
                return dead;
            }
        }
    }

    /// The lanes that would do for a waiting header.
    fn wanted_lanes(&self, waiting: &Waiting) -> impl Iterator<Item = u32> + use<'_> {
        let message = &self.messages[waiting.slot as usize];
        let here = self.here(message);
        let pairs = message.choices.iter().map(move |choice| self.ask(here, choice));
        pairs.flat_map(move |(channel, wants)| {
            let virtual_channels = (0..32).filter(move |v| wants >> v & 1 == 1);
            virtual_channels.map(move |v| self.flits.lane(channel, v))
        })
    }

    fn held(&self, lane: u32) -> HeldChannel {
        let (channel, v) = self.flits.channel(lane);
        HeldChannel { channel, virtual_channel: v as u8 }
    }
}

/// A smallest strongly connected component that nothing in it waits outside of, without the headers that can still move.
fn knot(graph: &Graph) -> Vec<usize> {
    let mut waits = DiGraph::<(), ()>::with_capacity(graph.len(), graph.len());
    let nodes: Vec<_> = (0..graph.len()).map(|_| waits.add_node(())).collect();
    for (index, wants) in graph.iter().enumerate() {
        wants.iter().for_each(|&(_, holder)| _ = waits.add_edge(nodes[index], nodes[holder], ()));
    }
    let closed = |part: &Vec<NodeIndex>| {
        let mut next = part.iter().flat_map(|&at| waits.neighbors(at)).peekable();
        next.peek().is_some() && next.all(|next| part.contains(&next))
    };
    let smallest = tarjan_scc(&waits).into_iter().filter(closed).min_by_key(Vec::len);
    smallest.unwrap_or_default().into_iter().map(NodeIndex::index).collect()
}

/// A shortest way from `start` back to it: the headers, each with the lane that it waits for of the next. `None` if there
/// is none.
fn shortest_cycle(graph: &Graph, start: usize) -> Option<Vec<(usize, u32)>> {
    let mut before: Vec<Option<(usize, u32)>> = vec![None; graph.len()];
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for &(lane, next) in &graph[at] {
            if before[next].is_some() {
                continue;
            }
            before[next] = Some((at, lane));
            if next == start {
                let back = |&(at, _): &(usize, u32)| if at == start { None } else { before[at] };
                let mut cycle: Vec<_> = std::iter::successors(before[start], back).collect();
                cycle.reverse();
                return Some(cycle);
            }
            queue.push_back(next);
        }
    }
    None
}
