//! Tests of the command `activity`, which reports active nodes and sends no message.

use crate::{json, stdout_of};

#[test]
fn activity_has_both_rules_and_f50() {
    let words = stdout_of(&["activity", "net=cube:8&faults=none&break=16"]);
    assert!(
        words.contains("Algorithm A: 225 of 256 nodes are active") && words.contains("Algorithm B: 144 of 256"),
        "{words}"
    );
    assert!(!words.contains("F50"));
    let text = "net=cube:6&switch=permutation&faults=none&break=3";
    let csv = stdout_of(&["activity", text, "--half", "--trials", "4", "--csv"]);
    // One fault leaves 36 of 64 nodes active, more than half; two leave 16. All trials agree: F50
    // is 2.
    assert!(csv.lines().any(|line| line.starts_with("algorithm-a,6,64,1,3,36,0.5625,256,0,2,")), "{csv}");
    assert_eq!(csv, stdout_of(&["activity", text, "--half", "--trials", "4", "--csv", "--threads", "1", "--quiet"]));
    let small = json(&["activity", "net=cube:2&faults=none", "--json"]);
    assert_eq!((&small["series"], &small["active"]), (&"algorithm-a".into(), &4.into()));
}
