//! Dead wires of a fat-tree: its channels are what is left of them.

use super::{FaultModel, FaultSpec};
use crate::random::{Key, threshold};
use crate::topology::fat_tree::{ChannelPlace, TreeChannel, TreeChannels};

/// The live wires of every channel, for a whole run. It goes beyond the paper: a channel of many wires is only thinner for a
/// dead one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveWires {
    channels: TreeChannels,
    live: Vec<u32>,
    dead: u64,
}

impl LiveWires {
    /// The most wires that are drawn, 2^28.
    pub const MAX_WIRES: u64 = 1 << 28;

    /// Every wire dead with probability `p`, 0 to 1, independently. Of one key those dead at a smaller `p` stay dead at a
    /// larger one. `None` if `p` is out of range or there are more than [`LiveWires::MAX_WIRES`]. Cost: a draw a wire.
    pub fn drawn(channels: TreeChannels, p: f64, key: Key) -> Option<Self> {
        Self::of(channels, &FaultSpec { model: FaultModel::Wires(p), ..FaultSpec::NONE }, key)
    }

    /// The wires that `faults` leave: those that its model draws are dead, as [`LiveWires::drawn`] says, and those that are named.
    /// `None` as there. Cost: a draw a wire, if any are drawn.
    pub fn of(channels: TreeChannels, faults: &FaultSpec, key: Key) -> Option<Self> {
        let draw = Draw::of(&channels, faults, key)?;
        let mut number = 0;
        Some(Self::by(channels, |place, wires| {
            let first = number;
            number += u64::from(wires);
            let (dead, mended) = faults.wires_edit(place);
            let rest = first + u64::from(dead.min(wires))..number;
            if mended { (rest.end - rest.start) as u32 } else { draw.live(rest) }
        }))
    }

    /// The place of the first live wire among those of a channel, which is 0 in the second network, where a channel is a wire.
    /// `None` if all of them are dead, or as [`LiveWires::of`]. Cost: a draw a wire of it.
    pub fn first_live(channels: &TreeChannels, faults: &FaultSpec, key: Key, channel: ChannelPlace) -> Option<u32> {
        let draw = Draw::of(channels, faults, key)?;
        let (first, wires) = (channels.first_wire(channel)?, channels.capacity(channel.height));
        let (dead, mended) = faults.wires_edit(channel);
        (dead..wires).find(|&wire| mended || draw.is_live(first + u64::from(wire)))
    }

    /// Exactly these wires dead, each named by its channel as often as wires of it are dead. `None` if there is no such
    /// channel.
    pub fn without(channels: TreeChannels, dead: &[TreeChannel]) -> Option<Self> {
        let mut wires = Self::by(channels, |_, wires| wires);
        for &channel in dead {
            channels.place(channel)?;
            let live = &mut wires.live[channel.0 as usize];
            wires.dead += u64::from(*live > 0);
            *live = live.saturating_sub(1);
        }
        Some(wires)
    }

    fn by(channels: TreeChannels, mut live_of: impl FnMut(ChannelPlace, u32) -> u32) -> Self {
        let mut wires = Self { channels, live: vec![0; channels.table()], dead: 0 };
        for channel in channels.all() {
            let Some(place) = channels.place(channel) else { continue };
            let whole = channels.capacity(place.height);
            let live = live_of(place, whole);
            wires.live[channel.0 as usize] = live;
            wires.dead += u64::from(whole - live);
        }
        wires
    }

    /// The channels whose wires these are.
    pub fn channels(&self) -> &TreeChannels {
        &self.channels
    }

    /// The number of dead wires.
    pub fn dead(&self) -> u64 {
        self.dead
    }

    /// The live wires by channel number; 0 where there is no channel.
    pub fn live(&self) -> &[u32] {
        &self.live
    }

    /// The live wires of `channel`; 0 if there is no such channel.
    pub fn capacity(&self, channel: TreeChannel) -> u32 {
        self.live.get(channel.0 as usize).copied().unwrap_or(0)
    }

    /// Whether a message can be delivered: whether every channel of its path has a live wire, in the second network for some
    /// choice of its bits. Cost: the height of the tree; in the second network up to the square root of n.
    pub fn is_deliverable(&self, from: u32, to: u32) -> bool {
        if self.channels.wire_bits() == 0 {
            return self.channels.path(from, to, 0).all(|channel| self.capacity(channel) > 0);
        }
        self.has_way(from, to, 0, 0)
    }

    /// Whether wires of these first bits, those of the levels below `height`, lead on to the apex and down again.
    fn has_way(&self, from: u32, to: u32, height: u8, bits: u32) -> bool {
        let channels = &self.channels;
        if height >= channels.apex(from, to) {
            return true;
        }
        let live = |channel| self.capacity(channel) > 0;
        let on = |bits| {
            let pair = live(channels.up(height, from, bits)) && live(channels.down(height, to, bits));
            pair && self.has_way(from, to, height + 1, bits)
        };
        // The bit that this level decides; at the leaves there is one wire.
        height == 0 && on(bits) || height > 0 && (on(bits) || on(bits | 1 << (channels.levels() - height)))
    }
}

/// Which wires, numbered from the leaves to the root, a model draws to be live.
struct Draw {
    threshold: u64,
    key: Key,
}

impl Draw {
    fn of(channels: &TreeChannels, faults: &FaultSpec, key: Key) -> Option<Self> {
        let FaultModel::Wires(p) = faults.model else { return Some(Self { threshold: 0, key }) };
        let drawable = (0.0..=1.0).contains(&p) && channels.wires() <= LiveWires::MAX_WIRES;
        drawable.then_some(Self { threshold: threshold(p), key })
    }

    fn is_live(&self, wire: u64) -> bool {
        self.threshold == 0 || self.key.fraction_at(wire) >= self.threshold
    }

    /// How many of these are live.
    fn live(&self, wires: std::ops::Range<u64>) -> u32 {
        match self.threshold {
            0 => (wires.end - wires.start) as u32,
            _ => wires.filter(|&wire| self.is_live(wire)).count() as u32,
        }
    }
}
