//! Tests of fat-trees as topologies.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::collections::BTreeSet;

use faultlab::topology::fat_tree::{FatTree, FatTreeError, Profile, SecondNetwork, TreeChannel, TreeChannels};

use super::tree;

/// A tree has 4n - 2 channels, the external pair at the root included.
#[test]
fn there_are_4n_minus_2_channels() {
    for n in [2, 4, 8, 64, 1024] {
        let tree = tree(n, "standard");
        let all: BTreeSet<_> = tree.channels().iter().collect();
        assert!(all.iter().map(|channel| u64::from(channel.0)).eq(2..4 * n));
        assert_eq!((all.len() as u32, tree.channel_count()), (4 * n as u32 - 2, 4 * n as u32 - 2));
    }
}

#[test]
fn profiles_have_published_capacities() {
    let capacities = |profile| tree(512, profile).capacities().collect::<Vec<_>>();
    assert_eq!(capacities("skinny"), [1; 10]);
    assert_eq!(capacities("doubling"), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
    assert_eq!(capacities("standard"), [1, 1, 2, 2, 4, 4, 8, 8, 16, 16]);
    assert_eq!(capacities("sibling"), [1, 2, 2, 4, 4, 8, 8, 16, 16, 32]);
    assert_eq!(capacities("sqrt2"), [1, 1, 2, 3, 4, 6, 8, 11, 16, 23]);
    assert_eq!(capacities("volume"), [1, 1, 1, 4, 4, 4, 16, 16, 16, 64]);
    assert_eq!(capacities("cbrt4"), [1, 2, 3, 4, 6, 10, 16, 25, 40, 64]);
    assert_eq!(capacities("constant:7"), [7; 10]);
    assert_eq!(tree(8, "custom:3,1,4").capacities().collect::<Vec<_>>(), [3, 1, 4, 4]);
    assert_eq!(tree(8, "custom:3,1,4,9").capacities().collect::<Vec<_>>(), [3, 1, 4, 9]);
    for text in ["skinny", "doubling", "standard", "sibling", "sqrt2", "volume", "cbrt4", "constant:7", "custom:3,1,4"]
    {
        assert_eq!(Profile::parse(text).expect(text).to_string(), text);
    }
    for text in [
        "",
        "thick",
        "constant",
        "constant:0",
        "constant:16777217",
        "custom:",
        "custom:1,,2",
        "custom:1,-1",
        "skinny:1",
    ] {
        assert_eq!(Profile::parse(text), None, "{text}");
    }
    assert_eq!(Profile::parse(&format!("custom:1{}", ",1".repeat(21))), None);
}

#[test]
fn with_capacity_edits_one_level() {
    let edited = tree(64, "standard").with_capacity(2, 5).unwrap().with_capacity(6, 1).unwrap();
    assert_eq!(edited.capacities().collect::<Vec<_>>(), [1, 1, 5, 2, 4, 4, 1]);
    assert_eq!(edited.with_capacity(2, 2).unwrap().with_capacity(6, 8).unwrap(), tree(64, "standard"));
    assert_eq!(edited.with_capacity(7, 1), Err(FatTreeError::Height { height: 7, levels: 6 }));
    assert_eq!(edited.with_capacity(0, 0), Err(FatTreeError::Capacity { height: 0, capacity: 0 }));
}

fn round_trip(channels: TreeChannels) {
    let mut count = 0;
    for channel in channels.iter() {
        let place = channels.location(channel).expect("one of them");
        assert_eq!(channels.channel_at(place), Some(channel));
        assert_eq!((place.down, channel.opposite().opposite()), (channel.is_down(), channel));
        count += 1;
    }
    assert!(
        (0..2 * channels.table_size() as u32)
            .filter(|&number| channels.location(TreeChannel(number)).is_some())
            .count()
            == count
    );
}

#[test]
fn channels_and_places_round_trip() {
    for n in [2, 8, 64] {
        round_trip(tree(n, "volume").channels());
    }
    for n in [4, 16, 256] {
        round_trip(SecondNetwork::new(n).unwrap().channels());
        round_trip(SecondNetwork::new_in_space(1 << (n.ilog2() * 3 / 2)).unwrap().channels());
    }
}

/// Paths lead up from the source to the lowest common ancestor, then down to the destination.
#[test]
fn paths_lead_over_the_lowest_common_ancestor() {
    let channels = tree(8, "standard").channels();
    let path = |from, to| {
        let places = channels.path(from, to, 0).map(|channel| channels.location(channel).expect("a channel"));
        places.map(|place| (if place.down { 'd' } else { 'u' }, place.height, place.node)).collect::<Vec<_>>()
    };
    assert_eq!(path(3, 3), []);
    assert_eq!(path(2, 3), [('u', 0, 2), ('d', 0, 3)]);
    assert_eq!(path(1, 6), [('u', 0, 1), ('u', 1, 0), ('u', 2, 0), ('d', 2, 1), ('d', 1, 3), ('d', 0, 6)]);
    assert_eq!(path(5, u32::MAX), [('u', 0, 5), ('u', 1, 2), ('u', 2, 1), ('u', 3, 0)]);
}

/// Section 2: area n lg^2 n and volume n lg^(3/2) n, up to constants and lower-order terms.
#[test]
fn area_and_volume_follow_section_2() {
    assert_eq!(tree(8, "skinny").wires(), 30);
    assert_eq!(tree(8, "standard").wires(), 2 * (8 + 4 + 2 * 2 + 2));
    assert_eq!(tree(4, "doubling").wires(), 2 * (4 + 4 + 4));
    for n in [64u64, 4096, 1 << 18] {
        let (nodes, lg) = (n as f64, f64::from(n.ilog2()));
        let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 0.1, "n = {n}: {a}, {b}");
        let exact = |height: u8| libm::round(libm::exp2(f64::from(height) / 2.0)) as u32;
        assert!(tree(n, "sqrt2").capacities().enumerate().all(|(height, cap)| cap == exact(height as u8)));
        close(tree(n, "sqrt2").area(), nodes * (lg + 1.0) * (lg + 1.0));
        close(tree(n, "cbrt4").volume(), nodes * libm::pow(lg + 1.0, 1.5));
        assert!(tree(n, "standard").area() < tree(n, "sqrt2").area());
        assert!(tree(n, "volume").volume() < tree(n, "cbrt4").volume());
    }
    let second = SecondNetwork::new(16).unwrap();
    // 16 leaf wires, 4 groups of 2 wires, and 4 wires at the top, in both directions. Each group
    // has a switch, and the top has two.
    assert_eq!((second.wires(), second.switches(), second.area()), (2 * (16 + 8 + 4), 4 + 2, Some(144.0)));
}

#[test]
fn accepts_largest_and_smallest_trees() {
    for n in [2, 1 << 20] {
        let tree = FatTree::new(n, &Profile::Doubling).unwrap();
        assert_eq!((u64::from(tree.processors()), u64::from(tree.capacity(tree.levels()))), (n, n));
        assert_eq!(tree.capacity(tree.levels() + 1), 0);
    }
    assert_eq!(SecondNetwork::new(1 << 20).unwrap().levels(), 10);
}
