//! The innermost loop: which flits move in a cycle, and that they do.
//!
//! Flits are counted, not kept: they are all alike but for the first and the last. A lane is a virtual channel with its
//! buffer, or the place of a message at its source. All that a physical channel has to know to pick a lane is one word,
//! its gate, kept up to date as flits come and go; with more than 16 lanes, two.

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

/// The lanes of a network. Lane number `v` of channel `c` is `c << shift | v`; behind those of the channels lie two that
/// lead nowhere, and then those of the sources, one for every slot of a message.
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
    /// For each channel, or half of one with more than [`ROOM`] lanes, a bit for each lane that has a flit upstream and,
    /// [`ROOM`] bits higher, for each that has room downstream. Lanes without an owner have no flit upstream.
    pub(super) gates: Vec<u32>,
    /// For each gate, the lanes after that served last, as a mask.
    pub(super) turns: Vec<u16>,
    /// For each channel of two gates, the lane served last.
    pub(super) served: Vec<u8>,
    /// For each channel of one gate a bit, whether any of its lanes has an owner, and how many have: most have none where there is little to
    /// carry.
    pub(super) taken: Vec<u64>,
    owned: Vec<u8>,
    /// The bits that are set.
    busy: usize,
    /// The lanes into which flits move in this cycle.
    pub(super) moves: Vec<u32>,
    /// Those into which the first or the last flit of a message has just moved.
    news: Vec<u32>,
    pub(super) channels: u32,
    pub(super) shift: u32,
    /// Lane number `l` has its bits in gate `l >> gate_shift`.
    gate_shift: u32,
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
    pub(super) fn new(channels: u32, virtual_channels: u8, buffer: u8, length: u16) -> Self {
        let shift = u32::from(virtual_channels).next_power_of_two().trailing_zeros();
        // They are looked at four by four.
        let channels = channels.next_multiple_of(4);
        let mut flits = Self {
            ends: Vec::new(),
            left: Vec::new(),
            counts: Vec::new(),
            owners: Vec::new(),
            gates: Vec::new(),
            turns: Vec::new(),
            served: Vec::new(),
            taken: Vec::new(),
            owned: Vec::new(),
            busy: 0,
            moves: vec![0; channels as usize + 3],
            news: vec![0; channels as usize],
            channels,
            shift,
            gate_shift: shift.min(ROOM.trailing_zeros()),
            buffer,
            length,
        };
        flits.grow(flits.source(0));
        if flits.is_halved() {
            // The first turn is the lowest lane's.
            flits.served = vec![31; channels as usize];
        } else {
            let gates = channels as usize;
            (flits.taken, flits.owned) = (vec![0; gates.div_ceil(64)], vec![0; gates]);
        }
        flits
    }

    /// Makes room for so many lanes.
    fn grow(&mut self, lanes: u32) {
        let (lanes, none) = (lanes as usize, self.nowhere());
        fill_up(&mut self.ends, lanes, Ends { prev: none, next: none });
        fill_up(&mut self.left, lanes, 0);
        fill_up(&mut self.counts, lanes, 0);
        fill_up(&mut self.owners, lanes, IDLE);
        let gates = lanes.div_ceil(1 << self.gate_shift);
        fill_up(&mut self.gates, gates, 0);
        fill_up(&mut self.turns, gates, 0);
    }

    /// Lane `v` of `channel`.
    #[inline(always)]
    pub(super) fn lane(&self, channel: u32, v: u32) -> u32 {
        channel << self.shift | v
    }

    /// The channel of a lane and its number there.
    #[inline(always)]
    pub(super) fn channel(&self, lane: u32) -> (u32, u32) {
        (lane >> self.shift, lane & ((1 << self.shift) - 1))
    }

    /// The gate of a lane and its number there.
    #[inline(always)]
    fn gate(&self, lane: u32) -> (usize, u32) {
        ((lane >> self.gate_shift) as usize, lane & ((1 << self.gate_shift) - 1))
    }

    /// Whether a channel has two gates.
    #[inline(always)]
    pub(super) fn is_halved(&self) -> bool {
        self.gate_shift < self.shift
    }

    /// Where a lane leads whose message does not know yet.
    #[inline(always)]
    pub(super) fn nowhere(&self) -> u32 {
        self.channels << self.shift
    }

    /// Where a lane leads at the destination of its message.
    #[inline(always)]
    pub(super) fn sink(&self) -> u32 {
        (self.channels + 1) << self.shift
    }

    /// The lane of the message in `slot` at its source.
    #[inline(always)]
    pub(super) fn source(&self, slot: u32) -> u32 {
        ((self.channels + 2) << self.shift) + slot
    }

    /// Whether fewer than half of the channels have owners, and it is known which.
    #[inline]
    pub(super) fn is_sparse(&self) -> bool {
        2 * self.busy < self.owned.len()
    }

    /// Whether `lane` is at a source.
    #[inline(always)]
    pub(super) fn is_source(&self, lane: u32) -> bool {
        lane >= self.source(0)
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

    /// Gives the idle lane `to` to the message in `slot`, whose header is at the front of lane `from`.
    #[inline]
    pub(super) fn take(&mut self, from: u32, to: u32, slot: u32) {
        self.set(to, slot, Ends { prev: from, next: self.nowhere() });
        self.ends[from as usize].next = to;
        let (gate, v) = self.gate(to);
        self.gates[gate] |= (1 | 1 << ROOM) << v;
        if let Some(owned) = self.owned.get_mut(gate) {
            self.busy += usize::from(*owned == 0);
            *owned += 1;
            self.taken[gate / 64] |= 1 << (gate % 64);
        }
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
        self.gates[gate] &= !((1 | 1 << ROOM) << v);
        // Sources have no place there.
        if let Some(owned) = self.owned.get_mut(gate) {
            *owned -= 1;
            let is_free = *owned == 0;
            self.busy -= usize::from(is_free);
            self.taken[gate / 64] &= !(u64::from(is_free) << (gate % 64));
        }
    }

    /// The tail has come into `lane`: parts it from the lane behind, which is named.
    #[inline]
    pub(super) fn part(&mut self, lane: u32) -> u32 {
        let none = self.nowhere();
        std::mem::replace(&mut self.ends[lane as usize].prev, none)
    }

    /// Moves the flits that were picked, `count` of them. How many lanes have seen the first or the last flit of a
    /// message.
    #[inline]
    pub(super) fn advance(&mut self, count: usize) -> usize {
        let (shift, buffer, mask) = (self.gate_shift, self.buffer, (1u32 << self.gate_shift) - 1);
        let (sink, whole) = (self.sink(), (self.length as u8).wrapping_sub(2));
        // Of the same length, they are checked once for all.
        let (lanes, gates) = (self.ends.len(), self.gates.len());
        let (ends, left, counts) = (&self.ends[..lanes], &mut self.left[..lanes], &mut self.counts[..lanes]);
        let (gates, turns) = (&mut self.gates[..gates], &mut self.turns[..gates]);
        let news = self.news.as_mut_slice();
        let mut found = 0;
        for &to in &self.moves[..count] {
            let (gate, v) = ((to >> shift) as usize, to & mask);
            let Ends { prev, next } = ends[to as usize];
            turns[gate] = (0xfffe << v) as u16;
            let rest = left[to as usize].wrapping_sub(1);
            left[to as usize] = rest;
            let inside = counts[to as usize] + u8::from(next != sink);
            counts[to as usize] = inside;
            let behind = counts[prev as usize].wrapping_sub(1);
            counts[prev as usize] = behind;
            gates[gate] &= !(u32::from(behind == 0) << v | u32::from(inside == buffer) << (ROOM + v));
            gates[(next >> shift) as usize] |= 1 << (next & mask);
            gates[(prev >> shift) as usize] |= 1 << (ROOM + (prev & mask));
            news[found] = to;
            // The first flit leaves length - 1 to come, the last none.
            found += usize::from(rest.wrapping_sub(1) >= whole);
        }
        found
    }

    /// The lane number `index` among those that have seen the first or the last flit of a message.
    #[inline]
    pub(super) fn new_in(&self, index: usize) -> u32 {
        self.news[index]
    }

    /// Whether the flit that has just come into `lane` was the first of its message, and whether the last.
    #[inline]
    pub(super) fn is_end(&self, lane: u32) -> (bool, bool) {
        let left = self.left[lane as usize];
        (left == (self.length - 1) as u8, left == 0)
    }

    /// Whether what comes into `lane` is consumed.
    #[inline]
    pub(super) fn is_consumed(&self, lane: u32) -> bool {
        self.ends[lane as usize].next == self.sink()
    }

    /// The slot of the message that has `lane`; [`IDLE`] if none has.
    #[inline]
    pub(super) fn owner(&self, lane: u32) -> u32 {
        self.owners[lane as usize]
    }

    /// The lane from which flits have still to come into `lane`; `None` when the tail has.
    #[inline]
    pub(super) fn behind(&self, lane: u32) -> Option<u32> {
        Some(self.ends[lane as usize].prev).filter(|&prev| prev != self.nowhere())
    }

    /// Flits that have still to come into `lane`, which somebody has.
    pub(super) fn to_come(&self, lane: u32) -> u16 {
        // At most 256, and not 0 as long as the tail has not come.
        self.behind(lane).map_or(0, |_| u16::from(self.left[lane as usize].wrapping_sub(1)) + 1)
    }

    /// Flits in the buffer of `lane`, which is one of a channel.
    pub(super) fn inside(&self, lane: u32) -> u8 {
        self.counts[lane as usize]
    }

    /// Flits that have come into `lane` of a message whose tail has not.
    pub(super) fn crossed(&self, lane: u32) -> u16 {
        let is_open = self.owner(lane) != IDLE && self.behind(lane).is_some();
        if is_open { self.length - self.to_come(lane) } else { 0 }
    }

    /// What it takes in memory, in bytes.
    pub(super) fn footprint(&self) -> usize {
        let words = [&self.owners, &self.gates, &self.moves, &self.news].map(|words| 4 * words.capacity());
        let bytes = self.owned.capacity()
            + 8 * self.taken.capacity()
            + self.left.capacity()
            + self.counts.capacity()
            + self.served.capacity()
            + 2 * self.turns.capacity();
        size_of::<Ends>() * self.ends.capacity() + words.iter().sum::<usize>() + bytes
    }
}
