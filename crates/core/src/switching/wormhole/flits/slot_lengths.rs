//! Lengths of the messages in the slots of the engine.

/// Lengths of messages by slot.
///
/// If all messages are alike, there is no table, and the engine's inner loop finds headers and
/// tails by the common length.
#[derive(Clone, Debug)]
pub(in super::super) struct SlotLengths {
    /// Shortest length; the common one if `is_mixed` is false.
    shortest: u16,
    is_mixed: bool,
    /// Length of the message in each slot; empty if all are alike.
    by_slot: Vec<u16>,
}

impl SlotLengths {
    /// Creates the table for messages of `shortest` to `longest` flits.
    pub(in super::super) fn new(shortest: u16, longest: u16) -> Self {
        Self { shortest, is_mixed: shortest != longest, by_slot: Vec::new() }
    }

    /// Sets the length of the message in `slot`.
    #[inline]
    pub(in super::super) fn set(&mut self, slot: u32, length: u16) {
        if self.is_mixed {
            self.set_in_table(slot as usize, length);
        }
    }

    #[inline(never)]
    fn set_in_table(&mut self, slot: usize, length: u16) {
        if self.by_slot.len() <= slot {
            self.by_slot.resize(slot + 1, self.shortest);
        }
        self.by_slot[slot] = length;
    }

    /// Returns the length of the message in `slot`.
    #[inline(always)]
    pub(in super::super) fn length(&self, slot: u32) -> u16 {
        if self.is_mixed { self.by_slot.get(slot as usize).copied().unwrap_or(self.shortest) } else { self.shortest }
    }

    /// Returns the number to which the flits still to come, minus one and modulo 256, are compared:
    /// at least this number after every first and last flit, less after other flits of messages
    /// that are all alike.
    #[inline]
    pub(super) fn end_threshold(&self) -> u8 {
        if self.is_mixed { self.shortest.saturating_sub(2) as u8 } else { (self.shortest as u8).wrapping_sub(2) }
    }

    /// Returns the memory of the table, in bytes.
    pub(super) fn footprint(&self) -> usize {
        2 * self.by_slot.capacity()
    }
}
