//! Tests of the command `cost`, which simulates nothing.

use crate::{faultlab, json, stdout_of};

/// The text has the table, and each part with its formula and source; JSON and CSV have its
/// numbers.
#[test]
fn cost_has_parts_with_formulas_and_sources() {
    let text = "switch=wormhole&net=mesh:16x16&route=f-cube2,e-cube";
    let words = stdout_of(&["cost", text]);
    for said in [
        "own links and the rings through the node",
        "type of the message: ceil(log2 2n)",
        "counted: Boppana & Chalasani, Fig. 3",
        "nothing is needed",
    ] {
        assert!(words.contains(said), "{said}: {words}");
    }
    let csv = stdout_of(&["cost", text, "--csv"]);
    let line = "f-cube2,own links and the rings through the node,20,13,10,7,2,64,,";
    assert!(csv.lines().any(|it| it == line), "{csv}");
    let tables = json(&["cost", "switch=permutation&net=cube:14&route=algorithm-a", "--json"]);
    assert_eq!(tables["parts"][1]["amount"], 1u64 << 28, "{tables}");
    assert_eq!((&tables["classes"], &tables["buffer_flits"]), (&0.into(), &serde_json::Value::Null));
}

/// The files have the bit times of a delivery cycle on both networks, and `check` the total time of
/// a run. GREEDY delivers a message across the root alone in one cycle.
#[test]
fn cost_has_bit_times_of_delivery_cycles() {
    let times = |net: &str| {
        let cost = json(&["cost", &format!("switch=delivery&net={net}&route=greedy"), "--json"]);
        ["cycle_bit_times", "sorting_cycle_bit_times"].map(|name| cost[name].as_u64())
    };
    assert_eq!([times("tree:16"), times("tree2:16")], [[Some(37), Some(26)], [Some(18), None]]);
    for (net, said) in [("tree:16", "Total time: 37 bit times, 26 with sorting"), ("tree2:16", "Total time: 18 bit")] {
        let check = stdout_of(&["check", &format!("switch=delivery&net={net}&traffic=0-15&route=greedy")]);
        assert!(check.contains(said), "{check}");
    }
}

/// The section of `check` and its JSON have the numbers of `cost`; a bound has none.
#[test]
fn check_contains_costs() {
    let text = "switch=pairs&net=cube:5&faults=none&route=up,up-or-dp-per-pair";
    let words = stdout_of(&["check", text]);
    assert!(words.contains("\nCost\n") && words.contains("a bound, not a routing"), "{words}");
    let lines = |command: &str| {
        let text = stdout_of(&[command, text, "--json"]);
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect::<Vec<serde_json::Value>>()
    };
    let (check, cost) = (lines("check"), lines("cost"));
    for (check, cost) in check.iter().zip(&cost) {
        check["cost"]
            .as_object()
            .expect("costs")
            .iter()
            .for_each(|(name, value)| assert_eq!(value, &cost[name], "{name}"));
    }
    assert_eq!((cost.len(), &cost[0]["state_bits"], &cost[1]["knowledge"]), (2, &160.into(), &serde_json::Value::Null));
}

#[test]
fn cost_rejects_invalid_experiments() {
    let output = faultlab(&["cost", "switch=wormhole&net=mesh:4x4&route=nothing"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("route=nothing"));
}
