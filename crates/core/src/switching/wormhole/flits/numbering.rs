//! Which number a lane has.

/// A way to number the lanes of channels: each belongs to a gate and has a bit there.
pub(super) trait Numbering: Copy {
    /// The lane of this bit of a gate that a channel has alone.
    fn lane(self, gate: u32, bit: u32) -> u32;

    /// The gate of a lane.
    fn gate(self, lane: u32) -> usize;

    /// Its bit there, above 31 at most where that lane is none of a channel.
    fn bit(self, lane: u32) -> u32;
}

/// Gate after gate, each with as many numbers as a power of two: those of a channel lie side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByGate {
    /// The bits of a lane's number in its gate.
    pub(super) shift: u32,
}

impl Numbering for ByGate {
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

/// First the first lanes of all gates, then the second ones, and so on: where most gates use one of them only, those lie side by side. What is
/// behind them has a gate of its own, one more than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InRows {
    /// The gates, as a power of two.
    pub(super) row: u32,
    /// The lanes of all gates.
    pub(super) lanes: u32,
}

impl Numbering for InRows {
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
