//! Size and type of a fat-tree, without its capacities.

use std::fmt;

use super::{ChannelLocation, FatTree, FatTreeError, MAX_PROCESSORS, Profile, SecondNetwork, TreeChannels};

/// The processors of a fat-tree with any capacities, or of the second universal network in the plane
/// or in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaves {
    levels: u8,
    /// Number of dimensions of the second network; `None` for a fat-tree.
    dimensions: Option<u8>,
}

impl Leaves {
    /// Returns the processors of a fat-tree; `None` if the number is not a power of two from 2 to
    /// 2^20.
    pub const fn new(processors: u64) -> Option<Self> {
        if !processors.is_power_of_two() || processors < 2 || processors > MAX_PROCESSORS as u64 {
            return None;
        }
        Some(Self { levels: processors.trailing_zeros() as u8, dimensions: None })
    }

    /// Returns the processors of the second network; `None` if the number is not a power of four
    /// from 4 to 2^20.
    pub fn new_second(processors: u64) -> Option<Self> {
        SecondNetwork::new(processors).ok().map(Self::from)
    }

    /// Returns the processors of the second network in space; `None` if the number is not a power
    /// of eight from 8 to 8^6.
    pub fn new_second_in_space(processors: u64) -> Option<Self> {
        SecondNetwork::new_in_space(processors).ok().map(Self::from)
    }

    /// Returns `processors` processors in a network of the same type; `None` if the number is
    /// invalid.
    pub fn resized(self, processors: u64) -> Option<Self> {
        match self.dimensions {
            None => Self::new(processors),
            Some(3) => Self::new_second_in_space(processors),
            Some(_) => Self::new_second(processors),
        }
    }

    /// Returns the number of processors, n.
    pub fn processors(self) -> u32 {
        1 << self.levels
    }

    /// Returns the number of address bits, lg n.
    pub fn levels(self) -> u8 {
        self.levels
    }

    /// Returns whether the network is the second network, in the plane or in space.
    pub fn is_second(self) -> bool {
        self.dimensions.is_some()
    }

    /// Returns the number of dimensions of the second network, 2 or 3; `None` for a fat-tree.
    pub fn dimensions(self) -> Option<u8> {
        self.dimensions
    }

    /// Returns the second network; `None` for a fat-tree.
    pub fn second_network(self) -> Option<SecondNetwork> {
        let processors = self.processors().into();
        match self.dimensions? {
            3 => SecondNetwork::new_in_space(processors).ok(),
            _ => SecondNetwork::new(processors).ok(),
        }
    }

    /// Returns the fat-tree with the capacities of `profile`; `None` for the second network.
    ///
    /// # Errors
    /// Returns an error if the profile does not fit.
    pub fn tree(self, profile: &Profile) -> Option<Result<FatTree, FatTreeError>> {
        (!self.is_second()).then(|| FatTree::new(self.processors().into(), profile))
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
        if self.is_second() { format!("{way}{height}.{node}.{wire}") } else { format!("{way}{height}.{node}") }
    }

    /// Parses the format of [`Leaves::format_channel`]. Returns `None` if there is no such channel.
    pub fn parse_channel(self, text: &str) -> Option<ChannelLocation> {
        let down = text.starts_with('d');
        let mut numbers = text.strip_prefix(['u', 'd'])?.split('.').map(|number| number.parse::<u32>().ok());
        let (height, node) = (u8::try_from(numbers.next()??).ok()?, numbers.next()??);
        let wire = if self.is_second() { numbers.next()?? } else { 0 };
        let place = ChannelLocation { height, node, wire, down };
        (numbers.next().is_none() && self.has_channel(place)).then_some(place)
    }

    /// Returns the channels of the network; in a fat-tree, with the capacities of `profile`.
    ///
    /// # Errors
    /// Returns an error if the profile does not fit.
    pub fn channels(self, profile: &Profile) -> Result<TreeChannels, FatTreeError> {
        match self.second_network() {
            Some(network) => Ok(network.channels()),
            None => FatTree::new(self.processors().into(), profile).map(FatTree::channels),
        }
    }
}

impl From<SecondNetwork> for Leaves {
    fn from(network: SecondNetwork) -> Self {
        let dimensions = network.dimensions();
        Self { levels: dimensions * network.levels(), dimensions: Some(dimensions) }
    }
}

impl fmt::Display for Leaves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.dimensions {
            None => "tree",
            Some(3) => "tree2-3d",
            Some(_) => "tree2",
        };
        write!(f, "{kind}:{}", self.processors())
    }
}
