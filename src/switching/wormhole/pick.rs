//! Which virtual channel a physical channel serves in a cycle.

use super::flits::{Flits, ROOM};
use crate::random::{Generator, below};

impl Flits {
    /// Picks for every channel, round robin. How many flits move.
    #[inline]
    pub(super) fn pick_in_turn(&mut self) -> usize {
        let (shift, mut count, mut first) = (self.shift, 0, 0u32);
        let channels = self.channels as usize;
        let (gates, _) = self.gates[..channels].as_chunks::<4>();
        let (turns, _) = self.turns[..channels].as_chunks::<4>();
        let moves = self.moves.as_mut_slice();
        for (gates, turns) in gates.iter().zip(turns) {
            let any = |gate: u64| gate & gate >> ROOM;
            if any(gates[0]) | any(gates[1]) | any(gates[2]) | any(gates[3]) != 0 {
                for port in 0..4 {
                    let ready = gates[port] & gates[port] >> ROOM;
                    // Those whose turn is next, before all.
                    let v = (ready << ROOM | ready & u64::from(turns[port])).trailing_zeros() & (ROOM - 1);
                    moves[count] = (first + port as u32) << shift | v;
                    count += usize::from(ready != 0);
                }
            }
            first += 4;
        }
        count
    }

    /// Picks for every channel the lane that `prefer` names, told the channel's first lane and those that are ready, a mask
    /// that is not 0.
    #[inline]
    pub(super) fn pick_by(&mut self, mut prefer: impl FnMut(&Self, u32, u32) -> u32) -> usize {
        let mut count = 0;
        for channel in 0..self.channels {
            let gate = self.gates[channel as usize];
            let ready = (gate & gate >> ROOM) as u32;
            if ready != 0 {
                let first = self.lane(channel, 0);
                self.moves[count] = first | prefer(self, first, ready);
                count += 1;
            }
        }
        count
    }
}

/// One of the bits of `ready`, which has one at least; each with equal probability.
#[inline]
pub(super) fn any_of(ready: u32, generator: &mut Generator) -> u32 {
    let mut rest = ready;
    if rest & (rest - 1) != 0 {
        for _ in 0..below(generator, rest.count_ones()) {
            rest &= rest - 1;
        }
    }
    rest.trailing_zeros()
}
