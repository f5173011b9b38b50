//! Seekable simulation: an engine at any time, forward and back, with snapshots and a simulation
//! ahead.

use super::History;
use faultlab_core::switching::{Engine, Moment};

/// Maximum number of snapshots of one engine.
const STOPS: usize = 32;

/// Engine that can seek to any time.
///
/// It runs twice: once at the displayed time and once ahead, where snapshots are taken. The spacing
/// of snapshots grows so that their memory stays limited.
#[derive(Clone, Debug)]
pub struct Tape<E: Engine> {
    shown: E,
    ahead: E,
    /// Time simulated ahead, and the number of steps made.
    known: E::Time,
    steps: u64,
    /// Snapshots, the first one from the start, and the time between them.
    stops: Vec<E>,
    spacing: E::Time,
    history: History,
}

impl<E: Engine> Tape<E> {
    /// Creates the simulation of `engine` at its start, with nothing simulated ahead.
    ///
    /// Snapshots are at least `spacing` apart. The history begins with a sample every `interval`.
    pub fn new(engine: E, spacing: E::Time, interval: f64) -> Self {
        let (shown, ahead, history) = (engine.clone(), engine.clone(), History::new(interval));
        Self { shown, ahead, known: E::Time::START, steps: 0, stops: vec![engine], spacing, history }
    }

    /// Returns the engine at the displayed time.
    pub fn shown(&self) -> &E {
        &self.shown
    }

    /// Returns the engine that is simulated ahead.
    pub fn ahead(&self) -> &E {
        &self.ahead
    }

    /// Returns the number of steps simulated ahead.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns [`Engine::gauge`] over the time simulated ahead.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Returns the end of the engine; `None` as long as it is not known.
    pub fn end(&self) -> Option<E::Time> {
        self.ahead.ended().then(|| self.ahead.now())
    }

    /// Returns the time simulated ahead; [`Moment::NEVER`] once the end is known.
    pub fn known(&self) -> E::Time {
        if self.ahead.ended() { E::Time::NEVER } else { self.known }
    }

    /// Returns whether the displayed engine has reached `time`.
    pub fn is_at(&self, time: E::Time) -> bool {
        self.shown.next() > time
    }

    /// Restores the latest snapshot before `time`, if that saves work.
    pub fn aim(&mut self, time: E::Time) {
        let here = self.shown.now();
        let stop = self.stops.iter().rev().find(|stop| stop.now() <= time);
        if let Some(stop) = stop.filter(|stop| here > time || stop.now() > here) {
            self.shown.clone_from(stop);
        }
    }

    /// Runs the displayed engine to `time` and subtracts its steps from the budget. Returns whether
    /// it is there.
    pub fn follow(&mut self, time: E::Time, budget: &mut u32) -> bool {
        while !self.is_at(time) {
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            self.shown.step();
        }
        true
    }

    /// Simulates ahead to the finite `time` and subtracts the steps from the budget. Returns
    /// whether nothing is left to do.
    ///
    /// It makes at most `most` steps in all, and keeps snapshots of at most `memory` bytes
    /// together.
    pub fn look_ahead(&mut self, time: E::Time, budget: &mut u32, most: u64, memory: u64) -> bool {
        while !self.ahead.ended() && self.steps < most {
            let next = self.ahead.next();
            if next > time {
                // Only a step shows that no event follows.
                if next >= E::Time::NEVER {
                    self.ahead.step();
                }
                self.history.note(time.value(), self.ahead.gauge());
                self.known = self.known.later(time);
                break;
            }
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            self.history.note(next.value(), self.ahead.gauge());
            self.ahead.step();
            self.steps += 1;
            self.known = next;
            let last = self.stops.last().map_or(E::Time::START, Engine::now);
            if self.ahead.now() - last >= self.spacing {
                self.keep(memory);
            }
        }
        true
    }

    /// Takes a snapshot of the engine ahead. If there are too many, every second one is dropped.
    fn keep(&mut self, memory: u64) {
        self.stops.push(self.ahead.clone());
        let most = ((memory / self.ahead.weight().max(1)) as usize).clamp(3, STOPS);
        if self.stops.len() > most {
            let mut number = 0;
            self.stops.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.spacing = self.spacing + self.spacing;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test engine: at time t it has made t steps and mixed a number from each. It reports a size
    /// of a kilobyte and ends at `end`.
    #[derive(Clone, Debug, PartialEq)]
    struct Counter {
        time: u64,
        mixed: u64,
        end: u64,
    }

    impl Counter {
        fn until(end: u64) -> Self {
            Self { time: 0, mixed: 1, end }
        }
    }

    impl Engine for Counter {
        type Time = u64;

        fn now(&self) -> u64 {
            self.time
        }

        fn next(&self) -> u64 {
            if self.ended() { u64::MAX } else { self.time + 1 }
        }

        fn step(&mut self) {
            if !self.ended() {
                self.time += 1;
                self.mixed = faultlab_core::random::mix(self.mixed ^ self.time);
            }
        }

        fn ended(&self) -> bool {
            self.time >= self.end
        }

        fn weight(&self) -> u64 {
            1024
        }

        fn gauge(&self) -> u64 {
            self.time % 7
        }
    }

    fn at(time: u64, end: u64) -> Counter {
        let mut counter = Counter::until(end);
        (0..time).for_each(|_| counter.step());
        counter
    }

    fn go(tape: &mut Tape<Counter>, time: u64, steps: u32) {
        tape.aim(time);
        while !tape.follow(time, &mut { steps }) {}
    }

    fn ahead(tape: &mut Tape<Counter>, time: u64, memory: u64) {
        while !tape.look_ahead(time, &mut 100, u64::MAX, memory) {}
    }

    #[test]
    fn anywhere_it_is_as_if_it_had_run_from_the_start() {
        let mut tape = Tape::new(Counter::until(u64::MAX), 16, 1.0);
        ahead(&mut tape, 3000, 1 << 20);
        assert_eq!((tape.known(), tape.end(), tape.steps()), (3000, None, 3000));
        // Times ahead and back, at snapshots and between them, and beyond the simulated time.
        for time in [0, 1, 2999, 16, 15, 17, 1024, 1000, 4000, 3, 0, 64] {
            go(&mut tape, time, 7);
            assert!(tape.is_at(time));
            assert_eq!(*tape.shown(), at(time, u64::MAX), "{time}");
        }
    }

    #[test]
    fn the_kept_states_weigh_no_more_than_they_may() {
        for (memory, most) in [(0, 3), (8 * 1024, 8), (1 << 30, STOPS)] {
            let mut tape = Tape::new(Counter::until(u64::MAX), 4, 1.0);
            ahead(&mut tape, 50_000, memory);
            assert!(tape.stops.len() <= most, "{} of {most}", tape.stops.len());
            assert!(tape.history.waiting.len() <= History::MOST);
            assert_eq!(tape.stops[0], Counter::until(u64::MAX));
            // The nearest earlier snapshot is never farther away than their spacing.
            for time in [49_999, 25_001, 7] {
                tape.aim(time);
                assert!(time - tape.shown().now() <= 2 * tape.spacing);
                go(&mut tape, time, 1000);
                assert_eq!(*tape.shown(), at(time, u64::MAX));
            }
        }
    }

    #[test]
    fn time_goes_back_step_by_step() {
        let mut tape = Tape::new(Counter::until(u64::MAX), 16, 1.0);
        ahead(&mut tape, 200, 1 << 20);
        for time in (0..200).rev() {
            go(&mut tape, time, 5);
            assert_eq!(*tape.shown(), at(time, u64::MAX));
        }
    }

    #[test]
    fn the_end_is_known_ahead_and_nothing_comes_after_it() {
        let mut tape = Tape::new(Counter::until(77), 16, 1.0);
        assert!(!tape.look_ahead(1000, &mut 10, u64::MAX, 1 << 20));
        assert_eq!((tape.known(), tape.end(), tape.shown().now()), (10, None, 0));
        ahead(&mut tape, 1000, 1 << 20);
        assert_eq!((tape.known(), tape.end()), (u64::MAX, Some(77)));
        go(&mut tape, 1000, 1000);
        assert_eq!(*tape.shown(), at(77, 77));
        // A sample is the value at its time.
        assert!(tape.history().points().all(|(time, value)| value == (time as u64 % 7) as f64));
        assert_eq!(tape.history().points().count(), 77);
    }

    #[test]
    fn no_more_steps_are_looked_at_than_allowed() {
        let mut tape = Tape::new(Counter::until(u64::MAX), 16, 1.0);
        assert!(tape.look_ahead(1000, &mut 5000, 40, 1 << 20));
        assert_eq!((tape.known(), tape.steps()), (40, 40));
    }
}
