//! Tests of comparisons of two routings on the same faults and messages.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::{Comparison, Status, compare};

use crate::common::experiment;

fn compared(text: &str, metric: &str) -> Comparison {
    let experiment = experiment(text);
    let metric = experiment.kind().metric(metric).expect("such a metric");
    let mut comparison = Comparison::new(&experiment, metric).expect("two routings");
    compare(&mut comparison);
    comparison
}

/// Chiu, Chalasani & Raghavendra, Theorem 2: link 24_1 of the 5-cube cuts off 16 pairs under e-cube
/// and 4 under UP.
#[test]
fn deterministic_difference_is_exact() {
    let comparison = compared("net=cube:5&switch=pairs&break=24_1&route=e-cube,up", "pairs");
    let [point] = comparison.points() else { panic!("one point") };
    let (by, share) = (point.difference().expect("a difference"), point.gain().expect("a gain"));
    assert_eq!((point.status, by.mean, by.is_exact(), share.mean), (Status::Exact, -12.0, true, 0.75));
}

/// In a cube of one dimension all criteria permit the same paths, so setup times are equal run by
/// run.
#[test]
fn equal_routings_have_zero_difference() {
    let comparison = compared("net=cube:1&switch=circuit&route=e-cube,up&rate=0.5", "setup");
    let [point] = comparison.points() else { panic!("one point") };
    let by = point.difference().expect("a difference");
    assert!(by.mean == 0.0 && by.low <= 0.0 && by.high >= 0.0 && point.status == Status::Converged, "{by:?}");
    assert!((point.base() - 1.0).abs() < 0.1, "{}", point.base());
}

/// Backtracking equals sidetracking until it meets a blocked node. Complete enumeration of the
/// fault sets of the 4-cube at p = .5 and mpl = 5 gives success probabilities of .779968 and
/// .749598. Paired trials detect the difference with fewer messages than independent samples.
#[test]
fn pairing_detects_small_difference() {
    let text = "net=cube:4&faults=nodes:0.5&mpl=5&route=sidetracking,backtracking&within=0.01";
    let comparison = compared(text, "success");
    let [point] = comparison.points() else { panic!("one point") };
    let by = point.difference().expect("a difference");
    // A higher success is better, so the gain is positive.
    assert!(point.gain().is_some_and(|gain| gain.low > 0.0));
    let exact = 0.779_968_261_719 - 0.749_597_899_800;
    assert!(by.low <= exact && exact <= by.high && by.low > 0.0, "{by:?}");
    // Two independent shares of about three quarters would need 2 * 0.19 * (1.96 / 0.01)^2.
    assert!(by.n < 14_400, "{by:?}");
}

/// Chiu, Chalasani & Raghavendra, Figure 6: in the 3-cube UP is better up to a rate of 0.51.
#[test]
fn up_crosses_e_cube_where_the_paper_says() {
    let comparison =
        compared("net=cube:3&switch=circuit&route=e-cube,up&vary=rate:0.42,0.46,0.5,0.54&within=0.03", "setup");
    let up = comparison.points()[0].challenger.clone();
    let crossings = comparison.crossings(&up);
    let [(at, below)] = crossings.as_slice() else { panic!("one crossing: {crossings:?}") };
    assert!(!below && at.low < 0.513 && 0.513 < at.high && at.high - at.low < 0.05, "{at:?}");
}

/// A network that never saturates has no time to collapse. The comparison is reported as impossible
/// and ends.
#[test]
fn unmeasurable_metric_is_impossible() {
    let comparison = compared("net=cube:1&switch=circuit&route=e-cube,up&rate=0.2", "collapse");
    let [point] = comparison.points() else { panic!("one point") };
    assert_eq!((point.status, point.pairs.len(), point.difference()), (Status::Impossible, 0, None));
}

/// The first version compares the deciding metric, later ones what the chart shows.
#[test]
fn usual_metric_is_the_plotted_one_from_version_2_on() {
    for (text, metric) in [
        ("v=1&switch=wormhole&plot=latency", "utilization"),
        ("v=2&switch=wormhole", "throughput"),
        ("v=2&switch=wormhole&plot=latency", "latency"),
        ("v=2&switch=wormhole&plot=latencies", "throughput"),
        ("v=2&switch=circuit", "setup"),
    ] {
        assert_eq!(Comparison::usual_metric(&experiment(text)).id, metric, "{text}");
    }
}

#[test]
fn rejects_single_routing() {
    let experiment = experiment("net=cube:4&route=sidetracking");
    let refused = Comparison::new(&experiment, experiment.kind().first_metric()).err();
    assert_eq!(
        refused.map(|error| error.to_string()).as_deref(),
        Some("route=sidetracking: a comparison needs at least two routings; accepted: route=ONE,ANOTHER")
    );
}
