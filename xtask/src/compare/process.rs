//! Execution of a program, with its processor time and memory.

use std::fs;
use std::io::ErrorKind;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// Timeout of a run.
const TIMEOUT: Duration = Duration::from_secs(300);

/// Ticks per second in which Linux reports processor time (`USER_HZ`), independent of the kernel's
/// clock.
const TICKS: f64 = 100.0;

/// Cost of a program.
#[derive(Clone, Copy, Default)]
pub(super) struct ProgramCost {
    /// Processor time of all threads, user and system, in seconds.
    pub(super) seconds: f64,
    /// Peak resident memory, in kB.
    pub(super) peak: u64,
}

impl ProgramCost {
    /// Returns the combined cost of two runs in sequence.
    pub(super) fn combined(self, other: Self) -> Self {
        Self { seconds: self.seconds + other.seconds, peak: self.peak.max(other.peak) }
    }
}

/// Runs `command`. Returns its standard output and its cost. Unlike wall-clock time, processor time
/// does not depend on other programs.
pub(super) fn run(command: &mut Command, folder: &str) -> Result<(String, ProgramCost)> {
    let (out, err) = (format!("{folder}/out.txt"), format!("{folder}/err.txt"));
    let file = |path: &str| fs::File::create(path).with_context(|| format!("creating {path}"));
    let mut child =
        command.stdin(Stdio::null()).stdout(file(&out)?).stderr(file(&err)?).spawn().context("starting the process")?;
    let (process, begun) = (format!("/proc/{}", child.id()), Instant::now());
    let mut cost = ProgramCost::default();
    // A process that has ended keeps its times until it is waited for, but not its memory.
    while !update_cost(&process, &mut cost)? {
        if begun.elapsed() > TIMEOUT {
            child.kill().and_then(|()| child.wait())?;
            bail!("{command:?} took more than {} seconds", TIMEOUT.as_secs());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let status = child.wait()?;
    ensure!(status.success(), "{command:?} failed ({status}): {}", fs::read_to_string(&err)?.trim());
    Ok((fs::read_to_string(&out)?, cost))
}

/// Updates the cost of a process. Returns whether it has ended.
fn update_cost(process: &str, cost: &mut ProgramCost) -> Result<bool> {
    let status = match fs::read_to_string(format!("{process}/status")) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("measuring processes requires /proc of Linux")
        }
        status => status?,
    };
    cost.peak = cost.peak.max(peak_in(&status).unwrap_or(0));
    let stat = fs::read_to_string(format!("{process}/stat"))?;
    let (state, seconds) = state_in(&stat).context("the columns of /proc/*/stat")?;
    cost.seconds = seconds;
    Ok(state == "Z")
}

/// Returns the number in `VmHWM:      9452 kB`.
fn peak_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns the state and the seconds of `PID (NAME) STATE ..`: columns 3, 14 and 15. The name may
/// contain spaces.
fn state_in(stat: &str) -> Option<(&str, f64)> {
    let mut columns = stat.rsplit_once(')')?.1.split_whitespace();
    let state = columns.next()?;
    let mut ticks = columns.skip(10).map_while(|ticks| ticks.parse::<f64>().ok());
    Some((state, (ticks.next()? + ticks.next()?) / TICKS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_peak_memory_and_process_state() {
        assert_eq!(peak_in("Name:\tx\nVmPeak:\t  10 kB\nVmHWM:\t    9452 kB\n"), Some(9452));
        let stat = "1 (a b) c) Z 2 3 4 5 6 7 8 9 10 11 150 25 0 0 20";
        assert_eq!(state_in(stat), Some(("Z", 1.75)));
    }
}
