//! Enumeration of all fault sets of a small cube.

use crate::fault::Faults;
use crate::topology::{Hypercube, NodeId};
use crate::traffic::Pair;

/// Largest dimension of a cube whose fault sets are enumerated: 2^14 sets for n = 4; n = 5 would
/// have 2^30.
pub const MAX_ENUMERATED_DIMENSION: u8 = 4;

/// Set of faulty nodes of a cube of up to 6 dimensions: bit i for node i.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultSet(pub u64);

impl Faults for FaultSet {
    fn is_faulty(&mut self, node: NodeId) -> bool {
        node.0 < 64 && self.0 >> node.0 & 1 == 1
    }
}

/// Returns the average of `value` over all sets of f faulty nodes, for f = 0 to 2^n - 2, in the
/// n-cube with antipodal ends.
///
/// `None` above [`MAX_ENUMERATED_DIMENSION`].
pub(super) fn average_by_faults(n: u8, mut value: impl FnMut(Hypercube, Pair, FaultSet) -> f64) -> Option<Vec<f64>> {
    let cube = Hypercube::new(n).filter(|_| n <= MAX_ENUMERATED_DIMENSION)?;
    let ends = Pair::antipodal(cube, None, None);
    let mut sums = vec![(0.0, 0u32); cube.others() as usize + 1];
    // The ends are the first and the last node: sets of the others are the even numbers below
    // 2^(2^n - 1).
    for nodes in (0..1u64 << (cube.others() + 1)).step_by(2) {
        let (sum, sets) = &mut sums[nodes.count_ones() as usize];
        *sum += value(cube, ends, FaultSet(nodes));
        *sets += 1;
    }
    Some(sums.into_iter().map(|(sum, sets)| sum / f64::from(sets)).collect())
}

/// Converts averages over all sets of f = 0 to M faulty nodes (Model B) to the average with each
/// node faulty with probability `p` (Model A).
///
/// The result is the sum of C(M, f) p^f (1-p)^(M-f) times the averages.
pub fn bernoulli_mixture(by_faults: &[f64], p: f64) -> f64 {
    // Probabilities of 0, 1, 2.. faults among the nodes so far; each iteration adds a node.
    let mut chances = vec![0.0; by_faults.len()];
    for nodes in 0..by_faults.len() {
        for f in (1..=nodes).rev() {
            chances[f] = chances[f] * (1.0 - p) + chances[f - 1] * p;
        }
        chances[0] = if nodes == 0 { 1.0 } else { chances[0] * (1.0 - p) };
    }
    by_faults.iter().zip(chances).map(|(value, chance)| value * chance).sum()
}
