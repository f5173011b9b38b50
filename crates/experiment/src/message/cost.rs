//! Cost estimates of single-message experiments.

use super::all_fault_sets;
use crate::{Cost, CubePointConfig, Memory, PointConfig};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::{Algorithm, Method};

/// Steps to enumerate all fault sets of the largest hypercube.
const ALL_SETS: f64 = 1e6;

/// Returns the cost of a message by `algorithm` at `cell`. Only algorithms with global knowledge
/// need tables of the hypercube.
pub(super) fn cost(cell: &PointConfig, algorithm: &Algorithm) -> Cost {
    if CubePointConfig::from_point(cell.clone()).is_some_and(|cell| all_fault_sets::is_exhaustive(&cell)) {
        return Cost { memory: Memory::new(0.0, 32e6), steps: ALL_SETS };
    }
    let nodes = cell.network.last_node().0 as f64 + 1.0;
    let placed = if matches!(cell.faults.model, FaultModel::Adversarial(..)) { 16.0 } else { 0.0 };
    let (least, most) = if matches!(algorithm.method, Method::Global) { (2.0, 140.0) } else { (0.0, 0.0) };
    let of_cube = |bytes: f64| if bytes > 0.0 { bytes * nodes } else { 0.0 };
    Cost { memory: Memory::new(of_cube(least), of_cube(most + placed)), steps: f64::from(cell.limit().max(1)) }
}
