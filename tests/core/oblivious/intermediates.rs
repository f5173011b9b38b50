//! Tests of the sets I_sd of intermediate nodes, and of sampling from them.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::fault::Tolerance;
use faultlab::random::Key;
use faultlab::routing::oblivious::{
    AlgorithmA, AlgorithmB, GeneralRandomized, Intermediates, NoRoute, ObliviousRouting as _, length_cap,
};
use faultlab::topology::NodeId;

use super::naive::intermediates;
use super::{cube, faulty_nodes, no_faults, nodes, sample_faults, schemes};

#[test]
fn the_sets_are_those_of_the_definition() {
    for n in 1..=6 {
        for (seed, p) in [(1, 0.0), (2, 0.05), (3, 0.3)] {
            let faulty = sample_faults(n, p, seed);
            for (s, d) in nodes(n).flat_map(|s| nodes(n).map(move |d| (s, d))) {
                let sets = Intermediates::new(&faulty);
                let naive = intermediates(&faulty, s, d);
                assert_eq!(sets.all(s, d), naive, "n = {n}, {s} to {d}");
                assert_eq!(sets.count(s, d) as usize, naive.len());
                assert!(nodes(n).all(|i| sets.is_valid(s, i, d) == naive.contains(&i)));
            }
        }
    }
}

#[test]
fn the_sets_of_larger_cubes_are_too() {
    for n in [9, 11] {
        let faulty = sample_faults(n, 0.01, 5);
        for (s, d) in [(3, 3), (5, 400), (7, 255), (12, 0x1f0)].map(|(s, d)| (NodeId(s), NodeId(d))) {
            assert_eq!(Intermediates::new(&faulty).all(s, d), intermediates(&faulty, s, d), "n = {n}, {s} to {d}");
        }
    }
}

/// With the natural logarithm, L(8) = 15.9. A message from a node to itself, whose two paths may
/// have 16 hops, is the first that the cap excludes.
#[test]
fn the_length_cap_bites_from_eight_dimensions_on() {
    for n in 1..=24 {
        assert_eq!(length_cap(cube(n)) < 2 * u32::from(n), n >= 8, "n = {n}");
    }
    assert_eq!([7, 8, 10, 12, 20].map(|n| length_cap(cube(n))), [14, 15, 19, 22, 33]);
    let all = |n| AlgorithmA::new(no_faults(n), Tolerance::Thesis).intermediates().count(NodeId(0), NodeId(0));
    assert_eq!((all(7), all(8)), (128, 255));
    let squares = |n| AlgorithmB::new(no_faults(n), Tolerance::Thesis).unwrap();
    assert_eq!(squares(9).choice(NodeId(0), NodeId(0)).unwrap().valid.len(), 128);
    assert_eq!(squares(10).choice(NodeId(0), NodeId(0)).unwrap().valid.len(), 255);
}

/// Samples from the set between two nodes and asserts uniformity: chi-square below its 0.1% point.
fn assert_uniform(sets: Intermediates<'_>, s: NodeId, d: NodeId, seed: u64) {
    let all = sets.all(s, d);
    let draws = 200 * all.len();
    let mut counts = std::collections::BTreeMap::new();
    let mut generator = Key::from_seed(seed).generator();
    for _ in 0..draws {
        *counts.entry(sets.draw(s, d, &mut generator).expect("some are valid")).or_insert(0u32) += 1;
    }
    assert!(counts.keys().all(|via| all.contains(via)));
    let square = |via| libm::pow(f64::from(counts.get(via).copied().unwrap_or(0)) - 200.0, 2.0) / 200.0;
    let chi: f64 = all.iter().map(square).sum();
    let freedom = all.len() as f64 - 1.0;
    // Wilson and Hilferty's approximation of the quantile.
    let limit = freedom * libm::pow(1.0 - 2.0 / (9.0 * freedom) + 3.09 * (2.0 / (9.0 * freedom)).sqrt(), 3.0);
    assert!(chi < limit, "chi-square {chi} of {freedom} degrees of freedom");
}

#[test]
fn every_valid_node_is_drawn_as_often() {
    let faulty = sample_faults(7, 0.03, 3);
    let (s, d) = (NodeId(2), NodeId(0x55));
    assert!((20..120).contains(&Intermediates::new(&faulty).count(s, d)));
    assert_uniform(Intermediates::new(&faulty), s, d, 1);
    assert_uniform(Intermediates::new(&no_faults(8)), NodeId(9), NodeId(9), 2);
}

/// Few valid nodes may all be missed by 64 draws. Then the set is enumerated, and sampling is still
/// uniform.
#[test]
fn rare_valid_nodes_are_drawn_as_often() {
    let (faulty, s, d) = (no_faults(12), NodeId(0), NodeId(0b111));
    let sets = Intermediates::with_cap(&faulty, 3);
    assert_eq!(sets.count(s, d), 8);
    assert_uniform(sets, s, d, 3);
    let nothing = Intermediates::with_cap(&faulty, 2);
    assert_eq!(nothing.draw(s, d, &mut Key::from_seed(1).generator()), None);
}

/// A sampled intermediate is a listed choice with a route to and from it. Schemes without choices
/// sample none.
#[test]
fn sampled_intermediates_are_valid_choices() {
    for (id, oblivious) in schemes() {
        let mut generator = Key::from_seed(5).generator();
        let (mut drawn_at_all, mut others) = (0, 0);
        for faulty in [no_faults(5), faulty_nodes(5, &[9]), faulty_nodes(5, &[3, 20])] {
            let Ok(routing) = (oblivious.build)(faulty, Tolerance::Share(0.4)) else { continue };
            let active: Vec<_> = nodes(5).filter(|&node| routing.is_active(node)).collect();
            for (&s, &d) in active.iter().flat_map(|s| active.iter().map(move |d| (s, d))) {
                let choice = routing.choice(s, d);
                assert_eq!(choice.is_some(), routing.legs(s, d).is_some(), "{id}");
                match (routing.draw(s, d, &mut generator), choice) {
                    (Ok(None), None) => {
                        assert!(routing.route_via(s, d, None).ok().is_none_or(|route| route.via().is_none()), "{id}")
                    }
                    (Ok(Some(via)), Some(choice)) => {
                        // Valiant & Brebner sample any node, faulty or not.
                        assert!(choice.valid.contains(&via) || id == "valiant-brebner", "{id}");
                        drawn_at_all += 1;
                        others += u32::from(via != NodeId(0));
                    }
                    (Err(why), choice) => {
                        assert!(
                            why == NoRoute::NoIntermediate && choice.is_none_or(|choice| choice.valid.is_empty()),
                            "{id}"
                        );
                    }
                    (drawn, choice) => panic!("{id} {s} {d}: {drawn:?} of {choice:?}"),
                }
            }
        }
        assert_eq!(drawn_at_all > 0, !["bit-fixing", "kim-shin"].contains(&id), "{id}");
        assert!(4 * others >= 3 * drawn_at_all, "{id}: {others} of {drawn_at_all}");
    }
}

#[test]
fn route_fails_without_intermediate() {
    // Only 0 and 15 are live, far apart. At full tolerance both are active.
    let faulty = faulty_nodes(4, &(1..15).collect::<Vec<_>>());
    let routing = AlgorithmA::new(faulty, Tolerance::Share(1.0));
    let mut generator = Key::from_seed(1).generator();
    assert_eq!(routing.route(NodeId(0), NodeId(15), &mut generator), Err(NoRoute::NoIntermediate));
    assert_eq!(routing.route(NodeId(0), NodeId(0), &mut generator).unwrap().length(), 0);
    let general =
        GeneralRandomized::new(no_faults(4), vec![true; 16], |s, _| if s.0 == 3 { vec![] } else { vec![NodeId(5)] });
    assert_eq!(general.route(NodeId(3), NodeId(2), &mut generator), Err(NoRoute::NoIntermediate));
    assert_eq!(general.route(NodeId(2), NodeId(3), &mut generator).unwrap().via(), Some(NodeId(5)));
}
