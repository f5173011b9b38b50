//! Tests of the closed forms of Gordon & Stout, section 2.2, against published values, each other
//! and brute force.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::theory::{
    bernoulli_mixture, blind_bernoulli, blind_counted, inversions, inversions_exact, local_bernoulli,
    local_bernoulli_by_inversions, local_counted, local_limit,
};

use crate::common::assert_close;

/// Returns, for each number of faults, the share of fault sets of the n-cube in which a message
/// from node 0 reaches the last node. It corrects the highest wrong bit first; with `informed` it
/// skips faulty neighbours. Shares no code with the library.
fn brute_force(n: u32, informed: bool) -> Vec<f64> {
    let nodes = 1u32 << n;
    let arrives = |faults: u64| {
        let faulty = |node: u32| faults >> node & 1 == 1;
        let mut here = 0;
        while here != nodes - 1 {
            let wrong = (0..n).rev().map(|dim| 1 << dim).filter(|bit| here & bit == 0);
            match wrong.map(|bit| here | bit).find(|&next| !informed || !faulty(next)) {
                Some(next) if !faulty(next) => here = next,
                _ => return false,
            }
        }
        true
    };
    let mut counts = vec![(0u32, 0u32); nodes as usize - 1];
    for faults in (0..1u64 << (nodes - 1)).step_by(2) {
        let (hits, sets) = &mut counts[faults.count_ones() as usize];
        *hits += u32::from(arrives(faults));
        *sets += 1;
    }
    counts.into_iter().map(|(hits, sets)| f64::from(hits) / f64::from(sets)).collect()
}

#[test]
fn closed_forms_are_what_brute_force_counts() {
    for n in 2..=4 {
        let others = (1u64 << n) - 2;
        let (blind, local) = (brute_force(n, false), brute_force(n, true));
        for f in 0..=others {
            assert_close(blind_counted(others, n, f), blind[f as usize], 1e-14);
            assert_close(local_counted(others, n, f), local[f as usize], 1e-14);
        }
        for p in [0.0, 0.1, 0.5, 0.77, 1.0] {
            assert_close(blind_bernoulli(n, p), bernoulli_mixture(&blind, p), 1e-14);
            assert_close(local_bernoulli(n, p), bernoulli_mixture(&local, p), 1e-14);
        }
    }
}

#[test]
fn closed_forms_give_published_values() {
    assert_close(local_limit(0.5), 0.577_576_190_173, 1e-12);
    assert_close(local_counted(126, 7, 60), 0.631_986_119_419, 1e-12);
    // Table 2, column p_A^2 at n = 20. The paper simulated it, so the values have the error of
    // 9,604 trials.
    for (p, percent) in [(0.5, 58.0), (0.55, 46.9), (0.6, 35.8), (0.65, 23.9), (0.7, 14.0), (0.75, 6.2), (0.8, 1.8)] {
        assert_close(100.0 * local_bernoulli(20, p), percent, 1.6);
    }
}

#[test]
fn both_forms_of_the_local_probability_agree() {
    for n in [1, 2, 3, 7, 20, 34, 40, 64] {
        for p in [0.0, 0.01, 0.3, 0.5, 0.9, 0.99] {
            let (product, sum) = (local_bernoulli(n, p), local_bernoulli_by_inversions(n, p));
            assert_close(sum / product, 1.0, 1e-12);
        }
        assert_close(local_bernoulli(n, 1.0), if n == 1 { 1.0 } else { 0.0 }, 0.0);
    }
}

#[test]
fn inversion_counts_are_exact_where_they_fit() {
    assert_eq!(inversions_exact(4).unwrap(), [1, 3, 5, 6, 5, 3, 1]);
    let largest = |n| inversions_exact(n).unwrap().into_iter().max().unwrap();
    assert!(largest(19) < 1 << 53 && largest(20) > 1 << 53, "pass 2^53 at n = 20");
    assert!(largest(21) < 1 << 64 && largest(22) > 1 << 64, "pass 2^64 at n = 22");
    let factorial = (1..=34u128).product::<u128>();
    assert_eq!(inversions_exact(34).unwrap().iter().sum::<u128>(), factorial);
    assert!(inversions_exact(35).is_some() && inversions_exact(36).is_none());
}

#[test]
fn rounded_inversion_counts_follow_the_exact_ones() {
    for n in [1, 2, 5, 20, 35] {
        let (exact, rounded) = (inversions_exact(n).unwrap(), inversions(n));
        assert_eq!(exact.len(), rounded.len());
        for (exact, rounded) in exact.into_iter().zip(rounded) {
            assert_close(rounded / exact as f64, 1.0, 1e-14);
        }
    }
    let factorial = (1..=64).map(f64::from).product::<f64>();
    assert_close(inversions(64).iter().sum::<f64>() / factorial, 1.0, 1e-13);
    assert_eq!(inversions(64).len(), 64 * 63 / 2 + 1);
}

#[test]
fn the_largest_cube_has_finite_probabilities() {
    let others = u64::MAX - 1;
    for p in [0.0, 0.3, 0.5, 0.9] {
        let f = (p * others as f64) as u64;
        assert_close(blind_counted(others, 64, f), blind_bernoulli(64, p), 1e-12);
        assert_close(local_counted(others, 64, f), local_bernoulli(64, p), 1e-12);
    }
    for f in [others, others - 1, others - 62, others - 63, others - 1000] {
        let value = local_counted(others, 64, f);
        assert!((0.0..1e-200).contains(&value), "{value}");
    }
    assert_eq!(local_counted(0, 1, 0), 1.0);
    assert_eq!(local_counted(others, 1, others), 1.0);
}

/// Erratum: the paper claims that p_B^2 / p_A^2 tends to 1 "on the order of exp(n^5 / 2^2n)". The
/// ratio converges like 2^-n: its distance from 1 halves with each dimension.
#[test]
fn the_ratio_of_the_models_converges_like_two_to_the_minus_n() {
    let distance = |n: u32| {
        let others = (1u64 << n) - 2;
        (local_counted(others, n, others / 2) / local_bernoulli(n, 0.5) - 1.0).abs()
    };
    for n in 14..30 {
        assert_close(distance(n) / distance(n + 1), 2.0, 0.02);
    }
}

/// The limit is 0 if every node is faulty and 1 if none is.
#[test]
fn limit_is_0_and_1_at_the_ends() {
    assert_eq!((local_limit(1.0), local_limit(0.0)), (0.0, 1.0));
}
