//! Tests of node-disjoint paths: Theorem 4.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::collections::BTreeSet;

use faultlab::theory::{FreeLinks, disjoint_count, disjoint_paths, is_permitted};
use faultlab::topology::NodeId;

use super::enumeration::{FREE, algorithm, all_paths, pair};
use crate::common::cube;

/// Returns the maximum number of node-disjoint paths over the hops of `paths`, found by augmenting
/// paths. A node x is split into 2x, where paths enter, and 2x + 1, where they leave.
fn max_flow(s: u64, d: u64, paths: &[Vec<u64>]) -> u32 {
    let hops = paths.iter().flat_map(|path| path.windows(2).map(|hop| (2 * hop[0] + 1, 2 * hop[1])));
    let inner = paths.iter().flat_map(|path| &path[1..path.len() - 1]).map(|node| (2 * node, 2 * node + 1));
    let mut open: BTreeSet<(u64, u64)> = hops.chain(inner).collect();
    fn augment(open: &mut BTreeSet<(u64, u64)>, seen: &mut BTreeSet<u64>, at: u64, to: u64) -> bool {
        if at == to {
            return true;
        }
        let next: Vec<_> = open.range((at, 0)..=(at, u64::MAX)).map(|arc| arc.1).collect();
        next.into_iter().any(|next| {
            let through = seen.insert(next) && augment(open, seen, next, to);
            if through {
                open.remove(&(at, next));
                open.insert((next, at));
            }
            through
        })
    }
    (0..).take_while(|_| augment(&mut open, &mut BTreeSet::new(), 2 * s + 1, 2 * d)).count() as u32
}

#[test]
fn theorem_4_agrees_with_max_flow() {
    for n in 3..=5 {
        for (id, free) in ["e-cube", "up", "dp", "minimal"].into_iter().zip(FREE) {
            let criterion = algorithm(id).criterion().unwrap();
            for ((s, d), permitted) in all_paths(n, id) {
                let ends = pair(s, d);
                let count = disjoint_count(cube(n), ends, free).unwrap();
                assert_eq!(count, max_flow(s, d, &permitted), "{s} to {d}, {id}");
                let paths = disjoint_paths(cube(n), ends, free).unwrap();
                assert_eq!(paths.len() as u32, count);
                let mut inner = BTreeSet::new();
                for path in paths {
                    let plain: Vec<_> = path.iter().map(|node| node.0).collect();
                    assert!(permitted.contains(&plain) && is_permitted(&criterion, &path));
                    assert!(path[1..path.len() - 1].iter().all(|node| inner.insert(*node)), "{s} to {d}, {id}");
                }
            }
        }
    }
    assert_eq!(disjoint_count(cube(64), pair(0, !0), FreeLinks::Up), Some(64));
    assert_eq!(disjoint_paths(cube(64), pair(!0, 0), FreeLinks::Up).unwrap().len(), 1);
    assert_eq!(
        (disjoint_count(cube(3), pair(1, 1), FreeLinks::Up), disjoint_count(cube(3), pair(1, 8), FreeLinks::Up)),
        (Some(0), None)
    );
    assert!(!is_permitted(&algorithm("minimal").criterion().unwrap(), &[]));
    assert!(!is_permitted(&algorithm("minimal").criterion().unwrap(), &[0, 3].map(NodeId)));
}

/// Erratum of section IV: UP allows more than one path "unless the distance between S and D is one
/// or the number of up-links is zero". It also allows only one path if the single up-link is the
/// lowest required link.
#[test]
fn when_up_allows_one_path_only() {
    let several = |up: u64, required: u64| up & required & (required - 1) != 0;
    let mut against_the_text = 0;
    for ((s, d), paths) in all_paths(5, "up") {
        assert_eq!(paths.len() > 1, several(d, s ^ d));
        against_the_text += u32::from(paths.len() == 1 && (s ^ d).count_ones() > 1 && !s & d != 0);
    }
    // The lowest required dimension i leads up. Each dimension above agrees in either of two ways
    // or leads down, and at least one leads down.
    let counted = (0..5).map(|i| (3u32.pow(4 - i) - 2u32.pow(4 - i)) << i).sum::<u32>();
    assert_eq!((against_the_text, counted), (131, 131));
}
