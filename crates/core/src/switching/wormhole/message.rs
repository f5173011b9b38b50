//! Representation of messages, sources and waiting headers in the wormhole engine.

use crate::routing::{VcRequests, WormHeader};
use crate::topology::Port;

/// Sentinel slot for the absence of a message.
pub(super) const NONE: u32 = u32::MAX;

/// Stage of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The slot has no message.
    Unused,
    /// The message waits in its source's queue.
    Queued,
    /// The header is at a node and awaits route computation.
    Deciding,
    /// The header waits for a virtual channel.
    Waiting,
    /// The header has a virtual channel and has not crossed it.
    Moving,
    /// The header is at its destination.
    Consumed,
}

/// A message in the network, or in a queue.
///
/// The fields other than `choices` fill one cache line. The first choices are in the next one.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct WormMessage {
    pub(super) number: u64,
    pub(super) generated: u64,
    pub(super) injected: u64,
    /// Cycle in which the header reached its node, where it may wait.
    pub(super) since: u64,
    pub(super) from: u32,
    pub(super) to: u32,
    /// Foremost virtual channel held, or the source lane before the first allocation.
    pub(super) lane: u32,
    pub(super) hops: u32,
    /// Slot of the next message in the source's queue.
    pub(super) behind: u32,
    pub(super) header: WormHeader,
    pub(super) input_port: Option<Port>,
    pub(super) stage: Stage,
    /// Choices that the message requests while it waits.
    pub(super) choices: VcRequests,
}

/// State of a node as a source.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceState {
    /// Number of messages that have left the queue and whose tails have not left the node.
    pub(super) busy: u16,
    /// Number of messages in the queue.
    pub(super) queued: u16,
    /// First slot of the queue.
    pub(super) first: u32,
    /// Last slot of the queue.
    pub(super) last: u32,
}

impl SourceState {
    pub(super) const IDLE: Self = Self { busy: 0, queued: 0, first: NONE, last: NONE };
}

/// VC request of a waiting header, in the form that VC allocation reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingRequest {
    /// Slot of the message; [`NONE`] once the request is served.
    pub(super) slot: u32,
    /// Channel of each of at most two choices.
    ///
    /// For more choices, or ordered ones, the first channel is a pseudo channel that is always
    /// idle, and the choices are stored in the message.
    pub(super) channels: [u32; 2],
    /// Mask of the acceptable virtual channels of each choice; 0 without a choice.
    pub(super) vc_masks: [u32; 2],
}
