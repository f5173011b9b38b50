//! Tests of Lemma 7: loops of TRY-GUESS that do not halve the load factor.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::{Estimate, Experiment, PointResult};

use crate::common::{experiment, measure};

fn unhalved(points: &[PointResult], text: &str) -> Vec<Option<Estimate>> {
    let metric = experiment(text).kind().metric("unhalved").expect("a metric");
    points.iter().map(|point| point.estimate(metric)).collect()
}

/// Two messages on one wire that loses both if both are sent, each with p = 1/2: two subsets do not
/// deliver one of them with probability 1/4. Algorithms without TRY-GUESS have no loops.
#[test]
fn rate_on_one_wire_is_a_closed_form() {
    let text = "switch=delivery&net=tree:2&faults=none&capacity=skinny&traffic=0-1,0-1&survive=drop-all&\
                route=random-guess,greedy&k1=0.001&k2=2&loops=200&trials=40";
    let found = unhalved(&measure(text), text);
    let rate = found[0].expect("loops");
    assert!(rate.n == 40 * 200 && rate.low <= 0.25 && 0.25 <= rate.high, "{rate:?}");
    assert!(rate.high - rate.low < 0.02 && found[1].is_none(), "{found:?}");
}

/// With constants above those of the proof on 16 processors, k1 = 3.9 10^5 and k2 = 872 on the
/// standard tree, no loop fails. Without loops, with dead wires and on the second network there is
/// no rate.
#[test]
fn constants_of_the_proof_leave_no_failure() {
    let text = "switch=delivery&net=tree:16&faults=none&traffic=random*4&survive=drop-all&route=random-guess&\
                k1=450000&k2=900&r=computed";
    let rate = unhalved(&measure(&format!("{text}&loops=50&trials=32")), text)[0].expect("loops");
    assert_eq!((rate.mean, rate.n), (0.0, 32 * 50));
    for other in ["net=tree:16&faults=none", "net=tree:16&faults=wires:0.1&loops=5", "net=tree2:16&faults=none&loops=5"]
    {
        let text = format!("switch=delivery&{other}&route=random-guess&trials=32");
        assert_eq!(unhalved(&measure(&text), &text), [None], "{text}");
    }
}

/// Loops change no other result, and their number is part of the text.
#[test]
fn loops_change_nothing_else() {
    let text = "switch=delivery&net=tree:16&faults=none&traffic=random*2&route=random-guess,random-prime&trials=32";
    let with = format!("{text}&loops=7");
    let estimates = |text: &str| {
        let metrics = experiment(text).kind().metrics;
        let others = || metrics.iter().filter(|metric| metric.id != "unhalved");
        let points = measure(text);
        points
            .iter()
            .flat_map(|point| others().map(|metric| point.estimate(metric)).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    assert_eq!(estimates(text), estimates(&with));
    assert!(experiment(&with).to_string().contains("loops=7") && !experiment(text).to_string().contains("loops"));
    for loops in ["-1", "1001", "many"] {
        assert!(format!("{text}&loops={loops}").parse::<Experiment>().is_err(), "{loops}");
    }
}
