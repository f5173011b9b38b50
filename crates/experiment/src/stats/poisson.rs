//! Rates of random events, however rare.

/// Returns the exact 95% interval of the mean of a Poisson number with the observation `k`.
///
/// Beyond either end, `k` or a value farther off has probability 2.5% (F. Garwood, "Fiducial limits
/// for the Poisson distribution", Biometrika 28, 1936). The interval begins at 0 for `k` = 0.
pub(crate) fn poisson_interval(k: u64) -> [f64; 2] {
    let most = k as f64 + 10.0 * (k as f64 + 1.0).sqrt();
    let low = if k == 0 { 0.0 } else { solve(most, |mean| 1.0 - at_most(k - 1, mean) < TAIL) };
    [low, solve(most, |mean| at_most(k, mean) > TAIL)]
}

const TAIL: f64 = 0.025;

/// Returns the probability of at most `k` events with the expected number `mean`.
fn at_most(k: u64, mean: f64) -> f64 {
    let mut term = 1.0;
    let mut sum = 1.0;
    for event in 1..=k {
        term *= mean / event as f64;
        sum += term;
    }
    // If the sum overflows, the probability is negligible.
    if sum.is_finite() { libm::exp(libm::log(sum) - mean) } else { 0.0 }
}

/// Returns the number from 0 to `most` up to which `holds` is true, by bisection.
fn solve(most: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, most);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_matches_published_limits() {
        // Garwood 1936, table; as in E. S. Pearson and H. O. Hartley, Biometrika Tables for
        // Statisticians, table 40.
        for (k, low, high) in [
            (0, 0.0, 3.69),
            (1, 0.0253, 5.57),
            (2, 0.242, 7.22),
            (5, 1.62, 11.67),
            (10, 4.80, 18.39),
            (50, 37.11, 65.92),
        ] {
            let [least, most] = poisson_interval(k);
            assert!((least - low).abs() < 0.006 && (most - high).abs() < 0.006, "{k}: {least} {most}");
        }
    }
}
