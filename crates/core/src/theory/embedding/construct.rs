//! Maps of a healthy hypercube to the live nodes of a faulty one.

use super::{EmbeddingMethod, dimensions};
use crate::fault::FaultyNodes;
use crate::routing::oblivious::{Subcube, healthy_subcube};
use crate::topology::NodeId;

/// Returns the maps that exist, in the order of preference: least load first, then least dilation.
pub(super) fn maps(faulty: &FaultyNodes) -> impl Iterator<Item = (EmbeddingMethod, Vec<NodeId>)> {
    let nodes = || (0..=faulty.cube().mask()).map(NodeId);
    let identity = (faulty.count() == 0).then(|| (EmbeddingMethod::Identity, nodes().collect()));
    let subcube = healthy_subcube(faulty);
    let fold = move |missing: u32| {
        let fits = |subcube: &Subcube| subcube.fixed.count_ones() == missing;
        let map = |subcube: Subcube| {
            let hosts = (0..=faulty.cube().mask()).map(|node| subcube.projection(NodeId(node))).collect();
            (EmbeddingMethod::Subcube(missing), hosts)
        };
        subcube.filter(fits).map(map)
    };
    let neighbours = || live_neighbours(faulty).map(|hosts| (EmbeddingMethod::Neighbours, hosts));
    identity.into_iter().chain(fold(1)).chain(std::iter::once_with(neighbours).flatten()).chain(fold(2))
}

/// Maps every live node to itself and every faulty node to a live neighbour, at most one to each.
/// `None` if there is no such matching. Cost: n F^2 steps.
fn live_neighbours(faulty: &FaultyNodes) -> Option<Vec<NodeId>> {
    let nodes = faulty.cube().mask() as usize + 1;
    // The faulty node of each live host.
    let mut guests: Vec<Option<NodeId>> = vec![None; nodes];
    for node in faulty.iter() {
        assign(faulty, node, &mut guests)?;
    }
    let mut hosts: Vec<_> = (0..nodes as u64).map(NodeId).collect();
    for (host, guest) in (0..).map(NodeId).zip(guests) {
        if let Some(place) = guest.and_then(|guest| hosts.get_mut(guest.0 as usize)) {
            *place = host;
        }
    }
    Some(hosts)
}

/// Gives `node` a live neighbour, along a shortest path of nodes that change their neighbours.
fn assign(faulty: &FaultyNodes, node: NodeId, guests: &mut [Option<NodeId>]) -> Option<()> {
    // The node that reached each host, and the hosts to expand, in order.
    let mut reached: Vec<Option<NodeId>> = vec![None; guests.len()];
    let mut queue = vec![node];
    let mut place = 0;
    while let Some(&guest) = queue.get(place) {
        place += 1;
        for host in dimensions(faulty.cube()).map(|dim| NodeId(guest.0 ^ 1 << dim)) {
            let index = host.0 as usize;
            if faulty.contains(host) || reached[index].is_some() {
                continue;
            }
            reached[index] = Some(guest);
            match guests[index] {
                Some(other) => queue.push(other),
                None => return change_along(node, host, &reached, guests),
            }
        }
    }
    None
}

/// Gives the free `host` to the node that reached it, the former host of that node to the node that
/// reached that one, and so on until `node` has a host.
fn change_along(
    node: NodeId,
    mut host: NodeId,
    reached: &[Option<NodeId>],
    guests: &mut [Option<NodeId>],
) -> Option<()> {
    loop {
        let guest = reached[host.0 as usize]?;
        let former = guests.iter().position(|&other| other == Some(guest));
        guests[host.0 as usize] = Some(guest);
        if guest == node {
            return Some(());
        }
        host = NodeId(former? as u64);
    }
}
