//! Numbers beside their bounds, as checks list them.

use super::record::{Record, Value};
use crate::theory::oblivious::Side;

/// The columns of such lists.
pub(crate) const ROW: [&str; 7] = ["series", "item", "measured", "side", "bound", "supposed", "holds"];

/// One number, beside its bound if it has one.
pub(crate) struct Row {
    /// What it is of.
    pub(crate) item: String,
    /// What was measured or computed.
    pub(crate) measured: Option<f64>,
    /// On which side of the bound it should be.
    pub(crate) side: Option<Side>,
    /// The bound.
    pub(crate) bound: Option<f64>,
    /// Whether the bound is promised here.
    pub(crate) supposed: Option<bool>,
    /// Whether the number keeps the bound.
    pub(crate) holds: Option<bool>,
}

impl Row {
    /// A number without a bound.
    pub(crate) fn measured(item: &str, measured: impl Into<Option<f64>>) -> Self {
        let (item, measured) = (item.to_owned(), measured.into());
        Self { item, measured, side: None, bound: None, supposed: None, holds: None }
    }

    /// Something that holds or does not, without a number.
    pub(crate) fn holds(item: &str, holds: bool) -> Self {
        Self { holds: Some(holds), ..Self::measured(item, None) }
    }

    /// A number beside a bound that is promised.
    pub(crate) fn bounded(item: &str, measured: f64, side: Side, bound: f64) -> Self {
        let holds = match side {
            Side::AtMost => measured <= bound,
            Side::AtLeast => measured >= bound,
        };
        let (side, bound, holds) = (Some(side), Some(bound), Some(holds));
        Self { side, bound, holds, supposed: Some(true), ..Self::measured(item, measured) }
    }

    /// The same as a line of its own, of this series.
    pub(crate) fn of(self, series: &str) -> Record {
        self.after(Record::default().with("series", series))
    }

    fn after(self, record: Record) -> Record {
        let side = self.side.map(|side| match side {
            Side::AtMost => "at-most",
            Side::AtLeast => "at-least",
        });
        record
            .with("item", self.item)
            .with("measured", self.measured)
            .with("side", side)
            .with("bound", self.bound)
            .with("supposed", self.supposed)
            .with("holds", self.holds)
    }
}

impl From<Row> for Value {
    fn from(row: Row) -> Self {
        row.after(Record::default()).into()
    }
}
