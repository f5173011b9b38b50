//! Checks that run in further processes, in parallel with the checks of the parent process. The
//! outputs of the processes do not mix.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// Argument that marks the child process. The child exits after the current step once its stdin
/// closes.
pub(super) const CHILD_OPTION: &str = "--beside";

/// Argument after [`CHILD_OPTION`]: steps that take more than twice their budget fail.
pub(super) const BUDGETS_OPTION: &str = "--budgets";

/// Maximum time to wait for the last output of a process.
const OUTPUT_TIMEOUT: Duration = Duration::from_secs(5);

/// Returns a flag that is set when the parent process has ended or has closed the input.
pub(super) fn parent_ended() -> Arc<AtomicBool> {
    let ended = Arc::new(AtomicBool::new(false));
    let told = ended.clone();
    thread::spawn(move || {
        // The parent process has ended, so the result is ignored.
        let _ = io::stdin().read_to_end(&mut Vec::new());
        told.store(true, Ordering::Relaxed);
    });
    ended
}

/// Output of the child process: stored until the checks of the parent are done, then passed on
/// directly.
#[derive(Default)]
struct ChecksOutput {
    kept: Vec<u8>,
    is_shown: bool,
}

/// Sequence of checks in a child process.
pub(super) struct ParallelChecks {
    process: Child,
    input: Option<ChildStdin>,
    printed: Arc<Mutex<ChecksOutput>>,
    reader: JoinHandle<io::Result<()>>,
}

impl ParallelChecks {
    /// Starts a process for each sequence of step names.
    pub(super) fn start_all(
        sequences: impl Iterator<Item = Vec<&'static str>>,
        has_budgets: bool,
    ) -> Result<Vec<Self>> {
        sequences.map(|names| Self::start(&names, has_budgets)).collect()
    }

    /// Returns whether no process has failed so far.
    pub(super) fn none_has_failed(all: &mut [Self]) -> Result<bool> {
        for one in all {
            if !one.has_not_failed()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Waits for all processes and shows their outputs. `outcome` is the result of the parent's
    /// checks; after a failure, each remaining process ends after its current step.
    pub(super) fn wait_for_all(mut all: Vec<Self>, mut outcome: Result<()>) -> Result<()> {
        if let Err(error) = &outcome {
            println!("\nerror: {error:#}\nWaiting for the parallel steps");
        }
        for number in 0..all.len() {
            if outcome.is_err() {
                all[number..].iter_mut().for_each(|one| one.input = None);
            }
            outcome = outcome.and(all[number].wait());
        }
        outcome
    }

    /// Starts a process that runs the steps called `names`.
    fn start(names: &[&'static str], has_budgets: bool) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe().context("locating this program")?);
        command
            .arg("test")
            .arg(CHILD_OPTION)
            .args(has_budgets.then_some(BUDGETS_OPTION))
            .args(names)
            .stdin(Stdio::piped());
        let (output, writer) = io::pipe().context("creating a pipe")?;
        command.stdout(writer.try_clone()?).stderr(writer);
        let mut process = command.spawn().context("cannot start the parallel checks")?;
        // The command keeps the write ends of the pipe open until it is dropped.
        drop(command);
        let printed = Arc::new(Mutex::new(ChecksOutput::default()));
        let input = process.stdin.take();
        let reader = thread::spawn({
            let printed = printed.clone();
            move || keep(output, &printed)
        });
        Ok(Self { process, input, printed, reader })
    }

    /// Returns whether the process has not failed so far.
    fn has_not_failed(&mut self) -> Result<bool> {
        Ok(self.process.try_wait()?.is_none_or(|status| status.success()))
    }

    /// Waits for the process and shows its output.
    fn wait(&mut self) -> Result<()> {
        self.show()?;
        let status = self.process.wait()?;
        // Descendants of the process may keep its output open.
        let ended = Instant::now();
        while !self.reader.is_finished() && ended.elapsed() < OUTPUT_TIMEOUT {
            thread::sleep(OUTPUT_TIMEOUT / 100);
        }
        ensure!(status.success(), "the parallel checks failed");
        Ok(())
    }

    /// Shows the stored output, and all further output directly.
    fn show(&self) -> io::Result<()> {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        printed.is_shown = true;
        io::stdout().write_all(&std::mem::take(&mut printed.kept))
    }
}

fn keep(mut output: impl Read, printed: &Mutex<ChecksOutput>) -> io::Result<()> {
    let mut bytes = [0; 4096];
    loop {
        let count = output.read(&mut bytes)?;
        if count == 0 {
            return Ok(());
        }
        let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
        if printed.is_shown {
            io::stdout().write_all(&bytes[..count])?;
        } else {
            printed.kept.extend_from_slice(&bytes[..count]);
        }
    }
}
