//! Tests of Chiu, Chalasani & Raghavendra, section V: published results, reproduced or not.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::Estimate;
use faultlab::experiment::crossover::{Crossover, crossover, gain, jams_at};

use crate::common::{is_thorough, sweep};

/// Asserts that the half-width is at most `wide` and that the interval, widened by half, contains
/// `value`. Such an interval misses a correct value once in 300 times, a 95% interval once in 20.
#[track_caller]
fn assert_holds(found: &Estimate, value: f64, wide: f64) {
    assert!(found.half_width() <= wide, "{found:?} is wider than {wide}");
    assert!((found.mean - value).abs() <= 1.5 * found.half_width(), "{found:?} does not hold {value}");
}

/// Preset "circuit-figure4" and item "chiu-fig4": "better up to a rate of 0.51".
#[test]
fn up_beats_e_cube_in_the_3_cube_up_to_0_51() {
    let within = if is_thorough() { 0.01 } else { 0.015 };
    let sweep = sweep(&format!("net=cube:3&switch=circuit&route=e-cube,up&vary=rate:0.4,0.5,0.53&within={within}"));
    let Some(Crossover::At(at)) = crossover(&sweep, "up", "e-cube") else { panic!("a crossover") };
    assert_holds(&at, 0.513, 0.015);
    assert!(gain(&sweep, "up", "e-cube", 0.4).is_some_and(|gain| gain.low > 0.08), "better at 0.4");
}

/// Preset "circuit-figure6" and item "chiu-fig6": 2f+3f is better than e-cube below a rate of 0.5.
/// At 0.4 it gains 11 to 12%; the paper publishes 17.44%.
#[test]
fn two_levels_of_up_gain_less_than_published_and_cross_at_0_516() {
    let (within, tolerance) = if is_thorough() { (0.005, 0.006) } else { (0.01, 0.012) };
    let at = sweep(&format!("net=cube:5&switch=circuit&route=e-cube,2f+3f&vary=rate:0.4&within={within}"));
    let gain = gain(&at, "2f+3f", "e-cube", 0.4).expect("a gain");
    assert_holds(&gain, 0.114, tolerance);
    assert!(gain.high < 0.15, "the paper's 17.44% is far off: {gain:?}");
    let within = if is_thorough() { 0.01 } else { 0.015 };
    let round = sweep(&format!("net=cube:5&switch=circuit&route=e-cube,2f+3f&vary=rate:0.5,0.53&within={within}"));
    let Some(Crossover::At(at)) = crossover(&round, "2f+3f", "e-cube") else { panic!("a crossover") };
    assert_holds(&at, 0.516, 0.01);
}

/// Item "chiu-claims": the range "shrinks .. to below 0.5 in the 5-cube", where UP saturates first.
#[test]
fn up_jams_in_the_5_cube_before_it_comes_to_be_worse() {
    let sweep = sweep("net=cube:5&switch=circuit&route=e-cube,up&vary=rate:0.3,0.4,0.5&within=0.05");
    assert_eq!(crossover(&sweep, "up", "e-cube"), Some(Crossover::Collapse { from: 0.3, until: 0.4 }));
    assert!(jams_at(&sweep, "up", 0.5) && !jams_at(&sweep, "e-cube", 0.5));
    assert_eq!(gain(&sweep, "up", "e-cube", 0.4), None);
}

#[test]
fn avail_strategy_changes_gain_of_up() {
    let text = |avail| format!("net=cube:5&switch=circuit&route=e-cube,up&avail={avail}&vary=rate:0.3&within=0.05");
    let gain = |avail| gain(&sweep(&text(avail)), "up", "e-cube", 0.3).expect("a gain");
    let (lowest, random) = (gain("lowest"), gain("random"));
    assert!(lowest.low > 0.2 && random.high < 0.0, "{lowest:?} {random:?}");
}

#[test]
fn restricting_up_does_not_help() {
    let sweep = sweep("net=cube:5&switch=circuit&route=restricted-up,up&vary=rate:0.2&within=0.01");
    let gain = gain(&sweep, "restricted-up", "up", 0.2).expect("a gain");
    assert!(gain.high < 0.0, "{gain:?}");
}
