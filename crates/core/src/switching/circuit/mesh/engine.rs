//! Event-driven simulator of a circuit-switched mesh or torus.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::snapshot::ProbeState;
use super::{ProbeConfig, ProbeEvent, live_nodes, select_port};
use crate::fault::BlockFaults;
use crate::random::{Generator, Key};
use crate::routing::{ProbeDecision, ProbeSearch};
use crate::switching::Engine;
use crate::switching::circuit::engine::deadlock::{Deadlock, WaitingCircuit};
use crate::switching::circuit::jam_detector::JamDetector;
use crate::switching::circuit::queue::EventQueue;
use crate::switching::circuit::transition::FaultArrivals;
use crate::switching::circuit::{
    CircuitError, CircuitObserver, CircuitOutcome, CompletedCircuit, LinkSelection, Refusal, SetupPolicy, WaitEnd,
};
use crate::topology::{Link, Mesh, NodeId, Port, PortMask};
use crate::traffic::{Arrival, LiveNodes, PoissonArrivals, exponential};

/// Sentinel of a link that no message holds.
const FREE: u32 = u32::MAX;

/// A message in the network.
#[derive(Clone, Debug)]
pub(super) struct ProbeMessage {
    pub(super) number: u64,
    pub(super) generated: f64,
    /// Start of the current wait or transmission.
    pub(super) since: f64,
    pub(super) duration: f64,
    /// Time of the next event of the message; infinite while it waits for a link.
    pub(super) next: f64,
    pub(super) attempts: u32,
    pub(super) state: ProbeState,
    pub(super) search: ProbeSearch,
    /// Node at which the last attempt failed.
    pub(super) failed_at: Option<NodeId>,
    /// True if the slot has a message.
    pub(super) present: bool,
}

/// A mesh or torus in which probes set up circuits (Gaughan & Yalamanchili 1992).
///
/// Each direction of a link is a one-way link that carries one circuit. A probe reserves a free
/// permitted link and reaches the next node after the time of a hop. Where it cannot go on, it moves
/// back over its last link, again in the time of a hop, and this link becomes free. A search that has
/// tried everything begins again at its source after a random time. From the destination an
/// acknowledgement returns over the path, one hop at a time; then the message transmits, pipelined:
/// its last part arrives after the transmission time and the time of the hops. All links then become
/// free.
///
/// Under e-cube there is nothing to search: the probe waits for the link and holds its path, or
/// releases the path and tries again later ([`SetupPolicy`]). A released link goes to the probe that
/// reached its node first.
///
/// Generated traffic does not depend on the routing. A clone continues as the original does.
#[derive(Clone, Debug)]
pub struct ProbeNetwork {
    pub(super) config: ProbeConfig,
    pub(super) arrivals: PoissonArrivals<Mesh>,
    /// Random generator of the selection among links.
    generator: Generator,
    /// Random generator of the times before new attempts.
    backoffs: Generator,
    /// Sources that reach each destination with messages; empty without faults.
    pub(super) reach: Vec<Option<Arc<[bool]>>>,
    /// Slot of the message that holds each link, by channel; [`FREE`] if there is none.
    holders: Vec<u32>,
    /// Ports of each node with reserved links.
    busy: Vec<PortMask>,
    /// Waiting probes of each channel that has some, first come first served.
    pub(super) queues: BTreeMap<u32, VecDeque<u32>>,
    pub(super) messages: Vec<ProbeMessage>,
    /// Slots without a message.
    pub(super) free_slots: Vec<u32>,
    /// Next event of every message that does not wait for a link.
    pub(super) events: EventQueue,
    pub(super) time: f64,
    /// Number of messages generated so far, including refused ones.
    generated: u64,
    refused: u64,
    /// Number of transmissions that have ended.
    transmitted: u64,
    /// Number of messages that wait for a link or for their next attempt, or are in a later attempt.
    pub(super) backlog: u64,
    jam: JamDetector,
    outcome: Option<CircuitOutcome>,
    /// Time of the next onset of faults, infinite if there is none.
    pub(super) next_onset: f64,
    /// Faults that arrive while circuits are set up or held.
    pub(super) transition: Option<Box<FaultArrivals<Arc<BlockFaults>>>>,
}

impl ProbeNetwork {
    /// Largest number of nodes: every destination may have a table of all nodes.
    pub const MAX_NODES: u32 = 4096;

    /// Creates the network at time 0, with all links free. `key` determines all random choices.
    ///
    /// Cost: time and memory proportional to the links. With faults, another table of all nodes when
    /// the first message to a destination is generated.
    ///
    /// # Errors
    /// If the configuration is invalid.
    pub fn new(config: ProbeConfig, key: Key) -> Result<Self, CircuitError> {
        let mesh = config.faults.mesh();
        check(&config, mesh)?;
        let live = live_nodes(&config.faults);
        let tables = if config.faults.is_none() { 0 } else { mesh.nodes() as usize };
        Ok(Self {
            arrivals: PoissonArrivals::new(mesh, config.pattern.clone(), live, config.rate, key.named("traffic")),
            generator: key.named("routing").generator(),
            backoffs: key.named("backoff").generator(),
            reach: vec![None; tables],
            holders: vec![FREE; mesh.channel_table_size() as usize],
            busy: vec![0; mesh.nodes() as usize],
            queues: BTreeMap::new(),
            messages: Vec::new(),
            free_slots: Vec::new(),
            events: EventQueue::default(),
            time: 0.0,
            generated: 0,
            refused: 0,
            transmitted: 0,
            backlog: 0,
            jam: JamDetector::new(config.cap(), u64::from(mesh.nodes())),
            outcome: None,
            next_onset: f64::INFINITY,
            transition: None,
            config,
        })
    }

    /// Returns the configuration of the network.
    pub fn config(&self) -> &ProbeConfig {
        &self.config
    }

    /// Returns the topology of the network.
    pub fn mesh(&self) -> Mesh {
        self.config.faults.mesh()
    }

    /// Returns the live nodes.
    pub fn live(&self) -> &LiveNodes {
        self.arrivals.live()
    }

    /// Returns the time of the last event, in mean transmission times.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Returns the time of the next event, infinite if there is none.
    pub fn next_time(&self) -> f64 {
        if self.outcome.is_some() {
            f64::INFINITY
        } else {
            self.events.next_time().min(self.arrivals.next_time()).min(self.next_onset)
        }
    }

    /// Returns the number of messages generated so far, including refused ones.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// Returns the number of messages that wait: for a reserved link, or for the success of a later
    /// attempt.
    pub fn backlog(&self) -> u64 {
        self.backlog
    }

    /// Returns the number of messages in the network.
    pub fn in_network(&self) -> u64 {
        (self.messages.len() - self.free_slots.len()) as u64
    }

    /// Returns the outcome of the network, `None` while it runs.
    pub fn outcome(&self) -> Option<&CircuitOutcome> {
        self.outcome.as_ref()
    }

    /// Returns the message in the slot that holds a link; `None` if the link is free.
    pub(super) fn holder_of(&self, node: NodeId, port: Port) -> Option<&ProbeMessage> {
        let slot = *self.holders.get(self.mesh().channel(node, port) as usize)?;
        self.messages.get(slot as usize)
    }

    /// Returns the number of probes that wait for a link.
    pub(super) fn queue_len(&self, node: NodeId, port: Port) -> usize {
        self.queues.get(&self.mesh().channel(node, port)).map_or(0, VecDeque::len)
    }

    /// Executes the next event.
    pub fn step(&mut self, observer: &mut impl CircuitObserver) -> ProbeEvent {
        if self.outcome.is_some() {
            return ProbeEvent::Ended;
        }
        let event = if self.next_onset < f64::INFINITY && self.next_onset <= self.next_time() {
            self.faults_arrive(observer)
        } else if self.events.next_time() <= self.arrivals.next_time()
            && let Some((time, slot)) = self.events.pop()
        {
            self.time = time;
            self.advance(slot, observer)
        } else if let Some(arrival) = self.arrivals.generate() {
            self.time = arrival.time;
            self.accept(&arrival, observer)
        } else {
            self.outcome = Some(CircuitOutcome::Idle { time: self.time });
            ProbeEvent::Ended
        };
        if self.backlog > self.jam.next_check && self.outcome.is_none() {
            self.outcome = self.unstable();
        }
        event
    }

    /// Returns the unstable outcome if the network has jammed.
    fn unstable(&mut self) -> Option<CircuitOutcome> {
        let accepted = 1.0 - self.refused as f64 / self.generated.max(1) as f64;
        let rate = self.config.rate * self.arrivals.senders() as f64 * accepted;
        let (time, backlog) = (self.time, self.backlog);
        let (since, throughput) = self.jam.check(backlog, time, self.transmitted, rate)?;
        Some(CircuitOutcome::Unstable { since, time, backlog, throughput })
    }

    /// Adds a new message to the network and begins its first attempt, or refuses the message.
    fn accept(&mut self, arrival: &Arrival, observer: &mut impl CircuitObserver) -> ProbeEvent {
        let number = self.generated;
        self.generated += 1;
        let (from, to) = (arrival.source, arrival.destination);
        if let Some(why) = self.refusal(from, to) {
            self.refused += 1;
            if let Some(transition) = &mut self.transition {
                transition.refused(arrival.time);
            }
            observer.refused(number, arrival, why);
            return ProbeEvent::Refused { number, from, to, why };
        }
        observer.generated(number, arrival);
        if let Some(transition) = &mut self.transition {
            transition.generated(number, arrival.time);
        }
        let message = ProbeMessage {
            number,
            generated: arrival.time,
            since: arrival.time,
            duration: arrival.duration,
            next: arrival.time,
            attempts: 1,
            state: ProbeState::Searching,
            search: ProbeSearch::new(self.config.routing, from, to),
            failed_at: None,
            present: true,
        };
        let slot = self.allocate_slot(message);
        self.decide(slot, observer)
    }

    /// Returns the reason to refuse a message; `None` to accept it.
    pub(super) fn refusal(&mut self, from: NodeId, to: NodeId) -> Option<Refusal> {
        let faults = &self.config.faults;
        let known = self.reach.get_mut(to.0 as usize)?;
        if faults.is_faulty(to) {
            return Some(Refusal::FaultyDestination);
        }
        let reaching = known.get_or_insert_with(|| self.config.routing.reaching(faults, to).into());
        let is_reached = reaching.get(from.0 as usize).is_some_and(|&reaches| reaches);
        (!is_reached).then_some(Refusal::CutOff)
    }

    fn allocate_slot(&mut self, message: ProbeMessage) -> u32 {
        match self.free_slots.pop() {
            Some(slot) => {
                self.messages[slot as usize] = message;
                slot
            }
            None => {
                self.messages.push(message);
                (self.messages.len() - 1) as u32
            }
        }
    }

    /// Executes the event of a message whose time has come.
    fn advance(&mut self, slot: u32, observer: &mut impl CircuitObserver) -> ProbeEvent {
        let message = &mut self.messages[slot as usize];
        match message.state {
            ProbeState::Transmitting => self.release_circuit(slot, observer),
            ProbeState::Acknowledging => self.complete(slot, observer),
            ProbeState::Searching if message.search.has_arrived() => {
                let number = message.number;
                message.state = ProbeState::Acknowledging;
                let delay = self.config.hop * message.search.hops() as f64;
                self.schedule(slot, delay);
                ProbeEvent::Arrived { number }
            }
            ProbeState::Returning => {
                message.state = ProbeState::Searching;
                if let Some((node, port)) = message.search.go_back() {
                    self.release_link(node, port, observer);
                }
                self.decide(slot, observer)
            }
            ProbeState::BackingOff => {
                message.state = ProbeState::Searching;
                message.attempts = message.attempts.saturating_add(1);
                let number = message.number;
                if let Some(transition) = &mut self.transition {
                    transition.started_again(number);
                }
                if self.config.waits() {
                    // From now on the message waits for links, if at all.
                    self.end_later_attempt(slot, observer);
                }
                self.decide(slot, observer)
            }
            ProbeState::Searching | ProbeState::Waiting(_) => self.decide(slot, observer),
        }
    }

    /// Schedules the next event of a message.
    fn schedule(&mut self, slot: u32, delay: f64) {
        let time = self.time + delay;
        self.messages[slot as usize].next = time;
        self.events.push(time, slot);
    }

    /// Has the probe at a node other than its destination go on, go back, wait or give up.
    fn decide(&mut self, slot: u32, observer: &mut impl CircuitObserver) -> ProbeEvent {
        let (config, generator) = (&self.config, &mut self.generator);
        let message = &mut self.messages[slot as usize];
        let (number, node) = (message.number, message.search.here());
        let free = !self.busy[node.0 as usize];
        let select = |permitted, free| select_port(config.avail, permitted, free, generator);
        match message.search.decide(&config.faults, free, select) {
            ProbeDecision::Forward { port, is_misroute } => {
                self.reserve(slot, port, observer);
                ProbeEvent::Forward { number, node, port, is_misroute }
            }
            ProbeDecision::Back => {
                message.state = ProbeState::Returning;
                self.schedule(slot, self.config.hop);
                ProbeEvent::Back { number, node }
            }
            ProbeDecision::Blocked(port) if config.waits() => {
                message.state = ProbeState::Waiting(port);
                self.wait(slot, port, observer);
                ProbeEvent::Waits { number, node, port }
            }
            ProbeDecision::Blocked(_) | ProbeDecision::Failed => {
                self.fail(slot, node, observer);
                ProbeEvent::Failed { number, node }
            }
        }
    }

    /// Reserves a free link for a probe, which moves over it.
    fn reserve(&mut self, slot: u32, port: Port, observer: &mut impl CircuitObserver) {
        let message = &mut self.messages[slot as usize];
        let (number, node) = (message.number, message.search.here());
        message.state = ProbeState::Searching;
        message.search.go_forward(&self.config.faults, port);
        self.holders[self.config.faults.mesh().channel(node, port) as usize] = slot;
        self.busy[node.0 as usize] |= port.bit();
        observer.reserved(number, Link { from: node, dim: port.0 }, self.time);
        self.schedule(slot, self.config.hop);
    }

    /// Queues a probe for a reserved link, and ends the network if it is deadlocked then.
    fn wait(&mut self, slot: u32, port: Port, observer: &mut impl CircuitObserver) {
        let message = &mut self.messages[slot as usize];
        (message.since, message.next) = (self.time, f64::INFINITY);
        let (number, node) = (message.number, message.search.here());
        self.queues.entry(self.config.faults.mesh().channel(node, port)).or_default().push_back(slot);
        self.add_to_backlog(number, node, u64::from(port.bit()), observer);
        self.outcome = self.find_deadlock(slot).map(CircuitOutcome::Deadlock);
    }

    fn add_to_backlog(&mut self, number: u64, node: NodeId, ports: u64, observer: &mut impl CircuitObserver) {
        self.backlog += 1;
        if self.backlog == self.jam.calm_backlog + 1 {
            self.jam.calm_ended(self.time, self.transmitted);
        }
        observer.waiting(number, node, ports, self.backlog, self.time);
    }

    /// Ends an attempt that failed at a node: releases the path, and schedules the next attempt.
    pub(super) fn fail(&mut self, slot: u32, failed_at: NodeId, observer: &mut impl CircuitObserver) {
        let message = &mut self.messages[slot as usize];
        let (number, from, to) = (message.number, message.search.source(), message.search.destination());
        let new = ProbeSearch::new(self.config.routing, from, to);
        let path: Vec<_> = std::mem::replace(&mut message.search, new).path().collect();
        message.state = ProbeState::BackingOff;
        let is_first = message.failed_at.replace(failed_at).is_none();
        for (node, port) in path {
            self.release_link(node, port, observer);
        }
        if is_first {
            self.messages[slot as usize].since = self.time;
            self.add_to_backlog(number, from, 0, observer);
        }
        let delay = self.config.setup.restart_backoff() * exponential(&mut self.backoffs);
        self.schedule(slot, delay);
    }

    /// Frees a link.
    pub(super) fn release_link(&mut self, node: NodeId, port: Port, observer: &mut impl CircuitObserver) {
        self.holders[self.config.faults.mesh().channel(node, port) as usize] = FREE;
        self.busy[node.0 as usize] &= !port.bit();
        observer.released(Link { from: node, dim: port.0 }, self.time);
    }

    /// Grants a free link to its first waiting probe, if there is one.
    pub(super) fn grant(&mut self, node: NodeId, port: Port, observer: &mut impl CircuitObserver) {
        let channel = self.config.faults.mesh().channel(node, port);
        let Some(queue) = self.queues.get_mut(&channel) else { return };
        let first = queue.pop_front();
        if queue.is_empty() {
            self.queues.remove(&channel);
        }
        let Some(slot) = first else { return };
        let ProbeMessage { number, since, .. } = self.messages[slot as usize];
        self.backlog -= 1;
        observer.granted(&WaitEnd { number, node, dims: u64::from(port.bit()), since }, self.time);
        self.reserve(slot, port, observer);
    }

    /// Begins the transmission of a message whose acknowledgement has arrived.
    fn complete(&mut self, slot: u32, observer: &mut impl CircuitObserver) -> ProbeEvent {
        self.end_later_attempt(slot, observer);
        let message = &mut self.messages[slot as usize];
        (message.state, message.since) = (ProbeState::Transmitting, self.time);
        let (number, generated, attempts) = (message.number, message.generated, message.attempts);
        let (source, destination) = (message.search.source(), message.search.destination());
        let delay = message.duration + self.config.hop * message.search.hops() as f64;
        let time = self.time;
        let is_repeated = self.transition.as_mut().is_some_and(|it| it.completed(number, generated, time));
        let completed = CompletedCircuit { number, source, destination, generated, time, attempts, is_repeated };
        observer.completed(&completed);
        self.schedule(slot, delay);
        ProbeEvent::Completed { number }
    }

    /// Ends a transmission: frees all links of the circuit, then grants each to its first waiting
    /// probe.
    fn release_circuit(&mut self, slot: u32, observer: &mut impl CircuitObserver) -> ProbeEvent {
        let message = &mut self.messages[slot as usize];
        message.present = false;
        let number = message.number;
        let path: Vec<_> = message.search.path().collect();
        self.free_slots.push(slot);
        self.transmitted += 1;
        if let Some(transition) = &mut self.transition {
            transition.transmitted(number);
        }
        observer.transmitted(number, self.time);
        for &(node, port) in &path {
            self.release_link(node, port, observer);
        }
        for &(node, port) in &path {
            self.grant(node, port, observer);
        }
        ProbeEvent::Transmitted { number }
    }

    /// Returns the message that holds the link for which the message in `slot` waits; `None` if it
    /// waits for no link.
    fn waits_for(&self, slot: u32) -> Option<(Link, u32)> {
        let message = self.messages.get(slot as usize)?;
        let ProbeState::Waiting(port) = message.state else { return None };
        let from = message.search.here();
        let holder = *self.holders.get(self.mesh().channel(from, port) as usize)?;
        Some((Link { from, dim: port.0 }, holder))
    }

    /// Returns the deadlock of which the message in `slot` is part; `None` if there is none.
    ///
    /// Every waiting message waits for one link, so a deadlock is a cycle of holders. It arises when
    /// its last message begins to wait.
    fn find_deadlock(&self, slot: u32) -> Option<Deadlock> {
        let mut cycle = Vec::new();
        let mut at = slot;
        loop {
            let (link, holder) = self.waits_for(at)?;
            cycle.push((at, link));
            at = holder;
            if at == slot {
                break;
            }
            // Another cycle would have ended the network before.
            if cycle.len() > self.messages.len() {
                return None;
            }
        }
        let number = |slot: u32| self.messages[slot as usize].number;
        let member = |index: usize| {
            let (slot, link) = cycle[index];
            WaitingCircuit { number: number(slot), wants: vec![(link, number(cycle[(index + 1) % cycle.len()].0))] }
        };
        let mut knot: Vec<_> = (0..cycle.len()).map(member).collect();
        knot.sort_by_key(|member| member.number);
        let since = cycle.iter().map(|&(slot, _)| self.messages[slot as usize].since).fold(0.0, f64::max);
        Some(Deadlock {
            time: since,
            cycle: cycle.iter().map(|&(slot, link)| (number(slot), link)).collect(),
            knot,
            messages: self.count_stuck(slot),
        })
    }

    /// Returns the number of messages that wait, directly or not, for the message in `slot`, which
    /// is part of a cycle; itself included.
    fn count_stuck(&self, slot: u32) -> u64 {
        let leads_there = |first: u32| {
            let next = |&at: &u32| self.waits_for(at).map(|(_, holder)| holder);
            std::iter::successors(Some(first), next).take(self.messages.len() + 1).any(|at| at == slot)
        };
        let all = 0..self.messages.len() as u32;
        all.filter(|&at| self.messages[at as usize].present && leads_there(at)).count() as u64
    }
}

/// Checks the configuration of a network on `mesh`.
fn check(config: &ProbeConfig, mesh: Mesh) -> Result<(), CircuitError> {
    if mesh.nodes() > ProbeNetwork::MAX_NODES {
        return Err(CircuitError::TooManyNodes(mesh.nodes()));
    }
    if !(config.rate >= 0.0 && config.rate.is_finite()) {
        return Err(CircuitError::Rate(config.rate));
    }
    if let Some(backoff) = config.setup.backoff()
        && !SetupPolicy::BACKOFFS.contains(&backoff)
    {
        return Err(CircuitError::Backoff(backoff));
    }
    if !ProbeConfig::HOPS.contains(&config.hop) {
        return Err(CircuitError::Hop(config.hop));
    }
    if config.avail == LinkSelection::LowestOnly {
        return Err(CircuitError::LowestOnly);
    }
    if !config.pattern.is_defined_on(mesh) {
        return Err(CircuitError::Pattern(config.pattern.clone()));
    }
    Ok(())
}

/// Steps without an observer. The gauge is the number of messages that wait.
impl Engine for ProbeNetwork {
    type Time = f64;

    fn current_time(&self) -> f64 {
        self.time
    }

    fn next_time(&self) -> f64 {
        self.next_time()
    }

    fn step(&mut self) {
        Self::step(self, &mut ());
    }

    fn has_ended(&self) -> bool {
        self.outcome.is_some()
    }

    fn size_bytes(&self) -> u64 {
        let nodes = u64::from(self.mesh().nodes());
        self.in_network() * 512 + nodes * (4 * u64::from(self.mesh().port_count()) + 24) + 4096
    }

    fn gauge_value(&self) -> u64 {
        self.backlog
    }
}
