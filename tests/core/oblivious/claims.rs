//! Tests of the thesis's lemmas and theorems on instances.

use faultlab::fault::{Adversary, FaultyNodes, Tolerance};
use faultlab::random::Key;
use faultlab::routing::oblivious::{AlgorithmA, AlgorithmB, ObliviousRouting};
use faultlab::switching::StaticCongestion;
use faultlab::theory::oblivious::{
    BoundSide, Claim, ClaimOutcome, ExpectedCongestion, Premise, Statement, congestion_whp, lemma_2_faults, load_whp,
    oblivious_claims, theorem_3_faults,
};
use faultlab::topology::NodeId;
use faultlab::traffic::{HRelation, Permutation};

use super::{cube, no_faults, nodes, scheme};
use crate::common::assert_close;

fn claims(routing: &dyn ObliviousRouting, permutation: Permutation, exact: bool) -> Vec<Claim> {
    let active = nodes(routing.cube().dimension()).filter(|&node| routing.is_active(node));
    let messages =
        HRelation::new(routing.cube(), permutation, 1, active, Key::from_seed(1)).expect("nodes of the cube");
    let paths = StaticCongestion::from_relation(routing, &messages, Key::from_seed(2)).expect("at most 20 dimensions");
    let expected = if exact { ExpectedCongestion::new(routing, &messages) } else { None };
    oblivious_claims(routing, 1, &paths, expected.as_ref())
}

#[test]
fn numbers_of_faults_that_the_theorems_suppose() {
    let faults: Vec<_> =
        [8, 12, 13, 14, 16, 20].into_iter().map(|n| (lemma_2_faults(n), theorem_3_faults(n))).collect();
    assert_eq!(faults, [(0, 0), (0, 0), (1, 0), (1, 0), (4, 1), (39, 13)]);
    assert_eq!([1, 2, 3].map(theorem_3_faults), [0; 3]);
}

/// Theorem 1, parts 2 and 4, where 4 N^2 n and 8 N^2 are powers of two.
#[test]
fn bounds_of_theorem_1_are_those_of_powers_of_two() {
    let ln = |power: f64| power * std::f64::consts::LN_2;
    let squared = std::f64::consts::E * std::f64::consts::E;
    for (n, congestion) in [(2, 7.0), (4, 12.0), (8, 21.0), (16, 38.0)] {
        for mean in [0.0, 1.0, 7.5] {
            assert_close(congestion_whp(n, mean), ln(congestion) + squared * mean, 1e-9);
            assert_close(load_whp(n, mean), ln(3.0 + 2.0 * f64::from(n)) + squared * mean, 1e-9);
        }
    }
}

#[test]
fn claims_hold_within_their_premises() {
    for id in ["algorithm-a", "algorithm-b"] {
        for (n, faults) in [(5, 0), (9, 0), (9, 3), (13, 1), (14, 1), (16, 1)] {
            for permutation in [Permutation::Random, Permutation::Worst] {
                let routing = scheme(id, FaultyNodes::scattered(cube(n), faults).unwrap());
                for claim in claims(&*routing, permutation, n <= 9) {
                    assert!(claim.holds() != Some(ClaimOutcome::No), "{id}, n = {n}, {faults} faults: {claim:?}");
                }
            }
        }
    }
}

/// The claims of Algorithm A hold for four faults that an adversary places, at 16 dimensions.
#[test]
fn claims_hold_against_adversaries() {
    for adversary in [Adversary::Random, Adversary::Subcube, Adversary::Ball, Adversary::Neighbors, Adversary::Funnel] {
        let faulty = adversary.place_faults(cube(16), 4, NodeId(77), Key::from_seed(1)).unwrap();
        let all = claims(&*scheme("algorithm-a", faulty), Permutation::Random, false);
        assert!(all.iter().all(|claim| claim.unmet_premise.is_none()), "{all:?}");
        assert!(all.iter().all(|claim| claim.holds() != Some(ClaimOutcome::No)), "{adversary}: {all:?}");
    }
}

#[test]
fn all_claims_are_measured_where_they_can_be() {
    let all = claims(&*scheme("algorithm-b", no_faults(8)), Permutation::Random, true);
    assert!(all.iter().all(|claim| claim.holds() == Some(ClaimOutcome::Yes)), "{all:?}");
    let of = |statement| all.iter().find(|claim| claim.statement == statement).unwrap();
    let congestion = of(Statement::ExpectedCongestion);
    assert!((congestion.measured.unwrap() - 4.0).abs() < 1e-9 && (congestion.bound - 4.0).abs() < 1e-9);
    assert_eq!(
        (of(Statement::ActiveNodes).side, of(Statement::ActiveNodes).measured),
        (BoundSide::AtLeast, Some(256.0))
    );
    assert!(claims(&*scheme("bit-fixing", no_faults(6)), Permutation::Random, true).is_empty());
}

#[test]
fn claims_require_the_thesis_tolerance() {
    let faulty = FaultyNodes::scattered(cube(9), 40).unwrap();
    let routing = AlgorithmB::new(faulty, Tolerance::Share(0.5)).unwrap();
    let all = claims(&routing, Permutation::Random, true);
    let active = all.iter().find(|claim| claim.statement == Statement::ActiveNodes).unwrap();
    assert_eq!(active.unmet_premise, Some(Premise::Tolerance));
    assert!(active.holds() == Some(ClaimOutcome::NotApplicable) && active.meets_bound().is_some());
}

/// In cubes so small that 1-1/n is 0, the congestion bounds of Theorems 2 and 3 are infinite, so
/// the theorems do not apply. Neither does any other claim with a non-finite bound.
#[test]
fn no_bound_that_is_infinite_holds() {
    for (id, n, least) in [("algorithm-a", 1, 2), ("algorithm-b", 3, 4)] {
        let all = claims(&*scheme(id, no_faults(n)), Permutation::Random, true);
        let theorem = all.iter().find(|claim| claim.statement == Statement::TheoremCongestion).unwrap();
        assert!(theorem.bound.is_infinite() && theorem.measured.is_some(), "{theorem:?}");
        assert_eq!(theorem.unmet_premise, Some(Premise::Dimensions { least, dimensions: n }));
        assert_eq!(theorem.holds(), Some(ClaimOutcome::NotApplicable));
    }
    // With one more dimension the bounds are finite.
    for (id, n) in [("algorithm-a", 2), ("algorithm-b", 4)] {
        let all = claims(&*scheme(id, no_faults(n)), Permutation::Random, true);
        assert!(all.iter().all(|claim| claim.unmet_premise.is_none() && claim.bound.is_finite()), "{id}");
        assert!(all.iter().all(|claim| claim.holds() != Some(ClaimOutcome::No)), "{id}");
    }
    for id in ["algorithm-a", "algorithm-b"] {
        for n in 3..=8 {
            for faults in 0..=1 << (n - 1) {
                for tolerance in [Tolerance::Thesis, Tolerance::Share(0.4)] {
                    let faulty = FaultyNodes::scattered(cube(n), faults).unwrap();
                    let routing: Box<dyn ObliviousRouting> = match id {
                        "algorithm-a" => Box::new(AlgorithmA::new(faulty, tolerance)),
                        _ => Box::new(AlgorithmB::new(faulty, tolerance).unwrap()),
                    };
                    for claim in claims(&*routing, Permutation::Random, true) {
                        assert!(claim.bound.is_finite() || claim.unmet_premise.is_some(), "{id}, n = {n}: {claim:?}");
                        // Theorem 1's claims hold for any number of faults, the others up to their
                        // fault limits.
                        assert_ne!(claim.holds(), Some(ClaimOutcome::No), "{id}, n = {n}, {faults} faults: {claim:?}");
                    }
                }
            }
        }
    }
}

/// A theorem with a limit on faults states the limit and the actual number.
#[test]
fn the_premise_that_fails_is_named() {
    let routing = scheme("algorithm-a", FaultyNodes::scattered(cube(13), 2).unwrap());
    let all = claims(&*routing, Permutation::Random, false);
    let active = all.iter().find(|claim| claim.statement == Statement::ActiveNodes).unwrap();
    assert_eq!(active.unmet_premise.unwrap().to_string(), "it assumes F <= 1, but there are 2 faults");
    assert_eq!(active.holds().unwrap().to_string(), "not applicable");
}

/// Without messages there is no congestion to compare. A measured value exceeds its bound only by
/// more than rounding.
#[test]
fn unmeasured_claims_have_no_verdict() {
    let all = claims(&*scheme("algorithm-b", super::sample_faults(6, 0.5, 1)), Permutation::Random, false);
    for statement in [Statement::Congestion, Statement::Load, Statement::Length] {
        let claim = all.iter().find(|claim| claim.statement == statement).unwrap();
        assert_eq!(claim.measured, None, "{statement:?}");
    }
    for bound in [1e-6, 1.0, 1e6, -1e6] {
        let (a_little, much) = (1e-12 * f64::abs(bound), 1e-6 * f64::abs(bound));
        assert!(
            BoundSide::AtMost.is_met(bound + a_little, bound) && !BoundSide::AtMost.is_met(bound + much, bound),
            "{bound}"
        );
        assert!(
            BoundSide::AtLeast.is_met(bound - a_little, bound) && !BoundSide::AtLeast.is_met(bound - much, bound),
            "{bound}"
        );
    }
}
