//! Results as facts: subject, value and meaning. The page and the command line share them.

use serde::{Deserialize, Serialize};

use super::number;
use faultlab_core::theory::oblivious::{BoundSide, Claim, ClaimOutcome};

/// Fact to display: subject, value and meaning. Formulas in values and meanings are in backticks
/// ([`super::formula`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// Subject of the fact.
    pub what: String,
    /// Value.
    pub value: String,
    /// Meaning of the value.
    pub meaning: String,
}

/// Returns the fact with a subject, a value and a meaning.
pub(crate) fn fact(what: &str, value: impl Into<String>, meaning: impl Into<String>) -> Fact {
    Fact { what: what.into(), value: value.into(), meaning: meaning.into() }
}

/// Number compared with a bound, for texts and files.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoundCheck {
    /// Measured or computed number; `None` if there is none.
    pub(crate) measured: Option<f64>,
    /// Side of the bound on which the number should be.
    pub(crate) side: BoundSide,
    /// Bound.
    pub(crate) bound: f64,
    /// Violated premise of the claim; `None` if the claim applies.
    pub(crate) violated_premise: Option<String>,
}

impl BoundCheck {
    /// Returns a number compared with a bound whose claim applies.
    pub(crate) fn new(measured: impl Into<Option<f64>>, side: BoundSide, bound: impl Into<f64>) -> Self {
        Self { measured: measured.into(), side, bound: bound.into(), violated_premise: None }
    }

    /// Marks the claim as inapplicable unless `premise` holds; `fails` is the text of the violated
    /// premise.
    pub(crate) fn with_premise(self, premise: bool, fails: &str) -> Self {
        Self { violated_premise: (!premise).then(|| fails.to_owned()), ..self }
    }

    /// Returns the verdict on the claim; `None` if it applies and nothing was measured.
    pub(crate) fn holds(&self) -> Option<ClaimOutcome> {
        match (&self.violated_premise, self.measured) {
            (Some(_), _) => Some(ClaimOutcome::NotApplicable),
            (None, None) => None,
            (None, Some(measured)) if self.side.is_met(measured, self.bound) => Some(ClaimOutcome::Yes),
            _ => Some(ClaimOutcome::No),
        }
    }

    /// Returns the comparison as a fact with the given subject and meaning.
    pub(crate) fn fact(&self, what: &str, meaning: &str) -> Fact {
        let sign = match self.side {
            BoundSide::AtMost => "<=",
            BoundSide::AtLeast => ">=",
        };
        let mut value = self.measured.map(number).unwrap_or_default();
        if self.bound.is_finite() {
            value = format!("{value} {sign} {}", number(self.bound));
        }
        if let Some(holds) = self.holds() {
            value = if value.is_empty() { holds.to_string() } else { format!("{value}: {holds}") };
        }
        let why = self.violated_premise.as_ref().map_or(String::new(), |fails| format!(". Not applicable: {fails}"));
        fact(what, value.trim_start(), [meaning, &why].concat())
    }
}

impl From<&Claim> for BoundCheck {
    fn from(claim: &Claim) -> Self {
        let fails = claim.unmet_premise.map(|fails| fails.to_string());
        Self { measured: claim.measured, side: claim.side, bound: claim.bound, violated_premise: fails }
    }
}
