//! Tests of off-line schedules.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::collections::BTreeMap;

use faultlab::switching::delivery::{OfflineSchedule, ScheduleError, SurvivorPolicy};
use faultlab::theory::fat_tree::LoadFactor;
use faultlab::topology::fat_tree::{FatTree, SecondNetwork};
use faultlab::traffic::MessageSet;

use super::{list, messages, random_messages, random_tree, start, tree};

/// Naive first fit, message by message, with a table of every cycle.
fn first_fit(tree: FatTree, set: &MessageSet, order: &[u32]) -> Vec<u32> {
    let channels = tree.channels();
    let mut loads: Vec<BTreeMap<u32, u32>> = Vec::new();
    let mut cycle_of = vec![0; order.len()];
    for &message in order {
        let [from, to] = set.ends()[message as usize];
        let path: Vec<_> = channels.path(from, to, 0).collect();
        let wires = |channel| tree.capacity(channels.location(channel).expect("a channel").height);
        let fits =
            |load: &BTreeMap<u32, u32>| path.iter().all(|it| load.get(&it.0).is_none_or(|&load| load < wires(*it)));
        let cycle = loads.iter().position(fits).unwrap_or(loads.len());
        loads.resize(loads.len().max(cycle + 1), BTreeMap::new());
        path.iter().for_each(|channel| *loads[cycle].entry(channel.0).or_default() += 1);
        cycle_of[message as usize] = cycle as u32 + 1;
    }
    cycle_of
}

/// A schedule has a load factor of at most 1 in every cycle and each message in one cycle. It is
/// not shorter than the load factor, and a compacted schedule is not longer than its run.
#[test]
fn schedules_are_valid_and_first_fit() {
    for seed in 0..60 {
        let tree = random_tree(32, seed);
        let set = random_messages(32, 3 * seed, seed % 2 == 0, seed);
        let mut run = start("random-guess", tree, set.clone(), SurvivorPolicy::Random, seed);
        run.run_until(1_000_000);
        let schedule = OfflineSchedule::compact(&tree.channels(), &set, run.arrived()).expect("it fits");
        assert_eq!(schedule.verify(&tree.channels(), &set), Ok(()));
        for cycle in 1..=schedule.cycles() {
            let sent = set.ends().iter().zip(schedule.cycle_of()).filter(|(_, of)| **of == cycle);
            let sent: Vec<_> = sent.map(|(ends, _)| *ends).collect();
            assert!(LoadFactor::new(&tree.channels(), &sent).value() <= 1.0 && !sent.is_empty());
        }
        let mut order: Vec<u32> = (0..set.len()).collect();
        order.sort_by_key(|&message| run.arrived()[message as usize]);
        assert_eq!(schedule.cycle_of(), first_fit(tree, &set, &order), "seed {seed}");
        assert!(schedule.cycles() >= LoadFactor::new(&tree.channels(), set.ends()).cycles());
        assert!(u64::from(schedule.cycles()) <= run.counts().completion);
    }
}

#[test]
fn verify_reports_invalid_schedules() {
    let (four, set) = (tree(4, "skinny"), list(4, &[(0, 2), (1, 3), (2, 3)]));
    let verify = |cycles: &[u32]| OfflineSchedule::from_cycles(cycles.to_vec()).verify(&four.channels(), &set);
    assert_eq!(verify(&[1, 2, 1]), Ok(()));
    assert_eq!(verify(&[1, 0, 1]), Err(ScheduleError::NotSent(1)));
    assert_eq!(verify(&[1, 2]), Err(ScheduleError::Size));
    let Err(ScheduleError::Overloaded { cycle: 4, load: 2, capacity: 1, channel }) = verify(&[4, 4, 1]) else {
        unreachable!("two messages on one wire");
    };
    assert_eq!(four.channels().location(channel).map(|place| place.height), Some(1));
    let second = SecondNetwork::new(4).unwrap();
    assert_eq!(OfflineSchedule::compact(&second.channels(), &set, &[1, 1, 1]), None);
    assert_eq!(OfflineSchedule::compact(&four.channels(), &set, &[1, 1]), None);
}

/// Compaction brings the schedule of a random permutation close to its load factor.
#[test]
fn a_permutation_is_scheduled_near_its_load_factor() {
    let (tree, set) = (tree(1024, "standard"), messages(1024, "random", 1));
    let mut run = start("random-guess", tree, set.clone(), SurvivorPolicy::Random, 1);
    run.run_until(1_000_000);
    let schedule = OfflineSchedule::compact(&tree.channels(), &set, run.arrived()).expect("it fits");
    let bound = LoadFactor::new(&tree.channels(), set.ends()).cycles();
    assert!((bound..bound + bound / 4).contains(&schedule.cycles()), "{} of {bound}", schedule.cycles());
}
