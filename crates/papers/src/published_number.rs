//! Numbers as papers print them.

/// Printed number: its value and the weight of its last digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedNumber(pub &'static str);

impl PublishedNumber {
    /// Returns the value.
    pub fn value(self) -> f64 {
        self.0.parse().unwrap_or(f64::NAN)
    }

    /// Returns one unit of the last digit.
    pub fn digit(self) -> f64 {
        let decimals = self.0.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        (0..decimals).fold(1.0, |digit, _| digit / 10.0)
    }
}
