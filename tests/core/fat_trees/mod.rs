//! Tests of fat-trees: the paper's theorems and published numbers, and the delivery engine against
//! a naive simulator.

mod agreement;
mod bad_set;
mod bounds;
mod cuts;
mod greedy;
mod halved_loops;
mod input;
mod messages;
mod naive;
mod offline;
mod schedules;
mod second_network;
mod settings;
mod survivors;
mod trees;
mod valiant;
mod wires;

use faultlab::random::Key;
use faultlab::routing::ALGORITHMS;
use faultlab::routing::fat_tree::{CycleAlgorithm, Greedy, ScheduleConstants};
use faultlab::switching::delivery::{DeliveryConfig, DeliveryRun, SurvivorPolicy};
use faultlab::topology::fat_tree::{FatTree, Profile};
use faultlab::traffic::{MessagePattern, MessageSet};

fn tree(n: u64, profile: &str) -> FatTree {
    let profile = Profile::parse(profile).expect("a profile");
    FatTree::new(n, &profile).expect("a fat-tree")
}

fn messages(n: u64, pattern: &str, seed: u64) -> MessageSet {
    let pattern = MessagePattern::parse(pattern).expect("a pattern");
    MessageSet::new(n, pattern, Key::from_seed(seed)).expect("a message set")
}

fn list(n: u64, pairs: &[(u32, u32)]) -> MessageSet {
    MessageSet::from_pairs(n, pairs).expect("a message set")
}

fn greedy(tree: FatTree, messages: MessageSet, policy: SurvivorPolicy, seed: u64) -> DeliveryRun {
    let config = DeliveryConfig::new(tree.channels(), policy);
    DeliveryRun::new(config, messages, Box::new(Greedy), Key::from_seed(seed)).expect("messages of this tree")
}

/// Returns every delivery-cycle algorithm with its id, GREEDY first.
fn algorithms() -> Vec<(&'static str, &'static CycleAlgorithm)> {
    ALGORITHMS.iter().filter_map(|algorithm| Some((&*algorithm.id, algorithm.delivery()?))).collect()
}

/// Creates a run of the algorithm `id` before its first cycle.
fn start(id: &str, tree: FatTree, messages: MessageSet, policy: SurvivorPolicy, seed: u64) -> DeliveryRun {
    let (_, algorithm) = algorithms().into_iter().find(|(other, _)| *other == id).expect("in the list");
    let constants = ScheduleConstants::new(1.0, 1.0, 2.0).expect("in range");
    let scheduler = (algorithm.start)(&constants, tree.processors());
    let network = DeliveryConfig::new(tree.channels(), policy);
    DeliveryRun::new(network, messages, scheduler, Key::from_seed(seed)).expect("messages of this tree")
}

/// Returns `count` messages between random processors, which may coincide; with `out`, some leave
/// by the root.
fn random_messages(n: u64, count: u64, out: bool, seed: u64) -> MessageSet {
    let key = Key::from_seed(seed);
    let any = |index| (key.word_at(index) % n) as u32;
    let to = |index| if out && key.word_at(index).is_multiple_of(5) { MessageSet::OUT } else { any(index) };
    let pairs: Vec<_> = (0..count).map(|number| (any(2 * number), to(2 * number + 1))).collect();
    list(n, &pairs)
}

/// Returns a fat-tree with random capacities from 1 to 4.
fn random_tree(n: u64, seed: u64) -> FatTree {
    let key = Key::from_seed(seed).named("profile");
    let capacities = (0..=n.ilog2()).map(|height| 1 + (key.word_at(u64::from(height)) % 4) as u32).collect();
    FatTree::new(n, &Profile::Custom(capacities)).expect("a fat-tree")
}
