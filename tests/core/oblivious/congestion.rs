//! Tests of congestion: counted, expected, and in closed form.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::fault::Tolerance;
use faultlab::random::Key;
use faultlab::routing::oblivious::{
    AlgorithmA, Endpoint, GeneralRandomized, Intermediates, NoRoute, ObliviousRouting, bit_fixing_path, edge_rank,
};
use faultlab::switching::StaticCongestion;
use faultlab::theory::oblivious::{
    ExpectedCongestion, algorithm_b_expected, bit_fixing_worst, opposite_at_least, smallest_choice,
};
use faultlab::topology::NodeId;
use faultlab::traffic::{HRelation, ListedMessage, NamedPermutation, Permutation};

use super::{cube, faulty_nodes, no_faults, nodes, sample_faults, scheme, schemes};
use crate::common::assert_close;

fn relation(routing: &dyn ObliviousRouting, permutation: Permutation, h: u32, seed: u64) -> HRelation {
    let n = routing.cube().dimension();
    let active = nodes(n).filter(|&node| routing.is_active(node));
    HRelation::new(routing.cube(), permutation, h, active, Key::from_seed(seed)).expect("nodes of the cube")
}

#[test]
fn bit_fixing_has_its_worst_congestion() {
    let congestion = |n, permutation| {
        let routing = scheme("bit-fixing", no_faults(n));
        let paths =
            StaticCongestion::from_relation(&*routing, &relation(&*routing, permutation, 1, 1), Key::from_seed(1))
                .unwrap();
        paths.max_congestion()
    };
    for n in 1..=14 {
        assert_eq!(congestion(n, Permutation::Worst), bit_fixing_worst(n), "n = {n}");
        if n % 2 == 0 {
            assert_eq!(congestion(n, Permutation::Named(NamedPermutation::Transpose)), bit_fixing_worst(n), "n = {n}");
            assert_eq!(
                congestion(n, Permutation::Named(NamedPermutation::BitReversal)),
                bit_fixing_worst(n),
                "n = {n}"
            );
        }
        for permutation in Permutation::ALL {
            assert!(congestion(n, permutation) <= bit_fixing_worst(n), "n = {n}, {permutation}");
        }
    }
    assert_eq!(congestion(8, Permutation::Named(NamedPermutation::Complement)), 1);
}

/// Calls `see` with all permutations of up to 8 nodes (Heap's algorithm).
fn every_permutation(images: &mut [u64], size: usize, see: &mut impl FnMut(&[u64])) {
    if size <= 1 {
        return see(images);
    }
    for place in 0..size {
        every_permutation(images, size - 1, see);
        images.swap(if size.is_multiple_of(2) { place } else { 0 }, size - 1);
    }
}

#[test]
fn no_permutation_is_worse_for_bit_fixing() {
    for n in 1..=3 {
        let mut images: Vec<_> = nodes(n).map(|node| node.0).collect();
        let (mut worst, mut permutations) = (0, 0);
        every_permutation(&mut images, 1 << n, &mut |images| {
            let mut counts = [0u32; 24];
            for (from, to) in nodes(n).zip(images) {
                for link in bit_fixing_path(from, NodeId(*to)) {
                    counts[link.from.0 as usize * 3 + usize::from(link.dim)] += 1;
                }
            }
            worst = counts.into_iter().fold(worst, u32::max);
            permutations += 1;
        });
        assert_eq!((permutations, worst), ([2, 24, 40_320][usize::from(n) - 1], bit_fixing_worst(n)));
    }
}

/// Corollary 3: n messages from every node to the opposite one.
#[test]
fn messages_to_the_opposite_node_need_as_much_as_corollary_3_says() {
    for n in 3..=8 {
        for (id, _) in schemes() {
            let routing = scheme(id, no_faults(n));
            let messages = relation(&*routing, Permutation::Named(NamedPermutation::Complement), u32::from(n), 1);
            let paths = StaticCongestion::from_relation(&*routing, &messages, Key::from_seed(3)).unwrap();
            assert!(paths.max_congestion() >= opposite_at_least(u32::from(n)), "{id}");
        }
    }
}

/// Without faults, and where the length cap excludes nothing, the expected congestion of a channel
/// depends only on its class, for any permutation.
#[test]
fn algorithm_b_has_its_expected_congestion_on_every_channel() {
    for n in 3..=9 {
        let routing = scheme("algorithm-b", no_faults(n));
        for (permutation, h) in
            [(Permutation::Random, 1), (Permutation::Named(NamedPermutation::Complement), 1), (Permutation::Random, 3)]
        {
            let messages = relation(&*routing, permutation, h, 9);
            let expected = ExpectedCongestion::new(&*routing, &messages).unwrap();
            for (link, congestion) in expected.channels() {
                let class = edge_rank(link).map_or(0, |rank| rank.class);
                assert_close(congestion, f64::from(h) * algorithm_b_expected(class), 1e-9);
            }
            assert_close(expected.mean_length().unwrap(), f64::from(n) + 2.0, 1e-9);
            assert_close(expected.delivered(), f64::from(messages.len()), 1e-6);
            assert_eq!(expected.smallest_choice(), Some(1 << (n - 2)));
            assert!(
                expected
                    .load()
                    .iter()
                    .enumerate()
                    .all(|(node, load)| { (load - if node % 4 == 0 { 4.0 * f64::from(h) } else { 0.0 }).abs() < 1e-9 })
            );
        }
    }
}

#[test]
fn algorithm_a_and_valiant_and_brebner_expect_one_message_on_every_channel() {
    for id in ["algorithm-a", "valiant-brebner"] {
        for n in 1..=7 {
            let routing = scheme(id, no_faults(n));
            let expected = ExpectedCongestion::new(
                &*routing,
                &relation(&*routing, Permutation::Named(NamedPermutation::Transpose), 1, 1),
            )
            .unwrap();
            assert!(expected.channels().all(|(_, congestion)| (congestion - 1.0).abs() < 1e-9), "{id}, n = {n}");
            assert!(expected.load().iter().all(|load| (load - 1.0).abs() < 1e-9));
        }
    }
}

/// The sums over path trees agree with an enumeration of all routes, with faults.
#[test]
fn expected_congestion_is_the_sum_over_all_choices() {
    let mut halves = 0;
    for (id, n, p) in [
        ("bit-fixing", 6, 0.05),
        ("valiant-brebner", 6, 0.05),
        ("general", 6, 0.05),
        ("algorithm-a", 7, 0.02),
        ("algorithm-b", 7, 0.005),
        ("kim-shin", 6, 0.05),
    ] {
        let routing = scheme(id, sample_faults(n, p, 6));
        // Every node sends to another one, whether active or not.
        let turned = |node: NodeId| NodeId((node.0 * 5 + 3) & cube(n).mask());
        let listed: Vec<_> = nodes(n).map(|node| ListedMessage { from: node, via: None, to: turned(node) }).collect();
        let everybody = HRelation::list(cube(n), &listed, 1).unwrap();
        let of_active = relation(&*routing, Permutation::Random, 2, 2);
        assert!(!of_active.is_empty(), "{id}");
        halves += everybody.iter().filter(|&(s, d)| routing.is_active(s) != routing.is_active(d)).count();
        for messages in [of_active, everybody] {
            let mut naive = vec![0.0; usize::from(n) << n];
            let mut load = vec![0.0; 1 << n];
            let (mut delivered, mut smallest) = (0.0, None);
            for (s, d) in messages.iter().filter(|&(s, d)| routing.is_active(s) && routing.is_active(d)) {
                let choice = routing.choice(s, d);
                let vias =
                    choice.as_ref().map_or(vec![None], |choice| choice.valid.iter().copied().map(Some).collect());
                let share = 1.0 / choice.as_ref().map_or(1, |choice| choice.out_of) as f64;
                smallest = smallest.into_iter().chain(choice.map(|choice| choice.valid.len() as u64)).min();
                for route in vias.into_iter().filter_map(|via| routing.route_via(s, d, via).ok()) {
                    delivered += share;
                    route.via().into_iter().for_each(|via| load[via.0 as usize] += share);
                    for hop in route.hops() {
                        naive[hop.link.from.0 as usize * usize::from(n) + usize::from(hop.link.dim)] += share;
                    }
                }
            }
            let expected = ExpectedCongestion::new(&*routing, &messages).unwrap();
            expected.channels().zip(&naive).for_each(|((_, a), &b)| assert_close(a, b, 1e-9));
            assert_eq!(expected.load().len(), load.len());
            expected.load().iter().zip(&load).for_each(|(&a, &b)| assert_close(a, b, 1e-9));
            assert_close(expected.max_load(), load.iter().copied().fold(0.0, f64::max), 1e-9);
            assert_close(expected.delivered(), delivered, 1e-6);
            assert!(delivered > 0.0, "{id}");
            assert_eq!(expected.smallest_choice(), smallest);
            assert_eq!(smallest_choice(&*routing, messages.iter()), smallest);
        }
    }
    assert!(halves > 20, "{halves}");
}

#[test]
fn counted_congestion_comes_to_what_is_expected() {
    for id in ["algorithm-a", "algorithm-b", "valiant-brebner"] {
        let routing = scheme(id, faulty_nodes(8, &[77]));
        let messages = relation(&*routing, Permutation::Random, 1, 3);
        let expected = ExpectedCongestion::new(&*routing, &messages).unwrap();
        let mut sums = vec![0u32; 8 << 8];
        let rounds = 400;
        for round in 0..rounds {
            let paths = StaticCongestion::from_relation(&*routing, &messages, Key::from_seed(5).child(round)).unwrap();
            sums.iter_mut().zip(paths.congestion()).for_each(|(sum, count)| *sum += count);
        }
        for ((_, expected), sum) in expected.channels().zip(sums) {
            // Messages cross the channel independently with different probabilities, so the
            // variance is below the mean.
            let sigma = (expected / rounds as f64).sqrt();
            assert!((f64::from(sum) / rounds as f64 - expected).abs() <= 5.0 * sigma + 1e-9, "{id}");
        }
    }
}

#[test]
fn congestion_counts_are_consistent() {
    let routing = scheme("algorithm-b", sample_faults(9, 0.002, 2));
    let messages = relation(&*routing, Permutation::Random, 3, 1);
    let paths = StaticCongestion::from_relation(&*routing, &messages, Key::from_seed(1)).unwrap();
    assert_eq!(paths.delivered(), messages.len());
    assert!(paths.undelivered().is_empty());
    let hops: u64 = paths.congestion().iter().map(|&count| u64::from(count)).sum();
    assert_close(paths.mean_length().unwrap(), hops as f64 / f64::from(messages.len()), 1e-9);
    assert_eq!(paths.load().iter().sum::<u32>(), messages.len());
    assert_eq!(paths.lengths().iter().sum::<u32>(), messages.len());
    assert_eq!(paths.max_length(), Some(paths.lengths().len() as u32 - 1));
    assert_eq!(paths.congestion_histogram().iter().sum::<u32>(), 9 << 9);
    let (busiest, most) = paths.busiest().unwrap();
    assert_eq!((paths.congestion_of(busiest), paths.max_congestion()), (most, most));
    let classes = paths.by_class(|link| edge_rank(link).map(|rank| rank.class));
    assert_eq!(classes.values().map(|class| class.total).sum::<u64>(), hops);
    assert_eq!(classes.keys().copied().collect::<Vec<_>>(), (1..=9).collect::<Vec<_>>());
    // Phases 1 and 5 are common to all messages: at most 3h, as in the proof of Theorem 3.
    assert!(classes.iter().filter(|(class, _)| [1, 2, 3, 7, 8, 9].contains(*class)).all(|(_, class)| class.max <= 9));
}

#[test]
fn undelivered_messages_are_counted() {
    let routing = scheme("bit-fixing", faulty_nodes(4, &[1]));
    let everybody: Vec<_> =
        nodes(4).map(|node| ListedMessage { from: node, via: None, to: cube(4).antipode(node) }).collect();
    let messages = HRelation::list(cube(4), &everybody, 1).unwrap();
    let paths = StaticCongestion::from_relation(&*routing, &messages, Key::from_seed(1)).unwrap();
    let lost: u32 = paths.undelivered().values().sum();
    assert_eq!(paths.delivered() + lost, 16);
    assert_eq!(
        paths.undelivered().keys().copied().collect::<Vec<_>>(),
        ["faulty", "inactive-destination", "inactive-source"]
    );
}

#[test]
fn no_active_nodes_gives_no_traffic() {
    let routing = scheme("algorithm-b", sample_faults(6, 0.5, 1));
    let messages = relation(&*routing, Permutation::Random, 2, 1);
    assert!(messages.is_empty());
    let paths = StaticCongestion::from_relation(&*routing, &messages, Key::from_seed(1)).unwrap();
    assert_eq!(
        (paths.max_congestion(), paths.mean_length(), paths.max_length(), paths.busiest()),
        (0, None, None, None)
    );
    let expected = ExpectedCongestion::new(&*routing, &messages).unwrap();
    assert_eq!((expected.max_congestion(), expected.mean_length(), expected.smallest_choice()), (0.0, None, None));
    assert_eq!(relation(&*routing, Permutation::Named(NamedPermutation::Complement), 2, 1).excluded_count(), 128);
}

/// General randomized routing with the active set and the sets I_sd of Algorithm A equals Algorithm
/// A.
#[test]
fn general_randomized_routing_with_the_sets_of_algorithm_a_is_algorithm_a() {
    let n = 5;
    let faulty = sample_faults(n, 0.04, 3);
    let a = AlgorithmA::new(faulty.clone(), Tolerance::Share(0.3));
    let active: Vec<_> = nodes(n).map(|node| a.is_active(node)).collect();
    assert!(active.contains(&true) && active.contains(&false));
    let sets = faulty.clone();
    let general = GeneralRandomized::new(faulty, active.clone(), move |s, d| Intermediates::new(&sets).all(s, d));
    let messages = relation(&a, Permutation::Random, 3, 4);
    assert!(!messages.is_empty());
    let of = |routing: &dyn ObliviousRouting| ExpectedCongestion::new(routing, &messages).unwrap();
    assert_eq!(of(&general), of(&a));
    assert!(of(&a).delivered() > 0.0);
    let mut generator = Key::from_seed(1).generator();
    for (node, active) in nodes(n).zip(active).chain([(NodeId(1 << n), false)]) {
        assert_eq!(general.is_active(node), active);
        let route = general.route(node, node, &mut generator);
        assert_eq!(route.err(), (!active).then_some(NoRoute::Inactive(Endpoint::Source, node)));
    }
}
