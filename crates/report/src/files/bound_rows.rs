//! Numbers with their bounds, as checks list them.

use super::record::{Record, Value};
use crate::wording::facts::BoundCheck;
use faultlab_core::theory::oblivious::{BoundSide, ClaimOutcome};

/// Columns of a list of numbers with their bounds.
pub(crate) const ROW: [&str; 10] =
    ["series", "item", "measured", "side", "bound", "supposed", "holds", "verdict", "fails", "told"];

/// Number with its bound, if it has one.
pub(crate) struct BoundRow {
    /// Subject of the row.
    pub(crate) item: String,
    /// Measured or computed value.
    pub(crate) measured: Option<f64>,
    /// Claim on the value.
    pub(crate) claim: Option<BoundCheck>,
    /// Reference value without faults or chance, which is neither a bound nor has to be equal.
    pub(crate) reference: Option<f64>,
    /// Truth of a statement that is not a comparison with a bound.
    pub(crate) holds: Option<bool>,
    /// Text for a name, a place or a reason.
    pub(crate) text: Option<String>,
}

impl BoundRow {
    /// Returns a row with a number and without a bound.
    pub(crate) fn measured(item: &str, measured: impl Into<Option<f64>>) -> Self {
        Self { item: item.to_owned(), measured: measured.into(), claim: None, reference: None, holds: None, text: None }
    }

    /// Returns a row with a truth value and without a number.
    pub(crate) fn holds(item: &str, holds: bool) -> Self {
        Self { holds: Some(holds), ..Self::measured(item, None) }
    }

    /// Returns a row with a number and the claim on it.
    pub(crate) fn bounded(item: &str, claim: BoundCheck) -> Self {
        Self { claim: Some(claim.clone()), ..Self::measured(item, claim.measured) }
    }

    /// Returns a row with a text.
    pub(crate) fn text(item: &str, told: impl Into<String>) -> Self {
        Self::measured(item, None).with(told)
    }

    /// Adds a text.
    pub(crate) fn with(self, told: impl Into<String>) -> Self {
        Self { text: Some(told.into()), ..self }
    }

    /// Returns the row as a line of its own, for the given series.
    pub(crate) fn into_record(self, series: &str) -> Record {
        self.append_to(Record::default().with("series", series))
    }

    fn append_to(self, record: Record) -> Record {
        let claim = self.claim.as_ref();
        let side = claim.map(|claim| match claim.side {
            BoundSide::AtMost => "at-most",
            BoundSide::AtLeast => "at-least",
        });
        let verdict = match self.holds {
            Some(true) => Some(ClaimOutcome::Yes),
            Some(false) => Some(ClaimOutcome::No),
            None => claim.and_then(BoundCheck::holds),
        };
        record
            .with("item", self.item)
            .with("measured", self.measured)
            .with("side", side)
            .with("bound", claim.map(|claim| claim.bound).or(self.reference))
            .with("supposed", claim.map(|claim| claim.violated_premise.is_none()))
            .with(
                "holds",
                verdict
                    .filter(|&verdict| verdict != ClaimOutcome::NotApplicable)
                    .map(|verdict| verdict == ClaimOutcome::Yes),
            )
            .with("verdict", verdict.map(|verdict| verdict.to_string()))
            .with("fails", claim.and_then(|claim| claim.violated_premise.clone()))
            .with("told", self.text)
    }
}

impl From<BoundRow> for Value {
    fn from(row: BoundRow) -> Self {
        row.append_to(Record::default()).into()
    }
}
