//! Messages of collective operations of message passing.

use super::{MessageLengths, MessageSchedule, ScheduledMessage};
use crate::ParseError;
use crate::names;
use crate::topology::{Network, NodeId};

/// Collective operation of all nodes of a network.
///
/// N is the number of nodes. A node sends as soon as the messages on which its data depend have
/// arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    /// Reduction whose result all nodes get, around a ring of all nodes: 2 (N - 1) rounds, in each
    /// of which every node sends a chunk of 1/N of the data to the next one (Patarasuk & Yuan,
    /// 2009).
    AllReduceRing,
    /// Reduction along a binomial tree to the first node, and broadcast along the same tree: 2 (N -
    /// 1) messages with all data in 2 ceil(lg N) rounds.
    AllReduceTree,
    /// Reduction by recursive doubling: in each of lg N rounds all nodes exchange all data with the
    /// node that differs in one bit of the number. N is a power of two.
    AllReduceDoubling,
    /// Every node sends a message to every other node: N (N - 1) messages without dependencies, in
    /// the order of the distance between the numbers.
    AllToAll,
    /// The first node sends its data to all others along a binomial tree: N - 1 messages in
    /// ceil(lg N) rounds.
    Broadcast,
    /// Every node exchanges messages with all neighbours, round by round: a round begins at a node
    /// when the messages of the previous round to it have arrived.
    Halo,
}

names! {
    listed Collective {
        AllReduceRing: "all-reduce-ring",
        AllReduceTree: "all-reduce-tree",
        AllReduceDoubling: "all-reduce-doubling",
        AllToAll: "all-to-all",
        Broadcast: "broadcast",
        Halo: "halo",
    }
}

impl Collective {
    /// Returns the messages of the operation on `network`, a mesh, torus or hypercube.
    ///
    /// `length` is that of all data of a node, in flits; around a ring a message has a chunk of 1/N
    /// of them, rounded up. `rounds` is the number of rounds of [`Collective::Halo`].
    ///
    /// # Errors
    /// Returns an error if the operation is not defined on the network, the length is out of range,
    /// or there are more messages than a schedule may have.
    pub fn messages(self, network: Network, length: u32, rounds: u32) -> Result<MessageSchedule, ParseError> {
        let order = ring_order(network)?;
        let chunk = if self == Self::AllReduceRing { length.div_ceil(order.len() as u32) } else { length };
        let longest = u32::from(MessageLengths::LONGEST);
        if !(1..=longest).contains(&chunk) {
            let problem = format!("a message of {chunk} flits; accepted: messages of 1 to {longest} flits");
            return Err(problem.into());
        }
        let count = self.message_count(network, &order, rounds);
        if count > MessageSchedule::MAX_MESSAGES as u64 {
            let most = MessageSchedule::MAX_MESSAGES;
            return Err(format!("{self} on {network} has {count} messages; accepted: at most {most}").into());
        }
        let mut list = MessageList { messages: Vec::new(), length: chunk as u16 };
        match self {
            Self::AllReduceRing => list.ring(&order),
            Self::AllReduceTree => list.reduce_and_broadcast(&order),
            Self::AllReduceDoubling if !order.len().is_power_of_two() => {
                return Err(
                    format!("{self} needs a number of nodes that is a power of two, not {}", order.len()).into()
                );
            }
            Self::AllReduceDoubling => list.doubling(&nodes(order.len())),
            Self::AllToAll => list.all_to_all(&nodes(order.len())),
            Self::Broadcast => list.broadcast(&order, vec![Vec::new(); order.len()]),
            Self::Halo => list.halo(network, order.len(), rounds),
        }
        MessageSchedule::new(list.messages).map_err(|error| error.to_string().into())
    }

    /// Returns the number of messages.
    fn message_count(self, network: Network, order: &[NodeId], rounds: u32) -> u64 {
        let n = order.len() as u64;
        match self {
            Self::AllReduceRing => 2 * n * (n - 1),
            Self::AllReduceTree => 2 * (n - 1),
            Self::AllReduceDoubling => n * u64::from(n.ilog2()),
            Self::AllToAll => n * (n - 1),
            Self::Broadcast => n - 1,
            Self::Halo => {
                u64::from(rounds) * order.iter().map(|&node| neighbors(network, node).len() as u64).sum::<u64>()
            }
        }
    }
}

/// Messages as they are made, all of the same length.
struct MessageList {
    messages: Vec<ScheduledMessage>,
    length: u16,
}

impl MessageList {
    /// Appends a message that starts when those of `after` have arrived. Returns its index.
    fn send(&mut self, from: NodeId, to: NodeId, after: impl IntoIterator<Item = u32>) -> u32 {
        let after = after.into_iter().collect();
        self.messages.push(ScheduledMessage { cycle: 0, from, to, length: self.length, after });
        self.messages.len() as u32 - 1
    }

    fn ring(&mut self, order: &[NodeId]) {
        let n = order.len();
        // In each round a node passes on what it got in the round before.
        for round in 0..2 * (n - 1) {
            for place in 0..n {
                let before = (place + n - 1) % n;
                let received = (round > 0).then(|| ((round - 1) * n + before) as u32);
                self.send(order[place], order[(place + 1) % n], received);
            }
        }
    }

    fn reduce_and_broadcast(&mut self, order: &[NodeId]) {
        let n = order.len();
        let mut received = vec![Vec::new(); n];
        for bit in (0..).map(|round| 1 << round).take_while(|&bit| bit < n) {
            for rank in (bit..n).filter(|rank| rank & (2 * bit - 1) == bit) {
                let after = std::mem::take(&mut received[rank]);
                let index = self.send(order[rank], order[rank - bit], after);
                received[rank - bit].push(index);
            }
        }
        // The result is complete when the last part has arrived at the root.
        let mut complete = vec![Vec::new(); n];
        complete[0] = std::mem::take(&mut received[0]);
        self.broadcast(order, complete);
    }

    /// Appends a broadcast from the first node. `before` has the messages that must arrive before
    /// the next one of each node: those with its data, or the one that it sent last.
    fn broadcast(&mut self, order: &[NodeId], mut before: Vec<Vec<u32>>) {
        let n = order.len();
        for bit in (0..).map(|round| 1 << round).take_while(|&bit| bit < n) {
            for rank in 0..bit.min(n - bit) {
                let index = self.send(order[rank], order[rank + bit], std::mem::take(&mut before[rank]));
                before[rank] = vec![index];
                before[rank + bit] = vec![index];
            }
        }
    }

    fn doubling(&mut self, order: &[NodeId]) {
        let n = order.len();
        for round in 0..n.ilog2() {
            for rank in 0..n {
                let received = (0..round).map(|before| (before as usize * n + (rank ^ 1 << before)) as u32);
                self.send(order[rank], order[rank ^ 1 << round], received);
            }
        }
    }

    fn all_to_all(&mut self, order: &[NodeId]) {
        let n = order.len();
        for shift in 1..n {
            for rank in 0..n {
                self.send(order[rank], order[(rank + shift) % n], None);
            }
        }
    }

    fn halo(&mut self, network: Network, n: usize, rounds: u32) {
        let mut received = vec![Vec::new(); n];
        for _ in 0..rounds {
            let mut next = vec![Vec::new(); n];
            for node in nodes(n) {
                for to in neighbors(network, node) {
                    let index = self.send(node, to, received[node.0 as usize].iter().copied());
                    next[to.0 as usize].push(index);
                }
            }
            received = next;
        }
    }
}

/// Returns the nodes by number.
fn nodes(n: usize) -> Vec<NodeId> {
    (0..n as u64).map(NodeId).collect()
}

/// Returns the neighbours of a node, each once.
fn neighbors(network: Network, node: NodeId) -> Vec<NodeId> {
    let Some(mesh) = network.wormhole_mesh() else { return Vec::new() };
    let mut found: Vec<_> = mesh.ports().filter_map(|port| mesh.neighbor(node, port)).collect();
    found.sort_unstable();
    found.dedup();
    found.retain(|&other| other != node);
    found
}

/// Returns the nodes in an order in which successive nodes are neighbours: row by row, every second
/// one backwards. On hypercubes this is the Gray code.
fn ring_order(network: Network) -> Result<Vec<NodeId>, ParseError> {
    let mesh = network.wormhole_mesh().filter(|mesh| mesh.nodes() > 1);
    let mesh = mesh.ok_or_else(|| format!("{network} is not a mesh, torus or hypercube of at least two nodes"))?;
    // Node numbers have the coordinate of dimension 0 as their lowest digit.
    let mut order = vec![NodeId(0)];
    let mut step = 1;
    for dim in 0..mesh.dimensions() {
        let radix = u64::from(mesh.radix(dim));
        let copies = (0..radix).flat_map(|at| {
            let shifted = order.iter().map(move |node| NodeId(node.0 + at * step));
            let copy: Vec<_> = if at % 2 == 0 { shifted.collect() } else { shifted.rev().collect() };
            copy
        });
        order = copies.collect();
        step *= radix;
    }
    Ok(order)
}
