//! Loads of the channels and processors of a fat-tree: counts for one algorithm, in its current
//! cycle.

use faultlab_core::switching::delivery::{CycleResult, DeliveryOutcome, DeliveryRun};
use faultlab_core::topology::fat_tree::{ChannelLocation, TreeChannel, TreeChannels};
use faultlab_experiment::{DeliveryTrial, DeliveryWatch, WatchedDelivery};

/// Counts of a channel; on the second network, of all its wires together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelCounts {
    /// Number of wires.
    pub wires: u32,
    /// Number of live wires.
    pub live: u32,
    /// Number of messages that requested the channel in the cycle.
    pub contenders: u32,
    /// Number of contenders that the channel passed on.
    pub survivors: u32,
}

impl ChannelCounts {
    /// Returns the number of messages that the channel lost in the cycle.
    pub fn lost(&self) -> u32 {
        self.contenders - self.survivors
    }
}

/// Returns the counts of the channel at `place` in the last cycle of `run`.
pub fn channel(run: &DeliveryRun, place: ChannelLocation) -> ChannelCounts {
    let (network, channels) = (run.concentrators(), run.concentrators().channels());
    let difference_label = channels.wire_bits() > 0;
    let mut all = ChannelCounts { wires: channels.wires_at(place.height), ..ChannelCounts::default() };
    for wire in 0..if difference_label { all.wires } else { 1 } {
        if let Some(channel) = channels.channel_at(ChannelLocation { wire, ..place }) {
            all.live += network.capacity(channel);
            all.contenders += network.contenders(channel);
            all.survivors += network.survivors(channel);
        }
    }
    all
}

/// Returns whether algorithm number `index` ended in an earlier cycle, so that no more messages are
/// sent.
pub(crate) fn has_ended_earlier(watch: &DeliveryWatch, index: usize) -> bool {
    let Some(watched) = watch.series.get(index) else { return true };
    watch.now() > watched.run().cycle() && matches!(watched.outcome, Some(DeliveryOutcome::Delivered { .. }))
}

/// Returns the messages of the whole set that must cross each channel of one height, except
/// messages that dead wires cut off: up, then down, by node. Cost: proportional to the messages.
pub(crate) fn loads(trial: &DeliveryTrial, height: u8) -> [Vec<u32>; 2] {
    let channels = &trial.channels;
    [false, true].map(|down| {
        let mut loads = vec![0; channels.nodes_at(height) as usize];
        for &[from, to] in trial.messages.ends() {
            let apex = channels.apex(from, to);
            let crosses = apex > height && !(down && apex > channels.levels());
            let arrives = || trial.live.as_ref().is_none_or(|live| live.is_deliverable(from, to));
            if crosses && arrives() {
                let node = channels.node_above(height, if down { to } else { from });
                loads.get_mut(node as usize).into_iter().for_each(|load| *load += 1);
            }
        }
        loads
    })
}

/// Counts of the processors of a subtree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubtreeCounts {
    /// Messages that start in the subtree and have not arrived.
    pub waiting: u32,
    /// Waiting messages that were sent and lost in the current cycle.
    pub lost: u32,
    /// Waiting messages that dead wires cut off, and that were not lost in the current cycle.
    pub cut_off: u32,
    /// Messages that have arrived in the subtree.
    pub arrived: u32,
    /// Messages with a source in the subtree.
    pub sends: u32,
    /// Messages with a destination in the subtree.
    pub receives: u32,
}

/// Returns the counts of the subtrees of one height, from the left. Cost: proportional to the
/// messages.
pub fn bins(watched: &WatchedDelivery, height: u8) -> Vec<SubtreeCounts> {
    let run = watched.run();
    let channels = run.concentrators().channels();
    let mut bins = vec![SubtreeCounts::default(); channels.nodes_at(height) as usize];
    for ((message, &[from, to]), &arrived) in (0..).zip(run.messages().ends()).zip(run.arrived()) {
        if let Some(bin) = bins.get_mut(channels.node_above(height, from) as usize) {
            bin.sends += 1;
            bin.waiting += u32::from(arrived == 0);
            let lost = matches!(run.fate(message), CycleResult::Lost(_));
            bin.lost += u32::from(lost);
            bin.cut_off += u32::from(!lost && watched.is_cut_off(message));
        }
        if to < channels.processors()
            && let Some(bin) = bins.get_mut(channels.node_above(height, to) as usize)
        {
            bin.receives += 1;
            bin.arrived += u32::from(arrived > 0);
        }
    }
    bins
}

/// Returns the position of a channel without its wire.
pub fn without_wire(channels: &TreeChannels, channel: TreeChannel) -> Option<ChannelLocation> {
    channels.location(channel).map(|place| ChannelLocation { wire: 0, ..place })
}

/// Returns the channel that lost the most messages in the last cycle, and their number. Of equal
/// channels, the lowest and leftmost one.
pub fn worst(run: &DeliveryRun) -> Option<(ChannelLocation, u32)> {
    let channels = run.concentrators().channels();
    let place = |&message: &u32| match run.fate(message) {
        CycleResult::Lost(channel) => {
            without_wire(channels, channel).map(|place| (place.height, place.node, place.down))
        }
        _ => None,
    };
    let mut lost: Vec<_> = run.concentrators().sent().iter().filter_map(place).collect();
    lost.sort();
    let most = lost.chunk_by(|a, b| a == b).reduce(|a, b| if b.len() > a.len() { b } else { a })?;
    let (height, node, down) = most[0];
    Some((ChannelLocation { height, node, wire: 0, down }, most.len() as u32))
}
