//! Tests of shell completions, man pages, and the version in the release documents.

use std::fs;
use std::path::Path;

use crate::{faultlab, stdout_of};

#[test]
fn every_shell_completes_every_command() {
    let help = stdout_of(&["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<_> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"run") && commands.contains(&"completions"), "{help}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout_of(&["completions", shell]);
        assert!(commands.iter().all(|command| script.contains(command)), "{shell}");
    }
    let output = faultlab(&["completions", "tcsh"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("tcsh") && said.contains("zsh"), "{said}");
}

#[test]
fn every_command_has_a_man_page() {
    let page = stdout_of(&["man"]);
    assert!(page.contains(".TH faultlab 1") && page.contains("laboratory"), "{page}");
    let folder = std::env::temp_dir().join(format!("faultlab-man-{}", std::process::id()));
    assert_eq!(stdout_of(&["man", folder.to_str().expect("a path")]), "");
    let run = fs::read_to_string(folder.join("faultlab-run.1")).expect("the page of run");
    assert!(run.contains("journal") && run.contains(".SH SYNOPSIS"), "{run}");
    let pages = fs::read_dir(&folder).expect("the folder").count();
    assert!(pages > 12, "{pages}");
    fs::remove_dir_all(&folder).expect("cleared");
}

/// The changelog and `CITATION.cff` name the same release, which is not older than the crate's
/// version.
#[test]
fn changelog_and_citation_agree_on_version() {
    let read = |name: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a file");
    let version = env!("CARGO_PKG_VERSION");
    let changelog = read("CHANGELOG.md");
    let released = changelog.lines().find_map(|line| line.strip_prefix("## ")?.split_once(" - "));
    let (newest, date) = released.expect("a release");
    let citation = read("CITATION.cff");
    assert!(citation.contains(&format!("version: {newest}")) && citation.contains(&format!("date-released: {date}")));
    let numbers =
        |version: &str| version.split('.').map(|part| part.parse::<u32>().expect("a number")).collect::<Vec<_>>();
    assert!(numbers(version) <= numbers(newest), "{version} is newer than {newest}, the last in CHANGELOG.md");
}
