//! Second simulator of circuits, as simple as possible: lists, scans and recursion. Shares no code
//! with the library.

use std::collections::BTreeSet;

/// Link, as its source node and dimension.
pub(crate) type Edge = (u64, u8);

/// Message of the library's simulator, with the links that it took.
#[derive(Clone, Debug)]
pub(crate) struct InputMessage {
    pub(crate) time: f64,
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) duration: f64,
    pub(crate) path: Vec<Edge>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Waiting { order: u64 },
    Moving,
    Transmitting { end: f64 },
    Gone,
}

struct Message {
    given: usize,
    here: u64,
    held: Vec<Edge>,
    wants: Vec<Edge>,
    state: State,
}

pub(crate) struct Naive {
    /// Size and mark of each level, lowest first.
    pub(crate) levels: Vec<(u8, char)>,
    pub(crate) dead_nodes: BTreeSet<u64>,
    pub(crate) dead_links: BTreeSet<Edge>,
    /// Name of the selection strategy.
    pub(crate) avail: &'static str,
    /// True if messages wait for the shortest queue only.
    pub(crate) shortest: bool,
    pub(crate) given: Vec<InputMessage>,
    /// Completion time of each circuit; `None` if refused or not completed by the end.
    pub(crate) completed: Vec<Option<f64>>,
    messages: Vec<Message>,
    waits: u64,
}

impl Naive {
    pub(crate) fn new(levels: &[(u8, char)], avail: &'static str, shortest: bool, given: Vec<InputMessage>) -> Self {
        Self {
            levels: levels.to_vec(),
            dead_nodes: BTreeSet::new(),
            dead_links: BTreeSet::new(),
            avail,
            shortest,
            completed: vec![None; given.len()],
            given,
            messages: Vec::new(),
            waits: 0,
        }
    }

    /// Returns the dimensions from `low` to the end of its level, and the level's mark and number.
    fn level(&self, low: u8) -> (Vec<u8>, char, usize) {
        let mut end = 0;
        for (number, &(size, mark)) in self.levels.iter().enumerate() {
            end += size;
            if low < end {
                return ((low..end).collect(), mark, number);
            }
        }
        unreachable!("dimension {low} is in no level");
    }

    /// Returns the live legal links at `here` from which the destination can be reached. `spent`
    /// lists the levels in which the message has left the order of dimensions.
    fn legal(&self, here: u64, to: u64, spent: &[usize]) -> Vec<Edge> {
        let differ = |dim: u8| (here ^ to) >> dim & 1 == 1;
        let low = (0..64).find(|&dim| differ(dim)).expect("not there yet");
        let (dims, mark, number) = self.level(low);
        let up = |dim: u8| here >> dim & 1 == 0;
        let legal = |dim: u8| {
            dim == low
                || match mark {
                    'f' => up(dim),
                    'r' => up(dim) && !spent.contains(&number),
                    'd' => !up(dim),
                    _ => false,
                }
        };
        let leads_on = |&dim: &u8| {
            let next = here ^ 1 << dim;
            let mut spent = spent.to_vec();
            if dim != low {
                spent.push(number);
            }
            let live = !self.dead_nodes.contains(&next) && !self.dead_links.contains(&(here, dim));
            live && (next == to || !self.legal(next, to, &spent).is_empty())
        };
        dims.into_iter().filter(|&dim| differ(dim) && legal(dim)).filter(leads_on).map(|dim| (here, dim)).collect()
    }

    fn spent(&self, message: &Message) -> Vec<usize> {
        let to = self.given[message.given].to;
        let out_of_order = |&(node, dim): &Edge| (node ^ to).trailing_zeros() as u8 != dim;
        message.held.iter().copied().filter(out_of_order).map(|(_, dim)| self.level(dim).2).collect()
    }

    fn is_free(&self, link: Edge) -> bool {
        !self.messages.iter().any(|message| message.state != State::Gone && message.held.contains(&link))
    }

    fn queue(&self, link: Edge) -> usize {
        let waits =
            |message: &&Message| matches!(message.state, State::Waiting { .. }) && message.wants.contains(&link);
        self.messages.iter().filter(waits).count()
    }

    fn advance(&mut self, index: usize, now: f64) {
        let given = self.given[self.messages[index].given].clone();
        loop {
            let message = &self.messages[index];
            if message.here == given.to {
                self.completed[message.given] = Some(now);
                self.messages[index].state = State::Transmitting { end: now + given.duration };
                return;
            }
            let mut legal = self.legal(message.here, given.to, &self.spent(message));
            if self.avail == "lowest-only" {
                legal.truncate(1);
            }
            let free: Vec<_> = legal.iter().copied().filter(|&link| self.is_free(link)).collect();
            if free.is_empty() {
                let shortest = || *legal.iter().min_by_key(|&&link| self.queue(link)).expect("a link");
                let wants = if self.shortest { vec![shortest()] } else { legal };
                let order = self.waits;
                self.waits += 1;
                let message = &mut self.messages[index];
                (message.wants, message.state) = (wants, State::Waiting { order });
                return;
            }
            let chosen = match self.avail {
                "highest" => free[free.len() - 1],
                "lowest-free" | "lowest-only" => free[0],
                "lowest" if free[0] == legal[0] => free[0],
                _ if free.len() == 1 => free[0],
                // Random choice: take the link that the library's simulator took, if it is free.
                _ => given.path[message.held.len()],
            };
            assert!(free.contains(&chosen), "{chosen:?} is none of {free:?}");
            let message = &mut self.messages[index];
            message.held.push(chosen);
            message.here ^= 1 << chosen.1;
        }
    }

    fn release(&mut self, index: usize, now: f64) {
        self.messages[index].state = State::Gone;
        let mut granted = Vec::new();
        for link in std::mem::take(&mut self.messages[index].held) {
            let waits = |message: &Message| match message.state {
                State::Waiting { order } if message.wants.contains(&link) => Some(order),
                _ => None,
            };
            let all = self.messages.iter().enumerate();
            let first = all.filter_map(|(index, message)| Some((waits(message)?, index))).min();
            if let Some((_, next)) = first {
                let message = &mut self.messages[next];
                message.state = State::Moving;
                message.wants.clear();
                message.held.push(link);
                message.here ^= 1 << link.1;
                granted.push(next);
            }
        }
        for next in granted {
            self.advance(next, now);
        }
    }

    /// Simulates all messages until the last one is generated.
    pub(crate) fn run(&mut self) {
        for number in 0..self.given.len() {
            let given = self.given[number].clone();
            loop {
                let end = |message: &Message| match message.state {
                    State::Transmitting { end } => Some(end),
                    _ => None,
                };
                let all = self.messages.iter().enumerate();
                let ends = all.filter_map(|(index, message)| Some((end(message)?, index)));
                match ends.min_by(|a, b| a.0.total_cmp(&b.0)) {
                    Some((end, index)) if end <= given.time => self.release(index, end),
                    _ => break,
                }
            }
            self.messages.retain(|message| message.state != State::Gone);
            let dead = self.dead_nodes.contains(&given.to);
            if !dead && !self.legal(given.from, given.to, &[]).is_empty() {
                let message = Message {
                    given: number,
                    here: given.from,
                    held: Vec::new(),
                    wants: Vec::new(),
                    state: State::Moving,
                };
                self.messages.push(message);
                self.advance(self.messages.len() - 1, given.time);
            }
        }
    }
}
