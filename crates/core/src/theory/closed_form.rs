//! Closed forms of Gordon & Stout section 2.2: the probability that a minimal path is found among
//! random faults.
//!
//! The paper takes source and destination at distance n in the n-cube. The proofs do not need this
//! assumption: a minimal path at distance d stays in the d-cube between the ends. Here d therefore
//! replaces the paper's n, and the number of other nodes, M = 2^n - 2 in an n-cube, is a separate
//! parameter. All functions take 1 <= d <= 64 and 0 <= p <= 1, and return a probability; d = 0
//! counts as delivered.

/// Largest distance, that of antipodes in the largest cube.
const MAX_DISTANCE: u32 = 64;

/// Equation (1): returns (1-p)^(d-1), without local information, each node faulty with probability
/// `p`.
pub fn blind_bernoulli(d: u32, p: f64) -> f64 {
    (1..d).fold(1.0, |product, _| product * (1.0 - p))
}

/// Equation (2): returns the probability without local information when exactly `f` of the `others`
/// are faulty.
///
/// The probability is C(M-(d-1), f) / C(M, f), the probability that d-1 given nodes are live,
/// written as a product of d-1 ratios, which neither overflow nor cancel.
pub fn blind_counted(others: u64, d: u32, f: u64) -> f64 {
    let live = others.saturating_sub(f);
    let ratio = |i: u64| live.saturating_sub(i) as f64 / others.saturating_sub(i).max(1) as f64;
    (0..u64::from(d.saturating_sub(1))).map(ratio).product()
}

/// Equations (3) to (6): returns the probability with local information, each node faulty with
/// probability `p`, in the form (6): (1-p^2)(1-p^3)...(1-p^d).
pub fn local_bernoulli(d: u32, p: f64) -> f64 {
    let mut power = p;
    (2..=d).fold(1.0, |product, _| {
        power *= p;
        product * (1.0 - power)
    })
}

/// Returns the probability of [`local_bernoulli`] in the form (3): (1-p)^(d-1) times the sum of
/// I_d(k) p^k over the numbers k of inversions.
///
/// `d` is at most 64. The function serves for comparison with (6). Cost: about d^4 / 16 additions.
pub fn local_bernoulli_by_inversions(d: u32, p: f64) -> f64 {
    // Horner's rule begins with the highest power.
    let sum = inversions(d).iter().rev().fold(0.0, |sum, count| sum * p + count);
    blind_bernoulli(d, p) * sum
}

/// Equation (7): returns the probability with local information when exactly `f` of the `others`
/// are faulty, for d up to 64.
///
/// The probability is the sum over k of I_d(k) C(M-(d-1)-k, f-k) / C(M, f). The quotient of
/// binomials is t_k, where t_0 is equation (2) and t_(k+1) = t_k (f-k) / (M-(d-1)-k). Logarithms
/// are not needed: I_d(k) is at most 64! < 1.3e89, which fits an `f64`. The t_k are at most 1;
/// those that underflow are below 1e-307 and together contribute less than 1e-215. Cost: about d^4
/// / 16 additions, half a millisecond for d = 64.
pub fn local_counted(others: u64, d: u32, f: u64) -> f64 {
    let path = u64::from(d.saturating_sub(1));
    let mut term = blind_counted(others, d, f);
    let mut sum = 0.0;
    for (count, k) in inversions(d).iter().zip(0..=f) {
        sum += count * term;
        // The factor is positive for k < f if the term is positive, because then f + path <= M.
        term *= (f - k) as f64 / others.saturating_sub(path + k).max(1) as f64;
    }
    sum
}

/// Returns the limit of equations (3) to (7) as n grows at a constant fault rate `p` (the paper's
/// Figure 1): the product of 1-p^k over all k from 2 on.
pub fn local_limit(p: f64) -> f64 {
    let (mut product, mut power) = (1.0, p * p);
    // Once `power` is below 1e-18, all remaining factors round to 1. A product of 0 stays 0.
    while power > 1e-18 && product > 0.0 {
        product *= 1.0 - power;
        power *= p;
    }
    product
}

/// Returns I_n(k), the number of permutations of `n` elements with k inversions, for k = 0 to
/// n(n-1)/2 (Knuth, vol. 3, 5.1.1).
///
/// `None` above n = 64, and if an entry does not fit, which happens from n = 36 on.
pub fn inversions_exact(n: u32) -> Option<Vec<u128>> {
    let mut row = vec![1u128];
    for size in 2..=n {
        row = next_row(&row, size, |window| window.iter().try_fold(0u128, |sum, &count| sum.checked_add(count)))?;
    }
    (n <= MAX_DISTANCE).then_some(row)
}

/// Returns the numbers I_n(k) of [`inversions_exact`], rounded with a relative error of about
/// 1e-15. Any `n` above 64 counts as 64.
///
/// Every entry is a sum of positive terms, so there is no cancellation.
pub fn inversions(n: u32) -> Vec<f64> {
    let mut row = vec![1.0];
    for size in 2..=n.min(MAX_DISTANCE) {
        row = next_row(&row, size, |window| Some(window.iter().sum())).unwrap_or_default();
    }
    row
}

/// Computes the row of `n` elements from the row of n-1 elements.
///
/// The new largest element precedes 0 to n-1 others, so I_n(k) = I_(n-1)(k) + ... + I_(n-1)(k-n+1).
/// The second half mirrors the first.
fn next_row<T: Copy>(row: &[T], n: u32, sum: impl Fn(&[T]) -> Option<T>) -> Option<Vec<T>> {
    let n = n as usize;
    let length = row.len() + n - 1;
    let window = |k: usize| &row[(k + 1).saturating_sub(n)..row.len().min(k + 1)];
    let mut next: Vec<T> = (0..length.div_ceil(2)).map(|k| sum(window(k))).collect::<Option<_>>()?;
    let mirrored: Vec<T> = next[..length / 2].iter().rev().copied().collect();
    next.extend(mirrored);
    Some(next)
}
