//! Tests of interrupted runs: killed, stopped, split into shards, or with a closed output. Finished
//! work is kept, and the final bytes equal those of an undisturbed run.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::{faultlab, is_thorough, stdout_of};

/// Experiments of three kinds that take some seconds in many tasks.
const TEXTS: [&str; 3] = [
    "net=cube:10&faults=nodes:0.4&vary=p:0.2..0.6:5&route=sidetracking,backtracking,random&within=0.005",
    "net=mesh:6x6&switch=wormhole&faults=isolated:0.05&route=f-cube2,f-cube4&vary=load:0.1..0.7:4&trials=30000&within=0.006",
    "net=cube:4&switch=circuit&route=e-cube,up&vary=rate:0.1..0.4:4&trials=200000&within=0.008",
];

/// A temporary folder that is removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("faultlab-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a path").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_faultlab"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary starts")
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.expect("kill starts").success());
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns a fixed sequence of pseudorandom numbers (xorshift).
fn pseudorandom_numbers() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(88_172_645_463_325_252u64), |&x| {
        let x = x ^ (x << 13);
        let x = x ^ (x >> 7);
        Some(x ^ (x << 17))
    })
}

/// Kills and resumes runs until each of them ends, with at least `kills` kills. Returns the number
/// of kills.
fn kill_and_resume(text: &str, kills: usize) -> usize {
    let folder = Folder::new("killed");
    let expected = stdout_of(&["run", text, "--json", "--quiet"]);
    let (mut killed, mut round) = (0, 0);
    let mut lives = pseudorandom_numbers().map(|number| Duration::from_micros(2_000 + number % 40_000));
    while killed < kills {
        round += 1;
        let journal = folder.path(&format!("{round}.journal"));
        loop {
            let mut child = start(&["run", text, "--json", "--quiet", "--journal", &journal]);
            std::thread::sleep(lives.next().expect("endless"));
            match child.try_wait().expect("a status") {
                None if killed < kills => {
                    child.kill().expect("killed");
                    child.wait().expect("gone");
                    killed += 1;
                }
                _ => {
                    let output = child.wait_with_output().expect("it ends");
                    assert!(output.status.success(), "{}", stderr(&output));
                    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "after {killed} kills");
                    break;
                }
            }
        }
    }
    killed
}

#[test]
fn killed_runs_resume_to_identical_output() {
    let often = if is_thorough() { 70 } else { 10 };
    let kills: usize = TEXTS.iter().map(|text| kill_and_resume(text, often)).sum();
    assert!(kills >= 2 * often, "{kills}");
}

#[test]
fn drops_truncated_record_and_rejects_foreign_journal() {
    let folder = Folder::new("torn");
    let (text, journal) = (TEXTS[0], folder.path("journal"));
    let expected = stdout_of(&["run", text, "--csv"]);
    stdout_of(&["run", text, "--csv", "--journal", &journal]);
    let whole = fs::read(&journal).expect("a journal");
    fs::write(&journal, &whole[..whole.len() - 3]).expect("cut");
    let output = faultlab(&["run", text, "--csv", "--journal", &journal]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    assert!(stderr(&output).contains("incomplete bytes at its end are dropped"), "{}", stderr(&output));
    assert_eq!(fs::read(&journal).expect("a journal").len(), whole.len());
    for (name, text, contents, said) in [
        ("other", "net=cube:5", &whole[..], "it was recorded for v=1&net=cube:10"),
        ("words", text, &b"something else entirely"[..], "it is not a Faultlab journal"),
        ("bent", text, &[&whole[..40], &b"#"[..], &whole[41..]].concat()[..], "its header is damaged"),
        // A damaged header length that points beyond the end of the file.
        ("long", text, &[&whole[..18], &b"\xff"[..], &whole[19..]].concat()[..], "its header is damaged"),
    ] {
        let path = folder.path(name);
        fs::write(&path, contents).expect("a file");
        let output = faultlab(&["run", text, "--journal", &path]);
        assert!(output.status.code() == Some(2) && stderr(&output).contains(said), "{name}: {}", stderr(&output));
        assert_eq!(fs::read(&path).expect("a file"), contents, "{name} is left as it was");
    }
}

/// Display options are not part of the run that a journal belongs to.
#[test]
fn journal_ignores_display_options() {
    let folder = Folder::new("view");
    let journal = folder.path("journal");
    stdout_of(&["run", "net=cube:5&faults=nodes:0.3&within=0.05", "--journal", &journal]);
    let again =
        faultlab(&["run", "net=cube:5&faults=nodes:0.3&within=0.05&plot=lengths", "--csv", "--journal", &journal]);
    assert!(again.status.success(), "{}", stderr(&again));
}

#[test]
fn signal_stops_quickly_and_prints_partial_results() {
    let text =
        "net=mesh:16x16&switch=wormhole&route=f-cube2,f-cube4&faults=isolated:0.05&vary=load:0.1..0.9:40&within=0.001";
    for (name, files) in [("INT", "--csv"), ("TERM", "--json"), ("INT", "--table")] {
        let mut child = start(&["run", text, files, "--quiet"]);
        std::thread::sleep(Duration::from_millis(1500));
        assert!(child.try_wait().expect("a status").is_none());
        signal(&child, name);
        let sent = Instant::now();
        let output = child.wait_with_output().expect("it ends");
        // The target is half a second on an idle machine; the limit allows for a loaded one.
        assert!(sent.elapsed() < Duration::from_secs(5), "{:?}", sent.elapsed());
        assert_eq!(output.status.code(), Some(130));
        assert!(
            stderr(&output).contains("stopped") && stderr(&output).contains("--journal FILE"),
            "{}",
            stderr(&output)
        );
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(told.contains("cancelled"), "{told}");
        if files == "--json" {
            serde_json::from_str::<serde_json::Value>(&told).expect("JSON");
        }
    }
}

#[test]
fn interrupted_run_resumes_from_journal() {
    let folder = Folder::new("stopped");
    let (text, journal) = (TEXTS[1], folder.path("journal"));
    let expected = stdout_of(&["run", text, "--csv"]);
    let mut stops = 0;
    loop {
        let child = start(&["run", text, "--csv", "--quiet", "--journal", &journal]);
        std::thread::sleep(Duration::from_millis(150));
        let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status();
        let output = child.wait_with_output().expect("it ends");
        if output.status.success() {
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
            break;
        }
        assert!(output.status.code() == Some(130), "{}", stderr(&output));
        stops += 1;
        assert!(stops < 500, "it comes to no end");
    }
}

#[test]
fn merged_shards_equal_unsharded_run() {
    let folder = Folder::new("shards");
    for (number, text) in TEXTS.iter().enumerate() {
        let journals: Vec<String> = (1..=3).map(|share| folder.path(&format!("{number}-{share}"))).collect();
        for (journal, share) in journals.iter().zip(1..) {
            let said = stdout_of(&["run", text, "--quiet", "--journal", journal, "--shard", &format!("{share}/3")]);
            assert!(said.contains("points are finished"), "{said}");
        }
        let all: Vec<&str> = journals.iter().rev().map(String::as_str).collect();
        // Compute an unsharded run once; later calls print the results of its journal.
        let whole = folder.path(&format!("{number}-whole"));
        let run = |options: &[&str]| {
            let output = faultlab(&[&["run", text, "--journal", &whole], options].concat());
            assert!(output.status.success(), "{}", stderr(&output));
            String::from_utf8(output.stdout).expect("text")
        };
        for files in ["--json", "--csv", "--table"] {
            assert_eq!(stdout_of(&[&["merge", files], &all[..]].concat()), run(&[files]), "{files}");
        }
        let (one, other) = (folder.path("one.svg"), folder.path("other.svg"));
        stdout_of(&[&["merge", "--svg", &one], &all[..]].concat());
        run(&["--svg", &other]);
        assert!(fs::read(&one).expect("a picture") == fs::read(&other).expect("a picture"));
        let output = faultlab(&["merge", &journals[0], &journals[2]]);
        assert!(output.status.code() == Some(1) && stderr(&output).contains("are missing"), "{}", stderr(&output));
        // Merging a journal twice is harmless. Merging journals of different experiments is an
        // error.
        assert_eq!(stdout_of(&[&["merge", "--csv"], &all[..], &[&journals[0]]].concat()), run(&["--csv"]));
    }
    let output = faultlab(&["merge", &folder.path("0-1"), &folder.path("1-2")]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("the others for"), "{}", stderr(&output));
    let cases: [(&[&str], &str); 3] = [
        (&["run", "net=cube:4", "--shard", "1/2"], "--journal"),
        (&["run", "net=cube:4", "--journal", "x", "--shard", "3/2"], "I from 1 to N"),
        (&["merge"], "JOURNAL"),
    ];
    for (arguments, said) in cases {
        let output = faultlab(arguments);
        assert!(output.status.code() == Some(2) && stderr(&output).contains(said), "{}", stderr(&output));
    }
}

/// With a fixed number of trials, a single point is split among shards. The numbers equal those of
/// an unsharded run.
#[test]
fn shards_split_point_with_fixed_trials() {
    let folder = Folder::new("split");
    for text in [
        "net=cube:12&faults=nodes:0.4&route=sidetracking&within=none&trials=60000",
        "net=cube:6&switch=permutation&route=bit-fixing,valiant-brebner&within=none&trials=500",
        "net=cube:5&switch=pairs&faults=links:0.1&route=up,e-cube&vary=p:0.1,0.2&within=none&trials=300",
    ] {
        let journals: Vec<String> = (1..=4).map(|share| folder.path(&format!("{}-{share}", text.len()))).collect();
        for (journal, share) in journals.iter().zip(1..) {
            stdout_of(&["run", text, "--quiet", "--journal", journal, "--shard", &format!("{share}/4")]);
        }
        let all: Vec<&str> = journals.iter().map(String::as_str).collect();
        let whole = stdout_of(&["run", text, "--json"]);
        assert!(whole.contains(r#""outcome":"complete""#), "{whole}");
        assert_eq!(stdout_of(&[&["merge", "--json"], &all[..]].concat()), whole);
        let output = faultlab(&["merge", &journals[0], &journals[3]]);
        assert!(output.status.code() == Some(1) && stderr(&output).contains("are missing"), "{}", stderr(&output));
        let sizes: Vec<u64> = journals.iter().map(|path| fs::metadata(path).expect("a journal").len()).collect();
        assert!(sizes.iter().max() < sizes.iter().min().map(|least| least * 2).as_ref(), "{sizes:?}");
    }
    let script = stdout_of(&["slurm", "net=cube:12&faults=nodes:0.4&within=none&trials=60000", "--tasks", "8"]);
    assert!(script.contains("--array="), "{script}");
    let refused = faultlab(&["slurm", "net=cube:12&faults=nodes:0.4", "--tasks", "8"]);
    assert!(stderr(&refused).contains("at most 1 shard (a point"), "{}", stderr(&refused));
}

/// Runs the command line with a file size limit of `blocks` (512 or 1,024 bytes each), to simulate
/// a full disk.
fn run_with_file_limit(blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_faultlab")])
        .args(arguments)
        .output()
        .expect("sh starts")
}

#[test]
fn full_disk_keeps_old_file_and_reports_error() {
    let folder = Folder::new("full");
    let (text, picture) = ("net=cube:5&faults=nodes:0.3&vary=p:0.1..0.5:5&within=0.05", folder.path("picture.svg"));
    fs::write(&picture, "the old one").expect("a file");
    let output = run_with_file_limit(1, &["run", text, "--svg", &picture]);
    assert!(output.status.code() == Some(1) && stderr(&output).contains("cannot write"), "{}", stderr(&output));
    assert!(!output.stdout.is_empty(), "the table is printed before");
    assert_eq!(fs::read_to_string(&picture).expect("a file"), "the old one");
    assert_eq!(fs::read_dir(&folder.0).expect("a folder").count(), 1, "nothing is left beside");
    let (text, journal) = (TEXTS[1], folder.path("journal"));
    let output = run_with_file_limit(8, &["run", text, "--quiet", "--journal", &journal]);
    assert!(output.status.code() == Some(1) && stderr(&output).contains("cannot write journal"), "{}", stderr(&output));
    let output = faultlab(&["run", text, "--csv", "--quiet", "--journal", &journal]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), stdout_of(&["run", text, "--csv"]));
    if Path::new("/dev/full").exists() {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let status = Command::new(env!("CARGO_BIN_EXE_faultlab"))
            .args(["run", "net=cube:4"])
            .stdout(full)
            .stderr(Stdio::null())
            .status();
        assert_eq!(status.expect("it starts").code(), Some(1));
    }
}

#[test]
fn checks_svg_path_before_computing() {
    let forever = "net=mesh:64x64&switch=wormhole&within=0.0001";
    for place in ["/no/such/folder/picture.svg", "/"] {
        let output = faultlab(&["run", forever, "--svg", place]);
        assert!(output.status.code() == Some(1) && stderr(&output).contains(place), "{}", stderr(&output));
    }
    let drawn = stdout_of(&["run", "net=cube:4&faults=nodes:0.2&within=0.1", "--svg", "-"]);
    assert!(drawn.starts_with("<svg") && drawn.trim_end().ends_with("</svg>"), "{drawn}");
}

#[test]
fn closed_stdout_ends_run() {
    let mut child = start(&["run", "net=mesh:64x64&switch=wormhole&within=0.0001&vary=load:0.1..0.9:100", "--quiet"]);
    std::thread::sleep(Duration::from_millis(300));
    drop(child.stdout.take());
    let left = Instant::now();
    assert!(child.wait().expect("it ends").success());
    assert!(left.elapsed() < Duration::from_secs(10), "{:?}", left.elapsed());
}

/// Commands that work for long and print only at the end.
const LONG_COMMANDS: [&[&str]; 6] = [
    &["compare", "net=mesh:16x16&route=e-cube,lh2&within=0.001"],
    &["worst", "net=mesh:16x16", "--faults", "3"],
    &["activity", "net=cube:20&faults=count:1", "--half", "--trials", "100000"],
    &["check", "net=mesh:64x64"],
    &["refute", "net=mesh:16x16&route=lh2", "--faults", "3"],
    &["run", "net=mesh:256x256&route=e-cube", "--plan"],
];

/// Waits for a process to end and returns its output. Kills it and panics after `within`.
fn wait_with_timeout(mut child: Child, within: Duration, what: &[&str]) -> Output {
    let begun = Instant::now();
    let mut is_running = true;
    while is_running && begun.elapsed() < within {
        std::thread::sleep(Duration::from_millis(20));
        is_running = child.try_wait().expect("a status").is_none();
    }
    if is_running {
        child.kill().expect("killed");
    }
    assert!(!is_running, "{what:?} does not end");
    child.wait_with_output().expect("it ends")
}

#[test]
fn interrupted_commands_name_the_stopped_work() {
    for arguments in LONG_COMMANDS {
        let child = start(arguments);
        std::thread::sleep(Duration::from_millis(400));
        signal(&child, "INT");
        let output = wait_with_timeout(child, Duration::from_secs(60), arguments);
        assert_eq!(output.status.code(), Some(130), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("faultlab: stopped: "), "{arguments:?}: {}", stderr(&output));
        if arguments[0] != "refute" {
            let said = format!("stopped: faultlab {}", arguments[0]);
            assert!(output.stdout.is_empty() && stderr(&output).contains(&said), "{}", stderr(&output));
        }
    }
}

#[test]
fn commands_end_when_stdout_closes() {
    for arguments in LONG_COMMANDS {
        let mut child = start(arguments);
        drop(child.stdout.take());
        let output = wait_with_timeout(child, Duration::from_secs(5), arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    }
}

/// Returns the journal `from` with another Faultlab version in its header, and a matching checksum.
fn with_version(from: &[u8], version: &str) -> Vec<u8> {
    use faultlab::experiment::journal::{Journal, JournalHeader, MAGIC, encode_frame};
    let head = Journal::read(from).expect("a journal").expect("a head").head;
    let records = &from[MAGIC.len() + encode_frame(&head).len()..];
    let other = encode_frame(&JournalHeader { version: version.into(), ..head });
    [&MAGIC[..], &other, records].concat()
}

#[test]
fn merge_and_run_refuse_a_journal_of_another_version_with_the_same_words() {
    let (folder, text) = (Folder::new("version"), "net=cube:4&within=0.2");
    let journal = folder.path("journal");
    stdout_of(&["run", text, "--csv", "--journal", &journal]);
    assert_eq!(stdout_of(&["merge", &journal, "--csv"]), stdout_of(&["run", text, "--csv"]));
    let other = with_version(&fs::read(&journal).expect("a journal"), "0.9.0");
    fs::write(&journal, other).expect("written");
    let said =
        format!("it was recorded by Faultlab 0.9.0, but this is {}; use a different file", env!("CARGO_PKG_VERSION"));
    for arguments in [&["merge", &journal][..], &["run", text, "--journal", &journal]] {
        let output = faultlab(arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
        assert!(stderr(&output).contains(&said), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn merge_and_run_refuse_a_journal_of_an_old_format() {
    let (folder, text) = (Folder::new("format"), "net=cube:4&within=0.2");
    let journal = folder.path("journal");
    stdout_of(&["run", text, "--csv", "--journal", &journal]);
    let mut old = fs::read(&journal).expect("a journal");
    old[15] = b'1';
    fs::write(&journal, &old).expect("written");
    for arguments in [&["merge", &journal][..], &["run", text, "--journal", &journal]] {
        let output = faultlab(arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
        assert!(stderr(&output).contains("it has format 1 of journals"), "{arguments:?}: {}", stderr(&output));
    }
    assert_eq!(fs::read(&journal).expect("a journal"), old);
}

#[test]
fn refuses_to_overwrite_journal_or_input_with_chart() {
    let folder = Folder::new("same");
    let [journal, again, link, text] = ["journal", "../SAME/./journal", "link", "text"].map(|name| folder.path(name));
    let again = again.replace("SAME", folder.0.file_name().and_then(|name| name.to_str()).expect("a name"));
    std::os::unix::fs::symlink(&journal, &link).expect("a link");
    fs::write(&text, "net=cube:3\nwithin=0.3\n").expect("a text");
    let run = ["run", "net=cube:3&within=0.3", "--journal", &journal, "--svg"];
    for svg in [&journal, &again] {
        let output = faultlab(&[&run[..], &[svg]].concat());
        assert!(
            output.status.code() == Some(2) && stderr(&output).contains("are the same file"),
            "{}",
            stderr(&output)
        );
        assert!(!Path::new(&journal).exists());
    }
    stdout_of(&["run", "net=cube:3&within=0.3", "--journal", &journal]);
    let whole = fs::read(&journal).expect("a journal");
    for arguments in [
        &[&run[..], &[&link]].concat()[..],
        &["merge", &journal, "--svg", &link],
        &["run", &text, "--svg", &text],
        &["draw", &text, "--svg", &text],
    ] {
        let output = faultlab(arguments);
        assert!(
            output.status.code() == Some(2) && stderr(&output).contains("are the same file"),
            "{}",
            stderr(&output)
        );
    }
    assert_eq!(fs::read(&journal).expect("a journal"), whole);
}

#[test]
fn rejects_journal_that_is_not_a_regular_file() {
    let folder = Folder::new("pipe");
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts").success());
    for path in [pipe.as_str(), "/dev/null", folder.0.to_str().expect("a path")] {
        let arguments = ["run", "net=cube:3", "--journal", path];
        let output = wait_with_timeout(start(&arguments), Duration::from_secs(20), &arguments);
        assert!(output.status.code() == Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("it is not a regular file; accepted: "), "{}", stderr(&output));
    }
}

/// A message that is always lost is sent until the cycle limit, which determines the cost estimate.
#[test]
fn plan_estimates_time_of_undeliverable_messages() {
    let endless = "survive=drop-all&traffic=all-to-one:0&within=none&trials=500&route=greedy";
    for (network, seconds) in [("tree2:4", 2.0), ("tree2:64&capacity=skinny&schedules=20", 20.0)] {
        let plan = crate::json(&["run", &format!("net={network}&{endless}"), "--plan", "--json"]);
        assert!(plan["seconds"].as_f64().is_some_and(|found| found > seconds), "{plan}");
    }
}

/// Runs the binary with an address space of `kilobytes` kB.
#[cfg(target_os = "linux")]
fn run_with_memory_limit(kilobytes: u32, arguments: &[&str]) -> Output {
    let script = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
    let binary = env!("CARGO_BIN_EXE_faultlab");
    Command::new("sh").args(["-c", &script, binary]).args(arguments).output().expect("sh starts")
}

#[test]
#[cfg(target_os = "linux")]
fn low_memory_reduces_threads_or_fails() {
    let text = "net=cube:4&route=sidetracking,random&within=0.2";
    for command in ["run", "compare", "refute", "worst"] {
        let arguments = [command, text, "--threads", "1024", "--quiet", "--csv"];
        let output = run_with_memory_limit(250_000, &arguments);
        assert!(output.status.success(), "{command}: {}", stderr(&output));
        assert_eq!(
            output.stdout,
            faultlab(&arguments[..2].iter().chain(&arguments[4..]).copied().collect::<Vec<_>>()).stdout
        );
    }
    for arguments in [
        &["activity", "net=cube:24&faults=count:10"][..],
        &["check", "net=tree:1048576"],
        &["route", "net=tree:1048576"],
        &["run", "net=mesh:1024x1024&load=0.7&vc=16&route=e-cube"],
    ] {
        let output = run_with_memory_limit(200_000, arguments);
        let said = stderr(&output);
        assert!(output.status.code() == Some(2) && said.contains("of memory, but "), "{arguments:?}: {said}");
    }
}

/// Growing source queues are refused if they might not fit into memory, and run to their end
/// otherwise.
#[test]
#[cfg(target_os = "linux")]
fn growing_queues_do_not_exhaust_memory() {
    let text = "net=mesh:32x32&switch=wormhole&policy=queue&load=4&route=e-cube&trials=50000";
    // For sizes in between, the outcome depends on what the allocator has reserved when memory is
    // checked.
    let (refused, either, run) = (&[Some(2)][..], &[Some(0), Some(2)][..], &[Some(0)][..]);
    let sizes = [(100_000, refused), (300_000, either), (1_000_000, run), (450_000, either)];
    for &(kilobytes, accepted) in if is_thorough() { &sizes[..] } else { &sizes[..3] } {
        let output = run_with_memory_limit(kilobytes, &["run", text, "--quiet", "--csv"]);
        assert!(accepted.contains(&output.status.code()), "{kilobytes} kB: {}", stderr(&output));
    }
}

#[test]
fn long_arguments_are_shortened_in_errors() {
    let long = "x".repeat(130_000);
    let (value, words, option) = (format!("net={long}"), "y ".repeat(65_000), format!("--{long}"));
    for arguments in [["run", &long], ["run", &value], ["run", &words], ["run", &option], [&long, "net=cube:3"]] {
        let output = faultlab(&arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!((20..7_000).contains(&output.stderr.len()), "{} bytes", output.stderr.len());
    }
}
