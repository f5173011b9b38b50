//! Tests of routings that meet or violate Duato's condition.

use faultlab::fault::BlockFaults;
use faultlab::routing::{
    AlgorithmState, Rule, Unsupported, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormStatus,
};
use faultlab::theory::{DependencyGraph, ExtendedDependencies, MeshDependencies};
use faultlab::topology::{Mesh, NodeId, Port};

use super::{broken, mesh, random_faults, worm};

/// Rule of the routings in these tests.
static RULE: Rule = Rule::worm("test", |_| "".into());

/// Returns whether the escape channels are connected, and whether their extended dependencies are
/// acyclic.
fn condition(faults: &BlockFaults, routing: &dyn WormRouting) -> (bool, bool) {
    let built = ExtendedDependencies::build(faults, routing).expect("a small mesh");
    (built.violation().is_none(), is_acyclic(&built.graph()))
}

fn is_acyclic(graph: &DependencyGraph) -> bool {
    graph.acyclic_order().is_ok()
}

/// Returns the plain dependency graph.
fn all_dependencies(faults: &BlockFaults, routing: &dyn WormRouting) -> DependencyGraph {
    MeshDependencies::build(faults, routing).expect("a small mesh").graph().clone()
}

/// Section IV.A: "full adaptivity can be provided using just one extra virtual channel".
#[test]
fn holds_without_faults_despite_cycles() {
    for radices in [&[4, 4][..], &[5, 3], &[2, 2], &[3, 3, 3], &[2, 3, 4], &[2, 2, 2, 2]] {
        let faults = broken(mesh(radices), &[]);
        for (id, classes) in [("weak", 2), ("weak-f-cube4", 5)] {
            assert_eq!(worm(id).vc_classes(faults.mesh()), classes);
            assert_eq!(condition(&faults, worm(id)), (true, true), "{id} {radices:?}");
            assert!(!is_acyclic(&all_dependencies(&faults, worm(id))), "{id} {radices:?}");
            let arrivals = MeshDependencies::build(&faults, worm(id)).unwrap().arrivals();
            assert_eq!((arrivals.lost, arrivals.livelocked, arrivals.detour), (0, 0, 0));
        }
    }
}

/// Without adaptive classes, Duato's condition equals that of Dally & Seitz.
#[test]
fn equals_plain_graph_without_adaptive_classes() {
    for number in 0..30 {
        let faults = random_faults(mesh(&[6, 6]), 3, number);
        for id in ["e-cube", "f-cube2", "f-cube4", "lh"] {
            let extended = ExtendedDependencies::build(&faults, worm(id)).unwrap();
            let (graph, plain) = (extended.graph(), all_dependencies(&faults, worm(id)));
            assert_eq!(graph.dependencies(), plain.dependencies(), "{id} {number}");
            assert_eq!(is_acyclic(&graph), is_acyclic(&plain), "{id} {number}");
            let arrivals = MeshDependencies::build(&faults, worm(id)).unwrap().arrivals();
            assert_eq!(extended.violation().is_none(), arrivals.lost + arrivals.livelocked == 0, "{id} {number}");
        }
    }
}

/// A message whose e-cube hop is faulty can wait for adaptive channels only.
#[test]
fn fault_on_escape_channel_violates_condition() {
    let faults = broken(mesh(&[6, 6]), &["2.2-2.3"]);
    let stranded = ExtendedDependencies::build(&faults, worm("weak")).unwrap().violation().unwrap();
    assert!(stranded.waits);
    let place = |node| faults.mesh().row_and_column(node);
    let ((row, column), (to_row, to_column)) = (place(stranded.node), place(stranded.pair.to));
    assert!((row, row != to_row) == (2, true), "{stranded:?}");
    assert!(column == 2 && to_column > 2 || column == 3 && to_column < 3, "{stranded:?}");
    // Between neighbours the e-cube hop is the only minimal one, so the shortest distance at which
    // a message waits is two hops.
    assert_eq!(faults.mesh().distance(stranded.pair.from, stranded.pair.to), 2, "{stranded:?}");
    assert_eq!(condition(&faults, worm("weak-f-cube4")), (true, true));
    // A faulty column link removes the e-cube hop too. No other minimal hop is left there, so the
    // message is lost.
    let faults = broken(mesh(&[6, 6]), &["2.2-3.2"]);
    let stranded = ExtendedDependencies::build(&faults, worm("weak")).unwrap().violation().unwrap();
    assert_eq!((stranded.waits, faults.mesh().distance(stranded.node, stranded.pair.to) > 0), (false, true));
    assert_eq!(faults.mesh().distance(stranded.pair.from, stranded.pair.to), 1, "the ends of the link");
}

/// Asserts Duato's condition for the escape classes of `id`, and that every message arrives.
#[track_caller]
fn assert_delivers_by_escapes(faults: &BlockFaults, id: &str) {
    let what = || format!("{id} {} {:?}", faults.mesh(), faults.regions());
    assert_eq!(condition(faults, worm(id)), (true, true), "{}", what());
    let arrivals = MeshDependencies::build(faults, worm(id)).expect("a small mesh").arrivals();
    assert_eq!((arrivals.lost, arrivals.livelocked), (0, 0), "{}", what());
}

/// With f-cube4 as the base algorithm, the condition holds for any faults in two dimensions, and in
/// more dimensions where f-cube4 is proved. Boppana & Chalasani: "A simple method to make this
/// weakly adaptive algorithm fault-tolerant is to enhance the base algorithm, e-cube, into
/// f-cube4". The two variants with fewer classes, which are Faultlab's, satisfy it where they claim
/// to.
#[test]
fn f_cube4_escape_satisfies_condition_with_random_faults() {
    let sizes: [&[u16]; 8] = [&[6, 6], &[5, 8], &[7, 4], &[3, 9], &[3, 3, 3], &[4, 3, 3], &[2, 3, 4], &[2, 2, 3, 2]];
    for (id, least_flat, least_high) in [("weak-f-cube4", 301, 51), ("weak-compact", 301, 51), ("weak-f-cube2", 1, 0)] {
        let (mut flat, mut high) = (0, 0);
        for number in 0..800 {
            let mesh = mesh(sizes[number as usize % sizes.len()]);
            let faults = random_faults(mesh, 1 + number as u32 % 5, number);
            if worm(id).check_network(mesh).is_err() || !worm(id).is_proved(&faults) || faults.is_none() {
                continue;
            }
            assert_delivers_by_escapes(&faults, id);
            if mesh.is_plane() { flat += 1 } else { high += 1 }
        }
        println!("{id}: {flat} fault sets in two dimensions, {high} in more");
        assert!(flat >= least_flat && high >= least_high, "{id} {flat} {high}");
    }
}

/// Section VII asks for adaptive, fault-tolerant routing with four classes. Weak compact f-cube4
/// satisfies the condition for every set of one or two faulty nodes or links of 4 x 4 nodes.
#[test]
fn four_classes_satisfy_condition_with_any_two_faults() {
    let mesh = mesh(&[4, 4]);
    let elements: Vec<_> = mesh
        .iter_nodes()
        .map(|node| (vec![node], Vec::new()))
        .chain(mesh.iter_links().map(|link| (Vec::new(), vec![link])))
        .collect();
    assert_eq!((elements.len(), worm("weak-compact").vc_classes(mesh)), (40, 4));
    let mut sets = 0;
    for (number, (nodes, links)) in elements.iter().enumerate() {
        // An element with itself is the set of one fault.
        for (more_nodes, more_links) in &elements[number..] {
            let (nodes, links) = ([&**nodes, more_nodes].concat(), [&**links, more_links].concat());
            let faults = BlockFaults::new(mesh, &nodes, &links);
            assert!(worm("weak-compact").is_proved(&faults), "{:?}", faults.regions());
            assert_delivers_by_escapes(&faults, "weak-compact");
            sets += 1;
        }
    }
    assert_eq!(sets, 820);
}

/// Weakly adaptive routing that stops using f-cube4 once a message has passed a fault.
struct LeavesFCube4;

impl WormRouting for LeavesFCube4 {
    fn vc_classes(&self, mesh: Mesh) -> u8 {
        worm("weak-f-cube4").vc_classes(mesh)
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        worm("weak-f-cube4").check_network(mesh)
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        worm("weak-f-cube4").initial_header(faults, from, to, number)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        for &choice in worm("weak-f-cube4").choices(faults, at).iter() {
            let is_normal = choice.header.status == WormStatus::Normal;
            let memory = if is_normal { AlgorithmState::Nothing } else { choice.header.memory };
            choices.add(VcRequest { header: WormHeader { memory, ..choice.header }, ..choice });
        }
    }

    fn is_escape(&self, mesh: Mesh, class: u8) -> bool {
        worm("weak-f-cube4").is_escape(mesh, class)
    }

    fn is_proved(&self, _: &BlockFaults) -> bool {
        false
    }
}

/// A message keeps to f-cube4 "for the rest of its journey". Without that rule, a message on one
/// fault's ring can request the next ring's channels through adaptive channels. Some fault sets
/// then have a dependency cycle.
#[test]
fn leaving_f_cube4_can_close_a_cycle() {
    let (mut cyclic, mut stranded) = (0, 0);
    for number in 0..200 {
        let faults = random_faults(mesh(&[7, 7]), 4, number);
        let (connected, acyclic) = condition(&faults, &LeavesFCube4);
        cyclic += u32::from(!acyclic);
        stranded += u32::from(!connected);
        assert_eq!(condition(&faults, worm("weak-f-cube4")), (true, true), "{number}");
    }
    println!("{cyclic} of 200 fault sets close a circle");
    assert!(cyclic > 10 && stranded == 0, "{cyclic} {stranded}");
}

/// Routing with e-cube escape channels and adaptive channels that lead back West.
struct ReturnsWest;

impl WormRouting for ReturnsWest {
    fn vc_classes(&self, _: Mesh) -> u8 {
        2
    }

    fn check_network(&self, _: Mesh) -> Result<(), Unsupported> {
        Ok(())
    }

    fn initial_header(&self, faults: &BlockFaults, from: NodeId, to: NodeId, number: u32) -> WormHeader {
        worm("e-cube").initial_header(faults, from, to, number)
    }

    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        worm("e-cube").route_compute(faults, at, choices);
        if faults.is_open(at.here, Port::WEST) {
            choices.add(VcRequest { port: Port::WEST, class: 1, header: at.header, rule: &RULE });
        }
    }

    fn is_escape(&self, _: Mesh, class: u8) -> bool {
        class == 0
    }

    fn is_proved(&self, _: &BlockFaults) -> bool {
        false
    }
}

/// Connected escape channels without direct cycles are not sufficient: indirect dependencies count
/// too.
#[test]
fn adaptive_channels_can_close_a_circle_of_escape_channels() {
    let faults = broken(mesh(&[3, 4]), &[]);
    assert_eq!(condition(&faults, &ReturnsWest), (true, false));
    assert_eq!(condition(&faults, worm("e-cube")), (true, true));
}
