//! Errors of experiment texts.

use std::fmt;

use faultlab_core::spelling::nearest;

/// Error of an experiment: the key, the value, the reason, and the accepted values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExperimentError {
    /// Key, as in the text.
    pub key: String,
    /// Value, shortened if long.
    pub value: String,
    /// Reason why the value is wrong.
    pub problem: String,
    /// Values that the key accepts, in words.
    pub accepted: String,
    /// Accepted key or value that is spelled almost like the wrong one.
    pub suggestion: Option<String>,
}

/// Problem of a part of a text that is not a pair.
pub(super) const NO_VALUE: &str = "no value";

/// Problem of a key that no kind of experiment has.
const UNKNOWN_KEY: &str = "unknown key";

/// Maximum number of characters of a value in messages.
const SHOWN: usize = 60;

impl ExperimentError {
    pub(crate) fn new(key: &str, value: &str, problem: impl Into<String>, accepted: impl Into<String>) -> Self {
        let cut = |text: &str| match text
            .char_indices()
            .enumerate()
            .find(|&(count, (_, letter))| count == SHOWN || letter == '\n')
        {
            Some((_, (end, _))) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        };
        Self { key: cut(key), value: cut(value), problem: problem.into(), accepted: accepted.into(), suggestion: None }
    }

    /// Creates the error of a key that no kind of experiment has; `known` are the names of keys.
    pub(crate) fn unknown_key(key: &str, value: &str, known: &[&str]) -> Self {
        // A single letter resembles every other one.
        let suggestion = nearest(key, known).filter(|near| near.len() > 1).map(str::to_owned);
        Self { suggestion, ..Self::new(key, value, UNKNOWN_KEY, known.join(", ")) }
    }

    /// Returns the reason, followed by the suggestion, without the accepted values:
    /// `Unknown key "rout". Did you mean "route"?`
    pub fn summary(&self) -> String {
        match &self.suggestion {
            Some(suggestion) => format!("{}. Did you mean \"{suggestion}\"?", self.reason()),
            None => format!("{}.", self.reason()),
        }
    }

    fn reason(&self) -> String {
        match self.problem.as_str() {
            UNKNOWN_KEY => format!("Unknown key \"{}\"", self.key),
            NO_VALUE => format!("\"{}\" has no value", self.key),
            problem => format!("{}={}: {problem}", self.key, self.value),
        }
    }
}

impl fmt::Display for ExperimentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.suggestion {
            Some(_) => write!(f, "{} Accepted: {}", self.summary(), self.accepted),
            None => write!(f, "{}; accepted: {}", self.reason(), self.accepted),
        }
    }
}

impl std::error::Error for ExperimentError {}
