//! Cost estimates of circuit experiments.

use super::setting::CircuitSetting;
use super::trial::{COARSE_RUNS, window};
use crate::{Cost, CubePointConfig, Memory, PointConfig};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::SetupPolicy;

/// Events of a message besides those of its hops: generation, circuit completion and end.
const EVENTS: f64 = 3.0;

/// Returns the cost of a run at `cell`: link tables, messages that wait until a jam is certain, and
/// the reachability table.
pub(super) fn cost(cell: &PointConfig, _: &Algorithm) -> Cost {
    let Some(setting) = cell.setting.circuit() else { return Cost { memory: Memory::SMALL, steps: 1.0 } };
    let Some(cube) = CubePointConfig::from_point(cell.clone()) else { return mesh_cost(cell, setting) };
    let (n, nodes) = (f64::from(cube.cube.dimension()), cell.network.last_node().0 as f64 + 1.0);
    let has_faults = !cell.faults.is_empty() || !cell.setting.later().is_empty();
    let reach = if has_faults { 8.0 * nodes * nodes } else { 0.0 };
    let waiting = (2.0 * 64.0 * nodes).max(65_536.0) * 1.25 + n * nodes;
    let until = window(&cube, setting.rate, COARSE_RUNS).until;
    // Bound on the attempts of messages whose setup takes one mean transmission time: a retry follows
    // every backoff.
    let attempts = match setting.setup {
        SetupPolicy::Hold => 1.0,
        SetupPolicy::Retry { backoff } => 1.0 + 1.0 / backoff.max(*SetupPolicy::BACKOFFS.start()),
    };
    Cost {
        memory: Memory::new(64.0 * n * nodes, 160.0 * n * nodes + reach + 512.0 * waiting),
        steps: until * setting.rate * nodes * attempts * (n / 2.0 + EVENTS),
    }
}

/// Returns the cost of a run on a mesh or torus. Searches are assumed to take twice the hops of
/// minimal paths.
fn mesh_cost(cell: &PointConfig, setting: &CircuitSetting) -> Cost {
    let Some(mesh) = cell.network.mesh() else { return Cost { memory: Memory::SMALL, steps: 1.0 } };
    let nodes = f64::from(mesh.nodes());
    let has_faults = !cell.faults.is_empty() || !cell.setting.later().is_empty();
    let reach = if has_faults { nodes * nodes } else { 0.0 };
    let waiting = (2.0 * 64.0 * nodes).max(65_536.0) * 1.25 + nodes;
    let links = nodes * f64::from(mesh.port_count());
    let until = window(cell, setting.rate, COARSE_RUNS).until;
    Cost {
        memory: Memory::new(64.0 * links, 160.0 * links + reach + 512.0 * waiting),
        steps: until * setting.rate * nodes * (2.0 * mesh.mean_distance() + EVENTS),
    }
}
