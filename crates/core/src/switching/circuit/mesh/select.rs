//! Selection among several links that a probe may take.

use crate::random::{Generator, below};
use crate::switching::circuit::LinkSelection;
use crate::topology::{Port, PortMask};

/// Selects one of the `free` ports among the `permitted` ones; `free` must not be empty.
pub fn select_port(avail: LinkSelection, permitted: PortMask, free: PortMask, generator: &mut Generator) -> Port {
    let lowest = Port(free.trailing_zeros() as u8);
    let is_lowest_free = free & permitted & permitted.wrapping_neg() != 0;
    match avail {
        LinkSelection::LowestFree | LinkSelection::LowestOnly => return lowest,
        LinkSelection::Lowest if is_lowest_free => return lowest,
        LinkSelection::Highest => return Port(free.checked_ilog2().unwrap_or(0) as u8),
        LinkSelection::Lowest | LinkSelection::Random => {}
    }
    let mut rest = free;
    // A single free port needs no draw.
    if free.count_ones() > 1 {
        for _ in 0..below(generator, free.count_ones()) {
            rest &= rest - 1;
        }
    }
    Port(rest.trailing_zeros() as u8)
}
