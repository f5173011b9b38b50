//! Switch allocation: selection of the virtual channel that a physical channel serves in a cycle.

use std::mem;

use super::lane_layout::{InterleavedLanes, LaneLayout};
use super::{CREDIT_SHIFT, Flits};
use crate::random::{Generator, below};

impl Flits {
    /// Selects a lane for every channel, round robin. Returns the number of flits that move.
    #[inline]
    pub(in super::super) fn pick_in_turn(&mut self) -> usize {
        if let Some(sparse) = &self.sparse {
            return self.select_sparse(sparse.layout, sparse.used_count());
        }
        if self.has_two_gates() {
            return self.pick_in_turn_of_many();
        }
        if self.is_sparse() {
            return self.pick_in_turn_of_few();
        }
        self.pick_for_all(self.by_gate, self.channels as usize)
    }

    /// Round-robin selection for the first `gates` gates, a multiple of four.
    #[inline(always)]
    fn pick_for_all(&mut self, layout: impl LaneLayout, gates: usize) -> usize {
        let (mut count, mut first) = (0, 0);
        let (turns, _) = self.turns[..gates].as_chunks::<4>();
        let (gates, _) = self.gates[..gates].as_chunks::<4>();
        for (gates, turns) in gates.iter().zip(turns) {
            match pick_of_four(gates, turns, first, layout, &mut self.moves[count..]) {
                Some(found) => count += found,
                None => break,
            }
            first += 4;
        }
        count
    }

    /// Round-robin selection with sparse tables.
    #[inline(never)]
    fn select_sparse(&mut self, layout: InterleavedLanes, taken: u32) -> usize {
        self.pick_for_all(layout, taken.next_multiple_of(4) as usize)
    }

    /// Round-robin selection if most channels have no owners: skips these channels.
    #[inline(never)]
    fn pick_in_turn_of_few(&mut self) -> usize {
        let (shift, channels) = (self.shift, self.channels as usize);
        let (gates, turns) = (&self.gates[..channels], &self.turns[..channels]);
        let moves = self.moves.as_mut_slice();
        let mut count = 0;
        for (place, &word) in self.owned_channels.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let channel = (place << 6) | rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let (ready, v) = next_in_turn(gates[channel], turns[channel]);
                moves[count] = ((channel as u32) << shift) | v;
                count += usize::from(ready != 0);
            }
        }
        count
    }

    /// Round-robin selection for channels with two gates.
    #[inline(never)]
    fn pick_in_turn_of_many(&mut self) -> usize {
        let mut turns = mem::take(&mut self.served);
        let count = self.select_by(|flits, first, ready| {
            let turn = &mut turns[(first >> flits.shift) as usize];
            let next = ready & 0xffff_fffe << *turn;
            let v = if next != 0 { next } else { ready }.trailing_zeros();
            *turn = v as u8;
            v
        });
        self.served = turns;
        count
    }

    /// Selects for every channel the lane that `prefer` returns.
    ///
    /// `prefer` gets the channel's first lane and the mask of ready lanes, which is not 0.
    #[inline]
    pub(in super::super) fn select_by(&mut self, mut prefer: impl FnMut(&Self, u32, u32) -> u32) -> usize {
        let mut count = 0;
        for channel in 0..self.channels {
            let ready = self.ready(channel);
            if ready != 0 {
                let first = self.lane(channel, 0);
                self.moves[count] = first | prefer(self, first, ready);
                count += 1;
            }
        }
        count
    }

    /// Returns the mask of the lanes of a channel that have a flit upstream and room downstream.
    #[inline]
    fn ready(&self, channel: u32) -> u32 {
        let of = |gate: u32| {
            let gate = self.gates[gate as usize];
            gate & gate >> CREDIT_SHIFT
        };
        if self.has_two_gates() { of(2 * channel) | of(2 * channel + 1) << CREDIT_SHIFT } else { of(channel) }
    }
}

/// Returns the mask of a gate's ready lanes, and the round-robin choice among them.
#[inline(always)]
fn next_in_turn(gate: u32, turns: u16) -> (u32, u32) {
    let ready = gate & gate >> CREDIT_SHIFT;
    // Lanes after the last one served have lower bits than all others.
    (ready, (ready << CREDIT_SHIFT | ready & u32::from(turns)).trailing_zeros() & (CREDIT_SHIFT - 1))
}

/// Selects lanes for the four gates from `first` on and writes them to `moves`.
///
/// Returns the number of gates with a selection, `None` if `moves` has fewer than four entries.
#[inline(always)]
fn pick_of_four(
    gates: &[u32; 4],
    turns: &[u16; 4],
    first: u32,
    layout: impl LaneLayout,
    moves: &mut [u32],
) -> Option<usize> {
    let any = |gate: u32| gate & gate >> CREDIT_SHIFT;
    if any(gates[0]) | any(gates[1]) | any(gates[2]) | any(gates[3]) == 0 {
        return Some(0);
    }
    // A single bounds check for all four entries.
    let moves = moves.first_chunk_mut::<4>()?;
    let mut found = 0;
    for (gate, (&word, &turns)) in (first..).zip(gates.iter().zip(turns)) {
        let (ready, v) = next_in_turn(word, turns);
        moves[found & 3] = layout.lane(gate, v);
        found += usize::from(ready != 0);
    }
    Some(found)
}

/// Returns a random set bit of `ready`, each with equal probability; `ready` must not be 0.
#[inline]
pub(in super::super) fn random_set_bit(ready: u32, generator: &mut Generator) -> u32 {
    let mut rest = ready;
    if rest & (rest - 1) != 0 {
        for _ in 0..below(generator, rest.count_ones()) {
            rest &= rest - 1;
        }
    }
    rest.trailing_zeros()
}
