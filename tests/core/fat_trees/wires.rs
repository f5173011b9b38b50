//! Dead wires.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::fault::LiveWires;
use faultlab::random::Key;
use faultlab::routing::fat_tree::Greedy;
use faultlab::switching::delivery::{Delivery, DeliveryOutcome, DeliveryTerms, SurvivorPolicy, Undeliverable};
use faultlab::theory::fat_tree::{LoadFactor, deliverable_fraction};
use faultlab::topology::fat_tree::ChannelPlace;

use super::{list, messages, tree};
use crate::common::assert_share;

fn drawn(tree: faultlab::topology::fat_tree::FatTree, p: f64, seed: u64) -> LiveWires {
    LiveWires::drawn(tree.channels(), p, Key::from_seed(seed)).expect("few wires")
}

/// Rule 15: the exact curve against simulation.
#[test]
fn the_deliverable_share_of_a_random_permutation() {
    for (n, profile, p) in
        [(64, "standard", 0.1), (64, "standard", 0.3), (32, "skinny", 0.05), (64, "volume", 0.2), (16, "doubling", 0.5)]
    {
        let tree = tree(n, profile);
        let shares: Vec<f64> = (0..1000)
            .map(|seed| {
                let live = drawn(tree, p, 2 * seed);
                let set = messages(n, "random", 2 * seed + 1);
                set.ends().iter().filter(|ends| live.is_deliverable(ends[0], ends[1])).count() as f64 / n as f64
            })
            .collect();
        let mean = shares.iter().sum::<f64>() / 1000.0;
        let variance = shares.iter().map(|share| (share - mean) * (share - mean)).sum::<f64>() / 999.0;
        let (exact, error) = (deliverable_fraction(tree, p), libm::sqrt(variance / 1000.0));
        assert!((mean - exact).abs() < 3.3 * error, "{profile}, p = {p}: {mean} +- {error}, exact {exact}");
    }
    assert_eq!(deliverable_fraction(tree(64, "standard"), 0.0), 1.0);
    assert_eq!(deliverable_fraction(tree(64, "standard"), 1.0), 1.0 / 64.0);
    // Two processors: half stay at home, half need two wires.
    assert!((deliverable_fraction(tree(2, "skinny"), 0.25) - (0.5 + 0.5 * 0.5625)).abs() < 1e-15);
}

#[test]
fn every_wire_is_dead_with_its_probability() {
    let tree = tree(64, "doubling");
    let dead: u64 = (0..20).map(|seed| drawn(tree, 0.3, seed).dead()).sum();
    assert_share(dead, 20 * tree.wires(), 0.3);
    assert_eq!((drawn(tree, 0.0, 1).dead(), drawn(tree, 1.0, 1).dead()), (0, tree.wires()));
    let (few, many) = (drawn(tree, 0.1, 1), drawn(tree, 0.2, 1));
    assert!(tree.channels().all().all(|channel| many.capacity(channel) <= few.capacity(channel)), "nested");
    for p in [-0.1, 1.1, f64::NAN] {
        assert_eq!(LiveWires::drawn(tree.channels(), p, Key::from_seed(1)), None);
    }
}

#[test]
fn too_many_wires_are_refused_before_they_are_drawn() {
    let huge = tree(1 << 20, "constant:16777216");
    assert_eq!(LiveWires::drawn(huge.channels(), 0.1, Key::from_seed(1)), None);
}

/// Capacities drop to the live wires; a channel without one cuts its messages off.
#[test]
fn channels_are_what_is_left_of_them() {
    let tree = tree(4, "custom:2,2,2");
    let channel =
        |down, height, node| tree.channels().at(ChannelPlace { height, node, wire: 0, down }).expect("a channel");
    let (thin, dead) = (channel(false, 1, 0), channel(true, 0, 3));
    let live = LiveWires::without(tree.channels(), &[thin, dead, dead, dead]).expect("channels of the tree");
    assert_eq!((live.dead(), live.capacity(thin), live.capacity(dead)), (3, 1, 0));
    assert!(!live.is_deliverable(0, 3) && live.is_deliverable(3, 0) && live.is_deliverable(3, 3));
    let set = list(4, &[(0, 2), (0, 3), (1, 2)]);
    let load = LoadFactor::on_live(&live, set.ends());
    assert_eq!((load.value(), load.channel().map(|place| place.height)), (2.0, Some(1)));
    let run = |undeliverable| {
        let terms = DeliveryTerms {
            live: Some(live.clone()),
            undeliverable,
            ..DeliveryTerms::new(tree.channels(), SurvivorPolicy::Alternate)
        };
        let mut run =
            Delivery::new(terms, set.clone(), Box::new(Greedy), Key::from_seed(1)).expect("messages of this tree");
        let outcome = run.run_until(100).expect("an end");
        (outcome, run.counts().completion, run.counts().transmissions)
    };
    let delivered = DeliveryOutcome::Delivered { undeliverable: 1 };
    assert_eq!(run(Undeliverable::Known), (delivered, 2, 3));
    assert_eq!(run(Undeliverable::Sent), (delivered, 2, 5));
    assert_eq!(delivered.to_string(), "all messages delivered but 1 that dead wires cut off");
}

/// A message that cannot arrive may block those that can for ever, if their sources do not know.
#[test]
fn a_hopeless_message_can_starve_others() {
    let tree = tree(4, "skinny");
    let dead = tree.channels().at(ChannelPlace { height: 0, node: 3, wire: 0, down: true }).expect("a channel");
    let live = LiveWires::without(tree.channels(), &[dead]).expect("a channel of the tree");
    let outcome = |policy| {
        let undeliverable = Undeliverable::Sent;
        let terms =
            DeliveryTerms { live: Some(live.clone()), undeliverable, ..DeliveryTerms::new(tree.channels(), policy) };
        let set = list(4, &[(0, 3), (0, 1)]);
        Delivery::new(terms, set, Box::new(Greedy), Key::from_seed(1)).expect("messages of this tree").run_until(100)
    };
    assert!(matches!(outcome(SurvivorPolicy::Left), Some(DeliveryOutcome::Stuck { left: 2, .. })));
    for policy in [SurvivorPolicy::Alternate, SurvivorPolicy::Random] {
        assert_eq!(outcome(policy), Some(DeliveryOutcome::Delivered { undeliverable: 1 }));
    }
}
