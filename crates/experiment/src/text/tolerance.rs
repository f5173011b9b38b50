//! The key `tolerance`, which the kinds have that know active nodes: one meaning, whatever setting holds it.

use super::key::{Key, number};
use crate::Experiment;
use faultlab_core::ParseError;
use faultlab_core::fault::Tolerance;

/// The key, for a kind whose setting `read` writes to and `write` looks into.
pub(crate) const fn key(
    read: fn(&mut Experiment, &str) -> Result<(), ParseError>,
    write: fn(&Experiment) -> Option<String>,
) -> Key {
    Key {
        name: "tolerance",
        meaning: "which share of the paths out of an active node, and of those into it, may be faulty \
                  under Algorithms A and B",
        accepted: |_| "thesis, which is 1/(3n) under A and 1/(3(n-2)) under B, or a number from 0 to 1".into(),
        example: "0.25",
        read,
        write,
    }
}

/// Reads a tolerance.
pub(crate) fn parse(text: &str) -> Result<Tolerance, ParseError> {
    match text {
        "thesis" => Ok(Tolerance::Thesis),
        _ => number(text, 0.0, 1.0).map(Tolerance::Share),
    }
}

/// Writes it.
pub(crate) fn text(tolerance: Tolerance) -> String {
    match tolerance {
        Tolerance::Thesis => "thesis".to_owned(),
        Tolerance::Share(share) => share.to_string(),
    }
}
