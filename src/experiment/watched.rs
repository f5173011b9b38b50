//! Circuits to be watched: the networks of all compared algorithms, at one common time that goes forward and back.

use std::collections::VecDeque;

use super::{CubeCell, Experiment, circuit};
use crate::routing::Algorithm;
use crate::switching::{CircuitEvent, CircuitOutcome, Circuits, Observer, Refusal};
use crate::traffic::Arrival;

/// The time that is watched at most, in mean transmission times.
const HORIZON: f64 = 1000.0;

/// The events of one network that are looked at ahead of time at most.
const MOST_EVENTS: u64 = 3_000_000;

/// What all states kept to go back to may weigh together, in bytes; and their number for one network.
const MEMORY: u64 = 96 << 20;
const STOPS: usize = 32;

/// The most samples of a history; when it is full, every second one goes.
const SAMPLES: usize = 512;

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

/// A network at some time.
#[derive(Clone, Debug)]
struct State {
    circuits: Circuits,
    counts: Counts,
    events: u64,
    /// The last events, the latest last.
    told: VecDeque<(f64, CircuitEvent)>,
}

impl State {
    fn step(&mut self) {
        let event = self.circuits.step(&mut self.counts);
        if event != CircuitEvent::Ended {
            self.events += 1;
            if self.told.len() == TOLD {
                self.told.pop_front();
            }
            self.told.push_back((self.circuits.time(), event));
        }
    }

    /// About how many bytes a copy of it takes.
    fn weight(&self) -> u64 {
        let links = self.circuits.cube().links().unwrap_or(0);
        let dims = u64::from(self.circuits.cube().dimension());
        self.circuits.in_network() * (96 + 8 * dims) + links * 24 + 4096
    }
}

/// How many messages waited over time.
#[derive(Clone, Debug)]
pub struct History {
    /// The time between two samples, the first at time 0.
    pub interval: f64,
    /// The number of waiting messages at each.
    pub waiting: Vec<u32>,
}

impl History {
    /// Nothing yet, a sample every `interval`.
    pub(super) fn new(interval: f64) -> Self {
        Self { interval, waiting: Vec::new() }
    }

    /// Notes that `waiting` messages wait until `time`.
    pub(super) fn note(&mut self, time: f64, waiting: u64) {
        while self.waiting.len() as f64 * self.interval < time {
            if self.waiting.len() == SAMPLES {
                let mut number = 0;
                self.waiting.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
                self.interval *= 2.0;
                continue;
            }
            self.waiting.push(waiting as u32);
        }
    }

    /// The samples: times and waiting messages.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.waiting.iter().enumerate().map(|(number, &waiting)| (number as f64 * self.interval, f64::from(waiting)))
    }
}

/// The network of one of the compared algorithms.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    shown: State,
    /// As far as it has been looked at ahead, and until when that is.
    ahead: State,
    known: f64,
    /// States to go back to, the first one at time 0, and the time between them.
    stops: Vec<State>,
    spacing: f64,
    history: History,
}

impl Watched {
    fn new(algorithm: &'static Algorithm, circuits: Circuits) -> Self {
        let state = State { circuits, counts: Counts::default(), events: 0, told: VecDeque::new() };
        Self {
            algorithm,
            shown: state.clone(),
            ahead: state.clone(),
            known: 0.0,
            stops: vec![state],
            spacing: 8.0,
            history: History::new(0.125),
        }
    }

    /// The network as it is now.
    pub fn circuits(&self) -> &Circuits {
        &self.shown.circuits
    }

    /// What has been counted up to now.
    pub fn counts(&self) -> Counts {
        self.shown.counts
    }

    /// The last events up to now, each with its time, the latest last.
    pub fn told(&self) -> impl DoubleEndedIterator<Item = (f64, CircuitEvent)> {
        self.shown.told.iter().copied()
    }

    /// How many messages waited over time, as far as has been looked ahead.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// How the network will come to an end, as far as is known.
    pub fn fate(&self) -> Option<&CircuitOutcome> {
        self.ahead.circuits.outcome()
    }

    /// When it comes to an end, as far as is known.
    fn end(&self) -> Option<f64> {
        self.fate().map(|_| self.ahead.circuits.time())
    }

    /// Takes up the state nearest before `time`, if that saves work.
    fn aim(&mut self, time: f64) {
        let here = self.shown.circuits.time();
        let stop = self.stops.iter().rev().find(|stop| stop.circuits.time() <= time);
        if let Some(stop) = stop.filter(|stop| here > time || stop.circuits.time() > here) {
            self.shown = stop.clone();
        }
    }

    /// Lets the network run to `time` within the budget of events; whether it is there.
    fn follow(&mut self, time: f64, budget: &mut u32) -> bool {
        while self.shown.circuits.next_time() <= time {
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            self.shown.step();
        }
        true
    }

    /// Looks ahead to `time` within the budget; whether there is nothing more to see.
    fn look_ahead(&mut self, time: f64, budget: &mut u32, memory: u64) -> bool {
        loop {
            let next = self.ahead.circuits.next_time();
            if self.ahead.circuits.outcome().is_some() || self.ahead.events >= MOST_EVENTS {
                return true;
            }
            if next > time {
                // What is generated no more is seen only by trying.
                if next == f64::INFINITY {
                    self.ahead.step();
                }
                self.history.note(time, self.ahead.circuits.backlog());
                self.known = self.known.max(time);
                return true;
            }
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            self.history.note(next, self.ahead.circuits.backlog());
            self.ahead.step();
            self.known = next;
            let last = self.stops.last().map_or(0.0, |stop| stop.circuits.time());
            if self.ahead.circuits.time() - last >= self.spacing {
                self.keep(memory);
            }
        }
    }

    /// Keeps the state ahead to go back to; when there are too many, every second one goes.
    fn keep(&mut self, memory: u64) {
        self.stops.push(self.ahead.clone());
        let most = ((memory / self.ahead.weight()) as usize).clamp(3, STOPS);
        if self.stops.len() > most {
            let mut number = 0;
            self.stops.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.spacing *= 2.0;
        }
    }

    /// How far has been looked ahead.
    fn known(&self) -> f64 {
        if self.fate().is_some() { f64::INFINITY } else { self.known }
    }
}

/// Run number `view.sample` of every compared algorithm, the very runs that a measurement counts: the same messages and
/// the same clock. What is to come is looked at ahead, so that one can go anywhere at once and see where it leads.
#[derive(Clone, Debug)]
pub struct CircuitWatch {
    /// The point.
    pub cell: CubeCell,
    networks: Vec<Watched>,
    now: f64,
}

impl CircuitWatch {
    /// The experiment as it stands, of which `cell` is the point on its hypercube, at time 0, nothing looked at ahead; cost: as
    /// [`Circuits::new`] for each algorithm. Algorithms that set up no circuits are left out.
    pub fn new(experiment: &Experiment, cell: CubeCell) -> Self {
        let network = |&algorithm: &&'static Algorithm| {
            let terms = circuit::terms(experiment, &cell, algorithm)?;
            Some(Watched::new(algorithm, circuit::network(&cell, terms, experiment.view.sample)?))
        };
        let networks = experiment.routing.iter().filter_map(network).collect();
        Self { cell, networks, now: 0.0 }
    }

    /// The networks, in the order of the experiment's algorithms.
    pub fn networks(&self) -> &[Watched] {
        &self.networks
    }

    /// The common time.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Where time ends, as far as is known: some time after the last network that comes to an end, else at the horizon.
    pub fn end(&self) -> f64 {
        let known = self.networks.iter().map(Watched::known).fold(HORIZON, f64::min);
        let ends = self.networks.iter().filter_map(Watched::end).fold(0.0, f64::max);
        let all = self.networks.iter().all(|network| network.fate().is_some());
        if all {
            ends
        } else if ends > 0.0 {
            (ends * 1.25 + 2.0).min(known)
        } else {
            known
        }
    }

    /// Goes to `time`, forward or back, at most to [`CircuitWatch::end`]; [`CircuitWatch::work`] brings it there.
    pub fn seek(&mut self, time: f64) {
        self.now = if time > 0.0 { time.min(self.end()) } else { 0.0 };
        for network in &mut self.networks {
            network.aim(self.now);
        }
    }

    /// When the next event of any network happens; `None` if there is none, or not within the time that is watched.
    pub fn next_event(&self) -> Option<f64> {
        let next = self.networks.iter().map(|network| network.shown.circuits.next_time()).fold(f64::INFINITY, f64::min);
        Some(next).filter(|&next| next <= self.end())
    }

    /// The time just before the last event, which is that of the one before it; 0 if there is none.
    pub fn previous_event(&self) -> f64 {
        let times = || self.networks.iter().flat_map(|network| network.told().map(|(time, _)| time));
        let last = times().filter(|&time| time <= self.now).fold(0.0, f64::max);
        times().filter(|&time| time < last).fold(0.0, f64::max)
    }

    /// Lets at most `budget` events happen: first those up to now, then those to come. Whether there is more to do.
    pub fn work(&mut self, budget: u32) -> bool {
        let mut left = budget;
        let now = self.now;
        if !self.networks.iter_mut().all(|network| network.follow(now, &mut left)) {
            return true;
        }
        let memory = MEMORY / (self.networks.len() as u64).max(1);
        // Side by side, so that nothing is looked at that time never reaches.
        let ends = self.networks.iter().filter_map(Watched::end).fold(0.0, f64::max);
        let horizon = if ends > 0.0 { (ends * 1.25 + 2.0).min(HORIZON) } else { HORIZON };
        let known = self.networks.iter().map(Watched::known).fold(HORIZON, f64::min);
        let until = (known * 1.1 + 10.0).min(horizon);
        let done = self.networks.iter_mut().all(|network| network.look_ahead(until, &mut left, memory));
        let mut running = self.networks.iter().filter(|network| network.fate().is_none()).peekable();
        let more = running.peek().is_some() && running.all(|network| network.ahead.events < MOST_EVENTS);
        !done || until < horizon && more
    }

    /// Whether every network has come to where the time is.
    pub fn is_there(&self) -> bool {
        self.networks.iter().all(|network| network.shown.circuits.next_time() > self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(watch.end(), HORIZON);
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
        assert!(large.networks().iter().all(|network| network.stops.len() <= STOPS));
        assert!(large.networks().iter().all(|network| network.history.waiting.len() <= SAMPLES));
        let collapses = |network: &Watched| matches!(network.fate(), Some(CircuitOutcome::Unstable { .. }));
        assert!(large.networks().iter().any(collapses));
        let mut dead = watch("net=cube:1&break=0,1&route=e-cube&switch=circuit");
        while dead.work(1000) {}
        assert_eq!((dead.end(), dead.next_event(), dead.previous_event()), (0.0, None, 0.0));
        dead.seek(f64::NAN);
        assert_eq!(dead.now(), 0.0);
    }
}
