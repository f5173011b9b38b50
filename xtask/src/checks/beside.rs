//! Checks that run beside others, as a process of their own: what one row of checks prints stays together.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// How a row is told that it is the other one. Then it ends when its input does, after the step that it is at.
pub(super) const OPTION: &str = "--beside";

/// How long what it printed last is waited for.
const LINGER: Duration = Duration::from_secs(5);

/// Whether the process that started this one has ended, or wants no more of it.
pub(super) fn end_of_other() -> Arc<AtomicBool> {
    let ended = Arc::new(AtomicBool::new(false));
    let told = ended.clone();
    thread::spawn(move || {
        // However reading ends, nobody is there any more.
        let _ = io::stdin().read_to_end(&mut Vec::new());
        told.store(true, Ordering::Relaxed);
    });
    ended
}

/// What a row has printed: kept until the other one is done, and shown as it comes from then on.
#[derive(Default)]
struct Printed {
    kept: Vec<u8>,
    is_shown: bool,
}

/// A row of checks beside this one.
pub(super) struct Row {
    process: Child,
    input: Option<ChildStdin>,
    printed: Arc<Mutex<Printed>>,
    reader: JoinHandle<io::Result<()>>,
}

impl Row {
    /// Starts these steps.
    pub(super) fn start(names: impl Iterator<Item = &'static str>) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe().context("finding this program")?);
        command.arg("test").arg(OPTION).args(names).stdin(Stdio::piped());
        let (output, writer) = io::pipe().context("making a pipe")?;
        command.stdout(writer.try_clone()?).stderr(writer);
        let mut process = command.spawn().context("cannot start the other checks")?;
        // It holds the ends to write to until it goes.
        drop(command);
        let printed = Arc::new(Mutex::new(Printed::default()));
        let input = process.stdin.take();
        let reader = thread::spawn({
            let printed = printed.clone();
            move || keep(output, &printed)
        });
        Ok(Self { process, input, printed, reader })
    }

    /// Whether it has not failed up to now.
    pub(super) fn is_well(&mut self) -> Result<bool> {
        Ok(self.process.try_wait()?.is_none_or(|status| status.success()))
    }

    /// Waits for it, showing what it prints, after `outcome` of this row; if that failed, only for the step that it is at.
    pub(super) fn end(mut self, outcome: Result<()>) -> Result<()> {
        if let Err(error) = &outcome {
            println!("\nerror: {error:#}\nWaiting for the step beside it");
            self.input = None;
        }
        self.show()?;
        let status = self.process.wait()?;
        // Whoever it left behind may keep its output open.
        let ended = Instant::now();
        while !self.reader.is_finished() && ended.elapsed() < LINGER {
            thread::sleep(LINGER / 100);
        }
        outcome?;
        if !status.success() {
            bail!("the checks beside these failed");
        }
        Ok(())
    }

    /// Shows what it has printed, and from now on what it prints.
    fn show(&self) -> io::Result<()> {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        printed.is_shown = true;
        io::stdout().write_all(&std::mem::take(&mut printed.kept))
    }
}

fn keep(mut output: impl Read, printed: &Mutex<Printed>) -> io::Result<()> {
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
