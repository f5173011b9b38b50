//! Circuit networks for Watch: one for each compared algorithm, at a common time that can move
//! forward and back.

use std::collections::VecDeque;
use std::sync::Arc;

use super::trial;
use crate::watch::{LookaheadLimits, Networks, Timeline, WatchedNetwork};
use crate::{CubePointConfig, Experiment};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{
    CircuitEvent, CircuitNetwork, CircuitObserver, CircuitOutcome, CompletedCircuit, Engine, ProbeEvent, ProbeNetwork,
    Refusal,
};
use faultlab_core::traffic::Arrival;

/// Pace of Watch, with times in mean transmission times and steps of events.
pub(super) const PACE: LookaheadLimits<f64> = LookaheadLimits {
    horizon: 1000.0,
    most: 3_000_000,
    after: |end| end * 1.25 + 2.0,
    further: |known| known * 1.1 + 10.0,
};

/// Initial time between snapshots.
const SPACING: f64 = 8.0;
/// Initial time between samples of the history.
const INTERVAL: f64 = 0.125;

/// Maximum number of recent events in the log of a network.
const MAX_RECENT_EVENTS: usize = 48;

/// Counts of a network up to some time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CircuitCounts {
    /// Number of messages generated and accepted.
    pub generated: u64,
    /// Number of refused messages: the destination was faulty, or faults left no permitted path.
    pub refused: u64,
    /// Number of completed circuits.
    pub completed: u64,
    /// Sum of the setup times of completed circuits, in mean transmission times.
    pub setup: f64,
    /// Attempts of the completed circuits: one each under reserve and hold.
    pub attempts: u64,
}

impl CircuitCounts {
    /// Returns the mean setup time so far; `None` before the first circuit is complete.
    pub fn mean_setup(&self) -> Option<f64> {
        (self.completed > 0).then(|| self.setup / self.completed as f64)
    }
}

impl CircuitObserver for CircuitCounts {
    fn generated(&mut self, _number: u64, _message: &Arrival) {
        self.generated += 1;
    }

    fn refused(&mut self, _number: u64, _message: &Arrival, _why: Refusal) {
        self.refused += 1;
    }

    fn completed(&mut self, circuit: &CompletedCircuit) {
        self.completed += 1;
        self.setup += circuit.time - circuit.generated;
        self.attempts += u64::from(circuit.attempts);
    }
}

/// Simulator of a circuit-switched network that Watch shows: [`CircuitNetwork`] or [`ProbeNetwork`].
pub trait WatchedEngine: Engine<Time = f64> {
    /// Event of one step.
    type Event: Copy + std::fmt::Debug;

    /// Processes the next event and counts it; `None` if the network has ended.
    fn process_event(&mut self, counts: &mut CircuitCounts) -> Option<Self::Event>;

    /// Returns the outcome of the network, if it has one.
    fn known_outcome(&self) -> Option<&CircuitOutcome>;
}

impl WatchedEngine for CircuitNetwork {
    type Event = CircuitEvent;

    fn process_event(&mut self, counts: &mut CircuitCounts) -> Option<CircuitEvent> {
        Some(self.step(counts)).filter(|event| *event != CircuitEvent::Ended)
    }

    fn known_outcome(&self) -> Option<&CircuitOutcome> {
        self.outcome()
    }
}

impl WatchedEngine for ProbeNetwork {
    type Event = ProbeEvent;

    fn process_event(&mut self, counts: &mut CircuitCounts) -> Option<ProbeEvent> {
        Some(self.step(counts)).filter(|event| *event != ProbeEvent::Ended)
    }

    fn known_outcome(&self) -> Option<&CircuitOutcome> {
        self.outcome()
    }
}

/// Circuit-switched network with its counts and most recent events.
#[derive(Clone, Debug)]
pub struct LoggedCircuits<N: WatchedEngine = CircuitNetwork> {
    circuits: N,
    counts: CircuitCounts,
    /// Most recent events, the latest last.
    recent_events: VecDeque<(f64, N::Event)>,
}

impl<N: WatchedEngine> Engine for LoggedCircuits<N> {
    type Time = f64;

    fn current_time(&self) -> f64 {
        self.circuits.current_time()
    }

    fn next_time(&self) -> f64 {
        self.circuits.next_time()
    }

    fn step(&mut self) {
        if let Some(event) = self.circuits.process_event(&mut self.counts) {
            if self.recent_events.len() == MAX_RECENT_EVENTS {
                self.recent_events.pop_front();
            }
            self.recent_events.push_back((self.circuits.current_time(), event));
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

/// Network of one of the compared algorithms.
pub type Watched<N = CircuitNetwork> = WatchedNetwork<LoggedCircuits<N>>;

impl<N: WatchedEngine> Watched<N> {
    /// Creates the network of `algorithm` at time 0.
    pub(super) fn new(algorithm: &Arc<Algorithm>, circuits: N) -> Self {
        let logged = LoggedCircuits { circuits, counts: CircuitCounts::default(), recent_events: VecDeque::new() };
        Self { algorithm: algorithm.clone(), timeline: Timeline::new(logged, SPACING, INTERVAL) }
    }

    /// Returns the network at the current time.
    pub fn circuits(&self) -> &N {
        &self.timeline.displayed().circuits
    }

    /// Returns the counts up to the current time.
    pub fn counts(&self) -> CircuitCounts {
        self.timeline.displayed().counts
    }

    /// Returns the most recent events up to the current time, each with its time, the latest last.
    pub fn recent_events(&self) -> impl DoubleEndedIterator<Item = (f64, N::Event)> {
        self.timeline.displayed().recent_events.iter().copied()
    }

    /// Returns the outcome of the network, as far as the simulation ahead has found it.
    pub fn known_outcome(&self) -> Option<&CircuitOutcome> {
        self.timeline.lookahead().circuits.known_outcome()
    }
}

impl<N: WatchedEngine> Networks<LoggedCircuits<N>> {
    /// Returns the time of the next event of any network; `None` if there is none within the
    /// watched time.
    pub(super) fn next_event(&self) -> Option<f64> {
        let next = self.all().iter().map(|network| network.circuits().next_time()).fold(f64::INFINITY, f64::min);
        Some(next).filter(|&next| next <= self.end())
    }

    /// Returns the time of the event before the last one; 0 if there is none.
    pub(super) fn previous_event(&self) -> f64 {
        let times = || self.all().iter().flat_map(|network| network.recent_events().map(|(time, _)| time));
        let last = times().filter(|&time| time <= self.now()).fold(0.0, f64::max);
        times().filter(|&time| time < last).fold(0.0, f64::max)
    }
}

/// Run number `view.sample` of every compared algorithm, with the same messages and a common clock.
///
/// A measurement counts exactly these runs. The networks are simulated ahead of the current time,
/// which makes seeking fast and shows the outcome early.
#[derive(Clone, Debug)]
pub struct CircuitWatch {
    /// Point of the experiment at which the networks run.
    pub cell: CubePointConfig,
    networks: Networks<LoggedCircuits>,
}

impl CircuitWatch {
    /// Creates the networks of `experiment` at time 0, with nothing simulated ahead.
    ///
    /// `cell` is the point of the experiment on its hypercube. Algorithms that set up no circuits
    /// are left out. Cost: as [`CircuitNetwork::new`] for each algorithm.
    pub fn new(experiment: &Experiment, cell: CubePointConfig) -> Self {
        let network = |algorithm: &Arc<Algorithm>| {
            let config = trial::config(&cell, algorithm)?;
            let circuits = trial::network(&cell, config, experiment.view.sample)?;
            Some(Watched::new(algorithm, circuits))
        };
        let networks = experiment.routing.iter().filter_map(network).collect();
        Self { cell, networks: Networks::new(networks, PACE) }
    }

    /// Returns the networks, in the order of the experiment's algorithms.
    pub fn networks(&self) -> &[Watched] {
        self.networks.all()
    }

    /// Returns the common time.
    pub fn now(&self) -> f64 {
        self.networks.now()
    }

    /// Returns the end of the run, as far as it is known: shortly after the last network has ended,
    /// otherwise the horizon.
    pub fn end(&self) -> f64 {
        self.networks.end()
    }

    /// Moves to `time`, forward or back, at most to [`CircuitWatch::end`]. [`CircuitWatch::work`]
    /// then simulates the networks.
    pub fn seek(&mut self, time: f64) {
        self.networks.seek(time);
    }

    /// Returns the time of the next event of any network; `None` if there is none within the
    /// watched time.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TimeSeries;

    fn watch(text: &str) -> CircuitWatch {
        let experiment = text.parse().unwrap();
        CircuitWatch::new(&experiment, CubePointConfig::new(&experiment, None).unwrap())
    }

    fn states(watch: &CircuitWatch) -> Vec<(f64, u64, u64, CircuitCounts)> {
        let of = |network: &Watched| {
            let circuits = network.circuits();
            (circuits.time(), circuits.backlog(), circuits.in_network(), network.counts())
        };
        watch.networks().iter().map(of).collect()
    }

    #[test]
    fn seeking_back_restores_earlier_states() {
        let mut watch = watch("net=cube:4&route=e-cube,up&switch=circuit&rate=0.35");
        while watch.work(10_000) {}
        assert_eq!(watch.end(), PACE.horizon);
        let mut seen = Vec::new();
        for time in [0.0, 0.5, 3.0, 100.0, 777.7, 990.0] {
            watch.seek(time);
            while !watch.is_at_target() {
                watch.work(50);
            }
            seen.push((time, states(&watch)));
        }
        for (time, before) in seen.iter().rev() {
            watch.seek(*time);
            while !watch.is_at_target() {
                watch.work(7);
            }
            assert_eq!(states(&watch), *before, "{time}");
        }
        // Both networks have the same messages.
        assert_eq!(watch.networks()[0].counts().generated, watch.networks()[1].counts().generated);
    }

    #[test]
    fn steps_through_events_forward_and_back() {
        let mut watch = watch("net=cube:3&route=e-cube&switch=circuit");
        while watch.work(10_000) {}
        let mut times = vec![0.0];
        for _ in 0..20 {
            let next = watch.next_event().unwrap();
            watch.seek(next);
            assert!(next > *times.last().unwrap() && (watch.work(100) || watch.is_at_target()));
            times.push(next);
        }
        for time in times.iter().rev().skip(1) {
            let back = watch.previous_event();
            assert_eq!(back, *time);
            watch.seek(back);
            watch.work(10_000);
        }
    }

    #[test]
    fn history_is_bounded_and_dead_networks_end_at_zero() {
        let mut large = watch("net=cube:7&route=e-cube,up&switch=circuit&rate=2");
        while large.work(100_000) {}
        let history = |network: &Watched| network.timeline.history().waiting.len();
        assert!(large.networks().iter().all(|network| history(network) <= TimeSeries::MOST));
        let collapses = |network: &Watched| matches!(network.known_outcome(), Some(CircuitOutcome::Unstable { .. }));
        assert!(large.networks().iter().any(collapses));
        let mut dead = watch("net=cube:1&break=0,1&route=e-cube&switch=circuit");
        while dead.work(1000) {}
        assert_eq!((dead.end(), dead.next_event(), dead.previous_event()), (0.0, None, 0.0));
        dead.seek(f64::NAN);
        assert_eq!(dead.now(), 0.0);
    }
}
