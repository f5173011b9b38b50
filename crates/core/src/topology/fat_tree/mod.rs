//! Fat-trees: processors at the leaves of a binary tree whose channels get wider towards the root
//! (Greenberg & Leiserson section 2), and the second universal network of their Fig. 8.
//!
//! Heights count from the leaves: a processor has height 0, the root of n processors lg n. The edge
//! above a node of height h has two channels, one up and one down, of cap(h) wires each. The root
//! has a pair of external channels too. The 4n-2 channels of the paper include this pair.

mod bit_times;
mod capacity;
mod channels;
mod leaves;
mod second_network;

pub use bit_times::Concentrator;
pub use capacity::{MAX_CAPACITY, Profile};
pub use channels::{ChannelLocation, TreeChannel, TreeChannels};
pub use leaves::Leaves;
pub use second_network::SecondNetwork;

use std::fmt;

/// Maximum number of processors of a fat-tree, 2^20.
pub const MAX_PROCESSORS: u32 = 1 << MAX_LEVELS;

/// Maximum height of a root.
pub const MAX_LEVELS: u8 = 20;

/// A fat-tree of 2 to 2^20 processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FatTree {
    channels: TreeChannels,
}

/// Error of constructing a fat-tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FatTreeError {
    /// A fat-tree cannot have this number of processors.
    Processors(u64),
    /// The second network cannot have this number of processors.
    SecondProcessors(u64),
    /// The second network in space cannot have this number of processors.
    SpaceProcessors(u64),
    /// A channel cannot have this capacity.
    Capacity {
        /// Height of the channel.
        height: u8,
        /// Requested capacity.
        capacity: u64,
    },
    /// The number of capacities of a custom profile does not fit the tree.
    WrongCapacityCount {
        /// Number of capacities in the profile.
        given: u32,
        /// Height of the root.
        levels: u8,
    },
    /// The tree has no channel of this height.
    Height {
        /// Requested height.
        height: u8,
        /// Height of the root.
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
            Self::SpaceProcessors(n) => {
                write!(f, "the second network in space has n = 8 to 262144 processors, a power of eight, not {n}")
            }
            Self::Capacity { height, capacity } => {
                write!(f, "a channel has 1 to {MAX_CAPACITY} wires, not {capacity} as at height {height}")
            }
            Self::WrongCapacityCount { given, levels } => write!(
                f,
                "the profile has {given} capacities; this tree needs {levels}, for the heights 0 to {}, and accepts one \
                 more, for the external channel",
                levels.saturating_sub(1)
            ),
            Self::Height { height, levels } => write!(f, "the tree has heights 0 to {levels}, not {height}"),
        }
    }
}

impl std::error::Error for FatTreeError {}

impl FatTree {
    /// Returns the fat-tree of `processors` processors with the capacities of `profile`.
    ///
    /// # Errors
    /// Returns an error if the number is not a power of two from 2 to 2^20, or the profile does not
    /// fit.
    pub fn new(processors: u64, profile: &Profile) -> Result<Self, FatTreeError> {
        let fits = processors.is_power_of_two() && (2..=u64::from(MAX_PROCESSORS)).contains(&processors);
        let levels =
            if fits { processors.trailing_zeros() as u8 } else { return Err(FatTreeError::Processors(processors)) };
        Ok(Self { channels: TreeChannels::binary(levels, profile.capacities(levels)?) })
    }

    /// Returns a copy of the tree with another capacity of the channels at `height`, 0 to lg n.
    ///
    /// # Errors
    /// Returns an error if the tree has no such height, or the capacity is not 1 to
    /// [`MAX_CAPACITY`].
    pub fn with_capacity(self, height: u8, capacity: u64) -> Result<Self, FatTreeError> {
        let levels = self.levels();
        if height > levels {
            return Err(FatTreeError::Height { height, levels });
        }
        let mut capacities = [1; MAX_LEVELS as usize + 1];
        (0..=levels).for_each(|height| capacities[usize::from(height)] = self.capacity(height));
        capacities[usize::from(height)] = capacity::check_capacity(height, capacity)?;
        Ok(Self { channels: TreeChannels::binary(levels, capacities) })
    }

    /// Returns the number of processors, n.
    pub fn processors(self) -> u32 {
        self.channels.processors()
    }

    /// Returns the height of the root, lg n.
    pub fn levels(self) -> u8 {
        self.channels.levels()
    }

    /// Returns cap(h), the number of wires of a channel above a node of height `height`; 0 above
    /// the root.
    pub fn capacity(self, height: u8) -> u32 {
        self.channels.capacity(height)
    }

    /// Returns the capacities of the heights 0 to lg n.
    pub fn capacities(self) -> impl Iterator<Item = u32> {
        (0..=self.levels()).map(move |height| self.capacity(height))
    }

    /// Returns the numbered channels of the tree.
    pub fn channels(self) -> TreeChannels {
        self.channels
    }

    /// Returns the number of channels, 4n-2.
    pub fn channel_count(self) -> u32 {
        4 * self.processors() - 2
    }

    /// Returns the number of wires of all channels, in both directions, including the external
    /// channels.
    pub fn wires(self) -> u64 {
        self.channels.wires()
    }

    /// Returns the area of a layout in the plane, in units of one processor: (sum over h of
    /// sqrt(n/2^h) cap(h))^2.
    ///
    /// A line across a square layout crosses about sqrt(n/2^h) of the subtrees of height h, each
    /// with its wires. All constants are 1. If capacities grow by sqrt 2, the area is n (1 + lg
    /// n)^2: the Theta(n lg^2 n) of section 2.
    pub fn area(self) -> f64 {
        let side = self.cut(libm::sqrt);
        side * side
    }

    /// Returns the volume of a layout in space, in units of one processor: (sum over h of
    /// (n/2^h)^(2/3) cap(h))^(3/2).
    ///
    /// The derivation is that of [`FatTree::area`], with a plane across a cube. If capacities grow
    /// by the cube root of 4, the volume is n (1 + lg n)^(3/2): the Theta(n lg^(3/2) n) of section
    /// 2.
    pub fn volume(self) -> f64 {
        let face = self.cut(|subtrees| libm::cbrt(subtrees * subtrees));
        face * libm::sqrt(face)
    }

    /// Returns the number of wires in a cut through the middle. `met` maps the number of subtrees
    /// of one height to the number that the cut crosses.
    fn cut(self, met: impl Fn(f64) -> f64) -> f64 {
        let heights = (0..).zip(self.capacities());
        heights.map(|(height, capacity)| met(f64::from(self.processors() >> height)) * f64::from(capacity)).sum()
    }
}
