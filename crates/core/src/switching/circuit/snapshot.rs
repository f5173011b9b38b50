//! Read access to the current state of the network, for drawing.

use super::links::NONE;
use super::message::CircuitMessage;
use super::{CircuitNetwork, link};
use crate::routing::{Header, Position};
use crate::topology::{Link, NodeId, set_dimensions};

/// State of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// The link or one of its nodes is faulty, or the link does not exist.
    Faulty,
    /// No message holds the link.
    Free,
    /// The message of the given number has reserved the link and waits for other links.
    Reserved(u64),
    /// The message of the given number transmits over a circuit that includes the link.
    Transmitting(u64),
}

/// The last attempt of a message that will try again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockedAttempt {
    /// Node that the attempt reached.
    pub node: NodeId,
    /// Mask of the legal dimensions at the node, whose links were all reserved.
    pub dims: u64,
    /// Time of the next attempt, in mean transmission times.
    pub next: f64,
}

/// A view of a message in the network.
#[derive(Clone, Copy, Debug)]
pub struct CircuitMessageView<'a> {
    message: &'a CircuitMessage,
}

impl CircuitMessageView<'_> {
    /// Returns the message's number, counted from 0 in the order of generation, including refused
    /// messages.
    pub fn number(&self) -> u64 {
        self.message.number
    }

    /// Returns the message's source.
    pub fn from(&self) -> NodeId {
        NodeId(u64::from(self.message.from))
    }

    /// Returns the message's destination.
    pub fn to(&self) -> NodeId {
        NodeId(u64::from(self.message.to))
    }

    /// Returns the last node of the reserved path.
    pub fn path_end(&self) -> NodeId {
        NodeId(u64::from(self.message.here))
    }

    /// Returns the position passed to the criterion; `None` if the circuit is complete.
    pub fn position(&self) -> Option<Position> {
        Some(self.message.position()).filter(|at| at.wrong != 0)
    }

    /// Returns the message's header.
    pub fn header(&self) -> Header {
        self.message.header
    }

    /// Returns the links that the message holds, from the source on.
    pub fn path(&self) -> impl Iterator<Item = Link> {
        self.message.held_links().map(|(node, dim)| link(node, dim))
    }

    /// Returns the links for which the message waits, by ascending dimension; none if it transmits.
    pub fn waits_for(&self) -> impl Iterator<Item = Link> {
        let from = self.path_end();
        set_dimensions(u64::from(self.message.waits)).map(move |dim| Link { from, dim })
    }

    /// Returns the number of attempts to set up the circuit so far, at least 1; 1 under
    /// [`SetupPolicy::Hold`](super::SetupPolicy::Hold).
    pub fn attempts(&self) -> u32 {
        self.message.attempts.max(1)
    }

    /// Returns the failed attempt after which the message backs off; `None` if it does not.
    pub fn blocked_attempt(&self) -> Option<BlockedAttempt> {
        let (node, dims) = self.message.blocked;
        let attempt = BlockedAttempt { node: NodeId(node.into()), dims: dims.into(), next: self.message.next_attempt };
        (dims != 0).then_some(attempt)
    }

    /// Returns the time of the next attempt of a message that backs off; `None` if it does not.
    pub fn next_attempt(&self) -> Option<f64> {
        (!self.transmits() && self.message.waits == 0).then_some(self.message.next_attempt)
    }

    /// Returns whether the message's circuit is complete.
    pub fn transmits(&self) -> bool {
        self.message.transmits()
    }

    /// Returns the generation time of the message, in mean transmission times.
    pub fn generated(&self) -> f64 {
        self.message.generated
    }

    /// Returns the start of the current wait or transmission.
    pub fn since(&self) -> f64 {
        self.message.since
    }

    /// Returns the duration of the transmission, which is fixed at generation.
    pub fn duration(&self) -> f64 {
        self.message.duration
    }
}

impl CircuitNetwork {
    /// Returns the messages in the network, in no particular order.
    pub fn messages(&self) -> impl Iterator<Item = CircuitMessageView<'_>> {
        self.messages.iter().filter(|message| message.present).map(|message| CircuitMessageView { message })
    }

    /// Returns the message with number `number`; `None` if the message is not in the network.
    ///
    /// Cost: linear in the messages.
    pub fn message(&self, number: u64) -> Option<CircuitMessageView<'_>> {
        self.messages().find(|message| message.number() == number)
    }

    /// Returns whether `link` exists and is live, as well as both of its nodes.
    pub fn is_live(&self, link: Link) -> bool {
        self.has(link) && self.reach.as_ref().is_none_or(|reach| reach.is_open(link.from.0 as u16, link.dim))
    }

    /// Returns the state of `link`.
    pub fn link_state(&self, link: Link) -> LinkState {
        if !self.is_live(link) {
            return LinkState::Faulty;
        }
        match self.holder(link) {
            None => LinkState::Free,
            Some(holder) if holder.transmits() => LinkState::Transmitting(holder.number()),
            Some(holder) => LinkState::Reserved(holder.number()),
        }
    }

    /// Returns the message that holds `link`; `None` if the link is free.
    pub fn holder(&self, link: Link) -> Option<CircuitMessageView<'_>> {
        let slot = self.has(link).then(|| self.links.holder(link.from.0 as u16, link.dim))?;
        self.messages.get(slot as usize).map(|message| CircuitMessageView { message })
    }

    /// Returns the number of messages that wait for `link`.
    pub fn queue(&self, link: Link) -> u64 {
        if self.has(link) { u64::from(self.links.queue_len(link.from.0 as u16, link.dim)) } else { 0 }
    }

    /// Returns the messages that wait for `link`, in the order in which they reached its node.
    pub fn waiters(&self, link: Link) -> impl Iterator<Item = CircuitMessageView<'_>> {
        let first = if self.has(link) { self.links.first_waiter(link.from.0 as u16, link.dim) } else { NONE };
        let slots = std::iter::successors(Some(first).filter(|&slot| slot != NONE), move |&slot| {
            Some(self.links.next_waiter(slot, link.dim)).filter(|&slot| slot != NONE)
        });
        slots.filter_map(|slot| self.messages.get(slot as usize)).map(|message| CircuitMessageView { message })
    }

    fn has(&self, link: Link) -> bool {
        self.config.cube.contains(link.from) && link.dim < self.config.cube.dimension()
    }
}
