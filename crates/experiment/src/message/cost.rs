//! Cost estimates of single-message experiments.

use super::all_sets;
use crate::{Cell, Cost, CubeCell, Memory};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::{Algorithm, Method};

/// Steps to enumerate all fault sets of the largest hypercube.
const ALL_SETS: f64 = 1e6;

/// Returns the cost of a message by `algorithm` at `cell`. Only algorithms with global knowledge
/// need tables of the hypercube.
pub(super) fn cost(cell: &Cell, algorithm: &Algorithm) -> Cost {
    if CubeCell::of(cell.clone()).is_some_and(|cell| all_sets::asked(&cell)) {
        return Cost { memory: Memory::new(0.0, 32e6), steps: ALL_SETS };
    }
    let nodes = cell.network.last().0 as f64 + 1.0;
    let placed = if matches!(cell.faults.model, FaultModel::Placed(..)) { 16.0 } else { 0.0 };
    let (least, most) = if matches!(algorithm.method, Method::Global) { (2.0, 140.0) } else { (0.0, 0.0) };
    let of_cube = |bytes: f64| if bytes > 0.0 { bytes * nodes } else { 0.0 };
    Cost { memory: Memory::new(of_cube(least), of_cube(most + placed)), steps: f64::from(cell.limit().max(1)) }
}
