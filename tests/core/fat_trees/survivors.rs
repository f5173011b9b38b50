//! Tests of survivors at congested channels, by the paper's definitions.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::random::Key;
use faultlab::switching::delivery::{CycleResult, DeliveryOutcome, SurvivorPolicy};
use faultlab::theory::fat_tree::{congestion_parameter, lemma_6};
use faultlab::topology::fat_tree::SecondNetwork;

use super::{greedy, list, messages, random_messages, random_tree, tree};
use crate::common::assert_share;

/// Messages 0 to 2 and 1 to 3 meet on the single wire of height 1 and are lost. Message 3 to 2
/// shares the channel of processor 2 with the first. The first message is lost before that channel,
/// but the analysis counts all sent messages.
#[test]
fn fixed_drop_set_counts_lost_contenders() {
    let fates = |policy| {
        let mut run = greedy(tree(4, "skinny"), list(4, &[(0, 2), (1, 3), (3, 2)]), policy, 1);
        run.step();
        let height = |message| match run.fate(message) {
            CycleResult::Lost(channel) => run.concentrators().channels().location(channel).map(|place| place.height),
            _ => None,
        };
        ([0, 1, 2].map(height), run.counts().delivered)
    };
    assert_eq!(fates(SurvivorPolicy::DropAll), ([Some(1), Some(1), None], 1));
    assert_eq!(fates(SurvivorPolicy::DropFixed), ([Some(1), Some(1), Some(0)], 0));
}

/// A message whose channels are all uncongested arrives under every policy.
#[test]
fn uncongested_messages_arrive_under_every_policy() {
    for seed in 0..200 {
        let (tree, set) = (random_tree(16, seed), random_messages(16, 12, seed % 2 == 0, seed));
        let arrived = |policy| {
            let mut run = greedy(tree, set.clone(), policy, seed);
            run.step();
            run.arrived().to_vec()
        };
        let fixed = arrived(SurvivorPolicy::DropFixed);
        for policy in SurvivorPolicy::ALL {
            let all = arrived(policy);
            assert!(fixed.iter().zip(&all).all(|(fixed, other)| fixed <= other), "seed {seed}, {policy}");
        }
    }
}

/// All-to-one traffic: each of 63 messages is sent with probability p. Under the analysis' policy a
/// message arrives only if it is the only one. So a cycle delivers with probability 63 p (1-p)^62.
#[test]
fn drop_fixed_share_matches_closed_form() {
    let (tree, set) = (tree(64, "standard"), messages(64, "all-to-one:5", 1));
    for r in [0.5, 2.0, 24.0] {
        let found =
            lemma_6(tree.channels(), &set, r, SurvivorPolicy::DropFixed, 40_000, Key::from_seed(3)).expect("it fits");
        let p = 1.0 / (63.0 * r);
        assert!((found.probability - p).abs() < 1e-15);
        assert_share(found.delivered, 40_000, 63.0 * p * libm::pow(1.0 - p, 62.0));
    }
}

/// Lemma 6 with the drop set of its proof. A random permutation on the skinny tree loses more
/// messages than under `drop-all`.
#[test]
fn lemma_6_holds_for_the_set_of_its_proof() {
    for (profile, pattern) in [("standard", "random"), ("volume", "bit-reversal"), ("skinny", "transpose")] {
        let (tree, set) = (tree(64, profile), messages(64, pattern, 3));
        let share = |r: f64, policy| {
            lemma_6(tree.channels(), &set, r, policy, 20_000, Key::from_seed(1))
                .expect("it fits")
                .share()
                .expect("some")
        };
        let r = congestion_parameter(tree);
        assert!(share(r, SurvivorPolicy::DropFixed) >= 0.5);
        assert!(share(r / 10.0, SurvivorPolicy::DropFixed) < share(r / 10.0, SurvivorPolicy::DropAll));
    }
}

/// GREEDY never ends if a channel is congested. The second network draws other wires and continues.
#[test]
fn drop_fixed_makes_greedy_stuck() {
    let mut run = greedy(tree(16, "standard"), messages(16, "half", 1), SurvivorPolicy::DropFixed, 1);
    assert!(matches!(run.run_until(100), Some(DeliveryOutcome::Stuck { left: 16, .. })));
    assert_eq!((run.cycle(), SurvivorPolicy::DropFixed.is_admissible()), (1, false));
    let mut run = greedy(tree(16, "doubling"), messages(16, "half", 1), SurvivorPolicy::DropFixed, 1);
    assert_eq!(run.run_until(100), Some(DeliveryOutcome::Delivered { undeliverable: 0 }));
    assert_eq!(run.counts().completion, 1);
    let config = faultlab::switching::delivery::DeliveryConfig::new(
        SecondNetwork::new(16).expect("a power of four").channels(),
        SurvivorPolicy::DropFixed,
    );
    let all = faultlab::switching::delivery::DeliveryRun::new(
        config,
        messages(16, "random", 1),
        Box::new(faultlab::routing::fat_tree::RandomPrime::new()),
        Key::from_seed(1),
    );
    assert_eq!(all.expect("it fits").run_until(100_000), Some(DeliveryOutcome::Delivered { undeliverable: 0 }));
}
