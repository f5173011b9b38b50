//! Section 2.2: the ratios of the two fault models, and the inversion numbers; section 3: the
//! information that a message carries.

use crate::{Item, PaperValue, equal, exact};
use faultlab_core::theory::{
    blind_model_log_ratio, inversions_exact, local_bernoulli, local_bernoulli_by_inversions, local_model_ratio_excess,
    local_model_ratio_limit,
};

pub(super) const RATIOS: Item = Item {
    paper: &super::PAPER,
    id: "ratios",
    title: "Section 2.2: both ratio theorems and their rates, and the inversion numbers of equation (3)",
    about: "Both ratios of Model B to Model A tend to 1, as the theorems say. Under Model 1 the rate is the \
            claimed one: the logarithm of the ratio is `-p/(2(1-p)) n^2/2^n`. Under Model 2 the ratio does not \
            converge on the order of `exp(n^5/2^(2n))`, but like `1 + C/2^n` with a constant `C`, which is 1.03 at \
            `p = .5`. `I_n(k)` is compared with a count over all permutations.",
    texts: Vec::new,
    charts: false,
    compare: computed_once!(item => cells(item)),
};

pub(super) const HEADERS: Item = Item {
    paper: &super::PAPER,
    id: "headers",
    title: "Section 3: bits that a message carries, sidetracking and backtracking",
    about: "Sidetracking adds a counter of the hops that are left to the n bits of the destination: no more than n \
            bits from `n = 5` on with paths of at most 5n hops, and from `n = 8` on with 20n. Randomized backtracking \
            carries the nodes that it visited, n bits for each hop; a list of the dimensions crossed would be \
            shorter.",
    texts: Vec::new,
    charts: false,
    compare: |item, _| headers(item),
};

/// Dimensions in which the ratios are shown.
const DIMENSIONS: [u32; 9] = [4, 6, 8, 10, 12, 16, 20, 40, 60];

/// Largest dimension of the tests of limits.
const LAST: u32 = 60;

fn text(n: u32, p: f64, route: &str) -> String {
    format!("net=cube:{n}&faults=nodes:{p}&route={route}")
}

fn cells(item: &Item) -> Vec<PaperValue> {
    let mut cells: Vec<_> = DIMENSIONS.into_iter().flat_map(|n| ratios(item, n)).collect();
    for p in [0.25, 0.5, 0.75] {
        cells.extend(limits(item, p));
    }
    cells.extend(inversion_cells(item));
    cells
}

/// Returns the distances of both ratios from 1 at p = .5, times the rates to compare them with.
fn ratios(item: &Item, n: u32) -> [PaperValue; 4] {
    let (blind, local) = (blind_model_log_ratio(n, 0.5), local_model_ratio_excess(n, 0.5));
    let (nodes, n64) = (two_to_the(n), f64::from(n));
    let row = format!("p=.50, n={n}");
    let cell =
        |route: &str, column: &str, value: f64| exact(item, &text(n, 0.5, route), (&row, column), value, "", true);
    let fifth = n64 * n64 * n64 * n64 * n64;
    [
        cell("random-blind", "p_B^1/p_A^1 - 1", libm::expm1(blind)),
        cell("random-blind", "-ln(p_B^1/p_A^1) over n^2/2^n", -blind * nodes / (n64 * n64)),
        cell("random", "p_B^2/p_A^2 - 1", local),
        cell("random", "(p_B^2/p_A^2 - 1) over n^5/2^(2n)", local * nodes * nodes / fifth),
    ]
}

/// Returns the cells of both theorems and of their rates at the fault rate `p`.
fn limits(item: &Item, p: f64) -> Vec<PaperValue> {
    let row = format!("p={p}");
    let at = |route: &str, column: &str, value: f64, printed: &str, holds: bool| {
        exact(item, &text(LAST, p, route), (&row, column), value, printed, holds)
    };
    let (blind, local) = (growths(|n| blind_model_log_ratio(n, p)), growths(|n| local_model_ratio_excess(n, p)));
    let last = f64::from(LAST);
    let rate = -blind_model_log_ratio(LAST, p) * two_to_the(LAST) / (last * last);
    let mut first = at("random-blind", "-ln(p_B^1/p_A^1) over n^2/2^n at n=60", rate, "", true);
    first.remark = format!("claimed: of this order, so bounded; the limit is p/(2(1-p)) = {:.3}", blind_limit(p));
    let claimed = |n: u32| {
        let n64 = f64::from(n);
        local_model_ratio_excess(n, p).abs() * two_to_the(n) * two_to_the(n) / (n64 * n64 * n64 * n64 * n64)
    };
    let growth = claimed(60) / claimed(40);
    let mut second =
        at("random", "(p_B^2/p_A^2 - 1) over n^5/2^(2n), n=60 to n=40", growth, "1", (growth - 1.0).abs() < 1.0);
    second.remark = "claimed: of this order, so about 1; the factor is that of 2^n/n^5".into();
    let mut cells = vec![
        steps(at("random-blind", "Model 1: steps n to n+1 that do not approach 1", blind, "0", blind == 0.0)),
        steps(at("random", "Model 2: steps n to n+1 that do not approach 1", local, "0", local == 0.0)),
        first,
        second,
    ];
    if p == 0.5 {
        let excess = local_model_ratio_excess(LAST, p) * two_to_the(LAST);
        let mut constant = at("random", "(p_B^2/p_A^2 - 1) 2^n at n=60", excess, "", true);
        constant.remark = format!("the closed form of its limit C is {:.6}", local_model_ratio_limit(p));
        cells.push(constant);
    }
    cells
}

/// Returns the limit of -ln(p_B^1/p_A^1) over n^2/2^n.
fn blind_limit(p: f64) -> f64 {
    p / (2.0 * (1.0 - p))
}

fn steps(mut cell: PaperValue) -> PaperValue {
    cell.remark = format!("n = 20 to {LAST}; the theorem is about the limit");
    cell
}

/// Counts the dimensions from 20 to [`LAST`] in which `distance` is not smaller than in the one before.
fn growths(distance: impl Fn(u32) -> f64) -> f64 {
    (20..LAST).filter(|&n| distance(n + 1).abs() >= distance(n).abs()).count() as f64
}

fn two_to_the(n: u32) -> f64 {
    (1u64 << n) as f64
}

fn inversion_cells(item: &Item) -> Vec<PaperValue> {
    let mut cells = Vec::new();
    for n in 2..=7u32 {
        let counted = counted_inversions(n);
        let wrong = match inversions_exact(n) {
            Some(row) if row.len() == counted.len() => row.iter().zip(&counted).filter(|(a, b)| a != b).count(),
            _ => counted.len(),
        };
        let row = format!("I_n(k), n={n}, by enumeration of all permutations");
        let mut cell = equal(item, &text(n, 0.5, "random"), (&row, "wrong entries"), wrong as f64, 0.0);
        let listed: Vec<_> = counted.iter().map(u128::to_string).collect();
        cell.remark = format!("k = 0 to {}: {}", counted.len() - 1, listed.join(", "));
        cells.push(cell);
    }
    for n in [4, 8, 16, 32, 64] {
        let wrong = [0.1, 0.3, 0.5, 0.7, 0.9].into_iter().filter(|&p| {
            let (sum, product) = (local_bernoulli_by_inversions(n, p), local_bernoulli(n, p));
            (sum / product - 1.0).abs() > 1e-11
        });
        let row = format!("equation (3) with I_n(k) against (6), n={n}");
        let column = "fault rates with another value";
        let mut cell = equal(item, &text(n, 0.5, "random"), (&row, column), wrong.count() as f64, 0.0);
        cell.remark = "of .1, .3, .5, .7 and .9, up to a relative difference of 1e-11".into();
        cells.push(cell);
    }
    cells
}

/// Counts the permutations of `n` elements by their number of inversions. Cost: n! n steps.
fn counted_inversions(n: u32) -> Vec<u128> {
    let mut counts = vec![0; (n * (n - 1) / 2 + 1) as usize];
    // A permutation is built from left to right: an element precedes all smaller ones that follow.
    fn place(left: u32, inversions: usize, counts: &mut [u128]) {
        if left == 0 {
            counts[inversions] += 1;
            return;
        }
        (0..32usize).filter(|element| left >> element & 1 == 1).for_each(|element| {
            let smaller = (left & ((1 << element) - 1)).count_ones() as usize;
            place(left & !(1 << element), inversions + smaller, counts);
        });
    }
    place((1 << n) - 1, 0, &mut counts);
    counts
}

fn headers(item: &Item) -> Vec<PaperValue> {
    let mut cells = Vec::new();
    for (n, mpl) in [(5u32, 5), (10, 5), (20, 5), (8, 20), (10, 20), (20, 20), (64, 20)] {
        let (row, most) = (format!("n={n}, paths of at most {mpl}n hops"), mpl * n);
        let text = format!("net=cube:{n}&faults=nodes:0.5&route=sidetracking,backtracking&mpl={mpl}");
        // The counter has the values 0 to `most`.
        let counter = f64::from(u32::BITS - most.leading_zeros());
        let cell = |column: &str, bits: f64| exact(item, &text, (&row, column), bits, "", true);
        let (column, limit) = ("counter of sidetracking, bits", f64::from(n));
        let mut count = exact(item, &text, (&row, column), counter, &n.to_string(), counter <= limit);
        count.remark = "claimed: O(n), as the destination; here at most n".into();
        cells.push(count);
        cells.push(cell("longest list of nodes of backtracking, bits", f64::from(most * n)));
        let dimension = u32::BITS - (n - 1u32).leading_zeros();
        cells.push(cell("longest list of dimensions, bits", f64::from(most * dimension)));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ratio approaches its limit from below, as n(n-1)/2 approaches n^2/2.
    #[test]
    fn blind_ratio_has_the_claimed_rate() {
        for p in [0.25, 0.5, 0.75] {
            let share = |n: u32| -blind_model_log_ratio(n, p) * two_to_the(n) / f64::from(n * n) / blind_limit(p);
            assert!(share(LAST) > 0.8 && share(LAST) < 1.0, "{p}: {}", share(LAST));
            assert!((20..LAST).all(|n| share(n) < share(n + 1)), "{p}");
        }
    }
}
