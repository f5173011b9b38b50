//! Tests of printed numbers: none is negative zero, infinite or NaN, and no table is empty.

use crate::{faultlab, json, stdout_of};

/// Experiments of every kind at the limits of their parameters.
pub(crate) const EXPERIMENTS: [&str; 39] = [
    "net=cube:1&within=0.3",
    "net=cube:3&seed=9007199254740993&within=0.3",
    "net=cube:49&route=deterministic&within=0.3",
    "net=cube:54&break=3&within=0.3",
    "net=cube:64&faults=nodes:0.5&within=0.3",
    "net=cube:3&faults=nodes:1&within=0.3",
    "net=cube:3&break=1,2,4&from=0&to=7&within=0.3",
    "net=cube:2&faults=count:4&within=0.3",
    "net=cube:5&faults=nodes:0.25&route=sidetracking,backtracking,global&within=0.3",
    "net=cube:3&faults=links:0.4&route=deterministic,minimal&vary=p:0.1,0.9&within=0.3",
    "net=cube:4&sets=all&faults=nodes:0.5&route=sidetracking,random&within=0.3&trials=100",
    "net=cube:2&switch=permutation&route=algorithm-b&within=0.3",
    "net=cube:4&switch=permutation&break=0,3,5,6,9,10,12,15&route=bit-fixing,kim-shin&trials=100",
    "net=cube:4&switch=permutation&faults=ball:3&route=algorithm-a,algorithm-b&trials=100",
    "net=cube:5&switch=permutation&traffic=transpose&within=0.3",
    "net=cube:2&switch=batch&route=general&within=none&trials=1",
    "net=cube:3&switch=batch&route=bit-fixing,valiant-brebner&within=0.3",
    "net=cube:2&switch=circuit&faults=subcube:2&break=1,2&within=0.5&trials=1000",
    "net=cube:2&switch=circuit&route=e-cube&vary=rate:0.2,3&within=0.5&trials=1000",
    "net=cube:3&switch=circuit&v=2&within=0.5&trials=1000&rate=0.1",
    "net=cube:3&switch=pairs&faults=count:2&route=up,dp&within=0.2",
    "net=cube:3&switch=pairs&within=0.3",
    "net=cube:3&switch=wormhole&faults=count:1&within=0.5&trials=1000",
    "net=mesh:2&within=0.1&trials=500&seed=1&buffer=1",
    "net=mesh:2x2&load=0.5&length=1&within=0.5&trials=1000",
    "net=mesh:1x4&within=0.5&trials=500",
    "net=mesh:4x4&load=0&within=0.5&trials=500",
    "net=mesh:3x3&break=1.1&route=f-cube2,e-cube&within=0.5&trials=500",
    "net=mesh:3x3x3&break=1.1.1&within=0.5&trials=500",
    "net=mesh:4x4&v=2&vary=load:0.1,0.9&within=0.5&trials=1000",
    "net=torus:4x4&faults=nodes:0.1&load=0.1&within=0.5&trials=500",
    "net=tree:2&within=0.3",
    "net=tree:8&faults=wires:0.5&within=0.3&trials=100",
    "net=tree:16&traffic=mesh:z-order&within=0.3",
    "net=tree:32&traffic=random*2&route=greedy,valiant&within=0.3",
    "net=tree2:4&break=u0.0.0&within=0.3&trials=100",
    "net=tree2:16&faults=wires:0.2&within=0.3",
    "net=tree2-3d:8&break=u0.0.0,u1.0.3&within=0.3&trials=100",
    "net=butterfly:2&switch=permutation&faults=count:5&within=0.3",
];

/// Returns whether a search for the worst faults is quick: networks under load need a simulation
/// per fault set.
pub(crate) fn is_quick(text: &str) -> bool {
    !["switch=circuit", "mesh", "torus", "wormhole", "tree"].iter().any(|part| text.contains(part))
}

/// Commands with options that keep them short.
const COMMANDS: [(&str, &[&str]); 6] = [
    ("run", &["--quiet"]),
    ("route", &[]),
    ("check", &[]),
    ("compare", &["--quiet"]),
    ("worst", &["--sets", "2", "--trials", "20", "--quiet"]),
    ("activity", &["--quiet"]),
];

/// Returns the first NaN, infinity or negative zero in `printed`, if there is one.
pub(crate) fn invalid_number(printed: &str) -> Option<&str> {
    let lines = printed.lines().filter(|line| !line.starts_with('#'));
    let words = lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || "[](),:%\"".contains(c)));
    words.into_iter().find(|word| {
        let is_zero = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| b"0.".contains(&byte));
        matches!(*word, "NaN" | "inf" | "-inf") || word.strip_prefix('-').is_some_and(is_zero)
    })
}

/// Numbers in JSON are tested with the schemas.
#[test]
fn every_number_is_finite_and_zero_has_no_sign() {
    for text in EXPERIMENTS {
        let commands = COMMANDS.into_iter().filter(|(command, _)| *command != "worst" || is_quick(text));
        for (command, options) in commands {
            for format in [None, Some("--csv")] {
                let arguments: Vec<_> =
                    [command, text].into_iter().chain(format).chain(options.iter().copied()).collect();
                let output = faultlab(&arguments);
                let printed = String::from_utf8(output.stdout).expect("text");
                assert_eq!(invalid_number(&printed), None, "{arguments:?}\n{printed}");
                if format == Some("--csv") && output.status.success() {
                    let rows = printed.lines().filter(|line| !line.starts_with('#')).count();
                    assert!(rows > 1, "{arguments:?}: a table without rows");
                }
            }
        }
    }
}

#[test]
fn misfit_finds_invalid_numbers() {
    for bad in ["a,-0,b", "[-0.00, 1]", "x -inf y", "\"mean\":-0.0", "NaN"] {
        assert!(invalid_number(bad).is_some(), "{bad}");
    }
    for good in ["a,-0.5", "0.00", "information", "north-0", "# -0"] {
        assert_eq!(invalid_number(good), None, "{good}");
    }
}

/// A minimal path has no excess over the distance.
#[test]
fn excess_of_minimal_paths_is_zero() {
    let run = json(&["run", "net=cube:49&route=deterministic", "--json"]);
    assert_eq!(run["points"][0]["metrics"]["excess"]["mean"], 0.0);
}

#[test]
fn worst_says_why_an_interval_is_unbounded() {
    let worst = stdout_of(&["worst", "net=cube:4", "--sets", "2", "--quiet"]);
    assert!(worst.contains("average over random sets of this size: ") && worst.contains("(one trial)"), "{worst}");
}

#[test]
fn lengths_fail_with_reason_if_empty() {
    for (text, reason) in [
        ("net=cube:3&faults=nodes:1&trials=100", "--lengths has nothing to print: no message has arrived ("),
        ("net=cube:2&switch=batch&route=general&within=none&trials=1", "switch=batch counts no path lengths"),
        ("net=cube:3&switch=circuit", "--lengths: switch=circuit counts no path lengths; accepted: switch=message"),
    ] {
        let output = faultlab(&["run", text, "--lengths"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && output.stdout.is_empty() && said.contains(reason), "{said}");
    }
}
