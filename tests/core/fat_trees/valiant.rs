//! Tests of Valiant's detour as delivery cycles.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::fault::LiveWires;
use faultlab::random::Key;
use faultlab::routing::fat_tree::{CycleRule, ScheduleConstants};
use faultlab::switching::delivery::{DeliveryConfig, DeliveryOutcome, DeliveryRun, SurvivorPolicy, Undeliverable};
use faultlab::theory::fat_tree::{Detour, detour_cycles};
use faultlab::traffic::MessageSet;

use super::{algorithms, list, messages, random_messages, random_tree, start, tree};

/// All messages go to their intermediate processors first, and none continues before all are there.
#[test]
fn second_phase_starts_after_the_first() {
    for seed in 0..100 {
        let n = 4 << (seed % 4);
        let (tree, policy) = (random_tree(n, seed), SurvivorPolicy::ALL[seed as usize % 3]);
        let set = random_messages(n, 2 * n, false, seed);
        let mut run = start("valiant", tree, set.clone(), policy, seed);
        let via: Vec<u32> = (0..set.len()).map(|message| run.via(message).expect("all have one")).collect();
        let (mut there, mut turned) = (0, None);
        while run.outcome().is_none() {
            run.step();
            let Some(CycleRule::Detour { second_phase: second }) = run.rule() else { unreachable!("{:?}", run.rule()) };
            for (message, &[from, to]) in set.ends().iter().enumerate() {
                let leg = if second { [via[message], to] } else { [from, via[message]] };
                assert_eq!(run.messages().ends()[message], leg);
                assert!(second || !run.is_delivered(message as u32));
            }
            if second {
                turned = turned.or(Some(run.cycle()));
            } else {
                there = run.arrived().iter().filter(|&&cycle| cycle > 0).count();
                assert_eq!(run.counts().delivered, 0);
            }
            assert!(run.cycle() < 10_000);
        }
        assert_eq!(there, set.len() as usize, "all were there");
        assert_eq!(run.outcome(), Some(DeliveryOutcome::Delivered { undeliverable: 0 }));
        assert_eq!((run.counts().delivered, run.counts().completion), (set.len(), u64::from(run.cycle())));
        assert!(turned.is_some_and(|cycle| run.arrived().iter().all(|&arrived| arrived >= cycle)));
        assert!(run.counts().transmissions >= 2 * u64::from(set.len()));
        // The phases run one after the other, and each takes at least its load factor. A detour
        // passes all channels of the direct path.
        let detour = Detour::new(&tree.channels(), &set, DeliveryRun::detour_key(Key::from_seed(seed)));
        assert!(run.counts().completion >= u64::from(detour.cycles()));
        assert!(detour.legs[0].cycles() + detour.legs[1].cycles() >= detour.direct.cycles());
    }
}

/// Two processors that exchange messages need one cycle per phase, for any random choice.
#[test]
fn two_processors_take_two_cycles() {
    for seed in 0..20 {
        let mut run = start("valiant", tree(2, "standard"), messages(2, "ring", 1), SurvivorPolicy::Left, seed);
        run.run_until(100);
        assert_eq!((run.counts().completion, run.counts().transmissions), (2, 4));
    }
}

/// Section 1: with the detour, nearest-neighbour messages cross the root. On 256 processors GREEDY
/// takes one cycle; the detour takes at least 256/(2 * 8) = 16 on average.
#[test]
fn detour_slows_neighbour_traffic() {
    let tree = tree(256, "standard");
    assert_eq!(detour_cycles(tree, 256), 16.0);
    let ring = || messages(256, "ring", 1);
    let cycles = |id, seed| {
        let mut run = start(id, tree, ring(), SurvivorPolicy::Random, seed);
        run.run_until(10_000);
        run.counts().completion
    };
    assert_eq!(cycles("greedy", 1), 1);
    let bound = (0..50).map(|seed| Detour::new(&tree.channels(), &ring(), Key::from_seed(seed)).cycles()).sum::<u32>();
    assert!(bound >= 50 * 16, "{bound}");
    assert!((0..50).map(|seed| cycles("valiant", seed)).sum::<u64>() >= u64::from(50 * 16u32));
}

/// Messages out of the root go there directly, in the first phase.
#[test]
fn messages_out_of_the_root_go_directly() {
    let set = list(4, &[(0, MessageSet::OUT), (1, 3)]);
    let mut run = start("valiant", tree(4, "doubling"), set, SurvivorPolicy::Left, 3);
    assert_eq!((run.via(0), run.via(1).is_some()), (None, true));
    run.step();
    assert!(run.is_delivered(0) && !run.is_delivered(1));
    assert_eq!(run.run_until(100), Some(DeliveryOutcome::Delivered { undeliverable: 0 }));
    assert_eq!((run.arrived()[0], run.counts().completion), (1, 2));
    let out = list(4, &[(0, MessageSet::OUT)]);
    let mut run = start("valiant", tree(4, "doubling"), out, SurvivorPolicy::Left, 3);
    assert_eq!(run.run_until(1), Some(DeliveryOutcome::Delivered { undeliverable: 0 }));
}

/// Under `drop-all` the detour gets stuck in either phase, and reports all remaining messages.
#[test]
fn drop_all_makes_detour_stuck() {
    let mut stuck = 0;
    for seed in 0..40 {
        let mut run = start("valiant", tree(16, "skinny"), messages(16, "ring", 1), SurvivorPolicy::DropAll, seed);
        if let Some(DeliveryOutcome::Stuck { left, .. }) = run.run_until(1000) {
            stuck += 1;
            assert_eq!(left, 16 - run.counts().delivered);
        }
    }
    assert!(stuck > 20, "{stuck}");
}

/// A message is deliverable if both parts of its path have live wires. The run ends in either case.
#[test]
fn dead_wires_cut_off_detours() {
    let (_, algorithm) = algorithms().into_iter().find(|(id, _)| *id == "valiant").expect("in the list");
    let mut both = 0;
    for seed in 0..100 {
        let tree = tree(16, "standard");
        let live = LiveWires::sample(tree.channels(), 0.15, Key::from_seed(seed)).expect("few wires");
        let set = random_messages(16, 24, seed % 2 == 0, seed);
        let mut found = Undeliverable::ALL.map(|undeliverable| {
            let config = DeliveryConfig {
                live: Some(live.clone()),
                undeliverable,
                ..DeliveryConfig::new(tree.channels(), SurvivorPolicy::Random)
            };
            let scheduler = (algorithm.start)(&ScheduleConstants::new(1.0, 1.0, 1.0).expect("in range"), 16);
            let mut run = DeliveryRun::new(config, set.clone(), scheduler, Key::from_seed(seed)).expect("it fits");
            let outcome = run.run_until(100_000);
            assert!(matches!(outcome, Some(DeliveryOutcome::Delivered { .. })), "seed {seed}: {outcome:?}");
            for (message, &[from, to]) in (0..).zip(set.ends()) {
                let whole = match run.via(message) {
                    Some(via) => live.is_deliverable(from, via) && live.is_deliverable(via, to),
                    None => live.is_deliverable(from, to),
                };
                assert_eq!(run.is_delivered(message), whole, "seed {seed}: message {message}");
            }
            run
        });
        let [known, sent] = &mut found;
        assert_eq!(known.undeliverable(), sent.undeliverable());
        assert_eq!(known.counts().delivered + known.undeliverable(), set.len());
        both += u32::from(known.undeliverable() > 0 && known.counts().delivered > 0);
    }
    assert!(both > 50, "{both}");
}
