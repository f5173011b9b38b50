//! Keys of experiment texts: their meaning, parser and formatter.

use crate::Experiment;
use faultlab_core::ParseError;

/// Key of an experiment text with its help, parser and formatter.
#[derive(Clone, Copy, Debug)]
pub struct TextKey {
    /// Name of the key in experiment texts.
    pub name: &'static str,
    /// Meaning of the key, for the help.
    pub meaning: &'static str,
    /// Function that describes the accepted values for the kind and network of an experiment.
    pub accepted: fn(&Experiment) -> String,
    /// Example value.
    pub example: &'static str,
    /// Function that parses a value into the experiment.
    pub(crate) read: fn(&mut Experiment, &str) -> Result<(), ParseError>,
    /// Function that formats the value.
    pub(crate) write: fn(&Experiment) -> Option<String>,
}

impl TextKey {
    /// Returns the value of this key in `experiment`; `None` if it has none.
    pub fn value(&self, experiment: &Experiment) -> Option<String> {
        (self.write)(experiment)
    }
}

/// Parses a number from `low` to `high`.
pub(crate) fn number(text: &str, low: f64, high: f64) -> Result<f64, ParseError> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (low..=high).contains(&value) { Ok(value) } else { Err(format!("outside {low} to {high}").into()) }
}

/// Parses a whole number from `low` to `high`.
pub(crate) fn whole_number(text: &str, low: u64, high: u64) -> Result<u64, ParseError> {
    let value: u64 = text.parse().map_err(|_| "not a whole number in range".to_owned())?;
    if (low..=high).contains(&value) { Ok(value) } else { Err(format!("outside {low} to {high}").into()) }
}

/// Error message for a key that the experiment's kind does not have. The parser of texts rejects
/// such keys first.
pub(crate) const UNSUPPORTED_KEY: &str = "a key of another kind of experiment";

/// Error message for a value that is not one of a few names.
pub(crate) const NOT_A_KNOWN_NAME: &str = "not an accepted value";
