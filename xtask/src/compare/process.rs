//! Running a program to its end, with its processor time and its memory.

use std::fs;
use std::io::ErrorKind;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// A run that takes longer is given up.
const PATIENCE: Duration = Duration::from_secs(300);

/// What Linux counts processor time in, whatever its own clock: hundredths of a second.
const TICKS: f64 = 100.0;

/// What a program took.
#[derive(Clone, Copy, Default)]
pub(super) struct Cost {
    /// Processor time of all its threads, in the program and for it, in seconds.
    pub(super) seconds: f64,
    /// The most memory that was resident at once, in kB.
    pub(super) peak: u64,
}

impl Cost {
    /// Of two runs, one after the other.
    pub(super) fn and(self, other: Self) -> Self {
        Self { seconds: self.seconds + other.seconds, peak: self.peak.max(other.peak) }
    }
}

/// Runs `command`; what it printed on standard output, and what it took. Processor time does not see the other programs on
/// the machine, as the time on the wall does.
pub(super) fn run(command: &mut Command, folder: &str) -> Result<(String, Cost)> {
    let (out, err) = (format!("{folder}/out.txt"), format!("{folder}/err.txt"));
    let file = |path: &str| fs::File::create(path).with_context(|| format!("creating {path}"));
    let mut child =
        command.stdin(Stdio::null()).stdout(file(&out)?).stderr(file(&err)?).spawn().context("starting it")?;
    let (process, begun) = (format!("/proc/{}", child.id()), Instant::now());
    let mut cost = Cost::default();
    // What has ended keeps its time until it is waited for, but not its memory.
    while !is_over(&process, &mut cost)? {
        if begun.elapsed() > PATIENCE {
            child.kill().and_then(|()| child.wait())?;
            bail!("{command:?} took more than {} seconds", PATIENCE.as_secs());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let status = child.wait()?;
    ensure!(status.success(), "{command:?} failed ({status}): {}", fs::read_to_string(&err)?.trim());
    Ok((fs::read_to_string(&out)?, cost))
}

/// Looks at a process: whether it has ended.
fn is_over(process: &str, cost: &mut Cost) -> Result<bool> {
    let status = match fs::read_to_string(format!("{process}/status")) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("processes are measured as Linux tells it, in /proc")
        }
        status => status?,
    };
    cost.peak = cost.peak.max(peak_in(&status).unwrap_or(0));
    let stat = fs::read_to_string(format!("{process}/stat"))?;
    let (state, seconds) = state_in(&stat).context("the columns of /proc/*/stat")?;
    cost.seconds = seconds;
    Ok(state == "Z")
}

/// The number in `VmHWM:      9452 kB`.
fn peak_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The state and the seconds of `PID (NAME) STATE ..`: columns 3, 14 and 15, of which the name may have spaces.
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
    fn reads_what_linux_tells() {
        assert_eq!(peak_in("Name:\tx\nVmPeak:\t  10 kB\nVmHWM:\t    9452 kB\n"), Some(9452));
        let stat = "1 (a b) c) Z 2 3 4 5 6 7 8 9 10 11 150 25 0 0 20";
        assert_eq!(state_in(stat), Some(("Z", 1.75)));
    }
}
