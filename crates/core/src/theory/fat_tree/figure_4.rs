//! Figure 4: how many delivery cycles RANDOM needs.

use std::fmt;

/// How a number of delivery cycles grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// One cycle.
    One,
    /// O(lg n).
    LgN,
    /// O(lg n lg lambda).
    LgNLgLambda,
    /// O(lambda).
    Lambda,
}

impl Growth {
    /// What stands in the O, lg being the logarithm to the base 2.
    pub fn value(self, processors: u32, lambda: f64) -> f64 {
        let lg_n = f64::from(processors.max(1).ilog2());
        match self {
            Self::One => 1.0,
            Self::LgN => lg_n,
            Self::LgNLgLambda => lg_n * libm::log2(lambda),
            Self::Lambda => lambda,
        }
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One => "1",
            Self::LgN => "O(lg n)",
            Self::LgNLgLambda => "O(lg n lg lambda)",
            Self::Lambda => "O(lambda)",
        })
    }
}

/// A row of Figure 4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure4Row {
    /// The smallest load factor, which also ends the row above.
    pub from: f64,
    /// The largest load factor; `None` in the last row, which holds up to any power of n.
    pub to: Option<f64>,
    /// The delivery cycles, with probability 1 - O(1/n).
    pub cycles: Growth,
}

/// Figure 4 for so many processors. Where lg n lg lg n is below 2, up to n = 4, the third row is empty.
pub fn figure_4(processors: u32) -> [Figure4Row; 4] {
    let lg_n = f64::from(processors.max(2).ilog2());
    let threshold = (lg_n * libm::log2(lg_n)).max(2.0);
    let row = |from, to, cycles| Figure4Row { from, to: Some(to), cycles };
    [
        row(0.0, 1.0, Growth::One),
        row(1.0, 2.0, Growth::LgN),
        row(2.0, threshold, Growth::LgNLgLambda),
        Figure4Row { from: threshold, to: None, cycles: Growth::Lambda },
    ]
}

/// What Figure 4 has in its O for a load factor: that of the first row it is in.
pub fn figure_4_cycles(processors: u32, lambda: f64) -> f64 {
    let rows = figure_4(processors);
    let row = rows.iter().find(|row| row.to.is_none_or(|to| lambda <= to));
    row.map_or(lambda, |row| row.cycles.value(processors, lambda))
}
