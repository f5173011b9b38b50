//! Tests of Kim & Shin's guarantee and routes.

use faultlab::routing::oblivious::{Endpoint, KimShin, NoRoute, ObliviousRouting, healthy_subcube, kim_shin_guarantee};
use faultlab::topology::NodeId;

use super::{faulty_nodes, nodes, sample_faults};

/// Item "thesis-previous-work": "5 at n = 10", "7 from n = 16 to 35".
#[test]
fn the_guarantee_is_the_published_one() {
    for (dimensions, faults) in [(5..=10, 5), (11..=15, 6), (16..=35, 7)] {
        assert!(dimensions.clone().all(|n| kim_shin_guarantee(n) == faults), "{dimensions:?}");
    }
    assert_eq!([0, 1, 2, 3, 4].map(kim_shin_guarantee), [0, 0, 3, 3, 4]);
    assert_eq!(kim_shin_guarantee(36), 8);
}

/// Returns every (n-2)-subcube of an n-cube of up to 6 dimensions, as a mask of its nodes.
fn subcubes(n: u8) -> Vec<u64> {
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    let value = |(a, b)| (0..4).map(move |value| (a, b, value));
    let within = |(a, b, value): (u8, u8, u64)| {
        nodes(n)
            .filter(|node| (node.0 >> a & 1) << 1 | (node.0 >> b & 1) == value)
            .fold(0, |mask, node| mask | 1 << node.0)
    };
    pairs.flat_map(value).map(within).collect()
}

/// The smallest number of faults, node 0 included, that hit every (n-2)-subcube is one more than
/// the guarantee.
#[test]
fn the_guarantee_is_exact_for_small_cubes() {
    fn can_hit(subcubes: &[u64], faults: u64, left: u32) -> bool {
        match subcubes.iter().find(|&&subcube| subcube & faults == 0) {
            None => true,
            Some(_) if left == 0 => false,
            // One node of this subcube has to be faulty.
            Some(&missed) => (0..64)
                .filter(|node| missed >> node & 1 == 1)
                .any(|node| can_hit(subcubes, faults | 1 << node, left - 1)),
        }
    }
    for n in 2..=6 {
        let (all, guaranteed) = (subcubes(n), kim_shin_guarantee(n));
        assert!(!can_hit(&all, 1, guaranteed - 1), "n = {n}");
        assert!(can_hit(&all, 1, guaranteed), "n = {n}");
    }
}

/// Six faults can leave no healthy subcube of 8 dimensions at n = 10. The faults are read from ten
/// six-bit words, one per dimension, of which any two show all four pairs of bits. If any one of
/// the faults is removed, there is a healthy subcube. Item "thesis-previous-work": "the sixth can
/// be one too many".
#[test]
fn six_faults_can_be_too_many_at_ten_dimensions() {
    let words: Vec<u64> = (0..32u64).filter(|word| word.count_ones() == 3).collect();
    assert_eq!(words.len(), 10);
    let faults: Vec<u64> =
        (0..6).map(|row| words.iter().zip(0..).map(|(word, dim)| (word >> row & 1) << dim).sum()).collect();
    assert_eq!(healthy_subcube(&faulty_nodes(10, &faults)), None);
    for row in 0..6 {
        let mut five = faults.clone();
        five.remove(row);
        assert!(healthy_subcube(&faulty_nodes(10, &five)).is_some());
    }
}

#[test]
fn the_subcube_is_healthy_and_the_first() {
    for n in 2..=8 {
        for seed in 0..20 {
            let faulty = sample_faults(n, 5.0 / f64::from(1 << n), seed);
            let found = healthy_subcube(&faulty);
            let dims = |a, b| faulty.iter().map(move |node| (node.0 >> a & 1, node.0 >> b & 1));
            let exists = |a, b| {
                let mut hit: Vec<_> = dims(a, b).collect();
                hit.sort_unstable();
                hit.dedup();
                hit.len() < 4
            };
            let any = (0..n).any(|a| (a + 1..n).any(|b| exists(a, b)));
            assert_eq!(found.is_some(), any);
            if let Some(subcube) = found {
                assert!(faulty.iter().all(|node| !subcube.contains(node)));
                assert!(subcube.fixed.count_ones() <= 2 && subcube.value & !subcube.fixed == 0);
                // By the algorithm's description: n-1 dimensions if all faults agree in a bit.
                let agree = |a| {
                    faulty.iter().all(|node| node.0 >> a & 1 == 1) || faulty.iter().all(|node| node.0 >> a & 1 == 0)
                };
                assert_eq!(subcube.fixed.count_ones() == 1, (0..n).any(agree), "n = {n}, seed {seed}");
                let routing: &dyn ObliviousRouting = &KimShin::new(faulty.clone()).unwrap();
                assert_eq!(routing.healthy_subcube(), Some(subcube));
            }
        }
    }
}

#[test]
fn routes_go_to_the_subcube_and_back() {
    // Every half has a fault, and so has every quarter by the two lowest bits except 00.
    let routing = KimShin::new(faulty_nodes(4, &[0b0001, 0b0010, 0b1111])).unwrap();
    assert_eq!((routing.subcube().fixed, routing.subcube().value), (0b0011, 0b0000));
    let visited = |s, d| {
        let route = routing.route_via(NodeId(s), NodeId(d), None);
        route.map(|route| route.nodes().map(|node| node.0).collect::<Vec<_>>())
    };
    assert_eq!(visited(0b1011, 0b0100), Ok(vec![0b1011, 0b1010, 0b1000, 0b1100, 0b0100]));
    assert_eq!(visited(0b0100, 0b1011), Ok(vec![0b0100, 0b0000, 0b1000, 0b1010, 0b1011]));
    assert_eq!(visited(0b0101, 0b0101), Ok(vec![0b0101, 0b0100, 0b0101]));
    assert_eq!(visited(0b0011, 0b0100), Err(NoRoute::Enclosed(Endpoint::Source, NodeId(0b0011))));
    assert_eq!(visited(0b0100, 0b0011), Err(NoRoute::Enclosed(Endpoint::Destination, NodeId(0b0011))));
    // A single order is possible: the neighbour across the lowest dimension is faulty.
    let routing = KimShin::new(faulty_nodes(4, &[0b0001, 0b0010, 0b1111, 0b1010])).unwrap();
    let route = routing.route_via(NodeId(0b1011), NodeId(0b1000), None).unwrap();
    assert_eq!(route.nodes().collect::<Vec<_>>(), [0b1011, 0b1001, 0b1000].map(NodeId));
    // A healthy half is preferred.
    assert_eq!(
        healthy_subcube(&faulty_nodes(4, &[0b0001, 0b0010, 0b0011])).map(|it| (it.fixed, it.value)),
        Some((0b0100, 0b0100))
    );
}
