//! Networks of the compared algorithms at one common time.

use std::sync::Arc;

use super::Timeline;
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{Engine, SimTime};

/// Maximum memory of all snapshots together, in bytes.
const MEMORY: u64 = 96 << 20;

/// Network of one of the compared algorithms.
#[derive(Clone, Debug)]
pub struct WatchedNetwork<E: Engine> {
    /// Algorithm that routes the messages of the network.
    pub algorithm: Arc<Algorithm>,
    /// Engine at the common time, and its simulation ahead.
    pub timeline: Timeline<E>,
}

/// Limits of the simulation ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LookaheadLimits<T> {
    /// Maximum time.
    pub(crate) horizon: T,
    /// Maximum number of steps of one network ahead of time.
    pub(crate) most: u64,
    /// Function from the last end of a network to the time until which the others are simulated.
    pub(crate) after: fn(T) -> T,
    /// Function from the time simulated so far to the next target.
    pub(crate) further: fn(T) -> T,
}

/// Networks at one common time that can move forward and back. The networks are simulated ahead of
/// that time in parallel.
#[derive(Clone, Debug)]
pub(crate) struct Networks<E: Engine> {
    all: Vec<WatchedNetwork<E>>,
    pace: LookaheadLimits<E::Time>,
    now: E::Time,
    /// Time to which the networks move. It is `now`, unless the networks are too large to be
    /// simulated ahead.
    target: E::Time,
}

impl<E: Engine> Networks<E> {
    /// Creates the group at the start, with nothing simulated ahead.
    pub(crate) fn new(all: Vec<WatchedNetwork<E>>, pace: LookaheadLimits<E::Time>) -> Self {
        Self { all, pace, now: E::Time::START, target: E::Time::START }
    }

    /// Continues the networks of `before`, which do the same until `time`, as
    /// [`Timeline::resume_from`] does.
    pub(crate) fn resume_from(&mut self, before: &mut Self, time: E::Time, adapt: fn(&mut E, &E) -> bool) {
        for (own, other) in self.all.iter_mut().zip(&mut before.all) {
            own.timeline.resume_from(&mut other.timeline, time, adapt);
        }
    }

    /// Returns the networks, in the order of the experiment's algorithms.
    pub(crate) fn all(&self) -> &[WatchedNetwork<E>] {
        &self.all
    }

    /// Returns the common time.
    pub(crate) fn now(&self) -> E::Time {
        self.now
    }

    /// Returns the known ends of networks.
    pub(crate) fn ends(&self) -> impl Iterator<Item = E::Time> {
        self.all.iter().filter_map(|network| network.timeline.end())
    }

    fn last_end(&self) -> E::Time {
        self.ends().fold(E::Time::START, SimTime::later)
    }

    /// Returns the time that the simulation ahead needs to reach: shortly after the last known end,
    /// otherwise the horizon.
    fn limit(&self) -> E::Time {
        let last = self.last_end();
        if last > E::Time::START { (self.pace.after)(last).min(self.pace.horizon) } else { self.pace.horizon }
    }

    /// Returns the time until which all networks are simulated, at most `limit`.
    fn known(&self, limit: E::Time) -> E::Time {
        self.all.iter().map(|network| network.timeline.simulated_until()).fold(limit, SimTime::min)
    }

    /// Returns the end of the run, as far as it is known. Networks that are not simulated ahead can
    /// reach the horizon.
    ///
    /// If all networks end, the result is the last of their ends. Otherwise it is shortly after the
    /// last known end, or the horizon.
    pub(crate) fn end(&self) -> E::Time {
        let all = self.all.iter().all(|network| network.timeline.end().is_some());
        if all { self.last_end() } else { self.known(self.limit()) }
    }

    /// Moves to `time`, forward or back, at most to the end. [`Networks::work`] then simulates the
    /// networks.
    pub(crate) fn seek(&mut self, time: E::Time) {
        self.target = if time > E::Time::START { time.min(self.end()) } else { E::Time::START };
        for network in &mut self.all {
            network.timeline.restore_nearest(self.target);
        }
        let on_demand = self.all.iter().map(|network| &network.timeline).filter(|timeline| !timeline.looks_ahead());
        self.now = on_demand.map(|timeline| timeline.displayed().current_time()).fold(self.target, SimTime::min);
    }

    /// Moves the common time one step towards the target.
    fn step_towards_target(&mut self) {
        let next = self.all.iter().map(|network| network.timeline.displayed().next_time());
        let next = next.fold(self.target, SimTime::min);
        self.now = if next > self.now { next } else { self.target };
    }

    /// Makes at most `budget` steps, first those up to the current time, then those ahead. Returns
    /// whether work remains.
    pub(crate) fn work(&mut self, budget: u32) -> bool {
        let mut left = budget;
        let (now, most) = (self.now, self.pace.most);
        if !self.all.iter_mut().all(|network| network.timeline.run_to(now, &mut left)) {
            return true;
        }
        if self.now < self.target {
            self.step_towards_target();
            return true;
        }
        let memory = MEMORY / (self.all.len() as u64).max(1);
        // Advance all networks together, so that none goes beyond the common end.
        let limit = self.limit();
        let until = (self.pace.further)(self.known(limit)).min(limit);
        let done = self.all.iter_mut().all(|network| network.timeline.look_ahead(until, &mut left, most, memory));
        let mut running = self.all.iter().filter(|network| network.timeline.end().is_none()).peekable();
        let more = running.peek().is_some() && running.all(|network| network.timeline.steps() < most);
        !done || until < limit && more
    }

    /// Returns whether every network has reached the current time.
    pub(crate) fn is_at_target(&self) -> bool {
        self.now >= self.target && self.all.iter().all(|network| network.timeline.is_at(self.now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::timeline::MAX_AHEAD_BYTES;

    /// Test engine whose steps take `pace` units of time.
    #[derive(Clone, Debug)]
    struct Steps {
        time: u64,
        pace: u64,
    }

    impl Engine for Steps {
        type Time = u64;

        fn current_time(&self) -> u64 {
            self.time
        }

        fn next_time(&self) -> u64 {
            self.time + self.pace
        }

        fn step(&mut self) {
            self.time += self.pace;
        }

        fn has_ended(&self) -> bool {
            false
        }

        fn size_bytes(&self) -> u64 {
            MAX_AHEAD_BYTES + 1
        }

        fn gauge_value(&self) -> u64 {
            0
        }
    }

    #[test]
    fn large_networks_move_together_to_the_target_and_then_rest() {
        let algorithm = faultlab_core::routing::find("e-cube").unwrap();
        let of = |pace| WatchedNetwork {
            algorithm: algorithm.clone(),
            timeline: Timeline::new(Steps { time: 0, pace }, 8, 1.0),
        };
        let pace = LookaheadLimits { horizon: 100, most: u64::MAX, after: |end| end, further: |known| known + 10 };
        let mut networks = Networks::new(vec![of(1), of(3)], pace);
        let times = |networks: &Networks<Steps>| {
            networks.all().iter().map(|network| network.timeline.displayed().time).collect::<Vec<_>>()
        };
        assert!(!networks.work(1) && networks.end() == 100);
        // Forward, back from the start again, and beyond the horizon.
        for (target, reached) in [(20, 20), (7, 7), (1000, 100)] {
            networks.seek(target);
            assert!(!networks.is_at_target() && networks.now() <= reached);
            let mut steps = 0;
            while networks.work(1) {
                // No network is ahead of the common time.
                assert!(times(&networks).iter().all(|&time| time <= networks.now()) && steps < 1000);
                steps += 1;
            }
            assert!(networks.is_at_target() && networks.now() == reached);
            assert_eq!(times(&networks), [reached, reached / 3 * 3]);
        }
    }
}
