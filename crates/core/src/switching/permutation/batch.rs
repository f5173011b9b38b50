//! Batches of worms on fixed routes in a hypercube, all started at once (thesis, sections 1.2 and
//! 3.3.1).
//!
//! Every channel has a buffer of one flit at its end node. A worm of M flits holds the last M
//! channels that its header has entered. A header whose next channel is held waits, and so do all
//! flits behind it. The destination consumes each flit on arrival, so that a worm alone takes
//! `hops + M - 1` cycles.

use crate::random::{Generator, Key, below};
use crate::routing::oblivious::ObliviousRoute;
use crate::switching::permutation::channel_routes::{ChannelRoutes, NONE};
use crate::topology::{Hypercube, Link};

/// Outcome of a batch of worms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchOutcome {
    /// Every worm has arrived.
    Delivered,
    /// No worm can ever move. The messages form a cyclic wait: each waits for a channel that the
    /// next one holds, the last one for a channel of the first.
    Deadlock(Vec<BatchWait>),
}

/// A message in a cyclic wait, with the channel for which it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchWait {
    /// Number of the message.
    pub message: u32,
    /// The channel for which the message waits.
    pub wants: Link,
}

/// A simulation of a batch of worms.
///
/// Cost of a cycle: linear in the number of worms that have not arrived.
#[derive(Clone, Debug)]
pub struct WormBatchRun {
    flits: u32,
    routes: ChannelRoutes,
    /// Number of steps of each message. Each step is a channel that the header enters or, later, a
    /// further flit that arrives.
    steps: Vec<u32>,
    /// Cycle at whose end each message was delivered.
    finished: Vec<Option<u32>>,
    /// Messages that have not arrived.
    active: Vec<u32>,
    owners: Vec<u32>,
    /// Current winner and number of requests of each channel in this cycle.
    asked: Vec<(u32, u32)>,
    cycle: u32,
    generator: Generator,
    outcome: Option<BatchOutcome>,
}

impl WormBatchRun {
    /// Largest dimension of the cube: 20 times 2^20 channels.
    pub const MAX_DIMENSION: u8 = 20;
    /// Maximum length of a message, in flits.
    pub const MAX_FLITS: u16 = 1024;

    /// Creates a batch of messages of `flits` flits (1 to [`WormBatchRun::MAX_FLITS`]) on `routes` in
    /// `cube`.
    ///
    /// `key` decides which of several messages gets a channel. A message on a route without hops
    /// arrives in cycle 0. Returns `None` if a number is out of range or a route leaves the cube.
    pub fn new<'r>(
        cube: Hypercube,
        routes: impl IntoIterator<Item = &'r ObliviousRoute>,
        flits: u16,
        key: Key,
    ) -> Option<Self> {
        ChannelRoutes::new(cube, routes, flits).map(|routes| Self::on_channels(routes, flits, key))
    }

    /// Creates a batch on routes with the number of channels of their network.
    pub(super) fn on_channels((routes, channels): (ChannelRoutes, usize), flits: u16, key: Key) -> Self {
        Self {
            flits: u32::from(flits),
            steps: vec![0; routes.count()],
            finished: routes.finished_at_start(),
            active: routes.with_hops(),
            routes,
            owners: vec![NONE; channels],
            asked: vec![(NONE, 0); channels],
            cycle: 0,
            generator: key.generator(),
            outcome: None,
        }
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

    /// Returns the channels that a message holds, from its tail to its header.
    pub fn held_channels(&self, message: u32) -> impl Iterator<Item = Link> + '_ {
        let index = message as usize;
        let route = self.routes.route(message);
        let steps = self.steps.get(index).map_or(0, |&steps| steps as usize);
        let arrived = self.finished.get(index).is_none_or(|end| end.is_some());
        let head = if arrived { 0 } else { steps.min(route.len()) };
        let tail = steps.saturating_sub(self.flits as usize).min(head);
        route[tail..head].iter().map(|&channel| self.routes.link(channel))
    }

    /// Returns the number of channels that a message's header has entered.
    pub fn hops_made(&self, message: u32) -> u32 {
        let steps = self.steps.get(message as usize).copied().unwrap_or(0);
        steps.min(self.routes.route(message).len() as u32)
    }

    /// Returns the number of messages that have not arrived.
    pub fn active_count(&self) -> usize {
        self.active.len()
    }

    /// Returns the approximate size of a copy, in bytes.
    pub(super) fn size_bytes(&self) -> u64 {
        let (messages, channels) = (self.routes.count() as u64, self.owners.len() as u64);
        self.routes.size_bytes() + 40 * messages + 12 * channels + 4096
    }

    /// Simulates one cycle. Has no effect after the end.
    pub fn step(&mut self) {
        if self.outcome.is_some() {
            return;
        }
        if self.active.is_empty() {
            self.outcome = Some(BatchOutcome::Delivered);
            return;
        }
        self.collect_requests();
        let moved = self.advance();
        self.cycle += 1;
        if !moved {
            self.outcome = Some(BatchOutcome::Deadlock(self.wait_cycle()));
        } else if self.active.is_empty() {
            self.outcome = Some(BatchOutcome::Delivered);
        }
    }

    /// Returns the channel that the header of a message enters next; `None` if the header has
    /// arrived.
    fn next_channel(&self, message: u32) -> Option<u32> {
        self.routes.route(message).get(self.steps[message as usize] as usize).copied()
    }

    /// Collects the requests of headers for idle channels, and chooses a winner for each with equal
    /// probability.
    fn collect_requests(&mut self) {
        for place in 0..self.active.len() {
            let message = self.active[place];
            let Some(channel) = self.next_channel(message).filter(|&channel| self.owners[channel as usize] == NONE)
            else {
                continue;
            };
            let (winner, count) = &mut self.asked[channel as usize];
            *count += 1;
            if below(&mut self.generator, *count) == 0 {
                *winner = message;
            }
        }
    }

    /// Moves all worms that can move. Returns whether any worm moved.
    fn advance(&mut self) -> bool {
        let mut rest = std::mem::take(&mut self.active);
        // A channel released in this cycle gets a new owner in the next cycle at the earliest,
        // since requests were collected before the release.
        let mut moved = false;
        rest.retain(|&message| {
            if let Some(channel) = self.next_channel(message) {
                if self.asked[channel as usize].0 != message {
                    return true;
                }
                self.asked[channel as usize] = (NONE, 0);
                self.owners[channel as usize] = message;
            }
            moved = true;
            !self.move_flits(message)
        });
        self.active = rest;
        moved
    }

    /// Moves all flits of a message by one channel. Returns whether the message has then arrived.
    fn move_flits(&mut self, message: u32) -> bool {
        let index = message as usize;
        self.steps[index] += 1;
        let (steps, hops) = (self.steps[index], self.routes.route(message).len() as u32);
        let arrived = steps == hops + self.flits - 1;
        // A step releases the channel that the tail leaves. The arrival releases all remaining
        // channels.
        let first = steps.saturating_sub(self.flits + 1).min(hops);
        let past = if arrived { hops } else { steps.saturating_sub(self.flits).min(hops) };
        for channel in &self.routes.route(message)[first as usize..past as usize] {
            self.owners[*channel as usize] = NONE;
        }
        if arrived {
            self.finished[index] = Some(self.cycle + 1);
        }
        arrived
    }

    /// Returns a cyclic wait. Must only be called if no worm can move.
    ///
    /// The search follows each message to the holder of its wanted channel until a message repeats.
    fn wait_cycle(&self) -> Vec<BatchWait> {
        let mut met: Vec<BatchWait> = Vec::new();
        let mut next = self.active.first().copied();
        while let Some(message) = next {
            if let Some(start) = met.iter().position(|wait| wait.message == message) {
                return met.split_off(start);
            }
            let Some(channel) = self.next_channel(message) else { break };
            met.push(BatchWait { message, wants: self.routes.link(channel) });
            next = Some(self.owners[channel as usize]).filter(|&owner| owner != NONE);
        }
        met
    }
}
