//! Axis of a chart: the positions of values along it.

/// Linear or logarithmic axis between two values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    range: (f64, f64),
    is_log: bool,
}

impl Axis {
    /// Returns the axis from the first value to the second, which may be smaller.
    pub fn new(range: (f64, f64), is_log: bool) -> Self {
        Self { range, is_log }
    }

    /// Returns whether a value lies between the ends.
    pub fn contains(&self, value: f64) -> bool {
        (self.range.0..=self.range.1).contains(&value)
    }

    /// Returns the value between the ends that is nearest to `value`.
    pub fn nearest(&self, value: f64) -> f64 {
        value.clamp(self.range.0, self.range.1)
    }

    /// Returns the position of a value as a share of the axis, 0 at the first end and 1 at the
    /// second. The share is not finite for a value without a logarithm on a logarithmic axis.
    pub fn share(&self, value: f64) -> f64 {
        let [value, low, high] = [value, self.range.0, self.range.1].map(|value| self.scaled(value));
        (value - low) / (high - low)
    }

    /// Returns the value at a share of the axis.
    pub fn value(&self, share: f64) -> f64 {
        let [low, high] = [self.range.0, self.range.1].map(|value| self.scaled(value));
        let scaled = low + (high - low) * share;
        if self.is_log { libm::pow(10.0, scaled) } else { scaled }
    }

    fn scaled(&self, value: f64) -> f64 {
        if self.is_log { libm::log10(value) } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_between_values_and_shares() {
        let (linear, log) = (Axis::new((2.0, 4.0), false), Axis::new((1.0, 100.0), true));
        assert_eq!([linear.share(2.5), log.share(10.0), Axis::new((4.0, 2.0), false).share(2.5)], [0.25, 0.5, 0.75]);
        assert_eq!([linear.value(0.25), linear.value(-1.0), log.value(0.5)], [2.5, 0.0, 10.0]);
        assert!(log.share(0.0) == f64::NEG_INFINITY && log.share(-1.0).is_nan());
    }
}
