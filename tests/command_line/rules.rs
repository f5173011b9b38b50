//! Tests of `--rules FILE`: user-defined routings from a file, with every command that takes an
//! experiment.

use crate::{faultlab, json, stdout_of};

/// Returns the path of a shipped rule file.
fn file(name: &str) -> String {
    format!("{}/examples/rules/{name}.rules", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_command_takes_rules() {
    let (rules, text) = (file("west-first"), "net=mesh:4x4&route=my-west-first,west-first");
    let check = json(&["check", "net=mesh:4x4", "--rules", &rules, "--json"]);
    assert_eq!((&check["series"], &check["acyclic"]), (&"my-west-first".into(), &true.into()));
    let route = stdout_of(&["route", "net=mesh:4x4&from=0.3&to=2.0", "--rules", &rules]);
    assert!(route.contains("first the hops West: no turn leads there later"), "{route}");
    assert!(route.contains("no hop West is left: any minimal hop"), "{route}");
    let compared = stdout_of(&["compare", &format!("{text}&trials=2"), "--rules", &rules, "--csv", "--quiet"]);
    assert!(compared.contains("west-first"), "{compared}");
    assert!(stdout_of(&["slurm", text, "--rules", &rules, "--tasks", "2"]).contains("&rules="));
}

/// Results name the user-defined routings, and their experiment text gives the same numbers without
/// the file.
#[test]
fn results_embed_rule_text() {
    let rules = file("sidetracking");
    let text = "net=cube:6&faults=nodes:0.3&route=my-sidetracking,sidetracking&trials=200";
    let run = json(&["run", text, "--rules", &rules, "--json", "--quiet"]);
    assert_eq!(run["points"][0]["series"], "my-sidetracking");
    let written = run["experiment"].as_str().expect("a text");
    assert_eq!(json(&["run", written, "--json", "--quiet"]), run);
    let csv = stdout_of(&["run", text, "--rules", &rules, "--csv", "--quiet"]);
    assert!(csv.lines().any(|line| line.starts_with("my-sidetracking,")), "{csv}");
}

/// A rule that never fires causes a note on standard error, with its line number in the file.
#[test]
fn rules_that_never_fire_are_noted() {
    let file = std::env::temp_dir().join(format!("faultlab-never-{}.rules", std::process::id()));
    std::fs::write(&file, "# two\nrouting two on cube\nalways take lowest wrong\nalways take right\n").expect("a file");
    let checked = faultlab(&["check", "net=cube:3", "--rules", file.to_str().expect("a path"), "--json"]);
    std::fs::remove_file(&file).expect("cleared");
    assert!(checked.status.success());
    let noted = "note: rules, line 4: this rule never fires: an earlier rule always fires first\n";
    assert_eq!(String::from_utf8_lossy(&checked.stderr), noted);
}

#[test]
fn rejects_missing_and_invalid_rule_files() {
    let said = |arguments: &[&str]| {
        let output = faultlab(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let missing = said(&["check", "net=mesh:4x4", "--rules", "no-such-file.rules"]);
    assert!(missing.contains("file no-such-file.rules: "), "{missing}");
    let bad = said(&["check", "net=mesh:4x4", "--rules", &format!("{}/Cargo.toml", env!("CARGO_MANIFEST_DIR"))]);
    assert!(bad.contains("line 1, column 1"), "{bad}");
    assert!(stdout_of(&["help", "rules"]).contains("first rule whose condition holds"));
}
