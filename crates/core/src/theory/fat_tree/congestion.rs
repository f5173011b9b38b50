//! Congestion parameter of a fat-tree (Greenberg & Leiserson section 4).

use crate::topology::fat_tree::{FatTree, TreeChannels};

/// Returns the congestion parameter r of a fat-tree.
///
/// The parameter is the smallest r for which the sum of (e/r)^cap(c) over the channels c of any
/// simple path is at most 1/2. The longest path has each height below lg n twice.
///
/// The parameter is 4e lg n if all capacities are 1, and a constant for universal fat-trees. With
/// p-subsets of p = 1/(r lambda), a message that is sent arrives with probability at least 1/2
/// (Lemma 6). The parameter is about ten times too conservative: the measured probability is at
/// least 0.95.
pub fn congestion_parameter(tree: FatTree) -> f64 {
    congestion_parameter_of_channels(&tree.channels())
}

/// Returns the congestion parameter of a fat-tree or of the second network.
///
/// In the second network, wires of capacity 1 replace channels (section 6). The parameter is then
/// 4e H for a root of height H: 2e lg n in the plane, 4/3 e lg n in space.
pub fn congestion_parameter_of_channels(channels: &TreeChannels) -> f64 {
    let capacities: Vec<f64> = (0..channels.levels()).map(|height| f64::from(channels.capacity(height))).collect();
    let path = |r: f64| 2.0 * capacities.iter().map(|&cap| libm::pow(std::f64::consts::E / r, cap)).sum::<f64>();
    // The sum falls with r; all capacities are at least 1.
    let (mut low, mut high) = (std::f64::consts::E, 4.0 * std::f64::consts::E * f64::from(channels.levels()));
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if path(middle) > 0.5 { low = middle } else { high = middle }
    }
    high
}
