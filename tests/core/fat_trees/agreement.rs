//! Tests of the engine against the naive simulator, and of invariants of every cycle.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::fault::LiveWires;
use faultlab::random::Key;
use faultlab::switching::delivery::{
    CycleResult, DeliveryConfig, DeliveryOutcome, DeliveryRun, SurvivorPolicy, Undeliverable,
};
use faultlab::theory::fat_tree::LoadFactor;
use faultlab::topology::fat_tree::{ChannelLocation, FatTree};

use super::naive::{ChannelPosition, Network};
use super::{algorithms, random_messages, random_tree, start, tree};

const CERTAIN: [SurvivorPolicy; 4] =
    [SurvivorPolicy::Left, SurvivorPolicy::Alternate, SurvivorPolicy::DropAll, SurvivorPolicy::DropFixed];

/// Compares the last cycle of a run with the naive simulator's.
fn compare(run: &DeliveryRun, policy: SurvivorPolicy, levels: u8, case: &str) {
    let network = run.concentrators();
    let channel = |(down, height, node): ChannelPosition| {
        network.channels().channel_at(ChannelLocation { height, node, wire: 0, down }).expect("a channel of the tree")
    };
    let capacity = |place| network.capacity(channel(place));
    let naive = Network { levels, capacity: &capacity, policy, cycle: run.cycle(), ends: run.messages().ends() }
        .cycle(network.sent());
    let mut arrived = network.arrived().to_vec();
    arrived.sort_unstable();
    assert_eq!(arrived, naive.arrived, "{case}");
    for message in 0..run.messages().len() {
        let expected = match naive.lost.get(&message) {
            Some(&place) => CycleResult::Lost(channel(place)),
            None if naive.arrived.contains(&message) => CycleResult::Arrived,
            None => CycleResult::NotSent,
        };
        assert_eq!(run.fate(message), expected, "{case}: message {message}");
    }
    for place in network.channels().iter() {
        let ChannelLocation { height, node, down, .. } =
            network.channels().location(place).expect("a channel of the tree");
        let contenders = naive.contenders.get(&(down, height, node)).copied().unwrap_or(0);
        assert_eq!(network.contenders(place), contenders, "{case}: {place:?}");
    }
}

#[test]
fn cycles_agree_with_naive_simulator() {
    for seed in 0..400 {
        let n = 2 << (seed % 5);
        let policy = CERTAIN[seed as usize % 4];
        let (algorithm, _) = algorithms()[seed as usize / 4 % 5];
        let tree = if seed % 7 == 0 { tree(n, "standard") } else { random_tree(n, seed) };
        let set = random_messages(n, 1 + seed % (3 * n), seed % 2 == 0, seed);
        let mut run = start(algorithm, tree, set, policy, seed);
        let case = format!("seed {seed}, n = {n}, {algorithm:?}, {policy}");
        while run.outcome().is_none() && run.cycle() < 60 {
            run.step();
            compare(&run, policy, tree.levels(), &case);
        }
    }
}

#[test]
fn agrees_with_naive_simulator_with_dead_wires() {
    for seed in 0..100 {
        let n = 4 << (seed % 4);
        let (tree, policy) = (random_tree(n, seed), CERTAIN[seed as usize % 4]);
        let live = LiveWires::sample(tree.channels(), 0.2, Key::from_seed(seed)).expect("few wires");
        let (_, undeliverable) = (seed, Undeliverable::ALL[seed as usize / 4 % 2]);
        let config = DeliveryConfig { channels: tree.channels(), live: Some(live), policy, undeliverable };
        let greedy = (algorithms()[0].1.start)(
            &faultlab::routing::fat_tree::ScheduleConstants::new(1.0, 1.0, 1.0).unwrap(),
            n as u32,
        );
        let mut run =
            DeliveryRun::new(config, random_messages(n, 2 * n, true, seed), greedy, Key::from_seed(seed)).unwrap();
        while run.outcome().is_none() {
            run.step();
            if run.cycle() > 0 {
                compare(&run, policy, tree.levels(), &format!("seed {seed}"));
            }
            assert!(run.cycle() < 1000);
        }
        let lost = run.arrived().iter().filter(|&&cycle| cycle == 0).count() as u32;
        match run.outcome() {
            Some(DeliveryOutcome::Delivered { undeliverable }) => {
                assert_eq!((undeliverable, lost), (run.undeliverable(), lost))
            }
            outcome => assert!(lost > run.undeliverable(), "{outcome:?}"),
        }
    }
}

/// Invariants: no run takes fewer cycles than the load factor. Sent messages arrive or are lost,
/// arrived messages are not sent again, and no channel exceeds its capacity.
#[test]
fn counts_are_consistent() {
    for seed in 0..200 {
        let n = 2 << (seed % 6);
        let policy = SurvivorPolicy::ALL[seed as usize % 5];
        let (algorithm, _) = algorithms()[1 + seed as usize / 5 % 3];
        let tree = random_tree(n, seed);
        let set = random_messages(n, 4 * n, false, seed);
        let bound = LoadFactor::new(&tree.channels(), set.ends()).cycles();
        let mut run = start(algorithm, tree, set, policy, seed);
        let (mut sent, mut busy) = (0, 0);
        while run.outcome().is_none() {
            run.step();
            let network = run.concentrators();
            sent += network.sent().len() as u64;
            busy += u64::from(!network.sent().is_empty());
            for channel in network.channels().iter() {
                let (came, wires) = (network.contenders(channel), network.capacity(channel));
                let none = came > wires && policy.drops_all();
                assert_eq!(network.survivors(channel), if none { 0 } else { came.min(wires) });
            }
            assert!(network.sent().is_sorted_by(|a, b| a < b));
            assert!(run.cycle() < 1_000_000);
        }
        let counts = run.counts();
        assert_eq!(run.outcome(), Some(DeliveryOutcome::Delivered { undeliverable: 0 }));
        assert_eq!((counts.transmissions, counts.sending_cycles), (sent, busy));
        assert_eq!(counts.delivered, run.messages().len());
        assert_eq!(counts.completion, run.arrived().iter().copied().max().map_or(0, u64::from));
        assert_eq!(counts.arrival_sum, run.arrived().iter().map(|&cycle| u64::from(cycle)).sum::<u64>());
        assert!(
            counts.completion >= u64::from(bound)
                && counts.pseudocode_cycles >= counts.completion
                && counts.sending_cycles <= counts.completion
        );
    }
}

/// Random survivors: every pair of five contenders is equally likely, also if they come over
/// several channels.
#[test]
fn random_survivors_are_a_uniform_subset() {
    let sources = |tree: FatTree, pairs: &[(u32, u32)], ways: usize, degrees: f64| {
        let mut counts = std::collections::BTreeMap::<Vec<u32>, u32>::new();
        for seed in 0..4000 {
            let mut run = super::greedy(tree, super::list(8, pairs), SurvivorPolicy::Random, seed);
            run.step();
            let mut arrived = run.concentrators().arrived().to_vec();
            arrived.sort_unstable();
            *counts.entry(arrived).or_default() += 1;
        }
        assert_eq!(counts.len(), ways);
        let mean = 4000.0 / ways as f64;
        let chi: f64 = counts.values().map(|&count| libm::pow(f64::from(count) - mean, 2.0) / mean).sum();
        assert!(chi < degrees, "chi-square {chi}");
    };
    // Five contenders at a leaf channel of two wires: 9 degrees of freedom, 0.1% point 27.9.
    sources(tree(8, "constant:2"), &[(0, 4), (0, 5), (0, 6), (0, 7), (0, 3)], 10, 27.9);
    // A survivor of three from the left child contends with a single message from the right. Each
    // child wins half the time. A single priority for the whole path would wrongly give four equal
    // shares.
    let mut won = 0;
    for seed in 0..4000 {
        let pairs = [(0, 4), (0, 5), (0, 6), (1, 7)];
        let mut run = super::greedy(tree(8, "skinny"), super::list(8, &pairs), SurvivorPolicy::Random, seed);
        run.step();
        won += u64::from(run.arrived()[3] == 1);
    }
    crate::common::assert_share(won, 4000, 0.5);
}

/// Results on every target equal numbers recorded natively.
#[test]
fn random_runs_are_identical_on_all_targets() {
    let numbers = |id| {
        let mut run = start(id, tree(256, "sqrt2"), super::messages(256, "random*3", 7), SurvivorPolicy::Random, 11);
        run.run_until(100_000);
        let counts = run.counts();
        [counts.completion, counts.pseudocode_cycles, counts.sending_cycles, counts.transmissions, counts.arrival_sum]
    };
    let found: Vec<_> = algorithms().iter().map(|(id, _)| numbers(id)).collect();
    let written = [
        [26, 26, 26, 8821, 8821],
        [78, 88, 39, 2979, 9981],
        [72, 175, 63, 2912, 17648],
        [63, 63, 53, 2917, 10684],
        [26, 54, 26, 8596, 8816],
        [62, 62, 62, 19461, 32309],
    ];
    assert_eq!(found, written);
}
