//! Tests of circuits on meshes and tori against independent results: enumeration of all paths, queueing
//! theory, a second simulator.
#![cfg(not(target_arch = "wasm32"))]

mod experiments;
mod naive;
mod onset;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use faultlab::fault::BlockFaults;
use faultlab::random::{Generator, Key};
use faultlab::routing::{self, ProbeDecision, ProbeRouting, ProbeSearch};
use faultlab::switching::{
    CircuitEnd, CircuitError, CircuitMeasurement, CircuitObserver, CircuitOutcome, CircuitWindow, CompletedCircuit,
    LinkSelection, ProbeConfig, ProbeEvent, ProbeNetwork, ProbeState, Refusal, SetupPolicy, select_port,
};
use faultlab::topology::{Link, Mesh, NodeId};
use faultlab::traffic::{Arrival, Pattern};

use crate::common::{mesh, mesh_with_radices, sample_raw_faults};
use naive::{Naive, Request};

const ECUBE: ProbeRouting = ProbeRouting::DimensionOrder;

fn backtracking(misroutes: u16) -> ProbeRouting {
    ProbeRouting::Backtracking { misroutes }
}

fn any() -> ProbeRouting {
    backtracking(ProbeRouting::UNLIMITED)
}

fn network(config: ProbeConfig, seed: u64) -> ProbeNetwork {
    ProbeNetwork::new(config, Key::from_seed(seed)).expect("a valid configuration")
}

fn faults(mesh: Mesh, text: &str) -> Arc<BlockFaults> {
    let (mut nodes, mut links) = (Vec::new(), Vec::new());
    for text in text.split(',').filter(|text| !text.is_empty()) {
        match mesh.parse_link(text) {
            Some(link) => links.push(link),
            None => nodes.push(mesh.parse_node(text).expect("a node")),
        }
    }
    Arc::new(BlockFaults::unclosed(mesh, &nodes, &links))
}

/// Returns the numbers of hops from every node to `to` without faults, by breadth-first search.
fn hops_to(mesh: Mesh, to: NodeId) -> Vec<u32> {
    let mut hops = vec![u32::MAX; mesh.nodes() as usize];
    hops[to.0 as usize] = 0;
    let mut queue = VecDeque::from([to]);
    while let Some(at) = queue.pop_front() {
        for next in mesh.ports().filter_map(|port| mesh.neighbor(at, port)) {
            if hops[next.0 as usize] == u32::MAX {
                hops[next.0 as usize] = hops[at.0 as usize] + 1;
                queue.push_back(next);
            }
        }
    }
    hops
}

/// Returns whether some walk without faults from `from` to `to` has at most `most` hops that lead no
/// nearer, by a search over nodes and numbers of such hops.
fn is_connected(faults: &BlockFaults, from: NodeId, to: NodeId, most: usize) -> bool {
    let (mesh, hops) = (faults.mesh(), hops_to(faults.mesh(), to));
    let (mut seen, mut stack) = (BTreeSet::new(), vec![(from, 0)]);
    while let Some((at, misroutes)) = stack.pop() {
        if at == to {
            return true;
        }
        if !seen.insert((at, misroutes)) {
            continue;
        }
        for port in mesh.ports().filter(|&port| faults.is_open(at, port)) {
            let next = mesh.neighbor(at, port).expect("a link");
            let misroutes = misroutes + usize::from(hops[next.0 as usize] >= hops[at.0 as usize]);
            if misroutes <= most {
                stack.push((next, misroutes));
            }
        }
    }
    false
}

/// Runs a search in a network without other messages. Returns the path if the probe arrives.
fn search(
    faults: &BlockFaults,
    routing: ProbeRouting,
    [from, to]: [NodeId; 2],
    avail: LinkSelection,
    generator: &mut Generator,
) -> Option<Vec<NodeId>> {
    let mut search = ProbeSearch::new(routing, from, to);
    let bound = u64::from(faults.mesh().nodes()) * 2 * u64::from(faults.mesh().nodes());
    for _ in 0..bound {
        if search.has_arrived() {
            return Some(search.path().map(|(node, _)| node).chain([to]).collect());
        }
        let select = |permitted, free| select_port(avail, permitted, free, generator);
        match search.decide(faults, u32::MAX, select) {
            ProbeDecision::Forward { port, .. } => drop(search.go_forward(faults, port)),
            ProbeDecision::Back => drop(search.go_back()),
            // No link is reserved, so that nothing blocks the probe.
            ProbeDecision::Blocked(_) | ProbeDecision::Failed => return None,
        }
    }
    assert!(search.has_arrived(), "the search does not end");
    None
}

/// A search delivers exactly the pairs with a path that has at most m hops which lead no nearer: with
/// m = 0 those with a minimal path, without a limit all connected pairs.
#[test]
fn search_reaches_exactly_the_pairs_with_a_permitted_path() {
    let mut generator = Key::from_seed(5).generator();
    let networks = [mesh(4, 4), mesh(3, 5).to_torus(), mesh(4, 4).to_torus(), mesh_with_radices(&[3, 2, 3])];
    let avails = [LinkSelection::Lowest, LinkSelection::Random, LinkSelection::Highest, LinkSelection::LowestFree];
    let (mut connected, mut cut_off) = (0, 0);
    for case in 0..48 {
        let mesh = networks[case % networks.len()];
        let (nodes, links) = sample_raw_faults(mesh, 7, &mut generator);
        let faults = BlockFaults::unclosed(mesh, &nodes, &links);
        let live: Vec<_> = mesh.iter_nodes().filter(|&node| !faults.is_faulty(node)).collect();
        for (&from, &to) in live.iter().flat_map(|from| live.iter().map(move |to| (from, to))) {
            for most in [0, 1, 2, 5, 1000] {
                let routing = if most == 1000 { any() } else { backtracking(most as u16) };
                let wanted = is_connected(&faults, from, to, most);
                let avail = avails[(case + most) % avails.len()];
                let path = search(&faults, routing, [from, to], avail, &mut generator);
                assert_eq!(path.is_some(), wanted, "{mesh} {from} {to} m = {most}: {nodes:?} {links:?}");
                assert_eq!(routing.reaches(&faults, from, to), wanted);
                if let Some(path) = path {
                    let hops = hops_to(mesh, to);
                    let nearer = |pair: &&[NodeId]| hops[pair[1].0 as usize] >= hops[pair[0].0 as usize];
                    assert!(path.windows(2).filter(nearer).count() <= most);
                    assert_eq!(path.iter().collect::<BTreeSet<_>>().len(), path.len(), "a node twice");
                }
                if wanted { connected += 1 } else { cut_off += 1 }
            }
        }
    }
    assert!(connected > 10_000 && cut_off > 1_000, "{connected} {cut_off}");
}

/// e-cube delivers exactly the pairs whose path along dimension 0 first has no fault.
#[test]
fn ecube_reaches_exactly_the_pairs_with_an_open_path() {
    let mut generator = Key::from_seed(6).generator();
    for _ in 0..20 {
        let mesh = mesh(4, 5);
        let (nodes, links) = sample_raw_faults(mesh, 3, &mut generator);
        let faults = BlockFaults::unclosed(mesh, &nodes, &links);
        let live = |node: NodeId| !nodes.contains(&node);
        for (from, to) in mesh.iter_nodes().flat_map(|from| mesh.iter_nodes().map(move |to| (from, to))) {
            if !live(from) || !live(to) {
                continue;
            }
            let ((row, column), (last_row, last_column)) = (mesh.row_and_column(from), mesh.row_and_column(to));
            let mut path = vec![from];
            let mut at = (row, column);
            while at != (last_row, last_column) {
                match at.1 == last_column {
                    false => at.1 += (last_column - at.1).signum(),
                    true => at.0 += (last_row - at.0).signum(),
                }
                path.push(mesh.node(at.0, at.1).expect("a node"));
            }
            let is_broken = |pair: &[NodeId]| {
                let joins = |link: &&Link| {
                    let ends = [link.from, mesh.link_end(**link).expect("a link")];
                    ends.contains(&pair[0]) && ends.contains(&pair[1])
                };
                links.iter().any(|link| joins(&link))
            };
            let wanted = path.iter().all(|&node| live(node)) && !path.windows(2).any(is_broken);
            assert_eq!(ECUBE.reaches(&faults, from, to), wanted, "{from} {to}");
        }
    }
}

/// Observer of the setup times and of the events.
#[derive(Debug, Default)]
struct Log {
    requests: Vec<Request>,
    completed: Vec<CompletedCircuit>,
    refused: Vec<(Arrival, Refusal)>,
    held: BTreeMap<Link, u64>,
    transmitted: usize,
}

impl CircuitObserver for Log {
    fn generated(&mut self, number: u64, message: &Arrival) {
        let Arrival { time, source, destination, duration } = *message;
        self.requests.push(Request { number, time, from: source.0, to: destination.0, duration, retries: Vec::new() });
    }

    fn refused(&mut self, _number: u64, message: &Arrival, why: Refusal) {
        self.refused.push((*message, why));
    }

    fn reserved(&mut self, number: u64, link: Link, _time: f64) {
        assert_eq!(self.held.insert(link, number), None, "two messages hold {link:?}");
    }

    fn released(&mut self, link: Link, _time: f64) {
        assert!(self.held.remove(&link).is_some(), "{link:?} was free");
    }

    fn completed(&mut self, circuit: &CompletedCircuit) {
        self.completed.push(*circuit);
    }

    fn transmitted(&mut self, _number: u64, _time: f64) {
        self.transmitted += 1;
    }
}

/// Without other messages the setup takes a hop of the probe and one of the acknowledgement for each
/// link of a minimal path.
#[test]
fn setup_without_load_takes_two_hops_for_each_link() {
    for network_shape in [mesh(5, 4), mesh(5, 4).to_torus(), mesh_with_radices(&[3, 4, 2])] {
        let none = Arc::new(BlockFaults::unclosed(network_shape, &[], &[]));
        for routing in [ECUBE, backtracking(0), backtracking(3), any()] {
            let mut circuits = network(ProbeConfig::new(none.clone(), routing, 1e-7), 3);
            let mut log = Log::default();
            while log.completed.len() < 200 {
                circuits.step(&mut log);
            }
            for done in &log.completed {
                let hops = hops_to(network_shape, done.destination)[done.source.0 as usize];
                let wanted = 2.0 * 0.05 * f64::from(hops);
                assert!((done.time - done.generated - wanted).abs() < 1e-4, "{done:?}");
                assert_eq!(done.attempts, 1);
            }
        }
    }
}

/// In a 2x3 mesh whose link 0.1-0.2 is faulty, and 0.1-1.1 too, the probe from 0.0 to 0.2 goes to
/// 0.1, back, and by 1.0, 1.1 and 1.2: six moves, and four hops of the acknowledgement.
#[test]
fn setup_with_a_dead_end_takes_the_moves_counted_by_hand() {
    let shape = mesh(2, 3);
    let faults = faults(shape, "0.1-0.2,0.1-1.1");
    let mut config = ProbeConfig::new(faults, backtracking(2), 1e-7);
    config.pattern = Pattern::hot_spot(NodeId(2), 1.0);
    let mut circuits = network(config, 4);
    let mut log = Log::default();
    while log.completed.len() < 100 {
        circuits.step(&mut log);
    }
    let setups = log.completed.iter().filter(|done| (done.source, done.destination) == (NodeId(0), NodeId(2)));
    let setups: Vec<_> = setups.map(|done| done.time - done.generated).collect();
    assert!(setups.len() > 5 && setups.iter().all(|setup| (setup - 10.0 * 0.05).abs() < 1e-4), "{setups:?}");
    // MB-1 reaches the destination as well: the way down is its only misroute.
    assert!(backtracking(1).reaches(&circuits.config().faults, NodeId(0), NodeId(2)));
    assert!(!backtracking(0).reaches(&circuits.config().faults, NodeId(0), NodeId(2)));
}

/// In a mesh of two nodes each direction is an M/G/1 queue: a circuit holds its link for the hops of
/// the probe, of the acknowledgement and of the last part of the message, and for the transmission.
/// The Pollaczek-Khinchine formula gives the wait.
#[test]
fn two_nodes_are_an_m_g_1_queue() {
    for (rate, hop) in [(0.3, 0.05), (0.5, 0.2)] {
        let none = Arc::new(BlockFaults::unclosed(mesh_with_radices(&[2]), &[], &[]));
        let setups: Vec<_> = (0..30)
            .map(|seed| {
                let config = ProbeConfig { hop, ..ProbeConfig::new(none.clone(), ECUBE, rate) };
                let window = CircuitWindow { from: 200.0, until: 10_200.0, batches: 1 };
                let run = CircuitMeasurement::new(network(config, seed), window).run_until(u64::MAX).expect("an end");
                assert_eq!(run.end, CircuitEnd::Complete);
                assert!((run.utilization.iter().sum::<f64>() / 2.0 - rate * (1.0 + 3.0 * hop)).abs() < 0.03);
                run.mean_setup().expect("messages")
            })
            .collect();
        let (mean_service, mean_square) = (1.0 + 3.0 * hop, 2.0 + 6.0 * hop + 9.0 * hop * hop);
        let wanted = rate * mean_square / (2.0 * (1.0 - rate * mean_service)) + 2.0 * hop;
        let mean = setups.iter().sum::<f64>() / 30.0;
        let variance = setups.iter().map(|setup| (setup - mean) * (setup - mean)).sum::<f64>() / 29.0;
        let error = (variance / 30.0).sqrt();
        assert!((mean - wanted).abs() < 4.0 * error && error < 0.02 * wanted, "{mean} +- {error}, not {wanted}");
    }
}

/// A second simulator completes the same circuits at the same times.
#[test]
fn second_simulator_gets_the_same_setup_times() {
    let mut generator = Key::from_seed(11).generator();
    let (mut retried, mut compared) = (0, 0);
    for case in 0..60u64 {
        let shape = [mesh(3, 3), mesh(4, 4), mesh(3, 4).to_torus(), mesh_with_radices(&[2, 3, 2])][case as usize % 4];
        let (nodes, links) = sample_raw_faults(shape, 2, &mut generator);
        let faults = Arc::new(BlockFaults::unclosed(shape, &nodes, &links));
        let limit = [0, 1, 3, 1000][case as usize / 4 % 4];
        let routing = if limit == 1000 { any() } else { backtracking(limit as u16) };
        let mut config = ProbeConfig::new(faults.clone(), routing, 0.4);
        (config.avail, config.hop) = (LinkSelection::LowestFree, 0.08);
        (config.setup, config.cap) = (SetupPolicy::Retry { backoff: 0.7 }, Some(1 << 20));
        let mut circuits = network(config, case);
        let mut log = Log::default();
        for _ in 0..6000 {
            if let ProbeEvent::Failed { number, .. } = circuits.step(&mut log) {
                let next = circuits.message(number).expect("a message").next();
                let request = log.requests.iter_mut().find(|request| request.number == number).expect("a request");
                request.retries.push(next);
                retried += 1;
            }
        }
        let neighbors = |node: u64| {
            let ports = shape.ports().filter(|&port| faults.is_open(NodeId(node), port));
            ports.map(|port| shape.neighbor(NodeId(node), port).expect("a link").0).collect()
        };
        let hops = |to: u64| hops_to(shape, NodeId(to));
        let nodes = u64::from(shape.nodes());
        let mut naive = Naive {
            neighbors: (0..nodes).map(neighbors).collect(),
            hops: (0..nodes).map(hops).collect(),
            most_misroutes: limit,
            hop: 0.08,
            requests: log.requests.clone(),
        };
        let completed = naive.run(circuits.time());
        assert!(log.completed.len() > 40, "{}", log.completed.len());
        for done in &log.completed {
            let time = completed.get(&done.number).copied();
            assert!(time.is_some_and(|time| (time - done.time).abs() < 1e-6), "case {case}: {done:?} {time:?}");
            compared += 1;
        }
    }
    assert!(retried > 1_000 && compared > 10_000, "{retried} {compared}");
}

/// Under random loads and faults, each link is held by at most one message, paths are contiguous and
/// have at most m misroutes, and only probes of e-cube wait for links.
#[test]
fn state_is_consistent_under_load() {
    let mut generator = Key::from_seed(12).generator();
    for case in 0..24u64 {
        let shape = [mesh(4, 4), mesh(4, 5).to_torus(), mesh_with_radices(&[3, 3, 3])][case as usize % 3];
        let (nodes, links) = sample_raw_faults(shape, 3, &mut generator);
        let faults = Arc::new(BlockFaults::unclosed(shape, &nodes, &links));
        let routing = [ECUBE, backtracking(0), backtracking(2), any()][case as usize / 3 % 4];
        let mut config = ProbeConfig::new(faults.clone(), routing, [0.3, 1.0][case as usize % 2]);
        if case % 2 == 0 {
            config.setup = SetupPolicy::Retry { backoff: 0.5 };
        }
        config.hop = [0.0, 0.05][case as usize / 12];
        let (mut circuits, mut log) = (network(config, case), Log::default());
        for step in 0..20_000 {
            if circuits.step(&mut log) == ProbeEvent::Ended {
                break;
            }
            if step % 97 != 0 {
                continue;
            }
            let held: BTreeMap<Link, u64> = circuits
                .messages()
                .flat_map(|message| {
                    let path: Vec<_> = message.path().collect();
                    path.into_iter().map(move |(from, port)| (Link { from, dim: port.0 }, message.number()))
                })
                .collect();
            assert_eq!(held, log.held);
            for message in circuits.messages() {
                let mut at = message.from();
                let hops = hops_to(shape, message.to());
                let mut misroutes = 0;
                for (node, port) in message.path() {
                    assert!(node == at && faults.is_open(node, port));
                    at = shape.neighbor(node, port).expect("a link");
                    misroutes += u16::from(hops[at.0 as usize] >= hops[node.0 as usize]);
                }
                assert!(at == message.here() && misroutes <= routing.misroutes());
                match message.state() {
                    ProbeState::Waiting(_) => assert!(routing == ECUBE && case % 2 == 1),
                    ProbeState::Transmitting | ProbeState::Acknowledging => assert_eq!(at, message.to()),
                    ProbeState::BackingOff => assert_eq!(message.path().count(), 0),
                    ProbeState::Searching | ProbeState::Returning => {}
                }
            }
            assert_eq!(circuits.backlog(), circuits.messages().filter(|message| message.waits()).count() as u64);
        }
        let accepted = log.requests.len() as u64;
        assert_eq!(accepted, log.transmitted as u64 + circuits.in_network());
        assert!(log.refused.iter().all(|(message, why)| match why {
            Refusal::FaultyDestination => faults.is_faulty(message.destination),
            Refusal::CutOff => !routing.reaches(&faults, message.source, message.destination),
        }));
    }
}

/// Circuits of e-cube that wait around a ring deadlock; on a mesh, and with retries, they do not.
#[test]
fn only_ecube_that_waits_around_a_torus_deadlocks() {
    let run = |shape: Mesh, routing, setup| {
        let none = Arc::new(BlockFaults::unclosed(shape, &[], &[]));
        let config = ProbeConfig { setup, cap: Some(1 << 20), ..ProbeConfig::new(none, routing, 2.0) };
        let mut circuits = network(config, 1);
        for _ in 0..60_000 {
            circuits.step(&mut ());
        }
        circuits
    };
    let ring = mesh_with_radices(&[6]);
    let circuits = run(ring.to_torus(), ECUBE, SetupPolicy::Hold);
    let Some(CircuitOutcome::Deadlock(deadlock)) = circuits.outcome() else { panic!("no deadlock") };
    for (place, (number, link)) in deadlock.cycle.iter().enumerate() {
        let holder = deadlock.cycle[(place + 1) % deadlock.cycle.len()].0;
        let (waiting, holding) = (circuits.message(*number).expect("waits"), circuits.message(holder).expect("holds"));
        assert_eq!(waiting.state(), ProbeState::Waiting(faultlab::topology::Port(link.dim)));
        assert_eq!(waiting.here(), link.from);
        assert!(holding.path().any(|(node, port)| (node, port.0) == (link.from, link.dim)));
    }
    assert!(deadlock.messages >= deadlock.cycle.len() as u64);
    let free = [
        (ring.to_torus(), ECUBE, SetupPolicy::Retry { backoff: 1.0 }),
        (ring.to_torus(), any(), SetupPolicy::Hold),
        (ring, ECUBE, SetupPolicy::Hold),
        (mesh(4, 4), ECUBE, SetupPolicy::Hold),
    ];
    for (shape, routing, setup) in free {
        assert_eq!(run(shape, routing, setup).outcome(), None, "{shape} {routing:?} {setup}");
    }
}

#[test]
fn configurations_outside_the_limits_are_rejected() {
    let none = |shape| Arc::new(BlockFaults::unclosed(shape, &[], &[]));
    let config = ProbeConfig::new(none(mesh(4, 4)), ECUBE, 0.1);
    let error = |config| ProbeNetwork::new(config, Key::from_seed(1)).expect_err("an error");
    let large = ProbeConfig { faults: none(mesh(64, 65)), ..config.clone() };
    assert_eq!(error(large), CircuitError::TooManyNodes(4160));
    assert_eq!(error(ProbeConfig { hop: 1.5, ..config.clone() }), CircuitError::Hop(1.5));
    assert_eq!(error(ProbeConfig { rate: f64::INFINITY, ..config.clone() }), CircuitError::Rate(f64::INFINITY));
    let lowest_only = ProbeConfig { avail: LinkSelection::LowestOnly, ..config.clone() };
    assert_eq!(error(lowest_only), CircuitError::LowestOnly);
    let setup = SetupPolicy::Retry { backoff: 0.0 };
    assert_eq!(error(ProbeConfig { setup, ..config.clone() }), CircuitError::Backoff(0.0));
    let pattern = Pattern::hot_spot(NodeId(16), 0.5);
    assert_eq!(error(ProbeConfig { pattern: pattern.clone(), ..config }), CircuitError::Pattern(pattern));
}

#[test]
fn names_of_algorithms_give_their_misroutes() {
    let probe = |id: &str| routing::find(id).ok().and_then(|algorithm| algorithm.probe());
    assert_eq!(probe("e-cube"), Some(ECUBE));
    assert_eq!(probe("mb-0"), Some(backtracking(0)));
    assert_eq!(probe("mb-17"), Some(backtracking(17)));
    assert_eq!(probe("mb-any"), Some(any()));
    for id in ["mb-", "mb-01", "mb-100", "mb-x", "mb--1", "up", "5e", "f-cube2"] {
        assert_eq!(probe(id), None, "{id}");
    }
    let error = routing::find("mb-100").expect_err("an error").to_string();
    assert!(error.contains("mb-M with M = 0 to 99"), "{error}");
}
