//! Detection of cyclic waits among circuits (Chiu, Chalasani & Raghavendra, Definition 1).

use std::collections::VecDeque;

use petgraph::graph::{DiGraph, NodeIndex};

use super::CircuitNetwork;
use crate::switching::circuit::SetupPolicy;
use crate::switching::circuit::link;
use crate::switching::circuit::links::NONE;
use crate::topology::{Link, set_dimensions};

/// A message that waits in a deadlock. Messages are identified by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingCircuit {
    /// Number of the message.
    pub number: u64,
    /// Links for which the message waits, each with the message that holds it, which is deadlocked
    /// too.
    pub wants: Vec<(Link, u64)>,
}

/// A deadlocked state. In a mesh, the dimension of a link is the number of its port.
#[derive(Clone, Debug, PartialEq)]
pub struct Deadlock {
    /// Start of the deadlock, in mean transmission times. All messages of [`Deadlock::knot`] have
    /// waited since then.
    pub time: f64,
    /// A shortest cycle of messages. Each message waits for the given link, which the next message
    /// holds. The last message waits for a link of the first.
    pub cycle: Vec<(u64, Link)>,
    /// A smallest set of messages that wait only for links of messages in the set, by ascending
    /// number. The knot contains the cycle.
    pub knot: Vec<WaitingCircuit>,
    /// Number of messages that will never move, including messages outside the knot that wait for
    /// messages in it.
    pub messages: u64,
}

/// Buffers of the deadlock search, reused to avoid allocation.
#[derive(Clone, Debug, Default)]
pub(in crate::switching::circuit) struct Scratch {
    /// Messages to visit.
    stack: Vec<u32>,
    /// Number of the last search that visited each slot.
    seen: Vec<u64>,
    /// Number of searches.
    searches: u64,
}

type CircuitWaitForGraph = DiGraph<u32, Link>;

impl CircuitNetwork {
    /// Searches for a deadlock: messages that wait only for links of messages that will never move.
    ///
    /// `None` if every message can still move, as always under [`SetupPolicy::Retry`]. Cost: proportional to the links held and waited for.
    pub fn find_deadlock(&self) -> Option<Deadlock> {
        if self.config.setup != SetupPolicy::Hold {
            return None;
        }
        let graph = self.wait_for_graph(&self.deadlocked_slots());
        // A knot is a sink component: none of its messages waits for a message outside it.
        let parts = petgraph::algo::tarjan_scc(&graph);
        let is_sink =
            |part: &Vec<NodeIndex>| part.iter().all(|&at| graph.neighbors(at).all(|next| part.contains(&next)));
        let mut part = parts.into_iter().filter(is_sink).min_by_key(Vec::len)?;
        part.sort_by_key(|&at| self.messages[graph[at] as usize].number);
        let cycle = part.iter().filter_map(|&at| shortest_cycle(&graph, at)).min_by_key(Vec::len)?;
        let number = |at: NodeIndex| self.messages[graph[at] as usize].number;
        let edges = |at: NodeIndex| {
            let mut wants: Vec<_> =
                graph.edges(at).map(|edge| (*edge.weight(), number(petgraph::visit::EdgeRef::target(&edge)))).collect();
            wants.sort();
            wants
        };
        Some(Deadlock {
            time: part.iter().map(|&at| self.messages[graph[at] as usize].since).fold(0.0, f64::max),
            cycle: cycle.into_iter().map(|(at, link)| (number(at), link)).collect(),
            knot: part.iter().map(|&at| WaitingCircuit { number: number(at), wants: edges(at) }).collect(),
            messages: graph.node_count() as u64,
        })
    }

    /// Returns the waiting messages that will never move.
    ///
    /// The search repeatedly removes messages that do not wait, and messages that wait for a link
    /// of a removed message. The remaining messages never move.
    fn deadlocked_slots(&self) -> Vec<u32> {
        let mut live: Vec<bool> = self.messages.iter().map(|message| !message.present || message.waits == 0).collect();
        let mut stack: Vec<u32> = (0..live.len() as u32).filter(|&slot| live[slot as usize]).collect();
        while let Some(slot) = stack.pop() {
            let message = &self.messages[slot as usize];
            let held = message.held_links().filter(|_| message.present);
            for (node, dim) in held {
                let mut waiter = self.links.first_waiter(node, dim);
                while waiter != NONE {
                    if !std::mem::replace(&mut live[waiter as usize], true) {
                        stack.push(waiter);
                    }
                    waiter = self.links.next_waiter(waiter, dim);
                }
            }
        }
        (0..live.len() as u32).filter(|&slot| !live[slot as usize]).collect()
    }

    /// Builds the wait-for graph of the messages in `slots`, which must ascend. The links waited
    /// for are the edges.
    fn wait_for_graph(&self, slots: &[u32]) -> CircuitWaitForGraph {
        let mut graph = CircuitWaitForGraph::new();
        let nodes: Vec<NodeIndex> = slots.iter().map(|&slot| graph.add_node(slot)).collect();
        for (&slot, &at) in slots.iter().zip(&nodes) {
            let message = &self.messages[slot as usize];
            for dim in set_dimensions(u64::from(message.waits)) {
                if let Ok(holder) = slots.binary_search(&self.links.holder(message.here, dim)) {
                    graph.add_edge(at, nodes[holder], link(message.here, dim));
                }
            }
        }
        graph
    }

    /// Returns whether the message in `slot` is deadlocked.
    ///
    /// A message is deadlocked if a search along wait-for edges finds no message that moves. A
    /// deadlock can arise only when a message begins to wait.
    pub(in crate::switching::circuit) fn is_stuck(&mut self, slot: u32) -> bool {
        let scratch = &mut self.scratch;
        scratch.searches += 1;
        scratch.seen.resize(self.messages.len(), 0);
        scratch.seen[slot as usize] = scratch.searches;
        scratch.stack.clear();
        scratch.stack.push(slot);
        while let Some(slot) = scratch.stack.pop() {
            let message = &self.messages[slot as usize];
            for dim in set_dimensions(u64::from(message.waits)) {
                let holder = self.links.holder(message.here, dim);
                // A message that does not wait transmits, or has just been granted a link and is
                // about to advance.
                let Some(next) = self.messages.get(holder as usize).filter(|next| next.waits != 0) else {
                    return false;
                };
                debug_assert!(next.present);
                if scratch.seen[holder as usize] != scratch.searches {
                    scratch.seen[holder as usize] = scratch.searches;
                    scratch.stack.push(holder);
                }
            }
        }
        true
    }
}

/// Returns a shortest cycle through `start`, each node with the link to the next; `None` if there
/// is none.
fn shortest_cycle(graph: &CircuitWaitForGraph, start: NodeIndex) -> Option<Vec<(NodeIndex, Link)>> {
    let mut before: Vec<Option<(NodeIndex, Link)>> = vec![None; graph.node_count()];
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for edge in graph.edges(at) {
            let next = petgraph::visit::EdgeRef::target(&edge);
            if before[next.index()].is_some() {
                continue;
            }
            before[next.index()] = Some((at, *edge.weight()));
            if next == start {
                let back = |&(at, _): &(NodeIndex, Link)| before[at.index()].filter(|_| at != start);
                let mut cycle: Vec<_> = std::iter::successors(before[start.index()], back).collect();
                cycle.reverse();
                return Some(cycle);
            }
            queue.push_back(next);
        }
    }
    None
}
