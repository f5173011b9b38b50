//! Tests that the commands' JSON output is valid under the schemas in `docs/schemas/`.

use std::path::Path;

use faultlab::report::kinds::new_watch;
use faultlab::report::pairs::wording::PairTable;
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::printed_numbers::{EXPERIMENTS, invalid_number, is_quick};
use crate::{faultlab, stdout_of};

/// Loads the JSON schema `docs/schemas/{name}.json`.
fn schema(name: &str) -> Validator {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/schemas/{name}.json"));
    let text = std::fs::read_to_string(&file).expect("a schema");
    jsonschema::validator_for(&serde_json::from_str(&text).expect("JSON")).expect("a schema that is one")
}

/// Runs a command and asserts that its output is valid: one document or, with `lines`, one per
/// line.
fn assert_output_valid(name: &str, lines: bool, arguments: &[&str]) {
    let text = stdout_of(arguments);
    let parts: Vec<_> = if lines { text.lines().collect() } else { vec![text.as_str()] };
    assert!(!parts.is_empty(), "{arguments:?}");
    parts.into_iter().for_each(|part| assert_valid(name, part));
}

/// Asserts that `text` is valid under the schema `name`.
fn assert_valid(name: &str, text: &str) {
    let document: Value = serde_json::from_str(text).expect("JSON");
    let schema = schema(name);
    let problems: Vec<_> =
        schema.iter_errors(&document).map(|problem| format!("{problem} at {}", problem.instance_path())).collect();
    assert!(problems.is_empty(), "{name}: {problems:#?}\n{text}");
}

/// Experiments of every kind. The schemas were written from other experiments.
const TEXTS: [&str; 14] = [
    "net=cube:5&faults=nodes:0.25&route=sidetracking,backtracking,global&within=0.1",
    "net=cube:3&faults=links:0.4&route=deterministic,minimal&vary=p:0.1,0.9&within=0.1",
    "switch=circuit&net=cube:3&faults=count:1&route=up,e-cube&rate=0.1&within=0.2",
    "switch=pairs&net=cube:3&faults=count:2&route=up,dp&within=0.1",
    "switch=wormhole&net=mesh:5x4&faults=isolated:0.05&route=f-cube2,west-first&load=0.1&within=0.2",
    "switch=wormhole&net=torus:3x5&faults=none&route=e-cube&load=0.2&within=0.2",
    "switch=permutation&net=cube:3&faults=count:5&route=algorithm-a,valiant-brebner&within=0.2",
    "switch=permutation&net=cube:5&traffic=transpose&within=0.2",
    "switch=batch&net=cube:3&length=2&within=0.2",
    "net=tree:32&traffic=random*2&route=greedy,valiant&within=0.2",
    "net=tree2:16&faults=wires:0.2&within=0.2",
    "net=tree2-3d:8&faults=wires:0.2&within=0.2",
    "switch=batch&net=butterfly:3&faults=count:2&tolerance=0.3&within=0.2",
    "switch=circuit&net=torus:4x6&faults=links:0.1&route=e-cube,mb-0,mb-3&rate=0.02&within=0.2",
];

#[test]
fn run_and_plan_output_is_valid() {
    for text in TEXTS {
        assert_output_valid("run", false, &["run", text, "--json", "--quiet"]);
        assert_output_valid("plan", false, &["run", text, "--plan", "--json"]);
    }
}

#[test]
fn route_and_check_output_is_valid() {
    for text in TEXTS {
        assert_output_valid("check", true, &["check", text, "--json"]);
        // Costs have no formulas for butterflies.
        if !text.contains("butterfly") {
            assert_output_valid("cost", true, &["cost", text, "--json"]);
        }
        if !text.starts_with("switch=circuit&net=cube") && !text.starts_with("switch=pairs") {
            assert_output_valid("route", true, &["route", text, "--json"]);
        }
    }
}

/// Nullable fields of `check`: `proved` for a user's rules, `busiest` for rules that send no
/// message.
#[test]
fn check_output_for_rules_is_valid() {
    for rules in ["always take wrapping", "when some back is live take back"] {
        let text = format!("net=torus:5&rules=routing r on torus {rules}");
        assert_output_valid("check", true, &["check", &text, "--json"]);
    }
    let check =
        stdout_of(&["check", "net=torus:5&rules=routing r on torus when some back is live take back", "--json"]);
    assert!(check.contains("\"busiest\":null"), "{check}");
}

#[test]
fn search_output_is_valid() {
    for text in [TEXTS[0], TEXTS[1], TEXTS[4], TEXTS[9]] {
        assert_output_valid("compare", true, &["compare", text, "--json", "--quiet"]);
    }
    assert_output_valid(
        "activity",
        true,
        &["activity", "net=cube:7&faults=nodes:0.1", "--trials", "3", "--json", "--quiet"],
    );
    assert_output_valid("worst", true, &["worst", TEXTS[3], "--sets", "5", "--json", "--quiet"]);
    assert_output_valid(
        "refute",
        true,
        &["refute", "switch=wormhole&net=mesh:3x4&faults=none&route=f-cube2,west-first", "--json", "--quiet"],
    );
}

#[test]
fn saturation_output_is_valid() {
    let text = "v=2&switch=wormhole&net=mesh:3x3&faults=none&route=e-cube,west-first&within=0.2&trials=2000";
    assert_output_valid("saturation", true, &["saturation", text, "--json", "--quiet", "--resolution", "0.2"]);
    let sweep = format!("{text}&vary=load:0.1,0.5,1");
    let run = crate::json(&["run", &sweep, "--json", "--quiet"]);
    assert_eq!(run["saturation"].as_array().map(Vec::len), Some(2), "{run}");
    assert_valid("run", &run.to_string());
}

#[test]
fn list_output_is_valid() {
    assert_output_valid("presets", false, &["presets", "--json"]);
    assert_output_valid("errata", false, &["papers", "errata", "--json"]);
    assert_output_valid("rows", false, &["papers", "rows", "--json"]);
    assert_output_valid("papers", false, &["papers", "fat-tree-theorem9", "--json", "--quiet"]);
}

/// The files that the page saves from Watch, at the start and later, have a schema, and the book
/// names their columns.
#[test]
fn files_saved_by_watch_are_valid() {
    let formats = include_str!("../../docs/formats.md");
    let is_told = |csv: &str| {
        let columns = csv.lines().find(|line| !line.starts_with('#')).expect("columns");
        assert!(formats.contains(&format!("`{columns}`")), "{columns}");
    };
    let moments = [
        (TEXTS[2], "moment", 40.0),
        (TEXTS[4], "moment", 300.0),
        (TEXTS[8], "route", 5.0),
        (TEXTS[13], "moment", 40.0),
        ("switch=circuit&net=cube:4&later=20:5,30:0_1&rate=0.3", "moment", 31.0),
        ("switch=circuit&net=mesh:4x4&later=20:1.1,30:2.1-2.2&rate=0.2", "moment", 31.0),
        (TEXTS[12], "route", 5.0),
    ];
    for (text, name, at) in moments {
        let mut watch = new_watch(&text.parse().expect("a text")).expect("it moves");
        while watch.work() {}
        for time in [0.0, at] {
            watch.seek(time);
            while !watch.is_ready() {
                watch.work();
            }
            let json = watch.json();
            assert!(json.contains("\"from\"") || time == 0.0, "{json}");
            json.lines().for_each(|line| assert_valid(name, line));
            is_told(&watch.csv());
        }
    }
    let experiment = TEXTS[3].parse().expect("a text");
    let pairs = PairTable::new(&experiment, false).expect("pairs");
    assert_valid("moment", &pairs.json(&experiment));
    is_told(&pairs.csv(&experiment));
}

/// Commands that print JSON, each with options that keep it short.
const COMMANDS: [(&str, &[&str]); 8] = [
    ("run", &["--quiet"]),
    ("run", &["--plan"]),
    ("route", &[]),
    ("check", &[]),
    ("cost", &[]),
    ("compare", &["--quiet"]),
    ("activity", &["--quiet"]),
    ("refute", &["--sets", "5", "--quiet"]),
];

/// Output of edge cases is valid too: large numbers, inapplicable schemes, faults that leave no
/// node, points without a mean.
#[test]
fn every_command_prints_valid_json_or_fails() {
    for text in EXPERIMENTS {
        let search = ["--sets", "3", "--trials", "20", "--quiet"];
        let worst = [("worst", &search[..])].into_iter().filter(|_| is_quick(text));
        for (command, options) in COMMANDS.into_iter().chain(worst) {
            let output = faultlab(&[&[command, text, "--json"], options].concat());
            let printed = String::from_utf8(output.stdout).expect("text");
            if !output.status.success() {
                assert_eq!((output.status.code(), printed.as_str()), (Some(2), ""), "{command} {text}");
                continue;
            }
            assert!(!printed.is_empty(), "{command} {text}");
            assert_eq!(invalid_number(&printed), None, "{command} {text}\n{printed}");
            match (command, options) {
                ("run", ["--plan"]) => assert_valid("plan", &printed),
                ("run", _) => assert_valid("run", &printed),
                _ => printed.lines().for_each(|line| assert_valid(command, line)),
            }
        }
    }
}

/// Integers above 2^53 are written as strings, because floating-point readers would change them.
#[test]
fn integers_above_2_53_are_strings() {
    let run = crate::json(&["run", "net=cube:3&seed=9007199254740993&within=0.3", "--json"]);
    assert_eq!(run["seed"], "9007199254740993");
    assert_eq!(crate::json(&["check", "net=cube:54", "--json"])["network"]["nodes"], "18014398509481984");
}

/// The schemas reject unknown fields and wrong types.
#[test]
fn schemas_reject_unknown_fields() {
    let mut run: Value =
        serde_json::from_str(&stdout_of(&["run", "net=cube:3&within=0.3", "--json", "--quiet"])).expect("JSON");
    assert!(schema("run").is_valid(&run));
    run["more"] = json!(1);
    assert!(!schema("run").is_valid(&run));
    run.as_object_mut().expect("an object").remove("more");
    run["points"][0]["series"] = json!(7);
    assert!(!schema("run").is_valid(&run));
}
