//! Errors of experiment texts.

use std::fmt;

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
}

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
        Self { key: cut(key), value: cut(value), problem: problem.into(), accepted: accepted.into() }
    }
}

impl fmt::Display for ExperimentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}: {}; accepted: {}", self.key, self.value, self.problem, self.accepted)
    }
}

impl std::error::Error for ExperimentError {}
