//! Tables for those channels only that messages have.
//!
//! Where little is carried, of a large network a few channels in a hundred have owners at a time, and where they lie changes slowly: tables of
//! all would be read everywhere, a few bytes from each line of the cache. A channel takes a seat when the first of its lanes gets an owner, and
//! gives it back with the last; seats given back last are taken first, so that those taken lie close together.

use super::numbering::InRows;
use super::{Ends, Flits, IDLE};

/// WebAssembly has none, and no code for them: it would be 8,000 bytes of the page's workers, which have no room for it.
#[cfg(target_arch = "wasm32")]
type Allowed = std::convert::Infallible;
#[cfg(not(target_arch = "wasm32"))]
type Allowed = ();

/// Which channel has which seat.
#[derive(Clone, Debug)]
pub(in super::super) struct Seats {
    _allowed: Allowed,
    /// For each channel, twice its seat and one more; or, without one, twice its turn. Behind them, a channel that has none ever.
    of: Vec<u32>,
    /// For each seat that was ever taken, the channel that had it last.
    channels: Vec<u32>,
    free: Vec<u32>,
    pub(super) numbering: InRows,
    /// Lanes with their channels, to be put into an order.
    order: Vec<u64>,
}

/// The numbers of lanes before and after tables have grown.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Renumbered {
    before: InRows,
    after: InRows,
}

impl Renumbered {
    /// The new number of a lane.
    #[inline]
    pub(in super::super) fn of(self, lane: u32) -> u32 {
        let Self { before, after } = self;
        if lane < before.lanes {
            let (bit, gate) = (lane >> before.row, lane & ((1 << before.row) - 1));
            return bit << after.row | gate;
        }
        lane - before.lanes + after.lanes
    }

    /// After this, that.
    pub(super) fn and(self, next: Self) -> Self {
        Self { after: next.after, ..self }
    }

    /// Puts what a table has of each lane at its new number; of new lanes it has `value`.
    pub(super) fn spread<T: Copy>(self, table: &mut Vec<T>, value: T) {
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

impl Seats {
    /// The seats that there are at first, a power of two and a multiple of four.
    pub(in super::super) const FIRST: u64 = 16;

    #[cfg(target_arch = "wasm32")]
    const ALLOWED: Option<Allowed> = None;
    #[cfg(not(target_arch = "wasm32"))]
    const ALLOWED: Option<Allowed> = Some(());

    /// Whether there can be any.
    pub(in super::super) const EXIST: bool = Self::ALLOWED.is_some();

    /// Nobody has a seat; `None` where there are none.
    pub(super) fn new(channels: u32, virtual_channels: u8) -> Option<Self> {
        let row = Self::FIRST.trailing_zeros();
        Some(Self {
            _allowed: Self::ALLOWED?,
            of: vec![0; channels as usize + 1],
            channels: Vec::new(),
            free: Vec::new(),
            numbering: InRows { row, lanes: u32::from(virtual_channels) << row },
            order: Vec::new(),
        })
    }

    /// The seat of a channel.
    #[inline]
    pub(super) fn of(&self, channel: u32) -> Option<u32> {
        Some(self.of[channel as usize]).filter(|of| of & 1 == 1).map(|of| of >> 1)
    }

    /// The channel of a seat.
    #[inline(always)]
    pub(super) fn channel(&self, seat: u32) -> u32 {
        self.channels[seat as usize]
    }

    /// The seats that were ever taken.
    #[inline]
    pub(super) fn taken(&self) -> u32 {
        self.channels.len() as u32
    }

    /// Whether so many channels that ask for one lane each find seats before tables must grow. Those that have seats need no other.
    fn suffice(&self, asking: usize) -> bool {
        let (seated, channels) = (self.channels.len() - self.free.len(), self.of.len() - 1);
        seated + asking.min(channels - seated) <= 1 << self.numbering.row
    }

    /// Gives a channel without a seat one; and its turn.
    #[inline]
    pub(super) fn take(&mut self, channel: u32) -> (u32, u16) {
        let seat = self.free.pop().unwrap_or_else(|| {
            self.channels.push(channel);
            self.taken() - 1
        });
        self.channels[seat as usize] = channel;
        let turn = std::mem::replace(&mut self.of[channel as usize], seat << 1 | 1) >> 1;
        (seat, turn as u16)
    }

    /// Takes its seat from a channel, and keeps its turn.
    #[inline]
    pub(super) fn leave(&mut self, seat: u32, turn: u16) {
        let channel = self.channel(seat) as usize;
        self.of[channel] = u32::from(turn) << 1;
        self.free.push(seat);
    }

    /// Puts lanes of different channels into the order of these.
    pub(super) fn sort(&mut self, lanes: &mut [u32]) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        let mask = (1 << self.numbering.row) - 1;
        order.extend(lanes.iter().map(|&lane| u64::from(self.channel(lane & mask)) << 32 | u64::from(lane)));
        order.sort_unstable();
        lanes.iter_mut().zip(&order).for_each(|(lane, &next)| *lane = next as u32);
        self.order = order;
    }

    /// Makes the seats twice as many.
    pub(super) fn double(&mut self) -> Renumbered {
        let before = self.numbering;
        self.numbering = InRows { row: before.row + 1, lanes: 2 * before.lanes };
        Renumbered { before, after: self.numbering }
    }

    /// What they take in memory, in bytes.
    pub(super) fn footprint(&self) -> usize {
        let words = 4 * (self.of.capacity() + self.channels.capacity() + self.free.capacity());
        words + 8 * self.order.capacity()
    }
}

impl Flits {
    /// Has the channels of so many lanes that may be taken find seats: what that makes of the numbers of lanes that are kept elsewhere.
    #[inline]
    pub(in super::super) fn seat(&mut self, asking: usize) -> Option<Renumbered> {
        let seats = self.seats.as_ref()?;
        if seats.suffice(asking) { None } else { self.add_seats(asking) }
    }

    #[inline(never)]
    fn add_seats(&mut self, asking: usize) -> Option<Renumbered> {
        let seats = self.seats.as_mut()?;
        let before = seats.numbering;
        let mut renumbered = seats.double();
        while !seats.suffice(asking) {
            renumbered = renumbered.and(seats.double());
        }
        for Ends { prev, next } in &mut self.ends {
            (*prev, *next) = (renumbered.of(*prev), renumbered.of(*next));
        }
        let none = self.nowhere();
        renumbered.spread(&mut self.ends, Ends { prev: none, next: none });
        renumbered.spread(&mut self.left, 0);
        renumbered.spread(&mut self.counts, 0);
        renumbered.spread(&mut self.owners, IDLE);
        renumbered.spread(&mut self.labels, 0);
        // The last gate is that of what is behind.
        self.gates.truncate(1 << before.row);
        let picked = self.picked();
        self.gates.resize(picked + 1, 0);
        self.turns.resize(picked + 1, 0);
        self.idle.resize(picked, self.all);
        self.moves.resize(picked + 3, 0);
        self.news.resize(picked, 0);
        Some(renumbered)
    }

    /// Lane `v` of `channel`, which has a seat from now on.
    #[inline]
    pub(super) fn seated(&mut self, channel: u32, v: u32) -> u32 {
        if let Some(seats) = &mut self.seats
            && seats.of(channel).is_none()
        {
            let (seat, turn) = seats.take(channel);
            self.turns[seat as usize] = turn;
        }
        self.lane(channel, v)
    }
}
