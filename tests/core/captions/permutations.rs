//! Checks of captions about permutations and batches (the thesis). `thesis` checks others.

use super::{assert_between, assert_compatible, mean, preset_sweep, preset_sweep_with};

/// Presets "thesis-deadlock-length" ("With one flit about one in a hundred permutations deadlocks,
/// with two one in five, with eight nine in ten. Longer messages .. deadlock equally often") and
/// "thesis-freeze" ("one in fourteen is delivered under A"). Item "thesis-deadlock" has the same
/// numbers.
#[test]
fn longer_messages_freeze_more_often() {
    let frozen = |lengths, within: &str| {
        preset_sweep_with("thesis-deadlock-length", &format!("route=algorithm-a&vary=length:{lengths}&{within}"))
    };
    let sweep = frozen("1", "within=0.003");
    assert_compatible(super::estimate(&sweep, "algorithm-a", 1.0, "deadlock"), 0.005, 0.015);
    let sweep = frozen("2,8,16", "within=0.006&trials=20000");
    let share = |flits| super::estimate(&sweep, "algorithm-a", flits, "deadlock");
    assert_compatible(share(2.0), 1.0 / 5.5, 1.0 / 4.5);
    assert_compatible(share(8.0), 0.85, 0.95);
    assert_between(1.0 / (1.0 - share(8.0).mean), 13.0, 15.0);
    // A message of eight flits may not cover its whole route of up to eleven hops, but the result
    // for longer messages is almost the same.
    assert_between(share(16.0).mean - share(8.0).mean, -0.012, 0.012);
}

/// Item "thesis-deadlock": "In the 8-cube every permutation that was tried deadlocks with four
/// flits."
#[test]
fn four_flits_freeze_every_permutation_of_the_8_cube() {
    let sweep = preset_sweep_with("thesis-deadlock-length", "net=cube:8&route=algorithm-a&vary=length:4");
    assert_eq!(mean(&sweep, "algorithm-a", 4.0, "deadlock"), 1.0);
}

/// Preset "thesis-kim-shin" and item "thesis-faults": "With up to 8 random faults it nearly
/// always finds a healthy 8-cube, with 16 in three fault sets of four, with 32 hardly ever"; "with
/// 8 faults A has half of the nodes active and B none".
#[test]
fn kim_and_shin_bear_more_random_faults_than_they_guarantee() {
    let sweep = preset_sweep("thesis-kim-shin", "f:5,8,16,32", 0.02);
    let applies = |f| super::estimate(&sweep, "kim-shin", f, "applies");
    assert_eq!(applies(5.0).mean, 1.0);
    assert!(applies(8.0).mean > 0.95 && applies(32.0).mean < 0.05, "{:?} {:?}", applies(8.0), applies(32.0));
    assert_compatible(applies(16.0), 0.7, 0.8);
    let active = |series| super::estimate(&sweep, series, 8.0, "active");
    assert_compatible(active("algorithm-a"), 0.45, 0.55);
    assert_compatible(active("algorithm-b"), 0.0, 0.05);
}

/// Preset "thesis-tolerance": "1/(3n) of its paths, here 4%".
#[test]
fn the_tolerance_of_the_thesis_is_4_percent_at_n_8() {
    assert_between(1.0 / (3.0 * 8.0), 0.035, 0.045);
    // "of 256 paths from an excluded node": more than 10 faulty paths make a node inactive. Preset
    // "thesis-shadow" has the same number for this cube.
    assert_eq!((256.0f64 / 24.0).floor(), 10.0);
}
