//! Tests of the programs in `examples/`: they run, and their results are correct.

use std::path::PathBuf;
use std::process::Command;

use crate::stdout_of;

/// Runs an example, which Cargo has built beside the tests, and returns its standard output.
fn example(name: &str, arguments: &[&str]) -> String {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_faultlab"));
    let program = program.with_file_name("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION);
    let output = Command::new(&program).args(arguments).output().expect("cargo test has built the examples");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn sweep_to_csv_agrees_with_run() {
    let text = "net=cube:4&faults=nodes:0.3&route=sidetracking,random&vary=p:0.1,0.4&within=0.05";
    let table = example("sweep_to_csv", &[text, "success"]);
    let lines: Vec<_> = table.lines().collect();
    assert!(
        lines[0].starts_with("# v=1&net=cube:4") && lines[1] == "x,routing,success,low,high,trials,outcome",
        "{table}"
    );
    assert_eq!(lines.len(), 2 + 4, "{table}");
    let csv = stdout_of(&["run", text, "--csv", "--quiet"]);
    for line in &lines[2..] {
        let fields: Vec<_> = line.split(',').collect();
        assert!(csv.contains(fields[2]), "{} is not in\n{csv}", fields[2]);
    }
}

/// Turn model (Glass & Ni): unrestricted minimal routing has a dependency cycle, north-last has
/// none.
#[test]
fn deadlock_example_finds_cycle_of_minimal_routing_only() {
    let told = example("deadlock_of_a_new_algorithm", &[]);
    let (any, north_last) = told.split_once("north-last").expect("both");
    assert!(any.contains("a cycle of 4 channels") && any.contains("a deadlock in cycle"), "{told}");
    assert!(north_last.contains("no deadlock is possible") && north_last.contains("arrived in 20000 cycles"), "{told}");
}

/// A 4-cube has 64 one-way links and 2,016 pairs of them, more than the limit of a thousand
/// measured sets.
#[test]
fn worst_case_search_finds_two_links() {
    let told = example("worst_case_search", &[]);
    assert!(told.starts_with("the worst found of ") && told.contains("v=1&net=cube:4&switch=pairs&break="), "{told}");
    let broken = told.split("break=").nth(1).and_then(|rest| rest.split('&').next()).expect("links");
    assert_eq!(broken.split(',').filter(|link| link.contains('_')).count(), 2, "{told}");
}
