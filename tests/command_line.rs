//! The command line as a stranger's script sees it: shapes, digits, errors, exit statuses.
#![cfg(all(not(target_arch = "wasm32"), feature = "cli"))]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn faultlab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_faultlab")).args(arguments).output().expect("the binary starts")
}

/// Standard output of a call that succeeds and says nothing else.
fn told(arguments: &[&str]) -> String {
    let output = faultlab(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&told(arguments)).expect("JSON")
}

/// The keys of an object, in the order of the text.
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

const SMALL: &str = "net=cube:5&faults=nodes:0.3&vary=p:0.2,0.6&route=sidetracking,random&within=0.02";

#[test]
fn run_as_json() {
    let run = json(&["run", SMALL, "--json"]);
    assert_eq!(keys(&run), ["experiment", "points", "seed", "version"]);
    let points = run["points"].as_array().expect("points");
    assert_eq!(points.len(), 4);
    for point in points {
        assert_eq!(keys(point), ["lengths", "metrics", "outcome", "series", "x"]);
        assert_eq!(point["outcome"], "converged");
        let success = &point["metrics"]["success"];
        let [low, mean, high] =
            [&success["ci95"][0], &success["mean"], &success["ci95"][1]].map(|n| n.as_f64().expect("a number"));
        assert!(0.0 < low && low < mean && mean < high && high <= 1.0 && high - low <= 0.04, "{point}");
        let arrived: u64 = point["lengths"].as_array().expect("lengths").iter().filter_map(|l| l[1].as_u64()).sum();
        assert_eq!(Some(arrived), point["metrics"]["length"]["n"].as_u64());
    }
    assert_eq!((&points[3]["series"], &points[3]["x"]), (&"random".into(), &0.6.into()));
}

#[test]
fn threads_change_no_byte() {
    for format in ["--json", "--csv", "--lengths", "--table"] {
        let one = told(&["run", SMALL, format, "--threads", "1"]);
        assert_eq!(one, told(&["run", SMALL, format, "--threads", "4"]), "{format}");
    }
}

#[test]
fn csv_carries_the_same_digits_as_json() {
    let csv = told(&["run", SMALL, "--csv", "--quiet"]);
    let run = json(&["run", SMALL, "--json"]);
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines[0], concat!("# faultlab ", env!("CARGO_PKG_VERSION")));
    assert_eq!(Some(&lines[1][13..]), run["experiment"].as_str());
    assert_eq!(&lines[2..4], ["# seed 1", "series,x,outcome,metric,unit,mean,ci95_low,ci95_high,n"]);
    let first: Vec<_> = lines[4].split(',').collect();
    assert_eq!(first[..5], ["sidetracking", "0.2", "converged", "success", "probability"]);
    // Compared as text: reading JSON may cost the last bit, writing does not.
    let digits = format!("\"success\":{{\"mean\":{},\"ci95\":[{},{}]", first[5], first[6], first[7]);
    assert!(told(&["run", SMALL, "--json"]).contains(&digits), "{digits}");
    let metrics = run["points"][0]["metrics"].as_object().expect("metrics").len();
    assert_eq!(lines.len(), 4 + 4 * metrics);
}

#[test]
fn a_run_without_faults_byte_by_byte() {
    let lengths = "# experiment v=1&net=cube:3&route=deterministic&trials=500\n# seed 1\nseries,x,length,messages\n\
                   deterministic,,3,500\n";
    let told = told(&["run", "net=cube:3&route=deterministic&trials=500", "--lengths"]);
    assert_eq!(told.split_once('\n').map(|(_, rest)| rest), Some(lengths));
}

#[test]
fn one_experiment_five_ways() {
    let text = "v=1&net=cube:4&faults=nodes:0.3&within=0.1";
    let expected = told(&["run", text, "--json"]);
    let link = format!("https://example.org/lab/?embed=1#{text}");
    assert_eq!(told(&["run", &link, "--json"]), expected);
    let file = std::env::temp_dir().join(format!("faultlab-{}.txt", std::process::id()));
    std::fs::write(&file, "# a comment\nnet=cube:4\nfaults=nodes:0.3\nwithin=0.1\n").expect("a file");
    assert_eq!(told(&["run", file.to_str().expect("a path"), "--json"]), expected);
    std::fs::remove_file(&file).expect("removed");
    let mut child = Command::new(env!("CARGO_BIN_EXE_faultlab"))
        .args(["run", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().expect("standard input").write_all(text.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    assert!(told(&["route", "preset:around"]).contains("Delivered in 8 hops"));
}

#[test]
fn route_says_why() {
    let route = json(&["route", "net=cube:5&break=1,2,4,8,3", "--from", "0", "--to", "0b11111", "--json"]);
    assert_eq!(keys(&route), ["ending", "experiment", "hops", "outcome", "seed", "series", "version"]);
    assert_eq!(route["experiment"], "v=1&net=cube:5&break=1,2,3,4,8&from=0&to=31");
    assert_eq!(route["outcome"], "delivered");
    let hops = route["hops"].as_array().expect("hops");
    assert_eq!(hops.len(), 5);
    assert_eq!(keys(&hops[0]), ["class", "from", "reason", "rule", "to"]);
    assert_eq!((&hops[0]["from"], &hops[0]["to"], &hops[0]["class"]), (&"0".into(), &"16".into(), &0.into()));
    assert_eq!(hops[0]["rule"], "any-live-wrong");
    assert_eq!(hops[0]["reason"], "dimension 4 is the only wrong bit that leads to a live node");
    let text = told(&["route", "net=cube:5&break=1,2,4,8,3"]);
    assert!(text.contains("00000 -> 10000  dimension 4 is the only"), "{text}");
    assert!(text.ends_with("Delivered in 5 hops, a minimal path.\n"), "{text}");
}

#[test]
fn route_as_csv_is_a_line_for_each_hop() {
    let text = "net=cube:5&break=1,2,4,8,3&seed=2";
    let csv = told(&["route", text, "--csv"]);
    let expected = concat!(
        "# faultlab ",
        env!("CARGO_PKG_VERSION"),
        "\n# experiment v=1&net=cube:5&break=1,2,3,4,8&seed=2\n# seed 2\nseries,outcome,hop,from,to,class,rule,reason\n\
         sidetracking,delivered,1,0,16,0,any-live-wrong,\
         dimension 4 is the only wrong bit that leads to a live node\n"
    );
    assert!(csv.starts_with(expected), "{csv}");
    // What holds a comma is quoted; the reasons are JSON's.
    let reasons: Vec<_> = csv.lines().filter_map(|line| line.split_once(",\"")).collect();
    assert!(!reasons.is_empty() && reasons.iter().all(|(_, reason)| reason.ends_with('"')), "{csv}");
    let route = json(&["route", text, "--json"]);
    let hops = route["hops"].as_array().expect("hops");
    assert_eq!(csv.lines().count(), 4 + hops.len());
    for (line, hop) in csv.lines().skip(4).zip(hops) {
        assert!(line.contains(hop["reason"].as_str().expect("a reason")), "{line}");
    }
    let series = |line: &str| line.split(',').next().map(str::to_owned);
    let both: Vec<_> = told(&["route", "preset:models", "--csv"]).lines().skip(4).filter_map(series).collect();
    assert!(both.first().is_some_and(|id| id == "random-blind") && both.last().is_some_and(|id| id == "random"));
}

#[test]
fn route_of_several_algorithms_is_a_line_for_each() {
    let text = told(&["route", "preset:models", "--json"]);
    let routes: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let outcomes: Vec<_> = routes.iter().map(|route| (&route["series"], &route["outcome"])).collect();
    assert_eq!(outcomes, [(&"random-blind".into(), &"lost".into()), (&"random".into(), &"delivered".into())]);
}

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

/// What every shape of JSON says about its making.
#[test]
fn json_carries_what_made_it() {
    let text = "v=1&net=cube:4&faults=nodes:0.3&within=0.1&seed=7";
    let mut made =
        vec![json(&["run", text, "--json"]), json(&["route", text, "--json"]), json(&["check", text, "--json"])];
    assert!(made.iter().all(|value| value["experiment"] == text && value["seed"] == 7), "{made:?}");
    // The cells of one table come from several experiments: each names its own, which measures it again.
    made.extend(json(&["papers", "table4", "--json", "--within", "0.05"]).as_array().expect("cells").iter().cloned());
    assert!(made.iter().all(|value| value["version"] == env!("CARGO_PKG_VERSION")), "{made:?}");
    let cell = made.iter().find(|cell| cell["cell"] == "p=0.5 backtracking, n=10, S %").expect("a cell");
    assert_eq!(cell["seed"], 1);
    let again = json(&["run", cell["experiment"].as_str().expect("a text"), "--json"]);
    let points = again["points"].as_array().expect("points");
    let point = points.iter().find(|point| point["series"] == "backtracking" && point["x"] == 0.5).expect("the point");
    assert_eq!(point["metrics"]["success"]["mean"].as_f64().map(|mean| mean * 100.0), cell["measured"].as_f64());
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
    assert_eq!(csv.lines().nth(3), Some("series,item,measured,side,bound,supposed,holds"));
    for line in [
        "algorithm-a,inactive-of-one-fault,31,,,,",
        "algorithm-a,faulty-paths,1280,at-most,1280,true,true",
        "algorithm-a,active-nodes,225,at-least,224,false,true",
        "algorithm-b,inactive-of-one-fault,112,,,,",
        "algorithm-b,ascends,,,,,true",
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
    assert_eq!(csv.lines().nth(3), Some("series,item,measured,side,bound,supposed,holds"));
    for line in [
        "network,channels,62,,,,",
        "messages,load-factor,64,,,,",
        "messages,theorem-9-load-factor,64,at-most,48,true,false",
        "messages,theorem-9-root,4,at-least,4,true,true",
        "greedy,cycles,80,at-least,64,true,true",
        "greedy,theorem-9-cycles,80,at-least,8,true,true",
        "random-guess,offline-verified,,,,,true",
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
    let none = json(&["check", "switch=permutation&net=cube:4&faults=count:12&route=kim-shin", "--json"]);
    assert!(none["unavailable"].as_str().is_some_and(|why| why.contains("subcube")), "{none}");
}

#[test]
fn curves_of_congestion_cross() {
    let text =
        "switch=permutation&net=cube:8&faults=none&traffic=transpose&vary=n:4..10:4&route=bit-fixing,algorithm-a";
    let found = told(&["run", text, "--quiet"]);
    assert!(found.contains("Algorithm A below Bit-fixing from n = 6."), "{found}");
    let lengths = told(&["run", text, "--quiet", "--lengths"]);
    assert!(lengths.lines().any(|line| line.starts_with("bit-fixing,10,10,")), "{lengths}");
    let csv = told(&["run", text, "--quiet", "--csv"]);
    assert!(csv.contains("bit-fixing,10,converged,congestion,messages,16,16,16,"), "{csv}");
}

#[test]
fn papers_as_json() {
    let cells = json(&["papers", "table4", "--json", "--within", "0.05"]);
    let cells = cells.as_array().expect("cells");
    assert_eq!(cells.len(), 72);
    for cell in cells {
        let shape = ["cell", "ci95", "item", "measured", "paper", "published", "remark", "verdict"];
        assert!(shape.iter().all(|key| cell.get(key).is_some()), "{cell}");
        assert_eq!((&cell["paper"], &cell["item"]), (&"gordon-stout".into(), &"table4".into()));
        assert!(cell["published"].is_number() && cell["measured"].is_number() && cell["ci95"][1].is_number());
        assert!(["reproduced", "close"].iter().any(|verdict| cell["verdict"] == *verdict), "{cell}");
    }
    let csv = told(&["papers", "table4", "--csv", "--within", "0.05"]);
    let lines: Vec<_> = csv.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 1 + cells.len());
    for (line, cell) in lines[1..].iter().zip(cells) {
        let start = format!("gordon-stout,table4,{},", cell["cell"]);
        let fields: Vec<_> = line.strip_prefix(&start).expect("a cell").split(',').collect();
        for (field, name) in [(fields[0], "published"), (fields[1], "measured")] {
            // Reading JSON may cost the last bit.
            let numbers = field.parse::<f64>().ok().zip(cell[name].as_f64());
            assert!(numbers.is_some_and(|(csv, json)| (csv - json).abs() < 1e-12 * json.max(1.0)), "{line} {cell}");
        }
        let made = cell["experiment"].as_str().expect("a text");
        assert!(line.ends_with(&format!("\"{made}\"")), "{line}");
        assert!(csv.contains(&format!("\n# experiment {made}\n# seed 1\n")), "{made}");
    }
}

#[test]
fn papers_of_circuits_are_exact_where_they_can_be() {
    let cells = json(&["papers", "chiu-examples", "--json"]);
    let cells = cells.as_array().expect("cells");
    assert_eq!(cells.len(), 19);
    for cell in cells {
        assert_eq!(
            keys(cell),
            [
                "cell",
                "ci95",
                "experiment",
                "item",
                "measured",
                "paper",
                "published",
                "remark",
                "seed",
                "verdict",
                "version"
            ]
        );
        assert_eq!(cell["paper"], "chiu-chalasani-raghavendra");
        let confirmed = cell["measured"] == cell["published"] && cell["verdict"] == "reproduced";
        assert!(confirmed || cell["published"].is_null(), "{cell}");
    }
    let text = told(&["papers", "chiu-theorems"]);
    assert!(text.contains("Theorem 5") && text.contains("exact") && text.contains("0 not reproduced"), "{text}");
}

#[test]
fn a_point_that_jams_has_no_mean_in_any_format() {
    let text = "net=cube:2&switch=circuit&route=e-cube&vary=rate:0.2,3&within=0.5&trials=1000";
    assert!(told(&["run", text]).lines().any(|line| line.split_whitespace().eq(["3", "unstable"])));
    let run = json(&["run", text, "--json"]);
    let point = &run["points"][1];
    assert_eq!((&point["outcome"], &point["metrics"]["setup"]["mean"]), (&"unstable".into(), &Value::Null));
    let csv = told(&["run", text, "--csv"]);
    let line = csv.lines().find(|line| line.starts_with("e-cube,3,unstable,setup,"));
    assert!(line.is_some_and(|line| line.ends_with(",,,,0")), "{csv}");
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["run", "net=cube:99"], &["net=cube:99", "accepted", "64"]),
        (&["run", "net=cube:6&faults=nodes:1.5"], &["faults=nodes:1.5", "accepted"]),
        (&["run", "net=cube:6&colour=red"], &["colour=red", "unknown key", "seed"]),
        (&["run", "net=cube:6&mpl=x"], &["mpl=x", "not a number", "1 to 1000"]),
        (&["run", "net=cube:6&vary=p:0..1:3"], &["vary=", "nodes:P"]),
        (&["run", "net=cube:6%0Aa"], &["net=cube:6\\na"]),
        (&["run", "no-such-file.txt"], &["no-such-file.txt", "neither", "help experiment"]),
        (&["run", "preset:nothing"], &["preset:nothing", "around"]),
        (&["run", ""], &["neither an experiment"]),
        (&["run"], &["EXPERIMENT"]),
        (&["run", "net=cube:6", "--threads", "0"], &["--threads", "1..=1024"]),
        (&["run", "net=cube:6", "--json", "--csv"], &["--json", "--csv"]),
        (&["route", "net=cube:6", "--json", "--csv"], &["--json", "--csv"]),
        (&["run", "net=cube:6", "--colour"], &["--colour"]),
        (&["run", "net=mesh:8x8"], &["net=mesh:8x8", "switch=wormhole"]),
        (&["run", "net=mesh:1025x2&switch=wormhole"], &["net=mesh:1025x2", "1 to 1024 nodes"]),
        (&["run", "net=mesh:3x3x3&switch=wormhole&route=lh2"], &["route=lh2", "wants two dimensions"]),
        (
            &["run", "net=mesh:1024x1024&switch=wormhole&vc=16&faults=nodes:0.2&route=e-cube"],
            &["faults=nodes:0.2", "fault regions"],
        ),
        (&["run", "net=cube:11&switch=wormhole"], &["net=cube:11", "up to n = 10"]),
        (&["run", "net=tree:16&switch=wormhole"], &["net=tree:16", "meshes and hypercubes"]),
        (&["run", "switch=wormhole&load=4.5"], &["load=4.5", "0 to 4"]),
        (&["run", "switch=wormhole&length=0"], &["length=0", "1 to 256"]),
        (&["run", "switch=wormhole&inject=65"], &["inject=65", "1 to 64"]),
        (&["run", "switch=wormhole&vc=3"], &["vc=3", "lh2 has 4 classes"]),
        (&["run", "switch=wormhole&vary=vc:3,8"], &["vary=vc:3,8", "lh2 has 4 classes"]),
        (&["run", "switch=wormhole&vary=n:3,4"], &["vary=n:3,4", "the network must be a hypercube"]),
        (&["run", "switch=wormhole&vary=k:8,64&break=9.9"], &["vary=k:8,64", "node 9.9", "8x8"]),
        (&["run", "switch=wormhole&net=mesh:4x8&traffic=transpose"], &["traffic=transpose", "mesh:4x8"]),
        (&["run", "switch=wormhole&vary=k:8,12&traffic=bit-reversal"], &["vary=k:8,12", "12x12", "power of two"]),
        (&["run", "switch=wormhole&faults=isolated:30+40"], &["faults=isolated:30+40", "640 links", "480"]),
        (&["run", "switch=wormhole&break=1.1-1.3"], &["break=1.1-1.3", "3.4-4.4"]),
        (&["run", "switch=wormhole&route=up"], &["route=up", "wants a hypercube"]),
        (&["run", "net=cube:5&route=f-cube2"], &["route=f-cube2", "switch=wormhole"]),
        (&["run", "faults=isolated:0.1"], &["faults=isolated:0.1", "meshes"]),
        (&["route", "switch=wormhole", "--to", "16.0"], &["--to 16.0", "mesh:16x16", "ROW.COLUMN"]),
        (&["route", "switch=pairs"], &["switch", "faultlab check"]),
        (&["route", "switch=circuit&break=0"], &["switch", "faultlab check"]),
        (&["route", "net=cube:6", "--from", "64"], &["--from 64", "cube:6", "accepted"]),
        (&["route", "net=cube:6", "--from", "5", "--to", "5"], &["to=5", "coincide"]),
        (&["papers", "table9"], &["table9", "table4", "chiu-fig6", "gordon-stout"]),
        (&["papers", "table4", "--within", "0"], &["--within 0", "0.0001"]),
        (&["help", "nothing"], &["nothing", "experiment"]),
        (&["measure"], &["measure"]),
        (&[], &["--help"]),
    ];
    for (arguments, parts) in cases {
        let output = faultlab(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(parts.iter().all(|part| error.contains(part)), "{arguments:?}: {error}");
    }
}

#[test]
fn help_explains_every_key() {
    let help = told(&["help", "experiment"]);
    for key in faultlab::experiment::KEYS {
        assert!(help.contains(&format!("example: {}={}", key.name, key.example)), "{}", key.name);
    }
    assert!(told(&["help"]).contains("papers") && told(&["help", "run"]).contains("--svg"));
    assert!(told(&["--version"]).contains(env!("CARGO_PKG_VERSION")));
    assert!(told(&["presets"]).contains("preset:conjecture"));
}

#[test]
fn worms_are_run_in_every_format() {
    let text =
        "net=mesh:6x6&switch=wormhole&faults=isolated:1+0&route=f-cube2,lh2&length=5&within=0.2&vary=load:0.2,0.6";
    let run = json(&["run", text, "--json"]);
    let points = run["points"].as_array().expect("points");
    assert_eq!(points.len(), 4);
    for point in points {
        assert_eq!(point["outcome"], "converged");
        for metric in ["utilization", "latency", "latency-95", "throughput", "discarded", "lost", "hops", "busiest"] {
            assert!(point["metrics"][metric]["mean"].is_number(), "{metric}: {point}");
        }
        assert!(point["latencies"].as_array().is_some_and(|latencies| latencies.len() > 5));
    }
    let csv = told(&["run", text, "--csv"]);
    assert!(csv.contains("\nlh2,0.6,converged,throughput,flits per node and cycle,"), "{csv}");
    let table = told(&["run", text, "--threads", "1"]);
    assert!(table.contains("bisection utilization, %") && table.contains("points: 4 converged"), "{table}");
    assert_eq!(table, told(&["run", text, "--threads", "3"]));
    let deadlock = told(&["run", "preset:worm-overlap"]);
    assert!(deadlock.contains("deadlocked") && deadlock.contains("1 deadlocked, 1 converged"), "{deadlock}");
    let nobody = told(&["run", "net=mesh:2x2&switch=wormhole&faults=none&break=0.0,0.1,1.0&route=f-cube4"]);
    assert!(nobody.contains("1 no-network"), "{nobody}");
}

/// Fig. 5 of Boppana & Chalasani: a row message that goes around a node and a link.
#[test]
fn route_follows_a_worm() {
    let text = "net=mesh:6x6&switch=wormhole&faults=none&break=1.2,3.4-4.4&route=f-cube2&from=1.0&to=4.4";
    let route = json(&["route", text, "--json"]);
    let hops = route["hops"].as_array().expect("hops");
    assert_eq!(keys(&hops[0]), ["class", "direction", "from", "port", "reason", "rule", "status", "to", "type"]);
    let nodes: Vec<_> = hops.iter().filter_map(|hop| hop["to"].as_str()).collect();
    assert_eq!(nodes[..6], ["1.1", "2.1", "2.2", "2.3", "2.4", "3.4"]);
    assert_eq!((&route["outcome"], nodes.last()), (&"delivered".into(), Some(&"4.4")));
    let classes: Vec<_> = hops.iter().filter_map(|hop| hop["class"].as_u64()).collect();
    assert_eq!(classes, [0, 0, 0, 0, 0, 1, 1, 1, 1]);
    assert_eq!((&hops[1]["direction"], &hops[1]["rule"]), (&"counter-clockwise".into(), &"enter-ring".into()));
    let words = told(&["route", text]);
    assert!(
        words.contains("blocked by the fault at (1,2); row message WE, destination below: counter-clockwise")
            && words.contains("2 more than a minimal path"),
        "{words}"
    );
    assert_eq!(told(&["route", text, "--csv"]).lines().count(), 4 + hops.len());
    let faulty = told(&["route", text, "--from", "1.2"]);
    assert!(faulty.contains("source or destination is faulty"), "{faulty}");
}

#[test]
fn a_chart_carries_what_made_it() {
    let file = std::env::temp_dir().join(format!("faultlab-{}.svg", std::process::id()));
    told(&["run", SMALL, "--svg", file.to_str().expect("a path")]);
    let svg = std::fs::read_to_string(&file).expect("a chart");
    std::fs::remove_file(&file).expect("removed");
    assert!(svg.contains("<svg") && svg.contains("net=cube:5") && svg.contains(env!("CARGO_PKG_VERSION")));
    let output = faultlab(&["run", "net=cube:3&trials=10", "--svg", "/no/such/folder/chart.svg"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
}

#[test]
fn a_reader_may_stop_early() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_faultlab"))
        .args(["help", "experiment"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
}

#[test]
fn a_mesh_cut_in_two_is_told() {
    let cut = "net=mesh:3x4&switch=wormhole&faults=none&break=0.2,1.2,2.2&route=f-cube4&trials=100";
    assert!(told(&["run", cut]).contains("Cut off: 3 nodes do not take part."));
    assert!(told(&["check", cut]).contains("the largest, of 6 nodes, is simulated; 3 nodes take no part"));
    assert!(!told(&["run", "net=mesh:3x4&switch=wormhole&faults=none&trials=100"]).contains("Cut off"));
}

#[test]
fn route_follows_a_message_of_a_permutation() {
    let text = "net=cube:6&faults=nodes:0&break=5&route=algorithm-b,bit-fixing&switch=permutation&tolerance=0.3";
    let people = told(&["route", text, "--from", "8"]);
    assert!(people.contains("phase 3, over to C01: rank 5\n"), "{people}");
    assert!(
        people.contains("Algorithm B: 52 of 64 nodes are active (1 faulty, 3 in its square, 8 in its shadow)"),
        "{people}"
    );
    let silent = told(&["route", text, "--from", "3"]);
    assert!(silent.contains("000011 sends no message: inactive: "), "{silent}");

    let lines = told(&["route", text, "--from", "8", "--json"]);
    let routes: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [b, fixing] = routes.as_slice() else { panic!("{lines}") };
    assert_eq!((&b["series"], &b["outcome"], &b["messages"]), (&"algorithm-b".into(), &"counted".into(), &52.into()));
    assert_eq!((&b["nodes"]["marked"], &b["nodes"]["inactive"], &b["seed"]), (&3.into(), &8.into(), &1.into()));
    assert_eq!((&fixing["messages"], &fixing["delivered"]), (&63.into(), &62.into()));
    let hops = b["message"]["hops"].as_array().expect("hops");
    let classes: Vec<_> = hops.iter().filter_map(|hop| hop["class"].as_u64()).collect();
    assert!(classes.is_sorted() && classes.contains(&5) && hops[0]["from"] == "8", "{b}");
    let csv = told(&["route", text, "--from", "8", "--csv"]);
    assert!(
        csv.contains("\nseries,outcome,message,hop,from,to,class,phase,dimension,thesis,reason\nalgorithm-b,counted,")
    );
    let made = |line: &&str| line.starts_with("algorithm-b,");
    assert_eq!(csv.lines().filter(made).count(), hops.len());
}

#[test]
fn route_sends_a_batch_to_its_end() {
    let text = "net=cube:3&faults=nodes:0&route=valiant-brebner,algorithm-b&switch=batch&length=2&traffic=0-3-2,3-0-1";
    let lines = told(&["route", text, "--json"]);
    let ends: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(
        (&ends[0]["outcome"], &ends[0]["cycles"], &ends[0]["arrived"]),
        (&"deadlock".into(), &3.into(), &0.into())
    );
    assert_eq!(ends[0]["circle"][0]["wants"], "3_0");
    assert_eq!(
        (&ends[1]["outcome"], &ends[1]["arrived"], &ends[1]["circle"]),
        (&"delivered".into(), &2.into(), &Value::Null)
    );
    let people = told(&["route", text, "--from", "3", "--to", "1"]);
    assert!(people.contains("Message 1 goes from 011 by way of 000 to 001 in 3 hops."), "{people}");
    assert!(people.contains("The circle: 0 waits for what 1 holds (011 → 010)"), "{people}");
    let nobody = faultlab(&["route", text, "--to", "5"]);
    assert_eq!(nobody.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("none of the messages goes there"));
}

#[test]
fn route_follows_delivery_cycles() {
    let text = "net=tree:64&switch=delivery&survive=left&route=greedy,random-guess&traffic=bit-reversal";
    let people = told(&["route", text, "--from", "9"]);
    assert!(people.contains("GREEDY delivers all in 7 cycles and RANDOM in "), "{people}");
    assert!(
        people.contains("  cycle 3: lost at the up channel above processors 8 and 9: 2 contended, 1 survived\n"),
        "{people}"
    );
    assert!(people.contains("\n      1     64      14     50  all that are left are sent\n"), "{people}");

    let lines = told(&["route", text, "--json"]);
    let runs: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [greedy, random] = runs.as_slice() else { panic!("{lines}") };
    assert_eq!(
        (&greedy["outcome"], &greedy["completion"], &greedy["transmissions"]),
        (&"delivered".into(), &7.into(), &212.into())
    );
    assert_eq!(
        (&greedy["load_factor"], &greedy["seed"], &random["series"]),
        (&4.0.into(), &1.into(), &"random-guess".into())
    );
    assert_eq!(greedy["cycles"].as_array().map(Vec::len), Some(7));
    let csv = told(&["route", text, "--csv"]);
    assert!(
        csv.contains(
            "\nseries,cycle,rule,sent,arrived,lost,most_lost_at\ngreedy,1,all that are left are sent,64,14,50,"
        )
    );

    let nobody = faultlab(&["route", text, "--from", "0", "--to", "5"]);
    assert_eq!(nobody.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("none of the messages goes there"));
}
