//! Tests of active-node counts without routes, and of the number of faults that leaves half of the
//! nodes active.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::activity::{ActiveRule, Activity, faults_to_half};
use faultlab::experiment::{Experiment, PermutationInstance};
use faultlab::fault::Tolerance;
use faultlab::topology::Hypercube;

fn activity(text: &str) -> Activity {
    Activity::from_experiment(&text.parse::<Experiment>().expect("an experiment")).expect("a cube")
}

#[test]
fn counts_agree_with_permutation_experiments() {
    let text = "net=cube:12&switch=permutation&faults=count:9&seed=5&route=algorithm-a,algorithm-b";
    let instance = PermutationInstance::new(&text.parse().unwrap()).unwrap();
    let found = activity(text);
    assert_eq!(found.faults, 9);
    for (one, series) in found.rules.iter().zip(&instance.series) {
        let trial = series.trial.as_ref().unwrap();
        let set = trial.routing.active_set().unwrap();
        assert_eq!((u64::from(one.active), one.limit), (trial.active_count(), set.limit()), "{:?}", one.rule);
        assert_eq!(one.faulty_paths, set.faulty_paths());
    }
}

/// Closed form for a single fault, in a cube larger than those with routes. Under Algorithm A the
/// fault makes 2^(H+1) - 2^max(0, 2H-n) nodes inactive, where H is the largest h with 2^h < 3n.
/// Under Algorithm B, the fault makes four times the value for n - 2 inactive.
#[test]
fn a_single_fault_leaves_what_the_closed_form_says_in_the_22_cube() {
    let found = activity("net=cube:22&faults=none&break=12345");
    let inactive = |n: u32| {
        let most = (0..).take_while(|h: &u32| 1u32 << h < 3 * n).last().unwrap();
        (2u32 << most) - (1 << (2 * most).saturating_sub(n))
    };
    let nodes = 1 << 22;
    assert_eq!(
        found.rules.iter().map(|one| one.active).collect::<Vec<_>>(),
        [nodes - inactive(22), nodes - 4 * inactive(20)]
    );
    assert_eq!(found.rules[0].faulty_paths, 24 * nodes as u64 / 2);
}

#[test]
fn faults_to_half_is_independent_of_guess() {
    let half =
        |n, rule, trial, guess| faults_to_half(Hypercube::new(n).unwrap(), rule, Tolerance::Thesis, 7, trial, guess);
    for trial in 0..8 {
        // A single fault leaves 4 of 16, 18 of 32 and 36 of 64 nodes active. Two faults leave at
        // most 8 of 32 and 16 of 64.
        for (n, rule, expected) in [
            (4, ActiveRule::A, 1),
            (5, ActiveRule::A, 2),
            (6, ActiveRule::A, 2),
            (6, ActiveRule::B, 1),
            (3, ActiveRule::A, 1),
        ] {
            assert_eq!(half(n, rule, trial, None), Some(expected), "n = {n}");
        }
        let found = half(10, ActiveRule::A, trial, None).unwrap();
        assert!((5..14).contains(&found), "{found}");
        for guess in [1, 7, found, found + 1, 900, 5000] {
            assert_eq!(half(10, ActiveRule::A, trial, Some(guess)), Some(found), "guess {guess}");
        }
    }
    assert_eq!((half(2, ActiveRule::B, 0, None), half(25, ActiveRule::A, 0, None)), (None, None));
}

#[test]
fn rejects_meshes_and_large_cubes() {
    for (text, part) in
        [("net=cube:25&faults=none", "24 dimensions"), ("switch=wormhole&net=mesh:4x4&faults=none", "mesh:4x4")]
    {
        let problem = Activity::from_experiment(&text.parse().unwrap()).expect_err("refused");
        assert!(problem.key == "net" && problem.reason.contains(part), "{problem:?}");
    }
}
