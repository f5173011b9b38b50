//! Tests of message sets.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::collections::BTreeSet;

use faultlab::random::Key;
use faultlab::theory::fat_tree::LoadFactor;
use faultlab::traffic::{MessagePattern, MessageSet, Placement};

use super::{list, messages, tree};

fn pairs(n: u64, pattern: &str) -> Vec<[u32; 2]> {
    messages(n, pattern, 1).ends().to_vec()
}

#[test]
fn patterns_have_the_expected_pairs() {
    assert_eq!(pairs(4, "half"), [[0, 2], [1, 3], [2, 0], [3, 1]]);
    assert_eq!(pairs(4, "neighbors"), [[0, 1], [1, 0], [1, 2], [2, 1], [2, 3], [3, 2]]);
    assert_eq!(pairs(2, "neighbors"), [[0, 1], [1, 0]]);
    assert_eq!(pairs(4, "ring"), [[0, 1], [1, 2], [2, 3], [3, 0]]);
    assert_eq!(pairs(4, "one-to-all:2"), [[2, 0], [2, 1], [2, 3]]);
    let out = MessageSet::OUT;
    assert_eq!(pairs(2, "out*2"), [[0, out], [0, out], [1, out], [1, out]]);
    assert!(messages(2, "out", 1).has_external_messages() && !messages(2, "ring", 1).has_external_messages());
    assert_eq!(pairs(4, "all-to-one:2"), [[0, 2], [1, 2], [3, 2]]);
    assert_eq!(pairs(8, "bit-reversal")[3], [3, 6]);
    assert_eq!(pairs(16, "transpose")[7], [7, 13]);
    assert_eq!(pairs(8, "complement")[1], [1, 6]);
    assert_eq!(pairs(4, "cube:1"), [[0, 2], [1, 3], [2, 0], [3, 1]]);
    assert_eq!(pairs(4, "cube"), [[0, 1], [0, 2], [1, 0], [1, 3], [2, 3], [2, 0], [3, 2], [3, 1]]);
    // Two rows of two: 0 1 above 2 3, in either placement.
    for placement in ["z-order", "row-major"] {
        assert_eq!(pairs(4, &format!("mesh:{placement}:east")), [[0, 1], [2, 3]]);
        assert_eq!(pairs(4, &format!("mesh:{placement}:north")), [[2, 0], [3, 1]]);
    }
    assert_eq!(pairs(2, "mesh:z-order"), [[0, 1], [1, 0]]);
}

/// Section 1: each processor sends a message to the other side of a cut and receives one. All
/// (n/2)!^2 pairs of bijections are equally likely; four processors have 4.
#[test]
fn crossing_sets_are_random_bijections_of_the_halves() {
    for seed in 0..50 {
        let set = messages(32, "cross", seed);
        assert!(set.ends().iter().all(|&[from, to]| (from < 16) != (to < 16)));
        assert_eq!(set.ends().iter().map(|ends| ends[0]).collect::<BTreeSet<_>>().len(), 32);
        assert_eq!(set.ends().iter().map(|ends| ends[1]).collect::<BTreeSet<_>>().len(), 32);
    }
    let mut counts = std::collections::BTreeMap::<Vec<[u32; 2]>, u32>::new();
    (0..2000).for_each(|seed| *counts.entry(messages(4, "cross", seed).ends().to_vec()).or_default() += 1);
    assert_eq!(counts.len(), 4);
    let chi: f64 = counts.values().map(|&count| libm::pow(f64::from(count) - 500.0, 2.0) / 500.0).sum();
    assert!(chi < 16.3, "chi-square {chi} of 3 degrees of freedom: 0.1 %");
}

/// Load factors calculated by hand. If two halves exchange n/2 messages, channels at height h above
/// 2^h processors carry 2^h. In `neighbors`, a processor sends two messages over its leaf channel,
/// except the two at the ends; in `ring` one. One-to-all loads a leaf channel with n-1. Out of the
/// root, 2^h messages cross each channel of height h, and n the external one.
#[test]
fn load_factors_match_hand_calculation() {
    let load =
        |n, profile, pattern| LoadFactor::new(&tree(n, profile).channels(), messages(n, pattern, 1).ends()).value();
    for (pattern, skinny, standard, doubling) in [
        ("cross", 8.0, 4.0, 1.0),
        ("half", 8.0, 4.0, 1.0),
        ("neighbors", 2.0, 2.0, 2.0),
        ("ring", 1.0, 1.0, 1.0),
        ("one-to-all:3", 15.0, 15.0, 15.0),
        ("all-to-one:3", 15.0, 15.0, 15.0),
        ("out", 16.0, 4.0, 1.0),
        ("out*3", 48.0, 12.0, 3.0),
    ] {
        let found = ["skinny", "standard", "doubling"].map(|profile| load(16, profile, pattern));
        assert_eq!(found, [skinny, standard, doubling], "{pattern}");
    }
    assert_eq!(load(64, "standard", "cross"), 8.0);
    assert_eq!((load(2, "standard", "neighbors"), load(2, "standard", "cross")), (1.0, 1.0));
}

#[test]
fn h_relations_send_and_receive_h_per_processor() {
    for (pattern, h) in [("random", 1), ("random*5", 5), ("transpose*3", 3)] {
        let set = messages(32, pattern, 9);
        for end in [0, 1] {
            for node in 0..32 {
                assert_eq!(set.ends().iter().filter(|ends| ends[end] == node).count(), h);
            }
        }
        assert!(set.ends().is_sorted_by_key(|ends| ends[0]));
    }
    assert_ne!(messages(32, "random", 1), messages(32, "random", 2));
    assert!(messages(32, "random*0", 1).is_empty());
}

/// Placements use every node of the mesh once, links join adjacent nodes, and in Z-order a subtree
/// is a square or two squares side by side.
#[test]
fn placements_are_bijective_and_adjacent() {
    for (levels, rows, columns) in [(4u8, 4, 4), (5, 4, 8)] {
        for placement in Placement::ALL {
            let id = placement.id();
            let mut at = vec![None; 1 << levels];
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                let place = &mut at[placement.processor(levels, row, column) as usize];
                assert_eq!(place.replace((row, column)), None);
            }
            let at: Vec<(u32, u32)> = at.into_iter().map(Option::unwrap).collect();
            let links = pairs(1 << levels, &format!("mesh:{id}"));
            assert_eq!(links.len() as u32, 2 * (rows * (columns - 1) + columns * (rows - 1)));
            assert_eq!(links.iter().collect::<BTreeSet<_>>().len(), links.len());
            for [a, b] in links {
                let ((row, column), (other_row, other_column)) = (at[a as usize], at[b as usize]);
                assert_eq!(row.abs_diff(other_row) + column.abs_diff(other_column), 1);
            }
            if placement == Placement::ZOrder {
                for quarter in at.chunks(4) {
                    assert!(
                        quarter.iter().all(|node| (node.0 / 2, node.1 / 2) == (quarter[0].0 / 2, quarter[0].1 / 2))
                    );
                }
            }
        }
    }
}

#[test]
fn custom_list_is_sorted_by_source() {
    let set = list(4, &[(3, 0), (1, 2), (3, MessageSet::OUT), (1, 1)]);
    assert_eq!(set.ends(), [[1, 2], [1, 1], [3, 0], [3, u32::MAX]]);
    assert!(set.has_external_messages() && !list(4, &[(1, 2)]).has_external_messages());
}

#[test]
fn detour_legs_share_the_intermediate() {
    let set = list(16, &[(0, 5), (0, MessageSet::OUT), (3, 3), (9, 1)]);
    let [to, from] = set.valiant_phases(Key::from_seed(4));
    assert_eq!((to.len(), from.len()), (4, 3));
    let mut middles: Vec<_> = to.ends().iter().map(|ends| ends[1]).filter(|&via| via != MessageSet::OUT).collect();
    let mut starts: Vec<_> = from.ends().iter().map(|ends| ends[0]).collect();
    middles.sort_unstable();
    starts.sort_unstable();
    assert_eq!(middles, starts);
    // Every processor is equally likely as the intermediate: chi-square of 15 degrees of freedom,
    // 0.1% point 37.7.
    let [many, _] = messages(16, "cross", 1).valiant_phases(Key::from_seed(5));
    let mut counts = [0u32; 16];
    (0..200).for_each(|seed| {
        let [to, _] = many.valiant_phases(Key::from_seed(seed));
        to.ends().iter().for_each(|ends| counts[ends[1] as usize] += 1);
    });
    let chi: f64 = counts.iter().map(|&count| libm::pow(f64::from(count) - 200.0, 2.0) / 200.0).sum();
    assert!(chi < 37.7, "{chi}");
}

#[test]
fn pattern_texts_round_trip() {
    for text in [
        "random",
        "transpose",
        "bit-reversal",
        "complement",
        "worst",
        "random*4",
        "cross",
        "half",
        "neighbors",
        "ring",
        "out",
        "out*5",
        "one-to-all:0",
        "all-to-one:3",
        "mesh:z-order",
        "mesh:row-major:west",
        "cube",
        "cube:3",
    ] {
        let pattern = MessagePattern::parse(text).expect(text);
        assert_eq!(pattern.to_string(), text);
        assert_eq!(pattern.is_random(), text.starts_with("random") || text == "cross");
        assert_eq!(pattern.is_random_permutation(), text.starts_with("random"));
    }
    for text in [
        "",
        "mesh",
        "mesh:spiral",
        "mesh:z-order:up",
        "random*",
        "random*-1",
        "cube:",
        "cube:300",
        "all-to-one",
        "one-to-all",
        "out:1",
        "cross*2",
        "list:1",
    ] {
        assert_eq!(MessagePattern::parse(text), None, "{text}");
    }
}
