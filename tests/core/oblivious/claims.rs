//! The lemmas and theorems on instances.

use faultlab::fault::{Adversary, FaultyNodes, Tolerance};
use faultlab::random::Key;
use faultlab::routing::oblivious::{AlgorithmB, ObliviousRouting};
use faultlab::switching::StaticPaths;
use faultlab::theory::oblivious::{
    Claim, ExpectedCongestion, Side, Statement, lemma_2_faults, oblivious_claims, theorem_3_faults,
};
use faultlab::topology::NodeId;
use faultlab::traffic::{Permutation, Relation};

use super::{cube, nodes, none, scheme};

fn claims(routing: &dyn ObliviousRouting, permutation: Permutation, exact: bool) -> Vec<Claim> {
    let active = nodes(routing.cube().dimension()).filter(|&node| routing.is_active(node));
    let messages = Relation::new(routing.cube(), permutation, 1, active, Key::from_seed(1)).expect("nodes of the cube");
    let paths = StaticPaths::of(routing, &messages, Key::from_seed(2)).expect("at most 20 dimensions");
    let expected = if exact { ExpectedCongestion::of(routing, &messages) } else { None };
    oblivious_claims(routing, 1, &paths, expected.as_ref())
}

#[test]
fn numbers_of_faults_that_the_theorems_suppose() {
    let faults: Vec<_> =
        [8, 12, 13, 14, 16, 20].into_iter().map(|n| (lemma_2_faults(n), theorem_3_faults(n))).collect();
    assert_eq!(faults, [(0, 0), (0, 0), (1, 0), (1, 0), (4, 1), (39, 13)]);
    assert_eq!([1, 2, 3].map(theorem_3_faults), [0; 3]);
}

#[test]
fn what_is_supposed_holds() {
    for id in ["algorithm-a", "algorithm-b"] {
        for (n, faults) in [(5, 0), (9, 0), (9, 3), (13, 1), (14, 1), (16, 1)] {
            for permutation in [Permutation::Random, Permutation::Worst] {
                let routing = scheme(id, FaultyNodes::scattered(cube(n), faults).unwrap());
                for claim in claims(&*routing, permutation, n <= 9) {
                    assert!(
                        !claim.supposed || claim.holds() != Some(false),
                        "{id}, n = {n}, {faults} faults: {claim:?}"
                    );
                }
            }
        }
    }
}

/// The worst case that Lemma 2 and Theorem 3 admit, at 16 dimensions.
#[test]
fn adversaries_do_not_get_through() {
    for adversary in [Adversary::Random, Adversary::Subcube, Adversary::Ball, Adversary::Neighbors, Adversary::Funnel] {
        let faulty = adversary.place(cube(16), 4, NodeId(77), Key::from_seed(1)).unwrap();
        let all = claims(&*scheme("algorithm-a", faulty), Permutation::Random, false);
        assert!(all.iter().all(|claim| claim.supposed), "{all:?}");
        assert!(all.iter().all(|claim| claim.holds() != Some(false)), "{adversary}: {all:?}");
    }
}

#[test]
fn all_claims_are_measured_where_they_can_be() {
    let all = claims(&*scheme("algorithm-b", none(8)), Permutation::Random, true);
    assert!(all.iter().all(|claim| claim.supposed && claim.holds() == Some(true)), "{all:?}");
    let of = |statement| all.iter().find(|claim| claim.statement == statement).unwrap();
    let congestion = of(Statement::ExpectedCongestion);
    assert!((congestion.measured.unwrap() - 4.0).abs() < 1e-9 && (congestion.bound - 4.0).abs() < 1e-9);
    assert_eq!((of(Statement::ActiveNodes).side, of(Statement::ActiveNodes).measured), (Side::AtLeast, Some(256.0)));
    assert!(claims(&*scheme("bit-fixing", none(6)), Permutation::Random, true).is_empty());
}

#[test]
fn nothing_is_supposed_of_another_tolerance() {
    let faulty = FaultyNodes::scattered(cube(9), 40).unwrap();
    let routing = AlgorithmB::new(faulty, Tolerance::Share(0.5)).unwrap();
    let all = claims(&routing, Permutation::Random, true);
    let active = all.iter().find(|claim| claim.statement == Statement::ActiveNodes).unwrap();
    assert!(!active.supposed && active.holds().is_some());
}
