//! Tests of the congestion parameter, Lemma 6, Figure 4, and universality.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::random::Key;
use faultlab::switching::delivery::SurvivorPolicy;
use faultlab::theory::fat_tree::{
    Detour, Growth, congestion_parameter, embedded_steps, figure_4, figure_4_cycles, lemma_6, lemma_6_bound,
};

use super::{list, messages, start, tree};
use crate::common::assert_share;

/// The congestion parameter is the smallest r with 2 * sum over h < L of (e/r)^cap(h) <= 1/2. From
/// n = 64 on it is 24.218 for `standard`, 32.638 for `volume` and 13.206 for `doubling`; for
/// `skinny` it is 4e lg n.
#[test]
fn congestion_parameter_has_known_values() {
    for n in [64, 1024, 1 << 20] {
        for (profile, r) in [("standard", 24.218), ("volume", 32.638), ("doubling", 13.206)] {
            // The tails of the sums affect the last digits.
            let found = congestion_parameter(tree(n, profile));
            assert!((found - r).abs() < 0.001, "{profile}, n = {n}: {found}");
        }
        let skinny = 4.0 * std::f64::consts::E * f64::from(n.ilog2());
        assert!((congestion_parameter(tree(n, "skinny")) - skinny).abs() < 1e-9);
    }
    // By definition the sum is 1/2.
    for profile in ["sibling", "sqrt2", "cbrt4", "constant:5", "custom:3,1,4,1,5,9"] {
        let tree = tree(32, profile);
        let r = congestion_parameter(tree);
        let each = tree.capacities().take(5).map(|cap| 2.0 * libm::pow(std::f64::consts::E / r, f64::from(cap)));
        assert!((each.sum::<f64>() - 0.5).abs() < 1e-9);
        assert!((lemma_6_bound(tree, r, 5) - 0.5).abs() < 1e-9 && lemma_6_bound(tree, r, 1) > 0.5);
    }
}

/// Lemma 6 under the policy that its proof assumes. The computed r is conservative by a factor of
/// about ten.
#[test]
fn lemma_6_holds_in_simulation() {
    let measure = |profile, pattern, careful, trials| {
        let (tree, set) = (tree(64, profile), messages(64, pattern, 3));
        let r = congestion_parameter(tree) / careful;
        lemma_6(tree.channels(), &set, r, SurvivorPolicy::DropAll, trials, Key::from_seed(1)).expect("it fits")
    };
    for (profile, pattern) in [("standard", "random"), ("volume", "bit-reversal"), ("skinny", "transpose")] {
        let share = |careful| measure(profile, pattern, careful, 20_000).share().expect("something was sent");
        assert!((0.95..=1.0).contains(&share(1.0)), "{profile}, {pattern}: {}", share(1.0));
        assert!(share(10.0) >= 0.5);
    }
    // All-to-one traffic: a sent message arrives if none of the 62 others is sent.
    let found = measure("standard", "all-to-one:5", 1.0, 100_000);
    let alone = libm::pow(1.0 - found.probability, 62.0);
    assert!(alone > 0.95 && (found.probability * 63.0 * 24.218 - 1.0).abs() < 1e-4);
    assert_share(found.delivered, found.sent, alone);
}

#[test]
fn figure_4_has_the_published_rows() {
    let rows = figure_4(65536);
    assert_eq!(rows.map(|row| row.cycles), [Growth::One, Growth::LgN, Growth::LgNLgLambda, Growth::Lambda]);
    assert_eq!(rows.map(|row| row.cycles.to_string()), ["1", "O(lg n)", "O(lg n lg lambda)", "O(lambda)"]);
    assert_eq!(rows.map(|row| row.from), [0.0, 1.0, 2.0, 64.0], "lg n lg lg n = 16 times 4");
    assert_eq!(rows.map(|row| row.to), [Some(1.0), Some(2.0), Some(64.0), None]);
    let cycles = [0.5, 1.0, 1.5, 2.0, 16.0, 64.0, 65.0, 1e6].map(|lambda| figure_4_cycles(65536, lambda));
    assert_eq!(cycles, [1.0, 1.0, 16.0, 16.0, 64.0, 96.0, 65.0, 1e6]);
    assert_eq!(figure_4(2)[3].from, 2.0);
}

/// A message set with a load factor of at most 1 arrives in one cycle under any algorithm (Figure
/// 4, first row).
#[test]
fn load_factor_one_takes_one_cycle() {
    for id in ["greedy", "random-guess"] {
        for policy in SurvivorPolicy::ALL {
            for (profile, pattern) in [("doubling", "random"), ("skinny", "ring"), ("standard", "ring")] {
                let mut run = start(id, tree(64, profile), messages(64, pattern, 1), policy, 1);
                run.run_until(10);
                assert_eq!((run.counts().completion, run.counts().pseudocode_cycles), (1, 1));
            }
        }
    }
}

/// Lemma 2: in Z-order a subtree is a square or half of one, with a perimeter of 4 or 6
/// sqrt(capacity) links.
#[test]
fn a_mesh_step_loads_a_universal_tree_by_a_constant() {
    let steps = |n, profile| {
        embedded_steps(tree(n, profile)).into_iter().map(|step| step.load_factor.value()).collect::<Vec<_>>()
    };
    for n in [1 << 8, 1 << 10, 1 << 12] {
        assert_eq!(steps(n, "standard")[0], 6.0, "n = {n}");
        assert_eq!(steps(n, "sibling")[0], 4.0, "n = {n}");
    }
    // In row-major order the worst subtree is half a row. It has sqrt(n) links to the adjacent rows
    // and one along its own, for n^(1/4)/2 wires.
    for (n, fourth_root) in [(1u32 << 8, 4.0), (1 << 12, 8.0)] {
        assert_eq!(steps(n.into(), "standard")[1], 2.0 * fourth_root + 2.0 / fourth_root, "n = {n}");
        // Across the dimensions above height h, all 2^h nodes send.
        let levels = n.ilog2();
        let loads = (0..levels).map(|h| f64::from((levels - h) << h) / f64::from(1 << (h / 2)));
        assert_eq!(steps(n.into(), "standard")[2], loads.fold(0.0, f64::max));
    }
    assert_eq!(
        embedded_steps(tree(1 << 8, "standard")).iter().map(|step| step.bisection).collect::<Vec<_>>(),
        [16, 16, 128]
    );
}

/// Local messages need no detour: with it, their load factor of 1 becomes that of random
/// permutations.
#[test]
fn valiants_detour_loads_the_root() {
    let (tree, set) = (tree(1024, "standard"), messages(1024, "ring", 1));
    let detour = Detour::new(&tree.channels(), &set, Key::from_seed(1));
    assert_eq!((detour.direct.value(), detour.direct.cycles()), (1.0, 1));
    // A quarter of the messages crosses the root to the right: 256 messages over 16 wires.
    assert!(detour.legs.iter().all(|leg| (14.0..24.0).contains(&leg.value())), "{detour:?}");
    assert!(detour.cycles() > 28);
}

/// Without sent messages there is no share of deliveries. For a small r the sending probability is
/// capped at 1.
#[test]
fn lemma_6_share_is_none_without_messages() {
    let tree = tree(4, "skinny");
    let found =
        lemma_6(tree.channels(), &list(4, &[]), 2.0, SurvivorPolicy::Left, 3, Key::from_seed(1)).expect("it fits");
    assert_eq!((found.sent, found.share()), (0, None));
    let found = lemma_6(tree.channels(), &list(4, &[(0, 3)]), 0.5, SurvivorPolicy::Left, 3, Key::from_seed(1))
        .expect("it fits");
    assert_eq!((found.probability, found.sent, found.share()), (1.0, 3, Some(1.0)));
}
