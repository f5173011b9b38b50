//! Tests of Theorem 9: the message set on which GREEDY is slow.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::random::Key;
use faultlab::switching::delivery::SurvivorPolicy;
use faultlab::theory::fat_tree::{BadSet, BadSetError, bad_set, bad_set_cycles, check_bad_set, theorem_9_bound};
use faultlab::topology::fat_tree::FatTree;

use super::{greedy, random_tree, tree};

fn bad(tree: FatTree, lambda: u32, policy: SurvivorPolicy) -> BadSet {
    bad_set(tree, lambda, policy, Key::from_seed(1)).expect("a bad set")
}

/// GREEDY under `left` takes exactly lambda (1 + lg n / 6) cycles. With standard capacities the
/// load factor is 4 lambda / 3.
#[test]
fn greedy_takes_the_predicted_cycles() {
    let cycles = |n: u64, lambda| {
        let tree = tree(n, "standard");
        let set = bad(tree, lambda, SurvivorPolicy::Left);
        let load_factor = set.load_factor.value();
        let mut run = greedy(tree, set.messages, SurvivorPolicy::Left, 1);
        run.run_until(100_000);
        (run.counts().completion, load_factor)
    };
    assert_eq!(cycles(16, 48), (80, 64.0));
    assert_eq!(cycles(64, 48), (96, 64.0));
    for (n, lambda) in [(4, 12), (4, 48), (16, 12), (64, 24), (256, 48), (1024, 12)] {
        let (cycles, load_factor) = cycles(n, lambda);
        assert_eq!(
            (cycles as f64, load_factor),
            (bad_set_cycles(n as u32, lambda), f64::from(lambda) * 4.0 / 3.0),
            "n = {n}"
        );
    }
}

/// With suitable capacities, the set has the three properties of the claim in the proof.
#[test]
fn set_has_the_three_properties() {
    for (n, policy) in [(16u64, SurvivorPolicy::Left), (64, SurvivorPolicy::Left), (64, SurvivorPolicy::Alternate)] {
        let (lambda, tree) = (48, tree(n, "sibling"));
        let set = bad(tree, lambda, policy);
        assert_eq!(set.load_factor.value(), f64::from(lambda), "property 1");
        let root = f64::from(tree.capacity(tree.levels()));
        let mut run = greedy(tree, set.messages, policy, 1);
        let removed = f64::from(lambda) * root / 12.0;
        while f64::from(run.counts().delivered) < removed {
            let before = run.counts().delivered;
            run.step();
            assert_eq!(f64::from(run.counts().delivered - before), root, "property 2");
        }
        let then = u64::from(run.cycle());
        run.run_until(100_000);
        assert!((run.counts().completion - then) as f64 >= theorem_9_bound(n as u32, lambda), "property 3");
    }
}

/// The bound of Theorem 9 is lambda lg n / 24.
#[test]
fn theorem_9_grows_with_lambda_and_with_the_levels() {
    let bounds = [(1, 24), (2, 24), (2, 48), (1024, 12), (1024, 36), (65536, 3)];
    assert_eq!(bounds.map(|(n, lambda)| theorem_9_bound(n, lambda)), [0.0, 1.0, 2.0, 5.0, 15.0, 2.0]);
}

#[test]
fn choices_record_the_construction() {
    let set = bad(tree(64, "standard"), 48, SurvivorPolicy::Left);
    assert_eq!(set.choices.iter().map(|choice| choice.size).collect::<Vec<_>>(), [64, 16, 4]);
    for choice in &set.choices {
        let root = choice.size.isqrt();
        let removed: u32 = choice.removed.iter().sum();
        assert!(removed >= 48 * root / 12 && choice.cycles > 48 / 12);
        assert_eq!(choice.removed[usize::from(choice.unfavored)], choice.removed.into_iter().min().unwrap());
    }
    let last = set.choices[2];
    let worst = last.first + u32::from(last.unfavored);
    let sent = |processor| set.messages.ends().iter().filter(|ends| ends[0] == processor).count();
    assert_eq!((sent(worst), set.messages.len()), (48, 48 * 8));
    // lambda sqrt(64)/6 messages over 16 processors, lambda sqrt(16)/6 over 4, lambda sqrt(4)/6
    // over 1.
    let loads: std::collections::BTreeSet<_> = (0..64).map(sent).collect();
    assert!(loads.into_iter().eq([4, 8, 16, 48]));
}

#[test]
fn rejects_trees_outside_the_theorem() {
    let key = Key::from_seed(1);
    let why = |tree, lambda, policy| bad_set(tree, lambda, policy, key).expect_err("no bad set");
    use SurvivorPolicy::{DropAll, Left};
    assert_eq!(why(tree(32, "standard"), 48, Left), BadSetError::OddLevels(5));
    assert_eq!(why(tree(16, "standard"), 11, Left), BadSetError::Lambda(11));
    assert_eq!(why(tree(16, "standard"), 12, DropAll), BadSetError::NotAdmissible(DropAll));
    assert_eq!(why(tree(16, "volume"), 12, Left), BadSetError::Capacity { height: 2, capacity: 1 });
    assert_eq!(why(tree(1 << 20, "standard"), 1 << 20, Left), BadSetError::TooLarge);
    for error in
        [why(tree(32, "standard"), 48, Left), why(tree(16, "volume"), 12, Left), why(tree(16, "standard"), 0, Left)]
    {
        assert!(error.to_string().starts_with("Theorem 9 needs"), "{error}");
    }
    assert!(bad_set(random_tree(16, 3), 12, Left, key).is_err());
    assert!(bad_set(tree(16, "standard"), 12, SurvivorPolicy::Random, key).is_ok());
}

/// A million processors times 64 are 2^26 messages, the size limit.
#[test]
fn size_limit_is_exact() {
    let tree = tree(1 << 20, "standard");
    let check = |lambda| check_bad_set(tree, lambda, SurvivorPolicy::Left);
    assert_eq!((check(64), check(65)), (Ok(()), Err(BadSetError::TooLarge)));
}
