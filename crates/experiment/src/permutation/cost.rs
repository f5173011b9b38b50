//! Cost estimates of whole permutations.

use super::BatchSetting;
use crate::{Cost, Memory, PointConfig};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::FlowControl;

/// Returns the cost of a set of messages at `cell`: a counter for every channel and the messages;
/// for batches also the routes.
pub(super) fn cost(cell: &PointConfig, _: &Algorithm) -> Cost {
    let rows = cell.network.butterfly().map(|butterfly| f64::from(butterfly.rows()));
    let nodes = rows.unwrap_or(cell.network.last_node().0 as f64 + 1.0);
    // On a butterfly all routes have up to 2n hops, and each of n levels has two links for each row.
    let n = f64::from(cell.network.diameter());
    let h = f64::from(cell.permutation_setting().h);
    let counted = nodes * n * (2.0 + h);
    // Masks of the faulty links of every node, of the nodes and of the squares.
    let links = if cell.faults.can_have_link_faults() { 8.0 * nodes } else { 0.0 };
    match cell.setting.batch() {
        None => Cost {
            memory: Memory::new(4.0 * (n + 1.0) * nodes, (4.0 * n + 64.0 + 16.0 * h) * nodes + links),
            steps: counted,
        },
        Some(batch) => Cost {
            memory: Memory::new(
                12.0 * n * nodes,
                (12.0 * n + 64.0 + (320.0 + 24.0 * n) * h * route_sets(batch)) * nodes + links,
            ),
            steps: counted + cycles_alone(n, batch) * 2.0 * h * h * nodes,
        },
    }
}

/// Returns the number of routes of a message: two if faults arrive while messages move.
fn route_sets(batch: &BatchSetting) -> f64 {
    if batch.onset > 0 { 2.0 } else { 1.0 }
}

/// Returns the number of cycles of a message alone over `hops` hops.
fn cycles_alone(hops: f64, batch: &BatchSetting) -> f64 {
    let flits = f64::from(batch.length);
    if batch.flow == FlowControl::StoreAndForward { hops * flits } else { hops + flits }
}
