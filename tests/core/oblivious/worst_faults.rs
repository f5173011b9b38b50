//! Tests of the worst one, two and three faults, and of the most affected pair.

use faultlab::fault::{ActiveSet, FaultyNodes, Tolerance};
use faultlab::routing::oblivious::{AlgorithmA, AlgorithmB, ObliviousRouting};
use faultlab::theory::oblivious::{inactive_of_one_fault, worst_faults, worst_pair};
use faultlab::topology::NodeId;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::cube;

const THESIS: Tolerance = Tolerance::Thesis;

#[test]
fn single_faults_all_match_the_closed_form() {
    for n in 3..=16 {
        let worst = worst_faults(cube(n), false, 1, THESIS, 1).unwrap();
        assert_eq!(u64::from(worst.active), (1 << n) - inactive_of_one_fault(n), "n = {n}");
    }
    for node in 0..64 {
        let faulty = FaultyNodes::from_nodes(cube(6), [NodeId(node)]).unwrap();
        assert_eq!(ActiveSet::algorithm_a(faulty, THESIS).count(), 36);
    }
}

/// Compares the table-based search with all sets, whichever nodes they contain.
#[test]
fn finds_the_worst_two_and_three_faults() {
    let active = |n, nodes: &[u64], squares: bool| {
        let faulty = FaultyNodes::from_nodes(cube(n), nodes.iter().copied().map(NodeId)).unwrap();
        let b = squares.then(|| ActiveSet::algorithm_b(faulty.clone(), THESIS).unwrap());
        b.unwrap_or_else(|| ActiveSet::algorithm_a(faulty, THESIS)).count()
    };
    for (n, squares) in [(4, false), (5, false), (6, false), (6, true), (7, true)] {
        let nodes = 1 << n;
        let pairs = (0..nodes).flat_map(|one| (0..one).map(move |two| [one, two]));
        let least = pairs.clone().map(|pair| active(n, &pair, squares)).min();
        let worst = worst_faults(cube(n), squares, 2, THESIS, u64::MAX).unwrap();
        assert_eq!(Some(worst.active), least, "n = {n}");
        let found: Vec<_> = worst.nodes.iter().map(|node| node.0).collect();
        assert_eq!(active(n, &found, squares), worst.active);
        if n <= 6 {
            let triples = pairs.flat_map(|[one, two]| (0..two).map(move |three| [one, two, three]));
            let least = triples.map(|triple| active(n, &triple, squares)).min();
            assert_eq!(Some(worst_faults(cube(n), squares, 3, THESIS, u64::MAX).unwrap().active), least, "n = {n}");
        }
    }
    assert_eq!(
        worst_faults(cube(8), false, 2, THESIS, u64::MAX).map(|worst| (worst.active, worst.evaluated_sets)),
        Some((144, 255))
    );
    assert_eq!(
        worst_faults(cube(8), false, 3, THESIS, u64::MAX).map(|worst| (worst.active, worst.evaluated_sets)),
        Some((100, 32_385))
    );
    assert_eq!(
        (worst_faults(cube(8), false, 2, THESIS, 254), worst_faults(cube(8), false, 4, THESIS, 1 << 40)),
        (None, None)
    );
    assert_eq!((worst_faults(cube(2), true, 1, THESIS, 9), worst_faults(cube(1), false, 3, THESIS, 9)), (None, None));
    // A set may contain as many faults as there are nodes, but not more.
    let found =
        |n, count| worst_faults(cube(n), false, count, THESIS, 9).map(|worst| (worst.active, worst.evaluated_sets));
    assert_eq!((found(1, 1), found(1, 2), found(1, 3)), (Some((0, 1)), Some((0, 1)), None));
    assert_eq!(found(2, 3), Some((0, 3)));
    for (n, count) in (2..=5).flat_map(|n| [(n, 1), (n, 2), (n, 3)]) {
        let mut nodes = worst_faults(cube(n), false, count, THESIS, u64::MAX).unwrap().nodes;
        nodes.sort_unstable();
        nodes.dedup();
        assert_eq!(nodes.len() as u32, count, "n = {n}: as many faults as are asked for");
    }
    // Squares have four nodes each. A fault deactivates as many of the 64 squares of the 8-cube as
    // nodes of the 6-cube.
    let squares = worst_faults(cube(8), true, 1, THESIS, 1).unwrap();
    assert_eq!(u64::from(squares.active), 4 * (64 - inactive_of_one_fault(6)));
}

/// Counts the intermediate nodes of every pair directly: both legs must be fault-free. Below n = 8
/// no route is too long.
#[test]
fn worst_pair_has_the_fewest_intermediates() {
    let faulty = FaultyNodes::from_nodes(cube(6), [NodeId(9)]).unwrap();
    let routing = AlgorithmA::new(faulty.clone(), Tolerance::Share(0.2));
    let clear = |from: NodeId, to: NodeId| faulty.first_faulty_on_path(from, to).is_none();
    let active: Vec<_> = (0..64).map(NodeId).filter(|&node| routing.is_active(node)).collect();
    let choice =
        |from: NodeId, to: NodeId| (0..64).map(NodeId).filter(|&via| clear(from, via) && clear(via, to)).count() as u64;
    let all: Vec<_> = active.iter().flat_map(|&from| active.iter().map(move |&to| (from, to))).collect();
    let least = all.iter().map(|&(from, to)| choice(from, to)).min().unwrap();
    let worst = worst_pair(&routing, u64::MAX).unwrap();
    assert_eq!((worst.choice, worst.pairs), (least, all.len() as u64));
    assert_eq!(choice(worst.from, worst.to), least);
    assert_eq!(worst.ties, all.iter().filter(|&&(from, to)| choice(from, to) == least).count() as u64);
    assert_eq!((worst_pair(&routing, worst.pairs), worst_pair(&routing, worst.pairs - 1)), (Some(worst), None));
    let whole = AlgorithmB::new(FaultyNodes::empty(cube(6)).unwrap(), THESIS).unwrap();
    assert_eq!(worst_pair(&whole, u64::MAX).map(|worst| (worst.choice, worst.ties)), Some((16, 4096)));
}

/// 2^32 pairs are too many on 32-bit targets too.
#[test]
fn large_cubes_have_too_many_pairs() {
    let routing = AlgorithmA::new(FaultyNodes::empty(cube(16)).unwrap(), THESIS);
    assert_eq!(worst_pair(&routing, (1 << 32) - 1), None);
}
