//! Tests that every shipped rule text gives bit for bit the results and dependencies of the
//! built-in algorithm.

use std::sync::Arc;

use faultlab::fault::BlockFaults;
use faultlab::random::Key;
use faultlab::routing::{VcRequest, WormRouting};
use faultlab::switching::{StepResult, WalkContext, WormDelivery, WormObserver, WormholeConfig, WormholeNetwork};
use faultlab::theory::{FaultSet, MeshDependencies, hypercube_channel, hypercube_dependencies};
use faultlab::topology::{Hypercube, NodeId};
use faultlab::traffic::Pair;

use super::{cubes, generator, other_meshes, plane_sets, shipped, tori, worm_routing};
use crate::common::{cube, local, sample_raw_faults, shared_worm};

/// Shipped routings of two-dimensional meshes with their built-in counterparts.
const PLANES: &[(&str, &str, &str)] = &[
    ("west-first", "my-west-first", "west-first"),
    ("north-last", "my-north-last", "north-last"),
    ("odd-even", "my-odd-even", "odd-even"),
    ("f-cube2", "my-f-cube2", "f-cube2"),
    ("e-cube", "my-e-cube", "e-cube"),
    ("negative-first", "my-negative-first", "negative-first-minimal"),
];

const CUBES: &[(&str, &str, &str)] = &[
    ("e-cube", "my-e-cube", "e-cube"),
    ("sidetracking", "my-sidetracking", "sidetracking"),
    ("up", "my-up", "up"),
    ("dp", "my-dp", "dp"),
];

/// Returns every fault set with every pair of routings that must agree on it.
fn fault_sets_with_routings() -> Vec<(BlockFaults, &'static (&'static str, &'static str, &'static str))> {
    const TORUS: (&str, &str, &str) = ("e-cube", "my-e-cube-torus", "e-cube");
    let mut all = Vec::new();
    plane_sets().into_iter().for_each(|faults| all.extend(PLANES.iter().map(|names| (faults.clone(), names))));
    other_meshes().into_iter().for_each(|faults| all.extend(PLANES[4..].iter().map(|names| (faults.clone(), names))));
    cubes().into_iter().for_each(|faults| all.extend(CUBES.iter().map(|names| (faults.clone(), names))));
    all.extend(tori().into_iter().map(|faults| (faults, &TORUS)));
    all
}

#[test]
fn dependency_graphs_are_equal_arc_for_arc() {
    for (faults, (file, own, built_in)) in fault_sets_with_routings() {
        let (own, built_in) = (worm_routing(&shipped(file, own)), shared_worm(built_in));
        assert!(own.check_network(faults.mesh()).is_ok());
        let graphs = [&*own, &*built_in].map(|routing| MeshDependencies::build(&faults, routing).expect("a small one"));
        let [one, other] = &graphs;
        assert_eq!(one.graph().channels(), other.graph().channels(), "{file}");
        assert_eq!(one.graph().dependencies(), other.graph().dependencies(), "{file} {:?}", faults.regions());
        for channel in (0..one.graph().channels()).map(faultlab::theory::ChannelId) {
            let wanted = [one, other].map(|dependencies| {
                let mut wanted = dependencies.graph().successors(channel);
                wanted.sort();
                wanted
            });
            assert_eq!(wanted[0], wanted[1], "{file}");
        }
        assert_eq!(one.arrivals(), other.arrivals(), "{file} {:?}", faults.regions());
    }
}

/// Log of all events of a worm network, in order.
#[derive(Default, PartialEq, Debug)]
struct Log(Vec<(u64, u64, u64)>);

impl WormObserver for Log {
    fn hop(&mut self, number: u64, from: NodeId, choice: &VcRequest, virtual_channel: u8) {
        let channel = u64::from(choice.port.0) << 16 | u64::from(choice.class) << 8 | u64::from(virtual_channel);
        self.0.push((number, from.0, channel));
    }

    fn delivered(&mut self, message: &WormDelivery) {
        self.0.push((message.number, u64::MAX, message.finished));
    }

    fn lost(&mut self, number: u64) {
        self.0.push((number, u64::MAX, u64::MAX));
    }
}

fn run(routing: faultlab::routing::Shared<dyn WormRouting>, faults: &BlockFaults, load: f64, seed: u64) -> Log {
    let config = WormholeConfig { load, length: 6.into(), virtual_channels: 6, ..WormholeConfig::new(routing) };
    let mut worms = WormholeNetwork::new(config, Arc::new(faults.clone()), Key::from_seed(seed)).expect("a network");
    let mut log = Log::default();
    for _ in 0..400 {
        worms.step(&mut log);
    }
    log
}

#[test]
fn runs_are_equal_bit_for_bit() {
    let mut events = 0;
    for (number, (faults, (file, own, built_in))) in fault_sets_with_routings().into_iter().enumerate() {
        let load = [0.2, 0.7, 1.5][number % 3];
        let one = run(worm_routing(&shipped(file, own)), &faults, load, number as u64);
        let other = run(shared_worm(built_in), &faults, load, number as u64);
        assert!(one == other, "{file} on {} under load {load}", faults.mesh());
        events += one.0.len();
    }
    assert!(events > 100_000, "{events}");
}

#[test]
fn choices_are_equal_at_every_position_in_order() {
    // The order of choices must be equal because a random choice is an index.
    for (faults, (file, own, built_in)) in fault_sets_with_routings() {
        let (own, built_in) = (worm_routing(&shipped(file, own)), shared_worm(built_in));
        for from in faults.members() {
            for to in faults.members().filter(|&to| to != from) {
                let first = |routing: &dyn WormRouting| {
                    let header = routing.initial_header(&faults, from, to, 0);
                    let at = faultlab::routing::WormPosition { here: from, to, input_port: None, header };
                    routing.choices(&faults, &at).iter().map(|choice| (choice.port, choice.class)).collect::<Vec<_>>()
                };
                assert_eq!(first(&*own), first(&*built_in), "{file} {from} {to} {:?}", faults.regions());
            }
        }
    }
}

#[test]
fn messages_are_equal_hop_for_hop() {
    for number in 0..200u64 {
        let (mut draw, n) = (generator(5000 + number), 3 + (number % 4) as u8);
        let cube: Hypercube = cube(n);
        let none = faultlab::topology::Mesh::from_cube(n).expect("a cube");
        let (nodes, _) = sample_raw_faults(none, u32::from(n) * (number % 4) as u32, &mut draw);
        let ends = Pair { from: NodeId(0), to: NodeId(cube.mask()) };
        let nodes: Vec<_> = nodes.into_iter().filter(|&node| !ends.contains(node)).collect();
        for (file, own, built_in) in CUBES {
            let own = shipped(file, own);
            let walk = |routing| {
                let mut faults = FaultSet(nodes.iter().fold(0, |set, node| set | 1 << node.0));
                let mut walker = WalkContext::new(cube, ends, routing, 200);
                let mut message = walker.message(&mut faults, Key::from_seed(number).generator());
                let mut log = Vec::new();
                loop {
                    match message.step() {
                        StepResult::Hop(hop) => log.push(hop.to),
                        StepResult::End(outcome) => return (log, outcome),
                    }
                }
            };
            assert_eq!(walk(own.local().expect("of messages")), walk(local(built_in)), "{file} n = {n}");
            let mut faults = FaultSet(nodes.iter().fold(0, |set, node| set | 1 << node.0));
            if n <= 6 {
                let mut graph = |routing| {
                    let graph = hypercube_dependencies(cube, &mut faults, routing).expect("a small cube");
                    let channels = (0..graph.channels()).map(faultlab::theory::ChannelId);
                    channels.map(|channel| graph.successors(channel)).collect::<Vec<_>>()
                };
                assert_eq!(graph(own.local().expect("of messages")), graph(local(built_in)), "{file} n = {n}");
            }
        }
    }
}

/// Dependencies agree node by node for rules that examine links beyond those that they take.
#[test]
fn dependencies_of_looking_rules_are_correct() {
    let text = "routing mine on cube\nwhen every wrong is live take wrong\notherwise take lowest wrong";
    let own = super::first_routing(text);
    let routing = own.local().expect("of messages");
    let mut blocked = 0;
    for number in 0..60u64 {
        let n = 3 + (number % 3) as u8;
        let nodes = sample_raw_faults(
            faultlab::topology::Mesh::from_cube(n).expect("a cube"),
            4,
            &mut generator(7000 + number),
        )
        .0;
        let set = nodes.iter().fold(0, |set, node| set | 1u64 << node.0);
        let live = |node: u64| set >> node & 1 == 0;
        let taken = |here: u64, to: u64| {
            let wrong = (0..n).filter(|dim| (here ^ to) >> dim & 1 == 1);
            let open = |dim: &u8| live(here ^ 1 << dim);
            if wrong.clone().all(|dim| open(&dim)) {
                wrong.collect()
            } else {
                wrong.take(1).filter(open).collect::<Vec<_>>()
            }
        };
        let mut expected = std::collections::BTreeSet::new();
        for (here, to) in (0..1 << n).flat_map(|here| (0..1 << n).map(move |to| (here, to))) {
            if here == to || !live(here) || !live(to) {
                continue;
            }
            blocked += u32::from(taken(here, to).is_empty());
            for dim in taken(here, to) {
                let next = here ^ 1 << dim;
                let wanted = if next == to { Vec::new() } else { taken(next, to) };
                expected.extend(wanted.into_iter().map(|wanted| [(here, dim), (next, wanted)]));
            }
        }
        let graph = hypercube_dependencies(cube(n), &mut FaultSet(set), routing).expect("a small cube");
        let channel = |(node, dim)| hypercube_channel(cube(n), NodeId(node), dim);
        assert_eq!(graph.dependencies(), expected.len(), "{nodes:?}");
        for [held, wanted] in expected {
            assert!(graph.successors(channel(held)).contains(&channel(wanted)), "{nodes:?}");
        }
    }
    assert!(blocked > 100, "{blocked}");
}
