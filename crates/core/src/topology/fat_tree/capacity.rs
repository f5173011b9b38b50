//! Capacity profiles: the number of wires of the channels at each height.

use std::fmt;

use super::{FatTreeError, MAX_LEVELS};

/// Maximum number of wires of a channel, 2^24.
pub const MAX_CAPACITY: u32 = 1 << 24;

/// Capacities by height, 0 to lg n.
pub(super) type Capacities = [u32; MAX_LEVELS as usize + 1];

/// A rule for the capacity of the channels above nodes of height h.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Capacity 1: a plain binary tree.
    Skinny,
    /// Capacity 2^h. If each processor sends and receives at most one message, no channel has a
    /// load factor above one.
    Doubling,
    /// Capacity 2^floor(h/2): the standard, area-universal fat-tree of section 5 (Fig. 1).
    Standard,
    /// Capacity 2^ceil(h/2): also area-universal. The proof of Theorem 9 is correct for this
    /// profile.
    Sibling,
    /// Capacity 2^(h/2), rounded: area-universal.
    Sqrt2,
    /// Capacity 4^floor(h/3): volume-universal.
    Volume,
    /// Capacity 4^(h/3), rounded: volume-universal.
    Cbrt4,
    /// Constant capacity at all heights.
    Constant(u32),
    /// Listed capacities from height 0 on. If the external channel is omitted, it has the capacity
    /// of the channels below it.
    Custom(Vec<u32>),
}

impl Profile {
    /// Syntax accepted by [`Profile::parse`].
    pub const ACCEPTED: &'static str = "skinny, capacity 1; doubling, 2^h at height h; standard, 2^floor(h/2); \
         sibling, 2^ceil(h/2); sqrt2, 2^(h/2) rounded; volume, 4^floor(h/3); cbrt4, 4^(h/3) rounded; constant:C; \
         custom:C0,C1,.. from the leaves up; capacities 1 to 16777216";

    /// Profiles without parameters, in display order.
    pub const NAMED: [Self; 7] =
        [Self::Skinny, Self::Doubling, Self::Standard, Self::Sibling, Self::Sqrt2, Self::Volume, Self::Cbrt4];

    /// Parses a profile such as `standard` or `custom:1,1,2`. Returns `None` if the text is not a
    /// profile.
    ///
    /// Only the constructor of a tree checks whether a custom profile fits.
    pub fn parse(text: &str) -> Option<Self> {
        let capacity = |text: &str| text.parse().ok().filter(|capacity| (1..=MAX_CAPACITY).contains(capacity));
        match text.split_once(':') {
            Some(("constant", text)) => capacity(text).map(Self::Constant),
            Some(("custom", list)) => {
                let heights = usize::from(MAX_LEVELS) + 1;
                let capacities: Option<Vec<_>> = list.split(',').take(heights + 1).map(capacity).collect();
                capacities.filter(|capacities| capacities.len() <= heights).map(Self::Custom)
            }
            Some(_) => None,
            None => Self::NAMED.into_iter().find(|profile| profile.id() == text),
        }
    }

    /// Returns the name of the profile in texts, without its parameters.
    pub fn id(&self) -> &'static str {
        match self {
            Self::Skinny => "skinny",
            Self::Doubling => "doubling",
            Self::Standard => "standard",
            Self::Sibling => "sibling",
            Self::Sqrt2 => "sqrt2",
            Self::Volume => "volume",
            Self::Cbrt4 => "cbrt4",
            Self::Constant(_) => "constant",
            Self::Custom(_) => "custom",
        }
    }

    /// Returns the capacities of a tree whose root has height `levels`.
    pub(super) fn capacities(&self, levels: u8) -> Result<Capacities, FatTreeError> {
        if let Self::Custom(list) = self {
            let (given, needed) = (list.len(), usize::from(levels));
            if given != needed && given != needed + 1 {
                return Err(FatTreeError::WrongCapacityCount { given: given as u32, levels });
            }
        }
        let mut capacities = [1; MAX_LEVELS as usize + 1];
        for height in 0..=levels {
            capacities[usize::from(height)] = check_capacity(height, u64::from(self.at(height)))?;
        }
        Ok(capacities)
    }

    /// Returns the capacity at height `height`, which is at most [`MAX_LEVELS`]; 0 if a custom
    /// profile is empty.
    fn at(&self, height: u8) -> u32 {
        match self {
            Self::Skinny => 1,
            Self::Doubling => 1 << height,
            Self::Standard => 1 << (height / 2),
            Self::Sibling => 1 << height.div_ceil(2),
            Self::Sqrt2 => libm::round(libm::sqrt(f64::from(1u32 << height))) as u32,
            Self::Volume => 1 << (height / 3 * 2),
            Self::Cbrt4 => libm::round(libm::cbrt((1u64 << (2 * height)) as f64)) as u32,
            Self::Constant(capacity) => *capacity,
            Self::Custom(list) => list.get(usize::from(height)).or(list.last()).copied().unwrap_or(0),
        }
    }
}

/// Returns `capacity` if it is valid for a channel.
pub(super) fn check_capacity(height: u8, capacity: u64) -> Result<u32, FatTreeError> {
    let fits = (1..=u64::from(MAX_CAPACITY)).contains(&capacity);
    if fits { Ok(capacity as u32) } else { Err(FatTreeError::Capacity { height, capacity }) }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())?;
        match self {
            Self::Constant(capacity) => write!(f, ":{capacity}"),
            Self::Custom(list) => list
                .iter()
                .zip([":"].into_iter().chain(std::iter::repeat(",")))
                .try_for_each(|(capacity, mark)| write!(f, "{mark}{capacity}")),
            _ => Ok(()),
        }
    }
}
