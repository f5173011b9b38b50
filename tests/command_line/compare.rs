//! Tests of the command `compare`: differences, gains and crossings in every format.

use serde_json::Value;

use crate::{faultlab, stdout_of};

const TEXT: &str =
    "switch=permutation&net=cube:8&traffic=transpose&vary=n:4..10:4&route=bit-fixing,algorithm-a&within=0.05";

#[test]
fn reports_congestion_difference_and_crossing() {
    let text = stdout_of(&["compare", TEXT, "--threads", "1"]);
    assert!(
        text.contains("Algorithm A minus Bit-fixing, congestion, messages, on the same faults and messages"),
        "{text}"
    );
    assert!(text.contains("Algorithm A below Bit-fixing from n = "), "{text}");
    assert_eq!(text, stdout_of(&["compare", TEXT, "--threads", "3"]));
    let lines = stdout_of(&["compare", TEXT, "--json"]);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 4);
    for line in &lines {
        let [low, mean, high] = ["difference_low", "difference", "difference_high"].map(|name| line[name].as_f64());
        assert!(low < mean && mean < high && line["against"] == "bit-fixing", "{line}");
        let gain = -mean.expect("a difference") / line["base"].as_f64().expect("a mean");
        assert!((gain - line["gain"].as_f64().expect("a gain")).abs() < 1e-9, "{line}");
    }
    let csv = stdout_of(&["compare", TEXT, "--csv"]);
    assert!(csv.contains("\nseries,against,x,outcome,reason,metric,unit,difference,difference_low,"), "{csv}");
}

#[test]
fn rejects_single_routing_and_unknown_metric() {
    for (arguments, why) in [
        (&["compare", "net=cube:4"][..], "at least two routings"),
        (
            &["compare", TEXT, "--metric", "speed"],
            "--metric speed: not measured by switch=permutation; accepted: congestion",
        ),
    ] {
        let output = faultlab(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(why), "{said}");
    }
}
