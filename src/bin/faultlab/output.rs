//! Output of the process: text on standard output, one line on standard error, an exit status.

use std::borrow::Cow;
use std::io::{self, Write as _};
use std::process::{self, ExitCode};
use std::thread;
use std::time::Duration;

use faultlab::api::native::Error;
use faultlab::report::document::Document;
use faultlab::report::error::ReportError;

/// Exit status of a process that a signal has stopped.
pub(crate) const INTERRUPTED: u8 = 130;

/// Reason why a command failed or ended early.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The input is invalid: exit status 2.
    BadInput(String),
    /// An I/O or system error: exit status 1.
    System(String),
    /// A signal stopped the command: exit status 130.
    Stopped(String),
    /// The reader has closed standard output, which is not a failure.
    Closed,
}

impl From<Error> for CliError {
    fn from(error: Error) -> Self {
        match error {
            Error::BadInput(message) => Self::BadInput(message),
            Error::System(message) => Self::System(message),
            Error::Cancelled => Self::Stopped("stopped: nothing is stored".into()),
        }
    }
}

impl From<ReportError> for CliError {
    fn from(error: ReportError) -> Self {
        Self::BadInput(error.to_string())
    }
}

impl CliError {
    /// Prints the failure in one line and returns the exit status.
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

/// Writes `message` to standard error, as one line. A closed standard error is ignored.
pub(crate) fn note(message: &str) {
    let _ = writeln!(io::stderr(), "{}", sanitize_line(message));
}

/// Maximum number of characters of a word that is printed whole. Longer words are arguments, such
/// as an experiment with its rules.
const MAX_WORD: usize = 200;

/// Number of characters that are kept of a shortened word.
const SHORTENED_WORD: usize = 60;

/// Maximum number of characters of a message.
const MAX_MESSAGE: usize = 6000;

/// Returns the message as one line: control characters are escaped, and long input is shortened.
fn sanitize_line(message: &str) -> String {
    let message = message.split(' ').map(shorten_word).collect::<Vec<_>>().join(" ");
    let mut line = String::with_capacity(message.len());
    for character in message.chars().take(MAX_MESSAGE) {
        match character {
            c if c.is_control() => line.extend(c.escape_default()),
            c => line.push(c),
        }
    }
    if message.chars().nth(MAX_MESSAGE).is_some() {
        line.push_str("...");
    }
    line
}

/// Returns the word, or its beginning and its trailing punctuation.
fn shorten_word(word: &str) -> Cow<'_, str> {
    if word.chars().nth(MAX_WORD).is_none() {
        return word.into();
    }
    let end = word.rfind(|c| !matches!(c, ':' | ';' | ',' | ')' | '"' | '\'')).map_or("", |at| {
        let last = word[at..].chars().next().map_or(0, char::len_utf8);
        &word[at + last..]
    });
    let beginning: String = word.chars().take(SHORTENED_WORD).collect();
    format!("{beginning}...{}", end.chars().take(3).collect::<String>()).into()
}

/// Prints `document` as JSON or as CSV if requested, otherwise as readable text.
pub(crate) fn print_document(document: &dyn Document, json: bool, csv: bool) -> Result<(), CliError> {
    print(&match (json, csv) {
        (true, _) => document.json(),
        (_, true) => document.csv(),
        _ => document.text(),
    })
}

/// Prints `text` with a line break at its end. A closed pipe (`| head`) ends the command.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written =
        out.write_all(text.as_bytes()).and_then(|()| out.write_all(end.as_bytes())).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(CliError::Closed),
        Err(error) => Err(CliError::System(format!("cannot write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// Interval between two checks for a reader of standard output.
const CLOSED_POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Ends the process once standard output is a pipe without a reader, for commands that store
/// nothing and print at their end. If no thread can be started, the command runs until it prints.
pub(crate) fn exit_when_output_closes() {
    let watch = || {
        while !is_closed() {
            thread::sleep(CLOSED_POLL_INTERVAL);
        }
        process::exit(0);
    };
    let _ = thread::Builder::new().spawn(watch);
}

/// Returns whether standard output is a pipe without a reader.
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
    fn sanitize_line_shortens_long_input_and_keeps_its_punctuation() {
        let long = "é".repeat(130_000);
        assert_eq!(sanitize_line(&format!("{long}: no such")), format!("{}...: no such", "é".repeat(60)));
        assert_eq!(sanitize_line(&"a".repeat(200)), "a".repeat(200));
        assert_eq!(sanitize_line(&":".repeat(300)), format!("{}...", ":".repeat(60)));
        assert_eq!(sanitize_line(&"ab ".repeat(100_000)).chars().count(), MAX_MESSAGE + 3);
    }

    #[test]
    fn sanitize_line_escapes_control_characters() {
        assert_eq!(sanitize_line("a\nb\u{7f}"), "a\\nb\\u{7f}");
    }
}
