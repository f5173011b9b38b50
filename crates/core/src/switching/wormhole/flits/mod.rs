//! The innermost loop: which flits move in a cycle, and that they do.
//!
//! Flits are counted, not kept: they are all alike but for the first and the last. A lane is a virtual channel with its
//! buffer, or the place of a message at its source. All that a physical channel has to know to pick a lane is one word,
//! its gate, kept up to date as flits come and go; with more than 16 lanes, two.

mod lanes;
mod looks;
mod numbering;
mod pick;
mod seats;

use self::numbering::{ByGate, Numbering};
pub(super) use self::pick::any_of;
pub(super) use self::seats::Seats;

/// Where the flits of a lane come from and go to.
#[derive(Clone, Copy, Debug)]
struct Ends {
    /// The lane from which they come; [`Flits::nowhere`] when the last one has.
    prev: u32,
    /// The lane into which they go: [`Flits::nowhere`] as long as the message's header has taken none, [`Flits::sink`] at
    /// the destination.
    next: u32,
}

/// The owner of a lane that nobody has.
pub(super) const IDLE: u32 = u32::MAX;

/// Where the bits for room begin in a gate.
pub(super) const ROOM: u32 = 16;

/// The lanes of a network: first those of the channels, numbered channel by channel or, where few are in use at a time, as [`Seats`] have it;
/// behind them two that lead nowhere, and then those of the sources, one for every slot of a message.
///
/// Tables apart, each as narrow as can be: what a cycle touches stays in the innermost cache.
#[derive(Clone, Debug)]
pub(super) struct Flits {
    ends: Vec<Ends>,
    /// For each lane, the flits that have still to come in, modulo 256.
    left: Vec<u8>,
    /// For each lane, the flits in its buffer; at a source, modulo 256.
    counts: Vec<u8>,
    /// For each lane, the slot of its message; [`IDLE`] if it has none.
    owners: Vec<u32>,
    /// For each lane of a channel, the class that it was taken as.
    labels: Vec<u8>,
    /// For each channel, seat or half of a channel with more than [`ROOM`] lanes, a bit for each lane that has a flit upstream and,
    /// [`ROOM`] bits higher, for each that has room downstream. Lanes without an owner have no flit upstream.
    gates: Vec<u32>,
    /// For each gate, the lanes after that served last, as a mask.
    turns: Vec<u16>,
    /// For each channel of two gates, the lane served last.
    served: Vec<u8>,
    /// For each channel or seat, its idle lanes, one bit each; behind the channels, [`Flits::anywhere`].
    idle: Vec<u32>,
    /// The same of a channel that nobody has.
    all: u32,
    /// For each channel of one gate a bit, whether any of its lanes has an owner: most have none where there is little to carry.
    taken: Vec<u64>,
    /// The bits that are set.
    busy: usize,
    /// The lanes into which flits move in this cycle.
    moves: Vec<u32>,
    /// Those into which the first or the last flit of a message has just moved.
    news: Vec<u32>,
    channels: u32,
    /// The bits of a lane's number in its channel.
    shift: u32,
    /// Lanes by gate; with seats, they have their own way.
    by_gate: ByGate,
    seats: Option<Seats>,
    buffer: u8,
    length: u16,
}

/// Makes `table` as long as `length`. Nearly all of it are the lanes of channels, which never become more: it grows by an eighth, not to twice
/// its size.
fn fill_up<T: Copy>(table: &mut Vec<T>, length: usize, value: T) {
    if table.capacity() < length {
        table.reserve_exact(length + length / 8 - table.len());
    }
    table.resize(length, value);
}

impl Flits {
    /// The lanes of so many channels, nobody's. Whether only channels with owners are to have tables: that is possible with up to [`ROOM`] virtual
    /// channels.
    pub(super) fn new(channels: u32, virtual_channels: u8, buffer: u8, length: u16, seated: bool) -> Self {
        let shift = u32::from(virtual_channels).next_power_of_two().trailing_zeros();
        // They are looked at four by four.
        let channels = channels.next_multiple_of(4);
        let seats = if seated { Seats::new(channels, virtual_channels) } else { None };
        let mut flits = Self {
            ends: Vec::new(),
            left: Vec::new(),
            counts: Vec::new(),
            owners: Vec::new(),
            labels: Vec::new(),
            gates: Vec::new(),
            turns: Vec::new(),
            served: Vec::new(),
            idle: Vec::new(),
            all: u32::MAX >> (32 - virtual_channels),
            taken: Vec::new(),
            busy: 0,
            moves: Vec::new(),
            news: Vec::new(),
            channels,
            shift,
            by_gate: ByGate { shift: shift.min(ROOM.trailing_zeros()) },
            seats,
            buffer,
            length,
        };
        flits.grow(flits.source(0));
        flits.labels = vec![0; flits.nowhere() as usize];
        let (picked, all) = (flits.picked(), flits.all);
        flits.idle = vec![all; picked + 1];
        if flits.is_halved() {
            // The first turn is the lowest lane's.
            flits.served = vec![31; picked];
        } else if flits.seats.is_none() {
            flits.taken = vec![0; picked.div_ceil(64)];
        }
        (flits.moves, flits.news) = (vec![0; picked + 3], vec![0; picked]);
        flits
    }

    /// The channels or seats for which a lane is picked in each cycle, at most.
    pub(super) fn picked(&self) -> usize {
        self.seats.as_ref().map_or(self.channels as usize, |seats| 1 << seats.numbering.row)
    }

    /// Makes room for so many lanes.
    fn grow(&mut self, lanes: u32) {
        let (lanes, none) = (lanes as usize, self.nowhere());
        fill_up(&mut self.ends, lanes, Ends { prev: none, next: none });
        fill_up(&mut self.left, lanes, 0);
        fill_up(&mut self.counts, lanes, 0);
        fill_up(&mut self.owners, lanes, IDLE);
        let gates = self.gate(lanes as u32 - 1).0 + 1;
        if gates > self.gates.len() {
            fill_up(&mut self.gates, gates, 0);
            fill_up(&mut self.turns, gates, 0);
        }
    }

    /// Whether fewer than half of the channels have owners, and it is known which.
    #[inline]
    pub(super) fn is_sparse(&self) -> bool {
        2 * self.busy < self.channels as usize && !self.is_halved()
    }

    /// Puts the flits of the message in `slot` at its source.
    #[inline]
    pub(super) fn fill(&mut self, slot: u32) -> u32 {
        let (lane, none) = (self.source(slot), self.nowhere());
        if self.owners.len() <= lane as usize {
            self.grow(lane + 1);
        }
        self.set(lane, slot, Ends { prev: none, next: none });
        self.counts[lane as usize] = self.length as u8;
        lane
    }

    /// Gives lane `v` of `channel`, which is idle, to the message in `slot`, as one of this class; its header is at the front of lane `from`.
    #[inline]
    pub(super) fn take(&mut self, from: u32, (channel, v): (u32, u32), slot: u32, class: u8) -> u32 {
        let to = self.seated(channel, v);
        self.set(to, slot, Ends { prev: from, next: self.nowhere() });
        self.labels[to as usize] = class;
        self.ends[from as usize].next = to;
        let (gate, bit) = self.gate(to);
        self.gates[gate] |= (1 | 1 << ROOM) << bit;
        let (place, _) = self.place(to);
        self.busy += usize::from(self.idle[place] == self.all);
        self.idle[place] &= !(1 << v);
        if let Some(word) = self.taken.get_mut(place / 64) {
            *word |= 1 << (place % 64);
        }
        to
    }

    /// Gives an empty lane to the message in `slot`.
    #[inline]
    fn set(&mut self, lane: u32, slot: u32, ends: Ends) {
        self.ends[lane as usize] = ends;
        self.owners[lane as usize] = slot;
        self.left[lane as usize] = self.length as u8;
        self.counts[lane as usize] = 0;
    }

    /// The header in `lane` is at its destination: what comes in is consumed at once.
    #[inline]
    pub(super) fn consume(&mut self, lane: u32) {
        self.ends[lane as usize].next = self.sink();
        self.counts[lane as usize] = 0;
        let (gate, v) = self.gate(lane);
        self.gates[gate] |= 1 << (ROOM + v);
    }

    /// Takes `lane` from its message, with all that is in it.
    #[inline]
    pub(super) fn release(&mut self, lane: u32) {
        self.owners[lane as usize] = IDLE;
        let (gate, v) = self.gate(lane);
        self.gates[gate] &= !(1u32 | 1 << ROOM).wrapping_shl(v);
    }

    /// The same of a lane of a channel, which is idle then.
    #[inline]
    pub(super) fn vacate(&mut self, lane: u32) {
        self.release(lane);
        let (place, v) = self.place(lane);
        self.idle[place] |= 1 << v;
        if self.idle[place] == self.all {
            self.busy -= 1;
            if let Some(word) = self.taken.get_mut(place / 64) {
                *word &= !(1 << (place % 64));
            }
            if let Some(seats) = &mut self.seats {
                seats.leave(place as u32, self.turns[place]);
            }
        }
    }

    /// The tail has come into `lane`: parts it from the lane behind, which is named.
    #[inline]
    pub(super) fn part(&mut self, lane: u32) -> u32 {
        let none = self.nowhere();
        std::mem::replace(&mut self.ends[lane as usize].prev, none)
    }

    /// Moves the flits that were picked, `count` of them. How many lanes have seen the first or the last flit of a
    /// message; they are in the order of their channels.
    #[inline]
    pub(super) fn advance(&mut self, count: usize) -> usize {
        let Some(numbering) = self.seats.as_ref().map(|seats| seats.numbering) else {
            return self.advance_by(self.by_gate, count);
        };
        let found = self.advance_by(numbering, count);
        if let Some(seats) = &mut self.seats {
            seats.sort(&mut self.news[..found]);
        }
        found
    }

    #[inline(always)]
    fn advance_by(&mut self, numbering: impl Numbering, count: usize) -> usize {
        let (buffer, sink, whole) = (self.buffer, self.sink(), (self.length as u8).wrapping_sub(2));
        // Of the same length, they are checked once for all.
        let (lanes, gates) = (self.ends.len(), self.gates.len());
        let (ends, left, counts) = (&self.ends[..lanes], &mut self.left[..lanes], &mut self.counts[..lanes]);
        let (gates, turns) = (&mut self.gates[..gates], &mut self.turns[..gates]);
        let news = self.news.as_mut_slice();
        let mut found = 0;
        for &to in &self.moves[..count] {
            let (gate, v) = (numbering.gate(to), numbering.bit(to));
            let Ends { prev, next } = ends[to as usize];
            turns[gate] = (0xfffe << v) as u16;
            let rest = left[to as usize].wrapping_sub(1);
            left[to as usize] = rest;
            let inside = counts[to as usize] + u8::from(next != sink);
            counts[to as usize] = inside;
            let behind = counts[prev as usize].wrapping_sub(1);
            counts[prev as usize] = behind;
            gates[gate] &= !(u32::from(behind == 0) << v | u32::from(inside == buffer) << (ROOM + v));
            gates[numbering.gate(next)] |= 1u32.wrapping_shl(numbering.bit(next));
            gates[numbering.gate(prev)] |= (1u32 << ROOM).wrapping_shl(numbering.bit(prev));
            news[found] = to;
            // The first flit leaves length - 1 to come, the last none.
            found += usize::from(rest.wrapping_sub(1) >= whole);
        }
        found
    }
}
