//! Counts of fault-free bit-fixing paths of all nodes, in one sweep over the dimensions.

use super::FaultyNodes;
use crate::topology::{Link, NodeId};

/// Base-2 logarithm of the number of nodes that one sweep processes together, to stay in the cache.
const SWEEP_BLOCK_BITS: u32 = 12;

/// Returns, by node, the number of destinations, including the node itself, to which the bit-fixing
/// path is fault-free.
///
/// After the dimensions n to k, the entry of x counts the destinations that x reaches across these
/// dimensions alone: without a hop across dimension k, or through the neighbour across dimension k.
/// Cost: n N additions, in place.
pub fn fault_free_out(faulty: &FaultyNodes) -> Vec<u32> {
    let (mut counts, n) = initial_counts(faulty);
    if faulty.has_faulty_links() {
        (0..n).rev().for_each(|dim| add_across_links(&mut counts, faulty, dim, Hop::First));
        return counts;
    }
    let low = n.min(SWEEP_BLOCK_BITS);
    (low..n).rev().for_each(|dim| add_across(&mut counts, faulty.healthy(), dim));
    sweep_blocks(&mut counts, faulty.healthy(), low, |counts, healthy| {
        (0..low).rev().for_each(|dim| add_across(counts, healthy, dim));
    });
    counts
}

/// Returns, by node, the number of sources, including the node itself, from which the bit-fixing
/// path is fault-free. Cost: that of [`fault_free_out`].
pub fn fault_free_into(faulty: &FaultyNodes) -> Vec<u32> {
    let (mut counts, n) = initial_counts(faulty);
    if faulty.has_faulty_links() {
        (0..n).for_each(|dim| add_across_links(&mut counts, faulty, dim, Hop::Last));
        return counts;
    }
    let low = n.min(SWEEP_BLOCK_BITS);
    sweep_blocks(&mut counts, faulty.healthy(), low, |counts, healthy| {
        (0..low).for_each(|dim| add_across(counts, healthy, dim));
    });
    (low..n).for_each(|dim| add_across(&mut counts, faulty.healthy(), dim));
    counts
}

/// Returns, by node, the number of fault-free bit-fixing paths that contain the node, also as an
/// endpoint: the paths that a failure of the node would break.
///
/// Paths are classified by the last dimension that they cross before the node. Cost: 2 n N
/// additions and n N multiplications, and memory for n N counts.
pub fn fault_free_through(faulty: &FaultyNodes) -> Vec<u64> {
    let (mut from, n) = initial_counts(faulty);
    // Numbers of destinations reached across the dimensions from k on, for every k.
    let mut onward = vec![from.clone()];
    for dim in (0..n).rev() {
        add_across_any(&mut from, faulty, dim, Hop::First);
        onward.push(from.clone());
    }
    onward.reverse();
    let (mut into, _) = initial_counts(faulty);
    let product = |into: &u32, onward: &u32| u64::from(*into) * u64::from(*onward);
    let mut through: Vec<u64> = into.iter().zip(&onward[0]).map(|(into, onward)| product(into, onward)).collect();
    for dim in 0..n {
        let before = into.clone();
        add_across_any(&mut into, faulty, dim, Hop::Last);
        let arrived = into.iter().zip(&before).map(|(after, before)| after - before);
        for ((through, arrived), onward) in through.iter_mut().zip(arrived).zip(&onward[dim as usize + 1]) {
            *through += product(&arrived, onward);
        }
    }
    through
}

/// Returns the initial counts, one path of each healthy node to itself, and the dimension n.
fn initial_counts(faulty: &FaultyNodes) -> (Vec<u32>, u32) {
    let counts = faulty.healthy().iter().map(|&healthy| u32::from(healthy)).collect();
    (counts, u32::from(faulty.cube().dimension()))
}

fn sweep_blocks(counts: &mut [u32], healthy: &[bool], low: u32, sweep: impl Fn(&mut [u32], &[bool])) {
    let size = 1 << low;
    counts.chunks_exact_mut(size).zip(healthy.chunks_exact(size)).for_each(|(counts, healthy)| sweep(counts, healthy));
}

/// Adds the counts across one dimension. No path continues through a faulty node.
#[inline]
fn add_across(counts: &mut [u32], healthy: &[bool], dim: u32) {
    let half = 1usize << dim;
    for (counts, healthy) in counts.chunks_exact_mut(2 * half).zip(healthy.chunks_exact(2 * half)) {
        let ((low, high), (low_ok, high_ok)) = (counts.split_at_mut(half), healthy.split_at(half));
        for (((low, high), low_ok), high_ok) in low.iter_mut().zip(high).zip(low_ok).zip(high_ok) {
            let both = *low + *high;
            *low = both * u32::from(*low_ok);
            *high = both * u32::from(*high_ok);
        }
    }
}

/// Hop of a path that a step of a sweep adds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hop {
    /// The hop that leaves the counted node: counts of destinations.
    First,
    /// The hop that enters the counted node: counts of sources.
    Last,
}

fn add_across_any(counts: &mut [u32], faulty: &FaultyNodes, dim: u32, hop: Hop) {
    if faulty.has_faulty_links() {
        add_across_links(counts, faulty, dim, hop);
    } else {
        add_across(counts, faulty.healthy(), dim);
    }
}

/// Adds the counts across one dimension. No path continues through a faulty node or link.
fn add_across_links(counts: &mut [u32], faulty: &FaultyNodes, dim: u32, hop: Hop) {
    let half = 1usize << dim;
    for low in (0..counts.len()).filter(|node| node & half == 0) {
        let up = Link { from: NodeId(low as u64), dim: dim as u8 };
        // Factors that are 1 for live links from and to the lower node.
        let [up, down] = [up, up.reverse()].map(|link| u32::from(!faulty.is_link_faulty(link)));
        let (to_low, to_high) = if hop == Hop::First { (up, down) } else { (down, up) };
        let (at_low, at_high) = (counts[low], counts[low | half]);
        let [low_ok, high_ok] = [low, low | half].map(|node| u32::from(faulty.healthy()[node]));
        counts[low] = (at_low + at_high * to_low) * low_ok;
        counts[low | half] = (at_high + at_low * to_high) * high_ok;
    }
}
