//! The congestion parameter (Greenberg & Leiserson section 4).

use crate::topology::fat_tree::{FatTree, TreeChannels};

/// The congestion parameter r: the smallest with sum of (e/r)^cap(c) at most 1/2 over the channels c of any simple path, of
/// which the longest has each height below lg n twice.
///
/// It is 4e lg n if all capacities are 1, and a constant for universal fat-trees. With p-subsets of p = 1/(r lambda) a
/// message arrives with probability 1/2 at least if it is sent (Lemma 6). That is about ten times too careful: measured, it
/// is 0.95 and more.
pub fn congestion_parameter(tree: FatTree) -> f64 {
    congestion_of(&tree.channels())
}

/// The same of any of both networks. In the second one wires take the place of channels, of capacity 1 (section 6): it is
/// 4e H, which is 2e lg n, for a root of height H.
pub fn congestion_of(channels: &TreeChannels) -> f64 {
    let capacities: Vec<f64> = (0..channels.levels()).map(|height| f64::from(channels.capacity(height))).collect();
    let path = |r: f64| 2.0 * capacities.iter().map(|&cap| libm::pow(std::f64::consts::E / r, cap)).sum::<f64>();
    // The sum falls with r; all capacities are 1 at least.
    let (mut low, mut high) = (std::f64::consts::E, 4.0 * std::f64::consts::E * f64::from(channels.levels()));
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if path(middle) > 0.5 { low = middle } else { high = middle }
    }
    high
}
