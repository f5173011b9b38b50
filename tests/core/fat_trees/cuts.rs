//! Tests of Lemma 1: no cut has a higher load factor than the worst channel.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::theory::fat_tree::LoadFactor;
use faultlab::topology::fat_tree::{ChannelLocation, FatTree};

use super::{list, random_messages, random_tree, tree};

/// Returns, for each set of processors, the fewest wires that separate it from the rest, over all
/// assignments of inner nodes to sides.
fn cuts(tree: FatTree) -> Vec<u32> {
    let inner = |node: usize, sides: u32, set: usize| {
        if node < 8 { sides >> node & 1 == 1 } else { set >> (node - 8) & 1 == 1 }
    };
    let cut = |set, sides| {
        let edges = (2..16).filter(|&node: &usize| inner(node, sides, set) != inner(node / 2, sides, set));
        // Of each edge between the sides, one direction leads from the set to the rest.
        edges.map(|node| tree.capacity(3 - node.ilog2() as u8)).sum::<u32>()
    };
    (0..256).map(|set| (0..256u32).step_by(2).map(|sides| cut(set, sides)).min().unwrap_or(0)).collect()
}

#[test]
fn load_factor_equals_maximum_over_cuts() {
    for seed in 0..40 {
        let tree = if seed == 0 { tree(8, "standard") } else { random_tree(8, seed) };
        let cuts = cuts(tree);
        for copy in 0..5 {
            let set = random_messages(8, 1 + 5 * copy, false, 100 * seed + copy);
            let load = |cut: usize| {
                set.ends().iter().filter(|ends| cut >> ends[0] & 1 == 1 && cut >> ends[1] & 1 == 0).count()
            };
            let most = (1..255).map(|cut| load(cut) as f64 / f64::from(cuts[cut])).fold(0.0, f64::max);
            assert_eq!(LoadFactor::new(&tree.channels(), set.ends()).value(), most, "seed {seed}");
        }
    }
}

#[test]
fn load_factor_names_the_worst_channel() {
    let four = tree(4, "skinny");
    let found = LoadFactor::new(&four.channels(), list(4, &[(0, 3), (1, 3), (2, 3)]).ends());
    let place = ChannelLocation { height: 0, node: 3, wire: 0, down: true };
    assert_eq!((found.channel(), found.load(), found.wires(), found.cycles()), (Some(place), 3, 1, 3));
    let none = LoadFactor::new(&four.channels(), list(4, &[(0, 0)]).ends());
    assert_eq!((none.channel(), none.value(), none.cycles()), (None, 0.0, 0));
    let out = LoadFactor::new(
        &tree(4, "custom:9,9,2").channels(),
        list(4, &[(0, u32::MAX), (1, u32::MAX), (3, u32::MAX)]).ends(),
    );
    let root = ChannelLocation { height: 2, node: 0, wire: 0, down: false };
    assert_eq!((out.channel(), out.value(), out.cycles()), (Some(root), 1.5, 2));
}
