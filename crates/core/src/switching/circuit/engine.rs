//! Event-driven simulator of a circuit-switched hypercube.

pub(super) mod deadlock;

use self::deadlock::Scratch;
use super::jam_detector::JamDetector;
use super::links::{LinkTable, NONE};
use super::message::CircuitMessage;
use super::onset::CubeOnset;
use super::queue::EventQueue;
use super::reachability::Reach;
use super::transition::FaultArrivals;
use super::{CircuitConfig, CircuitError, CircuitEvent, CircuitObserver, CircuitOutcome, Refusal, SetupPolicy, link};
use crate::fault::Faults;
use crate::random::{Generator, Key, below};
use crate::routing::{Header, Links as NodeLinks, Position};
use crate::switching::Engine;
use crate::topology::{Hypercube, NodeId};
use crate::traffic::{Arrival, LiveNodes, PoissonArrivals};

/// A hypercube in which messages set up circuits, transmit and release (Chiu, Chalasani &
/// Raghavendra section V).
///
/// An event is the generation of a message, the end of a transmission or a retry, together with all
/// reservations that follow from it. Reservations take no time. A message reserves a free legal
/// link at once. If none is free, it waits at the node and holds its links
/// ([`SetupPolicy::Hold`](super::SetupPolicy::Hold)), or it releases its links and tries again later
/// from its source ([`SetupPolicy::Retry`](super::SetupPolicy::Retry)). The rest of this
/// description is about the first policy.
///
/// A released link goes to the waiting message that reached the link's node first, and this message
/// leaves its other queues. A link with waiting messages is therefore never free for a message that
/// arrives later.
///
/// Generated traffic does not depend on the routing: networks with equal key, faults, pattern and
/// rate get the same messages. A clone continues as the original does.
#[derive(Clone, Debug)]
pub struct CircuitNetwork {
    pub(super) config: CircuitConfig,
    pub(super) arrivals: PoissonArrivals,
    /// Random generator of the routing choices.
    pub(super) generator: Generator,
    /// Random generator of the times before retries.
    pub(super) backoffs: Generator,
    pub(super) reach: Option<Reach>,
    pub(super) links: LinkTable,
    pub(super) messages: Vec<CircuitMessage>,
    /// Slots without a message.
    pub(super) free_slots: Vec<u32>,
    pub(super) transmission_ends: EventQueue,
    /// Next attempts of messages that back off.
    pub(super) retries: EventQueue,
    pub(super) time: f64,
    /// Number of messages generated so far, including refused ones.
    generated: u64,
    /// Number of refused messages.
    refused: u64,
    /// Number of transmissions that have ended.
    pub(super) transmitted: u64,
    /// Number of messages that wait.
    pub(super) backlog: u64,
    pub(super) jam: JamDetector,
    /// True if the engine searches for a deadlock when a message begins to wait.
    pub(super) detects_deadlock: bool,
    /// True if the last event caused a deadlock.
    pub(super) is_deadlocked: bool,
    outcome: Option<CircuitOutcome>,
    pub(super) scratch: Scratch,
    /// Time of the next onset of faults, infinite if there is none.
    pub(super) next_onset: f64,
    /// Faults that arrive while circuits are set up or held.
    pub(super) transition: Option<Box<FaultArrivals<CubeOnset>>>,
}

impl CircuitNetwork {
    /// Largest dimension of the cube: a path is packed into one word.
    pub const MAX_DIMENSION: u8 = 12;

    /// Creates the network at time 0, with all links free, among `faults`. `key` determines all
    /// random choices.
    ///
    /// Cost: time and memory proportional to the links. With faults, another 2^n steps per header
    /// when the first message to a destination is generated.
    ///
    /// # Errors
    /// If the configuration is invalid.
    pub fn new(config: CircuitConfig, faults: &mut impl Faults, key: Key) -> Result<Self, CircuitError> {
        let n = config.cube.dimension();
        let too_many = CircuitError::TooManyDimensions(n);
        if n > Self::MAX_DIMENSION {
            return Err(too_many);
        }
        if !(config.rate >= 0.0 && config.rate.is_finite()) {
            return Err(CircuitError::Rate(config.rate));
        }
        if let Some(backoff) = config.setup.backoff()
            && !SetupPolicy::BACKOFFS.contains(&backoff)
        {
            return Err(CircuitError::Backoff(backoff));
        }
        if !config.pattern.is_defined_on(config.cube) {
            return Err(CircuitError::Pattern(config.pattern.clone()));
        }
        let live = LiveNodes::new(config.cube, faults).ok_or(too_many)?;
        Ok(Self {
            arrivals: PoissonArrivals::new(
                config.cube,
                config.pattern.clone(),
                live,
                config.rate,
                key.named("traffic"),
            ),
            generator: key.named("routing").generator(),
            backoffs: key.named("backoff").generator(),
            reach: Reach::new(config.cube, &config.routing, faults),
            links: LinkTable::new(n),
            messages: Vec::new(),
            free_slots: Vec::new(),
            transmission_ends: EventQueue::default(),
            retries: EventQueue::default(),
            time: 0.0,
            generated: 0,
            refused: 0,
            transmitted: 0,
            backlog: 0,
            jam: JamDetector::new(config.cap(), config.cube.nodes().unwrap_or(u64::MAX)),
            detects_deadlock: config.setup == SetupPolicy::Hold && !config.routing.is_deadlock_free(),
            config,
            is_deadlocked: false,
            outcome: None,
            scratch: Scratch::default(),
            next_onset: f64::INFINITY,
            transition: None,
        })
    }

    /// Enables or disables deadlock detection for the rest of the run.
    ///
    /// By default, detection is enabled under routings that may deadlock. A network with an
    /// undetected deadlock ends as unstable. Under [`SetupPolicy::Retry`] nothing can deadlock, and
    /// the engine never searches.
    ///
    /// Cost: a search whenever a message begins to wait, nearly always of a few steps.
    pub fn set_detection(&mut self, detects: bool) {
        self.detects_deadlock = detects && self.config.setup == SetupPolicy::Hold;
    }

    /// Returns the configuration of the network.
    pub fn config(&self) -> &CircuitConfig {
        &self.config
    }

    /// Returns the topology of the network.
    pub fn cube(&self) -> Hypercube {
        self.config.cube
    }

    /// Returns the links of `node` that are passed to the routing.
    #[inline(always)]
    pub fn links_of(&self, node: NodeId) -> NodeLinks {
        let all = self.config.cube.mask();
        NodeLinks { all, live: self.reach.as_ref().map_or(all, |reach| reach.open(node)) }
    }

    /// Returns the time of the last event, in mean transmission times.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Returns the time of the next event, infinite if there is none.
    #[inline(always)]
    pub fn next_time(&self) -> f64 {
        if self.outcome.is_some() {
            f64::INFINITY
        } else {
            let next = self.transmission_ends.next_time().min(self.arrivals.next_time());
            next.min(self.retries.next_time()).min(self.next_onset)
        }
    }

    /// Returns the number of messages generated so far, including refused ones: the number of the
    /// next message.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// Returns the number of messages that wait for a link.
    pub fn backlog(&self) -> u64 {
        self.backlog
    }

    /// Returns the number of messages in the network, waiting or transmitting.
    pub fn in_network(&self) -> u64 {
        (self.messages.len() - self.free_slots.len()) as u64
    }

    /// Returns the live nodes.
    pub fn live(&self) -> &LiveNodes {
        self.arrivals.live()
    }

    /// Returns the outcome of the network, `None` while it runs.
    pub fn outcome(&self) -> Option<&CircuitOutcome> {
        self.outcome.as_ref()
    }

    /// Steps until the network ends and returns its outcome, `None` if it has not ended after
    /// `budget` events.
    pub fn run_until(&mut self, budget: u64, observer: &mut impl CircuitObserver) -> Option<&CircuitOutcome> {
        for _ in 0..budget {
            if self.step(observer) == CircuitEvent::Ended {
                break;
            }
        }
        self.outcome.as_ref()
    }

    /// Executes the next event.
    #[inline]
    pub fn step(&mut self, observer: &mut impl CircuitObserver) -> CircuitEvent {
        if self.outcome.is_some() {
            return CircuitEvent::Ended;
        }
        let (end, retry) = (self.transmission_ends.next_time(), self.retries.next_time());
        let event = if self.next_onset < f64::INFINITY && self.next_onset <= self.next_time() {
            self.faults_arrive(observer)
        } else if end <= self.arrivals.next_time().min(retry)
            && let Some((time, slot)) = self.transmission_ends.pop()
        {
            self.time = time;
            self.release(slot, observer)
        } else if retry <= self.arrivals.next_time()
            && let Some((time, slot)) = self.retries.pop()
        {
            self.time = time;
            self.retry(slot, observer)
        } else if let Some(arrival) = self.arrivals.generate() {
            self.time = arrival.time;
            self.accept(&arrival, observer)
        } else {
            self.outcome = Some(CircuitOutcome::Idle { time: self.time });
            CircuitEvent::Ended
        };
        if self.is_deadlocked || self.backlog > self.jam.next_check {
            self.update_outcome();
        }
        event
    }

    /// Sets the outcome if the network has ended.
    #[cold]
    fn update_outcome(&mut self) {
        let deadlock = if self.detects_deadlock { self.find_deadlock() } else { None };
        self.outcome = deadlock.map(CircuitOutcome::Deadlock).or_else(|| self.unstable());
    }

    /// Returns the unstable outcome if the network has jammed.
    fn unstable(&mut self) -> Option<CircuitOutcome> {
        let accepted = 1.0 - self.refused as f64 / self.generated.max(1) as f64;
        let rate = self.config.rate * self.arrivals.senders() as f64 * accepted;
        let (time, backlog) = (self.time, self.backlog);
        let (since, throughput) = self.jam.check(backlog, time, self.transmitted, rate)?;
        Some(CircuitOutcome::Unstable { since, time, backlog, throughput })
    }

    /// Adds a new message to the network, or refuses it.
    #[inline]
    fn accept(&mut self, arrival: &Arrival, observer: &mut impl CircuitObserver) -> CircuitEvent {
        let number = self.generated;
        self.generated += 1;
        let header = match self.first_header(arrival.source, arrival.destination) {
            Ok(header) => header,
            Err(why) => {
                self.refused += 1;
                if let Some(transition) = &mut self.transition {
                    transition.refused(arrival.time);
                }
                observer.refused(number, arrival, why);
                return CircuitEvent::Refused { number, from: arrival.source, to: arrival.destination, why };
            }
        };
        observer.generated(number, arrival);
        if let Some(transition) = &mut self.transition {
            transition.generated(number, arrival.time);
        }
        let from = arrival.source.0 as u16;
        let slot = self.allocate_slot(CircuitMessage {
            number,
            generated: arrival.time,
            since: arrival.time,
            duration: arrival.duration,
            next_attempt: f64::INFINITY,
            path: 0,
            from,
            to: arrival.destination.0 as u16,
            here: from,
            waits: 0,
            attempts: 0,
            blocked: (0, 0),
            held: 0,
            header,
            present: true,
        });
        let complete = self.set_up(slot, observer);
        CircuitEvent::Generated { number, complete }
    }

    /// Begins an attempt to set up the circuit of a message at its source. Returns whether the
    /// circuit is complete.
    #[inline]
    fn set_up(&mut self, slot: u32, observer: &mut impl CircuitObserver) -> bool {
        match self.config.setup {
            SetupPolicy::Hold => self.advance(slot, observer),
            SetupPolicy::Retry { backoff } => self.attempt(slot, backoff, observer),
        }
    }

    /// Begins the next attempt of a message that backs off.
    fn retry(&mut self, slot: u32, observer: &mut impl CircuitObserver) -> CircuitEvent {
        let number = self.messages[slot as usize].number;
        if let Some(transition) = &mut self.transition {
            transition.started_again(number);
        }
        let complete = match self.config.setup {
            SetupPolicy::Hold => self.start_again(slot, observer),
            SetupPolicy::Retry { backoff } => self.attempt(slot, backoff, observer),
        };
        CircuitEvent::Retried { number, complete }
    }

    /// Chooses the header of a new message, uniformly among those that can reach the destination.
    ///
    /// # Errors
    /// If the destination is faulty or cannot be reached.
    #[inline]
    pub(super) fn first_header(&mut self, from: NodeId, to: NodeId) -> Result<Header, Refusal> {
        let headers = self.config.routing.first_headers();
        let Some(reach) = &self.reach else {
            return Ok(Header(if headers == 1 { 0 } else { below(&mut self.generator, u32::from(headers)) as u8 }));
        };
        if !self.arrivals.live().contains(to) {
            return Err(Refusal::FaultyDestination);
        }
        let wrong = from.0 ^ to.0;
        let reaches = |&header: &u8| reach.reaches(Position { here: from, wrong, header: Header(header) });
        let count = (0..headers).filter(reaches).count() as u32;
        let chosen = if count > 1 { below(&mut self.generator, count) } else { 0 };
        (0..headers).filter(reaches).nth(chosen as usize).map(Header).ok_or(Refusal::CutOff)
    }

    /// Assigns a slot to a message.
    #[inline]
    fn allocate_slot(&mut self, message: CircuitMessage) -> u32 {
        match self.free_slots.pop() {
            Some(slot) => {
                self.messages[slot as usize] = message;
                slot
            }
            None => {
                self.messages.push(message);
                self.links.add_slot();
                (self.messages.len() - 1) as u32
            }
        }
    }

    /// Ends a transmission: releases its links, grants each to its first waiter, then advances
    /// those messages.
    #[inline]
    fn release(&mut self, slot: u32, observer: &mut impl CircuitObserver) -> CircuitEvent {
        let message = self.messages[slot as usize];
        self.messages[slot as usize].present = false;
        self.free_slots.push(slot);
        self.transmitted += 1;
        if let Some(transition) = &mut self.transition {
            transition.transmitted(message.number);
        }
        observer.transmitted(message.number, self.time);
        for (node, dim) in message.held_links() {
            self.links.free(node, dim);
            observer.released(link(node, dim), self.time);
        }
        let mut granted = [0; Self::MAX_DIMENSION as usize];
        let mut count = 0;
        for (node, dim) in message.held_links() {
            let first = self.links.first_waiter(node, dim);
            if first != NONE {
                self.grant(first, dim, observer);
                granted[count] = first;
                count += 1;
            }
        }
        for &slot in &granted[..count] {
            self.advance(slot, observer);
        }
        CircuitEvent::Transmitted { number: message.number, granted: count as u8 }
    }
}

/// Steps without an observer. The gauge is the number of messages that wait.
impl Engine for CircuitNetwork {
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
        let links = self.cube().links().unwrap_or(0);
        let dims = u64::from(self.cube().dimension());
        self.in_network() * (96 + 8 * dims) + links * 24 + 4096
    }

    fn gauge_value(&self) -> u64 {
        self.backlog
    }
}
