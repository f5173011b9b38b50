//! What is wrong with an experiment whose every value could be read.

/// What is wrong: the key to change, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The key to change.
    pub key: &'static str,
    /// Why, in words.
    pub why: String,
}

impl Problem {
    /// That of `key`.
    pub(crate) fn new(key: &'static str, why: impl Into<String>) -> Self {
        Self { key, why: why.into() }
    }
}
