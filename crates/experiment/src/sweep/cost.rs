//! What experiments take, told before anything of them is run.

use super::{PointResult, Sweep};
use crate::{Cell, Experiment};
use faultlab_core::routing::Algorithm;

/// What the trials of an algorithm at a point take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// The memory of one thread.
    pub memory: Memory,
    /// The steps of a trial of those that count, as [`super::Sampler::advance`] takes them off its budget; about.
    pub steps: f64,
}

/// How much memory a thread needs, in bytes: what is known is reckoned, what chance decides is bounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// What it takes at once.
    pub least: u64,
    /// What it never goes beyond. Where messages pile up, far more than most runs take.
    pub most: u64,
}

/// What a coarse trial is of one that counts, about.
const COARSE: f64 = 0.25;

impl Memory {
    /// What every trial needs that keeps no table of its network.
    pub(crate) const SMALL: Self = Self { least: 0, most: 1 << 20 };

    /// `most` of everything, besides what every trial needs.
    pub(crate) fn new(least: f64, most: f64) -> Self {
        Self { least: least as u64, most: Self::SMALL.most + most as u64 }
    }

    /// The larger of two, for those who need one after the other.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.max(other.most) }
    }
}

impl Experiment {
    /// What a thread needs that runs all of it. Cost: as the number of points.
    pub fn memory(&self) -> Memory {
        let of_point = |point: &Self| {
            let cell = Cell::new(point, None);
            self.routing.iter().map(|algorithm| self.cost(&cell, algorithm).memory).fold(Memory::default(), Memory::or)
        };
        self.points().iter().map(of_point).fold(Memory::default(), Memory::or)
    }

    fn cost(&self, cell: &Cell, algorithm: &Algorithm) -> Cost {
        self.kind().behavior.cost(cell, algorithm)
    }
}

impl Sweep {
    /// About how many steps each of its points will take to its end: of those that have been looked at by what was found there, of the others
    /// for the least number of trials.
    pub fn expected_steps(&self) -> Vec<f64> {
        let steps = |(slot, point): (u32, &PointResult)| self.steps_of(slot, self.expected_trials(point));
        (0..).zip(self.points()).map(steps).collect()
    }

    /// About how many steps the first `trials` trials of a point take; 0 if there is no such point.
    pub fn steps_of(&self, slot: u32, trials: u64) -> f64 {
        let Some(point) = self.points().get(slot as usize) else { return 0.0 };
        let plan = &self.experiment().kind().plan;
        let coarse = trials.min(plan.coarse) as f64;
        let steps = self.experiment().cost(&point.cell, &point.algorithm).steps;
        steps * (coarse * COARSE + (trials as f64 - coarse))
    }

    /// About how many tasks these points are dealt out in, which can be run at the same time but for the rounds that follow from others.
    pub fn expected_tasks(&self, slots: &[u32]) -> u64 {
        let plan = &self.experiment().kind().plan;
        let points = slots.iter().filter_map(|&slot| self.points().get(slot as usize));
        let trials = points.map(|point| self.expected_trials(point).saturating_sub(plan.coarse));
        trials.map(|trials| trials.div_ceil(plan.task_size(trials).max(1))).sum()
    }
}
