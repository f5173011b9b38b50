//! Tests that every exercise has the described flaw and that its solution does not.

use faultlab::experiment::refute::is_solved;
use faultlab::experiment::{Experiment, PointConfig};
use faultlab::fault::BlockFaults;
use faultlab::routing::rules::{EXERCISES, Exercise};
use faultlab::theory::{DeliveryOutcomes, ExtendedDependencies, MeshDependencies};

use super::{first_routing, worm_routing};

/// Returns whether cyclic waits are impossible, and which messages arrive.
fn checked(text: &str, faults: &BlockFaults) -> (bool, DeliveryOutcomes) {
    let routing = worm_routing(&first_routing(text));
    assert!(routing.check_network(faults.mesh()).is_ok());
    let all = MeshDependencies::build(faults, &*routing).expect("a small network");
    let escapes =
        || ExtendedDependencies::build(faults, &*routing).is_some_and(|found| found.graph().acyclic_order().is_ok());
    (all.graph().acyclic_order().is_ok() || escapes(), all.arrivals())
}

fn faults_of(exercise: &Exercise) -> BlockFaults {
    let experiment: Experiment = exercise.experiment.parse().expect("an experiment");
    (*PointConfig::new(&experiment, None).blocks(0).expect("faults")).clone()
}

#[test]
fn flawed_rules_fail_and_solutions_hold() {
    assert!(EXERCISES.len() >= 5);
    for exercise in EXERCISES {
        let faults = faults_of(exercise);
        let ((flawed_safe, flawed), (mended_safe, mended)) =
            (checked(exercise.flawed, &faults), checked(exercise.corrected, &faults));
        let name = exercise.name;
        // A solution that claims safety has no cyclic wait, neither with the exercise's faults nor
        // without faults.
        let first = exercise.corrected.lines().next().unwrap_or_default();
        let is_claimed = first.starts_with("# Safe without faults") || first.starts_with("# Never a deadlock");
        assert!(is_claimed || name == "circling", "{name}");
        if is_claimed {
            assert!(mended_safe && checked(exercise.corrected, &BlockFaults::new(faults.mesh(), &[], &[])).0, "{name}");
        }
        match name {
            "circling" => {
                assert!(flawed.livelocked > 0 && mended.livelocked == 0 && mended.lost == 0, "{flawed:?} {mended:?}")
            }
            "border" => {
                // No message from the northern border leaves it: 5 sources with 24 destinations
                // each.
                assert_eq!((flawed.lost, flawed.pairs, mended.lost), (120, 600, 0));
                assert!(flawed_safe && mended_safe && mended.livelocked == 0);
            }
            _ => assert!(!flawed_safe && mended_safe, "{name}: {flawed_safe} {mended_safe}"),
        }
        assert!(mended.livelocked == 0, "{name}");
    }
}

#[test]
fn is_solved_accepts_solutions_only() {
    for exercise in EXERCISES {
        let solves = |rules: &str| {
            let experiment = Experiment::with_rules(exercise.experiment, rules).expect("an experiment");
            is_solved(&experiment, exercise)
        };
        let name = exercise.name;
        assert!(!solves(exercise.flawed) && solves(exercise.corrected), "{name}");
        assert!(!solves("routing none on mesh, torus, cube always take nothing"), "{name}");
    }
}
