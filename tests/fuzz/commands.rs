//! Fuzz tests of the command line. Every call ends by itself or when interrupted, explains
//! failures, and prints only what its format permits.
#![allow(clippy::panic, reason = "a test that cannot go on has failed")]
#![cfg(all(unix, feature = "cli"))]

use std::collections::HashMap;
use std::fs::{self, File};
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use faultlab::experiment::Experiment;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;

use crate::random_texts::{apply, changes, kind_pairs, worm_pairs};
use crate::rule_texts::rule_texts;
use crate::{is_thorough, output_formats, runner, seconds};

/// Numbers of calls in regular and thorough runs; `cargo xtask fuzz` runs for a fixed time instead.
const CALLS: [u32; 2] = [100, 200];
/// Time limits of a call: until it is interrupted, and from then until it must have ended.
const TIME_LIMITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];
/// Node limit of random networks; larger ones take too long.
const MAX_NODES: u64 = 600;
/// Permitted exit statuses: success, system error, invalid input, interrupted.
const STATUSES: [i32; 4] = [0, 1, 2, 130];

/// Output format of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Text,
    /// Comma-separated values, with a heading line first.
    Csv,
    /// A single JSON document, with the name of its schema.
    Json(&'static str),
    /// A JSON document on every line, with the name of their schema.
    JsonLines(&'static str),
    Svg,
}

/// Options of every command, with the format of the output.
const OPTIONS: &[(&str, Form)] = &[
    ("run --threads 1", Form::Text),
    ("run --threads 1 --table", Form::Text),
    ("run --threads 1 --csv", Form::Csv),
    ("run --threads 1 --lengths", Form::Csv),
    ("run --threads 1 --json", Form::Json("run")),
    ("run --plan", Form::Text),
    ("run --plan --json", Form::Json("plan")),
    ("route", Form::Text),
    ("route --csv", Form::Csv),
    ("route --json", Form::JsonLines("route")),
    ("check", Form::Text),
    ("check --csv", Form::Csv),
    ("check --json", Form::JsonLines("check")),
    ("draw --threads 1", Form::Svg),
    ("draw --threads 1 --view check --size 240x160", Form::Svg),
    ("draw --threads 1 --view measure --size 1600x1200", Form::Svg),
    ("draw --threads 1 --view watch --size 480x320 --show network", Form::Svg),
    ("compare --threads 1", Form::Text),
    ("compare --threads 1 --csv", Form::Csv),
    ("compare --threads 1 --json", Form::JsonLines("compare")),
    ("activity --threads 1 --trials 2", Form::Text),
    ("activity --threads 1 --trials 2 --half --csv", Form::Csv),
    ("activity --threads 1 --trials 2 --json", Form::JsonLines("activity")),
    ("worst --threads 1 --sets 2 --trials 200", Form::Text),
    ("worst --threads 1 --sets 3 --links --trials 200 --csv", Form::Csv),
    ("worst --threads 1 --sets 3 --faults 2 --trials 200 --json", Form::JsonLines("worst")),
    ("refute --threads 1 --sets 20", Form::Text),
    ("refute --threads 1 --sets 20 --links --csv", Form::Csv),
    ("refute --threads 1 --sets 20 --faults 1 --json", Form::JsonLines("refute")),
    ("slurm --tasks 3", Form::Text),
];

/// A command with its options and output format, and the experiment text.
type Call = ((&'static str, Form), String);

/// Returns random calls of every kind, some with a corrupted text, some with rules.
fn calls() -> impl Strategy<Value = Call> {
    let plain = prop_oneof![4 => kind_pairs(), 1 => worm_pairs()].prop_map(|pairs| pairs.join("&"));
    let plain = (plain, proptest::option::weighted(0.15, changes())).prop_map(|(text, changes)| {
        let spoiled = changes.map(|changes| apply(&text, &changes[..1]));
        spoiled.unwrap_or(text)
    });
    let ruled = || {
        (rule_texts(), select(vec!["", "&switch=wormhole", "&switch=circuit", "&faults=count:2", "&break=0"]))
            .prop_map(|((net, rules), keys)| format!("net={net}&rules={}{keys}", encoded(&rules)))
    };
    let refutes = OPTIONS.iter().filter(|(options, _)| options.starts_with("refute")).copied().collect::<Vec<_>>();
    prop_oneof![
        4 => (select(OPTIONS), plain),
        1 => (select(OPTIONS), ruled()),
        1 => (select(refutes), ruled()),
    ]
}

/// Percent-encodes everything but letters and digits, for use as a value of an experiment text.
fn encoded(text: &str) -> String {
    let one = |byte: u8| match byte {
        b if b.is_ascii_alphanumeric() => char::from(b).to_string(),
        b => format!("%{b:02X}"),
    };
    text.bytes().map(one).collect()
}

/// Exit status and output of a call.
struct CallOutput {
    status: ExitStatus,
    out: String,
    error: String,
}

/// Returns the temporary folder of this process for the output of calls.
fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("faultlab-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs a call, and interrupts it if it exceeds the time limit.
fn run(arguments: &[&str]) -> CallOutput {
    let [out, error] = ["out", "error"].map(|name| folder().join(name));
    let mut child = Command::new(env!("CARGO_BIN_EXE_faultlab"))
        .args(arguments)
        .stdout(File::create(&out).expect("a file"))
        .stderr(File::create(&error).expect("a file"))
        .spawn()
        .expect("the program starts");
    let status = wait_with_timeout(&mut child, TIME_LIMITS[0]).or_else(|| {
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
        wait_with_timeout(&mut child, TIME_LIMITS[1])
    });
    let Some(status) = status else {
        child.kill().expect("it can be ended");
        panic!("{arguments:?}: not ended by an interrupt");
    };
    let [out, error] = [out, error].map(|path| fs::read_to_string(path).expect("text"));
    CallOutput { status, out, error }
}

/// Waits for a process and returns its status, or `None` if it is still running after `patience`.
fn wait_with_timeout(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < patience {
        if let Some(status) = child.try_wait().expect("a process") {
            return Some(status);
        }
        sleep(Duration::from_millis(3));
    }
    None
}

/// Runs a call, checks its status and output, and returns the exit status.
fn check(((options, form), text): &Call) -> i32 {
    let mut arguments: Vec<_> = options.split(' ').collect();
    arguments.insert(1, text);
    let CallOutput { status, out, error } = run(&arguments);
    let call = format!("faultlab {} '{text}'", options);
    let status = status.code().unwrap_or_else(|| panic!("{call}: ended by a signal: {status}"));
    assert!(STATUSES.contains(&status), "{call}: exit status {status}: {error}");
    assert!(!error.contains("panicked"), "{call}: {error}");
    assert_eq!(status != 0, error.lines().any(|line| line.starts_with("faultlab: ")), "{call}: {status}: {error}");
    if status == 0 {
        assert!(!out.trim().is_empty(), "{call}: printed nothing");
        check_form(&call, *form, &out);
    }
    status
}

fn check_form(call: &str, form: Form, out: &str) {
    match form {
        Form::Text => {}
        Form::Csv => assert!(output_formats::csv(out, call) > 0, "{call}: no rows\n{out}"),
        Form::Json(schema) => output_formats::json(out, schema, call),
        Form::JsonLines(schema) => out.lines().for_each(|line| output_formats::json(line, schema, call)),
        Form::Svg => output_formats::svg(out, call),
    }
    if form != Form::Svg {
        output_formats::numbers(out, call);
    }
}

#[test]
fn every_command_ends_and_prints_what_its_formats_allow() {
    let seconds = seconds();
    let mut runner = runner();
    let (strategy, begun) = (calls(), Instant::now());
    let (mut made, mut statuses, mut failed) = (0, HashMap::new(), Vec::new());
    while seconds.map_or(made < CALLS[usize::from(is_thorough())], |seconds| begun.elapsed() < seconds) {
        let call = strategy.new_tree(&mut runner).expect("a call").current();
        let parsed = call.1.parse::<Experiment>();
        if parsed.is_ok_and(|experiment| experiment.network.last_node().0 >= MAX_NODES) {
            continue;
        }
        made += 1;
        // Collect all failures instead of stopping at the first.
        match catch_unwind(|| check(&call)) {
            Ok(status) => *statuses.entry(status).or_insert(0) += 1,
            Err(_) => failed.push(format!("faultlab {} '{}'", call.0.0, call.1)),
        }
    }
    fs::remove_dir_all(folder()).expect("it can be removed");
    println!("{made} calls, by exit status: {statuses:?}");
    assert!(failed.is_empty(), "{} of {made} calls failed:\n{}", failed.len(), failed.join("\n"));
    assert!(statuses.get(&0).is_some_and(|done| done * 3 > made), "{statuses:?} of {made}");
}
