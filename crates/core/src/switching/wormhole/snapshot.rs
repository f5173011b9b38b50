//! Read access to the current state of the network, for drawing.

use std::ops::Range;

use super::flits::IDLE;
use super::message::{NONE, Stage, WormMessage};
use super::{HeldChannel, WormholeNetwork};
use crate::routing::{VcRequests, WormHeader};
use crate::topology::NodeId;

/// A virtual channel that a message holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormHold {
    /// Number of the physical channel in the mesh.
    pub channel: u32,
    /// Index of the virtual channel in the physical channel.
    pub virtual_channel: u8,
    /// The class for which the virtual channel was requested, even if it belongs to the pool.
    pub class: u8,
    /// Number of flits in the buffer of the virtual channel, at the end node of the channel.
    pub flits: u16,
}

/// State of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WormState {
    /// The message is in the queue of its source.
    Queued,
    /// The header is at the front of its buffer, or at the source, and requests the given choices.
    /// A message without choices will be lost.
    Waiting(Box<VcRequests>),
    /// The header has a channel that it has not crossed yet.
    Moving,
    /// The header has reached its destination: the message is being consumed.
    Consumed,
}

/// A view of a message in the network, or in a queue.
#[derive(Clone, Copy, Debug)]
pub struct WormMessageView<'a> {
    worms: &'a WormholeNetwork,
    message: &'a WormMessage,
    slot: u32,
}

impl WormMessageView<'_> {
    /// Returns the message's number, counted from 0 in the order of generation, including discarded
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

    /// Returns the message's length, in flits.
    pub fn length(&self) -> u16 {
        self.worms.flits.length(self.slot)
    }

    /// Returns the cycle in which the message was generated.
    pub fn generated(&self) -> u64 {
        self.message.generated
    }

    /// Returns the cycle in which the header reached its current node.
    pub fn since(&self) -> u64 {
        self.message.since
    }

    /// Returns the number of channels taken.
    pub fn hops(&self) -> u32 {
        self.message.hops
    }

    /// Returns the header. If the message has a channel to cross, this is the header after the
    /// crossing.
    pub fn header(&self) -> WormHeader {
        self.message.header
    }

    /// Returns the node of the header.
    pub fn header_node(&self) -> NodeId {
        let front = self.worms.header_node(self.message);
        if self.message.stage != Stage::Moving {
            return front;
        }
        let (channel, _) = self.worms.flits.channel(self.message.lane);
        self.worms.mesh().channel_ends(channel).0
    }

    /// Returns the state of the message.
    pub fn state(&self) -> WormState {
        match self.message.stage {
            Stage::Unused | Stage::Queued => WormState::Queued,
            Stage::Waiting => WormState::Waiting(Box::new(self.message.choices)),
            Stage::Deciding => {
                let at = self.worms.position(self.message);
                WormState::Waiting(Box::new(self.worms.config.routing.choices(&self.worms.faults, &at)))
            }
            Stage::Moving => WormState::Moving,
            Stage::Consumed => WormState::Consumed,
        }
    }

    /// Returns the virtual channels that the message holds, from tail to head.
    pub fn holds(&self) -> Vec<WormHold> {
        let mut held: Vec<_> = self.worms.lanes_of(self.message).map(|lane| self.worms.hold(lane)).collect();
        held.reverse();
        held
    }

    /// Returns whether `hold` is the foremost virtual channel that the message holds.
    pub fn is_foremost(&self, hold: WormHold) -> bool {
        self.worms.flits.lane(hold.channel, u32::from(hold.virtual_channel)) == self.message.lane
    }

    /// Returns the number of flits that have not left the source.
    pub fn at_source(&self) -> u16 {
        let last = self.worms.lanes_of(self.message).last();
        last.map_or(self.length(), |lane| self.worms.flits.to_come(lane))
    }

    /// Returns the number of consumed flits.
    pub fn consumed(&self) -> u16 {
        let front = &self.worms.flits;
        if self.message.stage == Stage::Consumed { front.crossed(self.message.lane) } else { 0 }
    }
}

impl WormholeNetwork {
    /// Returns the messages in the network and in queues, in no particular order.
    pub fn messages(&self) -> impl Iterator<Item = WormMessageView<'_>> {
        let present = (0..).zip(&self.messages).filter(|(_, message)| message.stage != Stage::Unused);
        present.map(|(slot, message)| WormMessageView { worms: self, message, slot })
    }

    /// Returns the message with number `number`; `None` if the message is not in the network.
    ///
    /// Cost: linear in the messages.
    pub fn message(&self, number: u64) -> Option<WormMessageView<'_>> {
        self.messages().find(|message| message.number() == number)
    }

    /// Returns the message that holds a virtual channel; `None` if the channel is idle or does not
    /// exist.
    pub fn holder(&self, channel: HeldChannel) -> Option<WormMessageView<'_>> {
        let HeldChannel { channel, virtual_channel } = channel;
        let exists = channel < self.mesh().channel_table_size() && virtual_channel < self.config.virtual_channels;
        let lane = exists.then(|| self.flits.lane(channel, u32::from(virtual_channel)))?;
        let owner = Some(self.flits.owner(lane)).filter(|&owner| owner != IDLE)?;
        Some(WormMessageView { worms: self, message: &self.messages[owner as usize], slot: owner })
    }

    /// Returns the number of virtual channels of some successive channels that messages hold.
    ///
    /// Cost: a few instructions for each channel, for pictures of large networks.
    pub fn held_in(&self, channels: Range<u32>) -> u64 {
        let all = self.all_virtual_channels();
        let end = channels.end.min(self.carried.len() as u32);
        (channels.start..end).map(|channel| u64::from((!self.flits.idle(channel) & all).count_ones())).sum()
    }

    /// Returns the number of flits that have crossed some successive channels since the start.
    pub fn carried_in(&self, channels: Range<u32>) -> u64 {
        channels.map(|channel| self.carried_by(channel)).sum()
    }

    /// Iterates over the held virtual channels of a channel, each with the message that holds it.
    pub fn holds_of(&self, channel: u32) -> impl Iterator<Item = (WormHold, WormMessageView<'_>)> {
        self.held_lanes(channel).filter_map(|lane| {
            let slot = self.flits.owner(lane);
            let message = self.messages.get(slot as usize)?;
            Some((self.hold(lane), WormMessageView { worms: self, message, slot }))
        })
    }

    /// Returns the number of messages that have not left their source `node` as a whole: those in
    /// its queue, and those with flits at the source.
    pub fn leaving(&self, node: NodeId) -> u32 {
        self.sources.get(node.0 as usize).map_or(0, |source| u32::from(source.busy) + u32::from(source.queued))
    }

    /// Returns the mask of the held virtual channels of a channel; 0 if the channel does not exist.
    #[inline]
    fn held_mask(&self, channel: u32) -> u32 {
        let exists = (channel as usize) < self.carried.len();
        if exists { !self.flits.idle(channel) & self.all_virtual_channels() } else { 0 }
    }

    /// Returns the mask of all virtual channels of a channel.
    fn all_virtual_channels(&self) -> u32 {
        u32::MAX >> (32 - self.config.virtual_channels)
    }

    /// Iterates over the lanes of the held virtual channels of a channel.
    pub(super) fn held_lanes(&self, channel: u32) -> impl Iterator<Item = u32> + use<'_> {
        let mut rest = self.held_mask(channel);
        std::iter::from_fn(move || {
            let lane = (rest != 0).then(|| self.flits.lane(channel, rest.trailing_zeros()))?;
            rest &= rest - 1;
            Some(lane)
        })
    }

    /// Returns the virtual channels that a message holds, from head to tail.
    pub(super) fn lanes_of(&self, message: &WormMessage) -> impl Iterator<Item = u32> + use<'_> {
        let is_channel = |&lane: &u32| lane != NONE && !self.flits.is_source(lane);
        // All channels behind the tail are free.
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
