//! Off-line schedules: who is sent when, if the whole message set is known in advance (Greenberg & Leiserson section 6).

use std::fmt;

use crate::topology::fat_tree::{TreeChannel, TreeChannels};
use crate::traffic::MessageSet;

/// A cycle for every message, such that none is ever lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfflineSchedule {
    cycle_of: Vec<u32>,
    cycles: u32,
}

/// What is wrong with a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleFault {
    /// It is one for another number of messages, or another number of processors.
    Size,
    /// A message has no cycle.
    NotSent(u32),
    /// A channel gets more messages in a cycle than it has wires.
    Overloaded {
        /// The cycle, from 1.
        cycle: u32,
        /// The channel.
        channel: TreeChannel,
        /// The messages that cross it.
        load: u32,
        /// Its wires.
        capacity: u32,
    },
}

impl fmt::Display for ScheduleFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size => f.write_str("the schedule is one for another message set"),
            Self::NotSent(message) => write!(f, "message {message} is never sent"),
            Self::Overloaded { cycle, load, capacity, .. } => {
                write!(f, "in cycle {cycle}, {load} messages cross a channel of {capacity} wires")
            }
        }
    }
}

impl OfflineSchedule {
    /// The messages of a fat-tree, in the order of the cycles in which they `arrived` in some run, each put into the first
    /// cycle in which its whole path has a wire left (first fit). `None` if the sizes do not agree or the wires are told
    /// apart, as in the second network; messages that did not arrive come last.
    ///
    /// With RANDOM's cycles it is what the probabilistic argument of section 6 asks for, and shorter. Cost: a walk along
    /// part of its path for each message and each cycle that it does not fit.
    pub fn compacted(channels: &TreeChannels, messages: &MessageSet, arrived: &[u32]) -> Option<Self> {
        let fits = channels.processors() == messages.processors() && arrived.len() == messages.ends().len();
        if !fits || channels.wire_bits() > 0 {
            return None;
        }
        let mut left = in_order(arrived);
        let (mut cycle_of, mut cycles) = (vec![0; left.len()], 0);
        let mut load = vec![0; channels.table()];
        // First fit, cycle by cycle: who finds no room in this one has not taken any from those behind.
        while !left.is_empty() {
            cycles += 1;
            load.fill(0);
            left.retain(|&message| {
                let [from, to] = messages.ends()[message as usize];
                let taken = take(channels, [from, to], &mut load);
                if taken {
                    cycle_of[message as usize] = cycles;
                }
                !taken
            });
        }
        Some(Self { cycle_of, cycles })
    }

    /// A schedule of one's own: for each message its cycle, from 1; 0 for one that is not sent.
    pub fn list(cycle_of: Vec<u32>) -> Self {
        let cycles = cycle_of.iter().copied().max().unwrap_or(0);
        Self { cycle_of, cycles }
    }

    /// The number of cycles.
    pub fn cycles(&self) -> u32 {
        self.cycles
    }

    /// The cycle of each message, from 1.
    pub fn cycle_of(&self) -> &[u32] {
        &self.cycle_of
    }

    /// Whether it sends every message once and no cycle has a load factor above 1.
    ///
    /// # Errors
    /// What is wrong, of several faults one.
    pub fn verify(&self, channels: &TreeChannels, messages: &MessageSet) -> Result<(), ScheduleFault> {
        if self.cycle_of.len() != messages.ends().len() || channels.processors() != messages.processors() {
            return Err(ScheduleFault::Size);
        }
        let order = in_order(&self.cycle_of);
        if let Some(message) = order.iter().find(|&&message| self.cycle_of[message as usize] == 0) {
            return Err(ScheduleFault::NotSent(*message));
        }
        let mut load = vec![0; channels.table()];
        for together in order.chunk_by(|&a, &b| self.cycle_of[a as usize] == self.cycle_of[b as usize]) {
            let crossed = || {
                let ends = together.iter().map(|&message| messages.ends()[message as usize]);
                ends.flat_map(|[from, to]| channels.path(from, to, 0))
            };
            crossed().for_each(|channel| load[channel.0 as usize] += 1);
            for channel in crossed() {
                let capacity = channels.place(channel).map_or(0, |place| channels.wires_at(place.height));
                let load = std::mem::take(&mut load[channel.0 as usize]);
                if load > capacity {
                    let cycle = self.cycle_of[together[0] as usize];
                    return Err(ScheduleFault::Overloaded { cycle, channel, load, capacity });
                }
            }
        }
        Ok(())
    }
}

/// Takes a wire of each channel of the path, if each has one left.
#[inline]
fn take(channels: &TreeChannels, [from, to]: [u32; 2], load: &mut [u32]) -> bool {
    let apex = channels.apex(from, to);
    let full = |channel: TreeChannel, height| load[channel.0 as usize] >= channels.capacity(height);
    // The top of the path fills first.
    let fits = (0..apex).rev().all(|height| {
        let down = height < channels.levels() && apex <= channels.levels();
        !(full(channels.up(height, from, 0), height) || down && full(channels.down(height, to, 0), height))
    });
    if fits {
        channels.path(from, to, 0).for_each(|channel| load[channel.0 as usize] += 1);
    }
    fits
}

/// The messages in the order of their cycles, those of none last.
fn in_order(cycles: &[u32]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..cycles.len() as u32).collect();
    crate::sort::by_key(&mut order, |&message| cycles[message as usize].wrapping_sub(1));
    order
}
