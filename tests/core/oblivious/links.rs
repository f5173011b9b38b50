//! Faulty links under the oblivious schemes, against the definition: a bit-fixing path across a
//! faulty one-way link is faulty.

use std::collections::BTreeSet;

use faultlab::fault::{
    ActiveSet, FaultyNodes, PathFault, RemainingPaths, Tolerance, fault_free_into, fault_free_out, fault_free_through,
};
use faultlab::random::Key;
use faultlab::routing::oblivious::{Intermediates, NoRoute};
use faultlab::topology::{Link, NodeId};

use super::naive::path;
use super::{faulty_nodes, nodes, sample_faults, schemes, try_scheme};
use crate::common::cube;

fn links(n: u8) -> impl Iterator<Item = Link> + Clone {
    nodes(n).flat_map(move |from| (0..n).map(move |dim| Link { from, dim }))
}

/// Samples a set of links, each with probability `p`.
fn sample_links(n: u8, p: f64, seed: u64) -> BTreeSet<Link> {
    let (threshold, key) = ((p * (1u64 << 53) as f64) as u64, Key::from_seed(seed));
    links(n).filter(|link| key.child(link.from.0).hash_u53(link.dim.into()) < threshold).collect()
}

/// Returns whether the path of `visited` nodes meets no faulty node and crosses no faulty link.
fn is_clear(faulty: &FaultyNodes, broken: &BTreeSet<Link>, visited: &[NodeId]) -> bool {
    let crossed = |ends: &[NodeId]| Link { from: ends[0], dim: (ends[0].0 ^ ends[1].0).trailing_zeros() as u8 };
    visited.iter().all(|&node| !faulty.contains(node))
        && visited.windows(2).all(|ends| !broken.contains(&crossed(ends)))
}

/// Checks the counts, the paths and the sets of intermediate nodes by walking every path.
fn check(n: u8, faulty: &FaultyNodes, broken: &BTreeSet<Link>) {
    let faulty = faulty.clone().with_links(broken.iter().copied());
    assert_eq!(faulty.links().collect::<BTreeSet<_>>(), *broken);
    let clear = |s: NodeId, d: NodeId| is_clear(&faulty, broken, &path(n, s, d));
    let (out, into, through) = (fault_free_out(&faulty), fault_free_into(&faulty), fault_free_through(&faulty));
    let mut naive_through = vec![0; 1 << n];
    for x in nodes(n) {
        assert_eq!(out[x.0 as usize] as usize, nodes(n).filter(|&d| clear(x, d)).count(), "{broken:?}");
        assert_eq!(into[x.0 as usize] as usize, nodes(n).filter(|&s| clear(s, x)).count(), "{broken:?}");
        for d in nodes(n) {
            assert_eq!(faulty.first_faulty_on_path(x, d).is_none(), clear(x, d));
            if clear(x, d) {
                path(n, x, d).iter().for_each(|node| naive_through[node.0 as usize] += 1);
            }
        }
    }
    assert_eq!(through, naive_through, "{broken:?}");
    let listed: Vec<_> = faulty.iter().collect();
    let total: u64 = out.iter().map(|&count| u64::from(count)).sum();
    let remaining = RemainingPaths::new(&faulty, &listed, Tolerance::Thesis);
    assert_eq!(remaining.paths, total);
    let active = ActiveSet::algorithm_a(faulty.clone(), Tolerance::Thesis);
    assert_eq!(remaining.active, active.count());
    let ends = [NodeId(0), NodeId((1 << n) - 1), NodeId(1)];
    for (s, d) in ends.into_iter().flat_map(|s| ends.map(|d| (s, d))) {
        let valid: Vec<_> = nodes(n).filter(|&via| clear(s, via) && clear(via, d)).collect();
        assert_eq!(Intermediates::with_cap(&faulty, u32::MAX).all(s, d), valid, "{broken:?}");
    }
}

#[test]
fn single_and_double_link_faults_count_as_by_walking_each_path() {
    for n in [3, 4] {
        let none = faulty_nodes(n, &[]);
        for one in links(n) {
            check(n, &none, &BTreeSet::from([one]));
            for other in links(n).filter(|&other| other > one && n == 3) {
                check(n, &none, &BTreeSet::from([one, other]));
            }
        }
        // All pairs at n = 3; at n = 4 the pairs with a link out of node 0: all pairs up to symmetry.
        for (one, other) in links(4).take(4).flat_map(|one| links(4).map(move |other| (one, other))) {
            check(4, &faulty_nodes(4, &[]), &BTreeSet::from([one, other]));
        }
    }
}

#[test]
fn mixed_faults_count_as_by_walking_each_path() {
    for (n, seed) in (3..=6).zip(1..) {
        for (p, q) in [(0.02, 0.1), (0.1, 0.3), (0.0, 1.0)] {
            check(n, &sample_faults(n, p, seed), &sample_links(n, q, seed + 10));
        }
    }
}

/// Algorithm B: a square with a fault inside is marked, and a link between two squares is faulty if
/// any of its four links is.
#[test]
fn squares_with_faulty_links_follow_the_definition() {
    for n in 3..=7 {
        for (seed, p) in [(1, 0.01), (2, 0.05), (3, 0.3)] {
            let broken = sample_links(n, p, seed);
            let faulty = sample_faults(n, 0.02, seed).with_links(broken.iter().copied());
            let squares = faulty.squares().expect("three dimensions");
            for square in nodes(n - 2) {
                let corners = || (0..4).map(move |corner| NodeId(4 * square.0 + corner));
                let inside = || corners().flat_map(|from| (0..2).map(move |dim| Link { from, dim }));
                let marked = corners().any(|node| faulty.contains(node)) || inside().any(|link| broken.contains(&link));
                assert_eq!(squares.contains(square), marked);
                for dim in 0..n - 2 {
                    let any = corners().any(|from| broken.contains(&Link { from, dim: dim + 2 }));
                    assert_eq!(squares.is_link_faulty(Link { from: square, dim }), any);
                }
            }
        }
    }
}

#[test]
fn routes_never_cross_a_faulty_link() {
    let mut delivered = std::collections::BTreeMap::<&str, u32>::new();
    for n in 3..=9 {
        for (seed, p) in [(1, 0.001), (2, 0.003), (3, 0.02), (4, 0.1)] {
            let broken = sample_links(n, p, seed);
            let faulty = sample_faults(n, 0.5 * p, seed + 10).with_links(broken.iter().copied());
            for (id, _) in schemes() {
                let Ok(routing) = try_scheme(id, faulty.clone()) else { continue };
                let mut generator = Key::from_seed(seed).named(id).generator();
                for (s, d) in nodes(n).zip(nodes(n).map(|s| NodeId((s.0 * 29 + 3) & cube(n).mask()))) {
                    match routing.route(s, d, &mut generator) {
                        Ok(route) => {
                            assert_eq!((route.from(), route.to()), (s, d));
                            assert!(route.hops().all(|hop| !broken.contains(&hop.link)), "{id}");
                            assert!(route.nodes().all(|node| !faulty.contains(node)), "{id}");
                            *delivered.entry(id).or_default() += 1;
                        }
                        Err(NoRoute::FaultyLink(link)) => assert!(broken.contains(&link), "{id}"),
                        Err(NoRoute::Faulty(node)) => assert!(faulty.contains(node), "{id}"),
                        Err(_) => {}
                    }
                }
            }
        }
    }
    assert_eq!(delivered.len(), schemes().count(), "{delivered:?}");
}

/// A faulty link breaks the paths across it in one direction only: a path across dimension k leaves
/// from 2^k sources to 2^(n-1-k) destinations.
#[test]
fn one_faulty_link_breaks_a_closed_number_of_paths() {
    for n in 1..=8u8 {
        for link in [0, n / 2, n - 1].map(|dim| Link { from: NodeId(1 % (1 << n)), dim }) {
            let faulty = faulty_nodes(n, &[]).with_links([link]);
            let all = 1u64 << (2 * n);
            let free = fault_free_out(&faulty).iter().map(|&count| u64::from(count)).sum::<u64>();
            assert_eq!(all - free, 1 << (n - 1), "n = {n}, {link}");
            assert_eq!(faulty.first_faulty_on_path(link.from, link.end()), Some(PathFault::Link(link)));
            assert_eq!(faulty.first_faulty_on_path(link.end(), link.from), None);
        }
    }
}

/// A path between nodes at distance d crosses d links, each healthy with probability 1 - p. Over
/// all ordered pairs the expected share of fault-free paths is the mean of (1 - p)^d over the
/// binomial distances, (1 - p/2)^n.
#[test]
fn the_mean_share_of_fault_free_paths_is_the_closed_form() {
    let (n, p, samples) = (8u8, 0.05, 400);
    let shares: Vec<f64> = (0..samples)
        .map(|seed| {
            let faulty = faulty_nodes(n, &[]).with_links(sample_links(n, p, seed));
            fault_free_out(&faulty).iter().map(|&count| f64::from(count)).sum::<f64>() / f64::from(1u32 << (2 * n))
        })
        .collect();
    let count = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / count;
    let variance = shares.iter().map(|share| (share - mean) * (share - mean)).sum::<f64>() / (count - 1.0);
    let expected = libm::pow(1.0 - p / 2.0, n.into());
    assert!((mean - expected).abs() < 4.0 * (variance / count).sqrt(), "{mean} against {expected}");
}
