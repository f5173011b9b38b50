//! Tests of input and output: texts, links and files; errors and help; readers that close the pipe
//! early.

use std::io::Write as _;
use std::process::{Command, Stdio};

use faultlab::experiment::{KINDS, Status};
use faultlab::routing::ALGORITHMS;

use crate::{faultlab, stdout_of};

#[test]
fn accepts_text_link_file_and_stdin_alike() {
    let text = "v=1&net=cube:4&faults=nodes:0.3&within=0.1";
    let expected = stdout_of(&["run", text, "--json"]);
    let link = format!("https://example.org/lab/?embed=1#{text}");
    assert_eq!(stdout_of(&["run", &link, "--json"]), expected);
    let file = std::env::temp_dir().join(format!("faultlab-{}.txt", std::process::id()));
    std::fs::write(&file, "# a comment\nnet=cube:4\nfaults=nodes:0.3\nwithin=0.1\n").expect("a file");
    assert_eq!(stdout_of(&["run", file.to_str().expect("a path"), "--json"]), expected);
    // A line that begins with # is a comment, even if it looks like a text. The file has a byte
    // order mark and CRLF line ends, as some editors write them.
    std::fs::write(&file, "\u{feff}#v=1&net=cube:3\r\nnet=cube:4\r\nfaults=nodes:0.3&within=0.1\r\n").expect("a file");
    assert_eq!(stdout_of(&["run", file.to_str().expect("a path"), "--json"]), expected);
    std::fs::remove_file(&file).expect("removed");
    let encoded = format!("https://example.org/lab/#{}", text.replace('&', "%26").replace('=', "%3D"));
    assert_eq!(stdout_of(&["run", &encoded, "--json"]), expected);
    #[cfg(unix)]
    {
        let script = format!("printf '%s' '{text}' | \"$0\" run /dev/stdin --json");
        let piped =
            Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_faultlab")]).output().expect("sh starts");
        assert_eq!(String::from_utf8_lossy(&piped.stdout), expected);
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_faultlab"))
        .args(["run", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().expect("standard input").write_all(text.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    assert!(stdout_of(&["route", "preset:around"]).contains("Delivered in 8 hops"));
}

/// Without `switch`, the network determines the kind of the experiment.
#[test]
fn network_determines_default_kind() {
    for (network, switch) in [
        ("cube:1", ""),
        ("mesh:2x3", "wormhole"),
        ("mesh:2x2x2", "wormhole"),
        ("torus:3x3", "wormhole"),
        ("tree:4", "delivery"),
        ("tree2:4", "delivery"),
        ("tree2-3d:8", "delivery"),
    ] {
        let said = stdout_of(&["run", &format!("net={network}&within=0.2&trials=2000")]);
        assert!(said.starts_with("v=1&net=") && said.contains(network), "{said}");
        assert_eq!(said.lines().next().is_some_and(|line| line.contains("switch=")), !switch.is_empty(), "{said}");
        assert!(said.contains(&format!("switch={switch}")) || switch.is_empty(), "{said}");
    }
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["run", "net=cube:99"], &["net=cube:99: a hypercube has at most 64 dimensions", "accepted"]),
        (
            &["run", "net=cube:6&rout=e-cube&trials=0&faults=node:0.3"],
            &["3 errors", "Unknown key \"rout\". Did you mean \"route\"?", "trials=0", "Did you mean \"nodes:0.3\"?"],
        ),
        (&["run", "net=cube:6&faults=nodes:1.5"], &["faults=nodes:1.5", "accepted"]),
        (&["run", "net=cube:6&colour=red"], &["Unknown key \"colour\"", "seed"]),
        (&["run", "net=cube:6&mpl=x"], &["mpl=x", "not a number", "1 to 1000"]),
        (&["run", "net=cube:6&vary=p:0..1:3"], &["vary=", "nodes:P"]),
        (&["run", "net=cube:6%0Aa"], &["net=cube:6…: not a network"]),
        (&["run", "no-such-file.txt"], &["no-such-file.txt", "neither", "help experiment"]),
        (&["run", "preset:nothing"], &["preset:nothing", "around"]),
        (&["run", ""], &["neither an experiment"]),
        (&["run"], &["EXPERIMENT"]),
        (&["run", "net=cube:6", "--threads", "0"], &["--threads", "1..=1024"]),
        (&["run", "net=cube:6", "--json", "--csv"], &["--json", "--csv"]),
        (&["route", "net=cube:6", "--json", "--csv"], &["--json", "--csv"]),
        (&["run", "net=cube:6", "--colour"], &["--colour"]),
        (&["run", "net=tree:16&switch=circuit"], &["net=tree:16", "switch=delivery"]),
        (&["run", "net=mesh:1025x2&switch=wormhole"], &["net=mesh:1025x2", "at most 1024 nodes"]),
        (&["run", "net=mesh:3x3x3&switch=wormhole&route=lh2"], &["route=lh2", "requires two dimensions"]),
        (
            &["run", "net=mesh:1024x1024&switch=wormhole&vc=16&faults=nodes:0.2&route=e-cube"],
            &["faults=nodes:0.2", "fault regions"],
        ),
        (&["run", "net=cube:11&switch=wormhole"], &["net=cube:11", "up to n = 10"]),
        (&["run", "net=tree:16&switch=wormhole"], &["net=tree:16", "meshes, tori and hypercubes"]),
        (&["run", "switch=wormhole&load=4.5"], &["load=4.5", "0 to 4"]),
        (&["run", "switch=wormhole&length=0"], &["length=0", "1 to 256"]),
        (&["run", "switch=wormhole&inject=65"], &["inject=65", "1 to 64"]),
        (&["run", "switch=wormhole&warmup=10000001"], &["warmup=10000001", "0 to 10000000, or auto"]),
        (&["run", "switch=wormhole&vc=3"], &["vc=3", "lh2 has 4 classes"]),
        (&["run", "switch=wormhole&vc=3&vary=vc:4,8"], &["vc=3", "lh2 has 4 classes"]),
        (&["run", "switch=wormhole&vary=vc:3,8"], &["vary=vc:3,8", "lh2 has 4 classes"]),
        (&["run", "switch=wormhole&vary=n:3,4"], &["vary=n:3,4", "the network must be a hypercube"]),
        (&["run", "switch=wormhole&vary=k:8,64&break=9.9"], &["vary=k:8,64", "node 9.9", "8x8"]),
        (
            &["run", "switch=wormhole&net=mesh:4x8&traffic=transpose"],
            &["traffic=transpose", "4x8 mesh", "a square mesh"],
        ),
        (&["run", "switch=wormhole&vary=k:8,12&traffic=bit-reversal"], &["vary=k:8,12", "12x12", "power of two"]),
        (&["run", "switch=wormhole&faults=isolated:30+40"], &["faults=isolated:30+40", "640 links", "480"]),
        (&["run", "switch=wormhole&break=1.1-1.3"], &["break=1.1-1.3", "3.4-4.4"]),
        (&["run", "switch=wormhole&route=up"], &["route=up", "requires a hypercube"]),
        (&["run", "net=cube:5&route=f-cube2"], &["route=f-cube2", "switch=wormhole"]),
        (&["run", "faults=isolated:0.1"], &["faults=isolated:0.1", "meshes"]),
        (&["route", "switch=wormhole", "--to", "16.0"], &["--to 16.0", "mesh:16x16", "ROW.COLUMN"]),
        (&["route", "switch=pairs"], &["switch=pairs", "accepted: switch=message, wormhole", "faultlab check"]),
        (&["route", "switch=circuit&break=0"], &["switch=circuit", "accepted: switch=message", "faultlab check"]),
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
fn help_explains_every_key_parameter_and_metric_of_every_kind() {
    let help = stdout_of(&["help", "experiment"]);
    let (shared, kinds) = help.split_once("\nswitch=").expect("the kinds");
    let starts = |part: &str, name: &str| part.lines().any(|line| line.trim_start().starts_with(&format!("{name}: ")));
    for kind in KINDS {
        let own =
            kinds.split("\nswitch=").find(|part| format!("switch={part}").starts_with(&format!("switch={}:", kind.id)));
        let own = own.unwrap_or_else(|| panic!("{}", kind.id));
        for key in kind.shared_keys() {
            assert!(shared.contains(&format!("\n  {}: ", key.name)), "{}", key.name);
            assert!(shared.contains(&format!("example: {}={}\n", key.name, key.example)), "{}", key.name);
        }
        let keys = kind.keys.iter().map(|key| key.name);
        let metrics = kind.metrics.iter().map(|metric| metric.id).chain(kind.spreads.iter().map(|spread| spread.id));
        for name in keys.chain(kind.parameters.iter().map(|parameter| parameter.id)).chain(metrics) {
            assert!(starts(own, name), "{}: {name}", kind.id);
        }
    }
}

#[test]
fn help_explains_every_outcome() {
    let help = stdout_of(&["help", "experiment"]);
    let (_, outcomes) = help.split_once("\nHow a point ends (outcome):\n").expect("the outcomes");
    for status in Status::ALL {
        assert!(outcomes.contains(&format!("      {}: ", status.id())), "{}", status.id());
    }
}

#[test]
fn help_names_every_algorithm_on_a_line_of_its_own() {
    let help = stdout_of(&["help", "experiment"]);
    let (_, listed) = help.split_once("Routing algorithms (route):").expect("the algorithms");
    let names: Vec<_> =
        listed.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' ')).collect();
    assert!(names.iter().copied().eq(ALGORITHMS.iter().map(|algorithm| &*algorithm.id)), "{names:?}");
}

#[test]
fn help_on_commands_and_presets() {
    assert!(stdout_of(&["help"]).contains("papers") && stdout_of(&["help", "run"]).contains("--svg"));
    assert!(stdout_of(&["--version"]).contains(env!("CARGO_PKG_VERSION")));
    assert!(stdout_of(&["presets"]).contains("preset:conjecture"));
}

/// A key that belongs to another kind is an error, not silently ignored.
#[test]
fn a_key_of_another_kind_is_refused() {
    for (text, parts) in [
        ("net=cube:6&rate=0.5", ["rate=0.5", "does not apply to switch=message", "switch=circuit"]),
        ("switch=circuit&mpl=3", ["mpl=3", "does not apply to switch=circuit", "switch=message"]),
        ("switch=delivery&from=3", ["from=3", "does not apply to switch=delivery", "switch=message"]),
        ("switch=pairs&load=0.3", ["load=0.3", "does not apply to switch=pairs", "switch=wormhole"]),
    ] {
        let output = faultlab(&["run", text]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}: {error}");
        assert!(parts.iter().all(|part| error.contains(part)), "{text}: {error}");
    }
}

#[test]
fn help_survives_closed_stdout() {
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
