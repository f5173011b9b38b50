//! The thesis in the Papers view: every item, and the numbers that its words and the presets' rest on.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::Sweep;
use faultlab::experiment::papers::{Item, Verdict, item, items};

use crate::common::{finished, sweep};

/// Every claim with a number is confirmed; what has none says so, and is measured all the same.
fn assert_confirmed(item: &Item) {
    let cells = finished(item);
    assert!(cells.len() >= 8, "{}", item.id);
    for cell in &cells {
        let expected = if cell.published.is_some() { Verdict::Reproduced } else { Verdict::NoNumber };
        assert_eq!(cell.verdict, expected, "{cell:?}");
        assert!(cell.measured.is_some(), "{cell:?}");
    }
    assert!(cells.iter().filter(|cell| cell.published.is_some()).count() >= 4, "{}", item.id);
}

fn of_the_thesis() -> impl Iterator<Item = &'static Item> {
    items().filter(|item| item.paper.id == "thesis")
}

#[test]
fn no_exact_claim_of_the_thesis_fails() {
    let exact: Vec<_> = of_the_thesis().filter(|item| !item.is_simulated()).collect();
    assert_eq!(exact.len(), 7);
    exact.into_iter().for_each(assert_confirmed);
}

#[test]
fn algorithm_b_never_freezes() {
    assert_confirmed(item("thesis-deadlock").expect("an item"));
}

/// Too long for a browser's patience with tests.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn no_simulated_claim_of_the_thesis_fails() {
    assert_eq!(of_the_thesis().filter(|item| item.is_simulated()).count(), 3);
    for id in ["thesis-congestion", "thesis-faults"] {
        assert_confirmed(item(id).expect("an item"));
    }
}

/// What is measured where the thesis has no number.
#[test]
fn what_the_thesis_does_not_say() {
    let cells = item("thesis-examples").expect("an item").cells(&[]);
    let waiting = |row: &str| {
        let one = cells.iter().filter(|cell| cell.row.starts_with(row) && cell.published.is_none());
        one.filter_map(|cell| cell.measured).collect::<Vec<_>>()
    };
    assert_eq!(waiting("Figure 3-3"), [0.0], "with one flit");
    assert_eq!(waiting("two messages that turn back"), [2.0], "with one flit");
}

/// The mean of a metric, of one algorithm at one value.
fn mean(sweep: &Sweep, series: &str, x: f64, metric: &str) -> f64 {
    let metric = sweep.experiment().kind().metric(metric).expect("a metric");
    let here = sweep.points().iter().find(|point| point.algorithm.id == series && point.x == Some(x));
    here.and_then(|point| point.estimate(metric)).expect("a measured point").mean
}

#[track_caller]
fn about(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 0.04 * expected.abs().max(0.5), "{value} is not about {expected}");
}

#[test]
fn under_transpose_randomized_routing_overtakes_bit_fixing() {
    let sweep = sweep("switch=permutation&faults=none&traffic=transpose&vary=n:6,8,10,16&trials=60");
    let congestion = |series, n| mean(&sweep, series, n, "congestion");
    assert!(congestion("algorithm-a", 6.0) > 4.0 && congestion("algorithm-a", 8.0) < 8.0);
    assert!(congestion("algorithm-b", 8.0) > 8.0 && congestion("algorithm-b", 10.0) < 16.0);
    assert_eq!(congestion("bit-fixing", 16.0), 128.0);
    about(congestion("algorithm-a", 16.0), 8.6);
    about(congestion("algorithm-b", 16.0), 14.3);
}

#[test]
fn scattered_faults_do_more_harm_than_a_ball() {
    let text =
        |kind| format!("switch=permutation&net=cube:12&faults={kind}:16&route=algorithm-a,algorithm-b&vary=f:16");
    let (ball, random) = (sweep(&text("ball")), sweep(&text("count")));
    let active = |sweep: &Sweep, series| mean(sweep, series, 16.0, "active");
    about(active(&ball, "algorithm-a"), 0.798);
    about(active(&ball, "algorithm-b"), 0.473);
    about(active(&random, "algorithm-a"), 0.707);
    about(active(&random, "algorithm-b"), 0.044);
}

/// With 8 faults at n = 10, active under Algorithm A.
#[test]
fn chosen_faults_do_more_harm_than_random_ones() {
    for (faults, active) in [("greedy-a", 0.25), ("count", 0.524), ("ball", 0.697)] {
        let text = format!("switch=permutation&net=cube:10&faults={faults}:8&route=algorithm-a&vary=f:8&trials=32");
        about(mean(&sweep(&text), "algorithm-a", 8.0, "active"), active);
    }
}

/// Algorithms A and B apply to any faults, and yet have fewer nodes left than Kim & Shin at n = 10.
#[test]
fn with_a_few_faults_kim_and_shin_serve_more_nodes_of_the_10_cube() {
    let sweep =
        sweep("switch=permutation&net=cube:10&faults=count:8&route=kim-shin,algorithm-a,algorithm-b&vary=f:8,16");
    about(mean(&sweep, "kim-shin", 16.0, "applies"), 0.73);
    about(mean(&sweep, "kim-shin", 8.0, "active"), 0.992);
    about(mean(&sweep, "algorithm-a", 8.0, "active"), 0.517);
    about(mean(&sweep, "algorithm-b", 8.0, "active"), 0.004);
}

#[test]
fn a_larger_tolerance_brings_the_nodes_back() {
    let text = "switch=permutation&faults=count:10&route=algorithm-a,algorithm-b&vary=tolerance:0.04,0.25,0.4";
    let sweep = sweep(text);
    let active = |series, tolerance| mean(&sweep, series, tolerance, "active");
    assert_eq!(active("algorithm-a", 0.04), 0.0);
    about(active("algorithm-a", 0.25), 0.72);
    about(active("algorithm-a", 0.4), 0.87);
    about(active("algorithm-b", 0.4), 0.34);
}
