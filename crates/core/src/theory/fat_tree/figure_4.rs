//! Figure 4: the number of delivery cycles of RANDOM.

use std::fmt;

/// Growth rate of a number of delivery cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// Constant: one cycle.
    One,
    /// O(lg n).
    LgN,
    /// O(lg n lg lambda).
    LgNLgLambda,
    /// O(lambda).
    Lambda,
}

impl Growth {
    /// Returns the expression inside the O, with lg the logarithm to the base 2.
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

/// Row of Figure 4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure4Row {
    /// Smallest load factor, which is also the upper end of the row above.
    pub from: f64,
    /// Largest load factor; `None` in the last row, which applies up to any power of n.
    pub to: Option<f64>,
    /// Delivery cycles, with probability 1 - O(1/n).
    pub cycles: Growth,
}

/// Returns Figure 4 for `processors` processors.
///
/// If lg n lg lg n is below 2, which holds up to n = 4, the third row is empty.
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

/// Returns the expression inside the O of Figure 4 for a load factor, from the first row that
/// contains it.
pub fn figure_4_cycles(processors: u32, lambda: f64) -> f64 {
    let rows = figure_4(processors);
    let row = rows.iter().find(|row| row.to.is_none_or(|to| lambda <= to));
    row.map_or(lambda, |row| row.cycles.value(processors, lambda))
}
