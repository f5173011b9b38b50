//! What circuits take.

use super::trial::{COARSE_RUNS, window};
use crate::{Cell, Cost, CubeCell, Memory};
use faultlab_core::routing::Algorithm;

/// The events of a message besides those of its hops: it is generated, its circuit is complete, and it ends.
const EVENTS: f64 = 3.0;

/// What a run takes at `cell`: tables of the links, the messages that wait until it has jammed for certain, and who reaches whom.
pub(super) fn cost(cell: &Cell, _: &Algorithm) -> Cost {
    let (Some(cube), Some(setting)) = (CubeCell::of(cell.clone()), cell.setting.circuit()) else {
        return Cost { memory: Memory::SMALL, steps: 1.0 };
    };
    let (n, nodes) = (f64::from(cube.cube.dimension()), cell.network.last().0 as f64 + 1.0);
    let reach = if cell.faults.is_none() { 0.0 } else { 8.0 * nodes * nodes };
    let waiting = (2.0 * 64.0 * nodes).max(65_536.0) * 1.25 + n * nodes;
    let until = window(&cube, setting.rate, COARSE_RUNS).until;
    Cost {
        memory: Memory::new(64.0 * n * nodes, 160.0 * n * nodes + reach + 512.0 * waiting),
        steps: until * setting.rate * nodes * (n / 2.0 + EVENTS),
    }
}
