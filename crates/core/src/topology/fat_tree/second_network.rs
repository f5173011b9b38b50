//! Second universal network (Greenberg & Leiserson section 6, Fig. 8): switches of constant size,
//! with four children and two parents each.

use super::{FatTreeError, MAX_PROCESSORS, TreeChannels};

/// The second universal network of 4 to 4^10 processors, a power of four.
///
/// At level j, a group of 4^j leaves has 2^j up wires and 2^j down wires of capacity 1. A message
/// draws random bits b1, b2, .. each time it is sent. At level j, the message goes up on the wire
/// with number b1..bj, and comes down on the wire of the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondNetwork {
    levels: u8,
}

impl SecondNetwork {
    /// Returns the network of `processors` processors.
    ///
    /// # Errors
    /// Returns an error if the number is not a power of four from 4 to 4^10.
    pub fn new(processors: u64) -> Result<Self, FatTreeError> {
        let power = processors.is_power_of_two() && processors.trailing_zeros().is_multiple_of(2);
        if power && (4..=u64::from(MAX_PROCESSORS)).contains(&processors) {
            Ok(Self { levels: (processors.trailing_zeros() / 2) as u8 })
        } else {
            Err(FatTreeError::SecondProcessors(processors))
        }
    }

    /// Returns the number of processors, n = 4^H.
    pub fn processors(self) -> u32 {
        1 << (2 * self.levels)
    }

    /// Returns the height of the root, H.
    pub fn levels(self) -> u8 {
        self.levels
    }

    /// Returns the numbered wires.
    pub fn channels(self) -> TreeChannels {
        TreeChannels::quaternary(self.levels)
    }

    /// Returns the number of wires, in both directions, including those above the root.
    pub fn wires(self) -> u64 {
        self.channels().wires()
    }

    /// Returns the number of switches: 2^(j-1) for each group of 4^j leaves at level j.
    pub fn switches(self) -> u64 {
        (1..=self.levels).map(|level| u64::from(self.processors() >> (2 * level)) << (level - 1)).sum()
    }

    /// Returns the area of a layout in the plane, in the units of [`super::FatTree::area`]: n (1 +
    /// H)^2, that is Theta(n lg^2 n).
    pub fn area(self) -> f64 {
        let side = f64::from((u32::from(self.levels) + 1) << self.levels);
        side * side
    }
}
