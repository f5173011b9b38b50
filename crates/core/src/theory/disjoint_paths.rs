//! Node-disjoint shortest paths that a criterion permits (Chiu, Chalasani & Raghavendra, Theorem
//! 4).

use super::affected_pairs::FreeLinks;
use crate::routing::{Criterion, Header, LocalRouting as _, Position};
use crate::topology::{Hypercube, NodeId, set_dimensions};
use crate::traffic::Pair;

/// Returns the maximum number of node-disjoint shortest paths between two nodes under a criterion,
/// 0 between a node and itself.
///
/// Theorem 4 for UP: with i the highest required dimension that leads down, the number is 1 + the
/// number of required dimensions above i. If none leads down, the number is the Hamming distance.
/// For DP the directions are exchanged. For e-cube all required dimensions count as one group,
/// which leaves 1 path. For any minimal path the number is the Hamming distance. `None` if an end
/// is not a node of `cube`.
///
/// According to the introduction of section IV, UP permits more than one path, disjoint or not,
/// unless the distance is 1 or no required link leads up. The introduction omits one exception: if
/// only the lowest required dimension leads up, there is only one path.
pub fn disjoint_count(cube: Hypercube, ends: Pair, free: FreeLinks) -> Option<u32> {
    let (group, singles) = parts(cube, ends, free)?;
    Some(u32::from(group != 0) + singles.count_ones())
}

/// Constructs as many node-disjoint shortest paths as [`disjoint_count`] returns, each as its nodes
/// from source to destination.
///
/// The construction is that of the proof of Theorem 4. L is the group of required dimensions up to
/// i, in ascending order. Path j takes the sequence of the higher required dimensions and L,
/// rotated by j. If no dimension leads down, L is empty, and all required dimensions are rotated.
/// `None` if an end is not a node of `cube`.
pub fn disjoint_paths(cube: Hypercube, ends: Pair, free: FreeLinks) -> Option<Vec<Vec<NodeId>>> {
    let (group, singles) = parts(cube, ends, free)?;
    // Masks of the dimensions that are taken one after the other, the paper's sequence
    // (n-p)...(n-1) L.
    let mut sequence: Vec<u64> = set_dimensions(singles).map(|dim| 1 << dim).collect();
    sequence.extend((group != 0).then_some(group));
    let path = |first: usize| {
        let (late, early) = sequence.split_at(first);
        let mut here = ends.from;
        let hops = early.iter().chain(late).flat_map(|&dims| set_dimensions(dims)).map(|dim| {
            here = cube.neighbor(here, dim);
            here
        });
        std::iter::once(ends.from).chain(hops).collect()
    };
    Some((0..sequence.len()).map(path).collect())
}

/// Returns the required dimensions up to the highest that is not free, and the required dimensions
/// above that one, as masks.
fn parts(cube: Hypercube, ends: Pair, free: FreeLinks) -> Option<(u64, u64)> {
    let required = ends.from.0 ^ ends.to.0;
    let bound = required & !free.dimensions(ends.from);
    let up_to_highest = bound.checked_ilog2().map_or(0, |highest| u64::MAX >> (63 - highest));
    let inside = cube.contains(ends.from) && cube.contains(ends.to);
    inside.then_some((required & up_to_highest, required & !up_to_highest))
}

/// Returns whether `criterion` permits a message to take `path`, its nodes from source to
/// destination, with one of its start headers.
///
/// Cost: the length of the path.
pub fn is_permitted(criterion: &Criterion, path: &[NodeId]) -> bool {
    let Some(&to) = path.last() else { return false };
    (0..criterion.initial_header_count()).map(Header).any(|first| {
        let mut header = first;
        path.windows(2).all(|hop| {
            let at = Position { here: hop[0], wrong: hop[0].0 ^ to.0, header };
            let (low, free) = criterion.legal(at);
            let bit = hop[0].0 ^ hop[1].0;
            let legal = bit.is_power_of_two() && (low | free) & bit != 0;
            header = criterion.header_after(at, bit.trailing_zeros() as u8);
            legal
        })
    })
}
