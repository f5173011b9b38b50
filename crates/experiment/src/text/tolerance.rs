//! Key `tolerance` of all kinds with active nodes, independent of the setting that contains it.

use super::key::{TextKey, number};
use crate::Experiment;
use faultlab_core::ParseError;
use faultlab_core::fault::Tolerance;

/// Creates the key for a kind, with the functions that access its setting.
pub(crate) const fn key(
    read: fn(&mut Experiment, &str) -> Result<(), ParseError>,
    write: fn(&Experiment) -> Option<String>,
) -> TextKey {
    TextKey {
        name: "tolerance",
        meaning: "the share of the paths out of an active node, and of those into it, that may be faulty under Algorithms A and B",
        accepted: |_| "thesis, which is 1/(3n) under A and 1/(3(n-2)) under B, or a number from 0 to 1".into(),
        example: "0.25",
        read,
        write,
    }
}

/// Parses a tolerance.
pub(crate) fn parse(text: &str) -> Result<Tolerance, ParseError> {
    match text {
        "thesis" => Ok(Tolerance::Thesis),
        _ => number(text, 0.0, 1.0).map(Tolerance::Share),
    }
}

/// Formats a tolerance.
pub(crate) fn text(tolerance: Tolerance) -> String {
    match tolerance {
        Tolerance::Thesis => "thesis".to_owned(),
        Tolerance::Share(share) => share.to_string(),
    }
}
