//! Second universal network (Greenberg & Leiserson section 6, Fig. 8): switches of constant size,
//! with four children and two parents each, or in space with eight children and four parents.

use super::{FatTreeError, MAX_PROCESSORS, TreeChannels};

/// The second universal network of 4 to 4^10 processors, a power of four, or in space of 8 to 8^6
/// processors, a power of eight.
///
/// In the plane, a group of 4^j leaves at level j has 2^j up wires and 2^j down wires, each of
/// capacity 1. A message draws random bits b1, b2, .. each time it is sent. At level j, the message
/// goes up on the wire with number b1..bj, and comes down on the wire of the same number. In space,
/// a group has 8^j leaves and 4^j wires each way, and b1, b2, .. are digits of two bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondNetwork {
    levels: u8,
    /// Number of dimensions, 2 or 3.
    dimensions: u8,
}

impl SecondNetwork {
    /// Returns the network of `processors` processors in the plane.
    ///
    /// # Errors
    /// Returns an error if the number is not a power of four from 4 to 4^10.
    pub fn new(processors: u64) -> Result<Self, FatTreeError> {
        Self::with_dimensions(processors, 2).ok_or(FatTreeError::SecondProcessors(processors))
    }

    /// Returns the network of `processors` processors in space.
    ///
    /// # Errors
    /// Returns an error if the number is not a power of eight from 8 to 8^6.
    pub fn new_in_space(processors: u64) -> Result<Self, FatTreeError> {
        Self::with_dimensions(processors, 3).ok_or(FatTreeError::SpaceProcessors(processors))
    }

    fn with_dimensions(processors: u64, dimensions: u8) -> Option<Self> {
        let (levels, rest) =
            (processors.trailing_zeros() as u8 / dimensions, processors.trailing_zeros() as u8 % dimensions);
        let fits = processors.is_power_of_two() && rest == 0 && levels > 0 && processors <= u64::from(MAX_PROCESSORS);
        fits.then_some(Self { levels, dimensions })
    }

    /// Returns the number of processors, n = 4^H, or 8^H in space.
    pub fn processors(self) -> u32 {
        1 << (self.dimensions * self.levels)
    }

    /// Returns the height of the root, H.
    pub fn levels(self) -> u8 {
        self.levels
    }

    /// Returns the number of dimensions: 2 in the plane, 3 in space.
    pub fn dimensions(self) -> u8 {
        self.dimensions
    }

    /// Returns the numbered wires.
    pub fn channels(self) -> TreeChannels {
        TreeChannels::single_wires(self.levels, self.dimensions)
    }

    /// Returns the number of wires, in both directions, including those above the root.
    pub fn wires(self) -> u64 {
        self.channels().wires()
    }

    /// Returns the number of switches: 2^(j-1) for each group of 4^j leaves at level j, and in space
    /// 4^(j-1) for each group of 8^j leaves.
    pub fn switches(self) -> u64 {
        let groups = |level: u8| u64::from(self.processors() >> (self.dimensions * level));
        (1..=self.levels).map(|level| groups(level) << ((self.dimensions - 1) * (level - 1))).sum()
    }

    /// Returns the area of a layout in the plane, in the units of [`super::FatTree::area`]: n (1 +
    /// H)^2, that is Theta(n lg^2 n). `None` for the network in space.
    pub fn area(self) -> Option<f64> {
        let side = f64::from((u32::from(self.levels) + 1) << self.levels);
        (self.dimensions == 2).then_some(side * side)
    }

    /// Returns the volume of a layout in space, in the units of [`super::FatTree::volume`]: n (1 +
    /// H)^(3/2), that is Theta(n lg^(3/2) n). `None` for the network in the plane.
    pub fn volume(self) -> Option<f64> {
        let levels = f64::from(self.levels) + 1.0;
        (self.dimensions == 3).then(|| f64::from(self.processors()) * levels * libm::sqrt(levels))
    }
}
