//! Accessors of lanes for the rest of the engine.

use super::{Flits, IDLE, LaneLinks, SparseChannels};

impl Flits {
    /// Returns the mask of the idle lanes of a channel.
    #[inline(always)]
    pub(in super::super) fn idle(&self, channel: u32) -> u32 {
        let Some(sparse) = &self.sparse else { return self.idle[channel as usize] };
        sparse.index(channel).map_or(self.all_lanes_mask, |index| self.idle[index as usize])
    }

    /// Returns a pseudo channel whose lowest lane is always idle.
    #[inline(always)]
    pub(in super::super) fn anywhere(&self) -> u32 {
        self.channels
    }

    /// Returns entry `index` of the lanes that a header or tail has just entered.
    #[inline]
    pub(in super::super) fn new_in(&self, index: usize) -> u32 {
        self.header_tail_lanes[index]
    }

    /// Returns whether the flit that has just entered `lane` was the first of its message, which is
    /// in `slot`, and whether it was the last.
    #[inline]
    pub(in super::super) fn is_end(&self, lane: u32, slot: u32) -> (bool, bool) {
        let left = self.flits_to_come[lane as usize];
        (left == (self.length(slot) - 1) as u8, left == 0)
    }

    /// Returns the length of the message in `slot`, in flits.
    #[inline]
    pub(in super::super) fn length(&self, slot: u32) -> u16 {
        self.lengths.length(slot)
    }

    /// Sets the length of the message in `slot`, in flits, before it is injected.
    #[inline]
    pub(in super::super) fn set_length(&mut self, slot: u32, length: u16) {
        self.lengths.set(slot, length);
    }

    /// Returns whether flits that enter `lane` are consumed.
    #[inline]
    pub(in super::super) fn is_consumed(&self, lane: u32) -> bool {
        self.ends[lane as usize].next == self.sink()
    }

    /// Returns the slot of the message that owns `lane`; [`IDLE`] if there is none.
    #[inline]
    pub(in super::super) fn owner(&self, lane: u32) -> u32 {
        self.owners[lane as usize]
    }

    /// Returns the lane from which flits are still to enter `lane`; `None` once the tail has
    /// entered.
    #[inline]
    pub(in super::super) fn behind(&self, lane: u32) -> Option<u32> {
        Some(self.ends[lane as usize].prev).filter(|&prev| prev != self.nowhere())
    }

    /// Returns the number of flits that are still to enter `lane`, which must have an owner.
    pub(in super::super) fn to_come(&self, lane: u32) -> u16 {
        // The count is stored modulo 256. The count is 1 to 256 until the tail enters, so a stored
        // 0 means 256.
        self.behind(lane).map_or(0, |_| u16::from(self.flits_to_come[lane as usize].wrapping_sub(1)) + 1)
    }

    /// Returns the number of flits in the buffer of `lane`, which must belong to a channel.
    pub(in super::super) fn inside(&self, lane: u32) -> u8 {
        self.counts[lane as usize]
    }

    /// Returns the number of flits that have entered `lane`; 0 once the tail has.
    pub(in super::super) fn crossed(&self, lane: u32) -> u16 {
        let is_open = self.owner(lane) != IDLE && self.behind(lane).is_some();
        if is_open { self.length(self.owner(lane)) - self.to_come(lane) } else { 0 }
    }

    /// Returns the class for which `lane` of a channel was last allocated.
    pub(in super::super) fn label(&self, lane: u32) -> u8 {
        self.allocated_classes[lane as usize]
    }

    /// Returns the memory of the tables, in bytes.
    pub(in super::super) fn footprint(&self) -> usize {
        let words = [&self.owners, &self.gates, &self.idle, &self.moves, &self.header_tail_lanes]
            .map(|words| 4 * words.capacity());
        let bytes = self.allocated_classes.capacity()
            + self.sparse.as_ref().map_or(0, SparseChannels::footprint)
            + 8 * self.owned_channels.capacity()
            + self.flits_to_come.capacity()
            + self.counts.capacity()
            + self.served.capacity()
            + 2 * self.turns.capacity()
            + self.lengths.footprint();
        size_of::<LaneLinks>() * self.ends.capacity() + words.iter().sum::<usize>() + bytes
    }
}
