//! Tests of dependency cycles of worm routing on hypercubes.

use faultlab::fault::{BlockFaults, FaultyNodes, Tolerance};
use faultlab::routing;
use faultlab::theory::{MeshDependencies, oblivious};

use super::{cube, faults, generator, random_faults, worm};

fn is_acyclic(id: &str, faults: &BlockFaults) -> bool {
    MeshDependencies::build(faults, worm(id)).expect("a small cube").graph().acyclic_order().is_ok()
}

#[test]
fn proved_routings_are_acyclic_with_one_class() {
    // Chiu, Chalasani & Raghavendra, Theorem 1 and its extensions; the thesis's channel order of
    // Figure 3-7; any order of dimensions.
    let free = ["e-cube", "up", "dp", "restricted-up", "bit-fixing", "algorithm-b", "kim-shin"];
    for n in [3, 4, 5] {
        assert!(is_acyclic("deterministic", &faults(n, &[], &[])));
        let hierarchy = format!("{}e+2f", n - 2);
        for id in free.into_iter().chain([hierarchy.as_str(), "deterministic-blind"]) {
            assert!(is_acyclic(id, &faults(n, &[], &[])), "{id} {n}");
            let mut generator = generator(u64::from(n));
            for _ in 0..6 {
                assert!(is_acyclic(id, &random_faults(n, 2, 2, &mut generator)), "{id} {n}");
            }
        }
    }
}

#[test]
fn deadlocking_routings_are_cyclic() {
    for n in [3, 4] {
        for id in ["minimal", "up-dp-mix", "random", "sidetracking", "valiant-brebner", "general", "algorithm-a"] {
            assert!(!is_acyclic(id, &faults(n, &[], &[])), "{id} {n}");
        }
    }
}

#[test]
fn deterministic_routing_is_cyclic_with_faults() {
    // Deterministic routing takes the highest wrong bit that leads to a live node. The order of
    // dimensions is not descending if a skipped dimension comes later.
    let mut generator = generator(9);
    let cyclic = (0..20).filter(|_| !is_acyclic("deterministic", &random_faults(4, 2, 0, &mut generator))).count();
    assert!(cyclic > 0);
}

#[test]
fn algorithm_a_turns_back_at_its_intermediate_node() {
    // The two phases of the thesis's route turn back on the two channels of an edge: the shortest
    // cycle.
    let none = faults(3, &[], &[]);
    for id in ["algorithm-a", "valiant-brebner"] {
        let built = MeshDependencies::build(&none, worm(id)).expect("a small cube");
        let cycle = built.graph().acyclic_order().expect_err("a cycle");
        assert_eq!(cycle.channels.len(), 2, "{id}");
    }
}

#[test]
fn worm_dependencies_are_those_of_permutation_routes() {
    // Routes of permutations continue to their end, worms stop at their destination. Bit-fixing
    // reaches the destination only at the end; Kim & Shin's routes may pass it earlier.
    for (id, equal) in [("bit-fixing", true), ("kim-shin", false)] {
        let none = FaultyNodes::empty(cube(4)).expect("a small cube");
        let algorithm = routing::find(id).expect("an algorithm");
        let scheme = algorithm.oblivious().expect("oblivious");
        let built = (scheme.build)(none, Tolerance::Thesis).expect("it applies");
        let whole = oblivious::oblivious_dependencies(built.as_ref()).expect("a small cube").dependencies();
        let worms =
            MeshDependencies::build(&faults(4, &[], &[]), worm(id)).expect("a small cube").graph().dependencies();
        assert!(if equal { worms == whole } else { worms < whole }, "{id}: {worms} {whole}");
    }
}
