//! A user-defined algorithm tested for deadlock: first its dependency graph, then the network in
//! overload.
//!
//! Both algorithms route minimally on a mesh with one class of virtual channels. The first takes
//! any minimal hop. The second is north-last of the turn model (Glass & Ni 1992). It goes North
//! only when no other minimal hop is left and never turns after that, which breaks both cycles of
//! turns.
//!
//! `cargo run --release --example deadlock_of_a_new_algorithm`

use std::sync::Arc;

use faultlab::fault::BlockFaults;
use faultlab::random::Key;
use faultlab::routing::{
    Rule, Shared, Unsupported, VcRequest, VcRequests, WormHeader, WormPosition, WormRouting, WormType,
};
use faultlab::switching::{WormholeConfig, WormholeNetwork};
use faultlab::theory::{MeshDependencies, mesh_channel_ends};
use faultlab::topology::{Mesh, NodeId, Port, iter_ports};

/// Rule that permits any minimal hop: its id, which files contain, and its text.
static ANY: Rule = Rule::worm("any-minimal", |_| "any minimal hop".into());
/// Rule that permits North when no other minimal hop is left.
static NORTH: Rule = Rule::worm("north-last", |_| "nothing but North is left".into());

/// Minimal routing that takes any minimal hop; with `north_last` it takes North only at the end.
struct Minimal {
    north_last: bool,
}

impl WormRouting for Minimal {
    fn vc_classes(&self, _mesh: Mesh) -> u8 {
        1
    }

    fn check_network(&self, mesh: Mesh) -> Result<(), Unsupported> {
        if mesh.dimensions() == 2 { Ok(()) } else { Err(Unsupported::NetworkRequirement("a mesh of two dimensions")) }
    }

    fn initial_header(&self, _faults: &BlockFaults, _from: NodeId, _to: NodeId, _number: u32) -> WormHeader {
        WormHeader::normal(WormType::WE)
    }

    /// Chooses the next hops: a pure function of the current node and the destination.
    fn route_compute(&self, faults: &BlockFaults, at: &WormPosition, choices: &mut VcRequests) {
        let minimal = faults.mesh().minimal_ports(at.here, at.to);
        let others = minimal & !Port::NORTH.bit();
        let (ports, rule) = match (self.north_last, others) {
            (false, _) => (minimal, &ANY),
            (true, 0) => (minimal, &NORTH),
            (true, _) => (others, &ANY),
        };
        for port in iter_ports(ports & faults.open_ports(at.here)) {
            choices.add(VcRequest { port, class: 0, header: at.header, rule });
        }
    }

    fn is_proved(&self, _faults: &BlockFaults) -> bool {
        false
    }
}

static UNRESTRICTED: Minimal = Minimal { north_last: false };
static NORTH_LAST: Minimal = Minimal { north_last: true };

fn main() {
    let Some(mesh) = Mesh::new(6, 6) else { return };
    for (name, routing) in [("any minimal hop", &UNRESTRICTED), ("north-last", &NORTH_LAST)] {
        println!("{name}");
        println!("  dependency graph: {}", describe_dependency_graph(mesh, routing));
        println!("  in overload: {}", describe_overload_run(mesh, routing));
    }
}

/// Describes the result of the dependency graph: without a cycle there is no deadlock (Dally &
/// Seitz).
fn describe_dependency_graph(mesh: Mesh, routing: &dyn WormRouting) -> String {
    let faults = BlockFaults::new(mesh, &[], &[]);
    let Some(all) = MeshDependencies::build(&faults, routing) else { return "the mesh is too large".into() };
    match all.graph().acyclic_order() {
        Ok(order) => format!("no cycle among {} channels: no deadlock is possible", order.len()),
        Err(circle) => {
            let channel = |channel| {
                let (node, port, _) = mesh_channel_ends(mesh, channel, 1);
                format!("{} {}", mesh.format_node(node), port.name())
            };
            let channels: Vec<_> = circle.channels.iter().map(|&it| channel(it)).collect();
            format!("a cycle of {} channels: {}", channels.len(), channels.join(", "))
        }
    }
}

/// Simulates the network in overload and describes the outcome.
fn describe_overload_run(mesh: Mesh, routing: &'static dyn WormRouting) -> String {
    let config = WormholeConfig { load: 2.0, virtual_channels: 1, ..WormholeConfig::new(Shared::Static(routing)) };
    let faults = Arc::new(BlockFaults::new(mesh, &[], &[]));
    let mut worms = match WormholeNetwork::new(config, faults, Key::from_seed(1)) {
        Ok(worms) => worms,
        Err(problem) => return problem.to_string(),
    };
    while worms.cycle() < 20_000 && worms.outcome().is_none() {
        worms.step(&mut ());
    }
    match worms.outcome() {
        Some(_) => format!("a deadlock in cycle {}", worms.cycle()),
        None => format!("{} messages arrived in {} cycles", worms.delivered(), worms.cycle()),
    }
}
