//! What leaves the process: text on standard output, one line on standard error, an exit status.

use std::borrow::Cow;
use std::io::{self, Write as _};
use std::process::{self, ExitCode};
use std::thread;
use std::time::Duration;

use faultlab::report::document::Document;
use faultlab::report::error::ReportError;

/// The exit status of a process that a signal has stopped.
pub(crate) const INTERRUPTED: u8 = 130;

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
            Self::Stopped(message) => (message, INTERRUPTED),
            Self::Closed => return ExitCode::SUCCESS,
        };
        note(&format!("faultlab: {message}"));
        ExitCode::from(status)
    }
}

/// Writes `message` on standard error, as one line. A closed standard error is no reason to stop.
pub(crate) fn note(message: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(message));
}

/// The most characters of a word before it is shortened: longer ones are whole arguments, such as an experiment with its rules.
const WORD: usize = 200;

/// The characters that are left of a word that is shortened.
const SHORT: usize = 60;

/// The most characters of a message.
const MESSAGE: usize = 6000;

/// The message without line breaks and other control characters, which come from the input, and with long input shortened.
fn printable(message: &str) -> String {
    let message = message.split(' ').map(shortened).collect::<Vec<_>>().join(" ");
    let mut line = String::with_capacity(message.len());
    for character in message.chars().take(MESSAGE) {
        match character {
            c if c.is_control() => line.extend(c.escape_default()),
            c => line.push(c),
        }
    }
    if message.chars().nth(MESSAGE).is_some() {
        line.push_str("...");
    }
    line
}

/// A word, or its beginning and the punctuation at its end.
fn shortened(word: &str) -> Cow<'_, str> {
    if word.chars().nth(WORD).is_none() {
        return word.into();
    }
    let end = word.rfind(|c| !matches!(c, ':' | ';' | ',' | ')' | '"' | '\'')).map_or("", |at| {
        let last = word[at..].chars().next().map_or(0, char::len_utf8);
        &word[at + last..]
    });
    let beginning: String = word.chars().take(SHORT).collect();
    format!("{beginning}...{}", end.chars().take(3).collect::<String>()).into()
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

/// Time between two looks at whether standard output still has a reader.
const LOOK: Duration = Duration::from_millis(100);

/// Ends the process once standard output is a pipe without a reader: for commands that keep nothing and print at their end. Where no
/// thread can be started, such a command works until it prints.
pub(crate) fn end_without_reader() {
    let watch = || {
        while !is_closed() {
            thread::sleep(LOOK);
        }
        process::exit(0);
    };
    let _ = thread::Builder::new().spawn(watch);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_shortens_long_input_and_keeps_its_punctuation() {
        let long = "é".repeat(130_000);
        assert_eq!(printable(&format!("{long}: no such")), format!("{}...: no such", "é".repeat(60)));
        assert_eq!(printable(&"a".repeat(200)), "a".repeat(200));
        assert_eq!(printable(&":".repeat(300)), format!("{}...", ":".repeat(60)));
        assert_eq!(printable(&"ab ".repeat(100_000)).chars().count(), MESSAGE + 3);
    }

    #[test]
    fn printable_is_one_line() {
        assert_eq!(printable("a\nb\u{7f}"), "a\\nb\\u{7f}");
    }
}
