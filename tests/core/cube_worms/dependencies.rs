//! Which schemes close a circle of channels that wait for each other.

use faultlab::fault::{BlockFaults, FaultyNodes, Tolerance};
use faultlab::routing;
use faultlab::theory::{MeshDependencies, oblivious};

use super::{cube, faults, generator, random_faults, worm};

fn is_acyclic(id: &str, faults: &BlockFaults) -> bool {
    MeshDependencies::build(faults, worm(id)).expect("a small cube").graph().acyclic_order().is_ok()
}

#[test]
fn what_the_papers_prove_free_of_deadlock_is_acyclic_with_one_class() {
    // Theorem 1 of Chiu, Chalasani & Raghavendra and its extensions; the order of channels of the thesis, figure 3-7; any order
    // of dimensions.
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
fn what_deadlocks_is_cyclic() {
    for n in [3, 4] {
        for id in ["minimal", "up-dp-mix", "random", "sidetracking", "valiant-brebner", "general", "algorithm-a"] {
            assert!(!is_acyclic(id, &faults(n, &[], &[])), "{id} {n}");
        }
    }
}

#[test]
fn passing_over_faults_breaks_the_order_of_dimensions() {
    // The highest wrong bit that leads to a live node: no longer descending where that of a faulty one comes later.
    let mut generator = generator(9);
    let cyclic = (0..20).filter(|_| !is_acyclic("deterministic", &random_faults(4, 2, 0, &mut generator))).count();
    assert!(cyclic > 0);
}

#[test]
fn algorithm_a_turns_back_at_its_intermediate_node() {
    // The shortest cycle of the thesis' first phase and second phase on the same channels: two channels of one edge.
    let none = faults(3, &[], &[]);
    for id in ["algorithm-a", "valiant-brebner"] {
        let built = MeshDependencies::build(&none, worm(id)).expect("a small cube");
        let cycle = built.graph().acyclic_order().expect_err("a cycle");
        assert_eq!(cycle.channels.len(), 2, "{id}");
    }
}

#[test]
fn worms_depend_on_what_routes_of_permutations_depend_on() {
    // Routes of permutations go on to their end, worms stop where they meet their destination: bit-fixing only meets it there,
    // Kim & Shin's may come by.
    for (id, equal) in [("bit-fixing", true), ("kim-shin", false)] {
        let none = FaultyNodes::none(cube(4)).expect("a small cube");
        let algorithm = routing::find(id).expect("an algorithm");
        let scheme = algorithm.oblivious().expect("oblivious");
        let built = (scheme.build)(none, Tolerance::Thesis).expect("it applies");
        let whole = oblivious::oblivious_dependencies(built.as_ref()).expect("a small cube").dependencies();
        let worms =
            MeshDependencies::build(&faults(4, &[], &[]), worm(id)).expect("a small cube").graph().dependencies();
        assert!(if equal { worms == whole } else { worms < whole }, "{id}: {worms} {whole}");
    }
}
