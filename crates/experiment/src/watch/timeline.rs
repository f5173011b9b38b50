//! Seekable simulation: an engine at any time, forward and back, with snapshots and a simulation
//! ahead.

use super::TimeSeries;
use faultlab_core::switching::{Engine, SimTime};

/// Maximum number of snapshots of one engine.
const MAX_SNAPSHOTS: usize = 32;

/// Maximum size of an engine that is simulated ahead, in bytes. A larger one would need too much
/// memory, and each copy would take longer than the page may stop responding.
pub(super) const MAX_AHEAD_BYTES: u64 = 16 << 20;

/// Engine that can seek to any time.
///
/// The engine runs twice: once at the displayed time and once ahead, where snapshots are taken. The
/// spacing of snapshots grows so that their memory stays limited. A large engine runs once, and
/// begins at the start again to go back.
#[derive(Clone, Debug)]
pub struct Timeline<E: Engine> {
    shown: E,
    /// Engine ahead; `None` for a large engine.
    ahead: Option<E>,
    /// Time until which the simulation is known.
    known: E::Time,
    /// Number of steps simulated ahead.
    steps: u64,
    /// Snapshots; the first one is the start. A large engine has none before its first step.
    snapshots: Vec<E>,
    /// Time between snapshots.
    spacing: E::Time,
    history: TimeSeries,
}

impl<E: Engine> Timeline<E> {
    /// Creates the simulation of `engine` at its start, with nothing simulated ahead.
    ///
    /// Snapshots are at least `spacing` apart. The history begins with a sample every `interval`.
    pub fn new(engine: E, spacing: E::Time, interval: f64) -> Self {
        let ahead = (engine.size_bytes() <= MAX_AHEAD_BYTES).then(|| engine.clone());
        let snapshots = ahead.clone().into_iter().collect();
        let history = TimeSeries::new(interval);
        Self { shown: engine, ahead, known: E::Time::START, steps: 0, snapshots, spacing, history }
    }

    /// Continues the simulation of `before`, which is the same until `time`: takes its states until
    /// then. `adapt` makes a state of `before` one of this simulation, given the start of this one; it
    /// returns false for a state that cannot be one. Must be called at the start.
    pub(super) fn resume_from(&mut self, before: &mut Self, time: E::Time, adapt: fn(&mut E, &E) -> bool) {
        let mut states = std::mem::take(&mut before.snapshots);
        states.retain_mut(|state| state.current_time() <= time && adapt(state, &self.shown));
        // Moved, because a copy of a large engine takes long.
        std::mem::swap(&mut self.shown, &mut before.shown);
        if self.shown.current_time() > time || !adapt(&mut self.shown, &before.shown) {
            std::mem::swap(&mut self.shown, &mut before.shown);
            let Some(last) = states.last() else { return };
            self.shown.clone_from(last);
        }
        if let Some(ahead) = &mut self.ahead {
            let last = states.last().filter(|last| last.current_time() > self.shown.current_time());
            ahead.clone_from(last.unwrap_or(&self.shown));
            self.known = ahead.current_time();
        }
        if !states.is_empty() {
            self.snapshots = states;
        }
        (self.steps, self.spacing) = (before.steps, before.spacing);
        self.history = before.history.clone();
        self.history.truncate(self.lookahead().current_time().as_f64());
    }

    /// Returns the engine at the displayed time.
    pub fn displayed(&self) -> &E {
        &self.shown
    }

    /// Returns the engine that is simulated ahead; the displayed one if no other is.
    pub fn lookahead(&self) -> &E {
        self.ahead.as_ref().unwrap_or(&self.shown)
    }

    /// Returns whether the engine is simulated ahead of the displayed time.
    pub fn looks_ahead(&self) -> bool {
        self.ahead.is_some()
    }

    /// Returns the states of the engine at some times that are simulated, ascending.
    pub fn known_states(&self) -> impl Iterator<Item = &E> {
        self.snapshots.iter().chain([self.lookahead()])
    }

    /// Returns the number of steps simulated ahead.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns [`Engine::gauge_value`] over the time simulated ahead.
    pub fn history(&self) -> &TimeSeries {
        &self.history
    }

    /// Returns the time at which the engine ends; `None` as long as it is not known.
    pub fn end(&self) -> Option<E::Time> {
        self.lookahead().has_ended().then(|| self.lookahead().current_time())
    }

    /// Returns the time simulated ahead; [`SimTime::NEVER`] once the end is known, and if the engine is
    /// not simulated ahead.
    pub fn simulated_until(&self) -> E::Time {
        if !self.looks_ahead() || self.lookahead().has_ended() { E::Time::NEVER } else { self.known }
    }

    /// Returns whether the displayed engine has reached `time`.
    pub fn is_at(&self, time: E::Time) -> bool {
        self.shown.next_time() > time
    }

    /// Restores the latest snapshot before `time`, if that saves work: a copy of a large engine takes
    /// longer than a few steps.
    pub fn restore_nearest(&mut self, time: E::Time) {
        let here = self.shown.current_time();
        let stop = self.snapshots.iter().rev().find(|stop| stop.current_time() <= time);
        // At least a quarter of the spacing ahead.
        let is_far = |stop: E::Time| {
            let double = |time: E::Time| time + time;
            stop > here && double(double(stop - here)) >= self.spacing
        };
        if let Some(stop) = stop.filter(|stop| here > time || is_far(stop.current_time())) {
            self.shown.clone_from(stop);
        }
    }

    /// Runs the displayed engine to `time` and subtracts its steps from the budget. Returns whether
    /// the engine has reached `time`.
    pub fn run_to(&mut self, time: E::Time, budget: &mut u32) -> bool {
        while !self.is_at(time) {
            if *budget == 0 {
                return false;
            }
            if self.snapshots.is_empty() {
                // Copying a large engine takes long, so the rest is left to the next call.
                self.snapshots.push(self.shown.clone());
                *budget = 0;
                return false;
            }
            *budget -= 1;
            if self.ahead.is_none() {
                self.history.record(self.shown.next_time().as_f64(), self.shown.gauge_value());
            }
            self.shown.step();
        }
        true
    }

    /// Simulates ahead to the finite `time` and subtracts the steps from the budget. Returns
    /// whether nothing is left to do.
    ///
    /// At most `most` steps are simulated ahead in total, and the snapshots together have at most
    /// `memory` bytes.
    pub fn look_ahead(&mut self, time: E::Time, budget: &mut u32, most: u64, memory: u64) -> bool {
        let Some(ahead) = &mut self.ahead else { return true };
        while !ahead.has_ended() && self.steps < most {
            let next = ahead.next_time();
            if next > time {
                // Only a step shows that no event follows.
                if next >= E::Time::NEVER {
                    ahead.step();
                }
                self.history.record(time.as_f64(), ahead.gauge_value());
                self.known = self.known.later(time);
                break;
            }
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            self.history.record(next.as_f64(), ahead.gauge_value());
            ahead.step();
            self.steps += 1;
            self.known = next;
            let last = self.snapshots.last().map_or(E::Time::START, Engine::current_time);
            if ahead.current_time() - last >= self.spacing {
                self.snapshots.push(ahead.clone());
                thin_out(&mut self.snapshots, &mut self.spacing, memory / ahead.size_bytes().max(1));
            }
        }
        true
    }
}

/// Drops every second snapshot if there are more than `most`, within limits, and doubles their
/// spacing.
fn thin_out<E: Engine>(snapshots: &mut Vec<E>, spacing: &mut E::Time, most: u64) {
    if snapshots.len() > (most as usize).clamp(3, MAX_SNAPSHOTS) {
        let mut number = 0;
        snapshots.retain(|_| {
            number += 1;
            number % 2 == 1
        });
        *spacing = *spacing + *spacing;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test engine: at time t it has made t steps and mixed a number from each. It reports a size of
    /// `bytes`, at first a kilobyte, and ends at `end`.
    #[derive(Clone, Debug, PartialEq)]
    struct Counter {
        time: u64,
        mixed: u64,
        end: u64,
        bytes: u64,
    }

    impl Counter {
        fn until(end: u64) -> Self {
            Self { time: 0, mixed: 1, end, bytes: 1024 }
        }
    }

    impl Engine for Counter {
        type Time = u64;

        fn current_time(&self) -> u64 {
            self.time
        }

        fn next_time(&self) -> u64 {
            if self.has_ended() { u64::MAX } else { self.time + 1 }
        }

        fn step(&mut self) {
            if !self.has_ended() {
                self.time += 1;
                self.mixed = faultlab_core::random::mix(self.mixed ^ self.time);
            }
        }

        fn has_ended(&self) -> bool {
            self.time >= self.end
        }

        fn size_bytes(&self) -> u64 {
            self.bytes
        }

        fn gauge_value(&self) -> u64 {
            self.time % 7
        }
    }

    fn counter_at(time: u64, end: u64) -> Counter {
        let mut counter = Counter::until(end);
        (0..time).for_each(|_| counter.step());
        counter
    }

    fn seek(timeline: &mut Timeline<Counter>, time: u64, steps: u32) {
        timeline.restore_nearest(time);
        while !timeline.run_to(time, &mut { steps }) {}
    }

    fn simulate_ahead(timeline: &mut Timeline<Counter>, time: u64, memory: u64) {
        while !timeline.look_ahead(time, &mut 100, u64::MAX, memory) {}
    }

    #[test]
    fn seeking_gives_the_state_of_an_uninterrupted_run() {
        let mut timeline = Timeline::new(Counter::until(u64::MAX), 16, 1.0);
        simulate_ahead(&mut timeline, 3000, 1 << 20);
        assert_eq!((timeline.simulated_until(), timeline.end(), timeline.steps()), (3000, None, 3000));
        // Times ahead and back, at snapshots and between them, and beyond the simulated time.
        for time in [0, 1, 2999, 16, 15, 17, 1024, 1000, 4000, 3, 0, 64] {
            seek(&mut timeline, time, 7);
            assert!(timeline.is_at(time));
            assert_eq!(*timeline.displayed(), counter_at(time, u64::MAX), "{time}");
        }
    }

    #[test]
    fn snapshots_stay_within_the_memory_limit() {
        for (memory, most) in [(0, 3), (8 * 1024, 8), (1 << 30, MAX_SNAPSHOTS)] {
            let mut timeline = Timeline::new(Counter::until(u64::MAX), 4, 1.0);
            simulate_ahead(&mut timeline, 50_000, memory);
            assert!(timeline.snapshots.len() <= most, "{} of {most}", timeline.snapshots.len());
            assert!(timeline.history.waiting.len() <= TimeSeries::MOST);
            assert_eq!(timeline.snapshots[0], Counter::until(u64::MAX));
            // The nearest earlier snapshot is never farther away than their spacing.
            for time in [49_999, 25_001, 7] {
                timeline.restore_nearest(time);
                assert!(time - timeline.displayed().current_time() <= 2 * timeline.spacing);
                seek(&mut timeline, time, 1000);
                assert_eq!(*timeline.displayed(), counter_at(time, u64::MAX));
            }
        }
    }

    #[test]
    fn seeks_back_step_by_step() {
        let mut timeline = Timeline::new(Counter::until(u64::MAX), 16, 1.0);
        simulate_ahead(&mut timeline, 200, 1 << 20);
        for time in (0..200).rev() {
            seek(&mut timeline, time, 5);
            assert_eq!(*timeline.displayed(), counter_at(time, u64::MAX));
        }
    }

    #[test]
    fn large_engines_run_once() {
        let large = Counter { bytes: MAX_AHEAD_BYTES + 1, ..Counter::until(77) };
        let mut timeline = Timeline::new(large.clone(), 16, 1.0);
        assert!(!timeline.looks_ahead() && timeline.look_ahead(1000, &mut 10, u64::MAX, 1 << 20));
        assert_eq!((timeline.simulated_until(), timeline.end(), timeline.steps()), (u64::MAX, None, 0));
        for time in [20, 21, 5, 77] {
            seek(&mut timeline, time, 3);
            assert_eq!(*timeline.displayed(), Counter { bytes: large.bytes, ..counter_at(time, 77) }, "{time}");
        }
        assert_eq!((timeline.end(), timeline.snapshots.len()), (Some(77), 1));
        assert!(timeline.history().points().all(|(time, value)| value == (time as u64 % 7) as f64));
        assert_eq!(timeline.history().points().count(), 77);
    }

    #[test]
    fn end_is_found_ahead_and_seeks_stop_there() {
        let mut timeline = Timeline::new(Counter::until(77), 16, 1.0);
        assert!(!timeline.look_ahead(1000, &mut 10, u64::MAX, 1 << 20));
        assert_eq!((timeline.simulated_until(), timeline.end(), timeline.displayed().current_time()), (10, None, 0));
        simulate_ahead(&mut timeline, 1000, 1 << 20);
        assert_eq!((timeline.simulated_until(), timeline.end()), (u64::MAX, Some(77)));
        seek(&mut timeline, 1000, 1000);
        assert_eq!(*timeline.displayed(), counter_at(77, 77));
        // A sample is the value at its time.
        assert!(timeline.history().points().all(|(time, value)| value == (time as u64 % 7) as f64));
        assert_eq!(timeline.history().points().count(), 77);
    }

    #[test]
    fn look_ahead_respects_the_step_limit() {
        let mut timeline = Timeline::new(Counter::until(u64::MAX), 16, 1.0);
        assert!(timeline.look_ahead(1000, &mut 5000, 40, 1 << 20));
        assert_eq!((timeline.simulated_until(), timeline.steps()), (40, 40));
    }
}
