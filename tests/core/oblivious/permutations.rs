//! Tests of permutations and h-relations.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::collections::BTreeMap;

use faultlab::random::Key;
use faultlab::topology::NodeId;
use faultlab::traffic::{HRelation, ListedMessage, NamedPermutation, Permutation, RelationError};

use super::{cube, nodes};

#[test]
fn rules_are_permutations() {
    for n in 1..=11 {
        for permutation in Permutation::ALL.into_iter().filter(|&it| it != Permutation::Random) {
            let mut images: Vec<_> = nodes(n).map(|node| permutation.image(cube(n), node).unwrap()).collect();
            images.sort_unstable();
            assert!(images.into_iter().eq(nodes(n)), "{permutation}, n = {n}");
        }
    }
    for permutation in Permutation::ALL {
        assert_eq!(Permutation::parse(permutation.id()), Some(permutation));
    }
    assert_eq!(Permutation::parse("none"), None);
}

#[test]
fn every_active_node_sends_and_receives_h_messages() {
    let active: Vec<_> = nodes(6).filter(|node| node.0 % 3 != 0).collect();
    let relation = HRelation::new(cube(6), Permutation::Random, 4, active.clone(), Key::from_seed(1)).unwrap();
    assert_eq!((relation.len() as usize, relation.h(), relation.excluded_count()), (4 * active.len(), 4, 0));
    let mut ends = [BTreeMap::new(), BTreeMap::new()];
    for (from, to) in relation.iter() {
        *ends[0].entry(from).or_insert(0) += 1;
        *ends[1].entry(to).or_insert(0) += 1;
    }
    for counts in ends {
        assert!(counts.keys().copied().eq(active.iter().copied()) && counts.values().all(|&count| count == 4));
    }
    let copies: Vec<Vec<_>> = relation.iter().collect::<Vec<_>>().chunks(active.len()).map(<[_]>::to_vec).collect();
    assert!(copies[0] != copies[1], "independent");
}

#[test]
fn all_permutations_are_equally_likely() {
    let mut counts = BTreeMap::<Vec<_>, u32>::new();
    for seed in 0..24_000 {
        let relation = HRelation::new(cube(2), Permutation::Random, 1, nodes(2), Key::from_seed(seed)).unwrap();
        *counts.entry(relation.iter().map(|pair| pair.1).collect()).or_default() += 1;
    }
    assert_eq!(counts.len(), 24);
    let chi: f64 = counts.values().map(|&count| libm::pow(f64::from(count) - 1000.0, 2.0) / 1000.0).sum();
    assert!(chi < 49.7, "chi-square {chi} of 23 degrees of freedom: 0.1 %");
}

#[test]
fn relations_hold_back_pairs_with_inactive_ends() {
    let active = nodes(4).filter(|&node| node != NodeId(3));
    let relation =
        HRelation::new(cube(4), Permutation::Named(NamedPermutation::Complement), 2, active, Key::from_seed(1))
            .unwrap();
    assert_eq!((relation.len(), relation.excluded_count()), (28, 4));
    assert!(relation.iter().all(|(from, to)| from != NodeId(3) && to != NodeId(3)));
}

#[test]
fn rejects_invalid_message_lists() {
    let pair = |from, to| (NodeId(from), NodeId(to));
    let message = |from, to| ListedMessage { from: NodeId(from), via: None, to: NodeId(to) };
    assert_eq!(HRelation::list(cube(3), &[message(0, 7), message(8, 1)], 1), Err(RelationError::NoNode(NodeId(8))));
    let relation = HRelation::list(cube(3), &[message(0, 7), message(1, 7), message(1, 1)], 1).unwrap();
    assert_eq!((relation.len(), relation.h()), (3, 2));
    assert_eq!(relation.iter().collect::<Vec<_>>(), [pair(0, 7), pair(1, 7), pair(1, 1)]);
    let many = HRelation::new(
        cube(20),
        Permutation::Named(NamedPermutation::Complement),
        u32::MAX,
        nodes(20),
        Key::from_seed(1),
    );
    assert_eq!(many, Err(RelationError::TooLarge));
    assert_eq!(HRelation::new(cube(25), Permutation::Random, 1, [], Key::from_seed(1)), Err(RelationError::TooLarge));
    assert!(HRelation::new(cube(5), Permutation::Random, 1, [], Key::from_seed(1)).unwrap().is_empty());
}
