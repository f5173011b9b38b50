//! Fat-trees: processors at the leaves of a binary tree whose channels grow thicker towards the root (Greenberg &
//! Leiserson section 2), and the second universal network of their Fig. 8.
//!
//! Heights count from the leaves: a processor has height 0, the root of n processors lg n. Channel h is the edge above a
//! node of height h, one up and one down, of cap(h) wires each. The root has an external pair too; with it there are
//! 4n-2 channels, as the paper counts them.

mod capacity;
mod channels;
mod leaves;
mod second_network;

pub use capacity::{MAX_CAPACITY, Profile};
pub use channels::{ChannelPlace, TreeChannel, TreeChannels};
pub use leaves::Leaves;
pub use second_network::SecondNetwork;

use std::fmt;

/// The most processors of a fat-tree, 2^20.
pub const MAX_PROCESSORS: u32 = 1 << MAX_LEVELS;

/// The largest height of a root.
pub const MAX_LEVELS: u8 = 20;

/// A fat-tree of 2 to 2^20 processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FatTree {
    channels: TreeChannels,
}

/// Why there is no such fat-tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FatTreeError {
    /// A fat-tree does not have this number of processors.
    Processors(u64),
    /// The second network does not have this number of processors.
    SecondProcessors(u64),
    /// This channel cannot have this capacity.
    Capacity {
        /// The height of the channel.
        height: u8,
        /// The capacity that was asked for.
        capacity: u64,
    },
    /// A custom profile has not one capacity for each height.
    Heights {
        /// The number of capacities in the profile.
        given: u32,
        /// The height of the root.
        levels: u8,
    },
    /// The tree has no channel of this height.
    Height {
        /// The height that was asked for.
        height: u8,
        /// The height of the root.
        levels: u8,
    },
}

impl fmt::Display for FatTreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Processors(n) => {
                write!(f, "a fat-tree has n = 2 to {MAX_PROCESSORS} processors, a power of two, not {n}")
            }
            Self::SecondProcessors(n) => {
                write!(f, "the second network has n = 4 to {MAX_PROCESSORS} processors, a power of four, not {n}")
            }
            Self::Capacity { height, capacity } => {
                write!(f, "a channel has 1 to {MAX_CAPACITY} wires, not {capacity} as at height {height}")
            }
            Self::Heights { given, levels } => write!(
                f,
                "{given} capacities: this tree needs {levels}, for the heights 0 to {}, and may have one more, for the \
                 external channel",
                levels.saturating_sub(1)
            ),
            Self::Height { height, levels } => write!(f, "heights are 0 to {levels}, not {height}"),
        }
    }
}

impl std::error::Error for FatTreeError {}

impl FatTree {
    /// The fat-tree of so many processors whose capacities are those of `profile`.
    ///
    /// # Errors
    /// If the number is no power of two from 2 to 2^20, or the profile does not fit.
    pub fn new(processors: u64, profile: &Profile) -> Result<Self, FatTreeError> {
        let fits = processors.is_power_of_two() && (2..=u64::from(MAX_PROCESSORS)).contains(&processors);
        let levels =
            if fits { processors.trailing_zeros() as u8 } else { return Err(FatTreeError::Processors(processors)) };
        Ok(Self { channels: TreeChannels::binary(levels, profile.capacities(levels)?) })
    }

    /// The same tree with other channels at one height, 0 to lg n.
    ///
    /// # Errors
    /// If it has no such height, or the capacity is not 1 to [`MAX_CAPACITY`].
    pub fn with_capacity(self, height: u8, capacity: u64) -> Result<Self, FatTreeError> {
        let levels = self.levels();
        if height > levels {
            return Err(FatTreeError::Height { height, levels });
        }
        let mut capacities = [1; MAX_LEVELS as usize + 1];
        (0..=levels).for_each(|height| capacities[usize::from(height)] = self.capacity(height));
        capacities[usize::from(height)] = capacity::checked(height, capacity)?;
        Ok(Self { channels: TreeChannels::binary(levels, capacities) })
    }

    /// The number of processors, n.
    pub fn processors(self) -> u32 {
        self.channels.processors()
    }

    /// lg n, the height of the root.
    pub fn levels(self) -> u8 {
        self.channels.levels()
    }

    /// cap(h), the number of wires of a channel above a node of this height; 0 above the root.
    pub fn capacity(self, height: u8) -> u32 {
        self.channels.capacity(height)
    }

    /// The capacities of the heights 0 to lg n.
    pub fn capacities(self) -> impl Iterator<Item = u32> {
        (0..=self.levels()).map(move |height| self.capacity(height))
    }

    /// Its channels, numbered.
    pub fn channels(self) -> TreeChannels {
        self.channels
    }

    /// The number of channels, 4n-2.
    pub fn channel_count(self) -> u32 {
        4 * self.processors() - 2
    }

    /// The number of wires of all channels, both ways, the external ones included.
    pub fn wires(self) -> u64 {
        self.channels.wires()
    }

    /// The area of a layout in the plane, in the unit of one processor: (sum over h of sqrt(n/2^h) cap(h))^2.
    ///
    /// A line across a square layout meets about sqrt(n/2^h) of the subtrees of height h, and has to let the wires of each
    /// pass. All constants are 1. It is n (1 + lg n)^2 where capacities grow by sqrt 2: the Theta(n lg^2 n) of section 2.
    pub fn area(self) -> f64 {
        let side = self.cut(libm::sqrt);
        side * side
    }

    /// The volume of a layout in space, in the unit of one processor: (sum over h of (n/2^h)^(2/3) cap(h))^(3/2).
    ///
    /// As [`FatTree::area`], with a plane across a cube. It is n (1 + lg n)^(3/2) where capacities grow by the cube root of
    /// 4: the Theta(n lg^(3/2) n) of section 2.
    pub fn volume(self) -> f64 {
        let face = self.cut(|subtrees| libm::cbrt(subtrees * subtrees));
        face * libm::sqrt(face)
    }

    /// The wires that a cut through the middle meets, which crosses `met` of the subtrees of one height.
    fn cut(self, met: impl Fn(f64) -> f64) -> f64 {
        let heights = (0..).zip(self.capacities());
        heights.map(|(height, capacity)| met(f64::from(self.processors() >> height)) * f64::from(capacity)).sum()
    }
}
