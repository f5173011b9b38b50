//! Complete trial of wormhole switching for Watch: the faults, and one message of every compared
//! algorithm, alone in the network.

use std::sync::Arc;

use crate::point_config::algorithm_key;
use crate::{Experiment, PointConfig};
use faultlab_core::fault::{BlockFaults, SampleError};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{WormHop, WormOutcome, worm_walk};
use faultlab_core::topology::Mesh;

/// Path of one message.
#[derive(Clone, Debug, PartialEq)]
pub struct WormTrace {
    /// Algorithm that routes the message.
    pub algorithm: Arc<Algorithm>,
    /// Hops in order.
    pub hops: Vec<WormHop>,
    /// Outcome of the message.
    pub outcome: WormOutcome,
}

/// Complete trial of wormhole switching, with one message per algorithm.
#[derive(Clone, Debug)]
pub struct WormInstance {
    /// Point of the experiment at which the trial runs.
    pub config: PointConfig,
    /// Mesh, or the hypercube as a mesh.
    pub mesh: Mesh,
    /// Faults of the trial, extended to blocks on a mesh.
    pub faults: Arc<BlockFaults>,
    /// Messages in the order of the experiment's algorithms. Algorithms without wormhole routing
    /// are left out.
    pub traces: Vec<WormTrace>,
}

impl WormInstance {
    /// Creates trial number `experiment.view.sample` of the experiment, with exactly the faults of
    /// a measurement.
    ///
    /// # Errors
    /// Returns the errors of [`PointConfig::sampled_faults`].
    pub fn new(experiment: &Experiment) -> Result<Self, SampleError> {
        let config = PointConfig::new(experiment, None);
        let mesh = config.network.wormhole_mesh().ok_or(SampleError::OtherNetwork)?;
        let faults = config.blocks(experiment.view.sample)?;
        let trial = config.trial(experiment.view.sample);
        let trace = |algorithm: &Arc<Algorithm>| {
            let mut generator = trial.child(algorithm_key(algorithm)).generator();
            let (hops, outcome) = worm_walk(&**algorithm.worm.as_ref()?, &faults, config.ends, &mut generator);
            Some(WormTrace { algorithm: algorithm.clone(), hops, outcome })
        };
        let traces = experiment.routing.iter().filter_map(trace).collect();
        Ok(Self { config, mesh, faults, traces })
    }
}
