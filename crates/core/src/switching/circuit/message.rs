//! Representation of a message in the circuit engine.

use crate::routing::{Header, Position};
use crate::topology::NodeId;

/// A message in the network.
#[derive(Clone, Copy, Debug)]
pub(super) struct CircuitMessage {
    pub(super) number: u64,
    pub(super) generated: f64,
    /// Start of the current wait or transmission.
    pub(super) since: f64,
    pub(super) duration: f64,
    /// Time of the next attempt of a message that backs off.
    pub(super) next_attempt: f64,
    /// Dimensions crossed, four bits each, the first one lowest.
    pub(super) path: u64,
    pub(super) from: u16,
    pub(super) to: u16,
    pub(super) here: u16,
    /// Mask of the dimensions for whose links the message waits.
    pub(super) waits: u16,
    /// Number of attempts to set up the circuit so far.
    pub(super) attempts: u32,
    /// Node at which the last attempt failed, and the mask of its legal dimensions, all reserved
    /// then. The mask is 0 unless the message backs off.
    pub(super) blocked: (u16, u16),
    /// Number of links held.
    pub(super) held: u8,
    pub(super) header: Header,
    /// True if the slot has a message.
    pub(super) present: bool,
}

impl CircuitMessage {
    pub(super) fn position(&self) -> Position {
        let here = NodeId(u64::from(self.here));
        Position { here, wrong: u64::from(self.here ^ self.to), header: self.header }
    }

    /// Returns the links held, from the source on: the node that each leaves and its dimension.
    #[inline(always)]
    pub(super) fn held_links(&self) -> HeldLinks {
        HeldLinks { node: self.from, path: self.path, left: self.held }
    }

    pub(super) fn transmits(&self) -> bool {
        self.present && self.here == self.to
    }
}

/// An iterator over the links that a message holds. The iterator is a named type because a closure
/// cannot request inlining.
pub(super) struct HeldLinks {
    node: u16,
    path: u64,
    left: u8,
}

impl Iterator for HeldLinks {
    type Item = (u16, u8);

    #[inline(always)]
    fn next(&mut self) -> Option<(u16, u8)> {
        self.left = self.left.checked_sub(1)?;
        let (at, dim) = (self.node, (self.path & 15) as u8);
        self.node ^= 1 << dim;
        self.path >>= 4;
        Some((at, dim))
    }
}
