//! What counting pairs takes.

use crate::{Cell, Cost, Memory};
use faultlab_core::routing::Algorithm;

/// What a fault set takes at `cell`: a table of the nodes, and for every destination four steps for every node.
pub(super) fn cost(cell: &Cell, _: &Algorithm) -> Cost {
    let nodes = cell.network.last().0 as f64 + 1.0;
    Cost { memory: Memory::new(0.0, 64.0 * nodes), steps: 4.0 * nodes * nodes }
}
