//! Tests of GREEDY: known results, and runs that never end.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::switching::delivery::{DeliveryOutcome, DeliveryRun, SurvivorPolicy};
use faultlab::theory::fat_tree::LoadFactor;

use super::{greedy, list, messages, random_messages, tree};

/// Runs GREEDY and returns the cycles, the messages delivered in the first cycle, and the sum of
/// the delivery cycles.
fn numbers(n: u64, profile: &str, pattern: &str, policy: SurvivorPolicy) -> [u64; 3] {
    let mut run = greedy(tree(n, profile), messages(n, pattern, 1), policy, 1);
    assert_eq!(run.run_until(1000), Some(DeliveryOutcome::Delivered { undeliverable: 0 }));
    let first = run.arrived().iter().filter(|&&cycle| cycle == 1).count() as u64;
    [run.counts().completion, first, run.counts().arrival_sum]
}

/// Test vectors of an independent simulator: cycles, messages delivered in the first cycle, and the
/// sum of the delivery cycles.
#[test]
fn matches_test_vectors() {
    use SurvivorPolicy::{Alternate, Left};
    let standard = tree(64, "standard");
    let load = LoadFactor::new(&standard.channels(), messages(64, "bit-reversal", 1).ends());
    assert_eq!((load.value(), load.cycles()), (4.0, 4));
    assert_eq!(numbers(64, "standard", "bit-reversal", Left), [7, 14, 212]);
    assert_eq!(numbers(64, "standard", "bit-reversal", Alternate), [9, 14, 262]);
    assert_eq!(numbers(64, "standard", "transpose", Left), [7, 12, 229]);
    assert_eq!(numbers(64, "volume", "bit-reversal", Left), [7, 14, 214]);
}

#[test]
fn four_processors_take_two_cycles() {
    let pairs = [(0, 2), (2, 0), (1, 3), (3, 1)];
    assert_eq!(messages(4, "half", 1), list(4, &pairs));
    let four = tree(4, "standard");
    assert_eq!(LoadFactor::new(&four.channels(), list(4, &pairs).ends()).value(), 2.0);
    for policy in [SurvivorPolicy::Left, SurvivorPolicy::Alternate, SurvivorPolicy::Random] {
        let mut run = greedy(four, list(4, &pairs), policy, 1);
        run.run_until(10);
        assert_eq!((run.counts().completion, run.counts().transmissions), (2, 6));
        assert_eq!(run.transmissions_per_message(), 1.5);
    }
}

/// Section 5: doubling capacities have no congestion on the way up. Equal capacities have it only
/// at the leaves and at the root. In both cases all messages leave the root within lambda cycles.
#[test]
fn out_of_the_root_greedy_is_optimal_on_extreme_profiles() {
    for (profile, n) in [("doubling", 32), ("skinny", 32), ("constant:3", 16)] {
        for policy in [SurvivorPolicy::Left, SurvivorPolicy::Alternate, SurvivorPolicy::Random] {
            let key = faultlab::random::Key::from_seed(7);
            let out: Vec<_> = (0..100).map(|number| ((key.word_at(number) % n) as u32, u32::MAX)).collect();
            let (tree, set) = (tree(n, profile), list(n, &out));
            let bound = LoadFactor::new(&tree.channels(), set.ends()).cycles();
            let mut run = greedy(tree, set, policy, 1);
            run.run_until(1000);
            assert_eq!(run.counts().completion, u64::from(bound), "{profile}, {policy}");
        }
    }
}

/// Two messages for one wire block each other forever under `drop-all`.
#[test]
fn drop_all_reports_stuck_run() {
    let mut run = greedy(tree(4, "skinny"), list(4, &[(0, 3), (1, 3), (2, 2)]), SurvivorPolicy::DropAll, 1);
    let outcome = run.run_until(1000).expect("an outcome");
    let DeliveryOutcome::Stuck { left: 2, channel, contenders: 2, capacity: 1 } = outcome else {
        unreachable!("{outcome:?}");
    };
    let place = run.concentrators().channels().location(channel).expect("a channel");
    assert_eq!((place.height, place.node, place.down), (1, 0, false));
    assert_eq!((run.cycle(), run.counts().delivered, run.counts().completion), (2, 1, 1));
    assert!(outcome.to_string().contains("stuck with 2 messages left"), "{outcome}");
    run.step();
    assert_eq!(run.cycle(), 2, "nothing happens after the end");
}

/// A run is stuck exactly if the remaining messages have a cycle in which none arrives.
#[test]
fn drop_all_ends_exactly_if_something_always_arrives() {
    let mut stuck = 0;
    for seed in 0..200 {
        let mut run = greedy(tree(16, "standard"), random_messages(16, 3, true, seed), SurvivorPolicy::DropAll, seed);
        match run.run_until(100).expect("at most three cycles of progress") {
            DeliveryOutcome::Stuck { left, .. } => {
                stuck += 1;
                let ends = run.messages().ends();
                let rest = run.arrived().iter().zip(ends).filter(|(cycle, _)| **cycle == 0);
                let rest: Vec<_> = rest.map(|(_, ends)| (ends[0], ends[1])).collect();
                assert_eq!(rest.len() as u32, left);
                let mut again = greedy(tree(16, "standard"), list(16, &rest), SurvivorPolicy::DropAll, seed + 1);
                again.step();
                assert_eq!(again.counts().delivered, 0);
            }
            outcome => assert_eq!(outcome, DeliveryOutcome::Delivered { undeliverable: 0 }),
        }
    }
    assert!((20..180).contains(&stuck), "{stuck}");
}

/// Under an admissible policy at least one message arrives in every cycle.
#[test]
fn admissible_policies_deliver_in_every_cycle() {
    for seed in 0..200 {
        for policy in SurvivorPolicy::ALL.into_iter().filter(|policy| policy.is_admissible()) {
            let mut run: DeliveryRun =
                greedy(super::random_tree(16, seed), random_messages(16, 40, true, seed), policy, seed);
            let mut before = 0;
            while run.outcome().is_none() {
                run.step();
                assert!(run.counts().delivered > before);
                before = run.counts().delivered;
            }
        }
    }
}

#[test]
fn empty_message_set_is_delivered() {
    for id in ["greedy", "random-guess", "random-prime"] {
        let mut run = super::start(id, tree(8, "standard"), list(8, &[]), SurvivorPolicy::Left, 1);
        run.step();
        assert_eq!(run.outcome(), Some(DeliveryOutcome::Delivered { undeliverable: 0 }));
        assert_eq!(run.counts(), Default::default());
    }
}
