//! Tests of the algorithms' promises against dependency graphs and journeys, on random fault sets.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeSet;

use faultlab::fault::{BlockFaults, Tolerance};
use faultlab::random::{Generator, Key};
use faultlab::routing::{ALGORITHMS, Algorithm, DeadlockFreedom, UseCase, VcRequests, WormPosition, WormRouting};
use faultlab::theory::{ExtendedDependencies, MeshDependencies};
use faultlab::topology::Network;

use crate::common::{cube, mesh, mesh_faults as faults, mesh_with_radices, random_faults, sample_raw_faults, worm};

/// Returns random fault sets of a mesh and of a hypercube, each family's first set without faults.
fn fault_sets() -> Vec<BlockFaults> {
    let mut generator: Generator = Key::from_seed(31).generator();
    let meshes: Vec<_> = (0..25).map(|most| random_faults(mesh(6, 6), most / 6, &mut generator)).collect();
    let cubes = (0..20).map(|most| {
        let none = BlockFaults::on_cube(cube(4), &[], &[], Tolerance::Thesis).expect("a small cube");
        let (nodes, links) = sample_raw_faults(none.mesh(), most / 5, &mut generator);
        BlockFaults::on_cube(cube(4), &nodes, &links, Tolerance::Thesis).expect("a small cube")
    });
    meshes.into_iter().chain(cubes).collect()
}

/// Returns whether no cyclic wait is possible: among all channels, or among escape channels.
fn is_safe(faults: &BlockFaults, routing: &dyn WormRouting) -> bool {
    let all = MeshDependencies::build(faults, routing).expect("a small network");
    let escapes =
        || ExtendedDependencies::build(faults, routing).is_some_and(|found| found.graph().acyclic_order().is_ok());
    routing.is_ranked() || all.graph().acyclic_order().is_ok() || escapes()
}

/// Returns each worm algorithm with the fault sets that it supports.
fn worm_algorithms() -> Vec<(&'static Algorithm, &'static dyn WormRouting, Vec<BlockFaults>)> {
    let worms = ALGORITHMS.iter().filter(|algorithm| algorithm.check_use(UseCase::Worms).is_ok());
    let with_routing = worms.filter_map(|algorithm| Some((algorithm, algorithm.worm.as_deref()?)));
    let all = fault_sets();
    let runs = |algorithm: &Algorithm, routing: &dyn WormRouting, faults: &BlockFaults| {
        let mesh = faults.mesh();
        let network = mesh.cube().map_or(Network::Mesh(mesh), Network::Hypercube);
        algorithm.check_use_on(UseCase::Worms, network).is_ok() && routing.check_network(mesh).is_ok()
    };
    with_routing
        .map(|(algorithm, routing)| {
            (algorithm, routing, all.iter().filter(|faults| runs(algorithm, routing, faults)).cloned().collect())
        })
        .collect()
}

#[test]
fn deadlock_promises_agree_with_dependencies() {
    for (algorithm, routing, all) in worm_algorithms() {
        let safe = |faults: &BlockFaults| is_safe(faults, routing);
        let id = &algorithm.id;
        match algorithm.promises.deadlock {
            DeadlockFreedom::Always => assert!(all.iter().all(safe), "{id}"),
            DeadlockFreedom::WhereProved => {
                assert!(all.iter().all(|faults| !routing.is_proved(faults) || safe(faults)), "{id}")
            }
            DeadlockFreedom::No => assert!(!all.iter().all(safe), "{id}"),
            DeadlockFreedom::NotApplicable | DeadlockFreedom::Unknown => panic!("{id} sends worms, and is built in"),
        }
    }
}

/// Returns whether a message can be permitted a hop that does not lead nearer to its destination.
fn permits_detour(faults: &BlockFaults, routing: &dyn WormRouting) -> bool {
    let mesh = faults.mesh();
    let nodes: Vec<_> = mesh.iter_nodes().filter(|&node| faults.is_member(node)).collect();
    nodes.iter().flat_map(|&from| nodes.iter().map(move |&to| (from, to))).filter(|(from, to)| from != to).any(
        |(from, to)| {
            let starts = 0..routing.initial_header_count(faults, from, to);
            let mut open: Vec<_> = starts.map(|i| (from, None, routing.initial_header(faults, from, to, i))).collect();
            let mut seen: BTreeSet<_> = open.iter().copied().collect();
            let mut choices = VcRequests::NONE;
            while let Some((here, input_port, header)) = open.pop() {
                choices.clear();
                routing.route_compute(faults, &WormPosition { here, to, input_port, header }, &mut choices);
                for choice in choices.iter() {
                    if mesh.minimal_ports(here, to) & choice.port.bit() == 0 {
                        return true;
                    }
                    let next = mesh.neighbor(here, choice.port).expect("a permitted hop");
                    let state = (next, Some(choice.port), choice.header);
                    if next != to && seen.insert(state) {
                        open.push(state);
                    }
                }
            }
            false
        },
    )
}

#[test]
fn shortest_path_promises_agree_with_permitted_hops() {
    for (algorithm, routing, all) in worm_algorithms() {
        let detours = all.iter().any(|faults| permits_detour(faults, routing));
        assert_eq!(detours, !algorithm.promises.shortest, "{}", algorithm.id);
    }
}

#[test]
fn counter_examples_can_deadlock() {
    let mut failing = ALGORITHMS.iter().filter(|algorithm| algorithm.promises.is_counter_example);
    assert!(failing.all(|algorithm| algorithm.promises.deadlock == DeadlockFreedom::No));
}

/// On a fault set for which a routing is proved, every message arrives without deadlock. An
/// algorithm that promises deadlock freedom is proved at least without faults.
#[test]
fn proved_routings_deliver_without_deadlock() {
    for (algorithm, routing, all) in worm_algorithms() {
        let id = &algorithm.id;
        for faults in &all {
            let arrivals = MeshDependencies::build(faults, routing).expect("a small network").arrivals();
            let holds = || arrivals.lost + arrivals.livelocked == 0 && is_safe(faults, routing);
            assert!(!routing.is_proved(faults) || holds(), "{id} on {} {:?}", faults.mesh(), faults.regions());
            let promised = algorithm.promises.deadlock != DeadlockFreedom::No;
            assert!(!faults.is_none() || !promised || routing.is_proved(faults), "{id} on {}", faults.mesh());
        }
    }
}

/// Glass & Ni argue for a single faulty node of a two-dimensional mesh, with the routing that
/// leaves the border for it. The turn models promise nothing with faults.
#[test]
fn turn_models_are_proved_for_the_faults_of_their_papers() {
    let none = faults(mesh(5, 5), "");
    let node = faults(mesh(5, 5), "2.2");
    let others =
        [faults(mesh(5, 5), "1.1,3.3"), faults(mesh(5, 5), "2.2-2.3"), faults(mesh_with_radices(&[4, 4, 4]), "1.1.1")];
    for id in ["west-first", "north-last", "odd-even", "negative-first-minimal", "negative-first", "weak"] {
        assert!(worm(id).is_proved(&none), "{id}");
        assert_eq!(worm(id).is_proved(&node), id == "negative-first", "{id}");
        assert!(!others.iter().any(|faults| worm(id).is_proved(faults)), "{id}");
    }
}
