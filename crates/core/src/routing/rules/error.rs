//! Errors in a text of rules, with their positions.

use std::fmt;

use crate::spelling::nearest;

/// A parse error of a text of rules: the position, the problem, and the accepted input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// The line, from 1.
    pub line: u32,
    /// The column, in characters, from 1.
    pub column: u32,
    /// The problem, with the text at the position.
    pub problem: String,
    /// The accepted input.
    pub accepted: String,
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}; accepted here: {}", self.line, self.column, self.problem, self.accepted)
    }
}

impl std::error::Error for RuleError {}

/// Returns the line and column of the byte at `at`, both from 1.
pub(super) fn line_and_column(text: &str, at: usize) -> (u32, u32) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() as u32 + 1;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (line, before[start..].chars().count() as u32 + 1)
}

/// An error at a byte position, before conversion to a line: the byte, the problem, the accepted
/// input.
#[derive(Debug)]
pub(super) struct PositionedError {
    pub(super) at: u32,
    pub(super) problem: String,
    pub(super) accepted: String,
}

impl PositionedError {
    pub(super) fn new(at: u32, problem: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self { at, problem: problem.into(), accepted: accepted.into() }
    }

    /// Returns the error of an unknown word, with the most similar known word.
    pub(super) fn unknown(at: u32, word: &str, what: &str, known: &[&str]) -> Self {
        let near = nearest(word, known).map_or_else(String::new, |near| format!(" (did you mean {near}?)"));
        Self::new(at, format!("{} is not a {what}{near}", shortened(word)), known.join(", "))
    }

    pub(super) fn in_text(self, text: &str) -> RuleError {
        let (line, column) = line_and_column(text, self.at as usize);
        RuleError { line, column, problem: self.problem, accepted: self.accepted }
    }
}

/// Returns a word for display, shortened if long.
pub(super) fn shortened(word: &str) -> String {
    const SHOWN: usize = 30;
    match word.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}
