//! A key of an experiment text: what it means, how its value is read and written.

use crate::Experiment;
use faultlab_core::ParseError;

/// What help says of a key, and how its value is read and written.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What values it accepts in an experiment of this kind and network.
    pub accepted: fn(&Experiment) -> String,
    /// An example value.
    pub example: &'static str,
    /// Reads a value into the experiment.
    pub(crate) read: fn(&mut Experiment, &str) -> Result<(), ParseError>,
    /// Writes the value.
    pub(crate) write: fn(&Experiment) -> Option<String>,
}

impl Key {
    /// What `experiment` says for this key; `None` if nothing.
    pub fn value(&self, experiment: &Experiment) -> Option<String> {
        (self.write)(experiment)
    }
}

/// Reads a number from `low` to `high`.
pub(crate) fn number(text: &str, low: f64, high: f64) -> Result<f64, ParseError> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (low..=high).contains(&value) { Ok(value) } else { Err(format!("outside {low} to {high}").into()) }
}

/// Reads a whole number from `low` to `high`.
pub(crate) fn whole(text: &str, low: u64, high: u64) -> Result<u64, ParseError> {
    let value: u64 = text.parse().map_err(|_| "not a whole number in range".to_owned())?;
    if (low..=high).contains(&value) { Ok(value) } else { Err(format!("outside {low} to {high}").into()) }
}

/// What is said of a key that the experiment has no value for. Texts never come so far: they are read for their kind.
pub(crate) const KEY_OF_ANOTHER_KIND: &str = "a key of another kind of experiment";

/// What is said of a value that is none of a few names.
pub(crate) const NOT_ONE: &str = "not one of them";
