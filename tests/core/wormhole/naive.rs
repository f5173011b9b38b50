//! Second simulator of worms, as simple as possible: flits are objects in queues, and every step
//! scans everything.
//!
//! It receives the generated messages and computes everything else independently, random draws
//! included.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use faultlab::fault::BlockFaults;
use faultlab::random::{Generator, Key, below};
use faultlab::routing::{VcRequest, VcRequests, WormHeader, WormPosition};
use faultlab::switching::{Arbitration, Injection, InjectionPolicy, WormArrival, WormDelivery, WormholeConfig};
use faultlab::topology::{NodeId, Port};

use super::log::Log;

/// Virtual channel: its source node, port and number.
type VirtualChannel = (NodeId, Port, u8);

/// Flit number `index` of a message.
struct Flit {
    message: u64,
    index: u16,
}

struct Message {
    arrival: WormArrival,
    to: NodeId,
    injected: u64,
    header: WormHeader,
    /// Position of the header.
    here: NodeId,
    input_port: Option<Port>,
    choices: VcRequests,
    /// All virtual channels that the message has ever allocated.
    path: Vec<VirtualChannel>,
    source: VecDeque<Flit>,
    consumed: u16,
}

pub(crate) struct Naive {
    config: WormholeConfig,
    faults: Arc<BlockFaults>,
    routing: Generator,
    arbiter: Generator,
    cycle: u64,
    messages: BTreeMap<u64, Message>,
    owners: BTreeMap<VirtualChannel, u64>,
    buffers: BTreeMap<VirtualChannel, VecDeque<Flit>>,
    /// Last served virtual channel of each physical channel.
    last_grant: BTreeMap<(NodeId, Port), u8>,
    /// Virtual channels that the tail has entered. A worm may cross its own path and use a physical
    /// channel twice.
    tail_passed: BTreeSet<VirtualChannel>,
    /// Number of contending messages at each source.
    contending: BTreeMap<NodeId, usize>,
    /// Messages at each source that do not contend yet.
    queues: BTreeMap<NodeId, VecDeque<u64>>,
    arrived: Vec<u64>,
    waiting: Vec<u64>,
    /// Number of flits moved in the last cycle.
    pub(crate) moved: usize,
    pub(crate) log: Log,
}

impl Naive {
    pub(crate) fn new(config: WormholeConfig, faults: Arc<BlockFaults>, key: Key) -> Self {
        Self {
            config,
            faults,
            routing: key.named("routing").generator(),
            arbiter: key.named("arbitration").generator(),
            cycle: 0,
            messages: BTreeMap::new(),
            owners: BTreeMap::new(),
            buffers: BTreeMap::new(),
            last_grant: BTreeMap::new(),
            tail_passed: BTreeSet::new(),
            contending: BTreeMap::new(),
            queues: BTreeMap::new(),
            arrived: Vec::new(),
            waiting: Vec::new(),
            moved: 0,
            log: Log::default(),
        }
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.messages.len()
    }

    fn message(&mut self, number: u64) -> &mut Message {
        self.messages.get_mut(&number).expect("a message")
    }

    pub(crate) fn step(&mut self, generated: &[WormArrival]) {
        for arrival in generated {
            self.generate(*arrival);
        }
        self.route_compute();
        self.allocate();
        self.transfer();
        self.cycle += 1;
    }

    fn generate(&mut self, arrival: WormArrival) {
        self.log.generated.push(arrival);
        let Some(to) = arrival.to else {
            self.log.lost.push(arrival.number);
            return;
        };
        let contending = self.contending.entry(arrival.from).or_default();
        let is_full = *contending == usize::from(self.config.injection.limit);
        let queued = self.queues.get(&arrival.from).map_or(0, VecDeque::len);
        let queues = self.config.injection.policy == InjectionPolicy::Queue;
        if is_full && !(queues && queued < usize::from(Injection::DEFAULT_QUEUE)) {
            self.log.discarded.push(arrival.number);
            return;
        }
        let starts = self.config.routing.initial_header_count(&self.faults, arrival.from, to);
        let number = if starts > 1 { below(&mut self.routing, starts) } else { 0 };
        let header = self.config.routing.initial_header(&self.faults, arrival.from, to, number);
        let source = (0..arrival.length).map(|index| Flit { message: arrival.number, index }).collect();
        let message = Message {
            arrival,
            to,
            injected: self.cycle,
            header,
            here: arrival.from,
            input_port: None,
            choices: VcRequests::NONE,
            path: Vec::new(),
            source,
            consumed: 0,
        };
        self.messages.insert(arrival.number, message);
        if is_full {
            self.queues.entry(arrival.from).or_default().push_back(arrival.number);
        } else {
            *contending += 1;
            self.arrived.push(arrival.number);
        }
    }

    /// Handles a message that has left its source completely.
    fn leave(&mut self, node: NodeId, cycle: u64) {
        match self.queues.entry(node).or_default().pop_front() {
            Some(next) => {
                self.message(next).injected = cycle;
                self.arrived.push(next);
            }
            None => *self.contending.entry(node).or_default() -= 1,
        }
    }

    fn route_compute(&mut self) {
        let mut index = 0;
        while index < self.arrived.len() {
            let number = self.arrived[index];
            index += 1;
            let message = self.messages.get_mut(&number).expect("a message");
            let at = WormPosition {
                here: message.here,
                to: message.to,
                input_port: message.input_port,
                header: message.header,
            };
            message.choices = self.config.routing.choices(&self.faults, &at);
            if !message.choices.is_empty() {
                self.waiting.push(number);
                continue;
            }
            self.lose(number);
        }
        self.arrived.clear();
    }

    /// Removes a message from the network.
    fn lose(&mut self, number: u64) {
        let message = self.messages.remove(&number).expect("a message");
        self.owners.retain(|_, owner| *owner != number);
        self.buffers.values_mut().for_each(|buffer| buffer.retain(|flit| flit.message != number));
        self.log.lost.push(number);
        if !message.source.is_empty() {
            self.leave(message.arrival.from, self.cycle);
        }
    }

    /// Returns whether a message with ranked choices may wait: one of its channels is held by a
    /// message with more reversals.
    fn may_wait(&self, number: u64) -> bool {
        let message = &self.messages[&number];
        let classes = self.config.routing.vc_classes(self.faults.mesh());
        let wanted = message.choices.iter().filter(|choice| !choice.rule.is_last_resort()).flat_map(|choice| {
            let all = std::iter::once(choice.class).chain(classes..self.config.virtual_channels);
            all.map(|v| (message.here, choice.port, v))
        });
        let reversals = |number: &u64| self.messages[number].header.reversals();
        wanted.filter_map(|lane| self.owners.get(&lane)).any(|holder| reversals(holder) > message.header.reversals())
    }

    /// Returns the virtual channel that a choice would get now.
    fn idle(&self, node: NodeId, port: Port, class: u8) -> Option<u8> {
        let classes = self.config.routing.vc_classes(self.faults.mesh());
        let mut wanted = std::iter::once(class).chain(classes..self.config.virtual_channels);
        wanted.find(|&v| !self.owners.contains_key(&(node, port, v)))
    }

    fn allocate(&mut self) {
        let order = self.waiting.clone();
        if order.is_empty() {
            return;
        }
        let start = below(&mut self.routing, order.len() as u32) as usize;
        for step in 0..order.len() {
            let number = order[(start + step) % order.len()];
            let (here, choices) = (self.messages[&number].here, self.messages[&number].choices);
            let last = |choice: &&VcRequest| choices.is_ranked() && choice.rule.is_last_resort();
            let idle = |choice: &VcRequest| Some((*choice, self.idle(here, choice.port, choice.class)?));
            let mut free: Vec<_> = choices.iter().filter(|choice| !last(choice)).filter_map(idle).collect();
            if free.is_empty() && choices.is_ranked() && !self.may_wait(number) {
                free.extend(choices.iter().filter(last).filter_map(idle));
                if choices.can_starve() {
                    self.waiting.retain(|&other| other != number);
                    self.lose(number);
                    continue;
                }
            }
            let (choice, v) = match free[..] {
                [] => continue,
                [only] => only,
                _ => free[below(&mut self.routing, free.len() as u32) as usize],
            };
            let lane = (here, choice.port, v);
            self.owners.insert(lane, number);
            self.tail_passed.remove(&lane);
            let message = self.message(number);
            message.path.push(lane);
            (message.header, message.input_port) = (choice.header, Some(choice.port));
            self.log.hops.push((number, here, choice.port, v));
            self.waiting.retain(|&other| other != number);
        }
    }

    fn leads_to(&self, lane: VirtualChannel) -> NodeId {
        self.faults.mesh().neighbor(lane.0, lane.1).expect("a channel")
    }

    /// Returns the message that owns `lane` and the index of `lane` on its path.
    fn path_index(&self, lane: VirtualChannel) -> (&Message, usize) {
        let message = &self.messages[&self.owners[&lane]];
        (message, message.path.iter().rposition(|&it| it == lane).expect("a lane of the path"))
    }

    fn is_ready(&self, lane: VirtualChannel) -> bool {
        if !self.owners.contains_key(&lane) || self.tail_passed.contains(&lane) {
            return false;
        }
        let (message, place) = self.path_index(lane);
        // After the tail has passed, the upstream buffer may belong to another message.
        let own = |buffer: &&VecDeque<Flit>| buffer.front().is_some_and(|flit| flit.message == message.arrival.number);
        let behind = place.checked_sub(1).map(|place| message.path[place]);
        let upstream = behind.map_or(Some(&message.source), |behind| self.buffers.get(&behind)).filter(own).is_some();
        let flits = self.buffers.get(&lane).map_or(0, VecDeque::len);
        let room = self.leads_to(lane) == message.to || flits < usize::from(self.config.buffer);
        upstream && room
    }

    fn pick(&mut self, node: NodeId, port: Port) -> Option<VirtualChannel> {
        let all = self.config.virtual_channels;
        let ready: Vec<_> = (0..all).filter(|&v| self.is_ready((node, port, v))).collect();
        if ready.is_empty() {
            return None;
        }
        let v = match self.config.arbitration {
            Arbitration::RoundRobin => {
                let last = self.last_grant.get(&(node, port)).copied().unwrap_or(all - 1);
                (1..=all).map(|step| (last + step) % all).find(|v| ready.contains(v))?
            }
            Arbitration::Oldest => *ready.iter().min_by_key(|&&v| self.owners[&(node, port, v)])?,
            Arbitration::Random if ready.len() > 1 => ready[below(&mut self.arbiter, ready.len() as u32) as usize],
            Arbitration::Random => ready[0],
        };
        self.last_grant.insert((node, port), v);
        Some((node, port, v))
    }

    fn transfer(&mut self) {
        let mesh = self.faults.mesh();
        let channels = mesh.iter_nodes().flat_map(|node| mesh.ports().map(move |port| (node, port)));
        let picked: Vec<_> = channels.filter_map(|(node, port)| self.pick(node, port)).collect();
        self.moved = picked.len();
        let flits: Vec<_> = picked.iter().map(|&lane| self.remove_flit(lane)).collect();
        for (lane, flit) in picked.into_iter().zip(flits) {
            self.enter(lane, flit);
        }
    }

    /// Removes the flit that moves into `lane` from its buffer or source.
    fn remove_flit(&mut self, lane: VirtualChannel) -> Flit {
        let (message, place) = self.path_index(lane);
        let number = message.arrival.number;
        let before = place.checked_sub(1).map(|place| message.path[place]);
        let flit = match before {
            Some(before) => self.buffers.entry(before).or_default().pop_front(),
            None => self.message(number).source.pop_front(),
        };
        flit.expect("a flit")
    }

    fn enter(&mut self, lane: VirtualChannel, flit: Flit) {
        let (number, is_tail) = (flit.message, flit.index == self.messages[&flit.message].arrival.length - 1);
        let (message, place) = self.path_index(lane);
        assert_eq!(message.arrival.number, number);
        let (from, before) = (message.arrival.from, place.checked_sub(1).map(|place| message.path[place]));
        let (there, is_end) = (self.leads_to(lane), self.leads_to(lane) == message.to);
        if flit.index == 0 {
            self.message(number).here = there;
            if !is_end {
                self.arrived.push(number);
            }
        }
        if is_end {
            let message = self.message(number);
            assert_eq!(message.consumed, flit.index, "flits are consumed in order");
            message.consumed += 1;
        } else {
            let buffer = self.buffers.entry(lane).or_default();
            buffer.push_back(flit);
            assert!(buffer.len() <= usize::from(self.config.buffer));
        }
        if is_tail {
            self.tail_passed.insert(lane);
            match before {
                Some(before) => drop(self.owners.remove(&before)),
                None => self.leave(from, self.cycle + 1),
            }
            if is_end {
                self.owners.remove(&lane);
                self.deliver(number);
            }
        }
    }

    fn deliver(&mut self, number: u64) {
        let message = self.messages.remove(&number).expect("a message");
        assert_eq!(message.consumed, message.arrival.length);
        self.log.delivered.push(WormDelivery {
            number,
            from: message.arrival.from,
            to: message.to,
            generated: message.arrival.cycle,
            injected: message.injected,
            finished: self.cycle + 1,
            hops: message.path.len() as u32,
            length: message.arrival.length,
        });
    }
}
