//! Tests of the pairs that several faults cut off, and of the pairs that relabelling saves.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::collections::BTreeSet;

use faultlab::fault::Faults;
use faultlab::random::{Key, below};
use faultlab::theory::{
    PairCounter, PairCounts, Relabelled, Relabelling, SearchMethod, blocking_faults, cut_off, node_under_up,
    relabelled_cut_off, suggest_relabelling,
};
use faultlab::topology::{Link, NodeId};
use faultlab::traffic::Pair;

use super::enumeration::{ManualFaults, Paths, algorithm, all_links, all_pairs, all_paths, cut, link, pair};
use crate::common::cube;

/// Compares all pairs of the n-cube under every kind of criterion and random faults with the
/// enumeration.
#[test]
fn cut_off_pairs_agree_with_enumeration() {
    let hierarchies =
        [(3, "1e+2f"), (3, "2r+1d"), (4, "2f+2d"), (4, "1d+3r"), (5, "2e+3f"), (5, "2e+1f+2r"), (5, "3d+2e")];
    for n in 3..=5 {
        let mut generator = Key::from_seed(u64::from(n)).generator();
        let plain = ["e-cube", "up", "dp", "restricted-up", "minimal"];
        let of_cube = hierarchies.iter().filter(|(dimension, _)| *dimension == n).map(|(_, id)| *id);
        let ids: Vec<_> = plain.into_iter().chain(of_cube).collect();
        let mut known: Vec<_> = ids.iter().map(|id| all_paths(n, id)).collect();
        // "up-or-dp-per-pair" permits all paths of both criteria.
        let both = |(up, dp): (&Paths, &Paths)| (up.0, [up.1.as_slice(), &dp.1].concat());
        let either: Vec<_> = known[1].iter().zip(&known[2]).map(both).collect();
        let ids: Vec<_> = ids.into_iter().chain(["up-dp-mix", "up-or-dp-per-pair"]).collect();
        known.extend([either.clone(), either]);
        for _ in 0..40 {
            let broken = ManualFaults::draw(n, &mut generator);
            for (id, paths) in ids.iter().zip(&known) {
                let (cut, expected) = (cut(n, &broken, id), broken.cut(paths));
                assert_eq!(cut.pairs().collect::<Vec<_>>(), expected, "{broken:?} {id}");
                let live = (1 << n) - broken.nodes.len() as u64;
                assert_eq!((cut.counts().live, cut.counts().cut_off), (live * (live - 1), expected.len() as u64));
                assert!(all_pairs(n).all(|(s, d)| cut.contains(pair(s, d)) == expected.contains(&pair(s, d))));
                assert!(expected.iter().all(|pair| cut.destinations(pair.from).any(|to| to == pair.to)));
            }
        }
    }
    assert!(cut_off(cube(4), &mut ManualFaults::default(), &algorithm("2e+3f")).is_none());
    assert!(cut_off(cube(4), &mut ManualFaults::default(), &algorithm("sidetracking")).is_none());
    assert!(cut_off(cube(11), &mut ManualFaults::default(), &algorithm("up")).is_none());
    assert!(!cut(3, &ManualFaults::node(1), "up").contains(pair(8, 0)));
}

#[test]
fn more_freedom_cuts_fewer_pairs_off() {
    let mut generator = Key::from_seed(7).generator();
    let mut down_is_better = 0;
    for n in [1, 2, 4, 6, 8] {
        for _ in 0..30 {
            let broken = ManualFaults::draw(n, &mut generator);
            let pairs = |id| cut(n, &broken, id).pairs().map(|pair| (pair.from, pair.to)).collect::<BTreeSet<_>>();
            let [e, r, up, dp, any, mix] = ["e-cube", "restricted-up", "up", "dp", "minimal", "up-dp-mix"].map(pairs);
            assert!(
                any.is_subset(&up) && up.is_subset(&r) && r.is_subset(&e) && any.is_subset(&dp) && dp.is_subset(&e)
            );
            // The source of a message of the mix chooses a criterion that leads to the destination.
            // The bound "up-or-dp-per-pair" cuts off the same pairs.
            assert_eq!(mix, up.intersection(&dp).copied().collect());
            assert_eq!(pairs("up-or-dp-per-pair"), mix);
            assert!(any.is_subset(&mix));
            for &(from, to) in &mix {
                let of = |id| {
                    let criterion = algorithm(id).criterion().unwrap();
                    let met = blocking_faults(cube(n), &mut broken.clone(), &criterion, Pair { from, to });
                    BTreeSet::from_iter(met.expect("live ends"))
                };
                let [up, dp, mix] = ["up", "dp", "up-dp-mix"].map(of);
                assert!(!up.is_empty() && !dp.is_empty() && mix == &up | &dp, "{from} {to}");
            }
            let better = cut(n, &broken, "up-or-dp");
            assert_eq!(better.counts().cut_off as usize, up.len().min(dp.len()));
            let taken = if dp.len() < up.len() { "dp" } else { "up" };
            assert_eq!(better.criterion(), algorithm(taken).criterion());
            down_is_better += u32::from(taken == "dp");
            for id in ["up-or-dp", "up-or-dp-per-pair", "restricted-up", "up-dp-mix"] {
                let mut counter = PairCounter::new(cube(n), &mut broken.clone(), &algorithm(id)).unwrap();
                while counter.step(3) {}
                assert_eq!((counter.counts(), counter.done()), (cut(n, &broken, id).counts(), counter.destinations()));
                assert!(!counter.step(1));
            }
        }
    }
    assert!(down_is_better > 20);
    assert!(PairCounter::new(cube(15), &mut ManualFaults::default(), &algorithm("up")).is_none());
}

#[test]
fn relabelling_leaves_the_published_pairs() {
    for n in 1..=5 {
        let cube = cube(n);
        for broken in all_links(n) {
            let procedure = Relabelling::for_link(cube, broken).unwrap();
            let left = relabelled_cut_off(cube, &mut ManualFaults::link(broken), &procedure).unwrap();
            assert_eq!(left.pairs().collect::<Vec<_>>(), [Pair { from: broken.from, to: broken.end() }]);
            let found = suggest_relabelling(cube, &mut ManualFaults::link(broken)).unwrap();
            assert_eq!((found.relabelling, found.counts), (procedure, left.counts()));
        }
        for node in (0..1 << n).map(NodeId) {
            let procedure = Relabelling::for_node(cube, node).unwrap();
            assert_eq!((procedure.to_label(node), procedure.to_original(NodeId(0))), (NodeId(0), node));
            let left = relabelled_cut_off(cube, &mut ManualFaults::node(node.0), &procedure).unwrap();
            // Of all N(N-1) pairs, only those with an end at the faulty node are lost.
            let all = (cube.mask() + 1) * cube.mask();
            assert_eq!((left.counts().cut_off, all - left.counts().live), (0, 2 * cube.mask()));
            assert_eq!(node_under_up(cube, procedure.to_label(node)), Some(2 * cube.mask()));
            let found = suggest_relabelling(cube, &mut ManualFaults::node(node.0)).unwrap();
            assert_eq!((found.relabelling, found.found_by), (procedure, SearchMethod::Procedure));
        }
    }
    let nothing = suggest_relabelling(cube(5), &mut ManualFaults::default()).expect("a small cube");
    assert_eq!((nothing.found_by, nothing.counts.cut_off), (SearchMethod::Procedure, 0));
    assert!((0..32).map(NodeId).all(|node| nothing.relabelling.to_label(node) == node));
    let wrong = Relabelling { exchange: Some((0, 200)), flip: 1 << 40, algorithm: algorithm("up") };
    assert_eq!(wrong.to_original(wrong.to_label(NodeId(5))), NodeId(5));
    assert!(relabelled_cut_off(cube(5), &mut ManualFaults::default(), &wrong).is_none());
    assert!(
        Relabelling::for_link(cube(5), link(0, 5)).is_none() && Relabelling::for_node(cube(5), NodeId(32)).is_none()
    );
}

/// A relabelling must stay within the cube, and its algorithm must fit the cube's dimension.
#[test]
fn rejects_labels_outside_the_cube() {
    let cut = |exchange, flip, id: &str| {
        let labels = Relabelling { exchange, flip, algorithm: algorithm(id) };
        assert_eq!(labels.fits(cube(4)), exchange.is_none_or(|(a, b)| a < 4 && b < 4) && flip < 16);
        relabelled_cut_off(cube(4), &mut ManualFaults::default(), &labels).is_some()
    };
    assert!(cut(None, 15, "up") && cut(Some((0, 3)), 0, "dp") && cut(None, 0, "2e+2f"));
    for exchange in [(0, 4), (4, 0), (3, 5), (5, 3), (4, 4)] {
        assert!(!cut(Some(exchange), 0, "up"), "{exchange:?}");
    }
    assert!(!cut(None, 16, "up") && !cut(Some((0, 3)), 16, "up") && !cut(None, 0, "2e+3f"));
    assert!(
        relabelled_cut_off(
            cube(10),
            &mut ManualFaults::default(),
            &Relabelling { exchange: None, flip: 0, algorithm: algorithm("up") }
        )
        .is_some()
    );
    assert!(suggest_relabelling(cube(10), &mut ManualFaults::node(3)).is_some());
}

/// Relabelled faults are at the relabelled positions, seen from either end of a link.
#[test]
fn relabelled_faults_are_at_relabelled_positions() {
    let labels = Relabelling { exchange: Some((1, 3)), flip: 0b0110, algorithm: algorithm("up") };
    for broken in all_links(4) {
        let mut faults = ManualFaults { links: [broken, link(broken.end().0, broken.dim)].into(), nodes: [7].into() };
        let mut seen = Relabelled { faults: &mut faults, labels: &labels };
        assert!(seen.has_link_faults());
        let there = labels.apply_link(broken);
        for link in all_links(4) {
            let same = link.dim == there.dim && (link.from == there.from || link.from == there.end());
            assert_eq!(seen.is_link_faulty(link), same, "{link:?}, {broken:?}");
        }
        // Node 0111 becomes 1101 when bits 1 and 3 are exchanged, and then 1011 when two bits are
        // flipped.
        assert!((0..16).all(|node| seen.is_faulty(NodeId(node)) == (node == 0b1011)));
    }
    let mut none = ManualFaults::default();
    assert!(!Relabelled { faults: &mut none, labels: &labels }.has_link_faults());
}

/// A suggested relabelling cuts off no more pairs than "up-or-dp" without relabelling. The test
/// applies relabellings independently of the library, link by link.
#[test]
fn suggested_relabelling_never_loses_more_pairs() {
    let mut generator = Key::from_seed(11).generator();
    let mut saved = 0;
    for n in [2, 3, 4, 5, 6, 7, 8] {
        for _ in 0..12 {
            let broken = ManualFaults::draw(n, &mut generator);
            let found = suggest_relabelling(cube(n), &mut broken.clone()).unwrap();
            let new = found.relabelling;
            let relabelled = ManualFaults {
                nodes: broken.nodes.iter().map(|&node| new.to_label(NodeId(node)).0).collect(),
                links: broken.links.iter().map(|&link| new.apply_link(link)).collect(),
            };
            let there = cut(n, &relabelled, &new.algorithm.id);
            let here = relabelled_cut_off(cube(n), &mut broken.clone(), &new).unwrap();
            assert_eq!((here.counts(), there.counts()), (found.counts, found.counts));
            assert!(
                there
                    .pairs()
                    .all(|pair| here.contains(Pair { from: new.to_original(pair.from), to: new.to_original(pair.to) }))
            );
            let without = cut(n, &broken, "up-or-dp").counts().cut_off;
            assert!(
                found.counts.cut_off <= without && found.counts.cut_off >= cut(n, &broken, "minimal").counts().cut_off
            );
            saved += without - found.counts.cut_off;
            if n <= 4 {
                let every = |top| (0..1 << n).flat_map(move |flip| ["up", "dp"].map(|id| (top, flip, id)));
                let best = (0..n).flat_map(every).map(|(top, flip, id)| {
                    let new = Relabelling { exchange: Some((top, n - 1)), flip, algorithm: algorithm(id) };
                    let changes = flip.count_ones() + u32::from(top != n - 1);
                    (relabelled_cut_off(cube(n), &mut broken.clone(), &new).unwrap().counts().cut_off, changes)
                });
                let (least, changes) = best.min().unwrap();
                assert_eq!(least, found.counts.cut_off);
                if found.found_by == SearchMethod::Exhaustion {
                    // Among equally good relabellings, the one with the fewest changes is
                    // suggested.
                    assert_eq!(
                        changes,
                        new.flip.count_ones() + u32::from(new.exchange.is_some()),
                        "{new:?} {broken:?}"
                    );
                }
            }
        }
    }
    assert!(saved > 1000, "{saved}");
    assert!(suggest_relabelling(cube(11), &mut ManualFaults::default()).is_none());
}

/// Share of pairs without a path under both UP and DP, in the 5-cube with random faulty links. The
/// expected numbers come from an independent program. For a single link, only the pair of its ends
/// is lost.
#[test]
fn up_or_dp_per_pair_is_as_good_as_published() {
    let bound = algorithm("up-or-dp-per-pair");
    let all: Vec<_> = all_links(5).collect();
    let share = |broken: &[Link]| {
        let mut counter = PairCounter::new(
            cube(5),
            &mut ManualFaults { links: broken.iter().copied().collect(), ..ManualFaults::default() },
            &bound,
        );
        let counter = counter.as_mut().expect("a criterion");
        while counter.step(u64::MAX) {}
        counter.counts().share().expect("pairs")
    };
    for &link in &all {
        assert_eq!(share(&[link]), 1.0 / 992.0);
    }
    let mut generator = Key::from_seed(5).generator();
    for (links, expected) in [(1, 0.00101), (2, 0.00214), (4, 0.00477), (8, 0.01159)] {
        let trials = 4_000;
        let shares: Vec<_> = (0..trials)
            .map(|_| {
                let mut broken = BTreeSet::new();
                while broken.len() < links {
                    broken.insert(all[below(&mut generator, all.len() as u32) as usize]);
                }
                share(&broken.into_iter().collect::<Vec<_>>())
            })
            .collect();
        let mean = shares.iter().sum::<f64>() / f64::from(trials);
        let variance = shares.iter().map(|share| (share - mean) * (share - mean)).sum::<f64>() / f64::from(trials);
        // Four standard errors, and half a unit of the last expected digit.
        let off = 4.0 * (variance / f64::from(trials)).sqrt() + 0.000_005;
        assert!((mean - expected).abs() <= off, "{links} links: {mean} is not {expected} +- {off}");
    }
}

/// Beyond six dimensions the search is heuristic, but for two or three faults it still finds the
/// best relabelling.
#[test]
fn heuristic_search_finds_the_best_relabelling() {
    let n = 7;
    let mut generator = Key::from_seed(17).generator();
    for (nodes, links) in [(2, 0), (0, 2), (1, 1), (3, 0), (0, 3), (2, 1)] {
        let mut draw = |below_this| u64::from(below(&mut generator, below_this));
        let broken = ManualFaults {
            nodes: (0..nodes).map(|_| draw(1 << n)).collect(),
            links: (0..links).map(|_| link(draw(1 << n), draw(n.into()) as u8)).collect(),
        };
        let found = suggest_relabelling(cube(n), &mut broken.clone()).unwrap();
        // DP equals UP with all bits flipped, so it need not be tried.
        let every = (0..n).flat_map(|top| (0..1 << n).map(move |flip| (top, flip)));
        let least = every.map(|(top, flip)| {
            let new = Relabelling { exchange: Some((top, n - 1)), flip, algorithm: algorithm("up") };
            relabelled_cut_off(cube(n), &mut broken.clone(), &new).unwrap().counts().cut_off
        });
        assert_eq!((Some(found.counts.cut_off), found.found_by), (least.min(), SearchMethod::Heuristic), "{broken:?}");
    }
}

/// Without pairs there is no share. A pair with a faulty or invalid end has no list of obstacles.
#[test]
fn share_is_none_without_pairs() {
    assert_eq!(PairCounts::default().share(), None);
    assert_eq!(PairCounts { live: 8, cut_off: 2 }.share(), Some(0.25));
    let up = algorithm("up").criterion().unwrap();
    let met = |from, to| blocking_faults(cube(3), &mut ManualFaults::node(5), &up, pair(from, to));
    assert_eq!((met(5, 0), met(0, 5), met(8, 0), met(0, 8)), (None, None, None, None));
    assert!(met(0, 7).is_some());
    // The largest cube with an answer, and the smallest cube without one.
    let none = |n| cut_off(cube(n), &mut ManualFaults::default(), &algorithm("e-cube")).map(|cut| cut.counts());
    assert_eq!(none(10), Some(PairCounts { live: 1024 * 1023, cut_off: 0 }));
    assert_eq!(none(11), None);
}
