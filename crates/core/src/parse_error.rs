//! Error type of the parsers of user-written text.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// Error of a text that cannot be parsed. The message is addressed to the author of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError(Cow<'static, str>);

impl ParseError {
    /// Returns the error message.
    pub fn message(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for ParseError {}

impl From<&'static str> for ParseError {
    fn from(message: &'static str) -> Self {
        Self(message.into())
    }
}

impl From<String> for ParseError {
    fn from(message: String) -> Self {
        Self(message.into())
    }
}
