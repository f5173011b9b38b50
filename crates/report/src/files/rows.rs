//! Numbers beside their bounds, as checks list them.

use super::record::{Record, Value};
use crate::words::facts::Compared;
use faultlab_core::theory::oblivious::{Holds, Side};

/// The columns of such lists.
pub(crate) const ROW: [&str; 10] =
    ["series", "item", "measured", "side", "bound", "supposed", "holds", "verdict", "fails", "told"];

/// One number, beside its bound if it has one.
pub(crate) struct Row {
    /// What it is of.
    pub(crate) item: String,
    /// What was measured or computed.
    pub(crate) measured: Option<f64>,
    /// What is claimed of it.
    pub(crate) claim: Option<Compared>,
    /// What it is without faults or chance, where it is neither bounded by that nor has to be the same.
    pub(crate) beside: Option<f64>,
    /// Whether something holds that is no number beside a bound.
    pub(crate) holds: Option<bool>,
    /// What is no number: a name, a place, a reason.
    pub(crate) told: Option<String>,
}

impl Row {
    /// A number without a bound.
    pub(crate) fn measured(item: &str, measured: impl Into<Option<f64>>) -> Self {
        Self { item: item.to_owned(), measured: measured.into(), claim: None, beside: None, holds: None, told: None }
    }

    /// Something that holds or does not, without a number.
    pub(crate) fn holds(item: &str, holds: bool) -> Self {
        Self { holds: Some(holds), ..Self::measured(item, None) }
    }

    /// A number beside what is claimed of it.
    pub(crate) fn bounded(item: &str, claim: Compared) -> Self {
        Self { claim: Some(claim.clone()), ..Self::measured(item, claim.measured) }
    }

    /// What is no number.
    pub(crate) fn told(item: &str, told: impl Into<String>) -> Self {
        Self::measured(item, None).with(told)
    }

    /// The same with what is to be told of it in words.
    pub(crate) fn with(self, told: impl Into<String>) -> Self {
        Self { told: Some(told.into()), ..self }
    }

    /// The same as a line of its own, of this series.
    pub(crate) fn of(self, series: &str) -> Record {
        self.after(Record::default().with("series", series))
    }

    fn after(self, record: Record) -> Record {
        let claim = self.claim.as_ref();
        let side = claim.map(|claim| match claim.side {
            Side::AtMost => "at-most",
            Side::AtLeast => "at-least",
        });
        let verdict = match self.holds {
            Some(true) => Some(Holds::Yes),
            Some(false) => Some(Holds::No),
            None => claim.and_then(Compared::holds),
        };
        record
            .with("item", self.item)
            .with("measured", self.measured)
            .with("side", side)
            .with("bound", claim.map(|claim| claim.bound).or(self.beside))
            .with("supposed", claim.map(|claim| claim.fails.is_none()))
            .with(
                "holds",
                verdict.filter(|&verdict| verdict != Holds::NotApplicable).map(|verdict| verdict == Holds::Yes),
            )
            .with("verdict", verdict.map(|verdict| verdict.to_string()))
            .with("fails", claim.and_then(|claim| claim.fails.clone()))
            .with("told", self.told)
    }
}

impl From<Row> for Value {
    fn from(row: Row) -> Self {
        row.after(Record::default()).into()
    }
}
