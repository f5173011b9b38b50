//! Faults that arrive while the messages of a batch move.
//!
//! Until the onset nothing is faulty. At the onset
//! 1. messages whose source or destination is faulty are given up;
//! 2. messages that have not left their sources get new routes;
//! 3. messages with flits in a faulty node or on a faulty channel are dropped.
//!
//! Afterwards a message is dropped when its next channel is faulty. Its source sends it again on a
//! new route, after twice the time that a message alone takes over the old route: it has not been
//! acknowledged. A message without a new route is given up.

use super::QueuedBatchRun;
use crate::fault::FaultyNodes;
use crate::routing::oblivious::ObliviousRoute;
use crate::switching::TransitionCounts;
use crate::switching::permutation::channel_routes::{ChannelRoutes, NONE};
use crate::topology::Link;

/// Faults that arrive while the messages of a batch move.
#[derive(Clone, Copy, Debug)]
pub struct BatchOnset<'a> {
    /// Cycle at whose start the faults arrive.
    pub cycle: u32,
    /// Faulty nodes and links.
    pub faulty: &'a FaultyNodes,
    /// Route of each message among the faults; `None` for a message that has none.
    pub new_routes: &'a [Option<ObliviousRoute>],
}

/// Effect of the faults on a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// The message is on its first route.
    Unchanged,
    /// The message has its new route.
    NewRoute,
    /// The message will not be delivered.
    GivenUp,
}

/// Faults of a batch, and the state of the transition.
#[derive(Clone, Debug)]
pub(super) struct Onset {
    cycle: u32,
    has_begun: bool,
    faulty: FaultyNodes,
    /// Channels of each message's route among the faults.
    new_routes: Vec<Option<Vec<u32>>>,
    changes: Vec<Change>,
    /// Messages in the network whose routes lead over a fault.
    broken: Vec<u32>,
    /// Cycles in which sources send dropped messages again.
    repeats: Vec<u32>,
    counts: TransitionCounts,
}

impl Onset {
    /// Returns the state before the onset; `None` if a route leaves the cube, or the number of
    /// routes is not that of the messages.
    pub(super) fn new(onset: &BatchOnset<'_>, routes: &ChannelRoutes) -> Option<Self> {
        let channels_of = |route: &Option<ObliviousRoute>| match route {
            None => Some(None),
            Some(route) => routes.channels_of(route).map(Some),
        };
        let new_routes = onset.new_routes.iter().map(channels_of).collect::<Option<Vec<_>>>()?;
        (new_routes.len() == routes.count()).then(|| Self {
            cycle: onset.cycle,
            has_begun: false,
            faulty: onset.faulty.clone(),
            changes: vec![Change::Unchanged; new_routes.len()],
            new_routes,
            broken: Vec::new(),
            repeats: Vec::new(),
            counts: TransitionCounts::default(),
        })
    }

    fn is_faulty(&self, link: Link) -> bool {
        self.faulty.contains(link.from) || self.faulty.contains(link.end()) || self.faulty.is_link_faulty(link)
    }

    fn has_change(&self, message: u32, change: Change) -> bool {
        self.changes.get(message as usize) == Some(&change)
    }

    /// Returns the approximate size, in bytes.
    pub(super) fn size_bytes(&self) -> u64 {
        let channels: usize = self.new_routes.iter().flatten().map(Vec::len).sum();
        4 * channels as u64 + 32 * self.new_routes.len() as u64 + self.faulty.cube().mask() + 1
    }
}

impl QueuedBatchRun {
    /// Returns the cycle in which faults arrive while messages move; `None` if there are none.
    pub fn onset(&self) -> Option<u32> {
        self.onset.as_ref().map(|onset| onset.cycle)
    }

    /// Returns the counts of the transition; `None` if no faults arrive while messages move.
    pub fn transition(&self) -> Option<TransitionCounts> {
        self.onset.as_ref().map(|onset| onset.counts)
    }

    /// Returns whether a message has its new route, that among the faults.
    pub fn has_new_route(&self, message: u32) -> bool {
        self.onset.as_ref().is_some_and(|onset| onset.has_change(message, Change::NewRoute))
    }

    /// Returns whether a message has been given up.
    pub fn is_given_up(&self, message: u32) -> bool {
        self.onset.as_ref().is_some_and(|onset| onset.has_change(message, Change::GivenUp))
    }

    /// Continues the transition at the start of a cycle.
    pub(super) fn continue_transition(&mut self) {
        let Some(mut onset) = self.onset.take() else { return };
        let given_up = onset.counts.given_up;
        if self.cycle >= onset.cycle && !onset.has_begun {
            onset.has_begun = true;
            self.begin(&mut onset);
        }
        self.drop_blocked(&mut onset);
        onset.counts.cycles += u64::from(!onset.broken.is_empty());
        let waiting = onset.repeats.len();
        onset.repeats.retain(|&cycle| cycle > self.cycle);
        onset.counts.resent += (waiting - onset.repeats.len()) as u64;
        if onset.counts.given_up > given_up {
            self.active.retain(|&message| !onset.has_change(message, Change::GivenUp));
        }
        self.onset = Some(onset);
    }

    /// Makes the faults arrive.
    fn begin(&mut self, onset: &mut Onset) {
        for index in 0..self.active.len() {
            let message = self.active[index];
            let entered = self.entered[message as usize] as usize;
            if self.has_faulty_end(message, onset) {
                self.give_up(message, onset);
            } else if entered == 0 {
                self.replace_route(message, onset);
            } else if self.is_cut(message, onset) {
                onset.counts.cut += 1;
                self.drop_and_repeat(message, onset);
            } else if self.routes.links(message).skip(entered).any(|link| onset.is_faulty(link)) {
                onset.broken.push(message);
            }
        }
    }

    fn has_faulty_end(&self, message: u32, onset: &Onset) -> bool {
        let first = self.routes.links(message).next().map(|link| link.from);
        let last = self.routes.links(message).last().map(Link::end);
        first.into_iter().chain(last).any(|node| onset.faulty.contains(node))
    }

    /// Returns whether a message that has left its source has flits in a faulty node or on a faulty
    /// channel.
    fn is_cut(&self, message: u32, onset: &Onset) -> bool {
        let entered = self.entered[message as usize] as usize;
        let mut crossed = self.routes.route(message).iter().zip(self.routes.links(message)).take(entered);
        let here = self.routes.links(message).take(entered).last().map(Link::end);
        here.is_some_and(|here| onset.faulty.contains(here))
            || crossed.any(|(&channel, link)| self.is_crossing(message, channel) && onset.is_faulty(link))
    }

    /// Returns whether flits of a message are on a channel at the start of the cycle.
    fn is_crossing(&self, message: u32, channel: u32) -> bool {
        let (last, idle_at) = self.channels[channel as usize];
        last == message && idle_at > self.cycle
    }

    fn release_channels(&mut self, message: u32) {
        for place in 0..self.routes.route(message).len() {
            let channel = self.routes.route(message)[place];
            if self.is_crossing(message, channel) {
                self.channels[channel as usize] = (NONE, self.cycle);
            }
        }
    }

    /// Drops the messages that have reached a fault on their routes.
    fn drop_blocked(&mut self, onset: &mut Onset) {
        for message in std::mem::take(&mut onset.broken) {
            let next = self.routes.links(message).nth(self.entered[message as usize] as usize);
            let waits = self.ready[message as usize] <= self.cycle;
            if waits && next.is_some_and(|next| onset.is_faulty(next)) {
                onset.counts.undrained += 1;
                self.drop_and_repeat(message, onset);
            } else {
                onset.broken.push(message);
            }
        }
    }

    /// Removes the flits of a message, and lets its source send it again.
    fn drop_and_repeat(&mut self, message: u32, onset: &mut Onset) {
        self.release_channels(message);
        let hops = self.routes.route(message).len() as u32;
        let alone = hops.saturating_sub(1) * self.forwarding_delay + self.flits;
        self.entered[message as usize] = 0;
        self.ready[message as usize] = self.cycle + 2 * alone;
        if self.replace_route(message, onset) {
            onset.repeats.push(self.ready[message as usize]);
        }
    }

    /// Gives a message in its source its new route, or gives it up if there is none. Returns
    /// whether it has a new route.
    fn replace_route(&mut self, message: u32, onset: &mut Onset) -> bool {
        let Some(route) = onset.new_routes[message as usize].take() else {
            self.give_up(message, onset);
            return false;
        };
        self.routes.replace(message, route);
        onset.changes[message as usize] = Change::NewRoute;
        true
    }

    fn give_up(&mut self, message: u32, onset: &mut Onset) {
        self.release_channels(message);
        onset.changes[message as usize] = Change::GivenUp;
        onset.counts.given_up += 1;
    }
}
