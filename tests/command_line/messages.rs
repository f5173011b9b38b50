//! Tests of `--messages FILE` and of `trace`, which prints such files.

use std::io::Write as _;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::{faultlab, json, stdout_of};

/// Writes a temporary file and returns its path.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("faultlab-messages-{}-{name}", std::process::id()));
    std::fs::write(&path, bytes).expect("a file");
    path
}

/// Recursive doubling on the 3-cube takes three rounds of one hop. The text of the result has the
/// messages, and gives the same result without the file.
#[test]
fn a_trace_runs_from_a_file_compressed_or_not() {
    let text = "v=2&net=cube:3&switch=wormhole&route=e-cube";
    let csv = stdout_of(&["trace", "all-reduce-doubling", "net=cube:3", "--length", "10"]);
    assert_eq!(csv.lines().count(), 1 + 3 * 8);
    let mut gz = GzEncoder::new(Vec::new(), Compression::default());
    gz.write_all(csv.as_bytes()).expect("compressed");
    let files = [file("plain.csv", csv.as_bytes()), file("compressed.gz", &gz.finish().expect("compressed"))];
    let inline = stdout_of(&["trace", "all-reduce-doubling", text, "--length", "10", "--inline"]);
    let expected = json(&["run", inline.trim(), "--json", "--quiet"]);
    assert_eq!(expected["points"][0]["metrics"]["finish"]["mean"], 30.0);
    for path in files {
        assert_eq!(json(&["run", text, "--messages", path.to_str().expect("a path"), "--json", "--quiet"]), expected);
        std::fs::remove_file(path).expect("removed");
    }
}

#[test]
fn errors_name_the_file_and_the_line() {
    let path = file("wrong.csv", b"cycle,source,destination,length\n0,0.0,9.9,4\n");
    let name = path.to_str().expect("a path");
    let says = |arguments: &[&str]| {
        let output = faultlab(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    let wrong = says(&["run", "net=mesh:4x4&switch=wormhole", "--messages", name]);
    assert!(wrong.contains(name) && wrong.contains("line 2: destination \"9.9\" is not a node of mesh:4x4"), "{wrong}");
    let kind = says(&["run", "net=cube:4&switch=circuit", "--messages", name]);
    assert!(kind.contains("messages does not apply to switch=circuit"), "{kind}");
    let both = says(&["run", "net=mesh:4x4&switch=wormhole&traffic=transpose&messages=0.0-0.1:4"]);
    assert!(both.contains("omit traffic=transpose"), "{both}");
    let operation = says(&["trace", "scatter", "net=mesh:4x4"]);
    assert!(operation.contains("accepted: all-reduce-ring, all-reduce-tree"), "{operation}");
    let long = says(&["trace", "all-to-all", "net=mesh:16x16"]);
    assert!(long.contains("65280 messages; accepted: at most 16384"), "{long}");
    std::fs::remove_file(path).expect("removed");
}
