//! `check`: graphs, exact numbers, and the bounds of the theorems beside what an instance has.

use serde_json::Value;

use crate::{json, told};

#[test]
fn check_has_the_graph_and_the_exact_numbers() {
    let check = json(&["check", "net=cube:4&faults=nodes:0.3&route=deterministic-blind", "--json"]);
    for key in ["experiment", "acyclic", "channels", "dependencies", "cycle", "connected", "exact_success"] {
        assert!(check.get(key).is_some(), "{key}: {check}");
    }
    assert_eq!((&check["acyclic"], &check["channels"]), (&true.into(), &64.into()));
    assert_eq!(check["cycle"], Value::Array(Vec::new()));
    let cyclic = json(&["check", "net=cube:3&route=random", "--json"]);
    assert_eq!(cyclic["acyclic"], false);
    assert!(cyclic["cycle"].as_array().is_some_and(|cycle| cycle.len() > 1 && cycle[0]["to"] == cycle[1]["from"]));
    let csv = told(&["check", "net=cube:3&route=deterministic,random", "--csv"]);
    assert!(csv.contains("\n# seed 1\nseries,acyclic,channels,"), "{csv}");
    assert!(csv.contains("\ndeterministic,true,24,") && csv.contains("\nrandom,false,24,"), "{csv}");
    let large = json(&["check", "net=cube:64", "--json"]);
    assert_eq!((&large["acyclic"], &large["exact_success"]), (&Value::Null, &Value::Null));
}

#[test]
fn check_has_what_a_criterion_permits() {
    let text = told(&["check", "switch=pairs&break=24_1&from=24&to=2&route=e-cube,up,minimal", "--json"]);
    let checks: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [ecube, up, minimal] = checks.as_slice() else { panic!("three lines: {text}") };
    for (check, cut_off) in [(ecube, 16), (up, 4), (minimal, 1)] {
        assert_eq!((&check["cut_off"], &check["closed_form_pairs"]), (&cut_off.into(), &cut_off.into()));
        assert_eq!((&check["pairs"], &check["version"]), (&992.into(), &env!("CARGO_PKG_VERSION").into()));
        let labels = serde_json::json!({ "exchange": [1, 4], "flip": "0", "route": "up", "cut_off": 1 });
        assert_eq!(check["relabelling"], labels);
    }
    // 24 is 11000: dimension 1 leads up, 3 and 4 down.
    assert_eq!((&up["legal"], &up["obstacles"]), (&serde_json::json!(["24_1"]), &serde_json::json!(["24_1"])));
    assert_eq!(up["disjoint"], serde_json::json!([["24", "26", "18", "2"]]));
    assert_eq!(
        (&minimal["obstacles"], minimal["disjoint"].as_array().map(Vec::len)),
        (&serde_json::json!([]), Some(3))
    );
    assert_eq!((&up["cycle"], up["order"].as_array().map(Vec::len)), (&serde_json::json!([]), Some(160)));
    let (cycle, witnesses) = (minimal["cycle"].as_array(), minimal["witnesses"].as_array());
    assert!(cycle.map(Vec::len) == witnesses.map(Vec::len) && minimal["order"] == serde_json::json!([]));
    let table = told(&["check", "switch=pairs&break=24_1"]);
    for part in ["up                     4             992", "4 (Theorem 2)", "exchange dimensions 1 and 4, then UP"] {
        assert!(table.contains(part), "{part}: {table}");
    }
    let faulty = json(&["check", "switch=pairs&break=0&route=up-dp-mix", "--json"]);
    assert_eq!((&faulty["connected"], &faulty["obstacles"]), (&false.into(), &Value::Null));
    assert!(told(&["check", "switch=circuit&net=cube:12&faults=nodes:0.1&route=up"]).contains("by Theorem 1"));
}

#[test]
fn check_has_the_bounds_of_permutations() {
    let text = "switch=permutation&net=cube:8&faults=none&break=16&route=algorithm-a,algorithm-b,bit-fixing";
    let csv = told(&["check", text, "--csv"]);
    assert_eq!(csv.lines().nth(3), Some("series,item,measured,side,bound,supposed,holds,verdict,fails"));
    for line in [
        "algorithm-a,inactive-of-one-fault,31,,,,,,",
        "algorithm-a,faulty-paths,1280,at-most,1280,true,true,holds,",
        "algorithm-a,active-nodes,225,at-least,224,false,,not applicable,\"it supposes F <= 0, and there is 1 fault\"",
        "algorithm-b,inactive-of-one-fault,112,,,,,,",
        "algorithm-b,ascends,,,,,true,holds,",
    ] {
        assert!(csv.lines().any(|found| found == line), "{line} in {csv}");
    }
    let words = told(&["check", text]);
    assert!(words.contains("Lemma 1: faulty bit-fixing paths: 1280 <= 1280: holds"), "{words}");
    assert!(words.contains("Theorem 3 supposes: F <= 0") && words.contains("figure 3-7"));
}

#[test]
fn check_has_the_bounds_of_delivery_cycles() {
    let text = "switch=delivery&net=tree:16&survive=left&traffic=bad:48&route=greedy,random-guess";
    let csv = told(&["check", text, "--csv"]);
    assert_eq!(csv.lines().nth(3), Some("series,item,measured,side,bound,supposed,holds,verdict,fails"));
    for line in [
        "network,channels,62,,,,,,",
        "messages,load-factor,64,,,,,,",
        "messages,theorem-9-load-factor,64,at-most,48,true,false,does not hold,",
        "messages,theorem-9-root,4,at-least,4,true,true,holds,",
        "greedy,cycles,80,at-least,64,true,true,holds,",
        "greedy,theorem-9-cycles,80,at-least,8,true,true,holds,",
        "random-guess,offline-verified,,,,,true,holds,",
    ] {
        assert!(csv.lines().any(|found| found == line), "{line} in {csv}");
    }
    let words = told(&["check", text]);
    assert!(words.contains("Theorem 9, property 1: load factor: 64 <= 48: does not hold"), "{words}");
    assert!(words.contains("Exactly: 80 cycles") && words.contains("With the constants of the proof"), "{words}");
    let lines = told(&["check", text, "--json"]);
    let series: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let named: Vec<_> = series.iter().filter_map(|line| line["series"].as_str()).collect();
    assert_eq!(named, ["network", "messages", "greedy", "random-guess"]);
}

#[test]
fn check_has_the_cycle_of_worms_that_turn_back() {
    let text = told(&["check", "switch=batch&net=cube:4&faults=none&route=algorithm-a,algorithm-b", "--json"]);
    let checks: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [a, b] = checks.as_slice() else { panic!("two lines: {text}") };
    assert_eq!((&a["acyclic"], &b["acyclic"]), (&false.into(), &true.into()));
    assert_eq!(a["cycle"].as_array().map(Vec::len), Some(2));
    assert!(a["witnesses"][0]["via"].is_string() && b["witnesses"] == Value::Array(Vec::new()));
    assert_eq!(b["order"].as_array().map(Vec::len), Some(64));
    let both = told(&["check", "switch=permutation&net=cube:4&faults=count:12&route=bit-fixing,kim-shin", "--json"]);
    let none: Value = serde_json::from_str(both.lines().last().expect("a line")).expect("JSON");
    assert!(none["unavailable"].as_str().is_some_and(|why| why.contains("subcube")), "{none}");
}
