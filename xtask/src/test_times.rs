//! Test runs, with the number of tests that passed and the times of the slowest.
//!
//! Cargo runs test programs by `xtask timed`, which adds the options with which Rust's test harness
//! reports times. The options are unstable, so `RUSTC_BOOTSTRAP` is set for the test programs. If
//! cargo had the variable too, it would rebuild everything.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use crate::run::{self, cannot_start, line, show};

/// Maximum number of tests in the list of the slowest.
const MAX_LISTED: usize = 20;
/// Minimum time of a test in the list, in seconds.
const MIN_SECONDS: f64 = 1.0;

/// Makes cargo run native test programs by `xtask timed`. Cargo splits the value of the variable at
/// spaces, so nothing changes, and no times are known, if the path of this program contains a
/// space.
pub(crate) fn report_times(cargo: &mut Command) -> Result<()> {
    let program = env::current_exe().context("locating this program")?.into_os_string();
    if program.to_string_lossy().contains(' ') {
        return Ok(());
    }
    let version = run::output(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("`rustc -vV` prints no host")?;
    let variable = format!("CARGO_TARGET_{}_RUNNER", host.to_uppercase().replace('-', "_"));
    let mut value = program;
    value.push(" timed");
    cargo.env(variable, value);
    Ok(())
}

/// Runs a test program: `xtask timed PROGRAM ARGUMENTS...`.
pub(crate) fn command(words: &[&str]) -> Result<ExitCode> {
    let (program, arguments) = words.split_first().context("the program to run is missing")?;
    let mut test = Command::new(program);
    test.args(arguments).args(["-Zunstable-options", "--report-time"]).env("RUSTC_BOOTSTRAP", "1");
    let status = test.status().with_context(|| format!("starting {program}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs tests like [`run::run`] and returns the number that passed. Fails if no test passed: a
/// filter or a `cfg` that leaves no tests must not look like success.
pub(crate) fn run_tests(command: &mut Command) -> Result<u64> {
    show(command);
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| cannot_start(command))?;
    let (mut passed, mut times) = (0, Times::default());
    if let Some(stdout) = child.stdout.take() {
        let mut lines = BufReader::new(stdout);
        let mut bytes = Vec::new();
        while lines.read_until(b'\n', &mut bytes)? > 0 {
            std::io::stdout().write_all(&bytes)?;
            let text = String::from_utf8_lossy(&bytes);
            passed += passed_in(&text);
            times.note(&text);
            bytes.clear();
        }
    }
    let status = child.wait()?;
    print!("{}", times.slowest());
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    if passed == 0 {
        bail!("`{}` ran no test", line(command));
    }
    Ok(passed)
}

/// Returns the number in `test result: ok. 12 passed; …`, or zero for any other line.
fn passed_in(line: &str) -> u64 {
    line.trim_start()
        .strip_prefix("test result: ok. ")
        .and_then(|rest| rest.split_once(" passed"))
        .and_then(|(count, _)| count.parse().ok())
        .unwrap_or(0)
}

/// Times of tests.
#[derive(Default)]
struct Times(Vec<(f64, String)>);

impl Times {
    /// Records the time of the test in a line such as `test duato::mesh ... ok <1.234s>`; other
    /// lines have none.
    fn note(&mut self, line: &str) {
        let test = line.strip_prefix("test ").and_then(|rest| rest.trim_end().strip_suffix("s>"));
        let Some((name, time)) = test.and_then(|test| test.rsplit_once(" <")) else { return };
        if let (Some((name, _)), Ok(seconds)) = (name.split_once(" ... "), time.parse()) {
            self.0.push((seconds, name.to_owned()));
        }
    }

    /// Returns the slowest tests, one per line; empty if no test is slow.
    fn slowest(mut self) -> String {
        self.0.retain(|(seconds, _)| *seconds >= MIN_SECONDS);
        self.0.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let lines = self.0.iter().take(MAX_LISTED).map(|(seconds, name)| format!("{seconds:8.1} s  {name}\n"));
        let lines: String = lines.collect();
        if lines.is_empty() { lines } else { format!("The slowest tests:\n{lines}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slowest_tests_are_listed_first() {
        let mut times = Times::default();
        for line in [
            "test a::quick ... ok <0.010s>\n",
            "test b::slow ... ok <2.500s>\n",
            "test c::slower ... FAILED <61.000s>\n",
            "test d::without ... ok\n",
            "running 4 tests\n",
        ] {
            times.note(line);
        }
        assert_eq!(times.slowest(), "The slowest tests:\n    61.0 s  c::slower\n     2.5 s  b::slow\n");
    }

    #[test]
    fn counts_passed_tests() {
        assert_eq!(passed_in("test result: ok. 12 passed; 0 failed; 1 ignored\n"), 12);
        assert_eq!(passed_in("test result: FAILED. 3 passed; 1 failed\n"), 0);
        assert_eq!(passed_in("test it_is_ok ... ok\n"), 0);
    }
}
