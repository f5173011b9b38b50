//! Leiserson's off-line schedule of O(lambda lg n) delivery cycles, which Greenberg & Leiserson
//! cite (section 6).
//!
//! Messages that turn at the same height cross disjoint subtrees, and each height has its own
//! cycles. The messages of a height are halved until no channel has more messages than wires. A
//! half has half of the messages of every channel, rounded up or down: in every subtree the ends of
//! messages are paired, all but at most one, and the two messages of a pair go to different halves.

use super::OfflineSchedule;
use crate::topology::fat_tree::TreeChannels;
use crate::traffic::MessageSet;

impl OfflineSchedule {
    /// Builds Leiserson's schedule; `None` if the sizes differ, or if the network distinguishes
    /// wires, as the second network does.
    ///
    /// The schedule has at most [`OfflineSchedule::level_bound`] cycles. Cost: for each message,
    /// its path for each halving, at most lg(2 lambda) times.
    pub fn by_levels(channels: &TreeChannels, messages: &MessageSet) -> Option<Self> {
        if channels.processors() != messages.processors() || channels.wire_bits() > 0 {
            return None;
        }
        let ends = messages.ends();
        let mut cycle_of = vec![1; ends.len()];
        let (mut cycles, mut load) = (0, vec![0; channels.table_size()]);
        for apex in 1..=channels.levels() + 1 {
            let turns_here = |&message: &u32| {
                let [from, to] = ends[message as usize];
                channels.apex(from, to) == apex
            };
            let mut parts = vec![(0..messages.len()).filter(turns_here).collect::<Vec<_>>()];
            while let Some(part) = parts.pop() {
                if part.is_empty() {
                    continue;
                }
                if fits(channels, ends, &part, &mut load) {
                    cycles += 1;
                    part.into_iter().for_each(|message| cycle_of[message as usize] = cycles);
                } else {
                    parts.extend(halves(ends, &part, apex));
                }
            }
        }
        Some(Self::from_cycles(cycle_of))
    }

    /// Returns the bound on the cycles of [`OfflineSchedule::by_levels`] at load factor `lambda`,
    /// in messages per wire: the smallest power of two from `lambda` on, less than 2 lambda, for
    /// each of lg n heights, and for messages that leave by the root.
    pub fn level_bound(channels: &TreeChannels, messages: &MessageSet, lambda: f64) -> u64 {
        let heights = u64::from(channels.levels()) + u64::from(messages.has_external_messages());
        heights * (libm::ceil(lambda).max(1.0) as u64).next_power_of_two()
    }
}

/// Returns whether no channel has more messages of `part` than wires. Leaves `load` all zero.
fn fits(channels: &TreeChannels, ends: &[[u32; 2]], part: &[u32], load: &mut [u32]) -> bool {
    let crossed = || {
        let ends = part.iter().map(|&message| ends[message as usize]);
        ends.flat_map(|[from, to]| channels.path(from, to, 0))
    };
    crossed().for_each(|channel| load[channel.0 as usize] += 1);
    let mut fits = true;
    for channel in crossed() {
        let capacity = channels.location(channel).map_or(0, |place| channels.capacity(place.height));
        fits &= std::mem::take(&mut load[channel.0 as usize]) <= capacity;
    }
    fits
}

/// Divides messages that all turn at height `apex` into halves, with half of the messages of every
/// channel in each.
fn halves(ends: &[[u32; 2]], part: &[u32], apex: u8) -> [Vec<u32>; 2] {
    let pairs = [0, 1].map(|end| paired(&part.iter().map(|&it| ends[it as usize][end]).collect::<Vec<_>>(), apex));
    let mut halves = [Vec::new(), Vec::new()];
    let (mut half_of, mut open) = (vec![None; part.len()], Vec::new());
    for start in 0..part.len() {
        // Pairs of sources and pairs of destinations alternate, so every cycle of pairs is even.
        open.push((start, 0));
        while let Some((place, half)) = open.pop() {
            if half_of[place].is_none() {
                half_of[place] = Some(half);
                halves[half].push(part[place]);
                open.extend(pairs.iter().filter_map(|pairs| Some((pairs[place]?, 1 - half))));
            }
        }
    }
    halves
}

/// Pairs the processors `ends` in the subtrees of heights 0 to `apex` - 1, the lowest first, and
/// returns the index of the partner of each.
fn paired(ends: &[u32], apex: u8) -> Vec<Option<usize>> {
    let mut partners = vec![None; ends.len()];
    let mut single: Vec<usize> = (0..ends.len()).collect();
    single.sort_by_key(|&place| ends[place]);
    for height in 0..apex {
        let mut left: Vec<usize> = Vec::new();
        for place in single {
            match left.pop_if(|other| ends[*other] >> height == ends[place] >> height) {
                Some(other) => (partners[place], partners[other]) = (Some(other), Some(place)),
                None => left.push(place),
            }
        }
        single = left;
    }
    partners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Key;
    use crate::topology::fat_tree::{FatTree, Profile, TreeChannel};
    use crate::traffic::MessagePattern;

    fn tree(processors: u64, profile: &str) -> TreeChannels {
        FatTree::new(processors, &Profile::parse(profile).unwrap()).unwrap().channels()
    }

    /// Returns the largest number of messages per wire of a channel.
    fn load_factor(channels: &TreeChannels, ends: &[[u32; 2]]) -> f64 {
        let mut load = vec![0u32; channels.table_size()];
        let all = || ends.iter().flat_map(|&[from, to]| channels.path(from, to, 0));
        all().for_each(|channel| load[channel.0 as usize] += 1);
        let per_wire = |channel: TreeChannel| {
            let wires = channels.capacity(channels.location(channel).unwrap().height);
            f64::from(load[channel.0 as usize]) / f64::from(wires)
        };
        all().map(per_wire).fold(0.0, f64::max)
    }

    /// Returns the fewest cycles of any schedule, by trying all: a message joins a cycle or opens
    /// one.
    fn fewest(channels: &TreeChannels, ends: &[[u32; 2]], cycles: &mut Vec<Vec<[u32; 2]>>, best: usize) -> usize {
        let Some((&first, rest)) = ends.split_first() else { return cycles.len().min(best) };
        let mut best = best;
        for cycle in 0..=cycles.len() {
            if cycle == cycles.len() {
                if cycles.len() + 1 >= best {
                    break;
                }
                cycles.push(Vec::new());
            }
            cycles[cycle].push(first);
            if load_factor(channels, &cycles[cycle]) <= 1.0 {
                best = fewest(channels, rest, cycles, best);
            }
            cycles[cycle].pop();
            if cycles[cycle].is_empty() {
                cycles.pop();
            }
        }
        best
    }

    #[test]
    fn level_schedules_lie_between_the_best_schedule_and_the_bound() {
        let mut longer = 0;
        for (number, profile) in (0..).zip(["skinny", "standard", "volume", "doubling"].repeat(10)) {
            let channels = tree(4, profile);
            let key = Key::from_seed(number);
            let pairs: Vec<_> = (0..7)
                .map(|at| ((key.child(at).word_at(0) % 4) as u32, (key.child(at).word_at(1) % 4) as u32))
                .collect();
            let set = MessageSet::from_pairs(4, &pairs).unwrap();
            let schedule = OfflineSchedule::by_levels(&channels, &set).unwrap();
            assert_eq!(schedule.verify(&channels, &set), Ok(()));
            let lambda = load_factor(&channels, set.ends());
            let fewest = fewest(&channels, set.ends(), &mut Vec::new(), 8);
            assert!(fewest as u32 <= schedule.cycles() && fewest as f64 >= lambda, "{pairs:?}");
            assert!(u64::from(schedule.cycles()) <= OfflineSchedule::level_bound(&channels, &set, lambda).max(1));
            longer += u32::from(schedule.cycles() > fewest as u32);
        }
        assert!(longer > 0, "every level has its own cycles");
    }

    #[test]
    fn halves_have_half_of_the_messages_of_every_channel() {
        let channels = tree(64, "standard");
        for seed in 0..20 {
            let pattern = MessagePattern::parse("random*5").unwrap();
            let set = MessageSet::new(64, pattern, Key::from_seed(seed)).unwrap();
            for apex in 1..=channels.levels() {
                let part: Vec<_> = (0..set.len())
                    .filter(|&it| {
                        let [from, to] = set.ends()[it as usize];
                        channels.apex(from, to) == apex
                    })
                    .collect();
                let loads = |part: &[u32]| {
                    let mut load = vec![0i32; channels.table_size()];
                    let paths = part.iter().map(|&it| set.ends()[it as usize]);
                    paths.flat_map(|[from, to]| channels.path(from, to, 0)).for_each(|it| load[it.0 as usize] += 1);
                    load
                };
                let [first, second] = halves(set.ends(), &part, apex);
                assert_eq!(first.len() + second.len(), part.len());
                assert!(loads(&first).into_iter().zip(loads(&second)).all(|(a, b)| (a - b).abs() <= 1));
            }
            let schedule = OfflineSchedule::by_levels(&channels, &set).unwrap();
            let lambda = load_factor(&channels, set.ends());
            assert_eq!(schedule.verify(&channels, &set), Ok(()));
            assert!(u64::from(schedule.cycles()) <= OfflineSchedule::level_bound(&channels, &set, lambda));
            assert!(f64::from(schedule.cycles()) <= 2.0 * lambda * 6.0);
        }
    }

    #[test]
    fn messages_that_leave_by_the_root_have_their_own_cycles() {
        let channels = tree(16, "skinny");
        let set = MessageSet::new(16, MessagePattern::parse("out*2").unwrap(), Key::from_seed(1)).unwrap();
        let schedule = OfflineSchedule::by_levels(&channels, &set).unwrap();
        assert_eq!(schedule.verify(&channels, &set), Ok(()));
        // 32 messages leave by one wire.
        assert_eq!(schedule.cycles(), 32);
    }
}
