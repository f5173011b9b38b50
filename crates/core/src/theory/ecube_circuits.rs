//! Waits of circuits on meshes and tori under e-cube with reserve and hold.

use super::dependency::{ChannelCycle, ChannelId, DependencyGraph};
use crate::fault::BlockFaults;
use crate::routing::ecube_port;
use crate::topology::NodeId;
use crate::traffic::Pair;

/// Largest number of nodes of [`ecube_circuit_dependencies`]: the cost grows with the pairs.
pub const MAX_ECUBE_CIRCUIT_NODES: u32 = 4096;

/// Returns the dependencies between the links of a mesh or torus: a circuit that holds one link waits
/// for the next. Links are numbered as by [`crate::topology::Mesh::channel`].
///
/// Only pairs whose e-cube path has no fault send; every two successive links of a path are the whole path
/// of another pair. Every cycle is a deadlock that can occur: messages
/// from the nodes where its links begin each reserve that link at once, and wait for the next one.
/// Returns `None` above [`MAX_ECUBE_CIRCUIT_NODES`]. Cost: the number of pairs of nodes.
pub fn ecube_circuit_dependencies(faults: &BlockFaults) -> Option<DependencyGraph> {
    let mesh = faults.mesh();
    if mesh.nodes() > MAX_ECUBE_CIRCUIT_NODES {
        return None;
    }
    let mut graph = DependencyGraph::new(mesh.channel_table_size());
    for to in mesh.iter_nodes().filter(|&to| !faults.is_faulty(to)) {
        for (held, wanted) in mesh.iter_nodes().filter_map(|from| first_links(faults, from, to)) {
            graph.add(held, wanted);
        }
    }
    Some(graph)
}

/// Returns, for each link of a cycle, a message that holds it as its first link and waits for the next
/// link, which is its last.
pub fn ecube_circuit_witnesses(faults: &BlockFaults, cycle: &ChannelCycle) -> Vec<Pair> {
    let mesh = faults.mesh();
    let next = cycle.channels.iter().cycle().skip(1);
    let witness = |(held, wanted): (&ChannelId, &ChannelId)| {
        let (middle, port) = mesh.channel_ends(wanted.0);
        Some(Pair { from: mesh.channel_ends(held.0).0, to: mesh.neighbor(middle, port)? })
    };
    cycle.channels.iter().zip(next).filter_map(witness).collect()
}

/// Returns the first two links of the e-cube path; `None` if it has fewer links or a fault on them.
fn first_links(faults: &BlockFaults, from: NodeId, to: NodeId) -> Option<(ChannelId, ChannelId)> {
    let (middle, first) = step(faults, from, to)?;
    let (_, second) = step(faults, middle, to)?;
    Some((first, second))
}

/// Returns the next node of the e-cube path and the link to it; `None` at the destination, and if the
/// link is faulty.
fn step(faults: &BlockFaults, from: NodeId, to: NodeId) -> Option<(NodeId, ChannelId)> {
    let mesh = faults.mesh();
    let port = ecube_port(mesh, from, to);
    let is_open = from != to && faults.is_open(from, port);
    let next = mesh.neighbor(from, port).filter(|_| is_open)?;
    Some((next, ChannelId(mesh.channel(from, port))))
}
