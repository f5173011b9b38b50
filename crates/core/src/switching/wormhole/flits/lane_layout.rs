//! Layouts of lane numbers.

/// A layout of the lanes of channels, which maps each lane to a gate and a bit there.
pub(super) trait LaneLayout: Copy {
    /// Returns the lane for a bit of a gate, if the gate's channel has only one gate.
    fn lane(self, gate: u32, bit: u32) -> u32;

    /// Returns the gate of a lane.
    fn gate(self, lane: u32) -> usize;

    /// Returns the bit of a lane in its gate. The bit exceeds 31 only for a lane that does not
    /// belong to a channel.
    fn bit(self, lane: u32) -> u32;
}

/// A contiguous layout: the lanes of a channel are adjacent, a power of two for each gate.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContiguousLanes {
    /// Number of bits of a lane's index in its gate.
    pub(super) shift: u32,
}

impl LaneLayout for ContiguousLanes {
    #[inline(always)]
    fn lane(self, gate: u32, bit: u32) -> u32 {
        gate << self.shift | bit
    }

    #[inline(always)]
    fn gate(self, lane: u32) -> usize {
        (lane >> self.shift) as usize
    }

    #[inline(always)]
    fn bit(self, lane: u32) -> u32 {
        lane & ((1 << self.shift) - 1)
    }
}

/// An interleaved layout: the first lanes of all gates, then the second ones, and so on.
///
/// If most gates use only one lane, the lanes in use are adjacent. The sentinel and source lanes,
/// which follow, share an extra gate after the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InterleavedLanes {
    /// Binary logarithm of the number of gates.
    pub(super) row: u32,
    /// Total number of lanes of all gates.
    pub(super) lanes: u32,
}

impl LaneLayout for InterleavedLanes {
    #[inline(always)]
    fn lane(self, gate: u32, bit: u32) -> u32 {
        bit << self.row | gate
    }

    #[inline(always)]
    fn gate(self, lane: u32) -> usize {
        let gates = 1 << self.row;
        (if lane < self.lanes { lane & (gates - 1) } else { gates }) as usize
    }

    #[inline(always)]
    fn bit(self, lane: u32) -> u32 {
        lane >> self.row
    }
}
