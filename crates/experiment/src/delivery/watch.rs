//! Delivery cycles as they are watched: every compared algorithm with the same messages on the same wires.

use std::sync::Arc;

use super::trial::DeliveryTrial;
use crate::{Cell, Experiment};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::delivery::{Delivery, DeliveryOutcome};
use faultlab_core::theory::fat_tree::BadSet;

/// The most cycles that are watched, and the most messages sent, again and again, until the end is known.
const MOST_CYCLES: u32 = 4096;
const MOST_SENT: u64 = 1 << 25;

/// The messages sent for each algorithm before anything is shown: all of small trees, and at least the first cycle of large ones.
const AT_ONCE: u64 = 1 << 15;

/// One algorithm at one cycle.
#[derive(Debug)]
pub struct WatchedDelivery {
    /// The algorithm.
    pub algorithm: Arc<Algorithm>,
    /// How it ends; `None` if that is beyond what is watched, or not known yet.
    pub outcome: Option<DeliveryOutcome>,
    /// The last cycle that is watched, as far as is known.
    pub end: u32,
    /// For every cycle from 0 on, up to the last, the messages that have arrived.
    pub arrived: Vec<u32>,
    /// Whether dead wires keep a message from arriving, by its number; empty if they keep none.
    cut_off: Vec<bool>,
    run: Delivery,
    /// The same run on its way to the end; `None` once it is there.
    ahead: Option<Box<Delivery>>,
}

impl WatchedDelivery {
    fn new(trial: &DeliveryTrial, algorithm: &Arc<Algorithm>) -> Option<Self> {
        let (run, ahead) = (trial.start(algorithm)?, Box::new(trial.start(algorithm)?));
        let ends = (0..).zip(trial.messages.ends());
        let cut_off = match run.undeliverable() {
            0 => Vec::new(),
            _ => ends.map(|(message, &ends)| !trial.arrives(ends, run.via(message))).collect(),
        };
        let algorithm = algorithm.clone();
        Some(Self { algorithm, outcome: None, end: 0, arrived: vec![0], cut_off, run, ahead: Some(ahead) })
    }

    /// Whether dead wires keep a message from arriving.
    pub fn is_cut_off(&self, message: u32) -> bool {
        self.cut_off.get(message as usize) == Some(&true)
    }

    /// Looks ahead until about so many messages have been sent, again and again; whether there is more to come.
    fn work(&mut self, sends: u64) -> bool {
        let Some(ahead) = &mut self.ahead else { return false };
        let steps = |run: &Delivery| run.counts().transmissions + run.counts().literal;
        let goal = steps(ahead).saturating_add(sends);
        let goes_on = |run: &Delivery| {
            run.outcome().is_none() && run.cycle() < MOST_CYCLES && run.counts().transmissions < MOST_SENT
        };
        while goes_on(ahead) && steps(ahead) < goal {
            let before = ahead.cycle();
            ahead.step();
            if ahead.cycle() > before {
                self.arrived.push(ahead.counts().delivered);
            }
        }
        self.end = ahead.cycle();
        if !goes_on(ahead) {
            self.outcome = ahead.outcome();
            self.ahead = None;
        }
        self.ahead.is_some()
    }

    /// The run as it is now.
    pub fn run(&self) -> &Delivery {
        &self.run
    }

    /// Whether it is known how it ends.
    pub fn is_known(&self) -> bool {
        self.ahead.is_none()
    }

    /// Whether it has come to the last cycle that is watched.
    pub fn is_over(&self) -> bool {
        self.ahead.is_none() && self.run.cycle() >= self.end
    }

    fn seek(&mut self, trial: &DeliveryTrial, cycle: u32) {
        if cycle < self.run.cycle()
            && let Some(fresh) = trial.start(&self.algorithm)
        {
            self.run = fresh;
        }
        let goal = cycle.min(self.end);
        self.run.run_until(u64::from(goal.saturating_sub(self.run.cycle())));
    }
}

/// The algorithms side by side.
pub struct DeliveryWatch {
    /// The network, its live wires and the messages.
    pub trial: DeliveryTrial,
    /// How the messages were built, if they are Theorem 9's.
    pub bad: Option<BadSet>,
    /// The algorithms, in the order of the experiment.
    pub series: Vec<WatchedDelivery>,
    now: u32,
}

impl DeliveryWatch {
    /// Trial number `experiment.view.sample` of the experiment as it stands. `None` on other networks. Cost: all runs up to their
    /// ends, 2^25 messages sent at most for each.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let mut watch = Self::begun(experiment)?;
        while watch.work(u64::MAX) {}
        Some(watch)
    }

    /// The same, with ends that are not known yet: [`DeliveryWatch::work`] looks for them. Cost: about the first cycle.
    pub fn begun(experiment: &Experiment) -> Option<Self> {
        let (cell, number) = (Cell::new(experiment, None), experiment.view.sample);
        let trial = DeliveryTrial::new(&cell, number)?;
        let bad = trial.bad_set(experiment.network.leaves()?);
        let series =
            experiment.routing.iter().filter_map(|algorithm| WatchedDelivery::new(&trial, algorithm)).collect();
        let mut watch = Self { trial, bad, series, now: 0 };
        watch.work(AT_ONCE);
        Some(watch)
    }

    /// Looks ahead until about so many messages have been sent for each algorithm; whether there is more to come.
    pub fn work(&mut self, sends: u64) -> bool {
        // All of them go on, not only the first that is not done.
        self.series.iter_mut().filter_map(|watched| watched.work(sends).then_some(())).count() > 0
    }

    /// The cycles that have passed.
    pub fn now(&self) -> u32 {
        self.now
    }

    /// When nothing moves any more, or is watched no longer.
    pub fn end(&self) -> u32 {
        self.series.iter().map(|series| series.end).max().unwrap_or(0)
    }

    /// Goes to a cycle, at most the end. Cost: the cycles from here, or from 0 if it lies behind.
    pub fn seek(&mut self, cycle: u32) {
        self.now = cycle.min(self.end());
        let Self { trial, series, now, .. } = self;
        series.iter_mut().for_each(|watched| watched.seek(trial, *now));
    }
}
