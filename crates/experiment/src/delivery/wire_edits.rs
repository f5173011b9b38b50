//! Manual edits of dead wires in fat-trees.

use super::trial::DeliveryTrial;
use crate::{Experiment, PointConfig, Problem};
use faultlab_core::fault::{DeadWires, FaultModel, FaultSpec, LiveWires};
use faultlab_core::topology::Network;
use faultlab_core::topology::fat_tree::{ChannelLocation, Leaves, TreeChannels};

impl Experiment {
    /// Returns the experiment with one more dead wire of the channel at `place` in the watched
    /// trial.
    ///
    /// On the second universal network (`tree2:N`, `tree2-3d:N`), the channel is the whole bundle above the
    /// group: its first live wire becomes dead. If all wires are dead, all become live again. Other
    /// channels do not change. `None` if there is no such channel. Cost: one random number per
    /// wire, if wires are sampled.
    pub fn with_wire_toggled(&self, place: ChannelLocation) -> Option<Self> {
        let (cell, mut next) = (PointConfig::new(self, None), self.clone());
        let (channels, key) = (channels_of(self)?, DeliveryTrial::wires_key(&cell, self.view.sample));
        channels.channel_at(place)?;
        let wire_count = if channels.wire_bits() > 0 { channels.wires_at(place.height) } else { 1 };
        let mut parts = (0..wire_count).map(|wire| ChannelLocation { wire, ..place });
        let live = |faults: &FaultSpec, part| LiveWires::first_live(&channels, faults, key, part);
        let capacity = channels.capacity(place.height);
        if let Some((part, wire)) = parts.clone().find_map(|part| Some((part, live(&next.faults, part)?))) {
            // A channel without a live wire cannot be mended.
            let others_live = next.faults.wires_override(part).1 && wire + 1 < capacity;
            next.faults.set_wires(part, wire + 1, others_live);
            return Some(next);
        }
        parts.clone().for_each(|part| next.faults.set_wires(part, 0, false));
        let drawn = LiveWires::from_spec(channels, &next.faults, key)?;
        for part in parts.by_ref() {
            let whole = channels.channel_at(part).is_some_and(|channel| drawn.capacity(channel) == capacity);
            next.faults.set_wires(part, 0, !whole);
        }
        Some(next)
    }
}

/// Returns the channels of an experiment; `None` on other networks, and if its capacities do not
/// fit.
fn channels_of(experiment: &Experiment) -> Option<TreeChannels> {
    experiment.network.leaves()?.channels(&experiment.setting.delivery()?.profile).ok()
}

/// Drops the manual edits of channels that `next` does not have, and limits the dead wires of a
/// channel to its capacity.
///
/// Edits of the second network do not apply to fat-trees, and vice versa, nor those in the plane in
/// space.
pub(super) fn drop_invalid_wire_edits(before: Network, next: &mut Experiment) {
    let channels = channels_of(next).filter(|_| dimensions(before) == dimensions(next.network));
    let faults = &mut next.faults;
    let Some(channels) = channels else {
        faults.dead_wires.clear();
        faults.live_channels.clear();
        return;
    };
    faults.dead_wires.retain(|dead| channels.channel_at(dead.channel).is_some());
    faults.live_channels.retain(|&channel| channels.channel_at(channel).is_some());
    for dead in &mut faults.dead_wires {
        dead.count = dead.count.min(channels.capacity(dead.channel.height));
    }
    let all: Vec<_> = faults.dead_wires.iter().filter(|dead| is_all(&channels, dead)).map(|it| it.channel).collect();
    faults.live_channels.retain(|channel| all.binary_search(channel).is_err());
}

fn dimensions(network: Network) -> Option<Option<u8>> {
    network.leaves().map(Leaves::dimensions)
}

fn is_all(channels: &TreeChannels, dead: &DeadWires) -> bool {
    dead.count >= channels.capacity(dead.channel.height)
}

/// Checks that the channels have few enough wires for a fault model that samples dead wires.
pub(super) fn check_drawing(leaves: Leaves, channels: &TreeChannels, faults: &FaultSpec) -> Result<(), Problem> {
    let (wires, most) = (channels.wires(), LiveWires::MAX_WIRES);
    if matches!(faults.model, FaultModel::Wires(_)) && wires > most {
        let why = format!(
            "the network {leaves} has {wires} wires with these capacities; random wire faults are limited to {most}"
        );
        return Err(Problem::new("capacity", why));
    }
    Ok(())
}

/// Checks that the channels have the wires of the manual edits.
pub(super) fn check_edits(leaves: Leaves, channels: &TreeChannels, faults: &FaultSpec) -> Result<(), Problem> {
    let refuse = |why: String| Err(Problem::new("break", why));
    let mut all = faults.dead_wires.iter().map(|dead| &dead.channel).chain(&faults.live_channels);
    if let Some(&missing) = all.find(|&&channel| !leaves.has_channel(channel)) {
        return refuse(format!("channel {} does not exist in the network {leaves}", leaves.format_channel(missing)));
    }
    for dead in &faults.dead_wires {
        let (name, wires) = (leaves.format_channel(dead.channel), channels.capacity(dead.channel.height));
        let plural = if wires == 1 { "" } else { "s" };
        if dead.count > wires {
            return refuse(format!("{name} has only {wires} wire{plural}, so {} cannot be dead", dead.count));
        }
        if faults.wires_override(dead.channel).1 && is_all(channels, dead) {
            return refuse(format!("all wires of {name} are broken, and {name} is also mended"));
        }
    }
    Ok(())
}
