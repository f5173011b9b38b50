//! Cost estimates of experiments before they run.

use super::{PointResult, Sweep};
use crate::{Experiment, PointConfig};
use faultlab_core::routing::Algorithm;

/// Cost of the trials of an algorithm at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Memory of one thread.
    pub memory: Memory,
    /// Approximate number of steps of a counted trial, in the unit of the budget of
    /// [`super::Sampler::advance`].
    pub steps: f64,
}

/// Memory requirement of a thread, in bytes: calculated where it is deterministic, an upper bound
/// where it is random.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Memory allocated at the start.
    pub least: u64,
    /// Upper bound. Where messages can queue up, it is far above the use of most runs.
    pub most: u64,
}

/// Approximate cost of a coarse trial as a share of a counted trial's cost.
const COARSE: f64 = 0.25;

impl Memory {
    /// Requirement of trials that keep no table of the network.
    pub(crate) const SMALL: Self = Self { least: 0, most: 1 << 20 };

    /// Creates a requirement with the upper bound `most` in addition to that of every trial.
    pub(crate) fn new(least: f64, most: f64) -> Self {
        Self { least: least as u64, most: Self::SMALL.most + most as u64 }
    }

    /// Returns the larger of two requirements, for trials that run one after the other.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.max(other.most) }
    }
}

impl Experiment {
    /// Returns the memory of a thread that runs the whole experiment. Cost: proportional to the
    /// number of points.
    pub fn memory(&self) -> Memory {
        let of_point = |point: &Self| {
            let cell = PointConfig::new(point, None);
            self.routing.iter().map(|algorithm| self.cost(&cell, algorithm).memory).fold(Memory::default(), Memory::or)
        };
        self.points().iter().map(of_point).fold(Memory::default(), Memory::or)
    }

    fn cost(&self, cell: &PointConfig, algorithm: &Algorithm) -> Cost {
        self.kind().behavior.cost(cell, algorithm)
    }
}

impl Sweep {
    /// Returns the approximate number of steps of each point until it ends.
    ///
    /// For points with completed trials the estimate uses their tally, for others the minimum
    /// number of trials.
    pub fn expected_steps(&self) -> Vec<f64> {
        let steps = |(slot, point): (u32, &PointResult)| self.steps_of(slot, self.expected_trials(point));
        (0..).zip(self.points()).map(steps).collect()
    }

    /// Returns the approximate number of steps of the first `trials` trials of a point; 0 if there
    /// is no such point.
    pub fn steps_of(&self, slot: u32, trials: u64) -> f64 {
        let Some(point) = self.points().get(slot as usize) else { return 0.0 };
        let plan = &self.experiment().kind().stopping_rule;
        let coarse = trials.min(plan.coarse) as f64;
        let steps = self.experiment().cost(&point.config, &point.algorithm).steps;
        steps * (coarse * COARSE + (trials as f64 - coarse))
    }

    /// Returns the approximate number of tasks of the points of `slots`. They can run in parallel,
    /// except for rounds that depend on earlier ones.
    pub fn expected_tasks(&self, slots: &[u32]) -> u64 {
        let plan = &self.experiment().kind().stopping_rule;
        let points = slots.iter().filter_map(|&slot| self.points().get(slot as usize));
        let trials = points.map(|point| self.expected_trials(point).saturating_sub(plan.coarse));
        trials.map(|trials| trials.div_ceil(plan.task_size(trials).max(1))).sum()
    }
}
