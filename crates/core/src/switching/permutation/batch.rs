//! A batch of worms on given routes in a hypercube: all start at once, and what they hold they keep (thesis, sections 1.2 and
//! 3.3.1).
//!
//! Every channel has a buffer of one flit at the node that it leads to. A worm of M flits holds the last M channels that its
//! header has entered; a header that finds its next channel held waits, and all behind it. A flit that comes to the
//! destination is consumed at once, so that a worm alone takes hops + M - 1 cycles.

use crate::random::{Generator, Key, below};
use crate::routing::oblivious::ObliviousRoute;
use crate::switching::Engine;
use crate::topology::{Hypercube, Link, NodeId};

/// A channel without an owner, a channel that nobody asks for.
const NONE: u32 = u32::MAX;

/// How a batch of worms came to an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchOutcome {
    /// Every worm has arrived.
    Delivered,
    /// Nobody can ever move: messages, by number, each of which waits for a channel that the next one holds, the last one for
    /// one of the first.
    Deadlock(Vec<BatchWait>),
}

/// One message of a deadlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchWait {
    /// The message.
    pub message: u32,
    /// What it waits for.
    pub wants: Link,
}

/// The worms of a batch on their way. Cost: each cycle, the worms that have not arrived.
#[derive(Clone, Debug)]
pub struct RouteBatch {
    dimensions: u32,
    flits: u32,
    /// For each message the channels of its route,
    routes: Vec<Vec<u32>>,
    /// the steps that it has made: its header has entered so many channels, or so many more flits have arrived,
    steps: Vec<u32>,
    /// and the cycle at whose end it was delivered.
    finished: Vec<Option<u32>>,
    /// Messages that have not arrived.
    rest: Vec<u32>,
    owners: Vec<u32>,
    /// For each channel that somebody asks for in this cycle, who gets it, and how many ask.
    asked: Vec<(u32, u32)>,
    cycle: u32,
    generator: Generator,
    outcome: Option<BatchOutcome>,
}

impl RouteBatch {
    /// The largest cube: 20 times 2^20 channels.
    pub const MAX_DIMENSION: u8 = 20;
    /// The longest message, in flits.
    pub const MAX_FLITS: u16 = 1024;

    /// Messages of `flits` flits (1 to [`RouteBatch::MAX_FLITS`]) on `routes` in `cube`, all about to start; `key` decides who
    /// of several gets a channel. `None` if a number is out of range. A route of no hops has arrived at once.
    pub fn new<'r>(
        cube: Hypercube,
        routes: impl IntoIterator<Item = &'r ObliviousRoute>,
        flits: u16,
        key: Key,
    ) -> Option<Self> {
        let fits = cube.dimension() <= Self::MAX_DIMENSION && (1..=Self::MAX_FLITS).contains(&flits);
        let channels = cube.links().filter(|_| fits)? as usize;
        let dimensions = u32::from(cube.dimension());
        let channel = |link: Link| link.from.0 as u32 * dimensions + u32::from(link.dim);
        let inside = |route: &&ObliviousRoute| route.hops().all(|hop| cube.contains(hop.link.from));
        let routes: Vec<Vec<_>> = routes
            .into_iter()
            .take_while(inside)
            .map(|route| route.hops().map(|hop| channel(hop.link)).collect())
            .collect();
        let finished = routes.iter().map(|route| route.is_empty().then_some(0)).collect();
        let rest = (0u32..).zip(&routes).filter(|(_, route)| !route.is_empty()).map(|(number, _)| number).collect();
        Some(Self {
            dimensions,
            flits: u32::from(flits),
            steps: vec![0; routes.len()],
            finished,
            rest,
            routes,
            owners: vec![NONE; channels],
            asked: vec![(NONE, 0); channels],
            cycle: 0,
            generator: key.generator(),
            outcome: None,
        })
    }

    /// The cycles that have passed.
    pub fn cycle(&self) -> u32 {
        self.cycle
    }

    /// How it came to an end; `None` while it goes on.
    pub fn outcome(&self) -> Option<&BatchOutcome> {
        self.outcome.as_ref()
    }

    /// For each message, the cycles until its last flit had arrived; `None` if it has not.
    pub fn finished(&self) -> &[Option<u32>] {
        &self.finished
    }

    /// The channels that a message holds, from its tail to its header.
    pub fn held(&self, message: u32) -> impl Iterator<Item = Link> + '_ {
        let index = message as usize;
        let route = self.routes.get(index).map(Vec::as_slice).unwrap_or_default();
        let steps = self.steps.get(index).map_or(0, |&steps| steps as usize);
        let arrived = self.finished.get(index).is_none_or(|end| end.is_some());
        let head = if arrived { 0 } else { steps.min(route.len()) };
        let tail = steps.saturating_sub(self.flits as usize).min(head);
        route[tail..head].iter().map(|&channel| self.link(channel))
    }

    /// Runs for `cycles` cycles at most: how it ended, if it did.
    pub fn run_until(&mut self, cycles: u32) -> Option<&BatchOutcome> {
        for _ in 0..cycles {
            if self.outcome.is_some() {
                break;
            }
            self.step();
        }
        self.outcome()
    }

    /// Lets one cycle pass; nothing happens any more after the end.
    pub fn step(&mut self) {
        if self.outcome.is_some() {
            return;
        }
        if self.rest.is_empty() {
            self.outcome = Some(BatchOutcome::Delivered);
            return;
        }
        self.ask();
        let moved = self.advance();
        self.cycle += 1;
        if !moved {
            self.outcome = Some(BatchOutcome::Deadlock(self.circle()));
        } else if self.rest.is_empty() {
            self.outcome = Some(BatchOutcome::Delivered);
        }
    }

    /// The channel that the header of a message enters next; `None` if it has arrived.
    fn wanted(&self, message: u32) -> Option<u32> {
        self.routes[message as usize].get(self.steps[message as usize] as usize).copied()
    }

    /// Headers ask for their next channels; of those that ask for an idle one, any gets it with equal probability.
    fn ask(&mut self) {
        for place in 0..self.rest.len() {
            let message = self.rest[place];
            let Some(channel) = self.wanted(message).filter(|&channel| self.owners[channel as usize] == NONE) else {
                continue;
            };
            let (winner, count) = &mut self.asked[channel as usize];
            *count += 1;
            if below(&mut self.generator, *count) == 0 {
                *winner = message;
            }
        }
    }

    /// Those who can, move; whether anybody did.
    fn advance(&mut self) -> bool {
        let mut rest = std::mem::take(&mut self.rest);
        // What is let go in this cycle is idle in the next: nobody was given it.
        let mut moved = false;
        rest.retain(|&message| {
            if let Some(channel) = self.wanted(message) {
                if self.asked[channel as usize].0 != message {
                    return true;
                }
                self.asked[channel as usize] = (NONE, 0);
                self.owners[channel as usize] = message;
            }
            moved = true;
            !self.shift(message)
        });
        self.rest = rest;
        moved
    }

    /// All flits of a message move by one channel; whether it has arrived with that.
    fn shift(&mut self, message: u32) -> bool {
        let index = message as usize;
        self.steps[index] += 1;
        let (steps, hops) = (self.steps[index], self.routes[index].len() as u32);
        let arrived = steps == hops + self.flits - 1;
        // The tail leaves one channel; at the end, all that are left.
        let first = steps.saturating_sub(self.flits + 1).min(hops);
        let past = if arrived { hops } else { steps.saturating_sub(self.flits).min(hops) };
        for channel in &self.routes[index][first as usize..past as usize] {
            self.owners[*channel as usize] = NONE;
        }
        if arrived {
            self.finished[index] = Some(self.cycle + 1);
        }
        arrived
    }

    /// A circle of waiting messages, when nobody moves: from any of them to the holder of what it waits for, until one comes
    /// again.
    fn circle(&self) -> Vec<BatchWait> {
        let mut met: Vec<BatchWait> = Vec::new();
        let mut next = self.rest.first().copied();
        while let Some(message) = next {
            if let Some(start) = met.iter().position(|wait| wait.message == message) {
                return met.split_off(start);
            }
            let Some(channel) = self.wanted(message) else { break };
            met.push(BatchWait { message, wants: self.link(channel) });
            next = Some(self.owners[channel as usize]).filter(|&owner| owner != NONE);
        }
        met
    }

    fn link(&self, channel: u32) -> Link {
        Link { from: NodeId(u64::from(channel / self.dimensions)), dim: (channel % self.dimensions) as u8 }
    }
}

/// It counts the messages that have not arrived.
impl Engine for RouteBatch {
    type Time = u64;

    fn now(&self) -> u64 {
        self.cycle.into()
    }

    fn next(&self) -> u64 {
        if self.outcome.is_some() { u64::MAX } else { u64::from(self.cycle) + 1 }
    }

    fn step(&mut self) {
        Self::step(self);
    }

    fn ended(&self) -> bool {
        self.outcome.is_some()
    }

    fn weight(&self) -> u64 {
        let hops: u64 = self.routes.iter().map(|route| route.len() as u64).sum();
        let (messages, channels) = (self.routes.len() as u64, self.owners.len() as u64);
        4 * hops + 40 * messages + 12 * channels + 4096
    }

    fn gauge(&self) -> u64 {
        self.rest.len() as u64
    }
}
