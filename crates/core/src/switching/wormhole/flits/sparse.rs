//! Sparse tables, with entries only for channels that have owners.
//!
//! In a large network under light load, a few percent of the channels have owners, and the set of
//! these channels changes slowly. Of tables of all channels, only a few bytes of each cache line
//! would be used. A channel gets a compact index when the first of its lanes gets an owner, and
//! returns the index when no lane has an owner. The most recently returned index is reused first,
//! so that the indices in use are close together.

use super::lane_layout::InterleavedLanes;
use super::{Flits, IDLE, LaneLinks};

/// Type that has a value only if sparse tables are available. WebAssembly has no sparse tables:
/// their code would add 8,000 bytes to the size-limited workers of the page.
#[cfg(target_arch = "wasm32")]
type Allowed = std::convert::Infallible;
#[cfg(not(target_arch = "wasm32"))]
type Allowed = ();

/// Mapping between channels and compact indices.
#[derive(Clone, Debug)]
pub(in super::super) struct SparseChannels {
    _allowed: Allowed,
    /// Compact index or saved priority of each channel; an entry of a channel that never has an
    /// index follows.
    ///
    /// An entry is `2 * index + 1` for a channel with a compact index, else `2 * priority`.
    entries: Vec<u32>,
    /// Last channel of each compact index that was ever used.
    channels: Vec<u32>,
    free: Vec<u32>,
    pub(super) layout: InterleavedLanes,
    /// Lanes with their channels: a buffer for sorting.
    order: Vec<u64>,
}

/// A remapping of lane numbers after tables have grown.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct LaneRemap {
    before: InterleavedLanes,
    after: InterleavedLanes,
}

impl LaneRemap {
    /// Returns the new number of a lane.
    #[inline]
    pub(in super::super) fn apply(self, lane: u32) -> u32 {
        let Self { before, after } = self;
        if lane < before.lanes {
            let (bit, gate) = (lane >> before.row, lane & ((1 << before.row) - 1));
            return bit << after.row | gate;
        }
        lane - before.lanes + after.lanes
    }

    /// Returns the composition of this remapping and `next`.
    pub(super) fn then(self, next: Self) -> Self {
        Self { after: next.after, ..self }
    }

    /// Moves the entries of a table to the new lane numbers. New lanes get `value`.
    pub(super) fn remap_table<T: Copy>(self, table: &mut Vec<T>, value: T) {
        let Self { before, after } = self;
        let (old, new) = (before.lanes as usize, after.lanes as usize);
        let mut spread = Vec::with_capacity(table.len() - old + new);
        for row in table[..old].chunks_exact(1 << before.row) {
            spread.extend_from_slice(row);
            spread.resize(spread.len() - row.len() + (1 << after.row), value);
        }
        spread.extend_from_slice(&table[old..]);
        *table = spread;
    }
}

impl SparseChannels {
    /// Initial number of compact indices, a power of two and a multiple of four.
    pub(in super::super) const FIRST: u64 = 16;

    #[cfg(target_arch = "wasm32")]
    const ALLOWED: Option<Allowed> = None;
    #[cfg(not(target_arch = "wasm32"))]
    const ALLOWED: Option<Allowed> = Some(());

    /// True if sparse tables are available on this target.
    pub(in super::super) const IS_AVAILABLE: bool = Self::ALLOWED.is_some();

    /// Creates a mapping without indices in use; `None` if sparse tables are not available.
    pub(super) fn new(channels: u32, virtual_channels: u8) -> Option<Self> {
        let row = Self::FIRST.trailing_zeros();
        Some(Self {
            _allowed: Self::ALLOWED?,
            entries: vec![0; channels as usize + 1],
            channels: Vec::new(),
            free: Vec::new(),
            layout: InterleavedLanes { row, lanes: u32::from(virtual_channels) << row },
            order: Vec::new(),
        })
    }

    /// Returns the compact index of a channel.
    #[inline]
    pub(super) fn index(&self, channel: u32) -> Option<u32> {
        Some(self.entries[channel as usize]).filter(|of| of & 1 == 1).map(|of| of >> 1)
    }

    /// Returns the channel of a compact index.
    #[inline(always)]
    pub(super) fn channel(&self, index: u32) -> u32 {
        self.channels[index as usize]
    }

    /// Returns the number of compact indices that were ever used.
    #[inline]
    pub(super) fn used_count(&self) -> u32 {
        self.channels.len() as u32
    }

    /// Returns whether `asking` more channels can get compact indices before the tables must grow.
    ///
    /// Only channels without an index can need one.
    fn can_fit(&self, asking: usize) -> bool {
        let (is_sparse, channels) = (self.channels.len() - self.free.len(), self.entries.len() - 1);
        is_sparse + asking.min(channels - is_sparse) <= 1 << self.layout.row
    }

    /// Assigns a compact index to a channel without one. Returns the index and the saved priority.
    #[inline]
    pub(super) fn take(&mut self, channel: u32) -> (u32, u16) {
        let index = self.free.pop().unwrap_or_else(|| {
            self.channels.push(channel);
            self.used_count() - 1
        });
        self.channels[index as usize] = channel;
        let turn = std::mem::replace(&mut self.entries[channel as usize], index << 1 | 1) >> 1;
        (index, turn as u16)
    }

    /// Frees a compact index, and saves its channel's round-robin priority.
    #[inline]
    pub(super) fn leave(&mut self, index: u32, turn: u16) {
        let channel = self.channel(index) as usize;
        self.entries[channel] = u32::from(turn) << 1;
        self.free.push(index);
    }

    /// Sorts lanes of different channels by channel.
    pub(super) fn sort(&mut self, lanes: &mut [u32]) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        let mask = (1 << self.layout.row) - 1;
        order.extend(lanes.iter().map(|&lane| u64::from(self.channel(lane & mask)) << 32 | u64::from(lane)));
        order.sort_unstable();
        lanes.iter_mut().zip(&order).for_each(|(lane, &next)| *lane = next as u32);
        self.order = order;
    }

    /// Doubles the number of compact indices.
    pub(super) fn double(&mut self) -> LaneRemap {
        let before = self.layout;
        self.layout = InterleavedLanes { row: before.row + 1, lanes: 2 * before.lanes };
        LaneRemap { before, after: self.layout }
    }

    /// Returns the memory of the mapping, in bytes.
    pub(super) fn footprint(&self) -> usize {
        let words = 4 * (self.entries.capacity() + self.channels.capacity() + self.free.capacity());
        words + 8 * self.order.capacity()
    }
}

impl Flits {
    /// Grows the compact tables until `asking` more channels fit.
    ///
    /// Returns the remapping to apply to stored lane numbers, if any changed.
    #[inline]
    pub(in super::super) fn grow_for(&mut self, asking: usize) -> Option<LaneRemap> {
        let sparse = self.sparse.as_ref()?;
        if sparse.can_fit(asking) { None } else { self.grow_tables(asking) }
    }

    #[inline(never)]
    fn grow_tables(&mut self, asking: usize) -> Option<LaneRemap> {
        let sparse = self.sparse.as_mut()?;
        let before = sparse.layout;
        let mut remap = sparse.double();
        while !sparse.can_fit(asking) {
            remap = remap.then(sparse.double());
        }
        for LaneLinks { prev, next } in &mut self.ends {
            (*prev, *next) = (remap.apply(*prev), remap.apply(*next));
        }
        let none = self.nowhere();
        remap.remap_table(&mut self.ends, LaneLinks { prev: none, next: none });
        remap.remap_table(&mut self.flits_to_come, 0);
        remap.remap_table(&mut self.counts, 0);
        remap.remap_table(&mut self.owners, IDLE);
        remap.remap_table(&mut self.allocated_classes, 0);
        // The last gate belongs to the sentinel and source lanes, which follow the lanes of the
        // channels.
        self.gates.truncate(1 << before.row);
        let picked = self.max_selected();
        self.gates.resize(picked + 1, 0);
        self.turns.resize(picked + 1, 0);
        self.idle.resize(picked, self.all_lanes_mask);
        self.moves.resize(picked + 3, 0);
        self.header_tail_lanes.resize(picked, 0);
        Some(remap)
    }

    /// Returns lane `v` of `channel`, assigning a compact index to the channel if it has none.
    #[inline]
    pub(super) fn allocate_lane(&mut self, channel: u32, v: u32) -> u32 {
        if let Some(sparse) = &mut self.sparse
            && sparse.index(channel).is_none()
        {
            let (index, turn) = sparse.take(channel);
            self.turns[index as usize] = turn;
        }
        self.lane(channel, v)
    }
}
