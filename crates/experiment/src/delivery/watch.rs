//! Delivery cycles for Watch: every compared algorithm with the same messages on the same wires.

use std::sync::Arc;

use super::trial::DeliveryTrial;
use crate::{Experiment, PointConfig};
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::delivery::{DeliveryOutcome, DeliveryRun};
use faultlab_core::theory::fat_tree::BadSet;

/// Maximum number of cycles to watch.
const MOST_CYCLES: u32 = 4096;
/// Maximum number of transmissions to simulate ahead for the outcome.
const MOST_SENT: u64 = 1 << 25;

/// Transmissions simulated for each algorithm before the first display: all of small trees, and at
/// least the first cycle of large ones.
const AT_ONCE: u64 = 1 << 15;

/// State of one algorithm at one cycle.
#[derive(Debug)]
pub struct WatchedDelivery {
    /// Algorithm that delivers the messages.
    pub algorithm: Arc<Algorithm>,
    /// Outcome; `None` if it is not known yet, or lies beyond the watched cycles.
    pub outcome: Option<DeliveryOutcome>,
    /// Last watched cycle, as far as it is known.
    pub end: u32,
    /// Number of messages that have arrived, for every cycle from 0 to the last.
    pub arrived: Vec<u32>,
    /// Flags of the messages that dead wires make undeliverable, by message number; empty if there
    /// are none.
    cut_off: Vec<bool>,
    run: DeliveryRun,
    /// Copy of the run that simulates ahead; `None` once it has ended.
    ahead: Option<Box<DeliveryRun>>,
}

impl WatchedDelivery {
    fn new(trial: &DeliveryTrial, algorithm: &Arc<Algorithm>) -> Option<Self> {
        let (run, ahead) = (trial.start(algorithm)?, Box::new(trial.start(algorithm)?));
        let ends = (0..).zip(trial.messages.ends());
        let cut_off = match run.undeliverable() {
            0 => Vec::new(),
            _ => ends.map(|(message, &ends)| !trial.is_deliverable(ends, run.via(message))).collect(),
        };
        let algorithm = algorithm.clone();
        Some(Self { algorithm, outcome: None, end: 0, arrived: vec![0], cut_off, run, ahead: Some(ahead) })
    }

    /// Returns whether dead wires make a message undeliverable.
    pub fn is_cut_off(&self, message: u32) -> bool {
        self.cut_off.get(message as usize) == Some(&true)
    }

    /// Simulates ahead for about `sends` transmissions. Returns whether more remain.
    fn work(&mut self, sends: u64) -> bool {
        let Some(ahead) = &mut self.ahead else { return false };
        let steps = |run: &DeliveryRun| run.counts().transmissions + run.counts().pseudocode_cycles;
        let goal = steps(ahead).saturating_add(sends);
        let goes_on = |run: &DeliveryRun| {
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

    /// Returns the run at the current cycle.
    pub fn run(&self) -> &DeliveryRun {
        &self.run
    }

    /// Returns whether the outcome is known.
    pub fn is_known(&self) -> bool {
        self.ahead.is_none()
    }

    /// Returns whether the run has reached the last watched cycle.
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

/// Compared algorithms side by side.
pub struct DeliveryWatch {
    /// Network with its live wires, and the messages.
    pub trial: DeliveryTrial,
    /// Construction of the messages, if they are Theorem 9's.
    pub bad: Option<BadSet>,
    /// Algorithms, in the order of the experiment.
    pub series: Vec<WatchedDelivery>,
    now: u32,
}

impl DeliveryWatch {
    /// Creates trial number `experiment.view.sample` of the experiment, with known outcomes; `None`
    /// on other networks.
    ///
    /// Cost: all complete runs, with at most 2^25 transmissions each.
    pub fn new(experiment: &Experiment) -> Option<Self> {
        let mut watch = Self::start(experiment)?;
        while watch.work(u64::MAX) {}
        Some(watch)
    }

    /// Creates the trial with outcomes that are not known yet; [`DeliveryWatch::work`] finds them.
    /// Cost: about the first cycle.
    pub fn start(experiment: &Experiment) -> Option<Self> {
        let (cell, number) = (PointConfig::new(experiment, None), experiment.view.sample);
        let trial = DeliveryTrial::new(&cell, number)?;
        let bad = trial.bad_set(experiment.network.leaves()?);
        let series =
            experiment.routing.iter().filter_map(|algorithm| WatchedDelivery::new(&trial, algorithm)).collect();
        let mut watch = Self { trial, bad, series, now: 0 };
        watch.work(AT_ONCE);
        Some(watch)
    }

    /// Simulates ahead for about `sends` transmissions of each algorithm. Returns whether more
    /// remain.
    pub fn work(&mut self, sends: u64) -> bool {
        // `count` advances all algorithms; `any` would stop at the first with work left.
        self.series.iter_mut().filter_map(|watched| watched.work(sends).then_some(())).count() > 0
    }

    /// Returns the current cycle.
    pub fn now(&self) -> u32 {
        self.now
    }

    /// Returns the last cycle in which messages move, or the last watched cycle.
    pub fn end(&self) -> u32 {
        self.series.iter().map(|series| series.end).max().unwrap_or(0)
    }

    /// Moves to `cycle`, at most the end. Cost: the cycles from the current one, or from 0 when
    /// moving back.
    pub fn seek(&mut self, cycle: u32) {
        self.now = cycle.min(self.end());
        let Self { trial, series, now, .. } = self;
        series.iter_mut().for_each(|watched| watched.seek(trial, *now));
    }
}
