//! Ratio of the two fault models of Gordon & Stout section 2.2: exactly f = floor(p(2^n - 2)) faulty
//! nodes (Model B) over a fault rate p (Model A).
//!
//! Both theorems say that the ratio tends to 1. Its distance from 1 is about 2^-n, far below the
//! rounding error of a quotient of two probabilities. Here the distance itself is computed, as a sum
//! of small terms. All functions take n = 2 to 63 and 0 < p < 1. The number of faults is exact for
//! p >= 2^-11.

use super::closed_form::{blind_bernoulli, inversions, local_bernoulli};

/// Fault rate of an n-cube, with the number of faulty nodes that Model B sets beside it.
struct FaultRate {
    /// Rate p of Model A.
    p: f64,
    /// M = 2^n - 2, the number of nodes that may be faulty.
    others: f64,
    /// p M - f, the part that rounding down removes: 0 to 1.
    rest: f64,
}

impl FaultRate {
    fn new(n: u32, p: f64) -> Self {
        let others = (1u128 << n.clamp(2, 63)) - 2;
        // p 2^64 is an integer for p >= 2^-11, and the product is below 2^128.
        let scaled = (p * (1u128 << 64) as f64) as u128;
        let rest = ((scaled * others) & u128::from(u64::MAX)) as f64 / (1u128 << 64) as f64;
        Self { p, others: others as f64, rest }
    }

    /// Returns the logarithm of the probability in Model B over that in Model A that the first
    /// `live` nodes are live.
    fn live(&self, live: u32) -> f64 {
        // One factor is (M-f-i)/(M-i) over 1-p.
        let factor = |i: f64| (self.rest - self.p * i) / ((1.0 - self.p) * (self.others - i));
        (0..live).map(|i| libm::log1p(factor(f64::from(i)))).sum()
    }
}

/// Section 2.2.1: returns the logarithm of p_B^1(n, f) / p_A^1(n, p), equation (2) over equation (1).
///
/// The logarithm is about -p n^2 / (2 (1-p) 2^n), so the ratio converges to 1 as fast as the paper
/// says, on the order of exp(n^2/2^n). Cost: n steps.
pub fn blind_model_log_ratio(n: u32, p: f64) -> f64 {
    FaultRate::new(n, p).live(n - 1)
}

/// Section 2.2.2: returns p_B^2(n, f) / p_A^2(n, p) - 1, from equations (7) and (3).
///
/// The value is about C/2^n, see [`local_model_ratio_limit`]. It is not a number where
/// Model B leaves too few nodes live for a path, as for n = 20 and p = .999999. Cost: about n^4 / 16
/// additions.
pub fn local_model_ratio_excess(n: u32, p: f64) -> f64 {
    let rate = FaultRate::new(n, p);
    let path = f64::from(n - 1);
    let blind = blind_bernoulli(n, p);
    // `log` is the logarithm of the ratio of the terms with k faults beside the path.
    let (mut log, mut chance, mut sum) = (rate.live(n - 1), blind / local_bernoulli(n, p), 0.0);
    let faults = p * rate.others - rate.rest;
    for (count, k) in inversions(n).into_iter().zip(0u32..) {
        let k = f64::from(k);
        if k > faults + 0.5 {
            // Model B has too few faults: the term is missing.
            sum -= count * chance;
        } else {
            sum += count * chance * libm::expm1(log);
        }
        // The next factor is (f-k)/(M-(n-1)-k) over p.
        let factor = (p * path - rate.rest - (1.0 - p) * k) / (p * (rate.others - path - k));
        log += libm::log1p(factor);
        chance *= p;
    }
    sum
}

/// Returns the limit C of 2^n (p_B^2(n, f) / p_A^2(n, p) - 1) for large n, if p(2^n - 2) is an integer.
///
/// To first order in 2^-n, the excess is a quadratic polynomial in the number of faults k beside the
/// path, averaged over the distribution I_n(k) p^k of Model A. The terms in n^2 and n cancel, and C =
/// A - p/(1-p) - (1-p)/(2p) (A^2 + A - B) remains, with A the sum of m p^m/(1-p^m) and B the sum of m^2
/// p^m/(1-p^m)^2 over all m from 1 on. This formula is not in the paper, which claims exp(n^5/2^(2n)).
pub fn local_model_ratio_limit(p: f64) -> f64 {
    let (mut a, mut b, mut power, mut m) = (0.0, 0.0, p, 1.0);
    while m * m * power > 1e-17 && m < 1e5 {
        a += m * power / (1.0 - power);
        b += m * m * power / ((1.0 - power) * (1.0 - power));
        power *= p;
        m += 1.0;
    }
    a - p / (1.0 - p) - (1.0 - p) / (2.0 * p) * (a * a + a - b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::{blind_counted, local_counted};

    #[test]
    fn ratios_equal_quotients_of_closed_forms_in_small_cubes() {
        for (n, p) in [(4, 0.5), (6, 0.3), (8, 0.7), (10, 0.5), (5, 0.9)] {
            let others = (1u64 << n) - 2;
            let f = libm::floor(p * others as f64) as u64;
            let blind = blind_counted(others, n, f) / blind_bernoulli(n, p);
            assert!((libm::exp(blind_model_log_ratio(n, p)) - blind).abs() < 1e-12, "n = {n}");
            let local = local_counted(others, n, f) / local_bernoulli(n, p);
            assert!((local_model_ratio_excess(n, p) - (local - 1.0)).abs() < 1e-12, "n = {n}");
        }
    }

    /// Model B leaves two of 2^20 - 2 nodes live for p = .999999. A path of 20 hops needs 19.
    #[test]
    fn excess_needs_enough_live_nodes() {
        assert!(local_model_ratio_excess(20, 0.999999).is_nan());
        assert!(local_model_ratio_excess(63, 0.99999).abs() < 1e-10);
    }

    /// Exact fractions of another program: 1.0139, 1.00369, 1.000966 and 1.000247.
    #[test]
    fn ratios_equal_exact_fractions() {
        for (n, excess) in [(6, 0.0139), (8, 0.00369), (10, 0.000966), (12, 0.000247)] {
            assert!((local_model_ratio_excess(n, 0.5) / excess - 1.0).abs() < 0.005, "n = {n}");
        }
        assert!((blind_model_log_ratio(10, 0.5) + 0.0355).abs() < 0.0005);
    }

    #[test]
    fn the_second_ratio_converges_like_2_to_the_minus_n() {
        for p in [0.25, 0.5, 0.75] {
            let at = |n: u32| local_model_ratio_excess(n, p) * (1u64 << n) as f64;
            let limit = local_model_ratio_limit(p);
            // p(2^n - 2) has the remainder 1/2 for p = 1/4 and 3/4, and 0 for p = 1/2.
            let rest = if p == 0.5 { 0.0 } else { 0.5 };
            let a: f64 =
                (1..400).map(|m| f64::from(m) * libm::pow(p, f64::from(m)) / (1.0 - libm::pow(p, f64::from(m)))).sum();
            let expected = limit + rest * (a / p - 1.0 / (1.0 - p));
            // For p = 3/4, terms of the order of n^2 p^n remain.
            assert!((at(60) / expected - 1.0).abs() < 1e-4, "{p}: {} {expected}", at(60));
        }
    }
}
