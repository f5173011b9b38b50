//! The compared algorithms' networks side by side, at one common time.

use std::sync::Arc;

use super::Tape;
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{Engine, Moment};

/// What all states kept to go back to may weigh together, in bytes.
const MEMORY: u64 = 96 << 20;

/// The network of one of the compared algorithms.
#[derive(Clone, Debug)]
pub struct WatchedNetwork<E: Engine> {
    /// The algorithm.
    pub algorithm: Arc<Algorithm>,
    /// Its engine at the common time, and ahead.
    pub tape: Tape<E>,
}

/// How long networks are watched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace<T> {
    /// The time that is watched at most.
    pub(crate) horizon: T,
    /// The steps of one network that are looked at ahead of time at most.
    pub(crate) most: u64,
    /// The time until which the others are watched, given that of the last end.
    pub(crate) after: fn(T) -> T,
    /// How far is looked ahead next, given how far has been.
    pub(crate) further: fn(T) -> T,
}

/// Networks at one common time that goes forward and back. What is to come is looked at ahead, side by side.
#[derive(Clone, Debug)]
pub(crate) struct Networks<E: Engine> {
    all: Vec<WatchedNetwork<E>>,
    pace: Pace<E::Time>,
    now: E::Time,
}

impl<E: Engine> Networks<E> {
    /// At the start, nothing looked at ahead.
    pub(crate) fn new(all: Vec<WatchedNetwork<E>>, pace: Pace<E::Time>) -> Self {
        Self { all, pace, now: E::Time::START }
    }

    /// The networks, in the order of the experiment's algorithms.
    pub(crate) fn all(&self) -> &[WatchedNetwork<E>] {
        &self.all
    }

    /// The common time.
    pub(crate) fn now(&self) -> E::Time {
        self.now
    }

    /// When those come to their ends of which that is known.
    pub(crate) fn ends(&self) -> impl Iterator<Item = E::Time> {
        self.all.iter().filter_map(|network| network.tape.end())
    }

    fn last_end(&self) -> E::Time {
        self.ends().fold(E::Time::START, Moment::later)
    }

    /// Where there is no need to look farther: some time after the last known end, else the horizon.
    fn limit(&self) -> E::Time {
        let last = self.last_end();
        if last > E::Time::START { (self.pace.after)(last).earlier(self.pace.horizon) } else { self.pace.horizon }
    }

    /// Until when everything is known of all, at most `limit`.
    fn known(&self, limit: E::Time) -> E::Time {
        self.all.iter().map(|network| network.tape.known()).fold(limit, Moment::earlier)
    }

    /// Where time ends, as far as is known: with the last network if all come to an end, else some time after the last one that
    /// does, else at the horizon.
    pub(crate) fn end(&self) -> E::Time {
        let all = self.all.iter().all(|network| network.tape.end().is_some());
        if all { self.last_end() } else { self.known(self.limit()) }
    }

    /// Goes to `time`, forward or back, at most to the end; [`Networks::work`] brings it there.
    pub(crate) fn seek(&mut self, time: E::Time) {
        self.now = if time > E::Time::START { time.earlier(self.end()) } else { E::Time::START };
        for network in &mut self.all {
            network.tape.aim(self.now);
        }
    }

    /// Lets at most `budget` steps happen: first those up to now, then those to come. Whether there is more to do.
    pub(crate) fn work(&mut self, budget: u32) -> bool {
        let mut left = budget;
        let (now, most) = (self.now, self.pace.most);
        if !self.all.iter_mut().all(|network| network.tape.follow(now, &mut left)) {
            return true;
        }
        let memory = MEMORY / (self.all.len() as u64).max(1);
        // Side by side, so that nothing is looked at that time never reaches.
        let limit = self.limit();
        let until = (self.pace.further)(self.known(limit)).earlier(limit);
        let done = self.all.iter_mut().all(|network| network.tape.look_ahead(until, &mut left, most, memory));
        let mut running = self.all.iter().filter(|network| network.tape.end().is_none()).peekable();
        let more = running.peek().is_some() && running.all(|network| network.tape.steps() < most);
        !done || until < limit && more
    }

    /// Whether every network has come to where the time is.
    pub(crate) fn is_there(&self) -> bool {
        self.all.iter().all(|network| network.tape.is_at(self.now))
    }
}
