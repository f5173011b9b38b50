//! Tests of the command `check`: dependency graphs, exact numbers, and theorem bounds beside the
//! values of an instance.

use serde_json::Value;

use crate::{faultlab, json, stdout_of};

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
    let csv = stdout_of(&["check", "net=cube:3&route=deterministic,random", "--csv"]);
    assert!(csv.contains("\n# seed 1\nseries,acyclic,channels,"), "{csv}");
    assert!(csv.contains("\ndeterministic,true,24,") && csv.contains("\nrandom,false,24,"), "{csv}");
    let large = json(&["check", "net=cube:64", "--json"]);
    assert_eq!((&large["acyclic"], &large["exact_success"]), (&Value::Null, &Value::Null));
}

#[test]
fn exports_legal_links_and_obstacles() {
    let text = stdout_of(&["check", "switch=pairs&break=24_1&from=24&to=2&route=e-cube,up,minimal", "--json"]);
    let checks: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [ecube, up, minimal] = checks.as_slice() else { panic!("three lines: {text}") };
    for (check, cut_off) in [(ecube, 16), (up, 4), (minimal, 1)] {
        assert_eq!((&check["cut_off"], &check["closed_form_pairs"]), (&cut_off.into(), &cut_off.into()));
        assert_eq!((&check["pairs"], &check["version"]), (&992.into(), &env!("CARGO_PKG_VERSION").into()));
        let labels = serde_json::json!({ "exchange": [1, 4], "flip": "0", "route": "up", "cut_off": 1, "found_by": "procedure",
            "cut_off_with_ends": null });
        assert_eq!(check["relabelling"], labels);
    }
    // 24 is 11000 in binary: dimension 1 leads up, dimensions 3 and 4 lead down.
    assert_eq!((&up["legal"], &up["obstacles"]), (&serde_json::json!(["24_1"]), &serde_json::json!(["24_1"])));
    assert_eq!(up["disjoint"], serde_json::json!([["24", "26", "18", "2"]]));
    assert_eq!(
        (&minimal["obstacles"], minimal["disjoint"].as_array().map(Vec::len)),
        (&serde_json::json!([]), Some(3))
    );
    assert_eq!((&up["cycle"], up["order"].as_array().map(Vec::len)), (&serde_json::json!([]), Some(160)));
    let (cycle, witnesses) = (minimal["cycle"].as_array(), minimal["witnesses"].as_array());
    assert!(cycle.map(Vec::len) == witnesses.map(Vec::len) && minimal["order"] == serde_json::json!([]));
    let table = stdout_of(&["check", "switch=pairs&break=24_1"]);
    for part in ["up                     4             992", "4 (Theorem 2)", "exchange dimensions 1 and 4, then UP"] {
        assert!(table.contains(part), "{part}: {table}");
    }
    let faulty = json(&["check", "switch=pairs&break=0&route=up-dp-mix", "--json"]);
    assert_eq!((&faulty["connected"], &faulty["obstacles"]), (&false.into(), &Value::Null));
    assert!(stdout_of(&["check", "switch=circuit&net=cube:12&faults=nodes:0.1&route=up"]).contains("by Theorem 1"));
}

#[test]
fn check_has_the_bounds_of_permutations() {
    let text = "switch=permutation&net=cube:8&faults=none&break=16&route=algorithm-a,algorithm-b,bit-fixing";
    let csv = stdout_of(&["check", text, "--csv"]);
    assert_eq!(csv.lines().nth(3), Some("series,item,measured,side,bound,supposed,holds,verdict,fails,told"));
    for line in [
        "algorithm-a,inactive-of-one-fault,31,,,,,,,",
        "algorithm-a,faulty-paths,1280,at-most,1280,true,true,holds,,",
        "algorithm-a,active-nodes,225,at-least,224,false,,not applicable,\"it assumes F <= 0, but there is 1 fault\",",
        "algorithm-b,inactive-of-one-fault,112,,,,,,,",
        "network,lemma-2-faults,0,,,,,,,",
        "algorithm-b,ascends,,,,,true,holds,,",
    ] {
        assert!(csv.lines().any(|found| found == line), "{line} in {csv}");
    }
    let words = stdout_of(&["check", text]);
    assert!(words.contains("Lemma 1: faulty bit-fixing paths: 1280 <= 1280: holds"), "{words}");
    assert!(words.contains("Theorem 3 assumes: F <= 0") && words.contains("figure 3-7"));
}

#[test]
fn check_has_the_bounds_of_delivery_cycles() {
    let text = "switch=delivery&net=tree:16&survive=left&traffic=bad:48&route=greedy,random-guess";
    let csv = stdout_of(&["check", text, "--csv"]);
    assert_eq!(csv.lines().nth(3), Some("series,item,measured,side,bound,supposed,holds,verdict,fails,told"));
    for line in [
        "network,channels,62,,,,,,,",
        "network,profile,,,,,,,,standard",
        "messages,load-factor,64,,,,,,,",
        "messages,theorem-9-load-factor,64,at-most,48,true,false,does not hold,,",
        "messages,theorem-9-root,4,at-least,4,true,true,holds,,",
        "greedy,cycles,80,at-least,64,true,true,holds,,",
        "greedy,theorem-9-cycles,80,at-least,8,true,true,holds,,",
        "random-guess,offline-verified,,,,,true,holds,,",
    ] {
        assert!(csv.lines().any(|found| found == line), "{line} in {csv}");
    }
    let words = stdout_of(&["check", text]);
    assert!(words.contains("Theorem 9, property 1: load factor: 64 <= 48: does not hold"), "{words}");
    for part in ["Theorem 9: exact cycles: 80 cycles", "Cycles with the constants of the proof"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    let lines = stdout_of(&["check", text, "--json"]);
    let series: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let named: Vec<_> = series.iter().filter_map(|line| line["series"].as_str()).collect();
    assert_eq!(named, ["network", "messages", "greedy", "random-guess"]);
}

#[test]
fn exports_cycle_of_worms_that_turn_back() {
    let text = stdout_of(&["check", "switch=batch&net=cube:4&faults=none&route=algorithm-a,algorithm-b", "--json"]);
    let checks: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [a, b] = checks.as_slice() else { panic!("two lines: {text}") };
    assert_eq!((&a["acyclic"], &b["acyclic"]), (&false.into(), &true.into()));
    assert_eq!(a["cycle"].as_array().map(Vec::len), Some(2));
    assert!(a["witnesses"][0]["via"].is_string() && b["witnesses"] == Value::Array(Vec::new()));
    assert_eq!(b["order"].as_array().map(Vec::len), Some(64));
    let both =
        stdout_of(&["check", "switch=permutation&net=cube:4&faults=count:12&route=bit-fixing,kim-shin", "--json"]);
    let none: Value = serde_json::from_str(both.lines().last().expect("a line")).expect("JSON");
    assert!(none["unavailable"].as_str().is_some_and(|why| why.contains("subcube")), "{none}");
}

/// Experiments of every kind and network, some too large for a part of the checks.
const EXPERIMENTS: [&str; 21] = [
    "net=cube:4&faults=nodes:0.3&route=sidetracking,backtracking,up,global",
    "net=cube:12&faults=nodes:0.3&route=sidetracking,up,deterministic",
    "net=cube:22&faults=nodes:0.1&route=sidetracking",
    "net=cube:3&faults=nodes:0.2&route=deterministic,random",
    "switch=pairs&faults=none&break=24_1&from=24&to=2&route=e-cube,up,minimal,up-or-dp,up-or-dp-per-pair",
    "switch=pairs&faults=none&break=11&route=e-cube,up,dp,minimal,up-dp-mix",
    "switch=circuit&net=cube:6&faults=links:0.1&route=e-cube,up,2e+4f",
    "switch=wormhole&net=mesh:6x6&faults=none&break=1.2,3.4-4.4&route=f-cube2,f-cube4,lh2,west-first,e-cube",
    "switch=wormhole&net=mesh:8x8&faults=none&break=3.3,3.4,4.3,4.5&route=f-cube2,f-cube2-either,lh2,weak,dr-dynamic",
    "switch=wormhole&net=mesh:16x16&faults=nodes:0.1&route=f-cube4,lh4",
    "switch=wormhole&net=mesh:4x4x4&faults=nodes:0.05&route=f-cube4",
    "switch=wormhole&net=torus:8x8&faults=none&break=3.3,3.4&route=e-cube,f-cube4",
    "switch=wormhole&net=mesh:65x64&faults=none&break=3.3&route=f-cube2,weak",
    "switch=permutation&net=cube:6&faults=count:3&route=bit-fixing,valiant-brebner,algorithm-a,algorithm-b,kim-shin",
    "switch=permutation&net=cube:9&faults=none&break=16&route=algorithm-a,algorithm-b&traffic=complement&h=2",
    "switch=permutation&net=cube:6&faults=count:40&route=kim-shin,valiant-brebner&tolerance=0.3",
    "switch=batch&net=cube:4&faults=none&route=algorithm-a,algorithm-b",
    "switch=delivery&net=tree:64&faults=none&capacity=sibling&survive=left&traffic=bad:48&route=greedy,random-guess",
    "switch=delivery&net=tree:16&faults=wires:0.3&route=greedy,random-guess",
    "switch=delivery&net=tree:4&faults=none&traffic=0-2,1-3&survive=drop-all&route=greedy,random-guess",
    "switch=delivery&net=tree2:64&faults=none&route=random-prime-repeated,greedy",
];

/// Returns the numbers in the text output of `check`, as printed. Omits the numbers of theorems,
/// sections and formulas, and those that enumerate messages and processors. Parses node names as
/// binary numbers.
fn numbers_in_text(text: &str, bits: usize) -> Vec<String> {
    const NAMES: [&str; 12] = [
        "Theorem",
        "Theorems",
        "Lemma",
        "Corollary",
        "figure",
        "Figure",
        "section",
        "part",
        "Table",
        "Fig.",
        "equation",
        "message",
    ];
    let text = text.replace("below n = 13", "").replace("3-7 orders", "orders");
    let facts = text.split_once('\n').map_or("", |(_, facts)| facts);
    let words: Vec<&str> = facts.split(|sign: char| sign.is_whitespace() || ",;:()[]→".contains(sign)).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let mut numbers = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let before = if place == 0 { "" } else { words[place - 1] };
        // In "processors 0 to 63", 63 is the last processor of a range.
        let is_last = before == "to" && place > 2 && words[place - 3].starts_with("processors");
        let word = word.trim_end_matches(['.', '%', 'h']);
        let digits = word.chars().all(|sign| sign.is_ascii_digit() || sign == '.');
        if word.is_empty() || !digits || NAMES.contains(&before) || is_last {
            continue;
        }
        let binary = word.len() == bits && word.chars().all(|sign| sign == '0' || sign == '1');
        let node = u64::from_str_radix(word, 2).ok().filter(|_| binary && bits > 1);
        // Two-bit codes, such as the places of figure 3-7, may begin with 0.
        let node = node.or_else(|| word.parse().ok());
        numbers.push(node.map_or(word.to_owned(), |node: u64| node.to_string()));
    }
    numbers
}

/// Collects all numbers of a JSON value, including those inside strings and the length of each
/// list.
fn numbers_in(value: &Value, found: &mut Vec<f64>) {
    match value {
        Value::Number(number) => found.extend(number.as_f64()),
        Value::String(text) => {
            let parts = text.split(|sign: char| !sign.is_ascii_digit() && sign != '.');
            let parts = parts.flat_map(|part| part.split('.').chain([part]));
            found.extend(parts.filter_map(|part| part.parse::<f64>().ok()));
        }
        Value::Array(values) => {
            found.push(values.len() as f64);
            values.iter().for_each(|value| numbers_in(value, found));
        }
        Value::Object(values) => {
            let told = values.iter().filter(|(name, _)| !["experiment", "seed", "version"].contains(&name.as_str()));
            told.for_each(|(_, value)| numbers_in(value, found));
        }
        Value::Null | Value::Bool(_) => {}
    }
}

fn lines(text: &str) -> Vec<Value> {
    let json = stdout_of(&["check", text, "--json"]);
    json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn every_number_of_the_text_is_in_the_json() {
    for text in EXPERIMENTS {
        let words = stdout_of(&["check", text]);
        let bits = text.split("cube:").nth(1).and_then(|rest| rest.split('&').next());
        let bits = bits.map_or(if text.contains("net=") { 0 } else { 5 }, |bits| bits.parse().unwrap());
        let mut found = Vec::new();
        lines(text).iter().for_each(|line| numbers_in(line, &mut found));
        let numbers = numbers_in_text(&words, bits);
        assert!(numbers.len() > 3, "{text}: {numbers:?}");
        for number in numbers {
            let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
            let is = |value: f64| format!("{value:.digits$}") == number;
            let there = found.iter().any(|&value| is(value) || is(100.0 * value));
            assert!(there, "{text}: {number} is not in the JSON of\n{words}");
        }
    }
}

#[test]
fn json_lists_are_complete() {
    let text = "switch=wormhole&net=mesh:16x16&faults=nodes:0.1&route=f-cube2,f-cube4";
    let words = stdout_of(&["check", text]);
    for line in lines(text) {
        let network = &line["network"];
        let list = |name: &str| network[name].as_array().unwrap_or_else(|| panic!("{name}: {network}"));
        let labels = |value: &Value| value.as_array().unwrap().iter().map(Value::to_string).collect::<Vec<_>>();
        // Blocks are disjoint and cover all faulty nodes.
        let faulty: std::collections::BTreeSet<_> =
            list("regions").iter().flat_map(|region| labels(&region["nodes"])).collect();
        assert_eq!((network["nodes"].as_u64(), network["live"].as_u64()), (Some(256), Some(256 - faulty.len() as u64)));
        let added: Vec<_> = list("rounds").iter().flat_map(labels).collect();
        assert!(added.len() > 8 && added.iter().all(|node| faulty.contains(node)), "{added:?}");
        assert!(
            words.contains(&format!("Block closure: {} more nodes", added.len())) && words.contains(" more; round")
        );
        let rings = list("regions").iter().filter(|region| region["ring"] == "ring").count() as u64;
        assert_eq!(network["rings"].as_u64(), Some(rings));
        assert_eq!(network["chains"].as_u64(), Some(list("regions").len() as u64 - rings));
        let shared = list("shared_links").len();
        assert!(
            words.contains(&format!("Overlap of rings: {shared} shared links")) && words.contains(" and "),
            "{words}"
        );
        let table = &network["table_1"];
        let wrong = |name: &str| table[name].as_array().unwrap().len() as u64;
        let right = |name: &str| table[name].as_u64().unwrap();
        assert_eq!(right("printed") + wrong("printed_wrong"), right("nodes"));
        assert_eq!((right("corrected"), wrong("corrected_wrong")), (right("nodes"), 0));
        let order = line["order"].as_array().unwrap().len() as u64;
        assert!(line["acyclic"] == false || line["channels"].as_u64() == Some(order), "{order}");
    }

    // All faulty nodes of a 9-cube and all disjoint paths are in the JSON; the text lists six
    // paths.
    let text = "switch=pairs&net=cube:9&faults=nodes:0.2&from=0&to=511&route=up&seed=3";
    let [line] = lines(text).try_into().expect("a line");
    let network = &line["network"];
    let faulty = network["faulty_nodes"].as_array().unwrap().len() as u64;
    assert!(
        faulty > 50 && network["faulty"].as_u64() == Some(faulty) && network["live"].as_u64() == Some(512 - faulty)
    );
    assert_eq!(line["disjoint"].as_array().map(Vec::len), Some(9));
    let words: Vec<_> = stdout_of(&["check", text]).split_whitespace().map(str::to_owned).collect();
    assert!(words.join(" ").contains("; and 3 more"), "{words:?}");
    let sizes = network["components"].as_array().map(|sizes| sizes.iter().filter_map(Value::as_u64).sum::<u64>());
    assert!(sizes.is_none_or(|sizes| sizes == 512 - faulty), "{network}");
}

#[test]
fn exports_deadlock_proofs_and_skipped_checks() {
    let [ranked, weak] = lines("switch=wormhole&net=mesh:6x6&faults=none&break=2.2-2.3&route=dr-dynamic,weak-f-cube4")
        .try_into()
        .unwrap();
    assert_eq!((&ranked["acyclic"], &ranked["deadlock_free"]), (&false.into(), &true.into()));
    assert!(ranked["because"].as_str().is_some_and(|why| why.contains("waits only for messages with more reversals")));
    assert_eq!((&weak["acyclic"], &weak["deadlock_free"], &weak["duato"]), (&false.into(), &true.into(), &true.into()));
    assert!(weak["escape"]["classes"].as_array().is_some_and(|classes| classes.len() == 4), "{weak}");
    let csv = stdout_of(&["check", "switch=wormhole&net=mesh:6x6&faults=none&break=2.2-2.3&route=dr-dynamic", "--csv"]);
    assert!(csv.contains("waits only for messages with more reversals"), "{csv}");

    let [large] = lines("switch=wormhole&net=mesh:65x64&faults=none&break=3.3&route=f-cube2").try_into().unwrap();
    assert!(
        large["deadlock_free"].is_null() && large["because"].as_str().is_some_and(|why| why.contains("4096 nodes"))
    );
    let [large] = lines("net=cube:22&faults=nodes:0.1&route=sidetracking").try_into().unwrap();
    assert!(
        large["not_computed"].as_str().is_some_and(|why| why.contains("n = 20") && why.contains("n = 10")),
        "{large}"
    );

    let csv =
        stdout_of(&["check", "switch=permutation&net=cube:14&faults=count:3&route=algorithm-b,kim-shin", "--csv"]);
    for part in
        ["algorithm-b,expected-max-congestion,,,,,,,,", "algorithm-b,deadlock-free,,,,,true,holds,,", "subcube-bit-"]
    {
        assert!(csv.contains(part), "{part} in {csv}");
    }
}

#[test]
fn accepts_sets_all() {
    for command in ["check", "route"] {
        let output = faultlab(&[command, "net=cube:4&faults=nodes:0.3&sets=all"]);
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// An instance without any message to send is still analyzed.
#[test]
fn analyzes_experiments_without_messages() {
    let text = stdout_of(&["check", "net=cube:12&switch=permutation&route=algorithm-b&faults=ball:79"]);
    for part in ["Active nodes |A|: 0 of 4096", "Lemma 1: faulty bit-fixing paths: 206772 <= 344064: holds"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let batch = stdout_of(&["check", "net=cube:5&switch=batch&route=algorithm-a&faults=none&break=1,2,4,8"]);
    assert!(batch.contains("Active nodes |A|: 0 of 32"), "{batch}");
    let never = stdout_of(&["check", "net=cube:4&switch=permutation&break=0,3,5,6,9,10,12,15&route=kim-shin"]);
    assert!(never.contains("it needs a fault-free subcube of n-2 dimensions, but there is none"), "{never}");
    let alone = stdout_of(&["check", "net=mesh:2x2&switch=wormhole&break=0.0,0.1,1.0&route=f-cube4"]);
    assert!(alone.contains("0 of 4 nodes and 0 of 4 links are live"), "{alone}");
    let circuit = stdout_of(&["check", "net=cube:3&switch=circuit&break=0,1,2,3,4,5,6"]);
    assert!(circuit.contains("Faulty nodes: 7") && circuit.contains("of 0 ordered pairs of live nodes"), "{circuit}");
    // A fault model that cannot be sampled leaves nothing to check.
    let none = faultlab(&["check", "net=mesh:4x4&switch=wormhole&faults=isolated:2+0&route=e-cube"]);
    assert_eq!((none.status.code(), none.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&none.stderr).contains("no set of this many isolated faults was found"));
}

#[test]
fn check_names_tori_and_counts_chains() {
    let text = stdout_of(&["check", "switch=wormhole&net=torus:8x8&route=e-cube"]);
    assert!(text.contains("  Torus: 8x8\n") && !text.contains("Mesh:"), "{text}");
    assert!(stdout_of(&["check", "switch=wormhole&net=mesh:8x8&route=e-cube"]).contains("  Mesh: 8x8\n"));
    // A faulty row: the mesh border cuts the ring into two chains. In a torus the region has no
    // ring.
    let row = "faults=none&break=2.0,2.1,2.2,2.3,2.4,2.5&route=f-cube4";
    let mesh = format!("switch=wormhole&net=mesh:6x6&{row}");
    assert!(stdout_of(&["check", &mesh]).contains("around them 0 fault rings and 2 fault chains\n"));
    let found = json(&["check", &mesh, "--json"]);
    let network = &found["network"];
    assert_eq!((&network["rings"], &network["chains"]), (&0.into(), &2.into()));
    let torus = format!("switch=wormhole&net=torus:6x6&{row}");
    let text = stdout_of(&["check", &torus]);
    assert!(text.contains("0 fault rings and 0 fault chains; 1 region without a ring"), "{text}");
    let found = json(&["check", &torus, "--json"]);
    assert_eq!(found["network"]["regions"][0]["ring"], "none");
    // The picture of a region without a ring has no band.
    assert!(stdout_of(&["draw", &torus]).contains("<svg"));
}
