//! Numbering of the channels of a fat-tree, which indexes tables of loads, faults and delivery
//! cycles.

use super::capacity::Capacities;

/// Number of a one-way channel of a fat-tree, or of a single wire of the second network, in
/// [`TreeChannels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeChannel(pub u32);

impl TreeChannel {
    /// Returns whether the channel leads away from the root.
    #[inline]
    pub const fn is_down(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns the channel between the same nodes in the opposite direction.
    #[inline]
    pub const fn opposite(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// Location of a channel. Locations are ordered like the channels in [`TreeChannels::iter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChannelLocation {
    /// Height of the node below the channel, from 0 at the processors.
    pub height: u8,
    /// Index of the node among the nodes of the same height, from the left.
    pub node: u32,
    /// Index of the wire in its channel, in the second network; 0 in fat-trees, whose wires are not
    /// distinguished.
    pub wire: u32,
    /// Direction flag: true if the channel leads away from the root.
    pub down: bool,
}

/// Numbering of the channels of a fat-tree, or of the wires of the second network: 2v up and 2v+1
/// down.
///
/// At height h, v starts at n/2^h. In a binary tree, v is the number of the node: the root is 1,
/// and the children of v are 2v and 2v+1. The 4n-2 channels have the numbers 2 to 4n-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeChannels {
    levels: u8,
    /// Number of address bits that a level decides: 1 in fat-trees; 2 in the second network, where
    /// nodes have four children and wires are distinguished; 3 in the second network in space.
    digit_bits: u8,
    capacities: Capacities,
}

impl TreeChannels {
    /// Returns the channels of a fat-tree.
    pub(super) fn binary(levels: u8, capacities: Capacities) -> Self {
        Self { levels, digit_bits: 1, capacities }
    }

    /// Returns the channels of the second network in `dimensions` dimensions, 2 or 3: single wires,
    /// 2^h in each bundle of height h in the plane, 4^h in space.
    pub(super) fn single_wires(levels: u8, dimensions: u8) -> Self {
        Self { levels, digit_bits: dimensions, capacities: [1; _] }
    }

    /// Returns the number of processors, n.
    #[inline]
    pub fn processors(&self) -> u32 {
        1 << (self.levels * self.digit_bits)
    }

    /// Returns the height of the root.
    #[inline]
    pub fn levels(&self) -> u8 {
        self.levels
    }

    /// Returns the number of random bits with which a message selects its wires each time it is
    /// sent.
    ///
    /// The number is the height of the root in the plane, and twice the height in space; 0 in
    /// fat-trees, whose wires are not distinguished.
    #[inline]
    pub fn wire_bits(&self) -> u8 {
        self.choice_bits() * self.levels
    }

    /// Returns the number of random bits with which a message selects its wire at one level: the
    /// binary logarithm of the parents of a switch.
    #[inline]
    pub fn choice_bits(&self) -> u8 {
        self.digit_bits - 1
    }

    /// Returns the number of children of a node: 2 in fat-trees, 4 in the second network in the
    /// plane, and 8 in space.
    #[inline]
    pub fn children(&self) -> u32 {
        1 << self.digit_bits
    }

    /// Returns whether the root has external channels.
    pub fn has_external_channels(&self) -> bool {
        self.digit_bits == 1
    }

    /// Returns the number of messages that a channel of height `height` transmits in a delivery
    /// cycle; 0 above the root.
    #[inline]
    pub fn capacity(&self, height: u8) -> u32 {
        if height <= self.levels { self.capacities[usize::from(height)] } else { 0 }
    }

    /// Returns the capacities by height, from 0 to that of the root.
    #[inline]
    pub fn capacities(&self) -> &[u32] {
        &self.capacities[..=usize::from(self.levels)]
    }

    /// Returns the number of wires in one direction between a node of height `height`, at most that
    /// of the root, and its parent. In the second network, all wires of the bundle count.
    pub fn wires_at(&self, height: u8) -> u32 {
        if self.digit_bits == 1 { self.capacity(height) } else { 1 << (self.choice_bits() * height) }
    }

    /// Returns the number of nodes of height `height`.
    pub fn nodes_at(&self, height: u8) -> u32 {
        self.processors() >> (height * self.digit_bits)
    }

    /// Returns the number of wires of all channels, in both directions.
    pub fn wires(&self) -> u64 {
        (0..=self.levels).map(|height| 2 * u64::from(self.nodes_at(height)) * u64::from(self.wires_at(height))).sum()
    }

    /// Returns the size of a table that is indexed by channel number: 4n.
    #[inline]
    pub fn table_size(&self) -> usize {
        4 * self.processors() as usize
    }

    /// Returns the node of height `height` above a processor, as an index from the left.
    #[inline]
    pub fn node_above(&self, height: u8, processor: u32) -> u32 {
        processor >> (self.digit_bits * height)
    }

    /// Returns the height at which a message turns: that of the lowest common ancestor of two
    /// processors, 0 if they are equal.
    ///
    /// For a destination beyond the processors, the height is one above the root.
    #[inline(always)]
    pub fn apex(&self, from: u32, to: u32) -> u8 {
        let bits = 32 - (from ^ to).leading_zeros() as u8;
        let apex = bits.div_ceil(self.digit_bits);
        apex.min(self.levels + 1)
    }

    /// Returns the channel up from the node of height `height`, at most that of the root, above the
    /// processor `from`.
    ///
    /// `bits` are the [`TreeChannels::wire_bits`] of the message. The first bits, those of `height`
    /// levels, select the wire; `bits` is 0 in fat-trees.
    #[inline]
    pub fn up(&self, height: u8, from: u32, bits: u32) -> TreeChannel {
        TreeChannel(2 * self.number_above(height, from, bits))
    }

    /// Returns the channel down to the node of height `height` above `to`; `bits` as in
    /// [`TreeChannels::up`].
    #[inline]
    pub fn down(&self, height: u8, to: u32, bits: u32) -> TreeChannel {
        TreeChannel(2 * self.number_above(height, to, bits) + 1)
    }

    /// Returns the number v of the channels above `end` at height `height`; `bits` as in
    /// [`TreeChannels::up`].
    #[inline]
    pub fn number_above(&self, height: u8, end: u32, bits: u32) -> u32 {
        let node = self.node_above(height, end) << (self.choice_bits() * height);
        self.first_number(height) + node + (bits >> (self.choice_bits() * (self.levels - height)))
    }

    /// Returns the first number v of height `height`, which is also the number of channels in one
    /// direction.
    #[inline]
    fn first_number(&self, height: u8) -> u32 {
        self.processors() >> height
    }

    /// Returns the location of `channel`; `None` if there is no such channel.
    pub fn location(&self, channel: TreeChannel) -> Option<ChannelLocation> {
        let number = channel.0 / 2;
        let bits = u8::try_from(number.checked_ilog2()?).ok()?;
        let height = (self.levels * self.digit_bits).checked_sub(bits).filter(|&height| height <= self.levels)?;
        let (index, wires) = (number - self.first_number(height), self.choice_bits() * height);
        Some(ChannelLocation {
            height,
            node: index >> wires,
            wire: index & ((1 << wires) - 1),
            down: channel.is_down(),
        })
    }

    /// Returns the channel at location `place`; `None` if there is no such channel.
    pub fn channel_at(&self, place: ChannelLocation) -> Option<TreeChannel> {
        let ChannelLocation { height, node, wire, down } = place;
        let wires = if height <= self.levels { 1u32 << (self.choice_bits() * height) } else { return None };
        let fits = node < self.nodes_at(height) && wire < wires;
        let number = || self.first_number(height) + node * wires + wire;
        fits.then(|| TreeChannel(2 * number() + u32::from(down)))
    }

    /// Returns the number of the first wire of the channel at location `place`; `None` if there is
    /// no such channel.
    ///
    /// All wires are numbered in the order of [`TreeChannels::iter`].
    pub fn first_wire(&self, place: ChannelLocation) -> Option<u64> {
        let number = self.channel_at(place)?.0 - 2 * self.first_number(place.height);
        let all = |height| 2 * u64::from(self.first_number(height)) * u64::from(self.capacity(height));
        let below: u64 = (0..place.height).map(all).sum();
        Some(below + u64::from(number) * u64::from(self.capacity(place.height)))
    }

    /// Returns all channels, from the leaves to the root.
    pub fn iter(&self) -> impl Iterator<Item = TreeChannel> + use<> {
        let (levels, leaves) = (self.levels, self.processors());
        (0..=levels).flat_map(move |height| 2 * (leaves >> height)..4 * (leaves >> height)).map(TreeChannel)
    }

    /// Returns the channels on the path of a message; empty if source and destination are the same.
    ///
    /// In a fat-tree, `bits` is 0. The path to a destination beyond the processors ends in the
    /// external channel of the root.
    pub fn path(&self, from: u32, to: u32, bits: u32) -> impl Iterator<Item = TreeChannel> {
        let apex = self.apex(from, to);
        let down = if apex > self.levels { 0 } else { apex };
        let up = (0..apex).map(move |height| self.up(height, from, bits));
        up.chain((0..down).rev().map(move |height| self.down(height, to, bits)))
    }
}
