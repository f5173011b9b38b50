//! The channel dependency graph of an oblivious scheme, from every route that it may choose.

use crate::routing::oblivious::{ObliviousRoute, ObliviousRouting};
use crate::theory::{ChannelId, DependencyGraph, hypercube_channel};
use crate::topology::NodeId;

/// The largest cube whose routes are all looked at: two million under Algorithm A.
pub const MAX_OBLIVIOUS_DEPENDENCY_DIMENSION: u8 = 7;

/// The dependencies of `routing` among its faults: each channel of a route on the next one, for every route by way of any
/// valid intermediate node between any two active nodes, which may be the same. `None` above
/// [`MAX_OBLIVIOUS_DEPENDENCY_DIMENSION`]. Cost: N^3 routes at most.
///
/// Of a scheme whose routes all ascend in its order ([`ObliviousRoute::ascends`]) the graph has no cycle. Algorithm A's and
/// Valiant & Brebner's has: at an intermediate node a message may turn back into the channel it came by, in the other
/// direction, and so may one that comes from there (from n = 1 on if messages from a node to itself travel, from n = 2 on if
/// not).
pub fn oblivious_dependencies(routing: &dyn ObliviousRouting) -> Option<DependencyGraph> {
    let cube = routing.cube();
    if cube.dimension() > MAX_OBLIVIOUS_DEPENDENCY_DIMENSION {
        return None;
    }
    let (nodes, n) = (cube.mask() as u32 + 1, u32::from(cube.dimension()));
    let mut graph = DependencyGraph::new(nodes * n);
    let mut known = vec![false; (nodes * n * n) as usize];
    let mut add = |route: &ObliviousRoute| {
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
    };
    let active: Vec<_> = (0..=cube.mask()).map(NodeId).filter(|&node| routing.is_active(node)).collect();
    for (from, to) in active.iter().flat_map(|&from| active.iter().map(move |&to| (from, to))) {
        match routing.choice(from, to) {
            Some(choice) => choice.valid.iter().for_each(|&via| {
                routing.through(from, to, Some(via)).iter().for_each(&mut add);
            }),
            None => routing.through(from, to, None).iter().for_each(&mut add),
        }
    }
    Some(graph)
}
