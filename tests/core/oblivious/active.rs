//! Tests of fault-free paths, active nodes, and Lemma 1.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::fault::{
    ActiveSet, FaultyNodes, NodeStatus, Tolerance, fault_free_into, fault_free_out, fault_free_through,
};
use faultlab::theory::oblivious::{edge_paths, inactive_of_one_fault, paths_through_node};
use faultlab::topology::NodeId;

use super::naive::{active_a, active_b, is_clear, path};
use super::{cube, faulty_nodes, no_faults, nodes, sample_faults};

fn a(faulty: FaultyNodes) -> ActiveSet {
    ActiveSet::algorithm_a(faulty, Tolerance::Thesis)
}

fn b(faulty: FaultyNodes) -> ActiveSet {
    ActiveSet::algorithm_b(faulty, Tolerance::Thesis).expect("three dimensions")
}

#[test]
fn sweeps_count_what_brute_force_counts() {
    for n in 1..=6 {
        for (seed, p) in [(1, 0.02), (2, 0.1), (3, 0.1), (4, 0.4), (5, 0.8), (6, 1.0)] {
            let faulty = sample_faults(n, p, seed);
            let (out, into, through) = (fault_free_out(&faulty), fault_free_into(&faulty), fault_free_through(&faulty));
            let mut naive_through = vec![0; 1 << n];
            for x in nodes(n) {
                let place = x.0 as usize;
                assert_eq!(out[place] as usize, nodes(n).filter(|&d| is_clear(&faulty, x, d)).count());
                assert_eq!(into[place] as usize, nodes(n).filter(|&s| is_clear(&faulty, s, x)).count());
                for d in nodes(n).filter(|&d| is_clear(&faulty, x, d)) {
                    path(n, x, d).iter().for_each(|node| naive_through[node.0 as usize] += 1);
                }
            }
            assert_eq!(through, naive_through, "n = {n}, seed {seed}");
        }
    }
}

/// Above 12 dimensions the sweeps are processed in blocks.
#[test]
fn sweeps_are_the_same_beyond_one_block() {
    let faulty = sample_faults(14, 0.001, 7);
    let (out, into) = (fault_free_out(&faulty), fault_free_into(&faulty));
    for x in [0, 1, 0x1234, 0x2fff, 0x3fff].map(NodeId) {
        let free_out = nodes(14).filter(|&d| faulty.first_faulty_on_path(x, d).is_none()).count();
        let free_into = nodes(14).filter(|&s| faulty.first_faulty_on_path(s, x).is_none()).count();
        assert_eq!((out[x.0 as usize] as usize, into[x.0 as usize] as usize), (free_out, free_into));
    }
    let sum = |counts: &[u32]| counts.iter().map(|&count| u64::from(count)).sum::<u64>();
    assert_eq!(sum(&out), sum(&into));
}

#[test]
fn active_nodes_are_those_of_the_definition() {
    for n in 3..=7 {
        for (seed, p) in [(1, 0.005), (2, 0.01), (3, 0.02), (4, 0.05), (5, 0.3)] {
            let faulty = sample_faults(n, p, seed);
            let (set_a, set_b) = (a(faulty.clone()), b(faulty.clone()));
            let flags = |set: &ActiveSet| nodes(n).map(|node| set.contains(node)).collect::<Vec<_>>();
            assert_eq!(flags(&set_a), active_a(&faulty), "A, n = {n}, seed {seed}");
            assert_eq!(flags(&set_b), active_b(&faulty), "B, n = {n}, seed {seed}");
            for set in [set_a, set_b] {
                assert_eq!(set.count() as usize, set.iter().count());
                for node in nodes(n) {
                    assert_eq!(set.status(node) == NodeStatus::Active, set.contains(node));
                    assert_eq!(set.status(node) == NodeStatus::Faulty, faulty.contains(node));
                }
            }
        }
    }
}

#[test]
fn golden_numbers_of_active_nodes() {
    for (n, faults, of_a, of_b) in [(6, 1, 36, 16), (8, 1, 225, 144), (10, 2, 900, 672)] {
        let faulty = FaultyNodes::scattered(cube(n), faults).unwrap();
        assert_eq!(faulty.count(), faults);
        assert_eq!((a(faulty.clone()).count(), b(faulty).count()), (of_a, of_b), "n = {n}");
    }
}

#[test]
fn one_fault_lies_on_exactly_as_many_paths_as_lemma_1_says() {
    for n in 1..=12 {
        let fault = 0x0b5d & ((1 << n) - 1);
        assert_eq!(a(faulty_nodes(n, &[fault])).faulty_paths(), paths_through_node(n), "n = {n}");
        assert!(fault_free_through(&no_faults(n)).iter().all(|&paths| paths == paths_through_node(n)));
    }
}

#[test]
fn every_channel_lies_on_half_as_many_paths_as_there_are_nodes() {
    for n in 1..=7 {
        let mut counts = std::collections::BTreeMap::<_, u64>::new();
        for (s, d) in nodes(n).flat_map(|s| nodes(n).map(move |d| (s, d))) {
            faultlab::routing::oblivious::bit_fixing_path(s, d).for_each(|link| *counts.entry(link).or_default() += 1);
        }
        assert_eq!(counts.len(), usize::from(n) << n);
        assert!(counts.values().all(|&count| count == edge_paths(n)), "n = {n}");
    }
}

#[test]
fn single_fault_deactivates_closed_form_count() {
    for n in 1..=14u8 {
        let fault = 0x2aac & ((1u64 << n) - 1);
        assert_eq!((1 << n) - u64::from(a(faulty_nodes(n, &[fault])).count()), inactive_of_one_fault(n), "A, n = {n}");
        if n >= 3 {
            assert_eq!(
                (1 << n) - u64::from(b(faulty_nodes(n, &[fault])).count()),
                4 * inactive_of_one_fault(n - 2),
                "B, n = {n}"
            );
        }
    }
}

#[test]
fn without_faults_all_are_active_and_with_too_many_none() {
    for n in 3..=10 {
        assert_eq!((a(no_faults(n)).count(), b(no_faults(n)).count()), (1 << n, 1 << n));
        let all: Vec<_> = (0..1 << n).collect();
        for set in [a(faulty_nodes(n, &all)), b(faulty_nodes(n, &all))] {
            assert_eq!((set.count(), set.iter().count()), (0, 0));
        }
    }
    assert!(ActiveSet::algorithm_b(no_faults(2), Tolerance::Thesis).is_none());
}

#[test]
fn active_count_grows_with_tolerance() {
    let faulty = sample_faults(8, 0.03, 11);
    let active = |share| ActiveSet::algorithm_a(faulty.clone(), Tolerance::Share(share)).count();
    assert!([0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 1.0].map(active).is_sorted());
    // A faulty node is never active, at any tolerance.
    assert_eq!(active(1.0), 256 - faulty.count());
    assert_eq!(active(f64::NAN), active(0.0));
    for n in 1..=24 {
        let thesis = (1u64 << n) / (3 * u64::from(n));
        assert_eq!(u64::from(Tolerance::Thesis.limit(cube(n))), thesis);
        assert_eq!(u64::from(Tolerance::Share(0.25).limit(cube(n))), (1u64 << n) / 4);
    }
}
