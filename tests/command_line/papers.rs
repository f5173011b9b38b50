//! Tests of the command `papers`: published tables beside measured values, and provenance in every
//! file.

use crate::{faultlab, json, keys, stdout_of};

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
    let csv = stdout_of(&["papers", "table4", "--csv", "--within", "0.05"]);
    let lines: Vec<_> = csv.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 1 + cells.len());
    for (line, cell) in lines[1..].iter().zip(cells) {
        let start = format!("gordon-stout,table4,{},", cell["cell"]);
        let fields: Vec<_> = line.strip_prefix(&start).expect("a cell").split(',').collect();
        for (field, name) in [(fields[0], "published"), (fields[1], "measured")] {
            // Parsing JSON may lose the last bit.
            let numbers = field.parse::<f64>().ok().zip(cell[name].as_f64());
            assert!(numbers.is_some_and(|(csv, json)| (csv - json).abs() < 1e-12 * json.max(1.0)), "{line} {cell}");
        }
        let made = cell["experiment"].as_str().expect("a text");
        assert!(line.ends_with(&format!("\"{made}\"")), "{line}");
        assert!(csv.contains(&format!("\n# experiment {made}\n# seed 1\n")), "{made}");
    }
}

#[test]
fn circuit_examples_are_exact() {
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
    let text = stdout_of(&["papers", "chiu-theorems"]);
    assert!(text.contains("Theorem 5") && text.contains("exact") && text.contains("0 not reproduced"), "{text}");
}

/// Every JSON document states the experiment, the seed and the version that produced it.
#[test]
fn json_states_experiment_seed_and_version() {
    let text = "v=1&net=cube:4&faults=nodes:0.3&within=0.1&seed=7";
    let mut made =
        vec![json(&["run", text, "--json"]), json(&["route", text, "--json"]), json(&["check", text, "--json"])];
    assert!(made.iter().all(|value| value["experiment"] == text && value["seed"] == 7), "{made:?}");
    // The cells of one table come from several experiments. Each cell names its own, and running it
    // measures the same value.
    made.extend(json(&["papers", "table4", "--json", "--within", "0.05"]).as_array().expect("cells").iter().cloned());
    assert!(made.iter().all(|value| value["version"] == env!("CARGO_PKG_VERSION")), "{made:?}");
    let cell = made.iter().find(|cell| cell["cell"] == "p=0.5 backtracking, n=10, S %").expect("a cell");
    assert_eq!(cell["seed"], 1);
    let again = json(&["run", cell["experiment"].as_str().expect("a text"), "--json"]);
    let points = again["points"].as_array().expect("points");
    let point = points.iter().find(|point| point["series"] == "backtracking" && point["x"] == 0.5).expect("the point");
    assert_eq!(point["metrics"]["success"]["mean"].as_f64().map(|mean| mean * 100.0), cell["measured"].as_f64());
}

/// Each erratum names the item that shows it, and the output for that item includes the erratum.
#[test]
fn lists_errata_alone_and_with_items() {
    let all = json(&["papers", "errata", "--json"]);
    let all = all.as_array().expect("a list");
    assert!(
        all.iter().all(|erratum| keys(erratum) == ["erratum", "experiment", "item", "paper", "place", "weight"]),
        "{all:?}"
    );
    let (text, csv) = (stdout_of(&["papers", "errata"]), stdout_of(&["papers", "errata", "--csv"]));
    assert_eq!(csv.lines().filter(|line| !line.starts_with('#')).count(), 1 + all.len());
    assert!(!text.contains('`'), "formulas stand in plain text: {text}");
    for erratum in all {
        let item = erratum["item"].as_str().expect("an item");
        assert!(text.contains(&format!("faultlab papers {item}\n")), "{item}");
        // An erratum that affects results comes with an experiment that shows it. The numbers of
        // `ratios` are formulas.
        let needs_none = erratum["weight"] == "wording only" || item == "ratios";
        let seen = erratum["experiment"].as_str();
        assert!(seen.map_or(needs_none, |seen| text.contains(seen) && csv.contains(seen)));
    }
    let text = stdout_of(&["papers", "boppana-examples"]);
    assert!(text.contains("erratum, Section II.C: (2, 2) is called the north-east corner"), "{text}");
}

/// `papers rows` lists every statement, or those that match all words, in three formats.
#[test]
fn rows_are_searched_by_words() {
    let all = json(&["papers", "rows", "--json"]);
    assert_eq!(all.as_array().map(Vec::len), Some(229));
    let found = json(&["papers", "rows", "thesis", "open", "--json"]);
    let found = found.as_array().expect("a list");
    assert!(
        !found.is_empty() && found.iter().all(|row| row["paper"] == "thesis" && row["status"] == "open"),
        "{found:?}"
    );
    let csv = stdout_of(&["papers", "rows", "T13", "--csv"]);
    assert!(csv.contains("\nid,paper,place,statement,status,command,note\nT13,thesis,"), "{csv}");
    let text = stdout_of(&["papers", "rows", "Kaklamanis"]);
    assert!(text.contains("  T13  ") && text.contains("1 row: "), "{text}");
    for (arguments, says) in [
        (["papers", "rows", "no-such-word"], "no row of the papers matches; accepted: words"),
        (["papers", "table4", "thesis"], "words are accepted after rows only"),
    ] {
        let output = faultlab(&arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains(says), "{error}");
    }
}
