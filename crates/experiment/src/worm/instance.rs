//! One trial of worms in full, as it is watched: the faults, and one worm of every compared algorithm alone among them.

use std::sync::Arc;

use crate::cell::series_number;
use crate::{Cell, Experiment};
use faultlab_core::fault::{BlockFaults, NoDrawing};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{WormHop, WormOutcome, worm_walk};
use faultlab_core::topology::Mesh;

/// The way of one worm.
#[derive(Clone, Debug, PartialEq)]
pub struct WormTrace {
    /// The algorithm.
    pub algorithm: Arc<Algorithm>,
    /// Its hops in order.
    pub hops: Vec<WormHop>,
    /// How it ended.
    pub outcome: WormOutcome,
}

/// One trial in full.
#[derive(Clone, Debug)]
pub struct WormInstance {
    /// The point.
    pub cell: Cell,
    /// The mesh, or the hypercube as one.
    pub mesh: Mesh,
    /// Its faults.
    pub faults: Arc<BlockFaults>,
    /// The worms, in the order of the experiment's algorithms; those that route no worms are left out.
    pub traces: Vec<WormTrace>,
}

impl WormInstance {
    /// Trial number `experiment.view.sample` of the experiment as it stands, in the very faults that a measurement meets.
    ///
    /// # Errors
    /// As [`Cell::drawn`].
    pub fn new(experiment: &Experiment) -> Result<Self, NoDrawing> {
        let cell = Cell::new(experiment, None);
        let mesh = cell.network.worm_mesh().ok_or(NoDrawing::OtherNetwork)?;
        let faults = cell.blocks(experiment.view.sample)?;
        let trial = cell.trial(experiment.view.sample);
        let trace = |algorithm: &Arc<Algorithm>| {
            let mut generator = trial.child(series_number(algorithm)).generator();
            let (hops, outcome) = worm_walk(&**algorithm.worm.as_ref()?, &faults, cell.ends, &mut generator);
            Some(WormTrace { algorithm: algorithm.clone(), hops, outcome })
        };
        let traces = experiment.routing.iter().filter_map(trace).collect();
        Ok(Self { cell, mesh, faults, traces })
    }
}
