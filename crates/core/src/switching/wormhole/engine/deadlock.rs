//! Detection of cyclic waits among worms.

use std::collections::VecDeque;

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::WormholeNetwork;
use crate::switching::wormhole::flits::IDLE;
use crate::switching::wormhole::message::PendingRequest;

/// A virtual channel of a physical channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeldChannel {
    /// Number of the physical channel in the mesh.
    pub channel: u32,
    /// Index of the virtual channel in the physical channel.
    pub virtual_channel: u8,
}

/// A message that waits in a deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WormDeadlockMember {
    /// Number of the message.
    pub number: u64,
    /// Virtual channel that the message holds and for which the previous message of the cycle
    /// waits. The last message comes before the first.
    pub holds: HeldChannel,
    /// Wanted virtual channels, each with the number of the message that holds it, which is
    /// deadlocked too.
    pub wants: Vec<(HeldChannel, u64)>,
}

/// A member of a knot. The messages of a knot wait only for virtual channels that members hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WormKnotMember {
    /// Number of the message.
    pub number: u64,
    /// Wanted virtual channels, each with the number of the message that holds it, a member of the
    /// set.
    pub wants: Vec<(HeldChannel, u64)>,
}

/// A deadlocked state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WormDeadlock {
    /// Cycle since which all messages of `cycle` have waited.
    pub since: u64,
    /// A shortest cycle of messages. Each message waits for a virtual channel of the next message,
    /// the last one for a virtual channel of the first.
    pub cycle: Vec<WormDeadlockMember>,
    /// A smallest set of messages that wait only for virtual channels of the set, by ascending
    /// number.
    pub knot: Vec<WormKnotMember>,
    /// Number of messages that will never move.
    pub messages: u64,
}

/// Wait-for graph of the headers, by index in the waiting list.
///
/// A header that will never move has its wanted virtual channels, each with the index of the
/// holder. The lists of all other headers are empty.
type WormWaitForGraph = Vec<Vec<(u32, usize)>>;

impl WormholeNetwork {
    /// Searches for a deadlock: a set of messages that wait only for virtual channels that messages
    /// of the set hold forever.
    ///
    /// `None` if every message can still move. Cost: proportional to the channels held and waited
    /// for.
    pub fn find_deadlock(&self) -> Option<WormDeadlock> {
        let stuck = self.kept_lane_holders();
        let dead = self.permanently_waiting(&stuck);
        let wants = |index: usize| {
            self.wanted_lanes(&self.vc_requests[index]).map(|lane| (lane, stuck[lane as usize] as usize))
        };
        let graph: WormWaitForGraph =
            (0..dead.len()).map(|index| if dead[index] { wants(index).collect() } else { vec![] }).collect();
        let message = |index: usize| &self.messages[self.vc_requests[index].slot as usize];
        let wants = |index: usize| -> Vec<_> {
            graph[index].iter().map(|&(lane, holder)| (self.held_channel(lane), message(holder).number)).collect()
        };
        let mut knot: Vec<_> = knot(&graph)
            .into_iter()
            .map(|index| WormKnotMember { number: message(index).number, wants: wants(index) })
            .collect();
        knot.sort_by_key(|member| member.number);
        let cycles = (0..graph.len()).filter_map(|index| shortest_cycle(&graph, index));
        let cycle = cycles.min_by_key(Vec::len)?;
        let entry = |position: usize| {
            let (index, _) = cycle[position];
            let (_, before) = cycle[(position + cycle.len() - 1) % cycle.len()];
            WormDeadlockMember { number: message(index).number, holds: self.held_channel(before), wants: wants(index) }
        };
        Some(WormDeadlock {
            since: cycle.iter().map(|&(index, _)| message(index).since).max().unwrap_or(0),
            cycle: (0..cycle.len()).map(entry).collect(),
            knot,
            messages: dead.iter().filter(|&&dead| dead).count() as u64,
        })
    }

    /// Returns, for each virtual channel, the index of the waiting header that would keep it
    /// forever.
    ///
    /// The index is [`IDLE`] if there is no such header. The body of a message closes up behind a
    /// waiting header. A stuck message thus keeps only the foremost virtual channels, as many as
    /// its flits fill.
    fn kept_lane_holders(&self) -> Vec<u32> {
        let mut holders = vec![IDLE; self.flits.nowhere() as usize + 1];
        for (index, waiting) in (0u32..).zip(&self.vc_requests) {
            let message = &self.messages[waiting.slot as usize];
            let length = self.flits.length(waiting.slot);
            let kept = usize::from(length).div_ceil(usize::from(self.config.buffer));
            for lane in self.lanes_of(message).take(kept) {
                holders[lane as usize] = index;
            }
        }
        holders
    }

    /// Returns for each waiting header whether it will never move.
    ///
    /// The search repeatedly removes headers with a wanted virtual channel that is idle or will
    /// become idle. The remaining headers never move.
    fn permanently_waiting(&self, stuck: &[u32]) -> Vec<bool> {
        let mut dead = vec![true; self.vc_requests.len()];
        loop {
            let mut changed = false;
            for (index, waiting) in self.vc_requests.iter().enumerate() {
                let is_kept = |lane: u32| dead.get(stuck[lane as usize] as usize).is_some_and(|&dead| dead);
                if dead[index] && !self.wanted_lanes(waiting).all(is_kept) {
                    dead[index] = false;
                    changed = true;
                }
            }
            if !changed {
                return dead;
            }
        }
    }

    /// Returns the virtual channels that are acceptable for a waiting header.
    fn wanted_lanes(&self, waiting: &PendingRequest) -> impl Iterator<Item = u32> + use<'_> {
        let message = &self.messages[waiting.slot as usize];
        let here = self.header_node(message);
        let pairs = message.choices.iter().map(move |choice| self.requested_vcs(here, choice));
        pairs.flat_map(move |(channel, wants)| {
            let virtual_channels = (0..32).filter(move |v| wants >> v & 1 == 1);
            virtual_channels.map(move |v| self.flits.lane(channel, v))
        })
    }

    fn held_channel(&self, lane: u32) -> HeldChannel {
        let (channel, v) = self.flits.channel(lane);
        HeldChannel { channel, virtual_channel: v as u8 }
    }
}

/// Returns a smallest strongly connected component without wait-for edges that leave it.
///
/// Headers that can still move have no edges and are never returned.
fn knot(graph: &WormWaitForGraph) -> Vec<usize> {
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

/// Returns a shortest cycle through `start`, `None` if there is none.
///
/// Each entry has a header, and the virtual channel of the next header for which it waits.
fn shortest_cycle(graph: &WormWaitForGraph, start: usize) -> Option<Vec<(usize, u32)>> {
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
