//! Tests of the second universal network (Fig. 8).

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::collections::{BTreeMap, BTreeSet};

use faultlab::fault::LiveWires;
use faultlab::random::Key;
use faultlab::routing::fat_tree::{Greedy, RandomPrime};
use faultlab::switching::delivery::{
    CycleResult, DeliveryConfig, DeliveryError, DeliveryOutcome, DeliveryRun, SurvivorPolicy,
};
use faultlab::theory::fat_tree::LoadFactor;
use faultlab::topology::fat_tree::{ChannelLocation, FatTreeError, SecondNetwork};
use faultlab::traffic::MessageSet;

use super::{list, messages, random_messages, tree};
use crate::common::assert_close;

fn run(network: SecondNetwork, set: MessageSet, policy: SurvivorPolicy, seed: u64) -> DeliveryRun {
    let config = DeliveryConfig::new(network.channels(), policy);
    let prime = RandomPrime::repeated(network.processors());
    DeliveryRun::new(config, set, Box::new(prime), Key::from_seed(seed)).expect("messages of this network")
}

/// Returns the networks of 64 processors in the plane and in space.
fn networks() -> [SecondNetwork; 2] {
    [SecondNetwork::new(64).expect("a power of four"), SecondNetwork::new_in_space(64).expect("a power of eight")]
}

/// Returns the wires of a message by the definition of Fig. 8. In the plane, a group at level j has
/// 2^j up and 2^j down wires; the message takes the wire numbered by the first j of its random bits.
/// In space, groups have 4^j wires, and the bits are pairs. Computed from digits of the address and
/// bit prefixes as text.
fn wires(network: SecondNetwork, ends: [u32; 2], bits: u32) -> Vec<(bool, ChannelLocation)> {
    let (levels, dimensions) = (usize::from(network.levels()), usize::from(network.dimensions()));
    let children = 1 << dimensions;
    let digits = |end: u32| {
        (0..levels).rev().map(|digit| (end >> (dimensions * digit) & (children - 1)).to_string()).collect::<String>()
    };
    let prefix: String = format!("{bits:020b}")[20 - (dimensions - 1) * levels..].to_owned();
    let (from, to) = (digits(ends[0]), digits(ends[1]));
    let shared = from.bytes().zip(to.bytes()).take_while(|(a, b)| a == b).count();
    let place = |down, end: &str, level: usize| {
        let node = u32::from_str_radix(&format!("0{}", &end[..levels - level]), children).expect("digits");
        let wire = u32::from_str_radix(&format!("0{}", &prefix[..(dimensions - 1) * level]), 2).expect("bits");
        (down, ChannelLocation { height: level as u8, node, wire, down })
    };
    let up = (0..levels - shared).map(|level| place(false, &from, level));
    up.chain((0..levels - shared).rev().map(|level| place(true, &to, level))).collect()
}

/// Under `drop-all` the order of messages has no effect: on every level, a message that shares its
/// wire is lost.
#[test]
fn cycles_agree_with_definition() {
    for seed in 0..80 {
        let (level, in_space) = (1 + seed % 3, seed % 4 == 0);
        let network = match in_space {
            true => SecondNetwork::new_in_space(1 << (3 * level)).expect("a power of eight"),
            false => SecondNetwork::new(1 << (2 * level)).expect("a power of four"),
        };
        let (n, levels, second) = (u64::from(network.processors()), usize::from(network.levels()), network);
        let mut run = run(network, random_messages(n, 2 * n, false, seed), SurvivorPolicy::DropAll, seed);
        for _ in 0..20 {
            run.step();
            let network = run.concentrators();
            let paths: Vec<_> = network
                .sent()
                .iter()
                .map(|&message| wires(second, run.messages().ends()[message as usize], network.wire_bits(message)))
                .collect();
            let mut fates = vec![CycleResult::Arrived; paths.len()];
            let order = (0..levels).map(|level| (false, level)).chain((0..levels).rev().map(|level| (true, level)));
            for (down, level) in order {
                let mut met = BTreeMap::<u32, Vec<usize>>::new();
                for (place, path) in paths.iter().enumerate().filter(|(place, _)| fates[*place] == CycleResult::Arrived)
                {
                    for (_, wire) in path.iter().filter(|(to, wire)| *to == down && usize::from(wire.height) == level) {
                        met.entry(network.channels().channel_at(*wire).expect("a wire").0).or_default().push(place);
                    }
                }
                for (wire, together) in met {
                    let channel = faultlab::topology::fat_tree::TreeChannel(wire);
                    assert_eq!(network.contenders(channel) as usize, together.len());
                    if together.len() > 1 {
                        together.into_iter().for_each(|place| fates[place] = CycleResult::Lost(channel));
                    }
                }
            }
            for (fate, &message) in fates.into_iter().zip(network.sent()) {
                assert_eq!(run.fate(message), fate, "seed {seed}");
            }
        }
    }
}

#[test]
fn all_messages_arrive_within_the_bound() {
    for pattern in ["random", "bit-reversal", "transpose", "all-to-one:3", "neighbors"] {
        for policy in SurvivorPolicy::ALL {
            for network in networks() {
                let set = messages(64, pattern, 1);
                let lambda = LoadFactor::new(&network.channels(), set.ends()).cycles();
                let mut run = run(network, set, policy, 1);
                assert_eq!(
                    run.run_until(100_000),
                    Some(DeliveryOutcome::Delivered { undeliverable: 0 }),
                    "{pattern}, {policy}"
                );
                assert!(run.counts().completion >= u64::from(lambda));
                // The paper's bound O(lambda lg^2 n), with a constant of 4.
                assert!(
                    run.counts().pseudocode_cycles <= 4 * 36 * u64::from(lambda),
                    "{network:?}, {pattern}, {policy}: {:?}",
                    run.counts()
                );
            }
        }
    }
}

/// The channel structure equals that of the standard fat-tree at every second level (section 6), in
/// space that of the volume-universal tree at every third level.
#[test]
fn load_factors_are_those_of_even_heights() {
    for seed in 0..20 {
        let set = random_messages(64, 100, false, seed);
        let second = LoadFactor::new(&SecondNetwork::new(64).unwrap().channels(), set.ends());
        let standard = tree(64, "custom:1,99,2,99,4,99");
        assert_eq!(second.value(), LoadFactor::new(&standard.channels(), set.ends()).value());
        let space = LoadFactor::new(&SecondNetwork::new_in_space(64).unwrap().channels(), set.ends());
        let volume = tree(64, "custom:1,99,99,4,99,99");
        assert_eq!(space.value(), LoadFactor::new(&volume.channels(), set.ends()).value());
    }
}

#[test]
fn wire_bits_are_uniform_per_send() {
    let mut counts = [0u32; 8];
    let network = SecondNetwork::new(64).unwrap();
    let config = DeliveryConfig::new(network.channels(), SurvivorPolicy::DropAll);
    // Two messages that meet at the destination's wire are sent forever.
    let set = list(64, &[(0, 63), (1, 63)]);
    let mut run = DeliveryRun::new(config, set, Box::new(Greedy), Key::from_seed(1)).unwrap();
    for _ in 0..1600 {
        run.step();
        counts[run.concentrators().wire_bits(0) as usize] += 1;
    }
    assert_eq!(run.outcome(), None, "chance might help: it does not claim to be stuck");
    let chi: f64 = counts.iter().map(|&count| libm::pow(f64::from(count) - 200.0, 2.0) / 200.0).sum();
    assert!(chi < 24.3, "chi-square {chi} of 7 degrees of freedom: 0.1 %");
}

/// A message is deliverable if some choice of its bits leads through live wires. The test tries
/// each choice.
#[test]
fn dead_wires_leave_other_choices() {
    for seed in 0..40 {
        let network = networks()[seed as usize % 2];
        let choices = 1 << network.channels().wire_bits();
        let live = LiveWires::sample(network.channels(), 0.25, Key::from_seed(seed)).expect("few wires");
        for &[from, to] in random_messages(64, 50, false, seed).ends() {
            let way = |bits| network.channels().path(from, to, bits).all(|wire| live.capacity(wire) > 0);
            assert_eq!(live.is_deliverable(from, to), (0..choices).any(way), "seed {seed}: {from} to {to}");
        }
    }
}

#[test]
fn rejects_messages_out_of_the_root() {
    let network = SecondNetwork::new(4).unwrap();
    let config = DeliveryConfig::new(network.channels(), SurvivorPolicy::Left);
    let error = DeliveryRun::new(config, list(4, &[(0, MessageSet::OUT)]), Box::new(Greedy), Key::from_seed(1)).err();
    assert_eq!(error, Some(DeliveryError::NoExternal));
}

/// A group of 8^j processors has 4^j wires each way and 4^(j-1) switches, each with eight children
/// and four parents (section 6). Counted by hand for 8, 64 and 512 processors, and for n = 64 from
/// the wires that messages use.
#[test]
fn network_in_space_has_eight_children_and_four_parents() {
    for (n, wires, switches) in [
        (8, 2 * (8 + 4), 1),
        (64, 2 * (64 + 8 * 4 + 16), 8 + 4),
        (512, 2 * (512 + 64 * 4 + 8 * 16 + 64), 64 + 8 * 4 + 16),
    ] {
        let network = SecondNetwork::new_in_space(n).expect("a power of eight");
        assert_eq!((network.wires(), network.switches()), (wires, switches), "n = {n}");
        // n (1 + H)^(3/2), with n = 8^H.
        let levels = f64::from(n.ilog2()) / 3.0;
        assert_close(network.volume().expect("in space"), n as f64 * libm::pow(1.0 + levels, 1.5), 1e-9);
        assert_eq!((network.area(), network.processors(), network.dimensions()), (None, n as u32, 3));
    }
    let channels = SecondNetwork::new_in_space(64).unwrap().channels();
    // A switch of height 1 is one group of eight; its wires up are those above the group.
    let mut used = BTreeMap::<u32, BTreeSet<u32>>::new();
    for from in 0..64 {
        for bits in 0..1 << channels.wire_bits() {
            let path: Vec<_> = channels.path(from, 63 - from, bits).collect();
            used.entry(from / 8).or_default().insert(path[1].0);
        }
    }
    assert!(used.len() == 8 && used.values().all(|wires| wires.len() == 4), "{used:?}");
    assert_eq!(used.values().flatten().collect::<BTreeSet<_>>().len(), 32);
}

#[test]
fn network_in_space_rejects_other_sizes() {
    for n in [0, 1, 4, 16, 32, 1 << 20, 1 << 21, u64::MAX] {
        assert_eq!(SecondNetwork::new_in_space(n), Err(FatTreeError::SpaceProcessors(n)));
    }
    assert_eq!(SecondNetwork::new_in_space(1 << 18).map(SecondNetwork::levels), Ok(6));
}
