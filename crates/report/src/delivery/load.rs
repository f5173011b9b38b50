//! What has come to the channels and processors of a fat-tree, counted: of one algorithm, in the cycle that it is now.

use faultlab_core::switching::delivery::{Delivery, DeliveryOutcome, Fate};
use faultlab_core::topology::fat_tree::{ChannelPlace, TreeChannel, TreeChannels};
use faultlab_experiment::{DeliveryTrial, DeliveryWatch, WatchedDelivery};

/// A channel; of the second network all its wires together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelTally {
    /// Its wires.
    pub wires: u32,
    /// Those of them that are live.
    pub live: u32,
    /// The messages that came to it in this cycle.
    pub contenders: u32,
    /// Those that survived.
    pub survivors: u32,
}

impl ChannelTally {
    /// The messages that it lost in this cycle.
    pub fn lost(&self) -> u32 {
        self.contenders - self.survivors
    }
}

/// The channel at `place` in the last cycle of `run`.
pub fn channel(run: &Delivery, place: ChannelPlace) -> ChannelTally {
    let (network, channels) = (run.concentrators(), run.concentrators().channels());
    let told_apart = channels.wire_bits() > 0;
    let mut all = ChannelTally { wires: channels.wires_at(place.height), ..ChannelTally::default() };
    for wire in 0..if told_apart { all.wires } else { 1 } {
        if let Some(channel) = channels.at(ChannelPlace { wire, ..place }) {
            all.live += network.capacity(channel);
            all.contenders += network.contenders(channel);
            all.survivors += network.survivors(channel);
        }
    }
    all
}

/// Whether the algorithm of this number has come to its end in an earlier cycle, and nothing is sent any more.
pub(crate) fn is_quiet(watch: &DeliveryWatch, index: usize) -> bool {
    let Some(watched) = watch.series.get(index) else { return true };
    watch.now() > watched.run().cycle() && matches!(watched.outcome, Some(DeliveryOutcome::Delivered { .. }))
}

/// The messages of the whole set that must cross each channel of one height, those that dead wires cut off left out: up, then
/// down, by node. Cost: a step for each message.
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

/// What waits at the processors of a subtree, and what has arrived there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bin {
    /// The messages that start here and have not arrived.
    pub waiting: u32,
    /// Those of them that were sent and lost in this cycle.
    pub lost: u32,
    /// Those of them that dead wires keep from arriving, and that were not lost in this cycle.
    pub cut_off: u32,
    /// The messages that have arrived here.
    pub arrived: u32,
    /// All that start here.
    pub sends: u32,
    /// All that are to come here.
    pub receives: u32,
}

/// The subtrees of one height, from the left. Cost: a step for each message.
pub fn bins(watched: &WatchedDelivery, height: u8) -> Vec<Bin> {
    let run = watched.run();
    let channels = run.concentrators().channels();
    let mut bins = vec![Bin::default(); channels.nodes_at(height) as usize];
    for ((message, &[from, to]), &arrived) in (0..).zip(run.messages().ends()).zip(run.arrived()) {
        if let Some(bin) = bins.get_mut(channels.node_above(height, from) as usize) {
            bin.sends += 1;
            bin.waiting += u32::from(arrived == 0);
            let lost = matches!(run.fate(message), Fate::Lost(_));
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

/// The place of a channel without its wire.
pub fn whole(channels: &TreeChannels, channel: TreeChannel) -> Option<ChannelPlace> {
    channels.place(channel).map(|place| ChannelPlace { wire: 0, ..place })
}

/// The channel that lost the most messages in this cycle, of equals the lowest and leftmost, and how many it lost.
pub fn worst(run: &Delivery) -> Option<(ChannelPlace, u32)> {
    let channels = run.concentrators().channels();
    let place = |&message: &u32| match run.fate(message) {
        Fate::Lost(channel) => whole(channels, channel).map(|place| (place.height, place.node, place.down)),
        _ => None,
    };
    let mut lost: Vec<_> = run.concentrators().sent().iter().filter_map(place).collect();
    lost.sort();
    let most = lost.chunk_by(|a, b| a == b).reduce(|a, b| if b.len() > a.len() { b } else { a })?;
    let (height, node, down) = most[0];
    Some((ChannelPlace { height, node, wire: 0, down }, most.len() as u32))
}
