//! Tests of the command `run`: the same digits in every format and for any number of threads;
//! charts; points without a mean.

use serde_json::Value;

use crate::{SMALL_SWEEP, faultlab, json, keys, stdout_of};

#[test]
fn run_as_json() {
    let run = json(&["run", SMALL_SWEEP, "--json"]);
    assert_eq!(keys(&run), ["experiment", "points", "seed", "version"]);
    let points = run["points"].as_array().expect("points");
    assert_eq!(points.len(), 4);
    for point in points {
        assert_eq!(keys(point), ["lengths", "metrics", "outcome", "reason", "series", "x"]);
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
        let one = stdout_of(&["run", SMALL_SWEEP, format, "--threads", "1"]);
        assert_eq!(one, stdout_of(&["run", SMALL_SWEEP, format, "--threads", "4"]), "{format}");
    }
}

#[test]
fn csv_carries_the_same_digits_as_json() {
    let csv = stdout_of(&["run", SMALL_SWEEP, "--csv", "--quiet"]);
    let run = json(&["run", SMALL_SWEEP, "--json"]);
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines[0], concat!("# faultlab ", env!("CARGO_PKG_VERSION")));
    assert_eq!(Some(&lines[1][13..]), run["experiment"].as_str());
    assert_eq!(&lines[2..4], ["# seed 1", "series,x,outcome,metric,unit,mean,ci95_low,ci95_high,n,runs,reason"]);
    let first: Vec<_> = lines[4].split(',').collect();
    assert_eq!(first[..5], ["sidetracking", "0.2", "converged", "success", "probability"]);
    // The digits are compared as text, because parsing JSON may lose the last bit.
    let digits = format!("\"success\":{{\"mean\":{},\"ci95\":[{},{}]", first[5], first[6], first[7]);
    assert!(stdout_of(&["run", SMALL_SWEEP, "--json"]).contains(&digits), "{digits}");
    let metrics = run["points"][0]["metrics"].as_object().expect("metrics").len();
    assert_eq!(lines.len(), 4 + 4 * metrics);
}

#[test]
fn deterministic_run_has_known_bytes() {
    // The experiment is deterministic, so a single trial is made.
    let lengths = "# experiment v=1&net=cube:3&route=deterministic&trials=500\n# seed 1\nseries,x,length,messages\n\
                   deterministic,,3,1\n";
    let told = stdout_of(&["run", "net=cube:3&route=deterministic&trials=500", "--lengths"]);
    assert_eq!(told.split_once('\n').map(|(_, rest)| rest), Some(lengths));
}

#[test]
fn reports_congestion_crossing() {
    let text =
        "switch=permutation&net=cube:8&faults=none&traffic=transpose&vary=n:4..10:4&route=bit-fixing,algorithm-a";
    let found = stdout_of(&["run", text, "--quiet"]);
    assert!(found.contains("Algorithm A below Bit-fixing from n = 6."), "{found}");
    let lengths = stdout_of(&["run", text, "--quiet", "--lengths"]);
    assert!(lengths.lines().any(|line| line.starts_with("bit-fixing,10,10,")), "{lengths}");
    let csv = stdout_of(&["run", text, "--quiet", "--csv"]);
    assert!(
        csv.contains("bit-fixing,10,exact,congestion,messages,16,,,1,1,nothing is random: one trial is exact"),
        "{csv}"
    );
}

#[test]
fn unstable_point_has_no_mean_in_any_format() {
    let text = "net=cube:2&switch=circuit&route=e-cube&vary=rate:0.2,3&within=0.5&trials=1000";
    assert!(stdout_of(&["run", text]).lines().any(|line| line.split_whitespace().eq(["3", "unstable"])));
    let run = json(&["run", text, "--json"]);
    let point = &run["points"][1];
    assert_eq!((&point["outcome"], &point["metrics"]["setup"]["mean"]), (&"unstable".into(), &Value::Null));
    let csv = stdout_of(&["run", text, "--csv"]);
    let line = csv.lines().find(|line| line.starts_with("e-cube,3,unstable,setup,"));
    assert!(line.is_some_and(|line| line.contains(",,,,0,")), "{csv}");
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
    let csv = stdout_of(&["run", text, "--csv"]);
    assert!(csv.contains("\nlh2,0.6,converged,throughput,flits per node and cycle,"), "{csv}");
    let table = stdout_of(&["run", text, "--threads", "1"]);
    assert!(
        table.contains("bisection utilization, %") && table.contains("4 points: converged: the interval is as narrow"),
        "{table}"
    );
    assert_eq!(table, stdout_of(&["run", text, "--threads", "3"]));
    let deadlock = stdout_of(&["run", "preset:worm-overlap"]);
    assert!(
        deadlock.contains("deadlocked")
            && deadlock.contains("1 point: deadlocked: messages form a cyclic wait")
            && deadlock.contains("1 point: converged"),
        "{deadlock}"
    );
}

#[test]
fn infeasible_experiments_are_rejected_alike_by_all_commands() {
    for (text, why) in [
        ("net=mesh:2x2&switch=wormhole&break=0.0,0.1,1.0&route=f-cube4", "the faults leave no destination"),
        ("net=cube:3&switch=circuit&break=0,1,2,3,4,5,6&route=e-cube", "the faults leave no destination"),
        (
            "net=mesh:4x4&switch=wormhole&faults=isolated:2+0&route=e-cube",
            "no set of this many isolated faults was found",
        ),
    ] {
        let said = ["run", "route"].map(|command| {
            let output = faultlab(&[command, text]);
            assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{command} {text}");
            String::from_utf8_lossy(&output.stderr).into_owned()
        });
        assert!(said[0].contains(why) && said[0] == said[1], "{said:?}");
    }
    // A routing that can be run is measured although the other one is impossible.
    let some = stdout_of(&[
        "run",
        "net=cube:4&switch=permutation&break=0,3,5,6,9,10,12,15&route=bit-fixing,kim-shin&trials=200",
    ]);
    assert!(some.contains("1 point: impossible: Kim & Shin does not apply"), "{some}");
}

/// Metrics of the faults alone are reported even if no message can be routed.
#[test]
fn run_reports_that_no_node_is_active() {
    let text = "net=cube:12&switch=permutation&route=algorithm-b&faults=ball:79&trials=64";
    let run = json(&["run", text, "--json"]);
    let point = &run["points"][0];
    assert_eq!((&point["metrics"]["active"]["mean"], &point["metrics"]["applies"]["mean"]), (&0.0.into(), &1.0.into()));
    assert_eq!(point["metrics"]["congestion"]["mean"], Value::Null);
    assert!(stdout_of(&["run", text]).contains("1 point: impossible: no node is active"));
    // Eight faulty nodes of even parity leave no fault-free subcube of two dimensions.
    let never = "net=cube:4&switch=permutation&break=0,3,5,6,9,10,12,15&route=kim-shin";
    let run = json(&["run", never, "--json"]);
    assert_eq!(run["points"][0]["metrics"]["applies"]["mean"], 0.0);
    assert_eq!(run["points"][0]["metrics"]["active"]["mean"], Value::Null);
}

#[test]
fn svg_contains_experiment_and_version() {
    let file = std::env::temp_dir().join(format!("faultlab-{}.svg", std::process::id()));
    stdout_of(&["run", SMALL_SWEEP, "--svg", file.to_str().expect("a path")]);
    let svg = std::fs::read_to_string(&file).expect("a chart");
    std::fs::remove_file(&file).expect("removed");
    assert!(svg.contains("<svg") && svg.contains("net=cube:5") && svg.contains(env!("CARGO_PKG_VERSION")));
    let output = faultlab(&["run", "net=cube:3&trials=10", "--svg", "/no/such/folder/chart.svg"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
}

#[test]
fn reports_disconnected_mesh() {
    let cut = "net=mesh:3x4&switch=wormhole&faults=none&break=0.2,1.2,2.2&route=f-cube4&trials=100";
    assert!(stdout_of(&["run", cut]).contains("Cut off: 3 nodes do not take part."));
    assert!(
        stdout_of(&["check", cut]).contains("the largest component, of 6 nodes, is simulated; 3 nodes take no part")
    );
    assert!(!stdout_of(&["run", "net=mesh:3x4&switch=wormhole&faults=none&trials=100"]).contains("Cut off"));
}

#[test]
fn plan_estimates_cost_without_running() {
    let plan = json(&["run", SMALL_SWEEP, "--plan", "--json"]);
    assert_eq!(
        keys(&plan),
        ["at_least", "experiment", "memory_least", "memory_most", "points", "probes", "seconds", "threads"]
    );
    assert_eq!((&plan["points"], &plan["at_least"]), (&4.into(), &false.into()));
    assert!(plan["seconds"].as_f64().is_some_and(|seconds| seconds < 100.0), "{plan}");
    let text = stdout_of(&["run", "net=mesh:1024x1024&load=0.7&vc=16&route=e-cube", "--plan", "--threads", "1"]);
    for said in ["points   1", "memory   1.1 GB to", "time     at least", "Nothing was run"] {
        assert!(text.contains(said), "{text}");
    }
}

/// Memory is checked before it is allocated. The first network has 67 million virtual channels and
/// a million nodes with 128 queued messages each. Another needs a gigabyte, which is more than the
/// limit set here.
#[test]
fn rejects_experiments_beyond_memory_limit() {
    for (command, text, said) in [
        (
            "run",
            "net=mesh:16x16x16x16x16&vc=own&route=lh4",
            "vc=own: the 16x16x16x16x16 mesh has more than 67108864 virtual channels",
        ),
        ("route", "net=mesh:16x16x16x16x16&vc=own&route=lh4", "vc=own: the 16x16x16x16x16 mesh"),
        ("check", "net=mesh:16x16x16x16x16&vc=own&route=lh4", "vc=own: the 16x16x16x16x16 mesh"),
        (
            "run",
            "net=tree:64&capacity=constant:16777216&faults=wires:0.1",
            "capacity=constant:16777216: the network tree:64 has",
        ),
        (
            "route",
            "net=tree:64&capacity=constant:16777216&faults=wires:0.1",
            "capacity=constant:16777216: the network tree:64 has",
        ),
        (
            "check",
            "net=tree:64&capacity=constant:16777216&faults=wires:0.1",
            "capacity=constant:16777216: the network tree:64 has",
        ),
    ] {
        let output = faultlab(&[command, text]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains(said), "{command} {text}: {error}");
    }
}

/// Numbers in columns of numbers have decimal commas, and read back to those of the plain CSV; the
/// option needs a format of CSV.
#[test]
fn decimal_commas_keep_the_digits() {
    let text = "v=2&net=mesh:4x4&switch=wormhole&faults=none&route=e-cube&load=0.3&length=4&within=0.2";
    for format in ["--csv", "--channels", "--nodes"] {
        let [plain, commas] = [stdout_of(&["run", text, format]), stdout_of(&["run", text, format, "--decimal-comma"])];
        assert_eq!(plain.lines().count(), commas.lines().count());
        for (plain, commas) in plain.lines().zip(commas.lines()).filter(|lines| lines.0.starts_with("e-cube,")) {
            let [plain, commas] = [(plain, ','), (commas, ';')].map(|(line, comma)| {
                line.split(comma).take(4).map(|field| field.replace(',', ".")).collect::<Vec<_>>()
            });
            assert_eq!(plain, commas, "{format}");
        }
    }
    let refused = faultlab(&["run", text, "--decimal-comma"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("accepted with --csv"), "{refused:?}");
}

/// Every message of the recorded run is in the file; a matrix sends them as its rows say.
#[test]
fn records_of_a_matrix_follow_its_rows() {
    let file = |name: &str| std::env::temp_dir().join(format!("faultlab-{name}-{}.csv", std::process::id()));
    let [matrix, records] = ["matrix", "records"].map(file);
    std::fs::write(&matrix, "0;1;0;0\n0;0;1;0\n1;0;0;1\n0;0;0;0\n").expect("a file");
    let text = "v=2&net=mesh:2x2&switch=wormhole&faults=none&route=e-cube&load=0.2&length=4&within=0.3";
    let [matrix, records] = [&matrix, &records].map(|path| path.to_str().expect("a path"));
    let out = stdout_of(&["run", text, "--matrix", matrix, "--records", records, "--csv"]);
    assert!(out.contains("&traffic=matrix:0,1,0,0/0,0,1,0/1,0,0,1/0,0,0,0"), "{out}");
    let file = std::fs::read_to_string(records).expect("records");
    let messages: Vec<Vec<_>> =
        file.lines().filter(|line| line.starts_with("e-cube,")).map(|line| line.split(',').collect()).collect();
    assert!(messages.len() > 300, "{}", messages.len());
    for message in &messages {
        assert!(["0.0 0.1", "0.1 1.0", "1.0 0.0", "1.0 1.1"].contains(&&*message[4..6].join(" ")), "{message:?}");
    }
    for (arguments, says) in [
        (vec!["run", "net=cube:3", "--records", records], "--records: switch=message has no worms"),
        (vec!["run", "net=mesh:4x4&switch=wormhole", "--matrix", matrix], "a matrix of 4 rows needs 4 nodes"),
        (vec!["run", "net=mesh:2x2&switch=wormhole&traffic=complement", "--matrix", matrix], "already has traffic"),
    ] {
        let output = faultlab(&arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(says), "{said}");
    }
    [matrix, records].iter().for_each(|path| std::fs::remove_file(path).expect("a file to remove"));
}
