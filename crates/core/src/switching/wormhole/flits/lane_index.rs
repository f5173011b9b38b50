//! Index arithmetic of lanes, channels and gates.

use super::Flits;
use super::lane_layout::LaneLayout;

impl Flits {
    /// Returns lane `v` of `channel`.
    ///
    /// [`Flits::nowhere`] if the channel has no compact index, since none of its lanes has an
    /// owner.
    #[inline(always)]
    pub(in super::super) fn lane(&self, channel: u32, v: u32) -> u32 {
        match &self.sparse {
            None => channel << self.shift | v,
            Some(sparse) => sparse.index(channel).map_or(self.nowhere(), |index| sparse.layout.lane(index, v)),
        }
    }

    /// Returns the channel of a lane, and the lane's index in it.
    #[inline(always)]
    pub(in super::super) fn channel(&self, lane: u32) -> (u32, u32) {
        let (place, v) = self.channel_index(lane);
        (self.sparse.as_ref().map_or(place as u32, |sparse| sparse.channel(place as u32)), v)
    }

    /// Returns the channel or compact index of a lane, and the lane's index in the channel.
    #[inline(always)]
    pub(super) fn channel_index(&self, lane: u32) -> (usize, u32) {
        match &self.sparse {
            None => ((lane >> self.shift) as usize, lane & ((1 << self.shift) - 1)),
            Some(_) => self.gate(lane),
        }
    }

    /// Returns the gate of a lane, and its bit there.
    #[inline(always)]
    pub(super) fn gate(&self, lane: u32) -> (usize, u32) {
        match &self.sparse {
            None => (self.by_gate.gate(lane), self.by_gate.bit(lane)),
            Some(sparse) => (sparse.layout.gate(lane), sparse.layout.bit(lane)),
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
        match &self.sparse {
            None => self.channels << self.shift,
            Some(sparse) => sparse.layout.lanes,
        }
    }

    /// Returns the sentinel `next` of a lane at its message's destination.
    #[inline(always)]
    pub(super) fn sink(&self) -> u32 {
        match &self.sparse {
            None => (self.channels + 1) << self.shift,
            Some(sparse) => sparse.layout.lanes + 1,
        }
    }

    /// Returns the source lane of the message in `slot`.
    #[inline(always)]
    pub(in super::super) fn source(&self, slot: u32) -> u32 {
        match &self.sparse {
            None => ((self.channels + 2) << self.shift) + slot,
            Some(sparse) => sparse.layout.lanes + 2 + slot,
        }
    }

    /// Returns whether `lane` is a source lane.
    #[inline(always)]
    pub(in super::super) fn is_source(&self, lane: u32) -> bool {
        lane >= self.source(0)
    }
}
