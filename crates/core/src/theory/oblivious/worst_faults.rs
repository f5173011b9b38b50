//! Exact worst cases of faults: the one to three faults that leave the fewest active nodes, and the
//! pair with the fewest intermediate nodes.

use crate::fault::{RemainingPaths, Tolerance};
use crate::routing::oblivious::ObliviousRouting;
use crate::topology::{Hypercube, NodeId};

/// Worst set of faults of its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstFaultSet {
    /// Faulty nodes. An exclusive or of all nodes with the same address gives an equally bad set.
    /// Other sets may be equally bad too.
    pub nodes: Vec<NodeId>,
    /// Number of nodes that stay active.
    pub active: u32,
    /// Number of evaluated sets: those with node 0, of which every set is a translation.
    pub evaluated_sets: u64,
}

/// Finds the `count` faults, 1 to 3, that leave the fewest nodes of `cube` active under Algorithm
/// A's or B's rule.
///
/// Under Algorithm B (`squares`) each fault is the node of its square whose address ends in 00. Two
/// faults in one square leave more nodes active. `None` for other values of `count`, for cubes with
/// fewer nodes or squares than faults, and for more sets than `most`. Cost: about n^2 F^2 steps for
/// each set.
pub fn worst_faults(
    cube: Hypercube,
    squares: bool,
    count: u32,
    tolerance: Tolerance,
    most: u64,
) -> Option<WorstFaultSet> {
    let core = if squares { Hypercube::new(cube.dimension().checked_sub(2)?)? } else { cube };
    let others = core.mask();
    let sets = match count {
        1 => 1,
        2 => others,
        3 => others * others.checked_sub(1)? / 2,
        _ => return None,
    };
    if u64::from(count) > others + 1 || sets > most {
        return None;
    }
    let mut best: Option<(u32, Vec<NodeId>)> = None;
    let mut look = |nodes: &[u64]| {
        let nodes: Vec<_> = nodes.iter().copied().map(NodeId).collect();
        let active = RemainingPaths::from_few_faults(core, &nodes, tolerance).active;
        if best.as_ref().is_none_or(|(least, _)| active < *least) {
            best = Some((active, nodes));
        }
    };
    match count {
        1 => look(&[0]),
        2 => (1..=others).for_each(|one| look(&[0, one])),
        _ => (1..others).for_each(|one| (one + 1..=others).for_each(|two| look(&[0, one, two]))),
    }
    let (active, nodes) = best?;
    let (times, shift) = if squares { (4, 2) } else { (1, 0) };
    let nodes = nodes.into_iter().map(|node| NodeId(node.0 << shift)).collect();
    Some(WorstFaultSet { nodes, active: active * times, evaluated_sets: sets })
}

/// Pair of nodes with the fewest intermediate nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorstPair {
    /// Source of the pair.
    pub from: NodeId,
    /// Destination of the pair; may be the source.
    pub to: NodeId,
    /// Number of intermediate nodes in the set I_sd of the pair; under Algorithm B, number of
    /// squares.
    pub choice: u64,
    /// Number of ordered pairs of active nodes with the same number of intermediate nodes.
    pub ties: u64,
    /// Number of all ordered pairs of active nodes.
    pub pairs: u64,
}

/// Finds the first pair of active nodes with the smallest set I_sd.
///
/// `None` if no node is active, the scheme has no intermediate nodes, or there are more than `most`
/// pairs. Cost: 6 N steps for each pair.
pub fn worst_pair(routing: &dyn ObliviousRouting, most: u64) -> Option<WorstPair> {
    let active: Vec<_> = (0..=routing.cube().mask()).map(NodeId).filter(|&node| routing.is_active(node)).collect();
    // Counted in 64 bits: on wasm32, 2^16 squared overflows `usize`.
    let pairs = (active.len() as u64).pow(2);
    if pairs > most {
        return None;
    }
    let mut worst: Option<WorstPair> = None;
    for &from in &active {
        for &to in &active {
            let choice = routing.choice(from, to)?.valid.len() as u64;
            match &mut worst {
                Some(worst) if worst.choice == choice => worst.ties += 1,
                Some(worst) if worst.choice < choice => {}
                _ => worst = Some(WorstPair { from, to, choice, ties: 1, pairs }),
            }
        }
    }
    worst
}
