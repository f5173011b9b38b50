//! What leaves the process: text on standard output, one line on standard error, an exit status.

use std::io::{self, Write as _};
use std::process::ExitCode;

use faultlab::report::document::Document;
use faultlab::report::error::ReportError;

use crate::interrupt;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was asked makes no sense: exit status 2.
    BadInput(String),
    /// The system did not do its part: exit status 1.
    System(String),
    /// A signal stopped it: exit status 130.
    Stopped(String),
    /// Nobody reads what it prints any more, which is no failure.
    Closed,
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        Self::BadInput(error.to_string())
    }
}

impl Failure {
    /// Says it in one line and gives the exit status.
    pub(crate) fn report(&self) -> ExitCode {
        let (message, status) = match self {
            Self::BadInput(message) => (message, 2),
            Self::System(message) => (message, 1),
            Self::Stopped(message) => (message, interrupt::STATUS),
            Self::Closed => return ExitCode::SUCCESS,
        };
        // Where standard error is closed there is nobody to tell.
        let _ = writeln!(io::stderr(), "faultlab: {}", printable(message));
        ExitCode::from(status)
    }
}

/// The message without line breaks and other control characters, which come from the input.
fn printable(message: &str) -> String {
    let mut line = String::with_capacity(message.len());
    for character in message.chars() {
        match character {
            c if c.is_control() => line.extend(c.escape_default()),
            c => line.push(c),
        }
    }
    line
}

/// Prints `document` as JSON or as CSV, if one of them is asked for, else for people.
pub(crate) fn document(document: &dyn Document, json: bool, csv: bool) -> Result<(), Failure> {
    print(&match (json, csv) {
        (true, _) => document.json(),
        (_, true) => document.csv(),
        _ => document.text(),
    })
}

/// Prints `text`, ended by a line break. A reader that has seen enough (`| head`) ends the work.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written =
        out.write_all(text.as_bytes()).and_then(|()| out.write_all(end.as_bytes())).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::Closed),
        Err(error) => Err(Failure::System(format!("cannot write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// Whether standard output is a pipe that nobody reads any more.
pub(crate) fn is_closed() -> bool {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let out = io::stdout();
        let mut looked = [PollFd::new(&out, PollFlags::empty())];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut looked, Some(&now)).is_ok() && looked[0].revents().contains(PollFlags::ERR)
    }
    #[cfg(not(unix))]
    false
}
