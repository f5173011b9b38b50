//! Tests of the engine against the second simulator, and of its internal consistency.

use std::collections::BTreeMap;
use std::sync::Arc;

use faultlab::fault::BlockFaults;
use faultlab::random::{Generator, Key, below};
use faultlab::switching::{
    Arbitration, HeldChannel, Injection, InjectionPolicy, WormState, WormholeConfig, WormholeNetwork,
};
use faultlab::topology::{Mesh, NodeId};
use faultlab::traffic::{MessageLengths, NamedPermutation, Pattern};

use super::log::Log;
use super::naive::Naive;
use super::{config, mesh, network};
use crate::common::is_thorough;

/// Algorithms to compare. `weak` and the last two deadlock for some faults.
const ALGORITHMS: &[&str] =
    &["e-cube", "f-cube2", "f-cube4", "lh", "lh2", "lh4", "weak", "weak-f-cube4", "f-cube2-either", "f-cube1"];

/// Other schemes of Table III. In `dr-dynamic`, waiting messages may be lost.
const SCHEMES: &[&str] = &["dr-dynamic", "dr-static", "negative-first", "planar-adaptive"];

fn some_faults(mesh: Mesh, generator: &mut Generator) -> Arc<BlockFaults> {
    let (nodes, links) = (below(generator, 4), below(generator, 4));
    let all: Vec<_> = mesh.iter_links().collect();
    let nodes: Vec<_> = (0..nodes).map(|_| NodeId(u64::from(below(generator, mesh.nodes())))).collect();
    let links: Vec<_> = (0..links).map(|_| all[below(generator, all.len() as u32) as usize]).collect();
    let has_faults = below(generator, 3) > 0;
    Arc::new(if has_faults { BlockFaults::new(mesh, &nodes, &links) } else { BlockFaults::new(mesh, &[], &[]) })
}

fn some_terms(mesh: Mesh, ids: &[&str], generator: &mut Generator) -> WormholeConfig {
    let mut one_of = |bound: u32| below(generator, bound);
    let all = ids.iter().map(|id| config(id));
    let fitting: Vec<_> = all.filter(|config| config.routing.check_network(mesh).is_ok()).collect();
    let config = fitting[one_of(fitting.len() as u32) as usize].clone();
    let classes = config.routing.vc_classes(mesh);
    let policy = InjectionPolicy::ALL[one_of(2) as usize];
    WormholeConfig {
        virtual_channels: (classes + one_of(5) as u8).min(32),
        buffer: 1 + one_of(4) as u8,
        length: MessageLengths::Fixed([1, 2, 3, 5, 20, 40][one_of(6) as usize]),
        injection: Injection { limit: 1 + one_of(4) as u16, policy },
        arbitration: Arbitration::ALL[one_of(3) as usize],
        load: [0.1, 0.5, 0.9, 2.0, 4.0][one_of(5) as usize],
        pattern: [Pattern::Uniform, Pattern::Named(NamedPermutation::Complement), Pattern::hot_spot(NodeId(1), 0.3)]
            [one_of(3) as usize]
            .clone(),
        ..config
    }
}

fn some_network(seed: u64, ids: &[&str]) -> (WormholeConfig, Arc<BlockFaults>) {
    let generator = &mut Key::from_seed(seed).named("network").generator();
    let mesh = if seed % 4 == 3 {
        let radices: Vec<_> = (0..3 + seed / 4 % 2).map(|_| 2 + below(generator, 2) as u16).collect();
        Mesh::from_radices(&radices).expect("a mesh")
    } else {
        mesh(2 + below(generator, 5) as u16, 2 + below(generator, 5) as u16)
    };
    let fits = |id: &&str| config(id).routing.check_network(mesh.to_torus()).is_ok();
    let mesh = if seed % 5 == 4 && ids.iter().any(fits) { mesh.to_torus() } else { mesh };
    (some_terms(mesh, ids, generator), some_faults(mesh, generator))
}

#[test]
fn both_simulators_agree() {
    let networks = if is_thorough() { 400 } else { 60 };
    let [deliveries, losses, discards, deadlocks] =
        agree((0..networks).map(|seed| (seed, some_network(seed, ALGORITHMS))));
    let networks = networks as usize;
    assert!(deliveries > 250 * networks && losses > 2 * networks && discards > 25 * networks && deadlocks > 0);
}

#[test]
fn both_simulators_agree_on_ranked_choices() {
    let networks = if is_thorough() { 200 } else { 40 };
    let [deliveries, losses, discards, deadlocks] =
        agree((2_000..2_000 + networks).map(|seed| (seed, some_network(seed, SCHEMES))));
    let networks = networks as usize;
    assert!(deliveries > 150 * networks && losses > 2 * networks && discards > 15 * networks && deadlocks == 0);
}

#[test]
fn both_simulators_agree_on_many_virtual_channels() {
    let count = if is_thorough() { 60 } else { 12 };
    let networks = (4_000..4_000 + count).map(|seed| {
        let (config, faults) = some_network(seed, ALGORITHMS);
        // Some algorithms need more classes.
        let virtual_channels = config.virtual_channels.max(17 + (seed % 16) as u8);
        (seed, (WormholeConfig { virtual_channels, ..config }, faults))
    });
    let [deliveries, losses, ..] = agree(networks);
    let count = count as usize;
    assert!(deliveries > 250 * count && losses > count);
}

/// Lengths differ from message to message, from one flit to the longest message.
#[test]
fn both_simulators_agree_on_mixed_lengths() {
    let count = if is_thorough() { 200 } else { 40 };
    let networks = (6_000..6_000 + count).map(|seed| {
        let (config, faults) = some_network(seed, ALGORITHMS);
        let length = ["10:0.9,200:0.1", "1:1,2:1,3:1", "1:3,256:1", "2:1,5:1,40:1"][seed as usize % 4];
        (seed, (WormholeConfig { length: MessageLengths::parse(length).expect("lengths"), ..config }, faults))
    });
    let [deliveries, losses, discards, deadlocks] = agree(networks);
    let count = count as usize;
    assert!(deliveries > 100 * count && losses > count && discards > 25 * count && deadlocks > 0);
}

/// Runs both simulators on these networks and seeds. Returns the numbers of deliveries, losses,
/// discarded messages and deadlocks.
fn agree(networks: impl Iterator<Item = (u64, (WormholeConfig, Arc<BlockFaults>))>) -> [usize; 4] {
    let (mut deliveries, mut losses, mut discards, mut deadlocks) = (0, 0, 0, 0);
    for (seed, (config, faults)) in networks {
        let (mut worms, mut naive) =
            (network(config.clone(), &faults, seed), Naive::new(config.clone(), faults.clone(), Key::from_seed(seed)));
        let mut log = Log::default();
        for _ in 0..1_000 {
            let known = log.generated.len();
            worms.step(&mut log);
            naive.step(&log.generated[known..]);
            assert_eq!(worms.in_flight(), naive.in_flight() as u64, "{seed}: {config:?}");
            if worms.outcome().is_some() {
                break;
            }
            assert!(naive.moved > 0 || naive.in_flight() == 0, "{seed}: an end that nobody found");
        }
        assert_eq!(log, naive.log, "{seed}: {config:?}");
        if let Some(deadlock) = worms.outcome() {
            deadlocks += 1;
            // Without new messages all others arrive; messages of the cyclic wait never do.
            (0..5_000).for_each(|_| naive.step(&[]));
            assert_eq!((naive.moved, naive.in_flight() >= deadlock.messages as usize), (0, true), "{seed}");
            let stays = |number| !naive.log.delivered.iter().any(|it| it.number == number);
            assert!(deadlock.cycle.iter().all(|wait| stays(wait.number)), "{seed}: {deadlock:?}");
        }
        deliveries += log.delivered.len();
        losses += log.lost.len();
        discards += log.discarded.len();
    }
    [deliveries, losses, discards, deadlocks]
}

/// Checks the internal consistency of a network.
fn assert_state(worms: &WormholeNetwork) {
    let config = worms.config();
    let mesh = worms.mesh();
    let mut owners = BTreeMap::new();
    for message in worms.messages() {
        let held = message.holds();
        let inside: u16 = held.iter().map(|hold| hold.flits).sum();
        assert_eq!(message.at_source() + inside + message.consumed(), message.length());
        let mut at = None;
        for hold in &held {
            let channel = HeldChannel { channel: hold.channel, virtual_channel: hold.virtual_channel };
            assert_eq!(owners.insert(channel, message.number()), None);
            assert_eq!(worms.holder(channel).map(|holder| holder.number()), Some(message.number()));
            assert!(hold.flits <= u16::from(config.buffer));
            let own =
                hold.virtual_channel == hold.class || hold.virtual_channel >= config.routing.vc_classes(worms.mesh());
            assert!(own && hold.class < config.routing.vc_classes(worms.mesh()));
            let (node, port) = mesh.channel_ends(hold.channel);
            assert!(at.is_none_or(|at| at == node) && worms.faults().is_open(node, port));
            at = mesh.neighbor(node, port);
        }
        match message.state() {
            WormState::Consumed => assert_eq!(at, Some(message.to())),
            WormState::Moving => assert!(held.last().is_some_and(|hold| hold.flits == 0)),
            WormState::Queued => assert_eq!((held.len(), message.at_source()), (0, message.length())),
            WormState::Waiting(_) => assert_eq!(at.unwrap_or(message.from()), message.header_node()),
        }
    }
    for channel in 0..mesh.channel_table_size() {
        for virtual_channel in 0..config.virtual_channels {
            let channel = HeldChannel { channel, virtual_channel };
            assert_eq!(worms.holder(channel).is_some(), owners.contains_key(&channel));
        }
    }
    let ended = worms.discarded() + worms.delivered() + worms.lost();
    assert_eq!(worms.generated(), ended + worms.in_flight());
    assert_eq!(worms.carried().iter().sum::<u64>(), worms.flit_hops());
}

#[test]
fn internal_state_is_consistent() {
    for seed in 1_000..1_150 {
        let (config, faults) = some_network(seed, if seed % 3 == 0 { SCHEMES } else { ALGORITHMS });
        let mut worms = network(config, &faults, seed);
        for _ in 0..300 {
            worms.step(&mut ());
            assert_state(&worms);
        }
    }
}
