//! The network as it stands, to be drawn.

use super::flits::IDLE;
use super::message::{Message, NONE, Stage};
use super::{HeldChannel, Worms};
use crate::routing::{WormChoices, WormHeader};
use crate::topology::NodeId;

/// A virtual channel that a message has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormHold {
    /// The channel, by its number in the mesh.
    pub channel: u32,
    /// Which of its virtual channels.
    pub virtual_channel: u8,
    /// The class that it is labelled with: that for which it was asked, also if it is of the pool.
    pub class: u8,
    /// Flits in its buffer, at the node to which it leads.
    pub flits: u16,
}

/// What a message is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WormState {
    /// It is in the queue of its source.
    Queued,
    /// Its header is at the front of its buffer, or at the source, and may ask for these. None: it will be lost.
    Waiting(Box<WormChoices>),
    /// Its header has a channel that it has not crossed yet.
    Moving,
    /// Its header has come to its destination: it is being consumed.
    Consumed,
}

/// A message in the network, or in a queue.
#[derive(Clone, Copy, Debug)]
pub struct WormMessage<'a> {
    worms: &'a Worms,
    message: &'a Message,
}

impl WormMessage<'_> {
    /// Its number, counted from 0 as messages are generated, discarded ones included.
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

    /// The cycle in which it was generated.
    pub fn generated(&self) -> u64 {
        self.message.generated
    }

    /// The cycle in which its header came to where it is.
    pub fn since(&self) -> u64 {
        self.message.since
    }

    /// The channels it has taken.
    pub fn hops(&self) -> u32 {
        self.message.hops
    }

    /// What its header carries; of one that has a channel to cross, what it will carry then.
    pub fn header(&self) -> WormHeader {
        self.message.header
    }

    /// The node of its header.
    pub fn here(&self) -> NodeId {
        let front = self.worms.here(self.message);
        if self.message.stage != Stage::Moving {
            return front;
        }
        let (channel, _) = self.worms.flits.channel(self.message.lane);
        self.worms.mesh().channel_ends(channel).0
    }

    /// What it is about.
    pub fn state(&self) -> WormState {
        match self.message.stage {
            Stage::Unused | Stage::Queued => WormState::Queued,
            Stage::Waiting => WormState::Waiting(Box::new(self.message.choices)),
            Stage::Deciding => {
                let at = self.worms.position(self.message);
                WormState::Waiting(Box::new(self.worms.terms.routing.choices(&self.worms.faults, &at)))
            }
            Stage::Moving => WormState::Moving,
            Stage::Consumed => WormState::Consumed,
        }
    }

    /// The virtual channels that it has, from tail to head.
    pub fn held(&self) -> Vec<WormHold> {
        let mut held: Vec<_> = self.worms.lanes_of(self.message).map(|lane| self.worms.hold(lane)).collect();
        held.reverse();
        held
    }

    /// Its flits that have not left the source.
    pub fn at_source(&self) -> u16 {
        let last = self.worms.lanes_of(self.message).last();
        last.map_or(self.worms.terms.length, |lane| self.worms.flits.to_come(lane))
    }

    /// Its flits that have been consumed.
    pub fn consumed(&self) -> u16 {
        let front = &self.worms.flits;
        if self.message.stage == Stage::Consumed { front.crossed(self.message.lane) } else { 0 }
    }
}

impl Worms {
    /// The messages in the network and in queues, in no particular order.
    pub fn messages(&self) -> impl Iterator<Item = WormMessage<'_>> {
        let present = self.messages.iter().filter(|message| message.stage != Stage::Unused);
        present.map(|message| WormMessage { worms: self, message })
    }

    /// The message of this number; `None` if it is not in the network. Cost: a look at every message.
    pub fn message(&self, number: u64) -> Option<WormMessage<'_>> {
        self.messages().find(|message| message.number() == number)
    }

    /// The message that has a virtual channel; `None` if it is idle, or there is none.
    pub fn holder(&self, channel: HeldChannel) -> Option<WormMessage<'_>> {
        let HeldChannel { channel, virtual_channel } = channel;
        let exists = channel < self.mesh().channels() && virtual_channel < self.terms.virtual_channels;
        let lane = exists.then(|| self.flits.lane(channel, u32::from(virtual_channel)))?;
        let owner = Some(self.flits.owner(lane)).filter(|&owner| owner != IDLE)?;
        Some(WormMessage { worms: self, message: &self.messages[owner as usize] })
    }

    /// The lanes of channels that a message has, from head to tail.
    pub(super) fn lanes_of(&self, message: &Message) -> impl Iterator<Item = u32> + use<'_> {
        let is_channel = |&lane: &u32| lane != NONE && !self.flits.is_source(lane);
        // Behind the tail, everything has been given back.
        std::iter::successors(Some(message.lane).filter(is_channel), move |&lane| {
            self.flits.behind(lane).filter(is_channel)
        })
    }

    fn hold(&self, lane: u32) -> WormHold {
        let (channel, v) = self.flits.channel(lane);
        let flits = u16::from(self.flits.inside(lane));
        WormHold { channel, virtual_channel: v as u8, class: self.flits.label(lane), flits }
    }
}
