//! Circuit-switched meshes for Watch: one for each compared algorithm, at a common time that can move
//! forward and back.

use std::collections::VecDeque;
use std::sync::Arc;

use super::CircuitCounts;
use super::mesh;
use super::watch::{INTERVAL, MAX_RECENT_EVENTS, PACE, SPACING};
use crate::watch::{Networks, Timeline, WatchedNetwork};
use crate::{Experiment, PointConfig};
use faultlab_core::fault::BlockFaults;
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{CircuitOutcome, Engine, ProbeEvent, ProbeNetwork};

/// Circuit-switched mesh with its counts and most recent events.
#[derive(Clone, Debug)]
pub struct LoggedProbes {
    circuits: ProbeNetwork,
    counts: CircuitCounts,
    /// Most recent events, the latest last.
    recent_events: VecDeque<(f64, ProbeEvent)>,
}

impl Engine for LoggedProbes {
    type Time = f64;

    fn current_time(&self) -> f64 {
        self.circuits.current_time()
    }

    fn next_time(&self) -> f64 {
        self.circuits.next_time()
    }

    fn step(&mut self) {
        let event = self.circuits.step(&mut self.counts);
        if event != ProbeEvent::Ended {
            if self.recent_events.len() == MAX_RECENT_EVENTS {
                self.recent_events.pop_front();
            }
            self.recent_events.push_back((self.circuits.time(), event));
        }
    }

    fn has_ended(&self) -> bool {
        self.circuits.has_ended()
    }

    fn size_bytes(&self) -> u64 {
        self.circuits.size_bytes()
    }

    fn gauge_value(&self) -> u64 {
        self.circuits.gauge_value()
    }
}

/// Mesh of one of the compared algorithms.
pub type WatchedProbes = WatchedNetwork<LoggedProbes>;

impl WatchedProbes {
    /// Returns the network at the current time.
    pub fn circuits(&self) -> &ProbeNetwork {
        &self.timeline.displayed().circuits
    }

    /// Returns the outcome of the network, if the simulation has reached it.
    pub fn end(&self) -> Option<&CircuitOutcome> {
        self.timeline.lookahead().circuits.outcome()
    }

    /// Returns the counts up to the current time.
    pub fn counts(&self) -> CircuitCounts {
        self.timeline.displayed().counts
    }

    /// Returns the most recent events up to the current time, each with its time, the latest last.
    pub fn recent_events(&self) -> impl DoubleEndedIterator<Item = (f64, ProbeEvent)> {
        self.timeline.displayed().recent_events.iter().copied()
    }
}

/// Run number `view.sample` of every compared algorithm, with the same messages and a common clock.
///
/// A measurement counts exactly these runs.
#[derive(Clone, Debug)]
pub struct MeshCircuitWatch {
    /// Point of the experiment at which the networks run.
    pub cell: PointConfig,
    /// Faults of the run.
    pub faults: Arc<BlockFaults>,
    networks: Networks<LoggedProbes>,
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
            let circuits = mesh::network(&cell, algorithm, experiment.view.sample)?;
            let logged = LoggedProbes { circuits, counts: CircuitCounts::default(), recent_events: VecDeque::new() };
            Some(WatchedNetwork { algorithm: algorithm.clone(), timeline: Timeline::new(logged, SPACING, INTERVAL) })
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
        let next = self.networks().iter().map(|network| network.circuits().next_time()).fold(f64::INFINITY, f64::min);
        Some(next).filter(|&next| next <= self.end())
    }

    /// Returns the time of the event before the last one; 0 if there is none.
    pub fn previous_event(&self) -> f64 {
        let times = || self.networks().iter().flat_map(|network| network.recent_events().map(|(time, _)| time));
        let last = times().filter(|&time| time <= self.now()).fold(0.0, f64::max);
        times().filter(|&time| time < last).fold(0.0, f64::max)
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
