//! Tests of linear-complement permutations as traffic: the named permutations are special cases in
//! every kind, and errors name what is wrong.
#![cfg(not(target_arch = "wasm32"))]

use faultlab::experiment::Experiment;

use crate::common::measure;

#[test]
fn named_permutations_give_the_same_results_as_their_matrices() {
    for settings in [
        "switch=circuit&net=cube:4&route=up&rate=0.2&trials=2000",
        "switch=wormhole&net=cube:4&faults=none&route=e-cube&load=0.3&length=4&within=0.3",
        "switch=permutation&net=cube:4&route=bit-fixing,kim-shin&trials=50",
        "switch=batch&net=cube:4&route=bit-fixing&trials=20",
    ] {
        for (named, matrix) in [("bit-reversal", "8.4.2.1"), ("complement", "1.2.4.8+f"), ("transpose", "4.8.1.2")] {
            let [one, other] =
                [named, &format!("linear:{matrix}")].map(|traffic| measure(&format!("{settings}&traffic={traffic}")));
            let tallies = |points: &[faultlab::experiment::PointResult]| {
                points.iter().map(|point| point.tally.clone()).collect::<Vec<_>>()
            };
            assert!(tallies(&one) == tallies(&other), "{settings} {named}");
        }
    }
}

#[test]
fn errors_name_the_matrix() {
    for (text, says) in [
        ("switch=circuit&net=cube:3&traffic=linear:1.2.3", "no inverse"),
        ("switch=wormhole&net=cube:3&faults=none&route=e-cube&traffic=linear:1.2.9", "\"9\" is not"),
        ("switch=permutation&net=cube:3&traffic=linear:1.1.4", "no inverse"),
        ("switch=circuit&net=cube:4&traffic=linear:1.2.4", "3 rows needs 2^3 nodes"),
        ("switch=permutation&net=cube:4&traffic=linear:1.2.4", "3 rows needs 2^3 nodes"),
        ("switch=circuit&net=cube:3&traffic=linear:1.2.4&vary=n:3,4", "3 rows needs 2^3 nodes"),
    ] {
        let error = text.parse::<Experiment>().unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    let text = "switch=circuit&net=cube:3&traffic=linear:6.2.1+5&setup=retry:0.25";
    assert!(text.parse::<Experiment>().unwrap().to_string().contains("traffic=linear:6.2.1+5&setup=retry:0.25"));
}
