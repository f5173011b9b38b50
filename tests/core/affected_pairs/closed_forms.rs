//! Tests of the pairs that a single fault affects: Theorems 2, 3 and 5, Corollary 1, and the e-cube
//! formulas.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::theory::{
    FreeLinks, Relabelling, affected_by_link, affected_by_node, down_link_under_up, link_under_dp, link_under_ecube,
    node_under_dp, node_under_ecube, node_under_up, relabelled_cut_off, transit_under_dp, transit_under_ecube,
    transit_under_up, up_link_under_up, with_ends,
};
use faultlab::topology::NodeId;

use super::enumeration::{FREE, ManualFaults, algorithm, all_links, all_paths, cut, link, pairs_of};
use crate::common::cube;

#[test]
fn closed_forms_agree_with_enumeration() {
    for n in 3..=6 {
        let cube = cube(n);
        for (id, free) in ["e-cube", "up", "dp", "minimal"].into_iter().zip(FREE) {
            assert_eq!(FreeLinks::from_algorithm(&algorithm(id)), Some(free));
            let mut links = vec![0u64; usize::from(n) << n];
            let mut nodes = vec![0u64; 1 << n];
            for (_, paths) in all_paths(n, id) {
                let shared = |hop: &&[u64]| paths.iter().all(|path| path.windows(2).any(|other| other == *hop));
                for hop in paths[0].windows(2).filter(shared) {
                    links[hop[0] as usize * usize::from(n) + (hop[0] ^ hop[1]).trailing_zeros() as usize] += 1;
                }
                for node in &paths[0][1..paths[0].len() - 1] {
                    nodes[*node as usize] += u64::from(paths.iter().all(|path| path.contains(node)));
                }
            }
            for (link, pairs) in all_links(n).zip(links) {
                assert_eq!(affected_by_link(cube, link, free).unwrap().pairs, pairs, "{link} in {n} dimensions, {id}");
            }
            for (node, pairs) in (0..).map(NodeId).zip(nodes) {
                assert_eq!(affected_by_node(cube, node, free).unwrap().pairs, pairs, "{node} in {n} dimensions, {id}");
            }
        }
    }
}

#[test]
fn reproduces_the_papers_examples() {
    let five = cube(5);
    assert_eq!(up_link_under_up(five, link(24, 1)), Some(4));
    assert_eq!(pairs_of(&cut(5, &ManualFaults::link(link(24, 1)), "up")), [(24, 2), (24, 10), (24, 18), (24, 26)]);
    assert_eq!(link_under_ecube(five, link(24, 1)), Some(16));
    assert_eq!(cut(5, &ManualFaults::link(link(24, 1)), "e-cube").counts().cut_off, 16);
    let eight = [(26, 0), (26, 8), (26, 16), (26, 24), (27, 0), (27, 8), (27, 16), (27, 24)];
    assert_eq!(down_link_under_up(five, link(26, 1)), Some(8));
    assert_eq!(pairs_of(&cut(5, &ManualFaults::link(link(26, 1)), "up")), eight);
    let nine = [(8, 3), (9, 3), (10, 1), (10, 3), (10, 9), (12, 3), (13, 3), (14, 3), (15, 3)];
    let node = NodeId(11);
    assert_eq!((transit_under_up(five, node), node_under_up(five, node)), (Some(9), Some(9 + 62)));
    assert_eq!(pairs_of(&cut(5, &ManualFaults::node(11), "up")), nine);
    // 49 transit pairs; (N-1) + nN/2 with the pairs that start or end at the node.
    assert_eq!((transit_under_ecube(five, node), node_under_ecube(five, node)), (Some(49), Some(31 + 80)));
    assert_eq!(cut(5, &ManualFaults::node(11), "e-cube").counts().cut_off, 49);
    assert_eq!(cut(5, &ManualFaults::node(11), "e-cube").counts().live, 31 * 30);
    // Link 26_1 with dimensions 4 and 1 exchanged, under DP: (26, 10) in the new labels.
    let procedure = Relabelling::for_link(five, link(26, 1)).unwrap();
    assert_eq!((procedure.exchange, procedure.flip, &*procedure.algorithm.id), (Some((1, 4)), 0, "dp"));
    assert_eq!(procedure.apply_link(link(26, 1)), link(26, 4));
    assert_eq!((procedure.to_label(NodeId(26)), procedure.to_label(NodeId(24))), (NodeId(26), NodeId(10)));
    let left = relabelled_cut_off(five, &mut ManualFaults::link(link(26, 1)), &procedure).unwrap();
    assert_eq!(pairs_of(&left), [(26, 24)]);
}

#[test]
fn closed_forms_reject_invalid_links_and_nodes() {
    let (three, last) = (cube(3), cube(64));
    assert_eq!((up_link_under_up(three, link(1, 0)), down_link_under_up(three, link(0, 0))), (None, None));
    for (node, dim) in [(8, 0), (0, 3), (0, 64), (0, 255)] {
        for free in FREE {
            assert_eq!(affected_by_link(three, link(node, dim), free), None);
            assert_eq!(affected_by_link(three, link(!0, dim), free), None);
        }
    }
    assert!(FREE.iter().all(|&free| affected_by_node(three, NodeId(8), free).is_none()));
    assert_eq!(link_under_ecube(last, link(!0, 63)), Some(1 << 63));
    assert_eq!(
        (down_link_under_up(last, link(!0, 63)), down_link_under_up(last, link(!0, 0))),
        (Some(1 << 63), Some(1 << 63))
    );
    assert_eq!(link_under_dp(last, link(0, 5)), Some(1 << 63));
    assert_eq!((transit_under_dp(last, NodeId(!0)), node_under_up(last, NodeId(0))), (Some(0), None));
    assert_eq!((transit_under_up(last, NodeId(!0)), with_ends(last, 0)), (None, None));
    assert_eq!((node_under_up(cube(63), NodeId(1)), node_under_dp(three, NodeId(7))), (Some(u64::MAX - 1), Some(14)));
    assert_eq!(
        (node_under_ecube(cube(59), NodeId(0)).unwrap(), node_under_ecube(cube(60), NodeId(0))),
        ((61 << 58) - 1, None)
    );
}
