//! What the rest of the network wants to know of lanes.

use super::{Ends, Flits, IDLE, Seats};

impl Flits {
    /// The lanes of a channel that nobody has, as a mask.
    #[inline(always)]
    pub(in super::super) fn idle(&self, channel: u32) -> u32 {
        let Some(seats) = &self.seats else { return self.idle[channel as usize] };
        seats.of(channel).map_or(self.all, |seat| self.idle[seat as usize])
    }

    /// A channel of which the lowest lane is always idle.
    #[inline(always)]
    pub(in super::super) fn anywhere(&self) -> u32 {
        self.channels
    }

    /// The lane number `index` among those that have seen the first or the last flit of a message.
    #[inline]
    pub(in super::super) fn new_in(&self, index: usize) -> u32 {
        self.news[index]
    }

    /// Whether the flit that has just come into `lane` was the first of its message, and whether the last.
    #[inline]
    pub(in super::super) fn is_end(&self, lane: u32) -> (bool, bool) {
        let left = self.left[lane as usize];
        (left == (self.length - 1) as u8, left == 0)
    }

    /// Whether what comes into `lane` is consumed.
    #[inline]
    pub(in super::super) fn is_consumed(&self, lane: u32) -> bool {
        self.ends[lane as usize].next == self.sink()
    }

    /// The slot of the message that has `lane`; [`IDLE`] if none has.
    #[inline]
    pub(in super::super) fn owner(&self, lane: u32) -> u32 {
        self.owners[lane as usize]
    }

    /// The lane from which flits have still to come into `lane`; `None` when the tail has.
    #[inline]
    pub(in super::super) fn behind(&self, lane: u32) -> Option<u32> {
        Some(self.ends[lane as usize].prev).filter(|&prev| prev != self.nowhere())
    }

    /// Flits that have still to come into `lane`, which somebody has.
    pub(in super::super) fn to_come(&self, lane: u32) -> u16 {
        // At most 256, and not 0 as long as the tail has not come.
        self.behind(lane).map_or(0, |_| u16::from(self.left[lane as usize].wrapping_sub(1)) + 1)
    }

    /// Flits in the buffer of `lane`, which is one of a channel.
    pub(in super::super) fn inside(&self, lane: u32) -> u8 {
        self.counts[lane as usize]
    }

    /// Flits that have come into `lane` of a message whose tail has not.
    pub(in super::super) fn crossed(&self, lane: u32) -> u16 {
        let is_open = self.owner(lane) != IDLE && self.behind(lane).is_some();
        if is_open { self.length - self.to_come(lane) } else { 0 }
    }

    /// The class as which `lane` of a channel was taken last.
    pub(in super::super) fn label(&self, lane: u32) -> u8 {
        self.labels[lane as usize]
    }

    /// What it takes in memory, in bytes.
    pub(in super::super) fn footprint(&self) -> usize {
        let words = [&self.owners, &self.gates, &self.idle, &self.moves, &self.news].map(|words| 4 * words.capacity());
        let bytes = self.labels.capacity()
            + self.seats.as_ref().map_or(0, Seats::footprint)
            + 8 * self.taken.capacity()
            + self.left.capacity()
            + self.counts.capacity()
            + self.served.capacity()
            + 2 * self.turns.capacity();
        size_of::<Ends>() * self.ends.capacity() + words.iter().sum::<usize>() + bytes
    }
}
