//! Channel dependency graph of an oblivious scheme, from every route that it may choose.

use crate::routing::oblivious::{ObliviousRoute, ObliviousRouting};
use crate::theory::{ChannelCycle, ChannelId, DependencyGraph, hypercube_channel};
use crate::topology::{Link, NodeId};

/// Largest dimension of a cube whose routes are enumerated: two million routes under Algorithm A.
pub const MAX_OBLIVIOUS_DEPENDENCY_DIMENSION: u8 = 7;

/// Builds the dependencies of `routing` among its faults. Each channel of a route depends on the
/// next channel.
///
/// Covers every route through any valid intermediate node between any two active nodes, which may
/// be equal. `None` above [`MAX_OBLIVIOUS_DEPENDENCY_DIMENSION`]. Cost: N^3 routes at most.
///
/// For a scheme whose routes all ascend in its order ([`ObliviousRoute::ascends`]) the graph is
/// acyclic. The graphs of Algorithm A and of Valiant & Brebner have cycles. At an intermediate node
/// a message may turn back along the link by which it arrived, and so may a message from the
/// opposite direction. The cycles exist for n of at least 1 if a message from a node to itself
/// travels, otherwise for n of at least 2.
pub fn oblivious_dependencies(routing: &dyn ObliviousRouting) -> Option<DependencyGraph> {
    let cube = routing.cube();
    if cube.dimension() > MAX_OBLIVIOUS_DEPENDENCY_DIMENSION {
        return None;
    }
    let (nodes, n) = (cube.mask() as u32 + 1, u32::from(cube.dimension()));
    let mut graph = DependencyGraph::new(nodes * n);
    let mut known = vec![false; (nodes * n * n) as usize];
    each_route(routing, &mut |route| {
        let mut held: Option<ChannelId> = None;
        for hop in route.hops() {
            let wanted = hypercube_channel(cube, hop.link.from, hop.link.dim);
            if let Some(held) = held
                && !std::mem::replace(&mut known[(held.0 * n + u32::from(hop.link.dim)) as usize], true)
            {
                graph.add(held, wanted);
            }
            held = Some(wanted);
        }
        true
    });
    Some(graph)
}

/// Calls `see` with every route through any valid intermediate node between any two active nodes,
/// until `see` returns false.
fn each_route(routing: &dyn ObliviousRouting, see: &mut dyn FnMut(&ObliviousRoute) -> bool) {
    let active: Vec<_> = (0..=routing.cube().mask()).map(NodeId).filter(|&node| routing.is_active(node)).collect();
    for (from, to) in active.iter().flat_map(|&from| active.iter().map(move |&to| (from, to))) {
        let vias = match routing.choice(from, to) {
            Some(choice) => choice.valid.into_iter().map(Some).collect(),
            None => vec![None],
        };
        if !vias.into_iter().filter_map(|via| routing.route_via(from, to, via).ok()).all(|route| see(&route)) {
            return;
        }
    }
}

/// Message of an oblivious scheme that witnesses a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObliviousWitness {
    /// Source of the message.
    pub from: NodeId,
    /// Intermediate node; `None` if the scheme has none.
    pub via: Option<NodeId>,
    /// Destination of the message.
    pub to: NodeId,
}

/// Returns for each channel of a cycle of [`oblivious_dependencies`], in order, a message that
/// holds the channel and may request the next one.
///
/// Messages with different source and destination are preferred, then short routes. Returns an
/// empty list if a channel has no such message, which is impossible for a cycle of
/// [`oblivious_dependencies`]. Cost: at most that of [`oblivious_dependencies`].
pub fn oblivious_witnesses(routing: &dyn ObliviousRouting, cycle: &ChannelCycle) -> Vec<ObliviousWitness> {
    let cube = routing.cube();
    if cube.dimension() > MAX_OBLIVIOUS_DEPENDENCY_DIMENSION {
        return Vec::new();
    }
    let steps = cycle.steps();
    let rank = |route: &ObliviousRoute| (route.from() == route.to(), route.length());
    let mut found: Vec<Option<ObliviousRoute>> = vec![None; cycle.channels.len()];
    each_route(routing, &mut |route| {
        let channel = |link: Link| hypercube_channel(cube, link.from, link.dim);
        for (held, wanted) in route.hops().zip(route.hops().skip(1)) {
            let Some((place, next)) = steps.position(channel(held.link)) else { continue };
            let known = &mut found[place];
            if next == channel(wanted.link) && known.as_ref().is_none_or(|known| rank(route) < rank(known)) {
                *known = Some(*route);
            }
        }
        // A route that turns back and goes elsewhere has at least three hops.
        !found.iter().all(|known| known.as_ref().is_some_and(|known| rank(known) <= (false, 3)))
    });
    let message = |route: ObliviousRoute| ObliviousWitness { from: route.from(), via: route.via(), to: route.to() };
    found.into_iter().map(|known| known.map(message)).collect::<Option<_>>().unwrap_or_default()
}
