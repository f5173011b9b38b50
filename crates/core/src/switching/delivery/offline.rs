//! Off-line schedules of a message set that is known in advance (Greenberg & Leiserson section 6).

use std::fmt;

use crate::retain::retain_branchless;
use crate::topology::fat_tree::{TreeChannel, TreeChannels};
use crate::traffic::MessageSet;

/// An assignment of a cycle to every message, such that no message is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfflineSchedule {
    cycle_of: Vec<u32>,
    cycles: u32,
}

/// Reason why a schedule is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleError {
    /// The schedule or network does not have the size of the message set.
    Size,
    /// The message with this number has no cycle.
    NotSent(u32),
    /// More messages cross a channel in a cycle than it has wires.
    Overloaded {
        /// The cycle, from 1.
        cycle: u32,
        /// The channel.
        channel: TreeChannel,
        /// Number of messages that cross the channel.
        load: u32,
        /// Number of wires of the channel.
        capacity: u32,
    },
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size => f.write_str("the schedule belongs to another message set"),
            Self::NotSent(message) => write!(f, "message {message} is never sent"),
            Self::Overloaded { cycle, load, capacity, .. } => {
                write!(f, "in cycle {cycle}, {load} messages cross a channel of {capacity} wires")
            }
        }
    }
}

impl std::error::Error for ScheduleError {}

impl OfflineSchedule {
    /// Compacts a run on a fat-tree by first fit, in the order of the cycles in which messages
    /// `arrived`.
    ///
    /// Each message is assigned to the first cycle in which its whole path has free wires. Messages
    /// that did not arrive come last. `None` if the sizes differ, or if the network distinguishes
    /// wires, as the second network does.
    ///
    /// With the cycles of RANDOM, the result is a schedule as in the probabilistic argument of
    /// section 6, but shorter. Cost: for each message, a walk along part of its path in each cycle
    /// that is tried.
    pub fn compact(channels: &TreeChannels, messages: &MessageSet, arrived: &[u32]) -> Option<Self> {
        let fits = channels.processors() == messages.processors() && arrived.len() == messages.ends().len();
        if !fits || channels.wire_bits() > 0 {
            return None;
        }
        let mut left = sorted_by_cycle(arrived);
        let (mut cycle_of, mut cycles) = (vec![0; left.len()], 0);
        let (ends, mut load) = (messages.ends(), vec![0; channels.table_size()]);
        // First fit cycle by cycle: a message that does not fit takes no wires from later messages.
        while !left.is_empty() {
            cycles += 1;
            load.fill(0);
            let (cycle_of, load) = (&mut cycle_of[..], &mut load[..]);
            retain_branchless(&mut left, |message| {
                let taken = try_reserve_path(channels, ends[message as usize], load);
                if taken {
                    cycle_of[message as usize] = cycles;
                }
                !taken
            });
        }
        Some(Self { cycle_of, cycles })
    }

    /// Creates a schedule from the cycle of each message, from 1; 0 for a message that is not sent.
    pub fn from_cycles(cycle_of: Vec<u32>) -> Self {
        let cycles = cycle_of.iter().copied().max().unwrap_or(0);
        Self { cycle_of, cycles }
    }

    /// Returns the number of cycles.
    pub fn cycles(&self) -> u32 {
        self.cycles
    }

    /// Returns the cycle of each message, from 1.
    pub fn cycle_of(&self) -> &[u32] {
        &self.cycle_of
    }

    /// Checks that the schedule sends every message once and that no cycle has a load factor above
    /// 1.
    ///
    /// # Errors
    /// If the schedule is invalid. Only the first violation found is returned.
    pub fn verify(&self, channels: &TreeChannels, messages: &MessageSet) -> Result<(), ScheduleError> {
        if self.cycle_of.len() != messages.ends().len() || channels.processors() != messages.processors() {
            return Err(ScheduleError::Size);
        }
        let order = sorted_by_cycle(&self.cycle_of);
        if let Some(message) = order.iter().find(|&&message| self.cycle_of[message as usize] == 0) {
            return Err(ScheduleError::NotSent(*message));
        }
        let mut load = vec![0; channels.table_size()];
        for together in order.chunk_by(|&a, &b| self.cycle_of[a as usize] == self.cycle_of[b as usize]) {
            let crossed = || {
                let ends = together.iter().map(|&message| messages.ends()[message as usize]);
                ends.flat_map(|[from, to]| channels.path(from, to, 0))
            };
            crossed().for_each(|channel| load[channel.0 as usize] += 1);
            for channel in crossed() {
                let capacity = channels.location(channel).map_or(0, |place| channels.wires_at(place.height));
                let load = std::mem::take(&mut load[channel.0 as usize]);
                if load > capacity {
                    let cycle = self.cycle_of[together[0] as usize];
                    return Err(ScheduleError::Overloaded { cycle, channel, load, capacity });
                }
            }
        }
        Ok(())
    }
}

/// Reserves a wire of each channel of a path in a fat-tree, if each channel has a free wire.
/// Returns whether the path was reserved.
#[inline(always)]
fn try_reserve_path(channels: &TreeChannels, [from, to]: [u32; 2], load: &mut [u32]) -> bool {
    let (apex, wires, leaves) = (channels.apex(from, to), channels.capacities(), channels.processors());
    let turns = apex <= channels.levels();
    // Channels are numbered as in `TreeChannels` for networks that do not distinguish wires.
    let up = leaves + from;
    let down = if turns { leaves + to } else { 0 };
    // The check begins at the top of the path, which fills first.
    let mut height = usize::from(apex);
    while height > 0 {
        height -= 1;
        let whole = wires[height];
        if load[(up >> height) as usize * 2] >= whole || turns && load[(down >> height) as usize * 2 + 1] >= whole {
            return false;
        }
    }
    while height < usize::from(apex) {
        load[(up >> height) as usize * 2] += 1;
        if turns {
            load[(down >> height) as usize * 2 + 1] += 1;
        }
        height += 1;
    }
    true
}

/// Number of digit values of the radix sort.
const DIGITS: usize = 1 << 8;

/// Returns the messages in the order of their cycles. Messages without a cycle come last.
fn sorted_by_cycle(cycles: &[u32]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..cycles.len() as u32).collect();
    let mut sorted = order.clone();
    // Counting sort by each digit, the lowest first.
    let last = cycles.iter().map(|cycle| cycle.wrapping_sub(1)).max().unwrap_or(0);
    let mut shift = 0;
    while shift < u32::BITS && last >> shift > 0 {
        let digit = |message: u32| (cycles[message as usize].wrapping_sub(1) >> shift) as usize % DIGITS;
        let mut starts = [0; DIGITS + 1];
        order.iter().for_each(|&message| starts[digit(message) + 1] += 1);
        (1..DIGITS).for_each(|place| starts[place] += starts[place - 1]);
        for &message in &order {
            let place = &mut starts[digit(message)];
            sorted[*place] = message;
            *place += 1;
        }
        std::mem::swap(&mut order, &mut sorted);
        shift += DIGITS.ilog2();
    }
    order
}
