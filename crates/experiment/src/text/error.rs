//! What is wrong with an experiment text.

use std::fmt;

/// An experiment that cannot be: which key, which value, why, and what is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExperimentError {
    /// The key, as in the text.
    pub key: String,
    /// The value that was given, shortened if long.
    pub value: String,
    /// What is wrong with it.
    pub problem: String,
    /// What would be right.
    pub accepted: String,
}

/// Longer values are cut in messages.
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
