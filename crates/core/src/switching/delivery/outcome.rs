//! Outcome and counters of the delivery of a message set.

use std::fmt;

use crate::topology::fat_tree::TreeChannel;

/// Outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// All messages have arrived, except those that dead wires cut off.
    Delivered {
        /// Number of messages that cannot arrive.
        undeliverable: u32,
    },
    /// No further message will arrive: every cycle sends the same messages and loses them at the
    /// same channels.
    Stuck {
        /// Number of messages left, including those that cannot arrive.
        left: u32,
        /// The channel that loses the most messages; the lowest and leftmost of several.
        channel: TreeChannel,
        /// Number of messages that reach the channel.
        contenders: u32,
        /// Number of live wires of the channel.
        capacity: u32,
    },
    /// The run has reached the maximum number of cycles, [`super::DeliveryRun::MAX_CYCLES`].
    OutOfCycles {
        /// Number of messages left.
        left: u32,
    },
}

impl fmt::Display for DeliveryOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Delivered { undeliverable: 0 } => f.write_str("all messages delivered"),
            Self::Delivered { undeliverable } => {
                write!(f, "all messages delivered except {undeliverable} that dead wires cut off")
            }
            Self::Stuck { left, contenders, capacity, .. } => write!(
                f,
                "stuck with {left} messages left: the same messages are sent and lost in every cycle, {contenders} of them at \
                 a channel of {capacity} wires"
            ),
            Self::OutOfCycles { left } => write!(f, "stopped with {left} messages left"),
        }
    }
}

/// Reason why a message set cannot be sent on a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeliveryError {
    /// The message set has another number of processors than the network.
    Processors {
        /// Number of processors of the network.
        network: u32,
        /// Number of processors of the message set.
        messages: u32,
    },
    /// A message leaves by the external channel, but the network has no external channel.
    NoExternal,
    /// The live wires belong to another network.
    Wires,
}

impl fmt::Display for DeliveryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Processors { network, messages } => {
                write!(f, "the message set is for {messages} processors, but the network has {network}")
            }
            Self::NoExternal => f.write_str(
                "messages that leave through the root need a fat-tree: the second network has no external channel",
            ),
            Self::Wires => f.write_str("the dead wires belong to another network"),
        }
    }
}

impl std::error::Error for DeliveryError {}

/// Counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeliveryCounts {
    /// Cycle in which the last message arrived, from 1; 0 if no message has arrived. The completion
    /// is the main result of a run.
    pub completion: u64,
    /// Number of cycles that the pseudo-code executes. After the last arrival, the pseudo-code
    /// completes its current loops.
    pub pseudocode_cycles: u64,
    /// Number of cycles in which messages were sent.
    pub sending_cycles: u64,
    /// Number of transmissions of all messages together.
    pub transmissions: u64,
    /// Number of messages that have arrived.
    pub delivered: u32,
    /// Sum of the arrival cycles of the delivered messages.
    pub arrival_sum: u64,
}
