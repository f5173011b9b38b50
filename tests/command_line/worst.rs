//! Tests of the command `worst`, which searches for the most harmful faults.

use crate::{faultlab, json, keys, stdout_of};

#[test]
fn formats_have_equal_digits() {
    let text = "switch=pairs&net=cube:4&faults=none&route=up,e-cube";
    let told_text = stdout_of(&["worst", text, "--links", "--quiet"]);
    for part in [
        "the worst of all: ",
        "all 64 sets were measured; nothing is sampled",
        "experiment: v=1&net=cube:4&switch=pairs&break=",
    ] {
        assert!(told_text.contains(part), "{part}: {told_text}");
    }
    let one = "switch=pairs&net=cube:4&faults=none&route=e-cube";
    let found = json(&["worst", one, "--links", "--metric", "pairs", "--json"]);
    for key in ["experiment", "seed", "version", "series", "better", "faults", "without", "random", "of", "trials"] {
        assert!(keys(&found).contains(&key), "{key}: {found}");
    }
    assert_eq!((&found["mean"], &found["exact"], &found["sets"]), (&8.0.into(), &true.into(), &64.into()));
    let csv = stdout_of(&["worst", text, "--links", "--csv", "--threads", "1"]);
    assert!(csv.contains("\nseries,metric,unit,better,faults,outcome,mean,"), "{csv}");
    assert_eq!(csv, stdout_of(&["worst", text, "--links", "--csv", "--threads", "3"]));
    // The printed experiment measures the same value.
    let again = json(&["run", found["text"].as_str().expect("a text"), "--json"]);
    assert_eq!(again["points"][0]["metrics"]["pairs"]["mean"], found["mean"]);
}

#[test]
fn rejects_invalid_options() {
    for (arguments, part) in [
        (&["worst", "switch=pairs&faults=none", "--metric", "latency"][..], "accepted: cut-off, pairs"),
        (&["worst", "switch=pairs&faults=none", "--faults", "0"], "accepted: 1 to 256"),
        (&["worst", "switch=delivery&faults=none"], "wires"),
    ] {
        let output = faultlab(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && errors.contains(part), "{errors}");
    }
}

#[test]
fn refute_output_is_independent_of_threads() {
    let text = "net=mesh:5x5&switch=wormhole&faults=none&route=f-cube1,west-first";
    let one = stdout_of(&["refute", text, "--threads", "1"]);
    assert_eq!(one, stdout_of(&["refute", text, "--threads", "4"]));
    for said in [
        "deadlocks: ",
        "with 1 faulty node",
        "watch it: v=1&net=mesh:5x5",
        "deadlock: proved free in all cases examined",
        "all 300 sets of 2 faulty nodes",
    ] {
        assert!(one.contains(said), "{said}: {one}");
    }
    let lines = stdout_of(&["refute", text, "--json", "--faults", "1"]);
    let records: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(records.len(), 6);
    assert_eq!(
        (&records[0]["flaw"], &records[0]["found"], &records[0]["verdict"]),
        (&"deadlock".into(), &true.into(), &"deadlocks".into())
    );
    let watched = records[0]["text"].as_str().expect("a text");
    assert!(stdout_of(&["run", watched, "--quiet"]).contains("deadlocked"), "{watched}");
}
