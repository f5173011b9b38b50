//! Circuits to be watched: the networks of all compared algorithms, at one common time that goes forward and back.

use std::collections::VecDeque;
use std::sync::Arc;

use super::trial;
use crate::watch::{Networks, Pace, Tape, WatchedNetwork};
use crate::{CubeCell, Experiment};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{CircuitEvent, CircuitOutcome, Circuits, Engine, Observer, Refusal};
use faultlab_core::traffic::Arrival;

/// Times in mean transmission times, steps of events.
const PACE: Pace<f64> =
    Pace { horizon: 1000.0, most: 3_000_000, after: |end| end * 1.25 + 2.0, further: |known| known * 1.1 + 10.0 };

/// The time between states that are kept, and between samples of the history, at first.
const SPACING: f64 = 8.0;
const INTERVAL: f64 = 0.125;

/// The last events of a network that are remembered.
const TOLD: usize = 48;

/// What has been counted in a network up to some time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Messages generated and accepted.
    pub generated: u64,
    /// Messages refused: their destination was faulty, or faults left no permitted path.
    pub refused: u64,
    /// Circuits completed.
    pub completed: u64,
    /// The sum of their setup times, in mean transmission times.
    pub setup: f64,
}

impl Counts {
    /// The mean setup time so far; `None` before the first circuit is complete.
    pub fn mean_setup(&self) -> Option<f64> {
        (self.completed > 0).then(|| self.setup / self.completed as f64)
    }
}

impl Observer for Counts {
    fn generated(&mut self, _number: u64, _message: &Arrival) {
        self.generated += 1;
    }

    fn refused(&mut self, _number: u64, _message: &Arrival, _why: Refusal) {
        self.refused += 1;
    }

    fn completed(&mut self, _number: u64, generated: f64, time: f64) {
        self.completed += 1;
        self.setup += time - generated;
    }
}

/// Circuits with what has been counted of them and what happened last.
#[derive(Clone, Debug)]
pub struct LoggedCircuits {
    circuits: Circuits,
    counts: Counts,
    /// The last events, the latest last.
    told: VecDeque<(f64, CircuitEvent)>,
}

impl Engine for LoggedCircuits {
    type Time = f64;

    fn now(&self) -> f64 {
        self.circuits.now()
    }

    fn next(&self) -> f64 {
        self.circuits.next()
    }

    fn step(&mut self) {
        let event = self.circuits.step(&mut self.counts);
        if event != CircuitEvent::Ended {
            if self.told.len() == TOLD {
                self.told.pop_front();
            }
            self.told.push_back((self.circuits.time(), event));
        }
    }

    fn ended(&self) -> bool {
        self.circuits.ended()
    }

    fn weight(&self) -> u64 {
        self.circuits.weight()
    }

    fn gauge(&self) -> u64 {
        self.circuits.gauge()
    }
}

/// The network of one of the compared algorithms.
pub type Watched = WatchedNetwork<LoggedCircuits>;

impl Watched {
    /// The network as it is now.
    pub fn circuits(&self) -> &Circuits {
        &self.tape.shown().circuits
    }

    /// How the network ends, if that is known by now.
    pub fn end(&self) -> Option<&CircuitOutcome> {
        self.tape.ahead().circuits.outcome()
    }

    /// What has been counted up to now.
    pub fn counts(&self) -> Counts {
        self.tape.shown().counts
    }

    /// The last events up to now, each with its time, the latest last.
    pub fn told(&self) -> impl DoubleEndedIterator<Item = (f64, CircuitEvent)> {
        self.tape.shown().told.iter().copied()
    }

    /// How the network will come to an end, as far as is known.
    pub fn fate(&self) -> Option<&CircuitOutcome> {
        self.tape.ahead().circuits.outcome()
    }
}

/// Run number `view.sample` of every compared algorithm, the very runs that a measurement counts: the same messages and
/// the same clock. What is to come is looked at ahead, so that one can go anywhere at once and see where it leads.
#[derive(Clone, Debug)]
pub struct CircuitWatch {
    /// The point.
    pub cell: CubeCell,
    networks: Networks<LoggedCircuits>,
}

impl CircuitWatch {
    /// The experiment as it stands, of which `cell` is the point on its hypercube, at time 0, nothing looked at ahead; cost: as
    /// [`Circuits::new`] for each algorithm. Algorithms that set up no circuits are left out.
    pub fn new(experiment: &Experiment, cell: CubeCell) -> Self {
        let network = |algorithm: &Arc<Algorithm>| {
            let terms = trial::terms(&cell, algorithm)?;
            let circuits = trial::network(&cell, terms, experiment.view.sample)?;
            let logged = LoggedCircuits { circuits, counts: Counts::default(), told: VecDeque::new() };
            Some(WatchedNetwork { algorithm: algorithm.clone(), tape: Tape::new(logged, SPACING, INTERVAL) })
        };
        let networks = experiment.routing.iter().filter_map(network).collect();
        Self { cell, networks: Networks::new(networks, PACE) }
    }

    /// The networks, in the order of the experiment's algorithms.
    pub fn networks(&self) -> &[Watched] {
        self.networks.all()
    }

    /// The common time.
    pub fn now(&self) -> f64 {
        self.networks.now()
    }

    /// Where time ends, as far as is known: some time after the last network that comes to an end, else at the horizon.
    pub fn end(&self) -> f64 {
        self.networks.end()
    }

    /// Goes to `time`, forward or back, at most to [`CircuitWatch::end`]; [`CircuitWatch::work`] brings it there.
    pub fn seek(&mut self, time: f64) {
        self.networks.seek(time);
    }

    /// When the next event of any network happens; `None` if there is none, or not within the time that is watched.
    pub fn next_event(&self) -> Option<f64> {
        let next = self.networks().iter().map(|network| network.circuits().next_time()).fold(f64::INFINITY, f64::min);
        Some(next).filter(|&next| next <= self.end())
    }

    /// The time just before the last event, which is that of the one before it; 0 if there is none.
    pub fn previous_event(&self) -> f64 {
        let times = || self.networks().iter().flat_map(|network| network.told().map(|(time, _)| time));
        let last = times().filter(|&time| time <= self.now()).fold(0.0, f64::max);
        times().filter(|&time| time < last).fold(0.0, f64::max)
    }

    /// Lets at most `budget` events happen: first those up to now, then those to come. Whether there is more to do.
    pub fn work(&mut self, budget: u32) -> bool {
        self.networks.work(budget)
    }

    /// Whether every network has come to where the time is.
    pub fn is_there(&self) -> bool {
        self.networks.is_there()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::History;

    fn watch(text: &str) -> CircuitWatch {
        let experiment = text.parse().unwrap();
        CircuitWatch::new(&experiment, CubeCell::new(&experiment, None).unwrap())
    }

    fn states(watch: &CircuitWatch) -> Vec<(f64, u64, u64, Counts)> {
        let of = |network: &Watched| {
            let circuits = network.circuits();
            (circuits.time(), circuits.backlog(), circuits.in_network(), network.counts())
        };
        watch.networks().iter().map(of).collect()
    }

    #[test]
    fn going_back_shows_what_was_there() {
        let mut watch = watch("net=cube:4&route=e-cube,up&switch=circuit&rate=0.35");
        while watch.work(10_000) {}
        assert_eq!(watch.end(), PACE.horizon);
        let mut seen = Vec::new();
        for time in [0.0, 0.5, 3.0, 100.0, 777.7, 990.0] {
            watch.seek(time);
            while !watch.is_there() {
                watch.work(50);
            }
            seen.push((time, states(&watch)));
        }
        for (time, before) in seen.iter().rev() {
            watch.seek(*time);
            while !watch.is_there() {
                watch.work(7);
            }
            assert_eq!(states(&watch), *before, "{time}");
        }
        // The same messages for both.
        assert_eq!(watch.networks()[0].counts().generated, watch.networks()[1].counts().generated);
    }

    #[test]
    fn events_are_stepped_through_one_by_one_and_back() {
        let mut watch = watch("net=cube:3&route=e-cube&switch=circuit");
        while watch.work(10_000) {}
        let mut times = vec![0.0];
        for _ in 0..20 {
            let next = watch.next_event().unwrap();
            watch.seek(next);
            assert!(next > *times.last().unwrap() && (watch.work(100) || watch.is_there()));
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
    fn memory_is_bounded_and_odd_networks_do_no_harm() {
        let mut large = watch("net=cube:7&route=e-cube,up&switch=circuit&rate=2");
        while large.work(100_000) {}
        let history = |network: &Watched| network.tape.history().waiting.len();
        assert!(large.networks().iter().all(|network| history(network) <= History::MOST));
        let collapses = |network: &Watched| matches!(network.fate(), Some(CircuitOutcome::Unstable { .. }));
        assert!(large.networks().iter().any(collapses));
        let mut dead = watch("net=cube:1&break=0,1&route=e-cube&switch=circuit");
        while dead.work(1000) {}
        assert_eq!((dead.end(), dead.next_event(), dead.previous_event()), (0.0, None, 0.0));
        dead.seek(f64::NAN);
        assert_eq!(dead.now(), 0.0);
    }
}
