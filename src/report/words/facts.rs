//! What is found, as facts for people: what, its value, and what it means. The page and the command line share them.

use super::number;
use crate::theory::oblivious::{Claim, Side, Statement};

/// One fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub what: String,
    /// Its value.
    pub value: String,
    /// What the value means.
    pub meaning: String,
}

/// One, made of its parts.
pub(crate) fn fact(what: &str, value: impl Into<String>, meaning: impl Into<String>) -> Fact {
    Fact { what: what.into(), value: value.into(), meaning: meaning.into() }
}

/// A number beside its bound, and whether it keeps it.
pub(crate) fn compared(what: &str, side: Side, bound: f64, measured: Option<f64>, meaning: &str) -> Fact {
    let claim = Claim { statement: Statement::Length, supposed: true, bound, side, measured };
    let sign = match side {
        Side::AtMost => "<=",
        Side::AtLeast => ">=",
    };
    let value = match (measured, claim.holds()) {
        (Some(measured), Some(true)) => format!("{} {sign} {}: holds", number(measured), number(bound)),
        (Some(measured), _) => format!("{} {sign} {}: does not hold", number(measured), number(bound)),
        (None, _) => format!("{sign} {}", number(bound)),
    };
    fact(what, value, meaning)
}
