//! Tests of oblivious routing with a random choice at the source: O1TURN, Valiant and ROMM.

use faultlab::fault::BlockFaults;
use faultlab::routing::{self, AlgorithmState, Shared, WormPosition, WormRouting};
use faultlab::theory::{MeshDependencies, expected_channel_loads};
use faultlab::topology::{Mesh, NodeId, Port};
use faultlab::traffic::Pattern;

fn no_faults(radices: &[u16]) -> BlockFaults {
    BlockFaults::new(Mesh::from_radices(radices).expect("a mesh"), &[], &[])
}

fn worm(id: &str) -> Shared<dyn WormRouting> {
    routing::find(id).expect("a routing").worm.clone().expect("a routing of worms")
}

/// Returns the ports of the route of a message with start header `number`.
fn route(faults: &BlockFaults, routing: &dyn WormRouting, [from, to]: [NodeId; 2], number: u32) -> Vec<Port> {
    let header = routing.initial_header(faults, from, to, number);
    let mut at = WormPosition { here: from, to, input_port: None, header };
    let mut ports = Vec::new();
    while at.here != to {
        let choices = routing.choices(faults, &at);
        let choice = choices.get(0).expect("a hop");
        assert_eq!(choices.len(), 1);
        ports.push(choice.port);
        let here = faults.mesh().neighbor(at.here, choice.port).expect("a neighbour");
        at = WormPosition { here, input_port: Some(choice.port), header: choice.header, ..at };
    }
    ports
}

#[test]
fn dependencies_are_acyclic_and_all_messages_arrive() {
    for radices in [&[4, 4][..], &[3, 5], &[3, 3, 3], &[6]] {
        let faults = no_faults(radices);
        for id in ["o1turn", "romm", "valiant-mesh"] {
            let routing = worm(id);
            if routing.check_network(faults.mesh()).is_err() {
                continue;
            }
            let all = MeshDependencies::build(&faults, &*routing).expect("a small mesh");
            assert!(all.graph().acyclic_order().is_ok(), "{id} on {radices:?}");
            assert_eq!((all.arrivals().lost, all.arrivals().livelocked), (0, 0));
        }
    }
}

#[test]
fn o1turn_and_romm_take_shortest_paths_and_o1turn_turns_once() {
    let faults = no_faults(&[5, 4]);
    let mesh = faults.mesh();
    for (from, to) in mesh.iter_nodes().flat_map(|from| mesh.iter_nodes().map(move |to| (from, to))) {
        for id in ["o1turn", "romm"] {
            let routing = worm(id);
            for number in 0..routing.initial_header_count(&faults, from, to) {
                let ports = route(&faults, &*routing, [from, to], number);
                assert_eq!(ports.len() as u32, mesh.distance(from, to));
                let turns = ports.windows(2).filter(|pair| pair[0] != pair[1]).count();
                assert!(turns <= if id == "o1turn" { 1 } else { 3 });
            }
        }
    }
}

#[test]
fn intermediate_nodes_of_romm_are_the_nodes_on_shortest_paths() {
    let mesh = Mesh::from_radices(&[4, 3, 3]).expect("a mesh");
    let faults = no_faults(&[4, 3, 3]);
    let on_shortest_path = |from, to, via| mesh.distance(from, via) + mesh.distance(via, to) == mesh.distance(from, to);
    for (from, to) in [(0, 35), (5, 5), (13, 2), (30, 7)].map(|(from, to)| (NodeId(from), NodeId(to))) {
        let headers = 0..worm("romm").initial_header_count(&faults, from, to);
        let mut drawn: Vec<_> =
            headers.map(|number| worm("romm").initial_header(&faults, from, to, number).memory).collect();
        drawn.sort_unstable();
        let all = mesh.iter_nodes().filter(|&via| on_shortest_path(from, to, via));
        let wanted: Vec<_> = all.map(|via| AlgorithmState::ToIntermediate(via.0 as u16)).collect();
        assert_eq!(drawn, wanted);
    }
}

/// Both phases of Valiant's algorithm load a channel of a k x k mesh with at most k/4 messages,
/// whatever the permutation (Dally & Towles, section 9.1). A message that passes its destination
/// on the way loads less.
#[test]
fn valiant_loads_channels_alike_under_all_permutations() {
    let faults = no_faults(&[8, 8]);
    let largest = |id: &str, pattern: &str| {
        let pattern = Pattern::parse(pattern).expect("a pattern").expect("a valid pattern");
        let loads = expected_channel_loads(&faults, &*worm(id), &pattern).expect("loads");
        loads.into_iter().fold(0.0, f64::max)
    };
    for pattern in ["transpose", "complement", "tornado", "shuffle"] {
        let load = largest("valiant-mesh", pattern);
        assert!((3.7..=4.0 + 1e-9).contains(&load), "{pattern}: {load}");
    }
    assert!(largest("e-cube", "transpose") > 1.7 * largest("valiant-mesh", "transpose"));
    assert!(largest("o1turn", "transpose") < largest("e-cube", "transpose"));
    assert!((largest("o1turn", "uniform") - largest("e-cube", "uniform")).abs() < 1e-9);
}
