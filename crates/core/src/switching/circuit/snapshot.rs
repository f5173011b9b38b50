//! The network as it stands, to be drawn.

use super::links::NONE;
use super::message::Message;
use super::{Circuits, link};
use crate::routing::{Header, Position};
use crate::topology::{Link, NodeId, dimensions_of};

/// What a link is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// It or one of its nodes is faulty, or there is no such link.
    Faulty,
    /// Nobody has it.
    Free,
    /// Reserved by the message of this number, which still waits for other links.
    Reserved(u64),
    /// Part of the circuit over which the message of this number transmits.
    Transmitting(u64),
}

/// A message in the network.
#[derive(Clone, Copy, Debug)]
pub struct CircuitMessage<'a> {
    message: &'a Message,
}

impl CircuitMessage<'_> {
    /// Its number, counted from 0 as messages are generated, refused ones included.
    pub fn number(&self) -> u64 {
        self.message.number
    }

    /// Its source.
    pub fn from(&self) -> NodeId {
        NodeId(u64::from(self.message.from))
    }

    /// Its destination.
    pub fn to(&self) -> NodeId {
        NodeId(u64::from(self.message.to))
    }

    /// The node to which its path has been reserved.
    pub fn here(&self) -> NodeId {
        NodeId(u64::from(self.message.here))
    }

    /// Where it decides, as its criterion is asked; `None` if its circuit is complete.
    pub fn position(&self) -> Option<Position> {
        Some(self.message.position()).filter(|at| at.wrong != 0)
    }

    /// What it carries along.
    pub fn header(&self) -> Header {
        self.message.header
    }

    /// The links that it holds, from the source on.
    pub fn path(&self) -> impl Iterator<Item = Link> {
        self.message.held_links().map(|(node, dim)| link(node, dim))
    }

    /// The links that it waits for, by ascending dimension; none if it transmits.
    pub fn waits_for(&self) -> impl Iterator<Item = Link> {
        let from = self.here();
        dimensions_of(u64::from(self.message.waits)).map(move |dim| Link { from, dim })
    }

    /// Whether its circuit is complete.
    pub fn transmits(&self) -> bool {
        self.message.transmits()
    }

    /// When it was generated, in mean transmission times.
    pub fn generated(&self) -> f64 {
        self.message.generated
    }

    /// Since when it has waited where it is, or transmitted.
    pub fn since(&self) -> f64 {
        self.message.since
    }

    /// How long its transmission takes, known from the start.
    pub fn duration(&self) -> f64 {
        self.message.duration
    }
}

impl Circuits {
    /// The messages in the network, in no particular order.
    pub fn messages(&self) -> impl Iterator<Item = CircuitMessage<'_>> {
        self.messages.iter().filter(|message| message.present).map(|message| CircuitMessage { message })
    }

    /// The message of this number; `None` if it is not in the network. Cost: a look at every message.
    pub fn message(&self, number: u64) -> Option<CircuitMessage<'_>> {
        self.messages().find(|message| message.number() == number)
    }

    /// Whether there is such a link and it and its nodes are live.
    pub fn is_live(&self, link: Link) -> bool {
        self.has(link) && self.reach.as_ref().is_none_or(|reach| reach.is_open(link.from.0 as u16, link.dim))
    }

    /// What `link` is doing.
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

    /// The message that holds `link`; `None` if it is free.
    pub fn holder(&self, link: Link) -> Option<CircuitMessage<'_>> {
        let slot = self.has(link).then(|| self.links.holder(link.from.0 as u16, link.dim))?;
        self.messages.get(slot as usize).map(|message| CircuitMessage { message })
    }

    /// The number of messages that wait for `link`.
    pub fn queue(&self, link: Link) -> u64 {
        if self.has(link) { u64::from(self.links.count(link.from.0 as u16, link.dim)) } else { 0 }
    }

    /// The messages that wait for `link`, those first that reached its node first.
    pub fn waiters(&self, link: Link) -> impl Iterator<Item = CircuitMessage<'_>> {
        let first = if self.has(link) { self.links.first(link.from.0 as u16, link.dim) } else { NONE };
        let slots = std::iter::successors(Some(first).filter(|&slot| slot != NONE), move |&slot| {
            Some(self.links.after(slot, link.dim)).filter(|&slot| slot != NONE)
        });
        slots.filter_map(|slot| self.messages.get(slot as usize)).map(|message| CircuitMessage { message })
    }

    fn has(&self, link: Link) -> bool {
        self.terms.cube.contains(link.from) && link.dim < self.terms.cube.dimension()
    }
}
