//! Closed forms over the measurements of worms: the expected load of the busiest channel.

use std::sync::Arc;

use super::busiest_channel::busiest_channel;
use crate::chart::figure::Curve;
use crate::chart::overlay::{Overlay, curve};
use crate::picture::scene::Role;
use faultlab_core::routing::Algorithm;
use faultlab_experiment::{PointConfig, Sweep};

/// Closed forms of worms.
pub(crate) static OVERLAYS: [Overlay; 1] = [Overlay::new("busiest", busiest)];

/// Maximum number of nodes. Charts are redrawn as results arrive; on larger networks only Check
/// sums loads over all pairs.
const MOST_NODES: u64 = 64;

/// Returns the expected load of the busiest channel along the sweep, for each routing that leaves
/// no choice.
fn busiest(sweep: &Sweep) -> Vec<Curve> {
    let experiment = sweep.experiment();
    let values = experiment.vary.as_ref().map_or(vec![None], |vary| vary.values().into_iter().map(Some).collect());
    let of_routing = |(number, algorithm): (usize, &Arc<Algorithm>)| {
        let at = |x: &Option<f64>| {
            let cell = PointConfig::new(experiment, *x);
            if !cell.faults_are_fixed() || cell.network.last_node().0 >= MOST_NODES {
                return None;
            }
            let busiest = busiest_channel(&cell, &*cell.blocks(0).ok()?, algorithm)?;
            // Without a sweep, algorithms are side by side along the axis.
            Some((x.unwrap_or(number as f64), busiest.load))
        };
        // A channel cannot carry more than one flit in each cycle.
        let points = values.iter().filter_map(at).filter(|(_, load)| *load < 1.0).collect();
        curve(format!("{}, expected", algorithm.name), Role::Series(number as u8), number, points)
    };
    experiment.routing.iter().enumerate().filter_map(of_routing).collect()
}
