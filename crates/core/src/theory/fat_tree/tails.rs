//! Bounds on probabilities of Greenberg & Leiserson section 4: Lemmas 3, 4 and 5, and the bad cycles
//! of Lemma 7's proof.

use std::f64::consts::E;

/// Returns B(s, t, p), the probability of at least `s` successes in `t` independent trials, each with
/// probability `p` of success (0 to 1). Cost: t steps.
pub fn binomial_tail(s: u32, t: u32, p: f64) -> f64 {
    if s == 0 || p >= 1.0 {
        return f64::from(u8::from(s <= t));
    }
    // The term of k successes is C(t, k) p^k (1-p)^(t-k); logarithms do not overflow.
    let (trials, miss) = (f64::from(t), libm::log1p(-p));
    let (mut choices, mut sum) = (0.0, 0.0);
    for k in 0..=t {
        let hits = f64::from(k);
        if k >= s && p > 0.0 {
            sum += libm::exp(choices + hits * libm::log(p) + (trials - hits) * miss);
        }
        choices += libm::log((trials - hits).max(1.0)) - libm::log(hits + 1.0);
    }
    sum.min(1.0)
}

/// Lemma 3: returns (e p t/s)^s, an upper bound on [`binomial_tail`] for `s` of at least 1.
///
/// The bound is at least e times the tail: it is exactly that for s = t = 1.
pub fn lemma_3_bound(s: u32, t: u32, p: f64) -> f64 {
    libm::pow(E * p * f64::from(t) / f64::from(s), f64::from(s))
}

/// Lemma 4: returns the upper bound 1 - (mean-w)/(b-w) on the probability that a random variable of at
/// most `b` with this `mean` is at most `w`, for w < mean <= b.
///
/// A variable that is either w or b attains the bound.
pub fn lemma_4_bound(b: f64, mean: f64, w: f64) -> f64 {
    1.0 - (mean - w) / (b - w)
}

/// Returns the probability that a p-subset congests a channel, given that it contains one of the
/// `load` messages that cross the channel.
///
/// At least `capacity` of the other messages are then in the subset as well.
pub fn congestion_probability(capacity: u32, load: u32, p: f64) -> f64 {
    binomial_tail(capacity, load.saturating_sub(1), p)
}

/// Lemma 5: returns (e p lambda)^capacity, an upper bound on [`congestion_probability`] for messages
/// with load factor `lambda`.
pub fn lemma_5_bound(capacity: u32, lambda: f64, p: f64) -> f64 {
    libm::pow(E * p * lambda, f64::from(capacity))
}

/// Lemma 7, the first step of its proof: returns 1 - 1/(8r-1), an upper bound on the probability that a
/// cycle is bad, for a congestion parameter `r` above 1/4.
///
/// A cycle is good for a channel if at least cap/8r of its messages arrive. More than cap/4r are
/// expected while half of its load is left, and at most cap can arrive, so Lemma 4 applies.
pub fn bad_cycle_bound(r: f64) -> f64 {
    1.0 - 1.0 / (8.0 * r - 1.0)
}

/// Theorem 8, the remark after its proof: returns the constant k2 = 12(k+2)r, with which RANDOM succeeds
/// with probability 1 - O(1/n^k).
pub fn random_constant_k2(k: u32, r: f64) -> f64 {
    12.0 * (f64::from(k) + 2.0) * r
}

/// Returns the upper bound of the proof of Theorem 8 on the probability that TRY-GUESS fails with a
/// sufficient `guess`, on `n` processors with the constant [`random_constant_k2`] of `k`.
///
/// A channel fails to halve its load with probability at most 2^(-z/12r) for z = k2 lg n p-subsets,
/// which is n^-(k+2). There are 4n-2 channels and lg(guess) rounds.
pub fn random_failure_bound(n: u32, k: u32, guess: f64) -> f64 {
    let n = f64::from(n);
    libm::log2(guess) * (4.0 * n - 2.0) * libm::pow(n, -(f64::from(k) + 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_match_hand_counts() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        near(binomial_tail(2, 3, 0.5), 0.5);
        near(binomial_tail(1, 4, 0.25), 1.0 - 0.75 * 0.75 * 0.75 * 0.75);
        near(binomial_tail(5, 5, 0.3), 0.3 * 0.3 * 0.3 * 0.3 * 0.3);
        assert_eq!([binomial_tail(0, 4, 0.1), binomial_tail(5, 4, 0.1), binomial_tail(3, 4, 1.0)], [1.0, 0.0, 1.0]);
        assert_eq!([binomial_tail(5, 4, 1.0), binomial_tail(1, 4, 0.0)], [0.0, 0.0]);
    }

    /// The tail by enumeration of all 2^t outcomes.
    #[test]
    fn tails_match_enumeration() {
        for (t, p) in [(6u32, 0.2), (9, 0.7)] {
            for s in 0..=t {
                let of = |set: u32| {
                    let hits = set.count_ones();
                    (0..hits).fold(1.0, |all, _| all * p) * (hits..t).fold(1.0, |all, _| all * (1.0 - p))
                };
                let sum: f64 = (0..1u32 << t).filter(|set| set.count_ones() >= s).map(of).sum();
                assert!((binomial_tail(s, t, p) - sum).abs() < 1e-12, "{s} of {t}");
            }
        }
    }

    #[test]
    fn a_variable_with_two_values_attains_lemma_4() {
        let (b, w, chance) = (10.0, 3.0, 0.3);
        let mean = chance * w + (1.0 - chance) * b;
        assert!((lemma_4_bound(b, mean, w) - chance).abs() < 1e-12);
        let r = 24.2;
        assert!((lemma_4_bound(1.0, 0.25 / r, 0.125 / r) - bad_cycle_bound(r)).abs() < 1e-12);
    }
}
