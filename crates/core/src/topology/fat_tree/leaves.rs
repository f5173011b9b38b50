//! Size and type of a fat-tree, without its capacities.

use std::fmt;

use super::{ChannelLocation, FatTree, FatTreeError, MAX_LEVELS, MAX_PROCESSORS, Profile, SecondNetwork, TreeChannels};

/// The processors of a fat-tree with any capacities, or of the second universal network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaves {
    levels: u8,
    second: bool,
}

impl Leaves {
    /// Returns the processors of a fat-tree; `None` if the number is not a power of two from 2 to
    /// 2^20.
    pub const fn new(processors: u64) -> Option<Self> {
        if !processors.is_power_of_two() || processors < 2 || processors > MAX_PROCESSORS as u64 {
            return None;
        }
        Some(Self { levels: processors.trailing_zeros() as u8, second: false })
    }

    /// Returns the processors of the second network; `None` if the number is not a power of four
    /// from 4 to 2^20.
    pub fn new_second(processors: u64) -> Option<Self> {
        let leaves =
            Self::new(processors).filter(|leaves| leaves.levels.is_multiple_of(2) && leaves.levels <= MAX_LEVELS)?;
        Some(Self { second: true, ..leaves })
    }

    /// Returns `processors` processors in a network of the same type; `None` if the number is
    /// invalid.
    pub fn resized(self, processors: u64) -> Option<Self> {
        if self.second { Self::new_second(processors) } else { Self::new(processors) }
    }

    /// Returns the number of processors, n.
    pub fn processors(self) -> u32 {
        1 << self.levels
    }

    /// Returns the number of address bits, lg n.
    pub fn levels(self) -> u8 {
        self.levels
    }

    /// Returns whether the network is the second network.
    pub fn is_second(self) -> bool {
        self.second
    }

    /// Returns the fat-tree with the capacities of `profile`; `None` for the second network.
    ///
    /// # Errors
    /// Returns an error if the profile does not fit.
    pub fn tree(self, profile: &Profile) -> Option<Result<FatTree, FatTreeError>> {
        (!self.second).then(|| FatTree::new(self.processors().into(), profile))
    }

    /// Returns whether there is a channel at location `place`, or a wire in the second network.
    /// Capacities have no influence.
    pub fn has_channel(self, place: ChannelLocation) -> bool {
        self.channels(&Profile::Skinny).is_ok_and(|channels| channels.channel_at(place).is_some())
    }

    /// Formats a channel as in experiment texts: `u2.3` leads up from node 3 of height 2, and
    /// `d2.3` down to that node. Nodes and heights count from 0.
    ///
    /// In the second network, the text includes the wire: `u2.3.1` is wire 1 of that channel.
    pub fn format_channel(self, place: ChannelLocation) -> String {
        let ChannelLocation { height, node, wire, down } = place;
        let way = if down { 'd' } else { 'u' };
        if self.second { format!("{way}{height}.{node}.{wire}") } else { format!("{way}{height}.{node}") }
    }

    /// Parses the format of [`Leaves::format_channel`]. Returns `None` if there is no such channel.
    pub fn parse_channel(self, text: &str) -> Option<ChannelLocation> {
        let down = text.starts_with('d');
        let mut numbers = text.strip_prefix(['u', 'd'])?.split('.').map(|number| number.parse::<u32>().ok());
        let (height, node) = (u8::try_from(numbers.next()??).ok()?, numbers.next()??);
        let wire = if self.second { numbers.next()?? } else { 0 };
        let place = ChannelLocation { height, node, wire, down };
        (numbers.next().is_none() && self.has_channel(place)).then_some(place)
    }

    /// Returns the channels of the network; in a fat-tree, with the capacities of `profile`.
    ///
    /// # Errors
    /// Returns an error if the profile does not fit.
    pub fn channels(self, profile: &Profile) -> Result<TreeChannels, FatTreeError> {
        match self.tree(profile) {
            Some(tree) => tree.map(FatTree::channels),
            None => SecondNetwork::new(self.processors().into()).map(SecondNetwork::channels),
        }
    }
}

impl fmt::Display for Leaves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", if self.second { "tree2" } else { "tree" }, self.processors())
    }
}
