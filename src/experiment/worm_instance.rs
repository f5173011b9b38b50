//! One trial of worms in full, as it is watched: the faults, and one worm of every compared algorithm alone among them.

use std::sync::Arc;

use super::sample::series_number;
use super::{Cell, Experiment};
use crate::fault::BlockFaults;
use crate::routing::Algorithm;
use crate::switching::{WormHop, WormOutcome, worm_walk};
use crate::topology::Mesh;

/// The way of one worm.
#[derive(Clone, Debug, PartialEq)]
pub struct WormTrace {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
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
    /// Trial number `experiment.view.sample` of the experiment as it stands, in the very faults that a measurement meets. `None`
    /// on other networks, and if no set of isolated faults is found.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let cell = Cell::new(experiment, None);
        let (mesh, faults) = (cell.network.worm_mesh()?, cell.blocks(experiment.view.sample)?);
        let trial = cell.trial(experiment.view.sample);
        let trace = |&algorithm: &&'static Algorithm| {
            let mut generator = trial.child(series_number(algorithm)).generator();
            let (hops, outcome) = worm_walk(algorithm.worm?, &faults, cell.ends, &mut generator);
            Some(WormTrace { algorithm, hops, outcome })
        };
        let traces = experiment.routing.iter().filter_map(trace).collect();
        Some(Self { cell, mesh, faults, traces })
    }
}
