//! Errors of an experiment whose values could all be parsed.

use std::borrow::Cow;
use std::fmt;

/// Validation error: the key to change, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Key to change.
    pub key: &'static str,
    /// Reason, in words.
    pub reason: String,
}

impl Problem {
    /// Creates an error of `key`.
    pub(crate) fn new(key: &'static str, why: impl Into<String>) -> Self {
        Self { key, reason: why.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.reason)
    }
}

impl std::error::Error for Problem {}

/// Reason why an experiment, or a trial, has nothing to run although its parts fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Infeasible(Cow<'static, str>);

impl Infeasible {
    /// Returns the reason in words.
    pub(crate) fn into_words(self) -> Cow<'static, str> {
        self.0
    }
}

impl From<Cow<'static, str>> for Infeasible {
    fn from(why: Cow<'static, str>) -> Self {
        Self(why)
    }
}

impl From<&'static str> for Infeasible {
    fn from(why: &'static str) -> Self {
        Self(why.into())
    }
}

impl From<String> for Infeasible {
    fn from(why: String) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for Infeasible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Infeasible {}
