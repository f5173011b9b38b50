//! Circuit-switched meshes for Watch: one for each compared algorithm, at a common time that can move
//! forward and back.

use std::sync::Arc;

use super::mesh;
use super::watch::{LoggedCircuits, PACE, Watched};
use crate::watch::Networks;
use crate::{Experiment, PointConfig};
use faultlab_core::fault::BlockFaults;
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::ProbeNetwork;

/// Mesh of one of the compared algorithms.
pub type WatchedProbes = Watched<ProbeNetwork>;

/// Run number `view.sample` of every compared algorithm, with the same messages and a common clock.
///
/// A measurement counts exactly these runs.
#[derive(Clone, Debug)]
pub struct MeshCircuitWatch {
    /// Point of the experiment at which the networks run.
    pub cell: PointConfig,
    /// Faults of the run.
    pub faults: Arc<BlockFaults>,
    networks: Networks<LoggedCircuits<ProbeNetwork>>,
}

impl MeshCircuitWatch {
    /// Creates the networks of `experiment` at time 0, with nothing simulated ahead.
    ///
    /// Algorithms that set up no circuits are left out. Returns `None` on other networks, and if
    /// faults cannot be sampled. Cost: as [`ProbeNetwork::new`] for each algorithm.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let cell = PointConfig::new(experiment, None);
        let faults = mesh::faults(&cell, experiment.view.sample).ok()?;
        let network = |algorithm: &Arc<Algorithm>| {
            Some(Watched::new(algorithm, mesh::network(&cell, algorithm, experiment.view.sample)?))
        };
        let networks = experiment.routing.iter().filter_map(network).collect();
        Some(Self { cell, faults, networks: Networks::new(networks, PACE) })
    }

    /// Returns the networks, in the order of the experiment's algorithms.
    pub fn networks(&self) -> &[WatchedProbes] {
        self.networks.all()
    }

    /// Returns the common time.
    pub fn now(&self) -> f64 {
        self.networks.now()
    }

    /// Returns the end of the run, as far as it is known.
    pub fn end(&self) -> f64 {
        self.networks.end()
    }

    /// Moves to `time`, forward or back, at most to [`MeshCircuitWatch::end`].
    /// [`MeshCircuitWatch::work`] then simulates the networks.
    pub fn seek(&mut self, time: f64) {
        self.networks.seek(time);
    }

    /// Returns the time of the next event of any network; `None` if there is none within the watched
    /// time.
    pub fn next_event(&self) -> Option<f64> {
        self.networks.next_event()
    }

    /// Returns the time of the event before the last one; 0 if there is none.
    pub fn previous_event(&self) -> f64 {
        self.networks.previous_event()
    }

    /// Processes at most `budget` events, first those up to the current time, then those ahead.
    /// Returns whether work remains.
    pub fn work(&mut self, budget: u32) -> bool {
        self.networks.work(budget)
    }

    /// Returns whether every network has reached the current time.
    pub fn is_at_target(&self) -> bool {
        self.networks.is_at_target()
    }
}
