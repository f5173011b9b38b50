//! What is found, as facts for people: what, its value, and what it means. The page and the command line share them.

use serde::{Deserialize, Serialize};

use super::number;
use faultlab_core::theory::oblivious::{Claim, Holds, Side};

/// One fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// A number beside what is claimed of it, as texts and files tell it alike.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Compared {
    /// What was measured or computed; `None` if it was not, or there is nothing to measure.
    pub(crate) measured: Option<f64>,
    /// On which side of the bound it should be.
    pub(crate) side: Side,
    /// The bound.
    pub(crate) bound: f64,
    /// Why the claim does not apply here: what it supposes and is not so. `None` if it applies.
    pub(crate) fails: Option<String>,
}

impl Compared {
    /// A number beside a claim that applies.
    pub(crate) fn new(measured: impl Into<Option<f64>>, side: Side, bound: impl Into<f64>) -> Self {
        Self { measured: measured.into(), side, bound: bound.into(), fails: None }
    }

    /// The same where the claim applies if `premise`; if not, `fails` says what it supposes.
    pub(crate) fn if_so(self, premise: bool, fails: &str) -> Self {
        Self { fails: (!premise).then(|| fails.to_owned()), ..self }
    }

    /// What becomes of the claim; `None` if it applies and nothing was measured.
    pub(crate) fn holds(&self) -> Option<Holds> {
        match (&self.fails, self.measured) {
            (Some(_), _) => Some(Holds::NotApplicable),
            (None, None) => None,
            (None, Some(measured)) if self.side.keeps(measured, self.bound) => Some(Holds::Yes),
            _ => Some(Holds::No),
        }
    }

    /// In words, with what it is about and what it means.
    pub(crate) fn fact(&self, what: &str, meaning: &str) -> Fact {
        let sign = match self.side {
            Side::AtMost => "<=",
            Side::AtLeast => ">=",
        };
        let mut value = self.measured.map(number).unwrap_or_default();
        if self.bound.is_finite() {
            value = format!("{value} {sign} {}", number(self.bound));
        }
        if let Some(holds) = self.holds() {
            value = if value.is_empty() { holds.to_string() } else { format!("{value}: {holds}") };
        }
        let why = self.fails.as_ref().map_or(String::new(), |fails| format!(". Not applicable: {fails}"));
        fact(what, value.trim_start(), [meaning, &why].concat())
    }
}

impl From<&Claim> for Compared {
    fn from(claim: &Claim) -> Self {
        let fails = claim.fails.map(|fails| fails.to_string());
        Self { measured: claim.measured, side: claim.side, bound: claim.bound, fails }
    }
}
