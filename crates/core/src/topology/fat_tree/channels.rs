//! The concentrators of a fat-tree, numbered: what load, faults and delivery cycles are counted by.

use super::capacity::Capacities;

/// A one-way channel of a fat-tree, or a single wire of the second network; numbers are those of [`TreeChannels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeChannel(pub u32);

impl TreeChannel {
    /// Whether it leads away from the root.
    #[inline]
    pub const fn is_down(self) -> bool {
        self.0 & 1 == 1
    }

    /// The channel between the same nodes the other way.
    #[inline]
    pub const fn opposite(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// Where a channel is. They are ordered as [`TreeChannels::all`] has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChannelPlace {
    /// The height of the node that it is above, from 0 at the processors.
    pub height: u8,
    /// Which of the nodes of this height, from the left.
    pub node: u32,
    /// Which of the channel's wires: of the second network, whose wires are told apart; 0 in fat-trees.
    pub wire: u32,
    /// Whether it leads away from the root.
    pub down: bool,
}

/// How the channels of a fat-tree, or the wires of the second network, are numbered: 2v up and 2v+1 down, where at height h
/// v counts from n/2^h on. In a binary tree v is the node's number with the root 1 and the children of v 2v and 2v+1, and
/// the 4n-2 channels are the numbers 2 to 4n-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeChannels {
    levels: u8,
    /// The bits of an address that a level decides: 1, or 2 where nodes have four children and wires are told apart.
    digit: u8,
    capacities: Capacities,
}

impl TreeChannels {
    /// Those of a fat-tree.
    pub(super) fn binary(levels: u8, capacities: Capacities) -> Self {
        Self { levels, digit: 1, capacities }
    }

    /// Those of the second network: single wires, 2^h in each channel of height h.
    pub(super) fn quaternary(levels: u8) -> Self {
        Self { levels, digit: 2, capacities: [1; _] }
    }

    /// The number of processors, n.
    #[inline]
    pub fn processors(&self) -> u32 {
        1 << (self.levels * self.digit)
    }

    /// The height of the root.
    #[inline]
    pub fn levels(&self) -> u8 {
        self.levels
    }

    /// How many bits a message draws to choose its wires, each time it is sent: 0 in fat-trees, where wires are not told
    /// apart, else the height of the root.
    #[inline]
    pub fn wire_bits(&self) -> u8 {
        if self.digit == 1 { 0 } else { self.levels }
    }

    /// Whether the root has channels that lead out.
    pub fn has_external(&self) -> bool {
        self.digit == 1
    }

    /// How many messages one of these channels lets pass in a delivery cycle; 0 above the root.
    #[inline]
    pub fn capacity(&self, height: u8) -> u32 {
        if height <= self.levels { self.capacities[usize::from(height)] } else { 0 }
    }

    /// The same of the heights 0 to that of the root.
    #[inline]
    pub fn capacities(&self) -> &[u32] {
        &self.capacities[..=usize::from(self.levels)]
    }

    /// The wires of a whole channel of this height, 0 to that of the root; those together that are told apart.
    pub fn wires_at(&self, height: u8) -> u32 {
        if self.digit == 1 { self.capacity(height) } else { 1 << height }
    }

    /// The number of nodes of this height.
    pub fn nodes_at(&self, height: u8) -> u32 {
        self.processors() >> (height * self.digit)
    }

    /// The number of wires of all channels, both ways.
    pub fn wires(&self) -> u64 {
        (0..=self.levels).map(|height| 2 * u64::from(self.nodes_at(height)) * u64::from(self.wires_at(height))).sum()
    }

    /// A table by channel number needs so much room: 4n.
    #[inline]
    pub fn table(&self) -> usize {
        4 * self.processors() as usize
    }

    /// The node of this height above a processor, from the left.
    #[inline]
    pub fn node_above(&self, height: u8, processor: u32) -> u32 {
        processor >> (self.digit * height)
    }

    /// The height at which a message turns: that of the lowest common ancestor of two processors, 0 if they are the same.
    /// Of a destination beyond the processors it is one above the root.
    #[inline(always)]
    pub fn apex(&self, from: u32, to: u32) -> u8 {
        let bits = 32 - (from ^ to).leading_zeros() as u8;
        let apex = if self.digit == 1 { bits } else { bits.div_ceil(2) };
        apex.min(self.levels + 1)
    }

    /// The channel up from the node of this height, 0 to that of the root, above the processor `from`. `bits` are the
    /// message's [`TreeChannels::wire_bits`]: the first `height` of them say which wire; 0 in fat-trees.
    #[inline]
    pub fn up(&self, height: u8, from: u32, bits: u32) -> TreeChannel {
        TreeChannel(2 * self.number(height, from, bits))
    }

    /// The channel down to the node of this height above `to`, likewise.
    #[inline]
    pub fn down(&self, height: u8, to: u32, bits: u32) -> TreeChannel {
        TreeChannel(2 * self.number(height, to, bits) + 1)
    }

    /// The number v of the channels above `end` at this height, likewise.
    #[inline]
    pub fn number(&self, height: u8, end: u32, bits: u32) -> u32 {
        let node = self.node_above(height, end) << ((self.digit - 1) * height);
        self.first(height) + node + (bits >> (self.levels - height))
    }

    /// The number v of the first one of this height, which is also how many there are.
    #[inline]
    fn first(&self, height: u8) -> u32 {
        self.processors() >> height
    }

    /// Where `channel` is; `None` if it is none of these.
    pub fn place(&self, channel: TreeChannel) -> Option<ChannelPlace> {
        let number = channel.0 / 2;
        let bits = u8::try_from(number.checked_ilog2()?).ok()?;
        let height = (self.levels * self.digit).checked_sub(bits).filter(|&height| height <= self.levels)?;
        let (index, wires) = (number - self.first(height), (self.digit - 1) * height);
        Some(ChannelPlace { height, node: index >> wires, wire: index & ((1 << wires) - 1), down: channel.is_down() })
    }

    /// The channel at this place; `None` if there is none.
    pub fn at(&self, place: ChannelPlace) -> Option<TreeChannel> {
        let ChannelPlace { height, node, wire, down } = place;
        let wires = if height <= self.levels { 1u32 << ((self.digit - 1) * height) } else { return None };
        let fits = node < self.nodes_at(height) && wire < wires;
        let number = || self.first(height) + node * wires + wire;
        fits.then(|| TreeChannel(2 * number() + u32::from(down)))
    }

    /// The number of the first wire of the channel at this place, all wires counted in the order of [`TreeChannels::all`]. `None`
    /// if there is no such channel.
    pub fn first_wire(&self, place: ChannelPlace) -> Option<u64> {
        let number = self.at(place)?.0 - 2 * self.first(place.height);
        let all = |height| 2 * u64::from(self.first(height)) * u64::from(self.capacity(height));
        let below: u64 = (0..place.height).map(all).sum();
        Some(below + u64::from(number) * u64::from(self.capacity(place.height)))
    }

    /// All of them, from the leaves to the root.
    pub fn all(&self) -> impl Iterator<Item = TreeChannel> + use<> {
        let (levels, leaves) = (self.levels, self.processors());
        (0..=levels).flat_map(move |height| 2 * (leaves >> height)..4 * (leaves >> height)).map(TreeChannel)
    }

    /// The channels of a message's path; for a fat-tree `bits` is 0. Nothing for a message from a processor to itself; a
    /// destination beyond the processors is outside of the root.
    pub fn path(&self, from: u32, to: u32, bits: u32) -> impl Iterator<Item = TreeChannel> {
        let apex = self.apex(from, to);
        let down = if apex > self.levels { 0 } else { apex };
        let up = (0..apex).map(move |height| self.up(height, from, bits));
        up.chain((0..down).rev().map(move |height| self.down(height, to, bits)))
    }
}
