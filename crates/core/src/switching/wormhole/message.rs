//! A message as the engine keeps it.

use crate::routing::{WormChoices, WormHeader};
use crate::topology::Port;

/// No message, no slot.
pub(super) const NONE: u32 = u32::MAX;

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The slot has no message.
    Unused,
    /// It waits in its source's queue.
    Queued,
    /// Its header is at a node, and has not been told what it may ask for.
    Deciding,
    /// Its header waits for a virtual channel.
    Waiting,
    /// Its header has a virtual channel and has not crossed it.
    Moving,
    /// Its header is at its destination.
    Consumed,
}

/// A message in the network, or in a queue: one cache line, and one more for the first of its choices.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Message {
    pub(super) number: u64,
    pub(super) generated: u64,
    pub(super) injected: u64,
    /// The cycle in which its header came to the node where it is, or waits.
    pub(super) since: u64,
    pub(super) from: u32,
    pub(super) to: u32,
    /// The foremost lane that it has: the source's before it takes one.
    pub(super) lane: u32,
    pub(super) hops: u32,
    /// The slot of the message behind it in its source's queue.
    pub(super) behind: u32,
    pub(super) header: WormHeader,
    pub(super) came: Option<Port>,
    pub(super) stage: Stage,
    /// What it waits for, if it does.
    pub(super) choices: WormChoices,
}

/// A node as a source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// Messages whose tails have not left it, those in the queue not counted.
    pub(super) busy: u16,
    /// Messages in its queue.
    pub(super) queued: u16,
    /// The first and the last slot of its queue.
    pub(super) first: u32,
    pub(super) last: u32,
}

impl Source {
    pub(super) const IDLE: Self = Self { busy: 0, queued: 0, first: NONE, last: NONE };
}

/// A header that waits, as far as the search for idle virtual channels has to know it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    /// The slot of its message; [`NONE`] when it has been served.
    pub(super) slot: u32,
    /// Of at most two choices, the channel of each and the virtual channels that would do, as a mask: 0 if there is no such
    /// choice. Of more choices, a first channel that is always idle: the message tells them.
    pub(super) channels: [u32; 2],
    pub(super) wants: [u32; 2],
}
