//! The worst that faults can do, exactly: the one, two or three faults that leave the fewest nodes active, and the pair of nodes that
//! present faults leave the fewest intermediate nodes.

use crate::fault::{Left, Tolerance};
use crate::routing::oblivious::ObliviousRouting;
use crate::topology::{Hypercube, NodeId};

/// The worst faults of their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstFaults {
    /// Such a set; all its translations, by an exclusive or, do the same harm, and others may.
    pub nodes: Vec<NodeId>,
    /// The number of nodes that it leaves active.
    pub active: u32,
    /// The sets looked at: those with node 0, of which every set is a translation.
    pub sets: u64,
}

/// The `count` faults, 1 to 3, that leave the fewest nodes of `cube` active under Algorithm A's rule, or under Algorithm B's, whose
/// faults are then those nodes of their squares that end in 00: two in one square do less. `None` for other numbers, where there are not
/// as many nodes or squares, no such rule, or more sets than `most`. Cost: some n^2 F^2 steps for each set.
pub fn worst_faults(
    cube: Hypercube,
    squares: bool,
    count: u32,
    tolerance: Tolerance,
    most: u64,
) -> Option<WorstFaults> {
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
        let active = Left::of_few(core, &nodes, tolerance).active;
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
    Some(WorstFaults { nodes, active: active * times, sets })
}

/// The pair that faults hurt most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorstPair {
    /// The source.
    pub from: NodeId,
    /// The destination; may be the source.
    pub to: NodeId,
    /// The size of its set I_sd of intermediate nodes, under Algorithm B of squares.
    pub choice: u64,
    /// The ordered pairs of active nodes that have as few.
    pub as_few: u64,
    /// All ordered pairs of active nodes.
    pub pairs: u64,
}

/// The first pair of active nodes with the smallest set I_sd. `None` if no node is active, the scheme has no intermediate nodes, or there
/// are more than `most` pairs. Cost: 6 N steps for each pair.
pub fn worst_pair(routing: &dyn ObliviousRouting, most: u64) -> Option<WorstPair> {
    let active: Vec<_> = (0..=routing.cube().mask()).map(NodeId).filter(|&node| routing.is_active(node)).collect();
    // Counted in 64 bits: in the page 2^16 nodes squared would be none.
    let pairs = (active.len() as u64).pow(2);
    if pairs > most {
        return None;
    }
    let mut worst: Option<WorstPair> = None;
    for &from in &active {
        for &to in &active {
            let choice = routing.choice(from, to)?.valid.len() as u64;
            match &mut worst {
                Some(worst) if worst.choice == choice => worst.as_few += 1,
                Some(worst) if worst.choice < choice => {}
                _ => worst = Some(WorstPair { from, to, choice, as_few: 1, pairs }),
            }
        }
    }
    worst
}
