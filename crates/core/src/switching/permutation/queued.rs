//! Batches of messages that wait in the nodes: virtual cut-through and store-and-forward switching.

mod onset;

pub use onset::BatchOnset;

use onset::Onset;

use super::batch::BatchOutcome;
use crate::random::{Generator, Key, below};
use crate::routing::oblivious::ObliviousRoute;
use crate::switching::permutation::channel_routes::{ChannelRoutes, NONE};
use crate::topology::{Hypercube, Link};

/// A simulation of a batch of messages on fixed routes in a hypercube, all started at once, that
/// wait in nodes with unlimited buffers (thesis, sections 1.2 and 2.3).
///
/// A message of M flits occupies a channel for M cycles and holds no channel while it waits, so a
/// batch never deadlocks. Several messages that request a channel in the same cycle get it with
/// equal probability. A message alone takes `hops * M` cycles if every node stores it completely
/// before it forwards it, and `hops + M - 1` cycles with virtual cut-through.
///
/// Cost of a cycle: linear in the number of messages that have not arrived.
#[derive(Clone, Debug)]
pub struct QueuedBatchRun {
    routes: ChannelRoutes,
    flits: u32,
    /// Number of cycles from the entry into a channel to the earliest request for the next one.
    forwarding_delay: u32,
    /// Number of channels that each message's header has entered.
    entered: Vec<u32>,
    /// Cycle at whose start each message may request its next channel; after the last channel, the
    /// cycle at whose end it has arrived.
    ready: Vec<u32>,
    /// Cycle at whose end each message was delivered.
    finished: Vec<Option<u32>>,
    /// Messages that have not arrived.
    active: Vec<u32>,
    /// Last message in each channel, and the cycle at whose start the channel is idle again.
    channels: Vec<(u32, u32)>,
    /// Current winner and number of requests of each channel in this cycle.
    requests: Vec<(u32, u32)>,
    cycle: u32,
    generator: Generator,
    outcome: Option<BatchOutcome>,
    onset: Option<Box<Onset>>,
}

impl QueuedBatchRun {
    /// Creates a batch of messages of `flits` flits on `routes` in `cube`. `forwarding_delay` is the
    /// number of cycles from the entry into a channel to the earliest request for the next one:
    /// `flits` with store-and-forward, 1 with virtual cut-through.
    ///
    /// Limits, routes, key and errors are those of [`super::WormBatchRun::new`].
    pub(super) fn new<'r>(
        cube: Hypercube,
        routes: impl IntoIterator<Item = &'r ObliviousRoute>,
        flits: u16,
        forwarding_delay: u16,
        key: Key,
    ) -> Option<Self> {
        let routes = ChannelRoutes::new(cube, routes, flits)?;
        Some(Self::on_channels(routes, flits, forwarding_delay, key))
    }

    /// Creates a batch on routes with the number of channels of their network.
    pub(super) fn on_channels(
        (routes, channels): (ChannelRoutes, usize),
        flits: u16,
        forwarding_delay: u16,
        key: Key,
    ) -> Self {
        Self {
            flits: flits.into(),
            forwarding_delay: forwarding_delay.into(),
            entered: vec![0; routes.count()],
            ready: vec![0; routes.count()],
            finished: routes.finished_at_start(),
            active: routes.with_hops(),
            channels: vec![(NONE, 0); channels],
            requests: vec![(NONE, 0); channels],
            cycle: 0,
            generator: key.generator(),
            outcome: None,
            onset: None,
            routes,
        }
    }

    /// Makes faults arrive while messages move; `None` if a new route leaves the cube, or if the number
    /// of new routes is not that of the messages. Must be called before cycle 0.
    pub(super) fn with_onset(mut self, onset: &BatchOnset<'_>) -> Option<Self> {
        self.onset = Some(Box::new(Onset::new(onset, &self.routes)?));
        Some(self)
    }

    /// Returns the number of cycles so far.
    pub fn cycle(&self) -> u32 {
        self.cycle
    }

    /// Returns the outcome of the batch; `None` while it continues.
    pub fn outcome(&self) -> Option<&BatchOutcome> {
        self.outcome.as_ref()
    }

    /// Returns the number of cycles until each message's last flit arrived; `None` for a message
    /// that has not arrived.
    pub fn finished(&self) -> &[Option<u32>] {
        &self.finished
    }

    /// Returns the channels that a message crossed in the last cycle, in the order of its route; none
    /// once it has arrived.
    pub fn held_channels(&self, message: u32) -> impl Iterator<Item = Link> + '_ {
        let is_active = self.finished.get(message as usize).is_some_and(Option::is_none);
        let entered = if is_active { self.entered[message as usize] as usize } else { 0 };
        let crossed = &self.routes.route(message)[..entered];
        let holds = move |channel: &&u32| {
            let (last, idle_at) = self.channels[**channel as usize];
            last == message && idle_at >= self.cycle
        };
        crossed.iter().filter(holds).map(|&channel| self.routes.link(channel))
    }

    /// Returns the number of channels that a message's header has entered.
    pub fn hops_made(&self, message: u32) -> u32 {
        self.entered.get(message as usize).copied().unwrap_or(0)
    }

    /// Returns whether a message must wait for its own flits before it can request its next channel.
    pub(super) fn is_entering(&self, message: u32) -> bool {
        self.ready.get(message as usize).is_some_and(|&ready| ready > self.cycle)
    }

    /// Returns the number of messages that have not arrived.
    pub fn active_count(&self) -> usize {
        self.active.len()
    }

    /// Returns the approximate size of a copy, in bytes.
    pub(super) fn size_bytes(&self) -> u64 {
        let onset = self.onset.as_ref().map_or(0, |onset| onset.size_bytes());
        self.routes.size_bytes() + 40 * self.routes.count() as u64 + 16 * self.channels.len() as u64 + onset + 4096
    }

    /// Simulates one cycle. Has no effect after the end.
    pub fn step(&mut self) {
        if self.outcome.is_some() {
            return;
        }
        self.continue_transition();
        self.collect_requests();
        self.grant_channels();
        if !self.active.is_empty() {
            self.cycle += 1;
        }
        self.remove_arrived();
        if self.active.is_empty() {
            self.outcome = Some(BatchOutcome::Delivered);
        }
    }

    /// Returns the channel that a message requests in this cycle; `None` if it requests none.
    fn requested_channel(&self, message: u32) -> Option<u32> {
        let channel = *self.routes.route(message).get(self.entered[message as usize] as usize)?;
        let is_idle = self.channels[channel as usize].1 <= self.cycle;
        (is_idle && self.ready[message as usize] <= self.cycle).then_some(channel)
    }

    /// Collects the requests for idle channels, and chooses a winner for each with equal
    /// probability.
    fn collect_requests(&mut self) {
        for index in 0..self.active.len() {
            let message = self.active[index];
            let Some(channel) = self.requested_channel(message) else { continue };
            let (winner, count) = &mut self.requests[channel as usize];
            *count += 1;
            if below(&mut self.generator, *count) == 0 {
                *winner = message;
            }
        }
    }

    /// Lets the winners enter their channels.
    fn grant_channels(&mut self) {
        for index in 0..self.active.len() {
            let message = self.active[index];
            let Some(channel) = self.requested_channel(message) else { continue };
            if self.requests[channel as usize].0 != message {
                continue;
            }
            self.requests[channel as usize] = (NONE, 0);
            let idle_at = self.cycle + self.flits;
            self.channels[channel as usize] = (message, idle_at);
            let (entered, route) = (&mut self.entered[message as usize], self.routes.route(message));
            *entered += 1;
            let is_last = *entered as usize == route.len();
            self.ready[message as usize] = if is_last { idle_at } else { self.cycle + self.forwarding_delay };
        }
    }

    /// Records the messages that have arrived by the end of the cycle.
    fn remove_arrived(&mut self) {
        let (routes, entered, ready, cycle) = (&self.routes, &self.entered, &self.ready, self.cycle);
        let finished = &mut self.finished;
        self.active.retain(|&message| {
            let index = message as usize;
            let has_arrived = entered[index] as usize == routes.route(message).len() && ready[index] <= cycle;
            if has_arrived {
                finished[index] = Some(ready[index]);
            }
            !has_arrived
        });
    }
}
