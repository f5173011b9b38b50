//! Load factor of a message set (Greenberg & Leiserson section 2).

use crate::fault::LiveWires;
use crate::topology::fat_tree::{ChannelLocation, TreeChannels};

/// Load factor of a message set: the largest ratio of the messages that must cross a channel to its
/// wires.
///
/// The load factor is a lower bound on the delivery cycles of any routing. By Lemma 1 no other cut
/// gives a larger bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadFactor {
    load: u32,
    wires: u32,
    channel: Option<ChannelLocation>,
}

impl LoadFactor {
    /// Computes the load factor of messages with the given ends.
    ///
    /// Destinations beyond the processors are outside the root. In the second network a channel
    /// counts as a whole, with all its wires. Cost: a step for each message and each channel on its
    /// path.
    pub fn new(channels: &TreeChannels, ends: &[[u32; 2]]) -> Self {
        Self::with_capacities(channels, ends, |place| channels.wires_at(place.height))
    }

    /// Computes the load factor of the deliverable messages on the live wires.
    pub fn for_live_wires(live: &LiveWires, ends: &[[u32; 2]]) -> Self {
        let channels = live.channels();
        let delivered: Vec<_> = ends.iter().copied().filter(|&[from, to]| live.is_deliverable(from, to)).collect();
        Self::with_capacities(channels, &delivered, |place| {
            let wires = 0..if channels.wire_bits() > 0 { channels.wires_at(place.height) } else { 1 };
            wires
                .filter_map(|wire| channels.channel_at(ChannelLocation { wire, ..place }))
                .map(|wire| live.capacity(wire))
                .sum()
        })
    }

    fn with_capacities(channels: &TreeChannels, ends: &[[u32; 2]], wires: impl Fn(ChannelLocation) -> u32) -> Self {
        let mut most = Self { load: 0, wires: 1, channel: None };
        for height in 0..=channels.levels() {
            for down in [false, true] {
                let mut loads = vec![0u32; channels.nodes_at(height) as usize];
                for &[from, to] in ends {
                    let apex = channels.apex(from, to);
                    let leaves = down && apex > channels.levels();
                    if apex > height && !leaves {
                        let node = channels.node_above(height, if down { to } else { from });
                        // A source beyond the processors has no channel.
                        loads.get_mut(node as usize).into_iter().for_each(|load| *load += 1);
                    }
                }
                for (node, load) in (0..).zip(loads).filter(|&(_, load)| load > 0) {
                    let place = ChannelLocation { height, node, wire: 0, down };
                    most = most.max(Self { load, wires: wires(place), channel: Some(place) });
                }
            }
        }
        most
    }

    /// Returns the larger load factor, or `self` if both are equal, by exact comparison.
    pub(super) fn max(self, other: Self) -> Self {
        let product = |load: u32, wires: u32| u64::from(load) * u64::from(wires);
        if product(other.load, self.wires) > product(self.load, other.wires) { other } else { self }
    }

    /// Returns lambda, in messages per wire.
    pub fn value(&self) -> f64 {
        f64::from(self.load) / f64::from(self.wires)
    }

    /// Returns the minimum number of delivery cycles: lambda rounded up, or 0 if no message needs a
    /// channel.
    pub fn cycles(&self) -> u32 {
        self.load.div_ceil(self.wires.max(1))
    }

    /// Returns the first channel that attains the load factor: the lowest, up before down, then
    /// leftmost. `None` if no message needs a channel.
    pub fn channel(&self) -> Option<ChannelLocation> {
        self.channel
    }

    /// Returns the number of messages that must cross [`LoadFactor::channel`].
    pub fn load(&self) -> u32 {
        self.load
    }

    /// Returns the number of wires of [`LoadFactor::channel`].
    pub fn wires(&self) -> u32 {
        self.wires
    }
}
