//! Parts of costs: a name, a formula, a source and an amount.

use std::fmt;

use super::CostNetwork;

/// Source of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostSource {
    /// A paper states the number; the text names the paper and its section.
    Stated(&'static str),
    /// The paper states no number, which is counted from its rules; the text names their place.
    Counted(&'static str),
}

impl CostSource {
    /// Explanation of the word "counted".
    pub const COUNTED: &'static str = "Counted: the paper states no number; it follows from its rules.";
}

impl fmt::Display for CostSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stated(place) => f.write_str(place),
            Self::Counted(place) => write!(f, "counted: {place}"),
        }
    }
}

/// Part of a cost, as a formula.
#[derive(Clone, Copy, Debug)]
pub struct CostPart {
    /// Name of the part.
    pub name: &'static str,
    /// Formula in words and symbols; n is the number of dimensions, k the nodes in each.
    pub formula: &'static str,
    /// Source of the formula.
    pub source: CostSource,
    /// Value of the formula, in bits or comparisons.
    pub(in crate::routing) amount: Amount,
}

/// Value of a formula.
#[derive(Clone, Copy, Debug)]
pub(in crate::routing) enum Amount {
    /// A number that does not depend on the network.
    Fixed(u128),
    /// A number that depends on the network.
    On(fn(&CostNetwork) -> u128),
}

impl CostPart {
    /// Returns a part with the same amount on every network.
    pub(in crate::routing) const fn fixed(
        name: &'static str,
        formula: &'static str,
        amount: u128,
        source: CostSource,
    ) -> Self {
        Self { name, formula, source, amount: Amount::Fixed(amount) }
    }

    /// Returns a part whose amount depends on the network.
    pub(in crate::routing) const fn on(
        name: &'static str,
        formula: &'static str,
        amount: fn(&CostNetwork) -> u128,
        source: CostSource,
    ) -> Self {
        Self { name, formula, source, amount: Amount::On(amount) }
    }

    /// Returns the part on a network.
    pub(super) fn evaluate(&self, at: &CostNetwork) -> CostEntry {
        let amount = match self.amount {
            Amount::Fixed(amount) => amount,
            Amount::On(amount) => amount(at),
        };
        CostEntry { name: self.name, formula: self.formula, source: self.source, amount }
    }
}

/// Part of a cost on one network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostEntry {
    /// Name of the part.
    pub name: &'static str,
    /// Formula in words and symbols.
    pub formula: &'static str,
    /// Source of the formula.
    pub source: CostSource,
    /// Amount, in bits or comparisons.
    pub amount: u128,
}
