//! Fault sets placed by a rule or at random.

use rand::RngExt as _;

use crate::fault::FaultyNodes;
use crate::random::Key;
use crate::topology::NodeId;

/// Samples `count` faults with Floyd's algorithm: all sets are equally likely.
pub(super) fn random(mut faulty: FaultyNodes, count: u32, key: Key) -> FaultyNodes {
    let (nodes, mut generator) = (faulty.cube().mask() + 1, key.generator());
    for last in nodes - u64::from(count)..nodes {
        let drawn = NodeId(generator.random_range(0..=last));
        faulty.set(if faulty.contains(drawn) { NodeId(last) } else { drawn }, true);
    }
    faulty
}

/// Makes the nodes at the first `count` positions of `node_at` faulty.
pub(super) fn place_first(mut faulty: FaultyNodes, count: u32, node_at: impl Fn(u64) -> u64) -> FaultyNodes {
    (0..u64::from(count)).for_each(|place| faulty.set(NodeId(node_at(place)), true));
    faulty
}

/// Makes the nodes with the lowest `score` of their distance from the centre faulty. The address
/// difference breaks ties.
pub(super) fn place_nearest(
    faulty: FaultyNodes,
    count: u32,
    centre: NodeId,
    score: impl Fn(u32) -> u32,
) -> FaultyNodes {
    let mut differences: Vec<u32> = (0..=faulty.cube().mask() as u32).collect();
    differences.sort_by_key(|difference| (score(difference.count_ones()), *difference));
    place_first(faulty, count, |place| {
        differences.get(place as usize).map_or(0, |&difference| u64::from(difference)) ^ centre.0
    })
}

/// Makes the lowest healthy nodes faulty until there are `count` faults.
pub(super) fn fill_lowest(faulty: &mut FaultyNodes, count: u32) {
    for node in (0..=faulty.cube().mask()).map(NodeId) {
        if faulty.count() >= count {
            return;
        }
        faulty.set(node, true);
    }
}

/// Places a congestion funnel whose channel leaves the centre across dimension k.
///
/// k is the lowest dimension with more than `count` nodes in the subcube of the dimensions below
/// it. The faults block the channels across k of the other nodes of that subcube, nearest first.
pub(super) fn funnel(mut faulty: FaultyNodes, count: u32, centre: NodeId) -> FaultyNodes {
    let n = faulty.cube().dimension();
    let dim = (0..n).find(|&dim| 1u64 << dim > u64::from(count)).unwrap_or(n - 1);
    let mut within: Vec<u32> = (1..1u32 << dim).collect();
    within.sort_by_key(|difference| (difference.count_ones(), *difference));
    for difference in within.into_iter().take(count as usize) {
        faulty.set(NodeId(centre.0 ^ u64::from(difference) ^ 1 << dim), true);
    }
    // Even the widest funnel may need fewer faults than `count`.
    fill_lowest(&mut faulty, count);
    faulty
}
