//! Deliverable share of messages with dead wires, in closed form.

use crate::topology::fat_tree::FatTree;

/// Returns the mean share of the messages of a random permutation that are deliverable if every
/// wire is dead with probability `p`.
///
/// The share is 1/n + the sum over a of 2^(a-1)/n times the product over h < a of (1 - p^cap(h))^2.
/// A message of a random permutation stays at its processor with probability 1/n and turns at
/// height a with probability 2^(a-1)/n. A message that turns at height a needs a live wire in an up
/// channel and a down channel of each height below a.
pub fn deliverable_fraction(tree: FatTree, p: f64) -> f64 {
    let n = f64::from(tree.processors());
    let (mut sum, mut path, mut turning) = (1.0, 1.0, 1.0);
    for capacity in tree.capacities().take(usize::from(tree.levels())) {
        let live = 1.0 - libm::pow(p, f64::from(capacity));
        path *= live * live;
        sum += turning * path;
        turning *= 2.0;
    }
    sum / n
}
