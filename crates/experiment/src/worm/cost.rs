//! Cost estimates of wormhole experiments.

use super::trial::{COARSE_RUNS, config, cycle_steps, window};
use crate::{Cost, Memory, PointConfig};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::WormWarmUp;

/// Returns the cost of a run at `cell`: tables of nodes, channels and virtual channels, messages in
/// flight, and compiled user-defined routings.
pub(super) fn cost(cell: &PointConfig, algorithm: &Algorithm) -> Cost {
    let (Some(config), Some(mesh)) = (config(cell, algorithm), cell.network.wormhole_mesh()) else {
        return Cost { memory: Memory::SMALL, steps: 1.0 };
    };
    let (least, most) = config.memory(mesh, !cell.faults.is_empty());
    let table = config.routing.user_routing().map_or(0.0, |own| own.max_table_bytes(mesh) as f64);
    let window = window(cell, &config, COARSE_RUNS);
    let span = u64::from(window.batches) * window.batch;
    let cycles = match window.warm_up {
        WormWarmUp::Fixed(warm_up) => warm_up + span,
        WormWarmUp::Steady { least, .. } => least + span.max(least),
    };
    Cost { memory: Memory::new(least, most + table), steps: cycles as f64 * cycle_steps(cell) as f64 }
}
