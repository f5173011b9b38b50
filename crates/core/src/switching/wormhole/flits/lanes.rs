//! Index arithmetic of lanes, channels and gates.

use super::Flits;
use super::numbering::Numbering;

impl Flits {
    /// Returns lane `v` of `channel`.
    ///
    /// [`Flits::nowhere`] if the channel has no compact index, since none of its lanes has an
    /// owner.
    #[inline(always)]
    pub(in super::super) fn lane(&self, channel: u32, v: u32) -> u32 {
        match &self.seats {
            None => channel << self.shift | v,
            Some(seats) => seats.index(channel).map_or(self.nowhere(), |seat| seats.numbering.lane(seat, v)),
        }
    }

    /// Returns the channel of a lane, and the lane's index in it.
    #[inline(always)]
    pub(in super::super) fn channel(&self, lane: u32) -> (u32, u32) {
        let (place, v) = self.place(lane);
        (self.seats.as_ref().map_or(place as u32, |seats| seats.channel(place as u32)), v)
    }

    /// Returns the channel or compact index of a lane, and the lane's index in the channel.
    #[inline(always)]
    pub(super) fn place(&self, lane: u32) -> (usize, u32) {
        match &self.seats {
            None => ((lane >> self.shift) as usize, lane & ((1 << self.shift) - 1)),
            Some(_) => self.gate(lane),
        }
    }

    /// Returns the gate of a lane, and its bit there.
    #[inline(always)]
    pub(super) fn gate(&self, lane: u32) -> (usize, u32) {
        match &self.seats {
            None => (self.by_gate.gate(lane), self.by_gate.bit(lane)),
            Some(seats) => (seats.numbering.gate(lane), seats.numbering.bit(lane)),
        }
    }

    /// Returns whether a channel has two gates.
    #[inline(always)]
    pub(super) fn has_two_gates(&self) -> bool {
        self.by_gate.shift < self.shift
    }

    /// Returns the sentinel `next` of a lane whose header has no output virtual channel yet.
    #[inline(always)]
    pub(in super::super) fn nowhere(&self) -> u32 {
        match &self.seats {
            None => self.channels << self.shift,
            Some(seats) => seats.numbering.lanes,
        }
    }

    /// Returns the sentinel `next` of a lane at its message's destination.
    #[inline(always)]
    pub(super) fn sink(&self) -> u32 {
        match &self.seats {
            None => (self.channels + 1) << self.shift,
            Some(seats) => seats.numbering.lanes + 1,
        }
    }

    /// Returns the source lane of the message in `slot`.
    #[inline(always)]
    pub(in super::super) fn source(&self, slot: u32) -> u32 {
        match &self.seats {
            None => ((self.channels + 2) << self.shift) + slot,
            Some(seats) => seats.numbering.lanes + 2 + slot,
        }
    }

    /// Returns whether `lane` is a source lane.
    #[inline(always)]
    pub(in super::super) fn is_source(&self, lane: u32) -> bool {
        lane >= self.source(0)
    }
}
