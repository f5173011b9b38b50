//! Tests of confidence intervals: coverage of exact values, unbounded intervals, and exact results.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::{Estimate, PointResult, Status};

use crate::common::{experiment, is_thorough, measure};

/// Measures the single point of `text`.
fn point(text: &str) -> PointResult {
    measure(text).swap_remove(0)
}

fn estimate(text: &str, metric: &str) -> Estimate {
    let metric = experiment(text).kind().metric(metric).expect("such a metric");
    point(text).estimate(metric).expect("a measurement")
}

/// Number of seeds in regular runs and in thorough runs.
const SEEDS: [u64; 2] = [30, 60];
/// Least accepted coverage for each number of seeds. Fewer than 25 of 30, or 52 of 60, correct 95%
/// intervals cover their value in less than 1% of the cases.
const MIN_COVERED: [usize; 2] = [25, 52];

/// Asserts that enough seeds give an interval that contains `truth`.
fn assert_covers(text: &str, metric: &str, truth: f64) {
    let covers = |seed: &u64| {
        let found = estimate(&format!("{text}&seed={seed}"), metric);
        found.low <= truth && truth <= found.high
    };
    let run = usize::from(is_thorough());
    let covered = (1..=SEEDS[run]).filter(covers).count();
    assert!(covered >= MIN_COVERED[run], "{text}: {covered} of {}", SEEDS[run]);
}

/// Two faults of a 6-cube fall into the same square with probability 3/63, and then a quarter of
/// the nodes is active.
#[test]
fn rare_shares_are_covered() {
    let text = "net=cube:6&switch=permutation&faults=count:2&route=algorithm-b&trials=2000";
    assert_covers(text, "active", 0.25 / 21.0);
}

/// About one run of `random-guess` in fifty takes up to three times as long as usual. The reference
/// mean comes from 100,000 trials.
#[test]
fn rare_long_times_are_covered() {
    let text = "net=tree:256&switch=delivery&traffic=random*4&route=random-guess&k1=2&k2=1&r=2";
    assert_covers(text, "cycles", 63.73);
}

#[test]
fn single_random_trial_has_unbounded_interval() {
    for text in [
        "net=cube:6&switch=permutation&faults=count:2&route=algorithm-a&trials=1",
        "net=tree:64&switch=delivery&traffic=random&route=greedy&trials=1",
        "net=cube:5&switch=pairs&faults=links:0.1&trials=1&route=up",
    ] {
        let found = estimate(text, experiment(text).kind().first_metric().id);
        assert!(found.half_width().is_infinite(), "{text}: {found:?}");
        assert_eq!(point(text).status, Status::OutOfBudget);
    }
}

#[test]
fn deterministic_trial_is_exact() {
    for (text, metric, value) in [
        ("net=cube:8&switch=permutation&faults=none&traffic=transpose&route=bit-fixing", "congestion", 8.0),
        ("net=tree:64&switch=delivery&traffic=bit-reversal&survive=left&route=greedy", "cycles", 7.0),
        ("net=cube:7&route=deterministic", "length", 7.0),
        ("net=cube:5&switch=pairs&faults=none&break=24_1&route=up", "pairs", 4.0),
    ] {
        let (found, point) = (estimate(text, metric), point(text));
        assert_eq!((found.mean, found.low, found.high), (value, value, value), "{text}");
        assert_eq!((point.status, point.tally.trials), (Status::Exact, 1), "{text}");
    }
}

/// On the second network every message draws its wires whenever it is sent, even under GREEDY
/// (Greenberg & Leiserson, section 6).
#[test]
fn second_network_is_sampled() {
    let point = point("net=tree2:16&switch=delivery&traffic=bit-reversal&survive=left&route=greedy");
    assert!(point.status != Status::Exact && point.tally.trials > 1);
}
