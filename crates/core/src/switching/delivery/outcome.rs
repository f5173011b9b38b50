//! How the delivery of a message set ends, and what it took.

use std::fmt;

use crate::topology::fat_tree::TreeChannel;

/// How a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// All messages have arrived that dead wires do not keep from it.
    Delivered {
        /// The number of messages that cannot arrive.
        undeliverable: u32,
    },
    /// Nothing will ever arrive any more: the same messages are sent in each cycle, and fail at the same channels.
    Stuck {
        /// The number of messages that are left, those that cannot arrive included.
        left: u32,
        /// The channel at which the most messages are lost, the lowest and leftmost of these,
        channel: TreeChannel,
        /// and how many come to it.
        contenders: u32,
        /// Its live wires.
        capacity: u32,
    },
    /// So many cycles have passed that they are counted no further: [`super::Delivery::MAX_CYCLES`].
    OutOfCycles {
        /// The number of messages that are left.
        left: u32,
    },
}

impl fmt::Display for DeliveryOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Delivered { undeliverable: 0 } => f.write_str("all messages delivered"),
            Self::Delivered { undeliverable } => {
                write!(f, "all messages delivered but {undeliverable} that dead wires cut off")
            }
            Self::Stuck { left, contenders, capacity, .. } => write!(
                f,
                "stuck with {left} messages left: the same ones are sent and lost in every cycle, {contenders} of them at \
                 a channel of {capacity} wires"
            ),
            Self::OutOfCycles { left } => write!(f, "stopped with {left} messages left"),
        }
    }
}

/// Why a message set cannot be sent on a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeliveryError {
    /// The messages are those of another number of processors.
    Processors {
        /// The processors of the network.
        network: u32,
        /// The processors of the message set.
        messages: u32,
    },
    /// A message leaves by the external channel, and the network has none.
    NoExternal,
    /// The wires are those of another network.
    Wires,
}

impl fmt::Display for DeliveryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Processors { network, messages } => {
                write!(f, "a message set for {messages} processors on a network of {network}")
            }
            Self::NoExternal => {
                f.write_str("messages that leave by the root need a fat-tree: the second network has no way out")
            }
            Self::Wires => f.write_str("the dead wires are those of another network"),
        }
    }
}

impl std::error::Error for DeliveryError {}

/// What a run has taken so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeliveryCounts {
    /// The cycle in which the last message arrived, from 1; 0 if none has. The headline.
    pub completion: u64,
    /// The cycles that the pseudo-code executes: when all is delivered, to the end of the loops that it is in.
    pub literal: u64,
    /// The cycles in which something was sent.
    pub busy: u64,
    /// How often messages were sent, all together.
    pub transmissions: u64,
    /// The messages that have arrived.
    pub delivered: u32,
    /// The sum, over them, of the cycles in which they arrived.
    pub arrival_sum: u64,
}
