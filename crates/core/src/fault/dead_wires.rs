//! Dead wires of a fat-tree, which reduce the capacities of its channels.

use super::{FaultModel, FaultSpec};
use crate::random::{Key, probability_threshold};
use crate::topology::fat_tree::{ChannelLocation, TreeChannel, TreeChannels};

/// Number of live wires of every channel for a whole run.
///
/// Wire faults extend the paper: a dead wire reduces the capacity of its channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveWires {
    channels: TreeChannels,
    live: Vec<u32>,
    dead: u64,
}

impl LiveWires {
    /// Maximum number of wires that can be sampled, 2^28.
    pub const MAX_WIRES: u64 = 1 << 28;

    /// Samples dead wires: each wire is dead with probability `p`, 0 to 1, independently.
    ///
    /// With the same key, every wire that is dead at a smaller `p` is also dead at a larger one.
    /// Returns `None` if `p` is out of range or there are more than [`LiveWires::MAX_WIRES`] wires.
    /// Cost: one hash per wire.
    pub fn sample(channels: TreeChannels, p: f64, key: Key) -> Option<Self> {
        Self::from_spec(channels, &FaultSpec { model: FaultModel::Wires(p), ..FaultSpec::NONE }, key)
    }

    /// Samples the random model of `faults` and applies the manual overrides.
    ///
    /// Returns `None` in the same cases as [`LiveWires::sample`]. Cost: one hash per wire, if the
    /// model is random.
    pub fn from_spec(channels: TreeChannels, faults: &FaultSpec, key: Key) -> Option<Self> {
        let draw = WireSampler::new(&channels, faults, key)?;
        let mut number = 0;
        Some(Self::from_fn(channels, |place, wires| {
            let first = number;
            number += u64::from(wires);
            let (dead, others_live) = faults.wires_override(place);
            let rest = first + u64::from(dead.min(wires))..number;
            if others_live { (rest.end - rest.start) as u32 } else { draw.count_live(rest) }
        }))
    }

    /// Returns the index of the first live wire of a channel. In the second network, a channel is
    /// one wire, and the index is 0.
    ///
    /// Returns `None` if all wires of the channel are dead, if there is no such channel, or in the
    /// cases of [`LiveWires::from_spec`]. Cost: one hash per wire of the channel.
    pub fn first_live(channels: &TreeChannels, faults: &FaultSpec, key: Key, channel: ChannelLocation) -> Option<u32> {
        let draw = WireSampler::new(channels, faults, key)?;
        let (first, wires) = (channels.first_wire(channel)?, channels.capacity(channel.height));
        let (dead, others_live) = faults.wires_override(channel);
        (dead..wires).find(|&wire| others_live || draw.is_live(first + u64::from(wire)))
    }

    /// Makes exactly the listed wires dead; a channel is listed once for each of its dead wires.
    /// Returns `None` if a listed channel does not exist.
    pub fn with_dead(channels: TreeChannels, dead: &[TreeChannel]) -> Option<Self> {
        let mut wires = Self::from_fn(channels, |_, wires| wires);
        for &channel in dead {
            channels.location(channel)?;
            let live = &mut wires.live[channel.0 as usize];
            wires.dead += u64::from(*live > 0);
            *live = live.saturating_sub(1);
        }
        Some(wires)
    }

    fn from_fn(channels: TreeChannels, mut live_of: impl FnMut(ChannelLocation, u32) -> u32) -> Self {
        let mut wires = Self { channels, live: vec![0; channels.table_size()], dead: 0 };
        for channel in channels.iter() {
            let Some(place) = channels.location(channel) else { continue };
            let whole = channels.capacity(place.height);
            let live = live_of(place, whole);
            wires.live[channel.0 as usize] = live;
            wires.dead += u64::from(whole - live);
        }
        wires
    }

    /// Returns the channels of the network.
    pub fn channels(&self) -> &TreeChannels {
        &self.channels
    }

    /// Returns the number of dead wires.
    pub fn dead_count(&self) -> u64 {
        self.dead
    }

    /// Returns the number of live wires by channel number; 0 for numbers without a channel.
    pub fn live(&self) -> &[u32] {
        &self.live
    }

    /// Returns the number of live wires of `channel`; 0 if there is no such channel.
    pub fn capacity(&self, channel: TreeChannel) -> u32 {
        self.live.get(channel.0 as usize).copied().unwrap_or(0)
    }

    /// Returns whether a message can be delivered: whether every channel of its path has a live
    /// wire.
    ///
    /// In the second network, the random bits of the message select the path, and one such path
    /// suffices. Cost: the height of the tree; in the second network, up to the square root of n, in
    /// space up to n^(2/3).
    pub fn is_deliverable(&self, from: u32, to: u32) -> bool {
        if self.channels.wire_bits() == 0 {
            return self.channels.path(from, to, 0).all(|channel| self.capacity(channel) > 0);
        }
        self.has_path(from, to, 0, 0)
    }

    /// Returns whether live wires lead from `height` to the apex and down again. `bits` are the
    /// random bits of the levels below `height`.
    fn has_path(&self, from: u32, to: u32, height: u8, bits: u32) -> bool {
        let channels = &self.channels;
        if height >= channels.apex(from, to) {
            return true;
        }
        let live = |channel| self.capacity(channel) > 0;
        let on = |bits| {
            let pair = live(channels.up(height, from, bits)) && live(channels.down(height, to, bits));
            pair && self.has_path(from, to, height + 1, bits)
        };
        // Each level selects one digit of the wire; a leaf has only one wire.
        let choices = if height == 0 { 1 } else { 1 << channels.choice_bits() };
        (0..choices).any(|choice| on(bits | choice << (channels.choice_bits() * (channels.levels() - height))))
    }
}

/// Sampler of live wires. Wires are numbered from the leaves to the root.
struct WireSampler {
    threshold: u64,
    key: Key,
}

impl WireSampler {
    fn new(channels: &TreeChannels, faults: &FaultSpec, key: Key) -> Option<Self> {
        let FaultModel::Wires(p) = faults.model else { return Some(Self { threshold: 0, key }) };
        let drawable = (0.0..=1.0).contains(&p) && channels.wires() <= LiveWires::MAX_WIRES;
        drawable.then_some(Self { threshold: probability_threshold(p), key })
    }

    fn is_live(&self, wire: u64) -> bool {
        self.threshold == 0 || self.key.hash_u53(wire) >= self.threshold
    }

    /// Returns the number of live wires in the range `wires`.
    fn count_live(&self, wires: std::ops::Range<u64>) -> u32 {
        match self.threshold {
            0 => (wires.end - wires.start) as u32,
            _ => wires.filter(|&wire| self.is_live(wire)).count() as u32,
        }
    }
}
