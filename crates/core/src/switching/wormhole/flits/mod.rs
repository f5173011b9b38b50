//! The inner loop of the engine: switch allocation and the movement of flits.
//!
//! Flits are counted, not stored: they are all alike except the first and the last. A lane is a
//! virtual channel with its buffer, or the injection lane of a message at its source. A physical
//! channel selects a lane from a single word, its gate, which is updated as flits move. A channel
//! with more than 16 lanes has two gates.

mod accessors;
mod lane_index;
mod lane_layout;
mod slot_lengths;
mod sparse;
mod switch_allocation;

use self::lane_layout::{ContiguousLanes, LaneLayout};
pub(super) use self::slot_lengths::SlotLengths;
pub(super) use self::sparse::SparseChannels;
pub(super) use self::switch_allocation::random_set_bit;

/// Upstream and downstream neighbors of a lane.
#[derive(Clone, Copy, Debug)]
struct LaneLinks {
    /// Lane from which flits arrive; [`Flits::nowhere`] after the last flit.
    prev: u32,
    /// Lane to which flits go: [`Flits::nowhere`] until the header has allocated one,
    /// [`Flits::sink`] at the destination.
    next: u32,
}

/// Sentinel owner of a lane that no message holds.
pub(super) const IDLE: u32 = u32::MAX;

/// Position of the first credit bit in a gate.
pub(super) const CREDIT_SHIFT: u32 = 16;

/// State of all lanes of a network, as a structure of arrays.
///
/// The first lanes are those of the channels, by channel or, with sparse tables, as numbered by
/// [`SparseChannels`]. Two sentinel lanes follow, then the source lanes, one for every message
/// slot.
///
/// Tables are separate and as narrow as possible, so that the data of a cycle stays in the L1
/// cache.
#[derive(Clone, Debug)]
pub(super) struct Flits {
    ends: Vec<LaneLinks>,
    /// Flits that are still to enter each lane, modulo 256.
    flits_to_come: Vec<u8>,
    /// Flits in the buffer of each lane; at a source, modulo 256.
    counts: Vec<u8>,
    /// Slot of each lane's message; [`IDLE`] if there is none.
    owners: Vec<u32>,
    /// Class for which each lane of a channel was allocated.
    allocated_classes: Vec<u8>,
    /// Ready and credit bits of each gate.
    ///
    /// A gate belongs to a channel, a compact index, or half of a channel with more than
    /// [`CREDIT_SHIFT`] lanes. The low bits mark lanes with a flit upstream. [`CREDIT_SHIFT`] bits
    /// higher, the credit bits mark lanes with room downstream. Lanes without an owner have no flit
    /// upstream.
    gates: Vec<u32>,
    /// Round-robin priority of each gate: the mask of the lanes after the last one served.
    turns: Vec<u16>,
    /// Lane served last, for each channel with two gates.
    served: Vec<u8>,
    /// Mask of the idle lanes of each channel or compact index. [`Flits::anywhere`] follows the
    /// channels.
    idle: Vec<u32>,
    /// Mask of all lanes of a channel.
    all_lanes_mask: u32,
    /// Bit set of the channels with an owner. Empty with sparse tables or two gates per channel.
    /// Under light load, most channels have no owner and are skipped.
    owned_channels: Vec<u64>,
    /// Number of channels with an owner.
    owned_count: usize,
    /// Lanes into which flits move in this cycle.
    moves: Vec<u32>,
    /// Lanes into which the first or the last flit of a message has just moved.
    header_tail_lanes: Vec<u32>,
    channels: u32,
    /// Number of bits of a lane's index in its channel.
    shift: u32,
    /// Lane layout of dense tables. Sparse tables have their own layout.
    by_gate: ContiguousLanes,
    sparse: Option<SparseChannels>,
    buffer: u8,
    lengths: SlotLengths,
}

/// Extends `table` to `length`, growing its capacity by an eighth if necessary.
///
/// Most entries are lanes of channels, whose number is fixed, so doubling would waste memory.
fn resize_exact<T: Copy>(table: &mut Vec<T>, length: usize, value: T) {
    if table.capacity() < length {
        table.reserve_exact(length + length / 8 - table.len());
    }
    table.resize(length, value);
}

impl Flits {
    /// Creates the lanes of `channels` channels, without owners.
    ///
    /// `is_sparse` selects sparse tables, which need at most [`CREDIT_SHIFT`] virtual channels per
    /// channel.
    pub(super) fn new(channels: u32, virtual_channels: u8, buffer: u8, lengths: SlotLengths, is_sparse: bool) -> Self {
        let shift = u32::from(virtual_channels).next_power_of_two().trailing_zeros();
        // Switch allocation examines channels in groups of four.
        let channels = channels.next_multiple_of(4);
        let sparse = if is_sparse { SparseChannels::new(channels, virtual_channels) } else { None };
        let mut flits = Self {
            ends: Vec::new(),
            flits_to_come: Vec::new(),
            counts: Vec::new(),
            owners: Vec::new(),
            allocated_classes: Vec::new(),
            gates: Vec::new(),
            turns: Vec::new(),
            served: Vec::new(),
            idle: Vec::new(),
            all_lanes_mask: u32::MAX >> (32 - virtual_channels),
            owned_channels: Vec::new(),
            owned_count: 0,
            moves: Vec::new(),
            header_tail_lanes: Vec::new(),
            channels,
            shift,
            by_gate: ContiguousLanes { shift: shift.min(CREDIT_SHIFT.trailing_zeros()) },
            sparse,
            buffer,
            lengths,
        };
        flits.grow(flits.source(0));
        flits.allocated_classes = vec![0; flits.nowhere() as usize];
        let (picked, all) = (flits.max_selected(), flits.all_lanes_mask);
        flits.idle = vec![all; picked + 1];
        if flits.has_two_gates() {
            // Round robin begins with the lowest lane.
            flits.served = vec![31; picked];
        } else if flits.sparse.is_none() {
            flits.owned_channels = vec![0; picked.div_ceil(64)];
        }
        (flits.moves, flits.header_tail_lanes) = (vec![0; picked + 3], vec![0; picked]);
        flits
    }

    /// Returns the maximum number of channels or compact indices for which a cycle selects a lane.
    pub(super) fn max_selected(&self) -> usize {
        self.sparse.as_ref().map_or(self.channels as usize, |sparse| 1 << sparse.layout.row)
    }

    /// Extends the tables to `lanes` lanes.
    fn grow(&mut self, lanes: u32) {
        let (lanes, none) = (lanes as usize, self.nowhere());
        resize_exact(&mut self.ends, lanes, LaneLinks { prev: none, next: none });
        resize_exact(&mut self.flits_to_come, lanes, 0);
        resize_exact(&mut self.counts, lanes, 0);
        resize_exact(&mut self.owners, lanes, IDLE);
        let gates = self.gate(lanes as u32 - 1).0 + 1;
        if gates > self.gates.len() {
            resize_exact(&mut self.gates, gates, 0);
            resize_exact(&mut self.turns, gates, 0);
        }
    }

    /// Returns whether fewer than half of the channels have owners and `owned_channels` lists them.
    #[inline]
    pub(super) fn is_sparse(&self) -> bool {
        2 * self.owned_count < self.channels as usize && !self.has_two_gates()
    }

    /// Places the flits of the message in `slot` at its source, and returns the source lane.
    #[inline]
    pub(super) fn fill(&mut self, slot: u32) -> u32 {
        let (lane, none) = (self.source(slot), self.nowhere());
        if self.owners.len() <= lane as usize {
            self.grow(lane + 1);
        }
        self.set(lane, slot, LaneLinks { prev: none, next: none });
        self.counts[lane as usize] = self.lengths.length(slot) as u8;
        lane
    }

    /// Allocates the idle lane `v` of `channel` to the message in `slot`, for class `class`.
    ///
    /// The header of the message is at the front of lane `from`. Returns the new lane.
    #[inline]
    pub(super) fn take(&mut self, from: u32, channel: u32, v: u32, slot: u32, class: u8) -> u32 {
        let to = self.allocate_lane(channel, v);
        self.set(to, slot, LaneLinks { prev: from, next: self.nowhere() });
        self.allocated_classes[to as usize] = class;
        self.ends[from as usize].next = to;
        let (gate, bit) = self.gate(to);
        self.gates[gate] |= (1 | 1 << CREDIT_SHIFT) << bit;
        let (place, _) = self.channel_index(to);
        self.owned_count += usize::from(self.idle[place] == self.all_lanes_mask);
        self.idle[place] &= !(1 << v);
        if let Some(word) = self.owned_channels.get_mut(place / 64) {
            *word |= 1 << (place % 64);
        }
        to
    }

    /// Assigns an empty lane to the message in `slot`.
    #[inline]
    fn set(&mut self, lane: u32, slot: u32, ends: LaneLinks) {
        self.ends[lane as usize] = ends;
        self.owners[lane as usize] = slot;
        self.flits_to_come[lane as usize] = self.lengths.length(slot) as u8;
        self.counts[lane as usize] = 0;
    }

    /// Marks `lane` as the message's last: its header is at the destination, which consumes flits
    /// on arrival.
    #[inline]
    pub(super) fn consume(&mut self, lane: u32) {
        self.ends[lane as usize].next = self.sink();
        self.counts[lane as usize] = 0;
        let (gate, v) = self.gate(lane);
        self.gates[gate] |= 1 << (CREDIT_SHIFT + v);
    }

    /// Frees `lane` with all its flits.
    #[inline]
    pub(super) fn release(&mut self, lane: u32) {
        self.owners[lane as usize] = IDLE;
        let (gate, v) = self.gate(lane);
        self.gates[gate] &= !(1u32 | 1 << CREDIT_SHIFT).wrapping_shl(v);
    }

    /// Frees `lane` of a channel with all its flits, and marks it as idle.
    #[inline]
    pub(super) fn vacate(&mut self, lane: u32) {
        self.release(lane);
        let (place, v) = self.channel_index(lane);
        self.idle[place] |= 1 << v;
        if self.idle[place] == self.all_lanes_mask {
            self.owned_count -= 1;
            if let Some(word) = self.owned_channels.get_mut(place / 64) {
                *word &= !(1 << (place % 64));
            }
            if let Some(sparse) = &mut self.sparse {
                sparse.leave(place as u32, self.turns[place]);
            }
        }
    }

    /// Detaches `lane`, which the tail has entered, from the previous lane, and returns the
    /// previous lane.
    #[inline]
    pub(super) fn part(&mut self, lane: u32) -> u32 {
        let none = self.nowhere();
        std::mem::replace(&mut self.ends[lane as usize].prev, none)
    }

    /// Moves the first `count` selected flits.
    ///
    /// Returns the number of lanes that the first or the last flit of a message has entered, or may
    /// have entered if messages have different lengths ([`Flits::is_end`]). The lanes are in the
    /// order of their channels.
    #[inline]
    pub(super) fn advance(&mut self, count: usize) -> usize {
        let Some(layout) = self.sparse.as_ref().map(|sparse| sparse.layout) else {
            return self.advance_by(self.by_gate, count);
        };
        let found = self.advance_by(layout, count);
        if let Some(sparse) = &mut self.sparse {
            sparse.sort(&mut self.header_tail_lanes[..found]);
        }
        found
    }

    #[inline(always)]
    fn advance_by(&mut self, layout: impl LaneLayout, count: usize) -> usize {
        let (buffer, sink, whole) = (self.buffer, self.sink(), self.lengths.end_threshold());
        // Slices of equal length need a single bounds check.
        let (lanes, gates) = (self.ends.len(), self.gates.len());
        let (ends, left, counts) = (&self.ends[..lanes], &mut self.flits_to_come[..lanes], &mut self.counts[..lanes]);
        let (gates, turns) = (&mut self.gates[..gates], &mut self.turns[..gates]);
        let header_tail_lanes = self.header_tail_lanes.as_mut_slice();
        let mut found = 0;
        for &to in &self.moves[..count] {
            let (gate, v) = (layout.gate(to), layout.bit(to));
            let LaneLinks { prev, next } = ends[to as usize];
            turns[gate] = (0xfffe << v) as u16;
            let rest = left[to as usize].wrapping_sub(1);
            left[to as usize] = rest;
            let inside = counts[to as usize] + u8::from(next != sink);
            counts[to as usize] = inside;
            let behind = counts[prev as usize].wrapping_sub(1);
            counts[prev as usize] = behind;
            gates[gate] &= !(u32::from(behind == 0) << v | u32::from(inside == buffer) << (CREDIT_SHIFT + v));
            gates[layout.gate(next)] |= 1u32.wrapping_shl(layout.bit(next));
            gates[layout.gate(prev)] |= (1u32 << CREDIT_SHIFT).wrapping_shl(layout.bit(prev));
            header_tail_lanes[found] = to;
            // The first flit leaves `length - 1` flits to come, the last none. With different
            // lengths more flits pass than these two, and `is_end` tells them apart.
            found += usize::from(rest.wrapping_sub(1) >= whole);
        }
        found
    }
}
