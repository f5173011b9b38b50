//! Cost estimates of counting pairs.

use crate::{Cost, Memory, PointConfig};
use faultlab_core::routing::Algorithm;

/// Returns the cost of a fault set at `cell`: a table of the nodes, and four steps for each pair of
/// destination and node.
pub(super) fn cost(cell: &PointConfig, _: &Algorithm) -> Cost {
    let nodes = cell.network.last_node().0 as f64 + 1.0;
    Cost { memory: Memory::new(0.0, 64.0 * nodes), steps: 4.0 * nodes * nodes }
}
